/* text_state.h - the text reader's inside: text_read.c has events, text_header.c the rest.
 */
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
	bool closed;	   /* ended after its ##spoor: not so where lines were sorted */
	bool events;	   /* since that header */
	size_t meta;	   /* bytes of metadata since then */
	void (*run)(struct text_fast *f);
};

/*
 * A time or a duration in the clock of the stream: ticks, or seconds with up to nine
 * decimals. NULL, or what is wrong with it.
 */
const char *text_time(bool ticks, const uint8_t *p, size_t n, int64_t *t);

/*
 * A line that begins with '#'. False when it opens a new stream: the batch must be handed
 * over first.
 */
bool text_header_line(struct source *s, struct batch *b, struct span l);

#endif
