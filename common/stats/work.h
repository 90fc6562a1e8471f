/* work.h - one answer, or other sums, by several threads: parts of files, each read by one, then merged. */
#ifndef SPOOR_WORK_H
#define SPOOR_WORK_H

#include "stats/answer.h"
#include "expr/expr.h"

/* What threads count, each for itself. */
struct work_kind {
	void *(*open)(const void *like); /* another one of the same question, empty */
	void (*add)(void *sums, struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n);
	/* False: the whole must be read in order, by one thread. */
	bool (*exact)(const void *sums);
	void (*done)(void *sums, struct source *s); /* an input has ended; may be NULL */
	void (*merge)(void *to, const void *from);
	void (*free)(void *sums);
};

/*
 * Fills `first`, which is empty, with `threads` threads, as work_count does an answer. False if
 * that cannot be done or is not worth it; `first` is then of no use if *began.
 */
bool work_run(const struct work_kind *kind, void *first, const struct read_options *opt,
	      char *const *paths, size_t n, unsigned threads, struct expr *e,
	      const char *text, bool *began);

/*
 * Fills a new answer from the inputs paths[0..n), which are read as `read` says; sets there
 * what is needed of them. Only events that e is true for are counted; e was parsed from
 * `text`, and may be NULL. Windows from SPEC_FIRST begin with the first of them, if its time
 * can be known before. With up to `threads` threads, but with one if that is not worth it, or
 * would not give the result of a single pass: an input is no regular file or has errors
 * (whose messages must come in order), a clock goes back between two parts, or a report is
 * not exact. Gives ST_OK, or ST_TROUBLE if anything was wrong. The output must be open, see
 * inputs_begin.
 */
int work_count(struct answer *a, struct read_options *read, char *const *paths, size_t n,
	       unsigned threads, struct expr *e, const char *text);
/* The default number of threads: 2 if the machine has 2 processors or more, else 1. */
unsigned work_default(void);

#endif
