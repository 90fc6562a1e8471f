/*
 * fmt_dumpi.c - DUMPI: every MPI call of every rank. Opening, and what the end tells.
 * dumpi_records.c reads the records, dumpi_make.c makes events of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumpi/dumpi_make.h"
#include "input/fault.h"

/* So many records of a rank are looked at before the first event: for the kind of clock,
 * and whether there are several threads; in so many ranks. */
#define LOOK_RECORDS 4096
#define LOOK_RANKS 8
/* The newest version that this was written for. */
#define NEWEST 13

static int
dumpi_sniff(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 8 && !memcmp(p, DUMPI_MAGIC, 8) ? 100 : 0;
}

size_t
dumpi_nranks(const struct source *s)
{
	return ((const struct dumpi *)s->state)->nranks;
}

struct dumpi_rank *
dumpi_rank(const struct source *s, size_t i)
{
	return &((const struct dumpi *)s->state)->rank[i];
}

const struct dumpi_jobs *
dumpi_jobs(const struct source *s)
{
	return &((const struct dumpi *)s->state)->jobs;
}

/* The file for reading sections: with a descriptor, where the rank keeps none. */
static struct dumpi_file
file_of(struct dumpi_rank *r, const struct source *s)
{
	struct dumpi_file f = r->file;

	if (r->in == &s->in && f.fd < 0) { /* memory: what is in the buffer */
		f.p = r->in->p;
		f.n = in_left(r->in);
		f.base = in_offset(r->in, r->in->p);
	} else if (f.fd < 0) {
		f.fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	}
	return f;
}

static void
load_sections(struct source *s, struct dumpi_rank *r)
{
	struct dumpi_file f = file_of(r, s);
	const char *name = s->name;

	s->name = r->name;
	if (f.fd >= 0 || r->in == &s->in)
		dumpi_sections_load(&r->sec, &f, s);
	s->name = name;
	if (f.fd >= 0 && f.fd != r->file.fd)
		close(f.fd);
}

static int
by_address(const void *a, const void *b)
{
	const struct dumpi_address *x = a, *y = b;

	/* Of equal addresses the one that stands first in the file is taken. */
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void
load_addresses(struct dumpi_rank *r)
{
	const struct buf *raw = &r->sec.raw[SEC_ADDRESSES];
	struct dumpi_cur c = dumpi_cursor(raw);
	uint32_t n;

	free(r->address);
	r->address = NULL;
	r->naddress = 0;
	if (!raw->n || !(n = dumpi_u32(&c)))
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

/*
 * How far a layout explains what is in the buffer: the offset of the first record that it
 * does not. *all: that record is merely cut off, or it is the body's end.
 */
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

/*
 * The layout of the header's version. Without a header, or where it is not where the index
 * says and may tell anything: the newest that explains all of the buffer; else, where
 * nothing is known, the one that explains most.
 */
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

/* The bytes in front of the body. False where it is no such file. */
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
	if (!in->err)
		fault(s, NULL, COST_STATUS, r->name, 0,
		      in_left(in) == 0 ? "the file is empty, as after a run that died"
		      : magic	       ? "the file ends before the first record"
			      : "this is no DUMPI file: it does not begin with the magic");
	r->ended = true;
	in->p = in->end;
	return false;
}

/* The source's own input: where it can be sought, and how long it is. */
static void
place_file(struct source *s, struct dumpi_rank *r)
{
	struct stat st;
	off_t at;

	r->file.fd = -1;
	r->file.size = UINT64_MAX;
	if (s->in.fd >= 0 && fstat(s->in.fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (at = lseek(s->in.fd, 0, SEEK_CUR)) >= 0) {
		uint64_t start =
		    (uint64_t)at - (s->in.base + (uint64_t)(s->in.end - s->in.buf));

		r->file.fd = s->in.fd;
		r->file.base = start;
		r->file.size = (uint64_t)st.st_size - start;
	} else {
		/* A pipe that fits into the buffer is as good as a file. */
		in_need(&s->in, s->in.cap);
		if (s->in.eof)
			r->file.size = in_left(&s->in);
	}
}

/* The sections are there: nothing behind the body is read as a record. */
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
		/* What cannot be read again is hidden. */
		r->hidden = in == &s->in && r->file.fd < 0 ? beyond : 0;
	}
	if (in == &s->in && r->limit < r->file.size)
		in->left = r->limit - in_offset(in, in->end);
}

