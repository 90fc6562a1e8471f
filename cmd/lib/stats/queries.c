/* queries.c - the questions of the report: see queries.h. */
#include <string.h>

#include "stats/queries.h"
#include "view/traits.h"

/* The columns of a distribution of a field, and a section of one. */
#define DISTRIBUTION(field)                                                      \
	"least = min(" field "), p50 = p50(" field "), mean = mean(" field "), " \
	"p90 = p90(" field "), p99 = p99(" field "), greatest = max(" field ")"
#define SPREAD(section, heading, field)                                          \
	{                                                                        \
		.same = true, .name = section, .row = "event", .title = heading, \
		.keys = "event", .most = EVERY, .some = true,                    \
		.columns = DISTRIBUTION(field)                                   \
	}
#define BYTES ", bytes = sum(size), %share_of_bytes = if(count(size) > 0, share(size))"
#define REFERENCES                                               \
	"references = count, %reads = count(if(r, 1)) / count, " \
	"%writes = count(if(w, 1)) / count, %fetches = count(if(i, 1)) / count"

/* DUMPI: messages between two ranks, and all calls that send or receive. A size is the bytes sent, or, of a call
 * that only receives, the bytes received; posted receives move nothing. */
#define SENDS MPI_SENDS
#define RECEIVES "MPI_Recv or MPI_Wait* or MPI_Test*"
#define SENDS_ALL                                                                 \
	SENDS " or MPI_Bcast or MPI_*ather* or MPI_*catter* or MPI_Alltoall* or " \
	      "MPI_*educe or MPI_*can or MPI_Put or MPI_Accumulate"
#define RECEIVES_ALL RECEIVES " or MPI_Get"
#define SENT "sent = sum(if(" SENDS_ALL ", size))"
#define RECEIVED                                   \
	"received = coalesce(sum(if(" RECEIVES_ALL \
	", size)) + sum(recv_bytes), sum(if(" RECEIVES_ALL ", size)), sum(recv_bytes))"
/* EXCHANGES: calls that also receive, with their bytes in another argument. UNKNOWN: the number of calls that move
 * bytes, but do not tell how many, or how many they receive. Tests of names come first in each `and`, so that
 * types of events decide them. */
#define EXCHANGES "MPI_Sendrecv* or MPI_All[gtr]*"
#define UNKNOWN                                                                     \
	"count(if(not recv_bytes? and (" EXCHANGES " or not size?) and (" EXCHANGES \
	" or MPI_Recv or " SENDS_ALL "), 1))"

