/* summary.h - an answer as it is written: its table, or what a person wants to know first.
 */
#ifndef SPOOR_SUMMARY_H
#define SPOOR_SUMMARY_H

#include "stats/query_result.h"
#include "summary/command.h"
#include "summary/section.h"

/* Windows by their numbers, both ends included. */
struct windows {
	int64_t from, upto;
};

/* How an answer is written. */
struct summary {
	int style; /* 'J': JSON; 'S': lines with TABs; 'C': a table as CSV; 'H', 'Q': section_put's, of a report */
	const struct asker *asker; /* of 'H', 'Q' */
	bool bare;		   /* a table: without the names of its columns */
	bool steps;		   /* a table: a row for each step of its hist or cdf */
	const char *having;	   /* a table: only rows that this is true for; or NULL */
	struct having *keeps;	   /* what summary_check has made of it */
	const char *wide;	   /* a table: the key whose values are columns; or NULL */
	size_t wide_key;	   /* its number among the keys, from summary_check */
	uint64_t most;		   /* a table: the first rows only; 0 = all */
	const char **sort; /* a table: names of columns, with a '-' before: the other way */
	struct table_by *by; /* what summary_check has made of these */
	size_t nsort, sort_cap;
	bool section; /* a section of a report, which says itself what is estimated */
	const struct windows *only; /* a table: rows of these windows; NULL = of all */
};

/* Dies if a question has no answer of this form. Finds the columns that order the rows, as
 * summary_sort does. To be called once, when the answer knows its question. */
void summary_check(struct summary *opts, const struct query_result *a);
/* Finds the columns that order the rows among the cells of `to`, which are their names. Dies,
 * and lists them all, if there is none of that name. */
void summary_sort(struct summary *opts, const struct table *to);
/*
 * Writes an answer. The table of a question that has one is lines with TABs (style 0), an
 * array of objects ('J'), or CSV ('C'). A report is for people within 80 columns (0), JSON
 * ('J'), or lines of SECTION TAB KEY TAB NAME TAB VALUE ('S'). False when rows without
 * events had to be left out, which is said.
 */
bool summary_put(struct query_result *a, struct out *o, struct summary *opts);

/* Names of columns, and a row for each group, in their order: no row without events. False
 * as above. */
bool stats_table_put(struct stats *st, struct table *to, struct summary *opts);

/* A table on its way out. */
struct stats_table {
	const struct stats *st; /* its groups; with windows that slide, those */
	struct table *to;
	struct summary *summary;
	struct totals totals;
	struct row_values *values; /* row_values.c */
	/* --wide: the values of a key, by the numbers of their texts, and their places;
	 * the row in the making: of a window and the other keys; the group of each value. */
	uint32_t *value, *place, *group;
	uint32_t nvalues;
	bool open;
	int64_t window;
	const uint32_t *key;
};

/* The names of the columns as the cells of a row; t->st may be NULL where the key of no
 * --wide asks for it. */
void stats_table_names(const struct stats_table *t, const struct spec *spec);
/* Appends the time that window w begins at. */
void stats_table_window(struct buf *b, const struct stats_table *t, int64_t w);
/* The cells of a window and its keys, where there are: all but the key `without`. */
void stats_table_keys(const struct stats_table *t, const uint32_t *key, int64_t window,
		      size_t without);

#endif
