/*
 * partial.h - an answer as text, to be merged with others.
 *
 * Lines of KEY TAB FIELD TAB INTEGER; every line adds to what it names, so that lines of
 * many partials may be merged in any order, once a header and trailers stand around them:
 * cat, or LC_ALL=C sort, keep that.
 *
 *	#	spoor-stats 4 ...		1	the question; 1 partial
 *	%a	...			N	of table a: times, names, parts of files
 *	a=KEY	...			N	of a group
 *	~	lines			N	how many of the last two kinds there are
 */
#ifndef SPOOR_PARTIAL_H
#define SPOOR_PARTIAL_H

#include "stats/answer.h"
#include "base/in.h"

/* Writes an answer. Its first and last line are there also when it has no events. */
void partial_write(struct answer *a, struct out *o);
/*
 * Adds the partials in a file ("-" = standard input) to an answer. *opened: whether there
 * is a question yet; else the first header gives it. What is malformed, cut or of another
 * question is reported with its line, and the program exits.
 */
void partial_read(struct answer *a, bool *opened, const char *path);
/* What must hold once all partials are read: every group has events, and every sum values.
 * Else the program exits. */
void partial_check(const struct answer *a);

#endif
