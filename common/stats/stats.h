/*
 * stats.h - events by group, and what is kept of each group's fields.
 *
 * Everything kept is a whole number, and two sets of it merge into exactly what one pass
 * over both inputs gives: for threads, for the parts of a file, for machines; but for top
 * and mode beyond their bound, which say so.
 */
#ifndef SPOOR_STATS_H
#define SPOOR_STATS_H

#include "stats/files.h"
#include "stats/hist.h"
#include "base/out.h"
#include "stats/pages.h"
#include "stats/set.h"
#include "stats/spec.h"
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

/* A value at an end of a group: what it is, and where it stood in the input. */
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
	size_t set_cap, pages_cap, top_cap, first_cap, last_cap, chain_cap, states_cap;
};

/*
 * Values that hang on the event before of the same group: gaps (of its time), whether it
 * ended where this one begins (of its address), whether it entered what this one leaves.
 * Within one input they are counted as events come; where a file is read in parts, the
 * first and last of each group in each part wait until the parts beside it are there.
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
};

/* A part of a file that was read. */
struct cover {
	uint32_t file;
	uint64_t begin, end;
	bool ordered;	      /* a clock that goes back is an error there; of its events: */
	uint64_t first, last; /* times, so that they compare */
};

struct stats {
	const struct spec *spec;
	/* Groups. */
	uint32_t ngroups;
	uint64_t *count; /* by group; one without events is not shown */
	size_t count_cap;
	uint32_t *key; /* nkeys numbers of texts a group */
	size_t key_cap;
	int64_t *pane; /* with windows: of each group; NO_PANE: all of the key's */
	size_t pane_cap;
	uint32_t *slots; /* number + 1 by hash, when a group is more than one text */
	uint32_t nslots;
	uint32_t *of_text; /* group + 1 by number of the text, when it is one */
	size_t of_text_cap;
	struct recent *recent; /* with windows: by text, its group of late */
	size_t recent_cap;
	struct strtab text;   /* of all keys */
	struct files *access; /* instead of groups, where the spec has files */
	struct column *col;
	/* Where there is a bound: see stats_bound.c. */
	uint64_t missed; /* how many events of one group may not be counted in it */
	uint64_t *sure;	 /* by group: how many of these are not its own */
	size_t sure_cap;
	unsigned shift; /* 2^shift panes are one; of so many files one is kept */
	struct expr *when, **col_when; /* of the spec, parsed; NULL = all events */
	/* Of all events. */
	uint64_t tmin, tmax; /* after time_flip() */
	bool any, timed;
	bool mixed; /* threads have read inputs whose clocks count different units */
	enum clock clock;
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
	struct buf scratch;
};

/* The bytes of a request: addr counts by what its format says, so that they need 128 bits.
 */
struct extent {
	uint64_t begin, begin_high, end, end_high;
};

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
/* The key of what is not counted by itself, and the bytes of keys where there is a bound.
 */
#define STATS_OTHERS "(others)"
#define STATS_TEXT_MOST (4u << 20)

void stats_open(struct stats *st, const struct spec *spec);
void stats_free(struct stats *st);
/* Adds events pick[0..n) of the batch, or its first n when pick is NULL. */
void stats_add(struct stats *st, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/* An input has ended (events or none). */
void stats_done(struct stats *st, const struct source *s);
/* Reports fields that no event had. Gives ST_OK or ST_TROUBLE. */
int stats_check(struct stats *st);
/* Adds all of `from`, of an equal spec. */
void stats_merge(struct stats *st, const struct stats *from);
/* Adds one group to another; of_file: the numbers here of the files there. */
void stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		       const uint32_t *of_file);
/* Adds strings; gives the numbers there of those here, to be freed. */
uint32_t *stats_renumber(struct strtab *to, const struct strtab *from);
/*
 * Counts what lies between parts of a file that are now beside each other. False where a
 * clock goes back from one to the next: a reader of both would have said so, and perhaps
 * skipped records; where clocks are mixed that must not be; and where a group is of a part
 * that was not read, which only a damaged partial says. `say`, for partials, tells where;
 * a part that is there twice ends the program.
 */
bool stats_stitch(struct stats *st, bool say);
/* After that: false, with a message, where parts of a file are missing. */
bool stats_whole(const struct stats *st);
/* Numbers of the groups that have events, in the order of their keys; *n how many. To be
 * freed. */
uint32_t *stats_order(const struct stats *st, uint32_t *n);
/* Of all groups of a table: what the text of one also depends on. */
struct totals {
	uint64_t count;
	struct swide *sum; /* by column */
	uint64_t span;	   /* ns or ticks that a rate is over; 0 = none */
	bool exact_set, exact_top;
	struct slice *slices; /* of the percentile before this one */
	size_t nslices;
	const struct column *slices_col;
	uint32_t slices_group;
	uint64_t top_error; /* the greatest bound that was not met exactly */
};

void stats_totals(const struct stats *st, struct totals *t);
void totals_free(struct totals *t);
/* Appends what an aggregate is of group g, or of no events where there is no such group:
 * "-" where nothing can be said. The totals keep what two percentiles of a column share. */
void stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	       uint32_t g);
/* The group of these key texts, which is made when it is new. */
uint32_t stats_group(struct stats *st, const uint32_t *texts, int64_t pane);
/* The pane of a time. Dies where it is beyond what panes of one tick can count. */
int64_t stats_pane(const struct stats *st, int64_t time);
/* False where no time is in a pane: how far it is from 0 is beyond 64 bits. */
bool stats_pane_possible(const struct stats *st, int64_t pane);

