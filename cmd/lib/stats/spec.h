/* spec.h - the question to trace-stats: keys, aggregates, windows, and the fields they need. */
#ifndef SPOOR_SPEC_H
#define SPOOR_SPEC_H

#include "base/num.h"
#include "view/view.h"
#include "expr/exprs.h"
#include "input/source.h"

#define SPEC_BITS 7
#define SPEC_BITS_INTERVALS 12
#define SPEC_STATE ".state" /* a key: the state that an event enters or leaves */
/* A column: the time that an event which leaves a state was in it; see COL_INSIDE. */
#define SPEC_INSIDE ".inside"
#define SPEC_INPUT "input" /* a key: the name of the input */
#define SPEC_CLOCK "clock" /* argument of --origin: 1970, as a date */
#define SPEC_FIRST "first" /* argument of --origin: the time of the first event */
/* The beginning of the names of computed fields. No name of an input begins with it. */
#define COMPUTED "="
#define SPEC_KEYS 64 /* limit of keys */

/* The kinds of aggregates that other code treats specially. */
enum agg_kind {
	AGG_PLAIN, /* not special */
	AGG_COUNT,
	AGG_PERCENTILE,
	AGG_HIST,
	AGG_CDF,
	AGG_MODE,
	AGG_TOP,
	AGG_RATE,
	AGG_SHARE,
	AGG_SPAN,
};

struct agg {
	const struct aggregate *is;
	char *text;  /* as typed */
	char *plain; /* with the names of computed fields in place of expressions */
	int col;     /* number of its field in spec.col, or -1 */
	/* percentile: part in 10^-8; top: K; hist: width, 0 = powers of 2 */
	uint64_t num;
};

/* The accumulators of a field, in every group: sets of bits by KEPT_* number. */
enum {
	ACC_NUM = 1,	/* number, sum, smallest, greatest */
	ACC_SQUARE = 2, /* sum of squares */
	ACC_HIST = 4,	/* distribution */
	ACC_SET = 8,	/* distinct values */
	ACC_PAGES = 16, /* distinct pages, for COL_PAGES */
	ACC_TOP = 32,	/* most frequent values */
	ACC_ENDS = 64,	/* first and last value */
	/* the events in progress, for the column dur */
	ACC_DEPTH = 512,
};

/* The kinds of columns. The names of kinds after COL_GAP begin with a dot. */
enum col_kind {
	COL_FIELD,
	COL_GAP,    /* time since the group's previous event */
	COL_INSIDE, /* .inside: time from an enter to its leave */
	/* .pages: numbers of the 4 KiB pages that requests touch, for distinct */
	COL_PAGES,
	/* .sequential: 1 if addr is where the previous request ended, else 0 */
	COL_SEQUENTIAL,
	/* .unaligned: 1 if a request begins or ends within 4 KiB, else 0 */
	COL_UNALIGNED,
	/* .enter: 1 for an event that enters a state, 0 for one that leaves */
	COL_ENTER,
	COL_EVENT, /* .event: 1 for each event */
	/* the values of this and the following kinds are 0 or 1 */
	COL_MARKS = COL_SEQUENTIAL,
};

/* A column of values: a field that aggregates use. */
struct col {
	char *name;
	enum col_kind kind;
	/* an expression: only events that it is true for count; NULL = all */
	char *when;
	unsigned acc; /* ACC_* */
	/* Length of the intervals by which values are counted; 0 = none. For COL_PAGES and COL_UNALIGNED: bytes of
	 * the unit in place of 4 KiB; 0 = 4 KiB. */
	uint64_t div;
	bool div_time; /* `div` is in ns */
	bool powers;   /* count values by powers of two (div is 1), see numbers.c */
	bool time;     /* with `powers`: values are ns or ticks */
};

/* A field that is computed for each event (computed.h). */
struct computed {
	char name[24];
	char *text;
	bool time; /* its values are times */
};

/* A column of the table: an aggregate, or a value computed from aggregates. */
struct shown {
	char *label;
	bool plain;
	size_t agg; /* with `plain`: number of the aggregate */
	size_t row; /* else: number of the expression in `rows` */
};

