/* svg.h - writes a picture as SVG: no script, no outside reference, light and dark as the reader prefers.
 * Coordinates are whole hundredths of a pixel, so that the bytes are the same everywhere. */
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

/* The size that was asked for, in hundredths of a pixel; 0: none. */
struct svg_paper {
	uint64_t w, h, font;	    /* font: height of letters */
	char width[16], height[16]; /* as typed, with their unit */
};

/* Begins a picture of w x h, in twelfths of the height of letters. `about` is its description for screen
 * readers. svg_end() ends a picture or a window. */
void svg_begin(struct buf *b, unsigned w, unsigned h, const struct svg_paper *paper,
	       enum svg_theme theme, const char *title, const char *about);
void svg_end(struct buf *b);
/* Appends a text, escaping markup and bytes that XML forbids. If the text is wider than `most` columns, an ellipsis
 * replaces a part: the middle of a name, else the end, but never a part of a number. */
void svg_escape(struct buf *b, const char *text, size_t most, bool name);
/* Limit of a picture in bytes. A larger picture is drawn again with less detail and shorter tooltips. */
#define SVG_MOST 500000u
/* Returns a name for a tooltip, cut to 40 bytes so that the words after it are shown. */
const char *svg_short(const char *name);
/* Sets the limit of tooltips, in columns, until the next call. */
void svg_told(size_t columns);
/* Appends a tooltip to the element that has just begun, unless `about` is NULL. */
void svg_about(struct buf *b, const char *about);
/* Draws a text at x, y with the style `class`: s (quiet), t (small and quiet), n (numbers), h (title). A text
 * wider than `most` columns is cut, as a name if `most` is at most SVG_NAME and the style is neither s nor h, and its
 * tooltip has all of it. Numbers are never cut: there must be room. */
#define SVG_NAME 30
void svg_text(struct buf *b, int64_t x, int64_t y, const char *class,
	      enum svg_anchor anchor, const char *text, size_t most);
/* Begins the tag of a text at x, y; the caller adds attributes and ">". */
void svg_to_text(struct buf *b, int64_t x, int64_t y);
/* Draws a text that reads upwards. */
void svg_text_turned(struct buf *b, int64_t x, int64_t y, const char *class,
		     enum svg_anchor anchor, const char *text, size_t most);
/* Appends a command of a path with a length or a coordinate; svg_point() appends one with a point. */
void svg_to(struct buf *b, char command, int64_t v);
void svg_point(struct buf *b, char command, int64_t x, int64_t y);
/* Appends a rectangle of w x h to a path, from the current point on. */
void svg_box(struct buf *b, int64_t w, int64_t h);
/* Draws a line of a style: g (grid), a (axis). */
void svg_line(struct buf *b, const char *class, int64_t x1, int64_t y1, int64_t x2,
	      int64_t y2);
/* Draws a filled rectangle of style f (ground), or of a colour cN, vN. */
void svg_rect(struct buf *b, const char *class, int64_t x, int64_t y, int64_t w, int64_t h);
/* Draws a sample of line c for a legend, from x to x + SVG_SAMPLE at y. */
#define SVG_SAMPLE (18 * PX)
void svg_sample(struct buf *b, unsigned c, int64_t x, int64_t y);
/* Draws a swatch of colour c for a legend, with its middle at y. */
void svg_swatch(struct buf *b, unsigned c, int64_t x, int64_t y);
/* Begins a path of a style, which is formatted as by printf. The caller appends commands to b, then calls
 * svg_path_end() with a tooltip, or NULL. */
#define svg_path(b, ...) svg_path_begin((b), formatted(__VA_ARGS__))
void svg_path_begin(struct buf *b, const char *class);
void svg_path_end(struct buf *b, const char *about);
/* Begins a part of the picture with its own coordinates, x from x0 to x0 + w0 and y from 0 to h0; what is
 * outside is cut. svg_end() ends it. */
void svg_window(struct buf *b, int64_t x, int64_t y, int64_t w, int64_t h, int64_t x0,
		int64_t w0, int64_t h0);
/* A column of text: the width of an average character of 12 px, in tenths of a pixel. */
#define SVG_COLUMN 72u
/* Returns whether a text of 12 px needs at most `most` columns. svg_width() returns its width in hundredths of
 * a pixel, at most `most` columns. */
bool svg_fits(const char *text, size_t most);
int64_t svg_width(const char *text, size_t most);

#endif
