/* work.h - one answer by several threads: parts of files, each read by one, then merged. */
#ifndef SPOOR_WORK_H
#define SPOOR_WORK_H

#include "stats/answer.h"
#include "expr/expr.h"

/*
 * Fills a new answer from the inputs with `threads` threads; e, which may be NULL, was
 * parsed from `text`. False, with nothing filled, where it cannot be done, is not worth it,
 * or would not give what one pass gives: no regular files, an input with errors (whose
 * messages must come in order), a clock that goes back between two parts, a report that
 * is not exact.
 */
bool work_threads(struct answer *a, const struct read_options *opt, char *const *paths,
		  size_t n, unsigned threads, struct expr *e, const char *text);
/* How many threads there are by default: 2 where the machine has as many processors. */
unsigned work_default(void);

#endif
