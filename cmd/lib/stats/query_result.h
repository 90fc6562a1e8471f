/*
 * query_result.h - the counts of one run of trace-stats: a table, or the tables of a report.
 *
 * An answer is made from events or from partials. Answers to the same question can be
 * merged. Only one thread fills an answer.
 */
#ifndef SPOOR_QUERY_RESULT_H
#define SPOOR_QUERY_RESULT_H

#include "expr/filter.h"
#include "stats/queries.h"

#define TABLES_MOST 20

/* The tables of a report that no question asks for: */
enum {
	REPORT_ALL,  /* gaps of all events */
	REPORT_RATE, /* events and bytes by second */
	REPORTS,     /* behind them: tables of questions */
};

struct parts_writer;
struct partial_reader;

/* The question as it was asked: texts of options, or NULL. */
struct query {
	bool report;
	const char *keys, *aggs, *window;
	const char *before; /* -k: the key of prev; NULL: not given */
	const char *from;   /* with windows: where they begin, see spec_from; or NULL */
	const char *more;   /* of who counts more than this: see result_more; or NULL */
	unsigned bits;
	bool empty; /* rows for empty windows */
	bool spread;
};

/* A program that counts more of the same events has lines of its own in a partial: those of a group, whose second
 * field begins with '&'. */
struct result_more {
	/* Reading: the question is known; a line of group r->group. */
	void (*opened)(void *arg);
	void (*line)(void *arg, const struct partial_reader *r);
	void (*write)(void *arg, struct parts_writer *w);
};

struct query_result {
	struct query q;
	const struct result_more *more; /* or NULL */
	void *more_arg;
	char *own[6]; /* texts of the question that nobody else holds */
	size_t ntables;
	const struct format_query
	    *question[TABLES_MOST]; /* the first question of a report's table, or NULL */
	struct exprs *computed[TABLES_MOST]; /* the computed fields of a table; or NULL */
	/* A table of a report is opened when an input of its formats comes: before that, st[i].spec is NULL. */
	struct spec spec[TABLES_MOST];
	struct stats st[TABLES_MOST];
	char format[16];      /* of the inputs that had events, the last by name */
	char other[16];	      /* and the first one, where they have several */
	uint64_t lost;	      /* records that were skipped */
	bool made_up;	      /* times of some input were made up */
	unsigned head_serial; /* source.head_serial of the head that was looked at for that */
	/* Faults of inputs: the first one of each, for the first TROUBLES inputs. */
#define TROUBLES 10
	struct strtab trouble;
	/* Called when events of a batch were counted, with what result_add was given; or NULL. */
	void (*added)(void *arg, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
	void *added_arg;
	/* For partials: fields that -e asks for; those of them that some event had. */
	struct strtab asked, had;
};

/* Begins an answer to the question q with empty tables. The texts of q must live as long.
 * Dies if the question is wrong. */
void result_open(struct query_result *a, const struct query *q);
/*
 * count.c: fills a new answer as work_read does; sets in `read` what is needed of the inputs.
 * Windows from SPEC_FIRST begin with the first event that e is true for, if its time can be
 * known before.
 */
int result_read(struct query_result *a, struct read_options *read, char *const *paths,
		size_t n, struct expr *e, const char *text);
/* Opens table i < ntables, if it is not open. */
void result_table(struct query_result *a, size_t i);
/* Frees what it holds. */
void result_free(void *answer);
/* Returns what the readers must fill in for the open tables: NEED_*. A report also needs what queries_need says
 * of each input. */
unsigned result_need(const struct query_result *a);
/* Returns what the questions about the format of s need of it: for read_options.need_of. */
unsigned queries_need(const struct source *s);
/* Counts the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. */
void result_add(void *answer, struct source *s, const struct batch *b, const uint32_t *pick,
		uint32_t n);
/* Notes that an input of that format had events. */
void result_format(struct query_result *a, const char *format);
/* Notes that an input had the fault `what` (place and reason): a partial passes it on. */
void result_trouble(struct query_result *a, const char *what);
/* To be called when an input has ended. */
void result_done(void *answer, struct source *s);
/* Adds all that `from`, an answer to the same question, has counted. */
void result_merge(void *answer, const void *from);
/* Puts the parts of files together. False if a clock goes back between two parts; with
 * `say`, a message says where. */
bool result_stitch(void *answer, bool say);
/* After that: false, with a message, if a file was read in parts and some are missing. */
bool result_whole(const struct query_result *a);
/* False if a table of a report had more groups than it keeps, because the groups that are
 * kept then depend on the order of the events. Also false if a table is so large that each
 * thread should not have one. */
bool result_exact(const void *answer);
/* Returns whether events must be counted in order by one thread, from the first of an input to its last:
 * something computed looks at events before. */
bool result_in_order(const struct query_result *a);
/* Notes for the partial that -e asks for `field`, and whether some event had it. No part
 * knows whether another has it, so the merge reports it. */
void result_asked(struct query_result *a, const char *field, bool had);
/* Reports fields that no event had: then it gives ST_TROUBLE, else ST_OK. Says how to get
 * durations of the format, where its records have none. */
int result_check(struct query_result *a);

#endif
