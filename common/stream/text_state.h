/* text_state.h - what text_read.c (events) and text_header.c (all other lines) share. */
#ifndef SPOOR_TEXT_STATE_H
#define SPOOR_TEXT_STATE_H

#include "stream/text_line.h"

#define CUT_OFF "the stream was cut off: it has a header, but no ##end"

struct text {
	struct text_fast fast;
	struct strtab signature; /* event, hex or not, names and kinds of the arguments */
	uint32_t *type_of;	 /* signature -> type */
	size_t cap;
	struct buf scratch;
	struct arg *args; /* of the line at hand */
	struct span *value;
	size_t args_cap, value_cap;
	bool clock_known;
	bool spoor, ended; /* of the header that is in force: ##spoor, ##end or ##error */
	bool closed; /* its end came after its ##spoor (not so if lines were sorted) */
	bool events; /* since that header */
	size_t meta; /* bytes of metadata since then */
	void (*run)(struct text_fast *f);
};

/*
 * Takes the line l, which begins with '#'. False if it opens a new stream: the events of b
 * must be handed over first, and then the line comes again.
 */
bool text_header_line(struct source *s, struct batch *b, struct span l);

#endif
