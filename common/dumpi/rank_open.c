/* rank_open.c - opens and ends a rank: the bytes before its body, the sections after it, the layout of its
 * records; at the end compares the sections with the records. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumpi/make.h"
#include "input/fault.h"

/* The newest known version. */
#define NEWEST 13

/* Reads the sections that the index names; with `follow`, the sections that come directly after the body. */
static void
read_sections(struct source *s, struct dumpi_rank *r, bool follow)
{
	struct dumpi_file f = r->file;
	const char *name = s->name;

	if (r->in == &s->in && f.fd < 0) { /* memory: use the bytes in the buffer */
		f.p = r->in->p;
		f.n = in_left(r->in);
		f.base = in_offset(r->in, r->in->p);
	} else if (f.fd < 0) {
		f.fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (f.fd < 0)
			return;
	}
	s->name = r->name;
	if (follow)
		dumpi_sections_follow(&r->sec, &f, r->end);
	else
		dumpi_sections_load(&r->sec, &f, s);
	s->name = name;
	if (f.fd >= 0 && f.fd != r->file.fd)
		close(f.fd);
}

static int
by_address(const void *a, const void *b)
{
	const struct dumpi_address *x = a, *y = b;

	/* Equal addresses stay in the order of the file: the first one counts. */
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void
load_addresses(struct dumpi_rank *r)
{
	struct dumpi_cur c = dumpi_cursor(&r->sec.raw[SEC_ADDRESSES]);
	uint32_t n = dumpi_u32(&c);

	FREE(r->address);
	r->naddress = 0;
	if (!n)
		return;
	r->address = xcalloc(n, sizeof *r->address);
	for (; r->naddress < n; r->naddress++) {
		struct dumpi_address *a = &r->address[r->naddress];
		struct span name;

		a->address = dumpi_u64(&c);
		name = dumpi_str16(&c);
		a->name = name.p;
		a->n = (uint32_t)name.n;
	}
	qsort(r->address, n, sizeof *r->address, by_address);
}

/* Returns the number of bytes in the buffer that are whole records in the layout l. *all becomes true if the next
 * record is merely cut off, or is the end mark of the body. */
static size_t
explains(const struct dumpi_layout *l, const struct in *in, bool *all)
{
	const uint8_t *p = in->p;
	struct dumpi_view v;
	int is;

	while ((is = dumpi_parse(l, p, (size_t)(in->end - p), &v)) == DUMPI_WHOLE)
		p += v.len;
	*all = is == DUMPI_STOP || (is == DUMPI_SHORT && v.need < DUMPI_LONGEST &&
				    ((size_t)(in->end - p) < DUMPI_QUICK || !in->eof));
	return (size_t)(p - in->p);
}

/* Chooses the layout of the records: the one of the header's version, if it explains all bytes in the buffer.
 * Otherwise the newest layout that does; if there is none, and no header, the one that explains most. */
static void
choose_layout(struct source *s, struct dumpi_rank *r)
{
	unsigned best = 0, told = DUMPI_LAYOUTS;
	bool known = r->sec.raw[SEC_HEADER].n > 0, all = false;
	size_t most = 0, n;

	if (known) {
		best = told = dumpi_layout_of(r->sec.version);
		most = explains(dumpi_layout(best), r->in, &all);
	}
	for (unsigned i = 0; i < DUMPI_LAYOUTS && !all; i++) {
		n = explains(dumpi_layout(i), r->in, &all);
		if (all || (!known && n > most)) {
			most = n;
			best = i;
		}
	}
	r->known = known && best == told;
	r->layout = dumpi_layout(best);
	if (known && best != told)
		fault(s, "dumpi-version", COST_STATUS, r->name, r->sec.off[SEC_HEADER],
		      "the header says version %u.%u.%u, but the records do not fit it",
		      r->sec.version[0], r->sec.version[1], r->sec.version[2]);
	if (r->known && r->sec.version[0] > NEWEST)
		fault(s, "dumpi-version", COST_NONE, r->name, NOWHERE,
		      "version %u.%u.%u is newer than %d, the newest known version",
		      r->sec.version[0], r->sec.version[1], r->sec.version[2], NEWEST);
}

/* Reads the bytes before the body. Returns false, with a message, if the file is not a DUMPI file. */
static bool
read_lead(struct source *s, struct dumpi_rank *r)
{
	struct in *in = r->in;
	bool magic;

	while (in_left(in) < DUMPI_RECORDS && dumpi_more(s, r))
		;
	magic = in_left(in) >= 8 && !memcmp(in->p, DUMPI_MAGIC, 8);
	if (magic && in_left(in) >= DUMPI_RECORDS) {
		r->cpu_bias = (int32_t)be32(in->p + 8);
		r->wall_bias = (int32_t)be32(in->p + 12);
		return true;
	}
	if (!in->err && !r->told)
		fault(s,
		      in_left(in) == 0 ? "dumpi-empty"
		      : magic	       ? "dumpi-torn"
				       : "dumpi-magic",
		      COST_STATUS, r->name, 0,
		      in_left(in) == 0 ? "the file is empty, as after a run that died"
		      : magic	       ? "the file ends before the first record"
			      : "this is no DUMPI file: it does not begin with the magic");
	r->ended = true;
	in->p = in->end;
	return false;
}

void
dumpi_rank_place(struct source *s, struct dumpi_rank *r)
{
	struct stat st;
	off_t at;

	r->file.fd = -1;
	r->file.size = UINT64_MAX;
	if (!s->opt->follow && s->in.fd >= 0 && fstat(s->in.fd, &st) == 0 &&
	    S_ISREG(st.st_mode) && (at = lseek(s->in.fd, 0, SEEK_CUR)) >= 0) {
		uint64_t start =
		    (uint64_t)at - (s->in.base + (uint64_t)(s->in.end - s->in.buf));

		r->file.fd = s->in.fd;
		r->file.base = start;
		r->file.size = (uint64_t)st.st_size - start;
	} else {
		/* A pipe that fits into the buffer is read like a file. */
		in_have(&s->in, s->in.cap);
		if (s->in.eof)
			r->file.size = in_left(&s->in);
	}
}

/* Sets the limit of the body by the sections that were read, so that no byte after the body is read as a record. */
static void
set_limit(struct source *s, struct dumpi_rank *r)
{
	uint64_t limit = dumpi_sections_limit(&r->sec);
	struct in *in = r->in;
	size_t beyond;

	r->limit = limit < r->file.size ? limit : r->file.size;
	if (in_offset(in, in->end) > r->limit) {
		beyond = (size_t)(in_offset(in, in->end) - r->limit);
		in->end -= beyond;
		/* A pipe cannot be read again: keep the bytes of its sections after the end of the buffer. */
		r->hidden = in == &s->in && r->file.fd < 0 ? beyond : 0;
	}
	if (in == &s->in && r->limit < r->file.size)
		in->left = r->limit - in_offset(in, in->end);
}

void
dumpi_rank_open(struct source *s, struct dumpi_rank *r)
{
	if (!read_lead(s, r))
		return;
	if (r->file.size != UINT64_MAX) {
		read_sections(s, r, false);
		set_limit(s, r);
	}
	r->in->p += DUMPI_RECORDS;
	/* Fill the buffer, so that decisions by the first records do not depend on the size of reads. */
	if (r->in == &s->in)
		in_have(r->in, r->in->cap);
	else
		while (in_left(r->in) < r->in->cap && dumpi_more(s, r))
			;
	/* With `look`, the layout is copied from the source that needs the look. */
	if (!((struct dumpi *)s->state)->look)
		choose_layout(s, r);
	if (s->need & NEED_ARGS)
		load_addresses(r);
	dumpi_bytes_open(s, s->state, r);
}

/* Compares the footer's counts of calls with the decoded records, and reports differences. */
static void
compare_footer(struct source *s, const struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_FOOTER];

	if (!raw->n)
		return;
	for (unsigned i = 0; i < DUMPI_COUNTED - 1; i++) {
		uint32_t called = be32(raw->p + 8 + 4 * (size_t)i);
		uint32_t ignored = be32(raw->p + 8 + 4 * ((size_t)i + DUMPI_COUNTED));

		if (called < ignored)
			fault(s, "dumpi-footer-count", COST_STATUS, r->name, r->end,
			      "%s: the footer says that %u of %u calls were not "
			      "recorded; %u were read",
			      dumpi_calls[i].name, ignored, called, r->count[i]);
		else if (called - ignored != r->count[i])
			fault(s, "dumpi-footer-count", COST_STATUS, r->name, r->end,
			      "%s: the footer counts %u records, %u were read",
			      dumpi_calls[i].name, called - ignored, r->count[i]);
	}
}

