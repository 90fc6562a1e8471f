/* grid.h - a table of texts that is written for people, as JSON, or as lines with TABs. */
#ifndef SPOOR_GRID_H
#define SPOOR_GRID_H

#include "base/mem.h"
#include "base/out.h"

#define GRID_COLUMNS 12

/* A cell: what people read, and what programs read ("" = the same; "-" = nothing there). */
struct cell {
	char shown[48];
	char raw[256];
};

struct grid {
	const char *name;		   /* one word: of the section */
	const char *title;		   /* for people */
	const char *column[GRID_COLUMNS];  /* for programs */
	const char *heading[GRID_COLUMNS]; /* for people; NULL = column */
	unsigned ncolumns;		   /* the first names the row */
	struct cell *cell;		   /* ncolumns a row */
	size_t nrows, cap;
	int bar;    /* the column whose share a bar shows, or -1 */
	bool pairs; /* its rows are a name and a value: in JSON, one object */
};

/* A new row, all cells "-". */
struct cell *grid_row(struct grid *g);
/* The row behind all others whose cells say what a limit did to the numbers above them:
 * made when there is none. */
struct cell *grid_limit(struct grid *g);
void grid_free(struct grid *g);

/* Within 80 columns, where long names are cut, and then long numbers rounded; bars:
 * Unicode, to a terminal. */
void grid_people(struct out *o, struct grid *g, bool bars);
void grid_tabs(struct out *o, const struct grid *g);
void grid_json(struct out *o, const struct grid *g, bool first);

#endif
