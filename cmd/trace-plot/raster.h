/*
 * raster.h - a picture of cells in lines and columns: each is nothing, or of one class. Classes are the
 * shades of numbers, or a few names. As SVG, and for a terminal.
 */
#ifndef SPOOR_RASTER_H
#define SPOOR_RASTER_H

#include "trace-plot/plot.h"

/* How a class is shown where classes are names. */
struct ink {
	unsigned colour; /* a number of a name's; PLAIN: the terminal's own */
	char letter;	 /* where there is no colour */
	const char *name;
};
#define PLAIN (COLOURS + 1u)

struct raster {
	uint32_t w, h;	      /* columns; lines from the uppermost */
	uint64_t *v;	      /* numbers by line, then by column; or NULL */
	uint64_t least, most; /* of these without 0 */
	uint8_t *c;	      /* classes + 1, in the same order; 0: nothing */
	unsigned classes;
	const struct ink *ink; /* of each class; NULL: they are shades from few to many */
	bool letters;	       /* inks are letters, whatever the terminal can show */
	unsigned
	    inks; /* not 0: of each there are STEPS shades, and line y is of ink y % inks */
};

/* Numbers: line i has the sums of slot[i], or nothing where that is NO_SLOT, of each column of c. */
void raster_sums(struct raster *r, const struct bins *b, const struct time_columns *c,
		 const uint32_t *slot, uint32_t lines);
/* The classes of the numbers: STEPS shades. */
void raster_shade(struct raster *r);
/* The sum of a line's numbers, at most what fits. */
uint64_t raster_line(const struct raster *r, uint32_t y);
void raster_free(struct raster *r);

/* Appends the tooltip of the cell at x, y. */
typedef void raster_told(const struct plot *p, void *of, uint32_t x, uint32_t y,
			 struct buf *text);

/* The places of cells, in hundredths of a pixel. Neighbours of one class are one rectangle, unless there is a
 * gap between them. */
struct tiles {
	int64_t left, top, w, h;
	int64_t gap,
	    below; /* of each cell or line so much is left free, on its right, below it */
	/* NULL, or where each line is: then `top`, `h` and `below` are of no use. */
	const struct strip {
		int64_t top, h;
	} * strips;
	bool relative; /* each counts from the one before */
	/* A cell with nothing beside it is not of class k: it has some ink at any scale, even where it
	 * covers the centre of no pixel. */
	bool alone;
	/* Tooltips: each of at most TOLD_MOST cells has its own, of a picture that was not too
	 * large; of more each class has its numbers of `what`. */
	raster_told *told;
	const struct plot *p;
	void *of;
	enum measure_unit unit;
	const char *what;
};
#define TOLD_MOST 1024u
/* Each class as one path, the first below the others; or each cell. */
void raster_svg(const struct raster *r, struct buf *b, const struct tiles *tiles);

/* Appends the words at both ends of line y of a raster. Returns false if there are none on the left. */
typedef bool raster_edge(const struct plot *p, void *of, uint32_t y, struct buf *left,
			 struct buf *right);
/* Lines of w columns behind column `at`: each shows the greatest class that it has. What is on the
 * right ends `right` columns behind them. */
void raster_screen(const struct raster *r, struct screen *t, unsigned at, unsigned w,
		   unsigned right, raster_edge *edge, const struct plot *p, void *of);

#endif
