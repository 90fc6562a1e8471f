/* summary.h - writes an answer: as a table, or as a report for a first look. */
#ifndef SPOOR_SUMMARY_H
#define SPOOR_SUMMARY_H

#include "stats/query_result.h"
#include "summary/command.h"
#include "summary/section.h"

/* A range of windows by their numbers, both ends included. */
struct windows {
	int64_t from, upto;
};

/* How an answer is written. */
struct summary {
	/* 0: for people; 'J': JSON; 'S': lines with TABs; 'C': CSV, for a table; 'H', 'Q': see section_put, for a
	 * report */
	int style;
	const struct asker *asker; /* for 'H' and 'Q' */
	bool bare;		   /* table: without headings */
	bool steps;		   /* table: a row for each step of its hist or cdf */
	const char *having;	   /* table: only rows for which this is true; or NULL */
	struct having *keeps;	   /* `having`, parsed by summary_check */
	/* table: the key whose values become columns; or NULL */
	const char *wide;
	size_t wide_key;     /* number of that key, from summary_check */
	uint64_t most;	     /* table: number of rows; 0 = all */
	const char **sort;   /* table: columns to sort by; with '-' before, descending */
	struct table_by *by; /* `sort`, resolved by summary_check */
	size_t nsort, sort_cap;
	bool section; /* a section of a report, which itself tells what is estimated */
	const struct windows *only; /* table: only rows of these windows; NULL = all */
};

/* Dies if the question has no answer of this form, if `having` is malformed, or if `wide` is no key. Parses `having`, and finds the columns to sort by, as summary_sort
 * does; both stay until the program ends. Call it once, when the question of the answer is known. */
void summary_check(struct summary *opts, const struct query_result *a);
/* Sets opts->by to the columns to sort by, found among the cells of `to`, which are headings. The array stays until the
 * program ends. Dies, and lists all names, if a column does not exist. */
void summary_sort(struct summary *opts, const struct table *to);
/* Writes an answer. The table of a question is lines with TABs (style 0), an array of objects ('J'), or CSV ('C').
 * A report is for people within 80 columns (0), JSON ('J'), or lines of SECTION TAB KEY TAB NAME TAB VALUE ('S').
 * Returns false, after a message, if rows without events were too many to write. */
bool summary_put(struct query_result *a, struct out *o, struct summary *opts);

/* Writes the headings, and a row for each group in order; with spec.empty also for windows without events. Returns
 * false, after a message, if there were too many rows without events, or if a value computed from rows did not fit
 * 64 bits. The caller begins and ends the table. */
bool stats_table_put(struct stats *st, struct table *to, struct summary *opts);

/* A table while it is written. */
struct stats_table {
	/* its groups; for sliding windows, the groups of windows */
	const struct stats *st;
	struct table *to;
	struct summary *summary;
	struct totals totals;
	struct row_values *values; /* see row_values.c */
	/* --wide: the values of the key, as numbers of their texts, and the column of each text; for the current
	 * row, its window, its other keys, and the group of each value. */
	uint32_t *value, *place, *group;
	uint32_t nvalues;
	bool open;
	int64_t window;
	const uint32_t *key;
};

/* Adds the headings to t->to. Without --wide, or if the key of --wide is not asked for, t->st may be NULL. */
void stats_table_names(const struct stats_table *t, const struct spec *spec);
/* Appends the time at which window w begins. */
void stats_table_window(struct buf *b, const struct stats_table *t, int64_t w);
/* Adds a cell for the window, if there are windows, and for each key, whose values are the string numbers key[0..], except
 * key number `without`. With SIZE_MAX all keys have a cell. */
void stats_table_keys(const struct stats_table *t, const uint32_t *key, int64_t window,
		      size_t without);

#endif
