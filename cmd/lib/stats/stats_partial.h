/*
 * stats_partial.h - partial results: an answer as text, which can be merged with others.
 *
 * Lines are KEY TAB FIELD TAB INTEGER. Each line adds to the number that it names. So the lines of many partial
 * results may come in any order, as long as a header comes first and a trailer last; cat, or LC_ALL=C sort, keep
 * that.
 *
 * 	#	spoor-stats 5 ...		1	the question; 1 partial result
 * 	%a	...			N	about table a: times, names, parts of files
 * 	a=KEY	...			N	about a group
 * 	~	lines			N	number of lines of the last two kinds
 */
#ifndef SPOOR_PARTIAL_H
#define SPOOR_PARTIAL_H

#include "stats/query_result.h"
#include "base/in.h"
#include "expr/filter.h"

/* Writes an answer to o as a partial result. The first and the last line are written even without events. */
void partial_write(struct query_result *a, struct out *o);
/* Adds the partial results in the file `path` ("-" = standard input) to an answer. *opened: the answer has its
 * question; if not, the first header gives it. Dies if the file cannot be opened or read, and, with the line, if a
 * partial result is malformed, cut, or answers another question. */
void partial_read(struct query_result *a, bool *opened, const char *path);
/* Dies if a group has no events, or a sum no values, because a line was lost. Call it when all partial results are
 * read. */
void partial_check(const struct query_result *a);

/* Adds all partial results at paths[0..n) (none: standard input) to an answer without a question, and reports the
 * errors noted in them. Returns ST_TROUBLE, after a message, if there are such errors, if parts overlap, or, with
 * `whole`, if parts of a file are missing; without `whole` missing parts are ignored. Dies as partial_read does. */
int partial_merge(struct query_result *a, char *const *paths, size_t n, bool whole);
/* Notes in an answer what the merge of its partial result must know: the fields that e uses (NULL = none), and
 * that `status` is not ST_OK. Call it before partial_write. */
void partial_note(struct query_result *a, const struct expr *e, int status);

#endif
