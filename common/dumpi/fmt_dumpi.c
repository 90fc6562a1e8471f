/* fmt_dumpi.c - DUMPI: every MPI call of every rank. Opens a trace: the clock of all ranks, and metadata.
 * rank_open.c opens and ends one rank, records.c reads the records, make.c makes events of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"
#include "input/fault.h"
#include "mpi/mpi_calls.h"

/* Number of records of a rank, and of ranks, that are read before the first event, to choose the clock and to find
 * out if there are several threads. */
#define LOOK_RECORDS 4096
#define LOOK_RANKS 8

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

/* Reads the first records of a rank for its first times; with align, for the time of MPI_Init. If `decides`, the
 * rank's records also determine the clock, and if there are several threads. */
static void
look_ahead(struct dumpi *c, struct dumpi_rank *r, bool decides)
{
	const uint8_t *p = r->in->p, *at[2];
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
		dumpi_times(p, &at[1], &at[0]);
		for (int k = 0; k < 2; k++) {
			if (!at[k])
				continue;
			dumpi_clock(&sec[k], at[k], c->threads, &start, &dur);
			if (r->first[k] == INT64_MAX || (c->align && init))
				r->first[k] = start;
		}
		if (decides) {
			c->wall |= at[0] != NULL;
			c->cpu |= at[1] != NULL;
		}
		if (c->align && init)
			break;
	}
	/* Without an MPI_Init, count from the bias, which is the second in which the header was made. */
	if (c->align && !init)
		r->first[0] = 0;
}

/* Sets the origin of times: the earliest first time of all ranks, or with align the MPI_Init of each rank. */
static void
set_origin(struct source *s, struct dumpi *c)
{
	int64_t least = INT64_MAX;
	uint64_t began = UINT64_MAX;

	/* Times are not needed. */
	if (c->look) {
		source_clock(s, CLOCK_TICKS);
		return;
	}
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
		/* The time of an event is computed as (time since the bias) - shift. */
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
		/* Records before the first record with a time get its time. */
		if (r->first[!c->wall] != INT64_MAX)
			r->key =
			    (int64_t)((uint64_t)r->first[!c->wall] - (uint64_t)r->shift);
	}
}

struct to_head {
	struct source *s;
	const char *of; /* the rank, or the job; "" if there is only one */
	bool all;
};

static void
add_meta(void *arg, const char *section, const void *key, size_t nkey, const void *value,
	 size_t nvalue)
{
	struct to_head *to = arg;
	struct buf b = {0};
	size_t at;

	if (!to->all && !strcmp(section, "footer"))
		return;
	if (*to->of) {
		buf_add(&b, to->of, strlen(to->of));
		buf_byte(&b, '.');
	}
	buf_add(&b, section, strlen(section));
	buf_byte(&b, '.');
	buf_add(&b, key, nkey);
	buf_byte(&b, '\0');
	at = b.n;
	buf_add(&b, value, nvalue);
	buf_byte(&b, '\0');
	head_meta(&to->s->head, &to->s->meta, (char *)b.p, (char *)b.p + at);
	buf_free(&b);
}

/* Adds to the metadata the biases before the records, and the mask of the first record. A program that writes the
 * records again needs them. */
static void
add_body(struct to_head *to, const struct dumpi_rank *r)
{
	char text[48];
	int n;

	if (r->ended)
		return;
	n = snprintf(text, sizeof text, "%ld,%ld", (long)r->cpu_bias, (long)r->wall_bias);
	add_meta(to, "body", "bias", 4, text, (size_t)n);
	if (in_left(r->in) < 3 || be16(r->in->p) == DUMPI_END)
		return;
	n = snprintf(text, sizeof text, "0x%02x", r->in->p[2]);
	add_meta(to, "body", "mask", 4, text, (size_t)n);
}

/* Sets the metadata: all of the .meta files, and all sections of up to LOOK_RANKS ranks. With more ranks, sections
 * after the footer that equal the same section of the first rank appear only once, and counts of calls are
 * skipped. */
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
	if (c->look)
		return;
	to.all = c->nranks <= LOOK_RANKS;
	if (!to.all) {
		struct dumpi_sections first = c->rank->sec;

		first.raw[SEC_HEADER].n = first.raw[SEC_FOOTER].n = 0;
		to.of = "";
		dumpi_sections_each(&first, add_meta, &to);
		to.of = of;
	}
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_sections some = c->rank[i].sec;
		const struct buf *first = c->rank->sec.raw;

		of[c->nranks > 1 ? dumpi_rank_text(of, &c->jobs, &c->rank[i]) : 0] = '\0';
		add_body(&to, &c->rank[i]);
		for (unsigned k = SEC_KEYVAL; !to.all && k < SECTIONS; k++)
			if (some.raw[k].n && some.raw[k].n == first[k].n &&
			    !memcmp(some.raw[k].p, first[k].p, some.raw[k].n))
				some.raw[k].n = 0;
		dumpi_sections_each(&some, add_meta, &to);
	}
}

