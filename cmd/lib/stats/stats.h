/*
 * stats.h - events by group, and the values kept for each group's fields.
 *
 * All values kept are whole numbers. Two tables (of threads, parts of a file, machines)
 * merge into exactly the table of one pass over both inputs. The exceptions are top and
 * mode past their limit, which the output marks.
 */
#ifndef SPOOR_STATS_H
#define SPOOR_STATS_H

#include "expr/exprs.h"
#include "stats/column.h"
#include "stats/keytab.h"
#include "stats/spec.h"

/*
 * Values that depend on the previous event of the same group: the gap between their times;
 * whether the previous request ended where this one begins; whether the previous event
 * entered the state that this one leaves. Within one input they are counted as events come.
 * If a file is read in parts, the first and the last event of each group in each part wait
 * until the neighbouring parts are read.
 */
struct chain {
	unsigned source; /* the input of the two, by its number; 0 = none */
	int64_t first, last;
	int64_t began; /* the time of the first event, where that is not `first` */
};

struct segment {
	uint32_t group, file, col;
	uint32_t seq;	     /* of .inside, a segment is an enter or a leave: its number */
	uint64_t begin, end; /* bytes of the file; end UINT64_MAX: to its end */
	int64_t first, last;
	int64_t began; /* the time of its first event, whose window a link belongs to */
};

/* A part of a file that was read. */
struct cover {
	uint32_t file;
	uint64_t begin, end;
};

struct stats {
	const struct spec *spec;
	/* Groups. */
	uint32_t ngroups;
	uint64_t *count; /* by group; one without events is not shown */
	size_t count_cap;
	/* nkeys numbers of values a group; of one key without windows, the group's own. */
	uint32_t *key;
	size_t key_cap;
	int64_t *pane; /* with windows: of each group; NO_PANE: all of the key's */
	size_t pane_cap;
	struct slots index;    /* by key and pane, when a group is more than one value */
	struct recent *recent; /* with windows: by value, the group used last */
	size_t recent_cap;
	struct keytab text; /* of all keys */
	uint32_t *texts;    /* of the batch at hand: BATCH values of each key */
	struct stats_column *col;
	const struct stats
	    *parts; /* of stats_join: where some aggregates are sums over groups */
	/* These are used if there is a bound: see stats_merge.c. */
	uint64_t over_count; /* how many events of one group may not be counted in it */
	uint64_t *not_own;   /* by group: how many of the missed events cannot be its own */
	size_t not_own_cap;
	unsigned shift;		       /* 2^shift panes are one */
	struct expr *when, **col_when; /* of the spec, parsed; NULL = all events */
	/* These are of all events. */
	uint64_t tmin, tmax; /* after time_flip() */
	bool any, timed;
	uint64_t covered; /* panes of events that --spread divides over many */
	bool mixed;	  /* threads have read inputs whose clocks count different units */
	enum clock clock;
	int64_t origin; /* pane 0 begins here; of the clock */
	/* Order. */
	struct strtab files;
	struct segment *segment;
	size_t nsegments, segment_cap;
	struct cover *cover;
	size_t ncovers, cover_cap;
	/* The meaning of the numbers in the records of the source at hand. */
	unsigned source;
	uint32_t file;	       /* its name's number */
	uint64_t block;	       /* bytes of the unit that addr counts */
	uint64_t max_low_addr; /* the greatest addr of less than 2^63 bytes */
	uint64_t seq;	       /* values seen of it: for first and last */
	struct view view;      /* the fields of all columns, then of all keys */
	/* By type: 1 where it enters a state, -1 where it leaves one, else 0. */
	int8_t *way;
	size_t way_cap;
	uint32_t nways;
	struct keyed *keyed; /* by key */
	const struct exprs
	    *made; /* computes fields of the events at hand; NULL: there are none */
	struct buf scratch;
	uint32_t *numbers; /* the groups of the events at hand go there; or NULL */
};

/* The bytes of a request. They need 128 bits, because the format decides the
 * unit of addr. */
