/* charisma.h - the CHARISMA reader: its options, and the layout that it reads with. */
#ifndef SPOOR_CHARISMA_H
#define SPOOR_CHARISMA_H

#include "charisma/charisma_layout.h"
#include "input/source.h"

/* Options of the format. */
struct charisma_options {
	const char *file; /* path of the layout file, or NULL */
	int64_t preset;	  /* index in layout_presets plus 1; 0 = none */
	/* the layout of `file` or `preset`; NULL = the reader finds a preset that fits */
	const struct layout *layout;
	bool no_state; /* leave out file= and name=, and dur of asynchronous requests */
	/* Number of requests to look ahead for the end of an asynchronous request. */
	int64_t async_window;
	bool local; /* absolute times are in the machine's local time */
};

extern const struct format fmt_charisma;
/* Returns the layout that s is read with, or NULL if there is none. It is valid until s is closed. */
const struct layout *charisma_layout(const struct source *s);

#endif
