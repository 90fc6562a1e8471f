/* work.h - counts events of traces: by several threads, each of which reads parts of files, or by one. */
#ifndef SPOOR_WORK_H
#define SPOOR_WORK_H

#include "expr/filter.h"

/* The sums that each thread counts for itself, and the operations on them. */
struct work_kind {
	size_t size; /* bytes of the sums, which begin as zeros */
	/* Initializes `sums`, which are zeros, with the question of `like`: another struct, or the same one after
	 * close. */
	void (*open)(void *sums, const void *like);
	/* Takes events pick[0..n) of b, a batch of s; its first n if pick is NULL. */
	void (*add)(void *sums, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* Returns false if the input must be read as a whole, in order, by one thread. */
	bool (*exact)(const void *sums);
	void (*done)(void *sums,
		     struct source *s); /* called at the end of an input; may be NULL */
	void (*merge)(void *to, const void *from);
	/* Called after all merges. Returns false if parts do not fit one another; prints a
	 * message only if `say` is true. May be NULL. */
	bool (*stitch)(void *sums, bool say);
	void (*close)(void *sums); /* frees what the sums hold */
	/* Prepares empty sums for reading one part of an input, by one thread. May be NULL. */
	void (*part)(void *sums);
};

/*
 * Counts events of the inputs paths[0..n) in `sums`, which must be empty; `read` says how
 * to read them. Only events that e is true for are counted; e was parsed from `text`, and
 * may be NULL. Several threads (read_options.threads) read unless it does not pay, or would
 * not give the result of a single pass: `apart` is false, an input is not a regular file or
 * has errors (whose messages must come in order), parts do not fit, or the sums are not
 * exact. Returns ST_OK, or ST_TROUBLE after any error. The output must be open, see
 * inputs_begin.
 */
int work_read(const struct work_kind *kind, void *sums, const struct read_options *read,
	      char *const *paths, size_t n, bool apart, struct expr *e, const char *text);

#endif
