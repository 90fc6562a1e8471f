/*
 * stats.h - counts events by group, and keeps values of each group's fields.
 *
 * All values kept are whole numbers. Two tables (of threads, parts of a file, machines) merge into exactly the
 * table of one pass over both inputs. Exception: top and mode are approximate once there are more values than
 * counters; the output then says so.
 */
#ifndef SPOOR_STATS_H
#define SPOOR_STATS_H

#include "expr/exprs.h"
#include "stats/column.h"
#include "stats/keytab.h"
#include "stats/spec.h"

/* Values that depend on the previous event of the same group: the gap between their times; whether the previous
 * request ended where this one begins; whether the previous event entered the state that this one leaves. Within
 * one input they are counted as events come. If a file is read in parts, the first and the last event of each
 * group in each part are kept as a segment until the neighbouring parts are read. */
struct chain {
	unsigned source; /* number of the input of both events; 0 = none */
	int64_t first, last;
	int64_t began; /* time of the first event, if `first` is something else */
};

struct segment {
	uint32_t group, file, col;
	/* .inside: a segment is an enter or a leave; this is its number */
	uint32_t seq;
	uint64_t begin, end; /* bytes of the file; end UINT64_MAX: to its end */
	int64_t first, last;
	/* time of its first event; a link belongs to the window of that time */
	int64_t began;
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
	uint64_t *count; /* by group; groups without events are not shown */
	size_t count_cap;
	/* numbers of its values, nkeys for each group; for a single key without windows, the number of the group */
	uint32_t *key;
	size_t key_cap;
	/* with windows: pane of each group; NO_PANE: the group of all panes */
	int64_t *pane;
	size_t pane_cap;
	struct slots index;    /* by key and pane, if a group is more than a value */
	struct recent *recent; /* with windows: by value, the group used last */
	size_t recent_cap;
	struct keytab text; /* the values of all keys */
	uint32_t *texts;    /* of the current batch: BATCH values of each key */
	struct stats_column *col;
	/* for stats_join: the table of which some aggregates are sums over groups; else NULL */
	const struct stats *parts;
	/* Used if the number of groups is limited: see stats_merge.c. */
	/* number of events of any group that may be missing in it */
	uint64_t over_count;
	/* by group: how many of these events cannot belong to the group */
	uint64_t *not_own;
	size_t not_own_cap;
	unsigned shift; /* 2^shift panes are one */
	/* conditions of the spec, parsed; NULL = all events */
	struct expr *when, **col_when;
	/* About all events. */
	uint64_t tmin, tmax; /* sortable, see time_flip() */
	bool any, timed;
	uint64_t covered; /* number of panes of events that --spread divides over many */
	/* threads have read inputs whose clocks have different units */
	bool mixed;
	enum clock clock;
	int64_t origin; /* pane 0 begins at this time of the clock */
	/* Parts of files. */
	struct strtab files;
	struct segment *segment;
	size_t nsegments, segment_cap;
	struct cover *cover;
	size_t ncovers, cover_cap;
	/* The meaning of numbers in the records of the current source. */
	unsigned source;
	uint32_t file;	       /* number of its name */
	uint64_t block;	       /* unit of addr in bytes */
	uint64_t max_low_addr; /* greatest addr below 2^63 bytes */
	uint64_t seq;	       /* number of values seen so far: for first and last */
	struct view view;      /* fields of all columns, then of all keys */
	/* by type: 1 if it enters a state, -1 if it leaves one, else 0 */
	int8_t *way;
	size_t way_cap;
	uint32_t nways;
	struct depth *depth;	  /* events in progress (stats_depth.c); NULL: none
				   * were counted */
	struct keyed *keyed;	  /* by number of the key */
	const struct exprs *made; /* computed fields of the current events; NULL: none */
	struct buf scratch;
	uint32_t *numbers; /* receives the groups of the current events; or NULL */
};

/* The bytes of a request, from begin to end. They need 128 bits, because the format decides the unit of addr. */
struct extent {
	uint64_t begin, begin_high, end, end_high;
};

/* Returns the bytes that the request r covers. */
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
/* Name of the group "others"; and the limit of the bytes of keys if groups are limited. */
#define STATS_OTHERS "(others)"
#define STATS_TEXT_MOST (4u << 20)

/* Initializes an empty table for `spec`, which must live as long as the table. */
void stats_open(struct stats *st, const struct spec *spec);
/* Frees what st holds. */
void stats_free(struct stats *st);
/* Counts the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. `made` holds computed fields,
 * or is NULL. */
void stats_add(struct stats *st, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n, const struct exprs *made);
/* Ends the events in progress, after all inputs. */
void stats_finish(struct stats *st);
/* Notes the end of an input. Call it for each input, with or without events. */
void stats_done(struct stats *st, const struct source *s);
/* Reports fields that no event had, except arguments that only some events of the format have. Returns ST_TROUBLE
 * if it reported one, else ST_OK. */
int stats_check(struct stats *st, const char *format);
/* Returns true if one of the names, with | between, is an argument that only some events of the format have. */
bool stats_argument(const char *format, const char *names);
/* Adds everything that `from`, a table with an equal spec, has counted. */
void stats_merge(struct stats *st, const struct stats *from);
/* Adds group g of `from` to group `to` of st. of_file[i] is the number in st of file i of `from`. */
void stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		       const uint32_t *of_file);
/* Initializes `to` with the groups of st, and joins those with equal keys of `spec`, which are the first keys of
 * st, over the same columns. Without keys, footprint and span are the sums over the groups of st, which must then
 * live as long as `to`. */
