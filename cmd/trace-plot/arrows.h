/* arrows.h - messages as arrows over a timeline; another program has matched them. */
#ifndef SPOOR_ARROWS_H
#define SPOOR_ARROWS_H

#include "trace-plot/plot.h"

/* Reads the messages at `path`, as trace-match writes them, into p->arrows. A message starts at the time and
 * loc of its event, and ends `dur` later at the location in the argument `to`. Must be called after p has read
 * its inputs. Returns ST_OK, or ST_TROUBLE after a message. */
int arrows_read(struct plot *p, const struct read_options *opt, const char *path);
/* Returns how many messages are drawn, or "" without --arrows. */
const char *arrows_said(const struct plot *p);
/* Draws the messages over the rows in f. middle(p, f, name) returns the y of the middle of the row of a name. Does nothing
 * without --arrows. */
void arrows_svg(const struct plot *p, struct buf *b, const struct frame *f,
		int64_t (*middle)(const struct plot *p, const struct frame *f,
				  uint32_t name));

#endif
