/* native.h - writing records as they are in their input: the options of form_native (-n). */
#ifndef SPOOR_NATIVE_H
#define SPOOR_NATIVE_H

#include "input/source.h"

/* How to write records of one format that cannot just be copied. Each function may be NULL. */
struct native {
	const char *format;
	/* Writes the bytes before the first record of the input s. */
	void (*begin)(struct source *s, struct out *o);
	/* Writes the record r, whose bytes in the input are `raw`. NULL = `raw` is copied. */
	void (*put)(struct source *s, struct out *o, const struct rec *r, struct span raw);
	/* Writes the bytes after the last record of s. */
	void (*end)(struct source *s, struct out *o);
};

#endif