void stats_join(struct stats *to, const struct stats *st, const struct spec *spec);
/* Adds all strings of `from` to `to`. Returns an array with the number of each in `to`; the caller frees it. */
uint32_t *stats_renumber(struct strtab *to, const struct strtab *from);
/* Joins the parts of files: counts the values between the last event of one part and the first of the next.
 * Returns false if a clock goes back between two parts (a reader of both would have reported it, and perhaps
 * skipped records), if clocks with different units meet, or if a segment is from a part that was not read, as in a
 * damaged partial result. `say`, for partial results: a message tells where. If a part occurs twice, or two inputs
 * have one name, dies if `say`, else returns false. */
bool stats_stitch(struct stats *st, bool say);
/* Returns false, after a message, if parts of a file are missing. Call it after stats_stitch. */
bool stats_whole(const struct stats *st);
/* Returns the groups that have events, in the order of their keys, *n of them. The caller frees the array. */
uint32_t *stats_order(const struct stats *st, uint32_t *n);
/* Returns the groups as stats_order does, but compares key number `key` last. */
uint32_t *stats_order_last(const struct stats *st, uint32_t key, uint32_t *n);
/* Totals over all groups of a table, on which the values of each group may depend. */
struct totals {
	uint64_t count;
	struct swide *sum;    /* by column */
	uint64_t span;	      /* ns or ticks that a rate is divided by; 0 = none */
	uint64_t length;      /* the same for depth and busy */
	struct slice *slices; /* the distribution used last, for percentiles */
	size_t nslices;
	const struct stats_column *slices_col;
	uint32_t slices_group;
	uint64_t cut; /* number of requests with more units than a footprint counts */
};

/* Computes the totals over all groups of st. totals_free frees them. */
void stats_totals(const struct stats *st, struct totals *t);
/* Sets t->slices to the distribution of group g of c, until the next call. Returns false if it has no values. */
bool totals_slices(struct totals *t, const struct stats_column *c, uint32_t g,
		   unsigned bits);
/* Frees what t holds. */
void totals_free(struct totals *t);
/* Returns true if an aggregate is a quotient, and stores its exact value in group g in *r; a standard deviation to
 * twenty decimals. */
bool stats_ratio(const struct stats *st, const struct agg *a, struct totals *t, uint32_t g,
		 struct ratio *r);
/* Appends the value of an aggregate in group g, or of no events if there is no such group; "-" if it has no value.
 * Percentiles of one column share data in the totals. */
void stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	       uint32_t g);
/* Returns false if the value of aggregate a in group g is an estimate. */
bool stats_exact(const struct stats *st, const struct agg *a, uint32_t g);
/* The number of the interval that begins at 1, for hist by powers of two. */
#define POWER_ONE 31
/* A step of a distribution. hist: an interval and its number of values; cdf: a value, and the number of values
 * that are above the previous step's and not above it. */
struct hist_step {
	struct class_value at; /* hist: number of the interval; cdf: the value */
	uint64_t count;
};
/* Returns the steps of an aggregate hist or cdf of group g, in ascending order, *n of them; none if there is no
 * such group. The caller frees them. */
struct hist_step *stats_steps(const struct stats *st, const struct agg *a, uint32_t g,
			      size_t *n);
/* Appends where a step is: the lower end of an interval, or the value. */
void stats_put_step(struct buf *b, const struct stats *st, const struct agg *a,
		    const struct hist_step *step);
/* Returns the group with these values of the keys, in this pane, which is added if it is new. */
uint32_t stats_group(struct stats *st, const uint32_t *texts, int64_t pane);
/* Sets st->origin, if the question has one. Call it when the clock is known. Returns false if the origin is no
 * time of that clock. */
bool stats_origin(struct stats *st);
/* Returns the number of the pane that contains a time. Dies if the number does not fit. */
int64_t stats_pane(const struct stats *st, int64_t time);
/* Finds the windows that contain a pane: window k begins at k steps. *first is greater than *last if there is
 * none. */
void stats_windows(const struct stats *st, int64_t pane, int64_t *first, int64_t *last);
/* Drops the groups of windows before this one. If windows without events have rows, the keys stay, as groups of
 * the previous window without events. */
void stats_forget(struct stats *st, int64_t window);
/* Returns false if a pane cannot contain a time, because its times do not fit 64 bits. */
bool stats_pane_possible(const struct stats *st, int64_t pane);

/* Returns the first of the 2^shift panes that are joined with `pane`. */
static inline int64_t
stats_pane_floor(const struct stats *st, int64_t pane)
{
	return (int64_t)((uint64_t)pane & UINT64_MAX << st->shift);
}
/* Builds the index of groups by keys anew, and forgets all numbers of texts. */
void stats_index(struct stats *st);

/* stats_merge.c: tables of reports, whose groups are limited. */
/* Reduces the groups to at most spec.groups_most. Groups get new numbers. */
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

/* Prefetches the data of group g, which will soon be read for a row. (INLINE: gcc drops the call of a function
 * that does nothing else.) */
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

/* Returns the text of the first key of group g, which may be in `space`. */
static inline const char *
stats_name(const struct stats *st, uint32_t g, char space[KEY_SPACE])
{
	return keytab_text(&st->text, st->key[(size_t)g * st->spec->nkeys], space).s;
}

#endif
