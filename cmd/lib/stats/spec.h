/* spec.h - the question to trace-stats: keys, aggregates, windows, and the
 * fields they need. */
#ifndef SPOOR_SPEC_H
#define SPOOR_SPEC_H

#include "base/num.h"
#include "view/view.h"
#include "expr/exprs.h"
#include "input/source.h"

#define SPEC_BITS 7
#define SPEC_BITS_INTERVALS 12
#define SPEC_STATE ".state" /* a key: the state that an event enters or leaves */
/* A column: how long an event that leaves a state was in it; see COL_INSIDE. */
#define SPEC_INSIDE ".inside"
#define SPEC_INPUT "input" /* a key: the input's name */
#define SPEC_CLOCK "clock" /* of --origin: 1970, as a date */
#define SPEC_FIRST "first" /* of --origin: the first event's time */
/* The beginning of the names of computed fields: no name of an input has it. */
#define COMPUTED "="
#define SPEC_KEYS 64 /* keys at most */

/* Aggregates of which other code must know, beyond their rows in `aggregates`. */
enum agg_kind {
	AGG_PLAIN, /* nothing */
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
	char *text;  /* as it was typed */
	char *plain; /* with the names of computed fields in place of what is computed */
	int col;     /* its field's number in spec.col, or -1 */
	/* A percentile in 10^-8 parts; top's K; hist's width, 0 = powers of 2. */
	uint64_t num;
};

/* The accumulators that are kept for a field in every group: sets of the rows of `accumulators`. */
enum {
	ACC_NUM = 1,	/* number, sum, least, greatest */
	ACC_SQUARE = 2, /* sum of squares */
	ACC_HIST = 4,	/* distribution */
	ACC_SET = 8,	/* distinct values */
	ACC_PAGES = 16, /* distinct values of COL_PAGES */
	ACC_TOP = 32,	/* the most frequent values */
	ACC_ENDS = 64,	/* the first and the last value */
};

/* The kinds of columns. Those behind gap have names that begin with a dot. */
enum col_kind {
	COL_FIELD,
	COL_GAP,	/* time since the group's previous event */
	COL_INSIDE,	/* .inside: time from an enter to the leave that ends it */
	COL_PAGES,	/* .pages: numbers of the 4 KiB that are touched, for distinct */
	COL_SEQUENTIAL, /* .sequential: 1 where addr is where the previous one ended, else 0
			 */
	COL_UNALIGNED,	/* .unaligned: 1 where it begins or ends within 4 KiB, else 0 */
	COL_ENTER, /* .enter: 1 of an event that enters a state, 0 of one that leaves */
	COL_EVENT, /* .event: 1 of each event */
	COL_MARKS = COL_SEQUENTIAL, /* from here on: 0 or 1 */
};

/* A field that aggregates name. */
struct col {
	char *name;
	enum col_kind kind;
	char *when;   /* an expression: only of events that it is true for; NULL = all */
	unsigned acc; /* ACC_* */
	/* Values are counted by intervals of this length; 0 = as they are. Of COL_PAGES and
	 * COL_UNALIGNED: bytes of the unit that stands for 4 KiB; 0 = these. */
	uint64_t div;
	bool div_time; /* the length is in ns */
	bool
	    powers; /* values are counted by powers of two (div is 1), see stats_value.c; */
	bool time;  /* these are of ns or ticks */
};

/* A field that is computed of each event (computed.h). */
struct computed {
	char name[24];
	char *text;
	bool time; /* it measures time */
};

/* A column of the table: an aggregate, or computed of some. */
struct shown {
	char *label;
	bool plain;
	size_t agg; /* plain: its number */
	size_t row; /* else the number among the expressions of `rows` */
};

