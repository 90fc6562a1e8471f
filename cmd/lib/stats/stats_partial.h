/*
 * stats_partial.h - an answer as text, to be merged with others.
 *
 * Lines of KEY TAB FIELD TAB INTEGER; each line adds to the number that it names. So lines
 * of many partials may come in any order, as long as a header comes first and a trailer
 * last: cat, or LC_ALL=C sort, keep that.
 *
 *	#	spoor-stats 5 ...		1	the question; 1 partial
 *	%a	...			N	of table a: times, names, parts of files
 *	a=KEY	...			N	of a group
 *	~	lines			N	how many of the last two kinds there are
 */
#ifndef SPOOR_PARTIAL_H
#define SPOOR_PARTIAL_H

#include "stats/query_result.h"
#include "base/in.h"
#include "expr/filter.h"

/* Writes an answer to o. The first and the last line are written even without events. */
void partial_write(struct query_result *a, struct out *o);
/*
 * Adds the partials in the file `path` ("-" = standard input) to an answer. *opened: whether
 * the answer has its question yet; if not, the first header gives it. Dies, with the line,
 * if a partial is malformed, cut or of another question.
 */
void partial_read(struct query_result *a, bool *opened, const char *path);
/* To be called when all partials are read. Dies if a group has no events, or a sum no
 * values: a line was lost. */
void partial_check(const struct query_result *a);

/*
 * Adds all partials at paths[0..n), none means standard input, to an answer without a
 * question; what was wrong when they were made is said. whole: they must be all that there
 * are. Gives ST_OK or ST_TROUBLE.
 */
int partial_merge(struct query_result *a, char *const *paths, size_t n, bool whole);
/* Notes in an answer what the merge of its partial must know: the fields that e asked for
 * (NULL = none), and that `status` is not ST_OK. Before partial_write. */
void partial_note(struct query_result *a, const struct expr *e, int status);

#endif
