/*
 * stats.h - events by group, and the values kept for each group's fields.
 *
 * All values kept are whole numbers. Two tables (of threads, parts of a file, machines)
 * merge into exactly the table of one pass over both inputs. The exceptions are top and
 * mode past their limit, which the output marks.
 */
#ifndef SPOOR_STATS_H
#define SPOOR_STATS_H

#include "stats/files.h"
#include "stats/hist.h"
#include "stats/keytab.h"
#include "base/compiler.h"
#include "base/out.h"
#include "stats/pages.h"
#include "stats/set.h"
#include "stats/spec.h"
#include "expr/exprs.h"
#include "stats/top.h"
#include "base/wide.h"

/* A number with its class (not TEXTS). */
struct value {
	unsigned class;
	uint64_t v; /* its magnitude */
};

/* Of the values of one class in one group; magnitudes. */
struct tally {
	uint64_t n, lo, hi;    /* their number, their sum */
	uint64_t not_min, max; /* not_min: ~least, so that all bits zero is empty */
};

struct square {
	uint64_t w[3];
};

/* The first or last value of a group, and its place in the input. */
struct end {
	bool any;
	uint32_t file;	     /* number of the input's name */
	uint64_t begin, seq; /* the part's first byte, the event's number in the part */
	struct datum datum;
};

/*
 * Of one group in the input at hand: enters that wait for a leave; and, where only a part
 * of a file is read, leaves whose enters lie before it.
 */
struct states {
	unsigned source; /* the input, by its number; 0 = none */
	uint32_t n, nleaves;
	uint64_t deeper; /* enters that are open, but not kept */
	int64_t *enter, *leave;
	size_t enter_cap, leave_cap;
};

/* By group, each array as long as it was ever needed. */
struct column {
	struct tally *num[CLASSES];
	struct square *square[TEXTS];
	struct hists hist[TEXTS];
	struct set *set;
	struct pages *pages;
	uint32_t keep; /* words of each of them */
	struct top *top;
	struct end *first, *last;
	struct chain *chain;
	struct states *states;
	size_t num_cap[CLASSES], square_cap[TEXTS];
	/* COL_SEQUENTIAL, with windows: when the chain's first event was. */
	int64_t *began;
	size_t set_cap, pages_cap, top_cap, first_cap, last_cap, chain_cap, states_cap;
	size_t began_cap;
};

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

/* The values of computed fields of the events at hand. */
struct made {
	const struct exprs *of; /* NULL: there are none */
	const uint32_t *at; /* the events' numbers in its run; NULL: they are all of it */
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
	uint32_t *slots; /* number + 1 by hash, when a group is more than one value */
	uint32_t nslots;
	struct recent *recent; /* with windows: by value, the group used last */
	size_t recent_cap;
	struct keytab text;   /* of all keys */
	uint32_t *texts;      /* of the batch at hand: BATCH values of each key */
	struct files *access; /* instead of groups, where the spec has files */
	struct column *col;
	/* Where there is a bound: see merge.c. */
	uint64_t missed; /* how many events of one group may not be counted in it */
	uint64_t *sure;	 /* by group: how many of the missed events cannot be its own */
	size_t sure_cap;
	unsigned shift; /* 2^shift panes are one; of so many files one is kept */
	struct expr *when, **col_when; /* of the spec, parsed; NULL = all events */
	/* Of all events. */
	uint64_t tmin, tmax; /* after time_flip() */
	bool any, timed;
	bool mixed; /* threads have read inputs whose clocks count different units */
	enum clock clock;
	int64_t origin; /* pane 0 begins here; of the clock */
	/* Order. */
	struct strtab files;
	struct segment *segment;
	size_t nsegments, segment_cap;
	struct cover *cover;
	size_t ncovers, cover_cap;
	/* What the numbers in the records of the source at hand mean. */
	unsigned source;
	uint32_t file;	  /* its name's number */
	uint64_t block;	  /* bytes of the unit that addr counts */
	uint64_t near;	  /* the greatest addr of less than 2^63 bytes */
	uint64_t seq;	  /* values seen of it: for first and last */
	struct view view; /* the fields of all columns, then of all keys */
	/* By type: 1 where it enters a state, -1 where it leaves one, else 0. */
	int8_t *way;
	size_t way_cap;
	uint32_t nways;
	struct keyed *keyed; /* by key */
	struct made made;
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
	if (unlikely(r->addr > st->near || r->size > INT64_MAX)) {
		mul64(r->addr, st->block, &x.begin, &x.begin_high);
		x.end = x.begin + r->size;
		x.end_high = x.begin_high + (x.end < x.begin);
	}
	return x;
}

