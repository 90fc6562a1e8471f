/* extra_table.c - the sections of the report that a format has for itself. */
#include <limits.h>

#include "mpi/calls.h"
#include "stats/extra.h"

#define ALL EXTRA_EVENTS

/* A cell for programs, for people: values of a field, of events that `when` is true for. */
#define CELL(name, heading, show, field, when)                                 \
	{                                                                      \
		name, heading, SHOW_##show, {field, when}, {NULL, NULL}, false \
	}
/* The same beside values of another field, or of the same one, of all events. */
#define OVER(name, heading, show, field, when, whole)                           \
	{                                                                       \
		name, heading, SHOW_##show, {field, when}, {whole, NULL}, false \
	}
/* The sum of values of a field and of those of another one. */
#define BOTH(name, heading, field, when, field2, when2)                         \
	{                                                                       \
		name, heading, SHOW_BOTH, {field, when}, {field2, when2}, false \
	}
/* What is counted of keys or files. */
#define KEYS(name, heading, show)                                             \
	{                                                                     \
		name, heading, SHOW_##show, {NULL, NULL}, {NULL, NULL}, false \
	}

#define SPREAD(section, heading, field)                                            \
	{                                                                          \
		.name = section, .row = "event", .title = heading, .key = "event", \
		.most = EVERY, .some = true,                                       \
		.cell = {CELL("least", "least", LEAST, field, NULL),               \
			 CELL("p50", "p50", P50, field, NULL),                     \
			 CELL("mean", "mean", MEAN, field, NULL),                  \
			 CELL("p90", "p90", P90, field, NULL),                     \
			 CELL("p99", "p99", P99, field, NULL),                     \
			 CELL("greatest", "greatest", GREATEST, field, NULL)},     \
	}
#define EVERY UINT_MAX

static const struct extra general[] = {
    {.name = "event",
     .row = "event",
     .title = "",
     .key = "event",
     .overlap = true,
     .most = EVERY,
     .bar = 2,
     .cell = {CELL("count", "count", COUNT, ALL, NULL),
	      CELL("share", "share", PART_ALL, ALL, NULL),
	      CELL("bytes", "bytes", SUM, "size", NULL),
	      CELL("share_of_bytes", "share", PART_ALL, "size", NULL)}},
    SPREAD("size", "Sizes, in bytes", "size"),
    SPREAD("dur", "Durations", "dur"),
    SPREAD("gap", "Gaps between arrivals", "gap"),
    {.name = "ties",
     .row = "event",
     .title = "Events at the time of the event before",
     .key = "event",
     .most = EVERY,
     .some = true,
     .cell = {CELL("gaps", "gaps", COUNT, "gap", NULL),
	      CELL("ties", "ties", TIES, "gap", NULL),
	      CELL("share", "share", TIED, "gap", NULL),
	      CELL("least", "least gap not 0", ABOVE, "gap", NULL)}},
    {.name = "location",
     .table = REPORT_LOC,
     .row = "location",
     .title = "The locations",
     .key = "loc",
     .overlap = true,
     .sort = 1,
     .most = 10,
     .bar = 2,
     .cell = {CELL("count", "count", COUNT, ALL, NULL),
	      CELL("share", "share", PART_ALL, ALL, NULL),
	      CELL("bytes", "bytes", ADDED, "size", NULL),
	      CELL("share_of_bytes", "share", PART_ALL, "size", NULL)}},
};

/* DUMPI: messages between two ranks, and all that sends or receives. A size is what a call
 * sends, or, of one that only receives, that; posted receives move nothing. */
#define SENDS MPI_SENDS
#define RECEIVES "MPI_Recv or MPI_Wait* or MPI_Test*"
#define SENDS_ALL                                                                 \
	SENDS " or MPI_Bcast or MPI_*ather* or MPI_*catter* or MPI_Alltoall* or " \
	      "MPI_*educe or MPI_*can or MPI_Put or MPI_Accumulate"
#define RECEIVES_ALL RECEIVES " or MPI_Get"
/* Calls that move bytes of which nothing tells how many, or how many are received. */
#define UNKNOWN                                                             \
	"not size? and not recv_bytes? and (MPI_Recv or " SENDS_ALL ") or " \
	"not recv_bytes? and (MPI_Sendrecv* or MPI_All[gtr]*)"