static void
open_rank(struct source *s, struct dumpi_rank *r)
{
	unsigned need = s->need;

	if (!read_lead(s, r))
		return;
	if (r->file.size != UINT64_MAX) {
		load_sections(s, r);
		set_limit(s, r);
	}
	r->in->p += DUMPI_RECORDS;
	/* What is decided by the first records must not hang on how much one read gives. */
	while (in_left(r->in) < r->in->cap && dumpi_more(s, r))
		;
	choose_layout(s, r);
	if (need & NEED_ARGS)
		load_addresses(r);
	dumpi_bytes_open(s, s->state, r);
}

/*
 * Looks at a rank's first records: their masks, the first times; aligned, MPI_Init's. The
 * first ranks decide for all which clock it is, and whether there are several threads.
 */
static void
look_ahead(struct dumpi *c, struct dumpi_rank *r, bool decides)
{
	const uint8_t *p = r->in->p, *q;
	int64_t sec[2] = {0, 0}, start, dur;
	struct dumpi_view v;
	bool init = false;

	r->first[0] = r->first[1] = INT64_MAX;
	for (unsigned i = 0; i < LOOK_RECORDS; i++, p += v.len) {
		if (dumpi_parse(r->layout, p, (size_t)(r->in->end - p), &v) !=
			DUMPI_WHOLE ||
		    (!decides && !c->align && r->first[!c->wall] != INT64_MAX))
			break;
		init = v.call == 124 || v.call == 171;
		c->threads |= decides && v.mask & MASK_THREAD && be16(p + 3) != 0;
		for (int k = 0; k < 2; k++) {
			q = k ? v.cpu : v.wall;
			if (!q)
				continue;
			dumpi_clock(&sec[k], q, c->threads, &start, &dur);
			if (r->first[k] == INT64_MAX || (c->align && init))
				r->first[k] = start;
		}
		if (decides) {
			c->wall |= v.wall != NULL;
			c->cpu |= v.cpu != NULL;
		}
		if (c->align && init)
			break;
	}
	/* Without it: the bias is the second at which the header was made. */
	if (c->align && !init)
		r->first[0] = 0;
}

/* The origin: the least of the first times, or, aligned, MPI_Init of each rank. */
static void
set_origin(struct source *s, struct dumpi *c)
{
	int64_t least = INT64_MAX;
	uint64_t began = UINT64_MAX;

	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		if (!r->ended)
			look_ahead(c, r, i < LOOK_RANKS);
	}
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];
		const struct buf *h = &r->sec.raw[SEC_HEADER];

		if (r->ended)
			continue;
		r->shift = r->first[!c->wall];
		if (r->shift == INT64_MAX)
			r->shift = 0;
		/* Times are made as (seconds since the bias) - shift. */
		r->shift =
		    (int64_t)((uint64_t)r->shift +
			      (uint64_t)(int64_t)(c->wall ? r->wall_bias : r->cpu_bias) *
				  1000000000u);
		if (r->shift < least)
			least = r->shift;
		if (h->n && be64(h->p + 3) < began)
			began = be64(h->p + 3);
	}
	if (least == INT64_MAX)
		least = 0;
	c->clock = c->wall ? CLOCK_IS_WALL : c->cpu ? CLOCK_IS_CPU : CLOCK_IS_NUMBER;
	source_clock(s, c->clock == CLOCK_IS_NUMBER ? CLOCK_TICKS : CLOCK_NS);
	if (c->clock == CLOCK_IS_NUMBER) {
		head_meta(&s->head, &s->meta, "clock", "records: no times were recorded");
		return;
	}
	if (c->clock == CLOCK_IS_CPU)
		head_meta(&s->head, &s->meta, "clock",
			  "cpu time: no wall clock was recorded");
	s->head.origin = least;
	if (c->align)
		s->head.origin = began < (uint64_t)INT64_MAX / 1000000000
				     ? (int64_t)began * 1000000000
				     : 0;
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];
		int64_t bias = c->wall ? r->wall_bias : r->cpu_bias;

		r->shift = (c->align ? r->shift : least) - bias * 1000000000;
		r->threads = c->threads;
		/* Records that come before the first one with a time have that. */
		if (r->first[!c->wall] != INT64_MAX)
			r->key =
			    (int64_t)((uint64_t)r->first[!c->wall] - (uint64_t)r->shift);
	}
}

