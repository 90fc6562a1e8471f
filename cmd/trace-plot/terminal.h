/* terminal.h - what a terminal can show, and the parts of pictures for it. */
#ifndef SPOOR_TERMINAL_H
#define SPOOR_TERMINAL_H

#include "base/mem.h"
#include "trace-plot/scale.h"

struct screen {
	unsigned w, h; /* columns of the whole picture; lines of the drawing */
	bool utf8, colour;
	unsigned now; /* current colour of the text; 0: the terminal's own */
	struct buf *b;
	/* start of the current line in b; columns of the legend in it */
	size_t line, items;
};

/* Finds out what the terminal on descriptor fd can show, if it is one. The width is `columns`, or, if that is
 * 0, COLUMNS, then the terminal's own, then 80. */
void screen_open(struct screen *t, int fd, unsigned columns);
/* Appends s as it is. */
void screen_put(struct screen *t, const char *s);
/* Appends a text of a trace, made safe and cut to `most` columns, and returns the columns used. screen_wide()
 * returns the columns without appending. */
size_t screen_name(struct screen *t, const char *s, size_t most);
size_t screen_wide(const struct screen *t, const char *s, size_t most);
/* Appends a text as lines, broken at its blanks. */
void screen_title(struct screen *t, const char *text);
/* Appends blanks and a name, `end` columns together. */
void screen_right(struct screen *t, const char *s, unsigned end);
/* Ends a line, in the terminal's own colour. Cuts off what is beyond the width. */
void screen_end(struct screen *t);
/* Begins the colour 0xRRGGBB; screen_plain() ends it. */
void screen_colour(struct screen *t, uint32_t rgb);
void screen_plain(struct screen *t);
/* Appends the left border of a line: `label`, or NULL, and the axis at column `at`. A label that is too long
 * has a ~ in its middle. */
void screen_axis(struct screen *t, const char *label, unsigned at);
/* Prints the two lines below a picture: the axis of `w` columns, and the names of its ends. */
void screen_foot(struct screen *t, unsigned at, unsigned w, const char *from,
		 const char *to);
/* Appends an item of a legend, in the colour 0xRRGGBB: a letter, a name of at most LEGEND_NAME columns, and its
 * total or "". Begins a new line if there is no room. */
#define LEGEND_NAME 28
void screen_item(struct screen *t, uint32_t rgb, char letter, const char *name,
		 const char *total);
/* Appends one of five shades from nothing to all, for v of 0 to `of`. */
void screen_shade(struct screen *t, uint64_t v, uint64_t of);
/* Appends a bar of `eighths` eighths of a column. */
void screen_bar(struct screen *t, uint64_t eighths);

#endif
