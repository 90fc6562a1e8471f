/* text_state.h - shared by text_read.c (events) and text_header.c (all other lines). */
#ifndef SPOOR_TEXT_STATE_H
#define SPOOR_TEXT_STATE_H

#include "stream/text_line.h"

#define CUT_OFF "the stream was cut off: it has a header, but no ##end"

struct text {
	struct text_fast fast;
	/* event, hexadecimal or not, names and kinds of arguments */
	struct strtab signature;
	uint32_t *type_of; /* type, by number of the signature */
	size_t cap;
	struct buf scratch;
	struct arg *args; /* arguments of the current line */
	struct span *value;
	size_t args_cap, value_cap;
	bool clock_known;
	bool spoor, ended; /* the current header has a ##spoor, an ##end or ##error */
	/* ##end came after ##spoor, which is not so if the lines were sorted */
	bool closed;
	bool events; /* events came after the current header */
	size_t meta; /* bytes of metadata since then */
	void (*run)(struct text_fast *f);
};

/* Handles the line l, which begins with '#'. Returns false if it begins a new stream while b has events: the
 * caller must hand these out first, and then pass the line again. */
bool text_header_line(struct source *s, struct batch *b, struct span l);

#endif
