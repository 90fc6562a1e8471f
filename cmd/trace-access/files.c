/* files.c - the sections with a row for each file. */
#include <stdlib.h>
#include <string.h>

#include "trace-access/access_blocks.h"
#include "trace-access/darshan.h"
#include "trace-access/access_sections.h"

static void
few_cell(struct section *s, const struct few *f)
{
	if (f->n > 4)
		section_text(s, "5+");
	else
		section_u64(s, f->n);
}

void
put_file(const struct access *x, struct section *s)
{
	uint32_t *order = access_file_order(x, s->people);

	for (uint32_t i = 0; i < x->nfiles && !section_full(s); i++) {
		const struct access_file *f = &x->file[order[i]];

		section_name(s, &x->files.v[order[i]]);
		section_text(s, class_name[file_class(f)]);
		section_numbers(s, f->nodes, f->requests, f->sequential, f->consecutive,
				f->bytes[0], f->bytes[1], f->later, f->opens);
		few_cell(s, &f->gaps);
		few_cell(s, &f->sizes);
		if (x->too_many) {
			section_cell(s);
			section_cell(s);
		} else {
			section_u64(s, f->touched);
			section_u64(s, f->shared);
		}
		section_u64(s, f->blocks);
		section_u64(s, f->shared_blocks);
		section_sample(s, x->blocks->level);
		section_row(s);
	}
	free(order);
}

static void
darshan_row(struct section *s, const struct darshan_values *v)
{
	for (unsigned k = 0; k < 2 * DARSHAN_COMMON; k++) {
		size_t i = k % DARSHAN_COMMON;
		bool none = i >= v->n || !v->v[i].n;

		section_u64(s, none ? 0 : k >= DARSHAN_COMMON ? v->v[i].n : v->v[i].v);
	}
}

/* Writes the variance of n numbers of 10^-decimals, from the sum of their squares and their sum. */
static void
put_variance(struct section *s, const struct wide *squares, const struct wide *sum,
	     uint32_t n, unsigned decimals)
{
	struct wide many = wide_u64(n), a = wide_mul(squares, &many),
		    b = wide_mul(sum, sum);

	/* (n * squares - sum^2) / n^2 */
	a = wide_sub(&a, &b);
	many = wide_mul(&many, &many);
	/* Bytes get six decimals; times have their own. */
	if (!decimals)
		a = wide_scale(a, 6);
	a = wide_div_round(&a, &many);
	cell_decimal(section_cell(s), &a, decimals ? 2 * decimals : 6);
}

static void
put_rank(struct section *s, const struct access *x, uint32_t flow)
{
	section_name(s, &x->names.v[x->flow[flow].node]);
	section_u64(s, x->flow[flow].bytes);
}

/* Writes the columns for files of several nodes. */
static void
put_ranks(struct section *s, const struct access *x, const struct darshan_ranks *r,
	  bool timed)
{
	if (r->n < 2 || !timed) {
		for (unsigned k = 0; k < 8; k++)
			section_cell(s);
		return;
	}
	put_rank(s, x, r->fastest);
	put_rank(s, x, r->slowest);
	section_time(s, x->flow[r->fastest].time);
	section_time(s, x->flow[r->slowest].time);
	put_variance(s, &r->square_time, &r->time, r->n, s->clock == CLOCK_NS ? 9 : 0);
	put_variance(s, &r->square_bytes, &r->bytes, r->n, 0);
}

static void
put_times(struct section *s, const struct darshan *d)
{
	for (unsigned w = 0; w < 2; w++) {
		if (d->any[w])
			section_moment(s, d->first[w]);
		else
			section_cell(s);
		if (d->timed[w]) {
			section_moment(s, d->last[w]);
			section_time(s, d->time[w]);
			section_time(s, d->longest[w]);
		} else
			for (unsigned k = 0; k < 3; k++)
				section_cell(s);
	}
}