struct to_head {
	struct source *s;
	const char *of; /* the rank, or the job; "" where there is only one */
	bool all;
};

static void
add_meta(void *arg, const char *section, const void *key, size_t nkey, const void *value,
	 size_t nvalue)
{
	struct to_head *to = arg;
	struct buf b = {0};
	char *v;

	if (!to->all && strcmp(section, "header") != 0)
		return;
	if (*to->of) {
		buf_add(&b, to->of, strlen(to->of));
		buf_add(&b, ".", 1);
	}
	buf_add(&b, section, strlen(section));
	buf_add(&b, ".", 1);
	buf_add(&b, key, nkey);
	buf_add(&b, "", 1);
	v = xcalloc(1, nvalue + 1);
	if (nvalue)
		memcpy(v, value, nvalue);
	head_meta(&to->s->head, &to->s->meta, (char *)b.p, v);
	free(v);
	buf_free(&b);
}

/* Metadata: all of the .meta files; the sections, all of them of up to LOOK_RANKS ranks,
 * else the headers only. */
static void
set_meta(struct source *s, struct dumpi *c)
{
	char of[DUMPI_RANK_TEXT + 1] = "";
	struct to_head to = {s, of, true};

	for (size_t i = 0; i < c->jobs.n; i++) {
		const struct dumpi_job *j = &c->jobs.v[i];

		if (c->jobs.n > 1) {
			to.of = "";
			snprintf(of, sizeof of, "%zu", i);
			add_meta(&to, "job", of, strlen(of), j->name, strlen(j->name));
			to.of = of;
		}
		for (size_t k = 0; k < j->meta.n; k++)
			add_meta(&to, "meta", j->meta.pair[k].key,
				 strlen(j->meta.pair[k].key), j->meta.pair[k].value,
				 strlen(j->meta.pair[k].value));
	}
	to.of = of;
	to.all = c->nranks <= LOOK_RANKS;
	for (size_t i = 0; i < c->nranks; i++) {
		of[c->nranks > 1 ? dumpi_rank_text(of, &c->jobs, &c->rank[i]) : 0] = '\0';
		dumpi_sections_each(&c->rank[i].sec, add_meta, &to);
	}
}

static void
name_loc(struct head *h, const struct dumpi *c)
{
	h->nlocparts = 0;
	if (c->jobs.n > 1)
		h->locpart[h->nlocparts++] = "job";
	h->locpart[h->nlocparts++] = "rank";
	h->locpart[h->nlocparts++] = "thread";
}

static void
dumpi_open(struct source *s)
{
	const struct dumpi_options *o = format_options(s->opt, s->fmt);
	struct dumpi *c = xcalloc(1, sizeof *c);
	size_t taken;

	if (o->rank >= 0 && (s->npaths > 1 || !s->in.buf))
		die("rank is for one file");
	s->state = c;
	dumpi_table();
	dumpi_bytes_begin(s, c);
	taken = dumpi_ranks_open(s, &c->rank, &c->nranks, &c->jobs);
	if (taken) {
		s->npaths = taken;
	} else {
		c->rank = xcalloc(1, sizeof *c->rank);
		c->nranks = 1;
		c->rank->name = s->name;
		c->rank->in = &s->in;
		c->rank->number = dumpi_rank_of(s->name);
		c->rank->limit = UINT64_MAX;
		place_file(s, c->rank);
		s->npaths = 1;
	}
	c->align = o->align;
	c->merged = c->nranks > 1 && s->need & NEED_ORDER && !o->serial;
	if (o->rank >= 0 && c->nranks == 1)
		c->rank->number = o->rank;
	for (size_t i = 0; i < c->nranks; i++)
		open_rank(s, &c->rank[i]);
	if (!c->nranks)
		fault(s, "dumpi-ranks", COST_STATUS, s->name, NOWHERE,
		      "none of its ranks was found");
	name_loc(&s->head, c);
	set_origin(s, c);
	set_meta(s, c);
	if (c->nranks == 1 && !c->rank->sec.loaded && !c->rank->ended)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "a long pipe has its sections too late, at the end: sizes in bytes "
		      "and names of functions and counters are unknown");
	dumpi_epoch(s, c);
}