/* A pane, or the first of those that are one with it. */
static inline int64_t
stats_pane_floor(const struct stats *st, int64_t pane)
{
	return (int64_t)((uint64_t)pane & UINT64_MAX << st->shift);
}
/* Builds anew what finds groups by their keys; forgets all numbers of texts. */
void stats_index(struct stats *st);

/* stats_bound.c: tables of reports. */
/* Leaves no more groups than the spec says; groups get new numbers. */
void stats_bound(struct stats *st);
/* Makes 2^shift panes one, if fewer are. */
void stats_coarsen(struct stats *st, unsigned shift);
/* How many more events than are counted there may have been of a group. */
static inline uint64_t
stats_missed(const struct stats *st, uint32_t g)
{
	uint64_t sure = g < st->sure_cap ? st->sure[g] : 0;

	return sure < st->missed ? st->missed - sure : 0;
}

/* stats_chain.c: columns whose values hang on the event before. */
void chain_add(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	       const uint32_t *off, uint32_t n, const uint32_t *g, const uint32_t *whole);
/* The time from one to the other, with its sign. */
struct value time_between(enum clock clock, int64_t before, int64_t now);
/*
 * stats_state.c: columns of kind COL_INSIDE. Where a part of a file ends, each enter and
 * each leave that wait for another part become a segment, whose first is a leave's time and
 * whose last is an enter's; the other one is NO_TIME.
 */
#define NO_TIME INT64_MIN
void states_add(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
		const uint32_t *off, uint32_t n, const uint32_t *g, const uint32_t *whole);
void states_segments(struct stats *st, const struct source *s, uint32_t c);
/* Forgets one group's, all of them. */
void states_clear(struct column *col, size_t g);
/* Notes which input the coming events are of. */
void stats_source(struct stats *st, const struct source *s);
void segment_add(struct stats *st, const struct segment *s);
void cover_add(struct stats *st, const struct cover *c);

/* stats_pick.c: spec.when and col.when. */
void stats_pick_open(struct stats *st);
void stats_pick_free(struct stats *st);
/* Which of events pick[0..n) of a batch match; pick NULL: of the first n. As numbers of the
 * batch into `match`; where they stand in pick, into `at`, which may be NULL. */
uint32_t stats_pick(struct expr *e, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n, uint32_t match[BATCH], uint32_t *at);

/* stats_value.c: the columns. */
void column_free(struct column *c);
/* Frees what one group keeps in memory of its own. */
void column_clear(struct column *c, size_t g);
/* All events of a batch: g has the group of each. */
void column_add(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
		const uint32_t *off, uint32_t n, const uint32_t *g);
/* Whether all n > 0 events are of one group. */
bool one_group(const uint32_t *g, uint32_t n);
/* Columns of kind COL_ENTER and COL_EVENT; the latter need no records. */
void column_marks(struct stats *st, size_t c, const uint8_t *base, const uint32_t *off,
		  uint32_t n, const uint32_t *g);
/* Columns of kind COL_UNALIGNED and COL_PAGES. */
void column_blocks(struct stats *st, size_t c, const uint8_t *base, const uint32_t *off,
		   uint32_t n, const uint32_t *g);
/* Values of one class, each into its group. */
void column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		   const uint64_t *v, uint32_t n);
/* The same for a single value of a group, with its place in the input (seq from 1). */
void column_one(struct stats *st, size_t c, uint32_t g, struct value v, uint64_t begin,
		uint64_t seq);
/* Sets of pages keep no more words than this; it never rises, also where groups go. */
void column_keep(struct column *col, uint32_t keep);
/* Makes the arrays of sets, tops and ends as long as there are groups. */
void column_room(struct stats *st, size_t c);
/* Whether a value at (file, begin, seq) stands before e. */
bool end_before(const struct strtab *files, uint32_t file, uint64_t begin, uint64_t seq,
		const struct end *e);
/* stats_merge.c: the parts of a column. */
void tally_merge(struct tally *to, const struct tally *from);
void square_merge(struct square *to, const struct square *from);
/* Keeps the first or the last of two. */
void end_merge(struct end *to, const struct end *from, bool first,
	       const struct strtab *files);
/* The value of a text. */
struct datum datum_of_text(const char *p, size_t n);

/* column_get.c: results. */
int value_cmp(struct value a, struct value b);
/* What is kept of the values of one class; all zero where there were none. */
const struct tally *column_tally(const struct column *c, unsigned class, uint32_t group);
/* Sums over all classes, in 10^-9 parts where *nano says so. */
struct swide column_sum(const struct column *c, uint32_t group, bool *nano);
/* How many values are numbers. */
uint64_t column_numbers(const struct column *c, uint32_t group);
/* The least or the greatest number; false when there is none. */
bool column_extreme(const struct column *c, uint32_t group, bool greatest, struct value *v);
/* A part of a distribution: values from low to high, of one class. */
struct slice {
	struct value low, high;
	uint64_t count;
};
/* The distribution in ascending order; *n slices, to be freed. */
struct slice *column_slices(const struct column *c, uint32_t group, unsigned bits,
			    size_t *n);
/* The value that at least p / 10^8 of all are not above: of a slice its middle. */
struct value slices_percentile(const struct slice *v, size_t n, uint64_t p);
/* Whether percentiles of a group are exact. */
bool column_exact(const struct column *c, uint32_t group);
/* As text; each gives the place behind. mean_put needs a number in the group. */
uint8_t *value_put(uint8_t *p, struct value v);
uint8_t *swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim);
uint8_t *mean_put(uint8_t *p, const struct column *c, uint32_t group);
/* a / b with six decimals, zeros at the end left out. */
uint8_t *ratio_put(uint8_t *p, const struct swide *a, const struct wide *b);
void datum_put(struct buf *b, const struct datum *d);

#endif