struct extent {
	uint64_t begin, begin_high, end, end_high;
};

/* The bytes that the request r covers. */
static inline struct extent
extent_of(const struct stats *st, const struct rec *r)
{
	struct extent x = {.begin = r->addr * st->block};

	x.end = x.begin + r->size;
	if (unlikely(r->addr > st->max_low_addr || r->size > INT64_MAX)) {
		mul64(r->addr, st->block, &x.begin, &x.begin_high);
		x.end = x.begin + r->size;
		x.end_high = x.begin_high + (x.end < x.begin);
	}
	return x;
}

#define NO_PANE INT64_MIN
#define PANE_SHIFT_MOST 62
/* The key of the group "others"; the limit of the bytes of keys if groups have a limit. */
#define STATS_OTHERS "(others)"
#define STATS_TEXT_MOST (4u << 20)

/* Begins an empty table for `spec`, which must live as long. */
void stats_open(struct stats *st, const struct spec *spec);
/* Frees what st holds. */
void stats_free(struct stats *st);
/* Counts the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. */
void stats_add(struct stats *st, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n, const struct exprs *made);
/* To be called when an input has ended, whether it had events or not. */
void stats_done(struct stats *st, const struct source *s);
/* Reports fields that no event had, except arguments that the format has: then it gives ST_TROUBLE, else ST_OK. */
int stats_check(struct stats *st, const char *format);
/* Returns whether one of the names, with | between, is an argument that some events of the format have. */
bool stats_argument(const char *format, const char *names);
/* Adds all that `from`, a table with an equal spec, has counted. */
void stats_merge(struct stats *st, const struct stats *from);
/* Adds group g of `from` to group `to` of st. of_file[i]: the number in st of file i of
 * `from`. */
void stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		       const uint32_t *of_file);
/*
 * Opens `to` with the groups of st, those joined that have equal texts in the keys of `spec`: the first of
 * the keys of st, over the same columns. Without keys an aggregate that says what each group has for itself,
 * footprint or span, is the sum over the groups of st, which must live as long.
 */
void stats_join(struct stats *to, const struct stats *st, const struct spec *spec);
/* Adds all strings of `from` to `to`. Gives for each its number in `to`; to be freed. */
uint32_t *stats_renumber(struct strtab *to, const struct strtab *from);
/*
 * Joins the parts of files: counts the steps from the last event of one part to the first
 * of the next. False if a clock goes back between two parts (a reader of both would have
 * reported it, and perhaps skipped records), if clocks with different units meet, or if a
 * group is of a part that was not read, as in a damaged partial. With `say`, for partials, a
 * message says where. If a part is there twice, or two inputs have one name: dies with `say`, else false.
 */
bool stats_stitch(struct stats *st, bool say);
/* After that: false, with a message, if parts of a file are missing. */
bool stats_whole(const struct stats *st);
/* The numbers of the groups that have events, in the order of their keys, *n of them. To be
 * freed. */
uint32_t *stats_order(const struct stats *st, uint32_t *n);
/* Gives the order in which the key of that number is compared last. */
uint32_t *stats_order_last(const struct stats *st, uint32_t key, uint32_t *n);
/* The totals of all groups of a table, which the text of one may depend on. */
struct totals {
	uint64_t count;
	struct swide *sum;    /* by column */
	uint64_t span;	      /* ns or ticks that a rate is over; 0 = none */
	struct slice *slices; /* of the percentile before this one */
	size_t nslices;
	const struct stats_column *slices_col;
	uint32_t slices_group;
	uint64_t cut; /* requests of which a footprint has not all units */
};

/* *t = the sums over all groups of st. */
void stats_totals(const struct stats *st, struct totals *t);
/* The distribution of group g of c into t->slices, where it stays until another is asked for.
 * False if it has no values. */
bool totals_slices(struct totals *t, const struct stats_column *c, uint32_t g,
		   unsigned bits);