#define NO_PANE INT64_MIN
#define PANE_SHIFT_MOST 62
/* The key of the group of others; the most bytes of keys if groups are bounded. */
#define STATS_OTHERS "(others)"
#define STATS_TEXT_MOST (4u << 20)

/* Begins an empty table for `spec`, which must live as long. */
void stats_open(struct stats *st, const struct spec *spec);
/* Frees what st holds. */
void stats_free(struct stats *st);
/* Counts the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. */
void stats_add(struct stats *st, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n, struct made made);
/* To be called when an input has ended, whether it had events or not. */
void stats_done(struct stats *st, const struct source *s);
/* Reports fields that no event had: then it gives ST_TROUBLE, else ST_OK. */
int stats_check(struct stats *st);
/* Adds all that `from`, a table with an equal spec, has counted. */
void stats_merge(struct stats *st, const struct stats *from);
/* Adds group g of `from` to group `to` of st. of_file[i]: the number in st of file i of
 * `from`. */
void stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		       const uint32_t *of_file);
/* Adds all strings of `from` to `to`. Gives for each its number in `to`; to be freed. */
uint32_t *stats_renumber(struct strtab *to, const struct strtab *from);
/*
 * Joins the parts of files: counts the steps from the last event of one part to the first
 * of the next. False if a clock goes back between two parts (a reader of both would have
 * reported it, and perhaps skipped records), if clocks with different units meet, or if a
 * group is of a part that was not read, as in a damaged partial. With `say`, for partials, a
 * message says where. Dies if a part is there twice.
 */
bool stats_stitch(struct stats *st, bool say);
/* After that: false, with a message, if parts of a file are missing. */
bool stats_whole(const struct stats *st);
/* The numbers of the groups that have events, in the order of their keys, *n of them. To be
 * freed. */
uint32_t *stats_order(const struct stats *st, uint32_t *n);
/* The same where the key of that number is compared last. */
uint32_t *stats_order_last(const struct stats *st, uint32_t key, uint32_t *n);
/* Of all groups of a table: what the text of one also depends on. */
struct totals {
	uint64_t count;
	struct swide *sum; /* by column */
	uint64_t span;	   /* ns or ticks that a rate is over; 0 = none */
	bool exact_set, exact_top, exact_pages;
	struct slice *slices; /* of the percentile before this one */
	size_t nslices;
	const struct column *slices_col;
	uint32_t slices_group;
	uint64_t cut;	    /* requests of which a footprint has not all units */
	uint64_t top_error; /* the greatest bound that was not met exactly */
};

/* *t = the sums over all groups of st. */
void stats_totals(const struct stats *st, struct totals *t);
/* The distribution of group g of c into t->slices, where it stays until another is asked for.
 * False if it has no values. */
bool totals_slices(struct totals *t, const struct column *c, uint32_t g, unsigned bits);
/* Frees what t holds. */
void totals_free(struct totals *t);
/* Appends what an aggregate is of group g, or of no events where there is no such group:
 * "-" where nothing can be said. The totals keep what two percentiles of a column share. */
void stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	       uint32_t g);
/* A step of a distribution: of hist, an interval and how many values it has; of cdf, a value
 * and how many lie above the one before and not above it. */
