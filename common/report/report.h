/* report.h - an answer as it is written: its table, or what a person wants to know first.
 */
#ifndef SPOOR_REPORT_H
#define SPOOR_REPORT_H

#include "output/rows.h"
#include "stats/answer.h"

/* How an answer is written. */
struct report {
	int style; /* 'J': JSON; 'T': a report as lines with TABs; 'C': a table as CSV */
	bool bare; /* a table: without the names of its columns */
	uint64_t most;	   /* a table: the first rows only; 0 = all */
	const char **sort; /* a table: names of columns, with a '-' before: the other way */
	struct rows_by *by; /* what report_check has made of these */
	size_t nsort, sort_cap, by_cap;
};

/* Finds the columns that order the rows. Dies, and lists them all, if there is none of that
 * name. To be called once, when the answer knows its question. */
void report_check(struct report *how, const struct answer *a);
/*
 * Writes an answer. The table of a question that has one is lines with TABs (style 0), an
 * array of objects ('J'), or CSV ('C'). A report is for people within 80 columns (0), JSON
 * ('J'), or lines of SECTION TAB KEY TAB NAME TAB VALUE ('T'). False when rows without
 * events had to be left out, which is said.
 */
bool report_put(struct answer *a, struct out *o, const struct report *how);

/* Names of columns, and a row for each group, in their order: no row without events. False
 * as above. */
bool stats_rows(struct stats *st, struct rows *r);
/* The names of the columns as the cells of a row. */
void stats_names(const struct spec *spec, struct rows *r);

#endif
