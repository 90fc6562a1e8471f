/*
 * queries.h - what the report of trace-stats asks of a trace: questions of -e, -g, -a and -S, as a table.
 *
 * A question counts events of its formats only, so that it costs the others nothing. To add a question is to add a row to
 * queries.c; trace-stats(1) lists what the report has.
 */
#ifndef SPOOR_QUERIES_H
#define SPOOR_QUERIES_H

#include "stats/stats.h"

struct format_query {
	bool
	    same; /* its events are those of the question before, and so are its keys, or some: one table is of both */
	const char *format; /* names with blanks between; NULL: all, but `but` */
	const char *but;
	const char *
	    name; /* of the section, one word; NULL: its columns belong to the head of the report */
	const char *row; /* the name of the first column */
	const char *title;
	const char *test; /* -e; NULL: all events */
	const char *keys; /* -g */
	/* -a: each column has a name. A % before it: people read its values, from 0 to 1, as percentages. */
	const char *columns;
	const char *sort; /* -S; NULL: rows in the order of their keys */
	unsigned most;	  /* --head; 0 = people see a few rows only */
	unsigned bar;	  /* the column whose share a bar shows, from 1; 0 = none */
	/* There is no row of all rows: an event may count in several, or all is elsewhere. */
	bool overlap;
	bool some; /* rows without a value in the first column are left out */
};

#define EVERY UINT32_MAX /* of asked.most: people see all rows */

/* All questions, *n of them; those that share a table are neighbours. */
const struct format_query *queries(size_t *n);
/* Returns whether a question is one of `format`. */
bool query_takes(const struct format_query *x, const char *format);
/* Makes the spec *p of x and of those behind it that share its table. To be freed by spec_free. Returns how many
 * questions it is of. */
size_t query_spec(const struct format_query *x, struct spec *p, unsigned bits);
/* Returns whether the question behind x shares its table. */
bool query_more(const struct format_query *x);
/* Appends the columns of x as -a takes them. */
void query_columns(struct buf *b, const struct format_query *x);
/* Returns whether people read the k-th column of x as a percentage. */
bool query_percent(const struct format_query *x, size_t k);
/* A number that changes with the questions: partials of another report do not fit. */
uint64_t queries_version(void);

#endif
