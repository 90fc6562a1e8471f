/* grid.h - a table of texts that is written for people, as JSON, or as lines with TABs. */
#ifndef SPOOR_GRID_H
#define SPOOR_GRID_H

#include "base/mem.h"
#include "base/out.h"

#define GRID_COLUMNS 16

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

/* Adds a row whose cells are all "-". Gives its first cell, good until the next call. */
struct cell *grid_row(struct grid *g);
/* The last row, (limit), whose cells say how a limit changed the numbers above them. It is
 * made if there is none. */
struct cell *grid_limit(struct grid *g);
/* What that row means, for people, below the table; NULL where there is none. */
const char *grid_note(const struct grid *g);
/* Frees the rows. */
void grid_free(struct grid *g);

/* Writes the grid within 80 columns: cuts long names, then rounds long numbers. `bars`: with
 * bars in Unicode, for a terminal. */
void grid_people(struct out *o, struct grid *g, bool bars);
/* Writes the grid as lines with TABs between; as JSON, `first` for the first of an object. */
void grid_tabs(struct out *o, const struct grid *g);
void grid_json(struct out *o, const struct grid *g, bool first);

#endif
