/* asked.h - makes a section of the report from the answer to one of its questions. */
#ifndef SPOOR_ASKED_H
#define SPOOR_ASKED_H

#include "stats/queries.h"
#include "summary/section.h"

#define ASKED_TITLE 256
#define ASKED_COLUMNS 10

/* An answer that becomes a section. Set the members above the first blank line. */
struct asked_rows {
	const struct format_query *x;
	size_t column;	  /* the first column of this question in the table */
	struct stats *st; /* the counts of the table */
	const char *format;
	/* Gaps between all events, a column of one group, for the row of all rows. NULL: none. */
	const struct stats_column *gaps;
	bool people; /* show the first 32 rows, unless x has a number */

	char title[ASKED_TITLE], heading[ASKED_COLUMNS][32];
	struct spec spec; /* the columns of x alone */
	struct section *s;
	size_t groups, n, most; /* groups; rows so far; limit of rows */
	bool all;		/* the current row is the row of all rows */
	bool time[ASKED_COLUMNS], percent[ASKED_COLUMNS];
	/* possible error of the numbers in that column; NULL: exact */
	const char *limit[ASKED_COLUMNS];
	char limits[ASKED_COLUMNS][16];
};

/* Finds the columns of the question in the table. */
void asked_open(struct asked_rows *rows);
/* Fills s with the rows; its title is in `rows`. Call asked_open first. Returns false if there is no row. */
bool asked_section(struct asked_rows *rows, struct section *s);

#endif
