/* work.h - from traces to sums: by several threads, each of which reads parts of files, or by one. */
#ifndef SPOOR_WORK_H
#define SPOOR_WORK_H

#include "expr/filter.h"

/* What is counted, by each thread for itself. */
struct work_kind {
	size_t size; /* bytes of the sums, which zeros begin */
	/* Begins `sums`, empty, with the question of `like`: others, or these, closed. */
	void (*open)(void *sums, const void *like);
	/* Takes events pick[0..n) of b, a batch of s; its first n if pick is NULL. */
	void (*add)(void *sums, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* False: the whole must be read in order, by one thread. */
	bool (*exact)(const void *sums);
	void (*done)(void *sums, struct source *s); /* an input has ended; may be NULL */
	void (*merge)(void *to, const void *from);
	/* Behind all merges: false where parts do not fit one another; without a message, as `say` is
	 * false. May be NULL. */
	bool (*stitch)(void *sums, bool say);
	void (*close)(void *sums); /* frees what they hold */
	/* Each input of these sums, empty, is to be a part of all, which a thread reads for itself; may be
	 * NULL. */
	void (*part)(void *sums);
};

/*
 * Fills `sums`, which are empty, from the inputs paths[0..n), which are read as `read` says.
 * Only events that e is true for are counted; e was parsed from `text`, and may be NULL. By
 * several threads (read_options.threads), unless that is not worth it, or would not give the
 * result of a single pass: parts cannot be told `apart`, an input is no regular file or has
 * errors (whose messages must come in order), parts do not fit, or the sums are not exact.
 * Gives ST_OK, or ST_TROUBLE if anything
 * was wrong. The output must be open, see inputs_begin.
 */
int work_read(const struct work_kind *kind, void *sums, const struct read_options *read,
	      char *const *paths, size_t n, bool apart, struct expr *e, const char *text);

#endif