struct spec {
	char **key;
	char *key_label[SPEC_KEYS]; /* headings of their columns; NULL: the name */
	size_t nkeys, key_cap;
	/* number of last keys that keep events apart, but do not make rows */
	size_t nhidden;
	struct computed *computed;
	size_t ncomputed, computed_cap;
	struct shown *shown;
	size_t nshown, shown_cap;
	struct exprs *rows; /* -a, if a column is computed; or NULL */
	size_t *agg_of;	    /* by aggregate of that tree: its number in `agg` */
	struct agg *agg;
	size_t naggs, agg_cap;
	struct col *col;
	size_t ncols, col_cap;
	uint64_t window, step; /* in ns or ticks; 0 = no windows */
	/* greatest common divisor of both: events are counted by panes */
	uint64_t pane;
	bool spread;	 /* divide events over the windows that they cover */
	bool from_first; /* windows count from the first event's time */
	bool from_clock; /* windows count from 1970, whatever the origin */
	/* windows count from `from`; without any of the three, from 0 */
	bool from_time;
	struct num from;
	bool empty;    /* rows for windows without events too */
	unsigned bits; /* 2^bits buckets of a histogram for each power of two */
	unsigned top;  /* greatest K of top, 0 = no top */
	char *when;    /* only events that it is true for count; NULL = all */
	bool ends;     /* some column has ACC_ENDS */
	bool times;    /* some column adds or sorts computed times */
	bool chains;   /* some column depends on the previous event */
	bool bytes;    /* some column depends on the unit of addr */
	bool rates;    /* there is a rate */
	bool span;     /* the times of the first and last event are needed */
	bool depths;   /* the events in progress are counted */
	/* one thread must count all events: mode or top, whose result depends on the order of events if there are
	 * more values than counters; or `depths` */
	bool ordered;
	bool window_unit;     /* -w has a unit of time */
	uint32_t groups_most; /* for reports: limit of groups, or panes; 0 = none */
};

/* Parses -g keys, -a aggs, -w window (each NULL if not given), --spread and --accuracy bits into *p. Dies, with
 * the reason, if one is wrong. The default aggregate is "count". */
void spec_parse(struct spec *p, const char *keys, const char *aggs, const char *window,
		bool spread, unsigned bits);
/* Sets where the windows of p begin: `text` is a time, "first" or "clock". Dies if it is none of these. */
void spec_from(struct spec *p, const char *text);
/* Frees what p holds. */
void spec_free(struct spec *p);
/* Returns the bits of the buckets of a column, see stats_hist.h. Intervals of equal width are counted by their
 * number: up to 2^(bits+1) each has its own bucket. */
unsigned spec_bits(const struct spec *p, size_t col);
/* Returns true if times of several inputs are compared or added, so that all clocks must have the same unit. */
static inline bool
spec_one_clock(const struct spec *p)
{
	return p->pane || p->rates || p->span || p->chains || p->times;
}
/* Returns true if the i-th key is the name of the input; spec_by_input if any key is. */
bool spec_key_input(const struct spec *p, size_t i);
bool spec_by_input(const struct spec *p);
/* Returns the columns that the readers must fill in: NEED_*. */
unsigned spec_need(const struct spec *p);
/* Adds the key name[0..n). */
void spec_key(struct spec *p, const char *name, size_t n);
/* Adds the column `name` for events that `when` is true for (NULL = all), with the accumulators `acc` (ACC_*); or
 * adds `acc` to the column if it exists. Returns its number. */
int spec_col(struct spec *p, const char *name, const char *when, unsigned acc);

/* Returns true if two conditions are the same text, or both NULL. */
bool same_events(const char *when, const char *other);
/* Returns the number of the column with this name and condition; ncols if there is none. */
size_t spec_col_named(const struct spec *p, const char *name, const char *when);
/* Returns true if the n bytes name a column that is no field, but computed from requests. */
bool spec_own(const char *name, size_t n);
/* Adds a column for the field `name`, which is copied, without accumulators. Returns the column, valid until the next call. */
struct col *spec_col_add(struct spec *p, const char *name);

/* Adds the aggregate s[0..n): NAME, NAME(FIELD) or NAME(FIELD,ARGUMENT). `text` is the aggregate as the
 * user typed it. The aggregate counts the events for which the expression `when` is true (NULL: all events). Dies if
 * the aggregate is wrong. */
void spec_agg(struct spec *p, const char *s, size_t n, const char *text, const char *when);
/* Returns true if the values of an aggregate are times. */
bool spec_agg_time(const struct spec *p, const struct agg *a);
/* Adds a column to the table; its heading is a copy of `label`. Returns the column, valid until the next call. */
struct shown *spec_show(struct spec *p, const char *label);
/* Returns the length of s up to a comma outside of parentheses, braces and quotes. */
size_t item_length(const char *s);
/* Returns what the aggregate with this name measures, or -1. An expr_aggregate (expr/expr_tree.h). */
int spec_measure(const char *name, size_t n, bool bare);
/* Returns the expression of a computed field; for any other field, its name. */
const char *spec_text(const struct spec *p, const char *name);
/* Returns the heading of the column of key i. */
static inline const char *
spec_key_label(const struct spec *p, size_t i)
{
	return p->key_label[i] ? p->key_label[i] : p->key[i];
}

/* Returns the name of the i-th aggregate, from 0; NULL after the last. */
const char *spec_aggregate(size_t i);

#endif
