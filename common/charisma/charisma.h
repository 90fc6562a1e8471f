/* charisma.h - the CHARISMA reader: its options, and the layout that it reads with. */
#ifndef SPOOR_CHARISMA_H
#define SPOOR_CHARISMA_H

#include "charisma/charisma_layout.h"
#include "input/source.h"

/* Options of the format. */
struct charisma_options {
	const char *file;	     /* the layout's */
	int64_t preset;		     /* its place in layout_presets, from 1; 0 = none */
	const struct layout *layout; /* which that is; NULL: found out */
	bool no_state; /* no file= and name=, no dur of asynchronous requests */
	/* Requests to look ahead for the end of an asynchronous one. */
	int64_t async_window;
	bool local; /* absolute times are the machine's local ones */
};

extern const struct format fmt_charisma;
/* Returns the layout that s is read with, or NULL if there is none. It is valid until s is closed. */
const struct layout *charisma_layout(const struct source *s);

#endif