struct hist_step {
	struct value at; /* the number of an interval of equal width; else a value */
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

/* merge.c: tables of reports. */
/* Leaves no more groups than spec.groups_most; groups get new numbers. */
void stats_bound(struct stats *st);
/* Joins panes until 2^shift of them are one. */
void stats_coarsen(struct stats *st, unsigned shift);
/* How many events of group g may be counted in the group of others instead. */
static inline uint64_t
stats_missed(const struct stats *st, uint32_t g)
{
	uint64_t sure = g < st->sure_cap ? st->sure[g] : 0;

	return sure < st->missed ? st->missed - sure : 0;
}

/* Events of a source: n records at base + off[i], each in the group g[i]; where windows and
 * chains are, whole[i] is that of the keys alone. */
struct events {
	const uint8_t *base;
	const uint32_t *off, *g, *whole;
	uint32_t n;
};

/* The i-th of them. */
static inline const struct rec *
event_at(struct events e, uint32_t i)
{
	return (const struct rec *)(const void *)(e.base + e.off[i]);
}

/* group.c: opens what knows the keys, behind the columns; frees it; looks up what the
 * keys are in a source, whose tables may be `anew`. */
void keyed_open(struct stats *st);
void keyed_free(struct stats *st);
void keyed_bind(struct stats *st, const struct source *s, bool anew);
/* The groups of events of s into g[0..n). With windows and chains, those of the keys alone into
 * whole[0..n). */
void stats_groups(struct stats *st, const struct source *s, struct events e, uint32_t *g,
		  uint32_t *whole);
/* What a row of group g shows is soon read. (INLINE: gcc drops the call of a function that
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

/* chain.c: columns whose values depend on the event before. Counts n records of s, at
 * base + off[i], in column c. */
void chain_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* The same of COL_SEQUENTIAL: whether requests begin where the one before ended. */
void requests_add(struct stats *st, size_t c, struct events e);
/* The time from `before` to `now`, with its sign. */
struct value time_between(enum clock clock, int64_t before, int64_t now);
/*
 * Columns of kind COL_INSIDE. Where a part of a file ends, each enter and
 * each leave that wait for another part become a segment, whose first is a leave's time and
 * whose last is an enter's; the other one is NO_TIME.
 */
#define NO_TIME INT64_MIN
void states_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Forgets the enters and leaves of group g. */
void states_clear(struct column *col, size_t g);
/* Notes that the coming events are of s. */
void stats_source(struct stats *st, const struct source *s);
/* Adds a segment: the first and last event of a group in a part of a file. */
static inline void
segment_add(struct stats *st, const struct segment *s)
{
	*PUSH(st->segment, st->nsegments, st->segment_cap) = *s;
}
/* Adds a part of a file to those that were read. */
static inline void
cover_add(struct stats *st, const struct cover *c)
{
	*PUSH(st->cover, st->ncovers, st->cover_cap) = *c;
}

/* made.c: values of a computed field, by its name. */
static inline bool
is_made(const char *name)
{
	return *name == *COMPUTED;
}
/* The text of the i-th event's value, whose record is r, into st->scratch. False where it is
 * absent. */
bool made_text(struct stats *st, const struct source *s, const struct rec *r,
	       const char *name, uint32_t i);
/* Those of all n events as integers; there[]: 1 or 0; *time: they are times. False where they
 * are not all integers of one kind. */
bool made_ints(const struct stats *st, const char *name, uint32_t n, uint64_t *v,
	       uint8_t *there, bool *time);

/* value.c: the columns. */
void column_free(struct column *c);
/* Frees the memory that group g of a column has of its own. */
void column_clear(struct column *c, size_t g);
/* Counts n records of s, at base + off[i], in column c: each in its group g[i]. */
void column_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Whether all g[0..n), n > 0, are the same group. */
bool one_group(const uint32_t *g, uint32_t n);
/* Columns of kind COL_ENTER and COL_EVENT; the latter need no records. */
void column_marks(struct stats *st, size_t c, struct events e);
/* blocks.c: columns of kind COL_UNALIGNED and COL_PAGES. */
void column_blocks(struct stats *st, size_t c, struct events e);
/* Counts the magnitudes v[i] of one class in column c, each in its group g[i], i < n. */
void column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		   const uint64_t *v, uint32_t n);
/* The same for a single value v of group g. Its place in the input: begin is the part's first
 * byte, seq the event's number in the part, from 1. */
