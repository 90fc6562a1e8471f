/*
 * diff.h - trace-diff: the tables of two sides, each of one or more runs, compared row by row.
 *
 * trace-stats reads the inputs and makes the tables (diff_ask.c). Rows with equal keys are joined (diff_rows.c), and
 * numbers are compared as exact decimals (diff_value.c). --first compares events instead (diff_first.c).
 */
#ifndef SPOOR_DIFF_H
#define SPOOR_DIFF_H

#include "base/num.h"
#include "run/run.h"
#include "table/table.h"

/* Bound: trace-diff | runs of a side | --old and --new | 30 | runs of a side are compared */
#define RUNS_MOST 30

/* A text in memory that is not freed through it. */
struct cell_text {
	const char *s;
	size_t n;
};

/* One input, and the table that trace-stats made of it. */
struct diff_run {
	const char *path;
	char *asked; /* the question of a partial result; NULL: the input is a trace */
	struct cell_text rows; /* of the table; s is NULL if the input could not be read */
	struct cell_text span; /* time from the first to the last event; or empty */
	unsigned skip;	       /* number of cells of a row before the aggregates */
};

/* The values of the options, and what is compared. */
struct diff {
	const char *test, *keys, *aggs, *window, *key, *having, *sort, *ignore;
	struct num min, ratio; /* thresholds: by default 0 and 1 */
	bool thresholds;       /* --min or --ratio was given */
	bool per_second, progress;
	const char *accuracy; /* of the question of a partial result, or NULL */

	struct diff_run run[2 * RUNS_MOST]; /* nold old runs, then the new ones */
	size_t nold, nruns;

	unsigned nkeys, ncolumns; /* numbers of columns that are keys, and of aggregates */
	struct cell_text *name;	  /* names of all columns */
	struct table table;
};

/* Finds the question. Dies if the options are wrong, or if a partial result answers another question. */
void diff_question(struct diff *d);
/* Asks trace-stats for the table of each run, and prints its messages. Drops the runs that could not be read. Returns
 * the exit status, ST_TROUBLE if an input had errors. The texts of the tables, to which run.rows and d->name point,
 * are never freed. */
int diff_ask(struct diff *d);

/* Returns cell `i` of the row at p, from 0, which must have so many. */
struct cell_text row_cell(const char *p, unsigned i);
/* Returns true if an aggregate of a longer time is greater: a count or a sum. */
bool name_grows(struct cell_text name);
/* Writes the rows that differ. Returns their number. */
uint64_t diff_rows(struct diff *d);

/* Finds the first event that differs between the two inputs, and writes it with three events before it. Returns the exit
 * status. */
int diff_first(struct diff *d);

/* The value that is absent. */
extern const struct cell_text absent;
/* Returns true if both texts are the same bytes. */
bool text_is(struct cell_text a, struct cell_text b);

/* Appends new - old, or "-" if one of them is not a number. */
void value_change(struct buf *b, struct cell_text old, struct cell_text new);
/* Appends new / old with n decimals, or more if they give less than six digits; "-" if one of them is not a number, or
 * old is 0. */
void value_ratio(struct buf *b, struct cell_text old, struct cell_text new, unsigned n);
/* Returns how much new differs from old, without the sign. Returns -1 if they are equal, if they differ by less than `min`,
 * or by less than the factor `ratio` in either direction. An absent value counts as 0. A number differs from 0, and from
 * a number of the other sign, by every factor. Different texts differ by 0. */
double value_differs(struct cell_text old, struct cell_text new, const struct num *min,
		     const struct num *ratio);
/* Sorts n values in place: numbers in ascending order. If one is not a number they stay as they are, and all become "-"
 * if they are not equal. */
void value_sort(struct cell_text *v, size_t n);
/* Appends the exact probability of the two-sided rank-sum test: that ranks which are divided by chance between n and m
 * values deviate at least as far from the expected sum. v: the n values, then the m. Appends "-" if one is not a
 * number. */
void value_ranks(struct buf *b, const struct cell_text *v, size_t n, size_t m);

#endif