static const struct format_query table[] = {
    {.but = "dumpi",
     .name = "event",
     .row = "event",
     .title = "",
     .keys = "event",
     .overlap = true,
     .most = EVERY,
     .bar = 2,
     .columns = "count, %share" BYTES},
    /* Different calls may count the same bytes in their sizes. */
    {.format = "dumpi",
     .same = true,
     .name = "event",
     .row = "event",
     .title = "",
     .keys = "event",
     .overlap = true,
     .most = EVERY,
     .bar = 2,
     .columns = "count, %share, bytes = sum(size)"},
    {.but = "dumpi",
     .same = true,
     .name = "size",
     .row = "event",
     .title = "Sizes, in bytes",
     .keys = "event",
     .most = EVERY,
     .some = true,
     .columns = DISTRIBUTION("size")},
    {.format = "dumpi",
     .same = true,
     .name = "size",
     .row = "event",
     .title = "Sizes, in bytes",
     .keys = "event",
     .most = EVERY,
     .some = true,
     .overlap = true,
     .columns = DISTRIBUTION("size")},
    SPREAD("dur", "Durations", "dur"),
    SPREAD("gap", "Gaps between arrivals", "gap"),
    {.same = true,
     .name = "ties",
     .row = "event",
     .title = "Events at the time of the event before; positive: the smallest gap above 0",
     .keys = "event",
     .most = EVERY,
     .some = true,
     .columns =
	 "gaps = if(count(gap) > 0, count(gap)), ties = ties(gap), %share = ties / gaps, "
	 "positive = positive(gap)"},
    {.but = "dumpi",
     .name = "location",
     .row = "location",
     .title = "The locations",
     .keys = "loc",
     .overlap = true,
     .sort = "-count",
     .most = 10,
     .bar = 2,
     .columns = "count, %share" BYTES},
    {.format = "dumpi",
     .same = true,
     .name = "location",
     .row = "location",
     .title = "The locations",
     .keys = "loc",
     .overlap = true,
     .sort = "-count",
     .most = 10,
     .bar = 2,
     .columns = "count, %share"},

    /* SPC: spc-trace(5). Each ASU has its own blocks. */
    {.format = "spc",
     .name = "block",
     .row = "asu",
     .title = "Block I/O: begins where the one before ended; not aligned to 4 KiB;\n"
	      "distinct 4 KiB blocks",
     .keys = "loc",
     .columns = "requests = count, %reads = count(if(R, 1)) / count, "
		"%sequential, %unaligned, footprint"},

    /* Laplace: the references of each address space; the kernel events of each process. */
    {.format = "laplace laplace-text",
     .name = "memory",
     .row = "space",
     .title = "Memory references by address space; distinct pages of 4 KiB",
     .test = "(r or w or i) and addr? and size?",
     .keys = "loc",
     .sort = "-references",
     .columns = REFERENCES ", footprint, "
			   "written = footprint(if(w, addr), size), "
			   "fetched = footprint(if(i, addr), size)"},
    {.format = "laplace laplace-text laplace-merge",
     .name = "kernel",
     .row = "pid",
     .title = "Kernel events by process, the busiest first: bytes read, written, mapped",
     .test = "not (r or w or i or end)",
     .keys = "loc",
     .sort = "-events",
     .columns = "events = count, scheduled = count(if(schedule, 1)), "
		"read = sum(if(read, size)), written = sum(if(write, size)), "
		"mapped = sum(if(mmap or mmap-anon, size)), "
		"unmapped = sum(if(munmap, size)), cow = count(if(cow, 1))"},
    /* Merged Laplace traces: the references of each process, and of each mapped file or region. */
    {.format = "laplace-merge",
     .name = "process",
     .row = "pid",
     .title = "Memory references by process; distinct pages, wherever they are mapped",
     .test = "page?",
     .keys = "pid",
     .sort = "-references",
     .columns = REFERENCES ", pages = distinct(page), written = distinct(if(w, page)), "
			   "anon = distinct(if(region = anon, page))"},
    {.format = "laplace-merge",
     .name = "mapped",
     .row = "file or region",
     .title = "Memory references by what is mapped there; distinct pages; processes",
     .test = "page?",
     .keys = "file|region",
     .sort = "-references",
     .columns = REFERENCES ", pages = distinct(page), written = distinct(if(w, page)), "
			   "processes = distinct(pid)"},

    /* ovni: how long threads are in states; how long each thread runs. */
    {.format = "ovni",
     .name = "state",
     .row = "state",
     .title =
	 "Time in states, from an enter to its leave in the same thread, the longest first",
     .keys = SPEC_STATE,
     .overlap = true,
     .sort = "-time",
     .columns = "entered = sum(.enter), time = sum(.inside), mean = mean(.inside), "
		"greatest = max(.inside), unpaired = entered - count(.inside), "
		"threads = distinct(loc)"},
    {.format = "ovni",
     .name = "thread",
     .row = "thread",
     .title = "Threads, the busiest first: first to last event, share of it executing",
     .keys = "loc",
     .sort = "-events",
     .columns = "events = count, first = min(time), last = max(time), "
		"executing = sum(if(OH*, .inside)), %share = executing / span"},

    /* DUMPI: which calls take time, and their bytes; which rank waits. */
    {.format = "dumpi",
     .name = "mpi",
     .row = "call",
     .title = "Time in MPI by call, the longest first; unknown: calls of unknown bytes",
     .keys = "event",
     .sort = "-time",
     .columns = "calls = count, time = sum(dur), %share = share(dur), "
		"mean = mean(dur), " SENT ", " RECEIVED ", unknown = " UNKNOWN},
    {.format = "dumpi",
     .name = "rank",
     .row = "rank",
     .title =
	 "Ranks, the longest in MPI first: time in MPI, its share of the rank's span;\n"
	 "waits (MPI_Wait*): their share of that time, and of the span;\n"
	 "messages sent (Sendrecv and Start are too); bytes of all calls",
     .keys = "loc",
     .sort = "-time",
     .columns =
	 "calls = count, time = sum(dur), %share = time / span, "
	 "%waits_of_mpi = coalesce(sum(if(MPI_Wait*, dur)), 0) / time, "
	 "%waits_of_span = sum(if(MPI_Wait*, dur)) / span, "
	 "messages = count(if(" SENDS ", 1)), " SENT ", " RECEIVED ", unknown = " UNKNOWN},
    {.format = "dumpi",
     .same = true,
     .keys = "",
     .columns = SENT ", " RECEIVED ", calls_of_unknown_bytes = " UNKNOWN},

    /* CHARISMA: the tables of its papers. */
    {.format = "charisma",
     .name = "request",
     .row = "request",
     .title = "Requests: those below 4 KiB, their share of the bytes",
     .test = "(read or write) and size?",
     .keys = "event",
     .columns = "requests = count, bytes = sum(size), mean = mean(size), "
		"%small = count(if(size < 4K, 1)) / count, "
		"%small_bytes = coalesce(sum(if(size < 4K, size)), 0) / bytes, "
		"sizes = distinct(size)"},
    {.format = "charisma",
     .name = "open",
     .row = "mode",
     .title = "Opens by mode",
     .test = "open",
     .keys = "open_flags",
     .sort = "-opens",
     .columns = "opens = count, files = distinct(file_id), clients = distinct(loc)"},
    {.format = "charisma",
     .name = "close",
     .row = "file size at",
     .title = "File sizes at close, in bytes",
     .test = "close",
     .keys = "event",
     .columns = "closes = count(file_size), " DISTRIBUTION("file_size")},
};