/* Declares the ranks to be streams, unless one is compressed: a stream must be readable more than once. */
static void
share_ranks(struct source *s, const struct dumpi *c)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < c->nranks; i++) {
		if (c->rank[i].unpacked)
			return;
		bytes += c->rank[i].file.size;
	}
	source_streams(s, c->nranks, bytes);
}

static void
dumpi_open(struct source *s)
{
	const struct dumpi_options *o = format_options(s->opt, s->fmt);
	struct dumpi *c = xcalloc(1, sizeof *c);
	struct head *h = &s->head;
	bool files = s->npaths && strcmp(s->paths[0], "-") != 0;
	size_t taken;

	if (o->rank >= 0 && (s->npaths > 1 || !s->in.buf)) {
		if (!s->opt->quiet)
			die("rank is for one file");
		s->trouble = true; /* a source that is not quiet reports this with die */
	}
	s->state = c;
	c->look = o->look;
	c->gpeer = o->gpeer || (s->need & NEED_PEERS && files);
	if (c->gpeer && !files)
		die("gpeer reads the trace twice: give files, not a pipe");
	/* gpeer= is computed from these parts of an event. */
	if (c->gpeer)
		s->need |= NEED_LOC | NEED_ARGS;
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
		dumpi_rank_place(s, c->rank);
		s->npaths = 1;
	}
	c->align = o->align;
	c->merged = c->nranks > 1 && s->need & NEED_ORDER && !o->serial;
	if (o->rank >= 0 && c->nranks == 1)
		c->rank->number = o->rank;
	for (size_t i = 0; i < c->nranks; i++)
		dumpi_rank_open(s, &c->rank[i]);
	if (!c->nranks &&
	    /* No message if all files belong to a .meta file, which is read elsewhere. */
	    c->jobs.n)
		fault(s, "dumpi-ranks", COST_STATUS, s->name, NOWHERE,
		      "found none of the ranks");
	h->nlocparts = 0;
	if (c->jobs.n > 1)
		h->locpart[h->nlocparts++] = "job";
	h->locpart[h->nlocparts++] = "rank";
	h->locpart[h->nlocparts++] = "thread";
	set_origin(s, c);
	set_meta(s, c);
	if (c->nranks == 1 && !c->rank->sec.loaded && !c->rank->ended)
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "the sections of a long pipe come too late: sizes and names of "
		      "functions and counters are unknown");
	c->peers = dumpi_peers_open(s);
	if (!c->merged && taken)
		share_ranks(s, c);
	dumpi_epoch(s, c);
}

static void
dumpi_close(struct source *s)
{
	struct dumpi *c = s->state;

	dumpi_bytes_close(c);
	dumpi_peers_close(c->peers);
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

/* Claims an empty file with the name of a rank: a run that died leaves one. Implements format_inputs.claims. */
static bool
dumpi_claims(struct source *s, bool last, char hint[256])
{
	(void)last;
	(void)hint;
	return s->in.eof && !s->in.err && !in_left(&s->in) && dumpi_rank_of(s->name) >= 0;
}

static const char *const origins[] = {"start", NULL};

static const struct format_option options[] = {
    {'s', "serial", NULL, "one rank or stream after the other, not by time",
     .at = offsetof(struct dumpi_options, serial)},
    {0, "gpeer", NULL, "with gpeer=: the peer's rank in MPI_COMM_WORLD",
     .at = offsetof(struct dumpi_options, gpeer)},
    {0, "rank", "N", "the rank of a file whose name does not tell",
     .at = offsetof(struct dumpi_options, rank), .most = INT32_MAX},
    {0, "align", "start", "what times count from",
     .at = offsetof(struct dumpi_options, align), .words = origins},
    {0, "sizes", "FILE", "sizes of MPI's datatypes: another rank's, or lp64",
     .at = offsetof(struct dumpi_options, sizes)},
    {0},
};

static const struct dumpi_options defaults = {.rank = -1};

const struct format fmt_dumpi = {
    .name = "dumpi",
    .about = "DUMPI: MPI calls, binary",
    .settings = &(const struct format_settings){options, &defaults, sizeof defaults},
    .open = dumpi_open,
    .next = dumpi_batch,
    .end = dumpi_bytes_end,
    .close = dumpi_close,
    .schema = &dumpi_schema,
    .inputs = &(const struct format_inputs){.index = ".meta",
					    .takes = dumpi_takes,
					    .claims = dumpi_claims,
					    .many = true,
					    .is_single = dumpi_takes},
};
