/* work.h - one answer by several threads: parts of files, each read by one, then merged. */
#ifndef SPOOR_WORK_H
#define SPOOR_WORK_H

#include "stats/answer.h"
#include "expr/expr.h"

/*
 * Fills a new answer from the inputs paths[0..n) with `threads` threads. Only events that e
 * is true for are counted; e was parsed from `text`, and may be NULL. False, with nothing
 * filled, if that cannot be done, is not worth it, or would not give the result of a single
 * pass: an input is no regular file or has errors (whose messages must come in order), a
 * clock goes back between two parts, or a report is not exact.
 */
bool work_threads(struct answer *a, const struct read_options *opt, char *const *paths,
		  size_t n, unsigned threads, struct expr *e, const char *text);
/* The default number of threads: 2 if the machine has 2 processors or more, else 1. */
unsigned work_default(void);

#endif