const struct format_query *
queries(size_t *n)
{
	*n = sizeof table / sizeof *table;
	return table;
}

/* Returns true if `word` is one of the words of a list. */
static bool
has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = list; *s; s += strcspn(s, " "), s += *s == ' ')
		if (strcspn(s, " ") == n && !memcmp(s, word, n))
			return true;
	return false;
}

bool
query_takes(const struct format_query *x, const char *format)
{
	return x->format ? has_word(x->format, format)
			 : !x->but || !has_word(x->but, format);
}

bool
query_more(const struct format_query *x)
{
	return x + 1 < table + sizeof table / sizeof *table && x[1].same;
}

size_t
query_spec(const struct format_query *x, struct spec *p, unsigned bits)
{
	struct buf b = {0};
	size_t n = 1;

	query_columns(&b, x);
	for (; query_more(x + n - 1); n++) {
		buf_str(&b, ", ");
		query_columns(&b, x + n);
	}
	buf_byte(&b, '\0');
	spec_parse(p, x->keys, (const char *)b.p, NULL, false, bits);
	p->when = x->test ? xstrdup(x->test) : NULL;
	buf_free(&b);
	return n;
}

/* Returns the k-th item of a list of columns. */
static const char *
item(const char *list, size_t k)
{
	for (; k; k--) {
		list += item_length(list);
		list += *list == ',';
	}
	return list + strspn(list, " ");
}

void
query_columns(struct buf *b, const struct format_query *x)
{
	for (const char *s = x->columns; *s; s += item_length(s), s += *s == ',') {
		buf_str(b, s > x->columns ? ", " : "");
		s += strspn(s, " ");
		s += *s == '%';
		buf_add(b, s, item_length(s));
	}
}

bool
query_percent(const struct format_query *x, size_t k)
{
	return *item(x->columns, k) == '%';
}

uint64_t
queries_version(void)
{
	uint64_t all = 0;

	for (const struct format_query *x = table; x < table + sizeof table / sizeof *table;
	     x++) {
		const char *const text[] = {x->format, x->but, x->test, x->keys,
					    x->columns};

		for (size_t i = 0; i < sizeof text / sizeof *text; i++)
			all = mix64(all ^ (text[i] ? hash64(text[i], strlen(text[i])) : i));
	}
	return all;
}
