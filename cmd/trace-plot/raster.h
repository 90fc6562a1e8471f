/* raster.h - cells in lines and columns, as SVG and for a terminal. A cell is empty, or has a class. Classes
 * are shades of numbers, or a few names. */
#ifndef SPOOR_RASTER_H
#define SPOOR_RASTER_H

#include "trace-plot/plot.h"

/* How a class is shown, if classes are names. */
struct ink {
	unsigned colour; /* number of a colour of names; PLAIN: the terminal's own colour */
	char letter;	 /* for terminals without colour */
	const char *name;
};
#define PLAIN (COLOURS + 1u)

struct raster {
	uint32_t w, h;	      /* columns; lines, the uppermost first */
	uint64_t *v;	      /* numbers by line, then by column; or NULL */
	uint64_t least, most; /* smallest and greatest number above 0 */
	uint8_t *c;	      /* class + 1 of each cell, in the same order; 0: empty */
	unsigned classes;
	/* ink of each class; NULL: classes are shades from few to many */
	const struct ink *ink;
	bool letters;  /* draws letters, whatever the terminal can show */
	unsigned inks; /* not 0: each ink has STEPS shades, and line y has ink y % inks */
	/* words on both sides of each line, or NULL: see raster_edges() */
	const char **left, **right;
};

/* Sets the numbers of `lines` lines: the sums of slot[i], i < n, in each column of c, are added to line[i], or to
 * line i if `line` is NULL. */
void raster_sums(struct raster *r, const struct bins *b, const struct time_columns *c,
		 uint32_t lines, const uint32_t *slot, const uint32_t *line, uint32_t n);
/* Makes room for words on both sides of all lines: there are none. */
void raster_edges(struct raster *r);
/* Sets `least` and `most` to the smallest number above 0 and the greatest number. */
void raster_range(struct raster *r);
/* Sets the classes from the numbers: STEPS shades. */
void raster_shade(struct raster *r);
/* Returns the sum of a line's numbers, at most UINT64_MAX. */
uint64_t raster_line(const struct raster *r, uint32_t y);

/* Returns the tooltip of the cell at x, y. */
typedef const char *raster_told(const struct plot *p, void *of, uint32_t x, uint32_t y);

/* Places of cells, in hundredths of a pixel. Neighbours of one class are one rectangle, unless there is a gap
 * between them. */
struct tiles {
	int64_t left, top, w, h;
	/* gap: free space right of each cell; below: free space below each line */
	int64_t gap, below;
	/* NULL, or the place of each line: then `top`, `h` and `below` are not used. */
	const struct strip {
		int64_t top, h;
	} * strips;
	bool relative; /* coordinates are relative to the previous rectangle */
	/* Cells without neighbours do not have class k, so that they leave some ink at any scale, even if they
	 * cover the centre of no pixel. */
	bool alone;
	/* Tooltips. If there are at most TOLD_MOST cells, and the picture was not too large, each cell has a
	 * tooltip by `told`. Otherwise each class has one, with its range of numbers of `what`. */
	raster_told *told;
	const struct plot *p;
	void *of;
	enum measure_unit unit;
	const char *what;
};
#define TOLD_MOST 1024u
/* Draws each class as one path, lower classes first, or each cell as a path. */
void raster_svg(const struct raster *r, struct buf *b, const struct tiles *tiles);

/* Prints lines of w columns from column `at` on. A column shows the greatest class of its cells. The text on
 * the right ends `right` columns after them. */
void raster_screen(const struct raster *r, const struct plot *p, struct screen *t,
		   unsigned at, unsigned w, unsigned right);

#endif
