/*
 * svg.h - writes a picture as SVG: no script, no outside reference, light and dark as the reader
 * prefers. Coordinates are hundredths of a pixel, so that the bytes are the same everywhere.
 */
#ifndef SPOOR_SVG_H
#define SPOOR_SVG_H

#include "base/compiler.h"
#include "base/mem.h"
#include "trace-plot/palette.h"

enum svg_theme {
	SVG_AUTO,
	SVG_LIGHT,
	SVG_DARK,
};

enum svg_anchor {
	SVG_START,
	SVG_MIDDLE,
	SVG_END,
};

#define PX 100 /* a pixel */

/* The size that was asked for, in hundredths of a pixel; 0: none was. */
struct svg_paper {
	uint64_t w, h, font;	    /* font: the height of letters */
	char width[16], height[16]; /* as they were typed, with their unit */
};

/* Begins a picture of w x h, in twelfths of the height of letters; ends it. `about` is for readers of the screen. */
void svg_begin(struct buf *b, unsigned w, unsigned h, const struct svg_paper *paper,
	       enum svg_theme theme, const char *title, const char *about);
void svg_end(struct buf *b);
/* Appends v, in hundredths: "12.5", "-.07". */
void svg_number(struct buf *b, int64_t v);
/* Appends text of n bytes, cut with an ellipsis to the width of `most` columns, which is in the middle
 * of names, up to SVG_NAME columns, and of sentences at the end, never within a number: markup and bytes that no document may have are escaped. */
#define SVG_NAME 30
void svg_escape(struct buf *b, const void *p, size_t n, size_t most);
/* A picture has at most so many bytes: of one that has more is less shown, and tooltips are shorter. */
#define SVG_MOST 500000u
/* Appends a name for a tooltip, whose other words are not to be cut off: at most 40 bytes. */
void svg_put_short(struct buf *b, const char *name);
/* Tooltips are cut to that many columns until it is called again. */
void svg_told(size_t columns);
/* A tooltip of what has just begun; nothing of NULL. */
void svg_about(struct buf *b, const char *about);
/* A text at x, y with the style `class`: s (quiet), t (small and quiet), n (numbers), h (title). What
 * is wider than `most` columns is cut, and then has all of it as its tooltip; numbers never are: there has
 * to be room. */
void svg_text(struct buf *b, int64_t x, int64_t y, const char *class,
	      enum svg_anchor anchor, const char *text, size_t most);
/* The beginning of its tag. */
void svg_to_text(struct buf *b, int64_t x, int64_t y);
/* A text that reads upwards. */
void svg_text_turned(struct buf *b, int64_t x, int64_t y, const char *class,
		     enum svg_anchor anchor, const char *text, size_t most);
/* In a path: a command with a length or a coordinate, with a point. */
void svg_to(struct buf *b, char command, int64_t v);
void svg_point(struct buf *b, char command, int64_t x, int64_t y);
/* A line of a style: g (grid), a (axis). */
void svg_line(struct buf *b, const char *class, int64_t x1, int64_t y1, int64_t x2,
	      int64_t y2);
/* A filled rectangle: of style f (ground), or of a colour cN, vN. */
void svg_rect(struct buf *b, const char *class, int64_t x, int64_t y, int64_t w, int64_t h);
/* A part of line c for a legend, from x to x + SVG_SAMPLE at y. */
#define SVG_SAMPLE (18 * PX)
void svg_sample(struct buf *b, unsigned c, int64_t x, int64_t y);
/* A swatch of colour c for a legend, its middle at y. */
void svg_swatch(struct buf *b, unsigned c, int64_t x, int64_t y);
/* A path of a style, as printf prints it: appends to b what is drawn. svg_path_end takes a tooltip, or
 * NULL. */
void svg_path(struct buf *b, const char *style, ...) PRINTF(2, 3);
void svg_path_end(struct buf *b, const char *about);
/* A part of the picture with coordinates of its own, which cuts what is outside: from x0 to
 * x0 + w0, and h0 down; svg_end ends it. */
void svg_window(struct buf *b, int64_t x, int64_t y, int64_t w, int64_t h, int64_t x0,
		int64_t w0, int64_t h0);
/* A column of text: the width of a usual character of 12 px, in tenths of a pixel. */
#define SVG_COLUMN 72u
/* Returns whether a text of 12 px needs at most `most` columns, and its width in hundredths of a pixel,
 * cut to these. */
bool svg_fits(const char *text, size_t most);
int64_t svg_width(const char *text, size_t most);

#endif
