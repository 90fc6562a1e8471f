/* extra_section.h - makes a section of a report of one of extra.h. */
#ifndef SPOOR_EXTRA_SECTION_H
#define SPOOR_EXTRA_SECTION_H

#include "stats/extra.h"
#include "summary/section.h"

#define EXTRA_TITLE 256

/* What the rows of a section are made of. */
struct extra_rows {
	const struct extra *x;
	struct stats *st;    /* what it counted */
	struct stats *whole; /* of the row of all, one group; NULL: that of the rows */
	bool people;	     /* the first 32 rows, where x does not say how many */
	bool parted;	     /* sizes of different rows cannot be added up */
	/* Of extra_section. */
	char title[EXTRA_TITLE];
	struct row *v;
	size_t n;
	struct swide all[EXTRA_CELLS]; /* of SHOW_PART_ALL */
	struct totals totals;
};

/* Fills s with them; its title is in `rows`. False if there is no row. */
bool extra_section(struct extra_rows *rows, struct section *s);

/* *total = the sum over all groups of st of cell x, which is a total. False if there are no
 * values. */
bool extra_total(const struct extra_cell *x, struct stats *st, struct swide *total);

#endif