void column_one(struct stats *st, size_t c, uint32_t g, struct value v, uint64_t begin,
		uint64_t seq);
/* For who keeps a column without a struct stats: counts numbers v[i] of a class, i < n, each in its group
 * g[i] < ngroups, with their distributions of SPEC_BITS; adds what numbers group g of b has to group
 * `to` of a. */
void column_count(struct column *col, unsigned class, uint32_t ngroups, const uint32_t *g,
		  const uint64_t *v, uint32_t n);
void column_merge(struct column *a, uint32_t ngroups, uint32_t to, const struct column *b,
		  uint32_t g, unsigned bits);
/* From now on the sets of pages of a column keep at most `keep` words each. The limit never
 * rises. */
void column_keep(struct column *col, uint32_t keep);
/* Makes the arrays of sets, tops and ends of column c as long as there are groups. */
void column_room(struct stats *st, size_t c);
/* Whether a value at (file, begin, seq) stands before e; files by their names in `files`. */
bool end_before(const struct strtab *files, uint32_t file, uint64_t begin, uint64_t seq,
		const struct end *e);
/* merge.c: each adds `from` to `to`. */
void tally_merge(struct tally *to, const struct tally *from);
void square_merge(struct square *to, const struct square *from);
/* *to = the first, or the last, of *to and *from. */
void end_merge(struct end *to, const struct end *from, bool first,
	       const struct strtab *files);
/* The value that the text of n bytes at p shows. */
struct datum datum_of_text(const char *p, size_t n);

/* column_get.c: results of a column in a group. */
/* < 0, 0, > 0 as a is less than, equal to, greater than b. */
int value_cmp(struct value a, struct value b);
/* Number, sum, least and greatest of the values of one class; all zero if there were none. */
const struct tally *column_tally(const struct column *c, unsigned class, uint32_t group);
/* The sum over all classes; in 10^-9 parts if *nano. */
struct swide column_sum(const struct column *c, uint32_t group, bool *nano);
/* The number of values that are numbers. */
uint64_t column_numbers(const struct column *c, uint32_t group);
/* *v = the least, or the `greatest`, number; false if there is none. */
bool column_extreme(const struct column *c, uint32_t group, bool greatest, struct value *v);
/* A part of a distribution: values from low to high, of one class. */
struct slice {
	struct value low, high;
	uint64_t count;
};
/* The distribution in ascending order; *n slices, to be freed. */
struct slice *column_slices(const struct column *c, uint32_t group, unsigned bits,
			    size_t *n);
/* The smallest value that at least p / 10^8 of the values of v[0..n) do not exceed; within a
 * slice, its middle. */
struct value slices_percentile(const struct slice *v, size_t n, uint64_t p);
/* Whether percentiles of a group are exact. */
bool column_exact(const struct column *c, uint32_t group);
/* Each writes at p as text and gives the place behind: a value; a sum with its decimals, see
 * wide_put_decimal; the mean of a group that has a number. */
uint8_t *value_put(uint8_t *p, struct value v);
uint8_t *swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim);
uint8_t *mean_put(uint8_t *p, const struct column *c, uint32_t group);
/* The same for a / b: six decimals, without zeros at the end. */
uint8_t *ratio_put(uint8_t *p, const struct swide *a, const struct wide *b);
/* Appends the value as text. */
void datum_put(struct buf *b, const struct datum *d);

#endif