/* The footer's counts against what was decoded. */
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
	struct dumpi_file f;

	/* The sections of a pipe are read now: what does not fit is left. */
	if (pipe && !r->sec.loaded && r->whole) {
		in_need(r->in, DUMPI_LONGEST);
		r->file.size = in_offset(r->in, r->in->end);
		if (r->in->eof)
			load_sections(s, r);
		else
			fault(s, "dumpi-sections", COST_STATUS, r->name, r->end,
			      "more than %u bytes follow the body", DUMPI_LONGEST);
	}
	if (r->whole && r->sec.raw[SEC_HEADER].n && r->sec.off[SEC_HEADER] &&
	    r->sec.off[SEC_HEADER] != r->end) {
		fault(s, "dumpi-index-order", COST_STATUS, r->name, r->end,
		      "the body ends here, but the index says that the header begins at "
		      "offset %llu",
		      (unsigned long long)r->sec.off[SEC_HEADER]);
		buf_free(&r->sec.raw[SEC_HEADER]);
	}
	if (r->untimed && ((struct dumpi *)s->state)->clock != CLOCK_IS_NUMBER)
		fault(s, NULL, COST_NONE, r->name, NOWHERE,
		      "records without %s time: %llu, each is placed where the call before "
		      "it returned",
		      ((struct dumpi *)s->state)->wall ? "wall" : "CPU",
		      (unsigned long long)r->untimed);
	if (r->whole &&
	    (!r->sec.raw[SEC_HEADER].n || !r->sec.raw[SEC_FOOTER].n || r->sec.broken)) {
		f = file_of(r, s);
		if (f.fd >= 0 || r->in == &s->in)
			dumpi_sections_follow(&r->sec, &f, r->end);
		if (f.fd >= 0 && f.fd != r->file.fd)
			close(f.fd);
	}
	if (r->sec.raw[SEC_HEADER].n && !r->known &&
	    dumpi_layout_of(r->sec.version) != r->layout->index)
		fault(s, "dumpi-version", COST_STATUS, r->name, r->end,
		      "the header says version %u.%u.%u, but the records were read as of "
		      "another version: some may be wrong",
		      r->sec.version[0], r->sec.version[1], r->sec.version[2]);
	compare_footer(s, r);
}

static void
dumpi_close(struct source *s)
{
	struct dumpi *c = s->state;

	dumpi_bytes_close(c);
	for (size_t i = 0; i < c->nranks; i++)
		dumpi_rank_close(&c->rank[i]);
	free(c->rank);
	dumpi_jobs_free(&c->jobs);
	dumpi_makers_free(c);
	free(c->taken);
	free(c->key);
	merge_free(&c->merge);
	free(c);
}

static const char *const origins[] = {"start", NULL};

static const struct format_option options[] = {
    {'s', "serial", NULL, "rank after rank, not merged by time",
     .at = offsetof(struct dumpi_options, serial)},
    {0, "rank", "N", "the rank of a file whose name does not tell",
     .at = offsetof(struct dumpi_options, rank), .most = INT32_MAX},
    {0, "align", "start", "times count from each rank's own MPI_Init",
     .at = offsetof(struct dumpi_options, align), .words = origins},
    {0, "sizes", "FILE", "sizes of MPI's datatypes: another rank's, or lp64",
     .at = offsetof(struct dumpi_options, sizes)},
    {0},
};

static const struct dumpi_options defaults = {.rank = -1};

const struct format fmt_dumpi = {
    .name = "dumpi",
    .about = "DUMPI: MPI calls, binary",
    .options = options,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .many = true,
    .received = true,
    .native = true,
    .sniff = dumpi_sniff,
    .takes = dumpi_takes,
    .open = dumpi_open,
    .next = dumpi_batch,
    .end = dumpi_bytes_end,
    .close = dumpi_close,
    .native_begin = dumpi_native_begin,
    .native_put = dumpi_native_put,
    .native_end = dumpi_native_end,
    .schema = &dumpi_schema,
};