void
dumpi_finish(struct source *s, struct dumpi_rank *r)
{
	bool pipe = r->in == &s->in && r->file.fd < 0;

	/* The sections of a pipe are read now, if they fit into the buffer. The sections of a file that is
	 * followed may not be written yet. */
	if (pipe && !r->sec.loaded && r->whole && !s->opt->follow) {
		in_need(r->in, DUMPI_LONGEST);
		r->file.size = in_offset(r->in, r->in->end);
		if (r->in->eof)
			read_sections(s, r, false);
		else
			fault(s, "dumpi-sections", COST_STATUS, r->name, r->end,
			      "more than %u bytes follow the body", DUMPI_LONGEST);
	}
	if (r->whole && r->sec.raw[SEC_HEADER].n && r->sec.off[SEC_HEADER] &&
	    r->sec.off[SEC_HEADER] != r->end) {
		fault(s, "dumpi-sections", COST_STATUS, r->name, r->end,
		      "the body ends here, but the index says that the header begins at "
		      "offset %llu",
		      (unsigned long long)r->sec.off[SEC_HEADER]);
		buf_free(&r->sec.raw[SEC_HEADER]);
	}
	if (r->untimed && ((struct dumpi *)s->state)->clock != CLOCK_IS_NUMBER)
		fault(s, NULL, COST_NONE, r->name, NOWHERE,
		      "%llu record%s no %s time; each is placed at the return of the "
		      "previous call",
		      (unsigned long long)r->untimed, r->untimed == 1 ? " has" : "s have",
		      ((struct dumpi *)s->state)->wall ? "wall" : "CPU");
	if (r->whole &&
	    (!r->sec.raw[SEC_HEADER].n || !r->sec.raw[SEC_FOOTER].n || r->sec.broken))
		read_sections(s, r, true);
	if (r->sec.raw[SEC_HEADER].n && !r->known &&
	    dumpi_layout_of(r->sec.version) != r->layout->index)
		fault(s, "dumpi-version", COST_STATUS, r->name, r->end,
		      "the header says version %u.%u.%u, but the records were read as "
		      "another version: some may be wrong",
		      r->sec.version[0], r->sec.version[1], r->sec.version[2]);
	compare_footer(s, r);
}
