/* native.h - records of a format as they stood in its inputs: what form_native, -n, asks. */
#ifndef SPOOR_NATIVE_H
#define SPOOR_NATIVE_H

#include "input/source.h"

/* How records of a format are written, where they are not just copied. Each function may be NULL. */
struct native {
	const char *format;
	/* Writes the bytes before the first record of the input s. */
	void (*begin)(struct source *s, struct out *o);
	/* Writes the record of r, which is `raw` in the input; NULL: these bytes. */
	void (*put)(struct source *s, struct out *o, const struct rec *r, struct span raw);
	/* Writes the bytes after the last record of s. */
	void (*end)(struct source *s, struct out *o);
};

#endif
