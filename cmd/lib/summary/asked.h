/* asked.h - the answer to a question of the report, as a section of it. */
#ifndef SPOOR_ASKED_H
#define SPOOR_ASKED_H

#include "stats/queries.h"
#include "summary/section.h"

#define ASKED_TITLE 256
#define ASKED_COLUMNS 10

/* An answer on its way into a section. Set what stands above the first blank line. */
struct asked_rows {
	const struct format_query *x;
	size_t column;	  /* the first of its columns among those of the table */
	struct stats *st; /* what the table counted */
	const char *format;
	/* Gaps of all events, a column of one group: those of the row of all rows. NULL: there are none. */
	const struct stats_column *gaps;
	bool people; /* the first 32 rows, where x does not say how many */

	char title[ASKED_TITLE], heading[ASKED_COLUMNS][32];
	struct spec spec; /* of x alone */
	struct section *s;
	size_t groups, n, most; /* groups; rows of them; so many rows are wanted */
	bool all;		/* the row in the making is that of all rows */
	bool time[ASKED_COLUMNS], percent[ASKED_COLUMNS];
	const char *limit[ASKED_COLUMNS]; /* how far off a number of that column may be */
	char limits[ASKED_COLUMNS][16];
};

/* Finds the columns. */
void asked_open(struct asked_rows *rows);
/* After that: fills s with the rows; its title is in `rows`. Returns false if there is no row. */
bool asked_section(struct asked_rows *rows, struct section *s);

#endif