struct spec {
	char **key;
	char *key_label[SPEC_KEYS]; /* the heads of their columns; NULL: the name */
	size_t nkeys, key_cap;
	size_t nhidden; /* so many of the last keys keep events apart, but not rows */
	struct computed *computed;
	size_t ncomputed, computed_cap;
	struct shown *shown;
	size_t nshown, shown_cap;
	struct exprs *rows; /* -a, where a column is computed; or NULL */
	size_t *agg_of;	    /* by aggregate of that tree: its number among `agg` */
	struct agg *agg;
	size_t naggs, agg_cap;
	struct col *col;
	size_t ncols, col_cap;
	uint64_t window, step; /* in ns or ticks; 0 = no windows */
	uint64_t pane;	       /* what both are multiples of: events are counted by panes */
	bool spread;	       /* events are divided over the windows that they cover */
	bool from_first;       /* windows count from the first event's time, */
	bool from_clock;       /* from 1970, whatever the origin, */
	bool from_time;	       /* or from this one; else from 0 */
	struct num from;
	bool empty;    /* windows without events are rows too */
	unsigned bits; /* of a histogram's sub-buckets */
	unsigned top;  /* the greatest K of top, 0 = none */
	char *when;    /* only events that it is true for; NULL = all */
	bool ends;     /* some column has ACC_ENDS */
	bool times;    /* some column adds or orders times that are computed */
	bool chains;   /* some column depends on the event before */
	bool bytes;    /* some column depends on what addr counts */
	bool rates;    /* some rate is asked */
	bool span;     /* the time of the first and last event is */
	bool
	    ordered; /* mode or top: with more values than counters, the order of events matters */
	bool window_unit;     /* -w has a unit of time */
	uint32_t groups_most; /* of a report: the most groups, or panes; 0 = any number */
};

/*
 * Parses -g keys, -a aggs, -w window (each NULL if it was not given), --spread and --accuracy bits
 * into *p. Dies, with the reason, if one is wrong. Without aggregates there is "count".
 */
void spec_parse(struct spec *p, const char *keys, const char *aggs, const char *window,
		bool spread, unsigned bits);
/* The windows of p count from `text`, a time or "first". Dies if it is neither. */
void spec_from(struct spec *p, const char *text);
/* Frees what p holds. */
void spec_free(struct spec *p);
/*
 * The bits of the buckets of a column, see stats_hist.h. Intervals of equal width are counted by
 * their number: up to 2^(bits+1) each has a bucket of its own.
 */
unsigned spec_bits(const struct spec *p, size_t col);
/* Returns whether times of several inputs are compared or added: then all clocks must have the same
 * unit. */
static inline bool
spec_one_clock(const struct spec *p)
{
	return p->pane || p->rates || p->span || p->chains || p->times;
}
/* Return true if the i-th key, or one of the keys, is the name of the input. */
bool spec_key_input(const struct spec *p, size_t i);
bool spec_by_input(const struct spec *p);
/* Returns which fields the readers must fill in: NEED_*. */
unsigned spec_need(const struct spec *p);
/* Adds the key of n bytes at name. */
void spec_key(struct spec *p, const char *name, size_t n);
/* Adds the column `name` of events that `when` is true for (NULL = all), of
 * which `acc` (ACC_*) is kept. Gives its number, also if it was there. */
int spec_col(struct spec *p, const char *name, const char *when, unsigned acc);

/* Returns whether two conditions, or none (NULL), are the same text. */
bool same_events(const char *when, const char *other);
/* The number of that column; ncols if it is not there. */
size_t spec_col_named(const struct spec *p, const char *name, const char *when);
/* Returns whether the n bytes name a column that is no field, but worked out of requests. */
bool spec_own(const char *name, size_t n);
/* Adds a column of the field `name`, of which nothing is kept yet. */
struct col *spec_col_add(struct spec *p, const char *name);

/* Adds the aggregate s[0..n): NAME, NAME(FIELD) or NAME(FIELD,ARGUMENT); `text`
 * is how it was typed; it is of events that the expression `when` is true for (NULL: all). */
void spec_agg(struct spec *p, const char *s, size_t n, const char *text, const char *when);
/* Returns whether the answers of an aggregate measure time. */
bool spec_agg_time(const struct spec *p, const struct agg *a);
/* Adds a column of that name. */
struct shown *spec_show(struct spec *p, const char *label);
/* The length of s up to a comma that is in no parentheses, braces or quotes. */
size_t item_length(const char *s);
/* An expr_aggregate (expr/expr_tree.h): what the aggregate of that name measures, or -1. */
int spec_measure(const char *name, size_t n, bool bare);
/* Returns the expression that the field of that name is computed by; the name, if it is not. */
const char *spec_text(const struct spec *p, const char *name);
/* The head of the column of key i. */
static inline const char *
spec_key_label(const struct spec *p, size_t i)
{
	return p->key_label[i] ? p->key_label[i] : p->key[i];
}

/* The name of the i-th aggregate, from 0; NULL behind the last. */
const char *spec_aggregate(size_t i);

#endif