/* Frees what t holds. */
void totals_free(struct totals *t);
/* Returns whether an aggregate is a quotient, and writes what it is of group g, exactly, to *r;
 * of a standard deviation to twenty decimals. */
bool stats_ratio(const struct stats *st, const struct agg *a, struct totals *t, uint32_t g,
		 struct ratio *r);
/* Appends what an aggregate is of group g, or of no events where there is no such group:
 * "-" where nothing can be said. The totals keep what two percentiles of a column share. */
void stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	       uint32_t g);
/* Returns false if what stats_put writes of aggregate a in group g is an estimate. */
bool stats_exact(const struct stats *st, const struct agg *a, uint32_t g);
/* The number of the interval of hist by powers of two that begins at 1. */
#define POWER_ONE 31
/* A step of a distribution: of hist, an interval and how many values it has; of cdf, a value
 * and how many lie above the one before and not above it. */
struct hist_step {
	struct class_value at; /* of hist the number of an interval; else a value */
	uint64_t count;
};
/* The steps of an aggregate hist or cdf of group g in ascending order, *n of them; to be
 * freed. None where there is no such group. */
struct hist_step *stats_steps(const struct stats *st, const struct agg *a, uint32_t g,
			      size_t *n);
/* Appends where a step is: the low end of an interval, or the value. */
void stats_put_step(struct buf *b, const struct stats *st, const struct agg *a,
		    const struct hist_step *step);
/* The group of these values of its keys, which is made when it is new. */
uint32_t stats_group(struct stats *st, const uint32_t *texts, int64_t pane);
/* Sets the origin where the question has one: to be called when the clock is known. False if
 * it is no time of that clock. */
bool stats_origin(struct stats *st);
/* The number of the pane that a time is in. Dies if the number does not fit. */
int64_t stats_pane(const struct stats *st, int64_t time);
/* The windows that a pane is in: window k begins at k steps and has the panes of its length. *first
 * is greater than *last where it is in none. */
void stats_windows(const struct stats *st, int64_t pane, int64_t *first, int64_t *last);
/* Drops the groups of windows before this one. Where windows without events have rows, their keys
 * stay, as groups of the window before it, without events. */
void stats_forget(struct stats *st, int64_t window);
/* False if no time can be in a pane, because the pane's times do not fit into 64 bits. */
bool stats_pane_possible(const struct stats *st, int64_t pane);

/* The first of the 2^shift panes that are one with `pane`. */
static inline int64_t
stats_pane_floor(const struct stats *st, int64_t pane)
{
	return (int64_t)((uint64_t)pane & UINT64_MAX << st->shift);
}
/* Builds anew what finds groups by their keys; forgets all numbers of texts. */
void stats_index(struct stats *st);

/* stats_merge.c: tables of reports. */
/* Leaves no more groups than spec.groups_most; groups get new numbers. */
void stats_bound(struct stats *st);
/* Joins panes until 2^shift of them are one. */
void stats_coarsen(struct stats *st, unsigned shift);
/* Returns how many events of group g may be counted in the group "others" instead. */
static inline uint64_t
stats_missed(const struct stats *st, uint32_t g)
{
	uint64_t sure = g < st->not_own_cap ? st->not_own[g] : 0;

	return sure < st->over_count ? st->over_count - sure : 0;
}

/* Fetches what a row of group g shows, which is soon read. (INLINE: gcc drops the call of a function that
 * does nothing but this.) */
static INLINE void
stats_soon(const struct stats *st, uint32_t g)
{
	prefetch(&st->count[g]);
	prefetch(&st->key[(size_t)g * st->spec->nkeys]);
	if (st->spec->nkeys == 1 && !st->pane) {
		prefetch(&st->text.v[g]);
		prefetch(&st->text.kind[g]);
	}
}

/* The text of the first key of group g, which may lie in `space`. */
static inline const char *
stats_name(const struct stats *st, uint32_t g, char space[KEY_SPACE])
{
	return keytab_text(&st->text, st->key[(size_t)g * st->spec->nkeys], space).s;
}

#endif