static const struct extra table[] = {
    /* SPC: spc-trace(5). An ASU's blocks are its own. */
    {.format = "spc",
     .name = "block",
     .row = "asu",
     .title = "Block I/O: begins where the one before ended; not aligned to 4 KiB;\n"
	      "distinct 4 KiB blocks",
     .sampled = " ",
     .key = "loc",
     .cell = {CELL("requests", "requests", COUNT, ".unaligned", NULL),
	      OVER("reads", "reads", SHARE, ALL, "R", ALL),
	      CELL("sequential", "sequential", MARKED, ".sequential", NULL),
	      CELL("unaligned", "unaligned", MARKED, ".unaligned", NULL),
	      CELL("footprint", "4K blocks touched", PAGES, ".pages", NULL)}},

    /* Laplace: the references of each address space; the kernel events of each process. */
    {.format = "laplace laplace-text",
     .name = "memory",
     .row = "space",
     .title = "Memory references by address space; distinct pages of 4 KiB",
     .sampled = "\n",
     .when = "(r or w or i) and addr? and size?",
     .key = "loc",
     .sort = 1,
     .cell = {CELL("references", "references", COUNT, ALL, NULL),
	      OVER("reads", "reads", SHARE, ALL, "r", ALL),
	      OVER("writes", "writes", SHARE, ALL, "w", ALL),
	      OVER("fetches", "fetches", SHARE, ALL, "i", ALL),
	      CELL("footprint", "pages", PAGES, ".pages", NULL),
	      CELL("written", "written", PAGES, ".pages", "w"),
	      CELL("fetched", "fetched", PAGES, ".pages", "i")}},
    {.format = "laplace laplace-text laplace-merge",
     .name = "kernel",
     .row = "pid",
     .title = "Kernel events by process, the busiest first: bytes read, written, mapped",
     .when = "not (r or w or i or end)",
     .key = "loc",
     .sort = 1,
     .cell = {CELL("events", "events", COUNT, ALL, NULL),
	      CELL("scheduled", "scheduled", COUNT, ALL, "schedule"),
	      CELL("read", "read", SUM, "size", "read"),
	      CELL("written", "written", SUM, "size", "write"),
	      CELL("mapped", "mapped", SUM, "size", "mmap or mmap-anon"),
	      CELL("unmapped", "unmapped", SUM, "size", "munmap"),
	      CELL("cow", "cow", COUNT, ALL, "cow")}},
    /* Laplace put together: the references of each process, and of what is mapped. */
    {.format = "laplace-merge",
     .name = "process",
     .row = "pid",
     .title = "Memory references by process; distinct pages, wherever they are mapped",
     .when = "page?",
     .key = "pid",
     .sort = 1,
     .cell = {CELL("references", "references", COUNT, ALL, NULL),
	      OVER("reads", "reads", SHARE, ALL, "r", ALL),
	      OVER("writes", "writes", SHARE, ALL, "w", ALL),
	      OVER("fetches", "fetches", SHARE, ALL, "i", ALL),
	      CELL("pages", "pages", DISTINCT, "page", NULL),
	      CELL("written", "written", DISTINCT, "page", "w"),
	      CELL("anon", "anonymous", DISTINCT, "page", "region = anon")}},
    {.format = "laplace-merge",
     .name = "mapped",
     .row = "file or region",
     .title = "Memory references by what is mapped there; distinct pages; processes",
     .when = "page?",
     .key = "file|region",
     .sort = 1,
     .cell = {CELL("references", "references", COUNT, ALL, NULL),
	      OVER("reads", "reads", SHARE, ALL, "r", ALL),
	      OVER("writes", "writes", SHARE, ALL, "w", ALL),
	      OVER("fetches", "fetches", SHARE, ALL, "i", ALL),
	      CELL("pages", "pages", DISTINCT, "page", NULL),
	      CELL("written", "written", DISTINCT, "page", "w"),
	      CELL("processes", "processes", DISTINCT, "pid", NULL)}},

    /* ovni: how long threads are in states; how much each thread runs. */
    {.format = "ovni",
     .name = "state",
     .row = "state",
     .title =
	 "Time in states, from an enter to its leave in the same thread, the longest first",
     .key = SPEC_STATE,
     .each = "loc",
     .overlap = true,
     .sort = 2,
     .cell = {CELL("entered", "entered", SUM, ".enter", NULL),
	      CELL("time", "time", SUM, ".inside", NULL),
	      CELL("mean", "mean", MEAN, ".inside", NULL),
	      CELL("greatest", "greatest", GREATEST, ".inside", NULL),
	      OVER("unpaired", "unpaired", REST, ".enter", NULL, ".inside"),
	      KEYS("threads", "threads", EACH)}},
    {.format = "ovni",
     .name = "thread",
     .row = "thread",
     .title = "Threads, the busiest first: first to last event, share of it executing",
     .key = "loc",
     .sort = 1,
     .cell = {CELL("events", "events", COUNT, "time", NULL),
	      CELL("first", "first", LEAST, "time", NULL),
	      CELL("last", "last", GREATEST, "time", NULL),
	      CELL("executing", "executing", SUM, ".inside", "OH*"),
	      OVER("share", "share", OF_SPAN, ".inside", "OH*", "time")}},

    /* DUMPI: where the time goes, and the bytes; which rank waits. */
    {.format = "dumpi",
     .name = "mpi",
     .row = "call",
     .title = "Time in MPI by call, the longest first",
     .key = "event",
     .sort = 2,
     .cell = {CELL("calls", "calls", COUNT, ALL, NULL),
	      CELL("time", "time", SUM, "dur", NULL),
	      CELL("share", "share", PART_ALL, "dur", NULL),
	      CELL("mean", "mean", MEAN, "dur", NULL),
	      CELL("sent", "sent", SUM, "size", SENDS_ALL),
	      BOTH("received", "received", "size", RECEIVES_ALL, "recv_bytes", NULL),
	      CELL("unknown", "unknown", COUNT, ALL, UNKNOWN)}},
    {.format = "dumpi",
     .name = "rank",
     .row = "rank",
     .title =
	 "Ranks, the longest in MPI first: time in MPI, its share of the rank's span;\n"
	 "waits (MPI_Wait*): their share of that time, and of the span;\n"
	 "messages sent (Sendrecv and Start are too), their bytes; bytes received",
     .key = "loc",
     .sort = 2,
     .cell = {CELL("calls", "calls", COUNT, ALL, NULL),
	      CELL("time", "time", SUM, "dur", NULL),
	      OVER("share", "share", OF_SPAN, "dur", NULL, "time"),
	      OVER("waits_of_mpi", "waits/MPI", PART, "dur", "MPI_Wait*", "dur"),
	      OVER("waits_of_span", "waits/span", OF_SPAN, "dur", "MPI_Wait*", "time"),
	      CELL("messages", "messages", COUNT, ALL, SENDS),
	      {"sent", "sent", SHOW_SUM, {"size", SENDS}, {NULL, NULL}, true},
	      {"received",
	       "received",
	       SHOW_BOTH,
	       {"size", RECEIVES},
	       {"recv_bytes", "MPI_Sendrecv*"},
	       true}}},

    /* CHARISMA: the tables of its papers. */
    {.format = "charisma",
     .name = "request",
     .row = "request",
     .title = "Requests: those below 4 KiB, their share of the bytes",
     .when = "(read or write) and size?",
     .key = "event",
     .cell = {CELL("requests", "requests", COUNT, "size", NULL),
	      CELL("bytes", "bytes", SUM, "size", NULL),
	      CELL("mean", "mean", MEAN, "size", NULL),
	      OVER("small", "below 4K", SHARE, "size", "size < 4K", "size"),
	      OVER("small_bytes", "of bytes", PART, "size", "size < 4K", "size"),
	      CELL("sizes", "sizes", DISTINCT, "size", NULL)}},
    {.format = "charisma",
     .name = "file",
     .row = "files",
     .title =
	 "Files by what was done to them. shared: by several nodes; later: requests after\n"
	 "another of the same node in the file; of these: above it, right behind its end;\n"
	 "files with one gap, one size",
     .when = "(read or write) and addr? and size? and arg.file? or open",
     .key = "arg.file|file_id",
     .each = "loc",
     .files = true,
     .cell = {KEYS("files", "files", FILES), KEYS("shared", "shared", SHARED),
	      KEYS("requests", "requests", REQUESTS), KEYS("later", "later", LATER),
	      KEYS("bytes", "bytes", FILE_BYTES), KEYS("sequential", "above", HIGHER),
	      KEYS("consecutive", "behind", BEHIND), KEYS("one_gap", "1 gap", ONE_GAP),
	      KEYS("one_size", "1 size", ONE_SIZE)}},
    {.format = "charisma",
     .name = "open",
     .row = "mode",
     .title = "Opens by mode",
     .when = "open",
     .key = "open_flags",
     .sort = 1,
     .cell = {CELL("opens", "opens", COUNT, ALL, NULL),
	      CELL("files", "files", DISTINCT, "file_id", NULL),
	      CELL("clients", "clients", DISTINCT, "loc", NULL)}},
    {.format = "charisma",
     .name = "close",
     .row = "file size at",
     .title = "File sizes at close, in bytes",
     .when = "close",
     .key = "event",
     .cell = {CELL("closes", "closes", COUNT, "file_size", NULL),
	      CELL("least", "least", LEAST, "file_size", NULL),
	      CELL("p50", "p50", P50, "file_size", NULL),
	      CELL("mean", "mean", MEAN, "file_size", NULL),
	      CELL("p99", "p99", P99, "file_size", NULL),
	      CELL("greatest", "greatest", GREATEST, "file_size", NULL)}},
};

const struct extra *
extra_general(size_t *n)
{
	*n = sizeof general / sizeof *general;
	return general;
}

const struct extra *
extra_table(size_t *n)
{
	_Static_assert(sizeof table / sizeof *table <= EXTRAS_MOST, "EXTRAS_MOST");
	*n = sizeof table / sizeof *table;
	return table;
}
