/* rate.h - what is counted of the kind rate (rate.c), and how it is drawn (rate_draw.c). */
#ifndef SPOOR_RATE_H
#define SPOOR_RATE_H

#include "trace-plot/plot.h"

/* Slots of bins: events of a name, with --spread in parts of 10^-9; behind it their bytes: the lower and the upper halves of sizes apart, so that no
 * sum of them is beyond 64 bits. */
enum {
	RATE_EVENTS,
	RATE_BYTES,
	RATE_HIGH,
	RATE_SUMS,
};

/* Bins that are kept, at most: half an hour of seconds fits, and becomes no coarser than five times less. */
#define RATE_BINS 4096u

/* Returns what a bin has of a name, whose sums are at `sum`: bytes, or events as they are in RATE_EVENTS. */
static inline struct i128
rate_amount(const uint64_t *sum, bool bytes)
{
	uint64_t high = sum[RATE_HIGH];
	struct i128 v = i128_u64(sum[bytes ? RATE_BYTES : RATE_EVENTS]);

	if (bytes)
		i128_add(v, (struct i128){high << 32, (int64_t)(high >> 32)}, &v);
	return v;
}
/* Returns the condition of events whose bytes count, of inputs with the traits f; NULL: all do. */
static inline const char *
rate_sent(const struct plot *p, const struct traits *f)
{
	return p->opts.sum ? NULL : f->sent;
}
/* A rate is a number per so many seconds. */
struct rate_per {
	const char *sign, *words;
	uint64_t seconds; /* 0: of a clock of ticks, sums of a column */
};

/* A panel: one of the two sums over time. */
struct rate_panel {
	bool bytes;
	enum measure_unit unit;
	struct rate_per per;
	const struct legend *legend;
	struct i128 total[COLOURS + 1]; /* by place in the legend */
	struct i128 all;
	uint64_t step; /* ns or ticks of a step; step i begins at (lo + i) * step */
	int64_t lo;
	uint32_t n;
	/* By step, by place in the legend: sums as if each step were whole, in 2^drop. */
	uint64_t *v;
	unsigned drop, fine;
	uint64_t greatest;    /* of v */
	uint64_t highest;     /* the rate of that */
	uint64_t least, most; /* of the axis, in 2^drop / 2^fine */
	bool log;
	uint64_t wide;	  /* of a column of the picture */
	uint32_t *column; /* the first step of each, and a->n */
	uint32_t ncolumns;
};

/* Makes the panels that there is something for, of bytes and of events, and the legend. Returns how many. Names have
 * one colour in both. rate_free frees a panel, legend_free the legend. */
unsigned rate_panels(struct rate_panel a[2], const struct plot *p, struct legend *l);
void rate_free(struct rate_panel *a);
/* Joins steps to columns that are wide enough to be seen within the frame. */
void rate_columns(struct rate_panel *a, const struct plot *p, const struct frame *f);
/* Returns where step i begins, from the first event on. */
uint64_t rate_begin_of(const struct rate_panel *a, const struct plot *p, uint32_t i);
/* Returns v in a time of `span` as a rate; of ticks, v. */
uint64_t rate_of(const struct rate_panel *a, struct i128 v, uint64_t span);
/* Returns the sum of a step that stands in a->v. */
struct i128 rate_number(const struct rate_panel *a, uint64_t v);
/* Return a rate as a number of the axis, and a number of the axis as a rate. */
uint64_t rate_axis(const struct rate_panel *a, struct plot_limit rate);
uint64_t rate_at(const struct rate_panel *a, uint64_t q);
void rate_svg(struct plot *p, struct buf *b);
void rate_terminal(struct plot *p, struct screen *t);

#endif
