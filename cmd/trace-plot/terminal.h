/* terminal.h - what a terminal can show, and the parts that pictures for it are made of. */
#ifndef SPOOR_TERMINAL_H
#define SPOOR_TERMINAL_H

#include "base/mem.h"
#include "trace-plot/scale.h"

struct screen {
	unsigned w, h; /* columns of the whole picture; lines of what is drawn */
	bool utf8, colour;
	unsigned now; /* the colour that the text has; 0: the terminal's own */
	struct buf *b;
	size_t line, items; /* where the line begins; columns of the legend in it */
};

/* Finds out about the terminal on descriptor fd, if it is one. columns 0: COLUMNS, then the
 * terminal's own, then 80. */
void screen_open(struct screen *t, int fd, unsigned columns);
/* Appends s as it is. */
void screen_put(struct screen *t, const char *s);
/* Appends a text of a trace, made safe and cut to `most` columns. Gives these, as does screen_wide,
 * which appends nothing. */
size_t screen_name(struct screen *t, const char *s, size_t most);
size_t screen_wide(const struct screen *t, const char *s, size_t most);
/* Lines of a text, broken at its blanks. Frees it. */
void screen_title(struct screen *t, struct buf *text);
/* Prints a name behind blanks, so that it ends at column `end`. */
void screen_right(struct screen *t, const char *s, unsigned end);
/* Ends a line, with the terminal's own colour: what is beyond the width is cut off. */
void screen_end(struct screen *t);
/* Begins the colour 0xRRGGBB, and ends it. */
void screen_colour(struct screen *t, uint32_t rgb);
void screen_plain(struct screen *t);
/* Appends the left border of a line: `label`, or NULL, and the axis at column `at`. Where that is too
 * long it has a ~ in its middle. */
void screen_axis(struct screen *t, const char *label, unsigned at);
/* The two lines below: the axis of `w` columns, and what its ends are. */
void screen_foot(struct screen *t, unsigned at, unsigned w, const char *from,
		 const char *to);
/* An item of a legend, in the colour 0xRRGGBB: a letter, a name, cut to that many columns, and its total
 * or "". A new line begins where there is no room. */
#define LEGEND_NAME 28
void screen_item(struct screen *t, uint32_t rgb, char letter, const char *name,
		 const char *total);
/* One of five steps from nothing to all: v of 0 to `of`. */
void screen_shade(struct screen *t, uint64_t v, uint64_t of);
/* A bar of `eighths` of a column. */
void screen_bar(struct screen *t, uint64_t eighths);

#endif
