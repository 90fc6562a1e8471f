/* rate.h - what rate.c counts, and how rate_draw.c draws it. */
#ifndef SPOOR_RATE_H
#define SPOOR_RATE_H

#include "trace-plot/plot.h"

/* Slots of a name in a bin: events, with --spread in 10^-9, and bytes. The lower and the upper halves of sizes
 * are added up separately, so that no sum exceeds 64 bits. */
enum {
	RATE_EVENTS,
	RATE_BYTES,
	RATE_HIGH,
	RATE_SUMS,
};

/* Limit of bins. Half an hour of seconds fits, and a fold leaves at least a fifth of the bins. */
#define RATE_BINS 4096u

/* Returns the bytes of a name in a bin, whose sums are at `sum`, or its events as they are in RATE_EVENTS. */
static inline struct i128
rate_amount(const uint64_t *sum, bool bytes)
{
	uint64_t high = sum[RATE_HIGH];
	struct i128 v = i128_u64(sum[bytes ? RATE_BYTES : RATE_EVENTS]);

	if (bytes)
		i128_add(v, (struct i128){high << 32, (int64_t)(high >> 32)}, &v);
	return v;
}
/* Returns the condition of events whose bytes count, in inputs with the traits f; NULL if all count. */
static inline const char *
rate_sent(const struct plot *p, const struct traits *f)
{
	return p->opts.sum ? NULL : f->sent;
}
/* Unit of a rate: a number per so many seconds. */
struct rate_per {
	const char *sign, *words;
	uint64_t seconds; /* 0: the clock has ticks, and numbers are sums of a column */
};

/* A panel: bytes or events over time. */
struct rate_panel {
	bool bytes;
	enum measure_unit unit;
	struct rate_per per;
	const struct legend *legend;
	struct i128 total[COLOURS + 1]; /* by place in the legend */
	struct i128 all;
	/* length of a step in ns or ticks; step i begins at (lo + i) * step */
	uint64_t step;
	int64_t lo;
	uint32_t n;
	/* Sums in 2^drop, by step, then by place in the legend, as if each step were complete. */
	uint64_t *v;
	unsigned drop, fine;
	uint64_t greatest;    /* greatest of v */
	uint64_t highest;     /* `greatest` as a rate */
	uint64_t least, most; /* ends of the axis, in 2^drop / 2^fine */
	bool log;
	uint64_t wide;	  /* length of a column of the picture */
	uint32_t *column; /* first step of each column, and n at the end */
	uint32_t ncolumns;
};

/* Makes the panels of bytes and of events that are not empty, and their legend; names have one colour in both.
 * Returns the number of panels. */
unsigned rate_panels(struct rate_panel a[2], const struct plot *p, struct legend *l);
/* Joins steps to columns that are wide enough to be seen within the frame. */
void rate_columns(struct rate_panel *a, const struct plot *p, const struct frame *f);
/* Returns the begin of step i, counted from the first event. */
uint64_t rate_begin_of(const struct rate_panel *a, const struct plot *p, uint32_t i);
/* Returns v in a time of `span` as a rate; for a clock of ticks, v. */
uint64_t rate_of(const struct rate_panel *a, struct i128 v, uint64_t span);
/* Returns a rate as text, in the memory of draw_room(). */
#define rate_text(a, rate) scale_text((a)->unit, rate, (a)->per.sign)
/* Returns the sum that v, a number of a->v, stands for. */
struct i128 rate_number(const struct rate_panel *a, uint64_t v);
/* Returns a rate as a number of the axis. rate_at() returns a number of the axis as a rate. */
uint64_t rate_axis(const struct rate_panel *a, struct plot_limit rate);
uint64_t rate_at(const struct rate_panel *a, uint64_t q);
/* Implement plot_kind.svg and .terminal. */
void rate_svg(struct plot *p, struct buf *b);
void rate_terminal(struct plot *p, struct screen *t);

#endif
