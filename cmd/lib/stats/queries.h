/*
 * queries.h - the questions that the report of trace-stats asks: each has the form of -e, -g, -a and -S, and
 * becomes a table.
 *
 * A question only counts events of its formats, so it costs other formats nothing. To add a question, add a row to
 * queries.c; trace-stats(1) lists the sections of the report.
 */
#ifndef SPOOR_QUERIES_H
#define SPOOR_QUERIES_H

#include "stats/stats.h"

struct format_query {
	/* it has the events of the previous question, and all or some of its keys, so that both share a table */
	bool same;
	/* names with blanks between; NULL: all formats except those in `but` */
	const char *format;
	const char *but;
	/* name of the section, one word; NULL: its columns belong to the head of the report */
	const char *name;
	const char *row; /* name of the first column */
	const char *title;
	const char *test; /* as -e; NULL: all events */
	const char *keys; /* as -g */
	/* The columns in the form of -a; each has a name. A % before a name: people see its values, from 0 to 1,
	 * as percentages. */
	const char *columns;
	const char *sort; /* as -S; NULL: rows in order of their keys */
	unsigned most;	  /* as --head; 0 = people see only a few rows */
	unsigned bar;	  /* column whose share a bar shows, from 1; 0 = none */
	/* There is no row of all rows, because an event may count in several, or the total is elsewhere. */
	bool overlap;
	bool some; /* drop rows without a value in the first column */
};

#define EVERY UINT32_MAX /* value of `most`: people see all rows */

/* Returns all questions, *n of them. Those that share a table are neighbours. */
const struct format_query *queries(size_t *n);
/* Returns true if a question applies to `format`. */
bool query_takes(const struct format_query *x, const char *format);
/* Makes the spec *p of x and the following questions that share its table. spec_free frees it. `bits` is the accuracy
 * of percentiles, as of spec_parse. Returns how many questions these are. */
size_t query_spec(const struct format_query *x, struct spec *p, unsigned bits);
/* Returns true if the question after x shares its table. */
bool query_more(const struct format_query *x);
/* Appends the columns of x in the form of -a. */
void query_columns(struct buf *b, const struct format_query *x);
/* Returns true if people see column k of x, from 0, as a percentage. */
bool query_percent(const struct format_query *x, size_t k);
/* Returns a number that changes with the questions: partial results of another report do not fit. */
uint64_t queries_version(void);

#endif