static const char *const counters[] = {"OPENS",
				       "READS",
				       "WRITES",
				       "BYTES_READ",
				       "BYTES_WRITTEN",
				       "MAX_BYTE_READ",
				       "MAX_BYTE_WRITTEN",
				       "CONSEC_READS",
				       "CONSEC_WRITES",
				       "SEQ_READS",
				       "SEQ_WRITES",
				       "RW_SWITCHES",
				       "MEM_NOT_ALIGNED",
				       "FILE_NOT_ALIGNED",
				       "FILE_ALIGNMENT",
				       "MAX_READ_TIME_SIZE",
				       "MAX_WRITE_TIME_SIZE",
#define SIZES(way)                                                                  \
	"SIZE_" way "_0_100", "SIZE_" way "_100_1K", "SIZE_" way "_1K_10K",         \
	    "SIZE_" way "_10K_100K", "SIZE_" way "_100K_1M", "SIZE_" way "_1M_4M",  \
	    "SIZE_" way "_4M_10M", "SIZE_" way "_10M_100M", "SIZE_" way "_100M_1G", \
	    "SIZE_" way "_1G_PLUS"
				       SIZES("READ"),
				       SIZES("WRITE"),
#define COMMON(what)                                                                    \
	what "1_" what, what "2_" what, what "3_" what, what "4_" what, what "1_COUNT", \
	    what "2_COUNT", what "3_COUNT", what "4_COUNT"
				       COMMON("STRIDE"),
				       COMMON("ACCESS"),
				       "F_READ_START_TIMESTAMP",
				       "F_READ_END_TIMESTAMP",
				       "F_READ_TIME",
				       "F_MAX_READ_TIME",
				       "F_WRITE_START_TIMESTAMP",
				       "F_WRITE_END_TIMESTAMP",
				       "F_WRITE_TIME",
				       "F_MAX_WRITE_TIME",
				       NULL};
static const char *const of_ranks[] = {
    "FASTEST_RANK",	    "FASTEST_RANK_BYTES",    "SLOWEST_RANK",
    "SLOWEST_RANK_BYTES",   "F_FASTEST_RANK_TIME",   "F_SLOWEST_RANK_TIME",
    "F_VARIANCE_RANK_TIME", "F_VARIANCE_RANK_BYTES", NULL};

/* Writes the cells of `counters`, without the columns for ranks. */
static void
put_counters(struct section *s, const struct access *x, uint64_t opens, struct darshan *d)
{
	const uint64_t *pairs[] = {d->requests, d->bytes, d->max_byte, d->consecutive,
				   d->sequential};

	darshan_settle(&d->strides);
	darshan_settle(&d->accesses);
	section_u64(s, opens);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		for (unsigned w = 0; w < 2; w++)
			section_u64(s, pairs[i][w]);
	section_numbers(s, d->switches, d->mem_not_aligned, d->file_not_aligned,
			x->q.align);
	for (unsigned w = 0; w < 2; w++)
		section_u64(s, d->longest_size[w]);
	for (unsigned w = 0; w < 2; w++)
		for (unsigned k = 0; k < DARSHAN_SIZES; k++)
			section_u64(s, d->sizes[w][k]);
	darshan_row(s, &d->strides);
	darshan_row(s, &d->accesses);
	put_times(s, d);
}

/* Writes the counters of all files together, one in each row. */
static void
put_total(const struct access *x, struct section *s)
{
	struct darshan all = {0};
	uint64_t opens = 0;

	for (uint32_t i = 0; i < x->nfiles; i++) {
		opens += x->file[i].opens;
		if (x->file[i].darshan)
			darshan_add(x, &all, x->file[i].darshan);
	}
	section_columns(s, (const char *const[]){"counter", "value", NULL});
	s->names = counters;
	if (x->requests)
		put_counters(s, x, opens, &all);
	darshan_clear(&all);
}

void
put_darshan(const struct access *x, struct section *s)
{
	uint32_t *order;
	struct darshan_ranks *ranks;

	if (!s->alone) {
		put_total(x, s);
		return;
	}
	order = access_file_order(x, false);
	ranks = darshan_ranks(x);
	section_columns(s, (const char *const[]){"file", NULL});
	section_columns(s, counters);
	section_columns(s, of_ranks);
	section_head(s);
	for (uint32_t i = 0; i < x->nfiles; i++) {
		const struct access_file *f = &x->file[order[i]];

		if (!f->darshan)
			continue;
		section_name(s, &x->files.v[order[i]]);
		put_counters(s, x, f->opens, f->darshan);
		put_ranks(s, x, &ranks[order[i]],
			  f->darshan->timed[0] || f->darshan->timed[1]);
		section_row(s);
	}
	free(order);
	free(ranks);
}
