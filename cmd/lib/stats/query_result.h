/*
 * query_result.h - the counts of one run of trace-stats: a table, or the tables of a report.
 *
 * An answer is made from events or from partial results. Answers to the same question can be merged. Only one
 * thread fills an answer.
 */
#ifndef SPOOR_QUERY_RESULT_H
#define SPOOR_QUERY_RESULT_H

#include "expr/filter.h"
#include "stats/queries.h"

#define TABLES_MOST 20

/* The tables of a report that belong to no question. */
enum {
	REPORT_ALL,  /* gaps of all events */
	REPORT_RATE, /* events and bytes by second */
	REPORTS,     /* the tables of questions follow */
};

struct parts_writer;
struct partial_reader;

/* The question: texts of options, or NULL. */
struct query {
	bool report;
	const char *keys, *aggs, *window;
	const char *before; /* argument of -k, the key of prev; NULL: none */
	const char *from;   /* where windows begin, see spec_from; or NULL */
	const char *more;   /* settings of a program with result_more; or NULL */
	unsigned bits;
	bool empty; /* write rows for empty windows */
	bool spread;
};

/* Functions of a program that counts more than the answer. It has its own lines in a partial result: lines of a
 * group whose second field begins with '&'. */
struct result_more {
	/* Called while a partial result is read: `opened` when the question is known, `line` for each line of the
	 * program, of group r->group. `write` writes these lines. */
	void (*opened)(void *arg);
	void (*line)(void *arg, const struct partial_reader *r);
	void (*write)(void *arg, struct parts_writer *w);
};

struct query_result {
	struct query q;
	const struct result_more *more; /* NULL: none */
	void *more_arg;
	char *own[6]; /* memory of the question's texts, if the answer owns them */
	size_t ntables;
	/* for tables of a report: the first question; else NULL */
	const struct format_query *question[TABLES_MOST];
	/* the computed fields of a table; or NULL */
	struct exprs *computed[TABLES_MOST];
	/* A table of a report is opened when the first input in one of the table's formats is read. Before that, st[i].spec is NULL. */
	struct spec spec[TABLES_MOST];
	struct stats st[TABLES_MOST];
	/* format of the inputs with events; of several, the last by name */
	char format[16];
	char other[16]; /* if there are several formats, the first by name */
	uint64_t lost;	/* number of records that were skipped */
	bool made_up;	/* times of some input were made up */
	/* source.head_serial of the head that was last examined for `made_up` */
	unsigned head_serial;
	/* Errors of inputs: the first error of each, for the first TROUBLES inputs. */
#define TROUBLES 10
	struct strtab trouble;
	/* Called with the arguments of result_add after these events were counted. NULL: none. */
	void (*added)(void *arg, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
	void *added_arg;
	/* For partial results: fields that -e uses, and the fields among them that some event had. */
	struct strtab asked, had;
};

/* Begins an answer to the question q, with empty tables. The texts of q must live as long. Dies if the question is
 * wrong. result_free frees it. */
void result_open(struct query_result *a, const struct query *q);
/* Fills a new answer as work_read does, and sets in `read` what the answer needs of the inputs. Windows from
 * SPEC_FIRST begin with the first event that e is true for, if its time can be known before. Returns ST_OK or ST_TROUBLE, as work_read does. In count.c. */
int result_read(struct query_result *a, struct read_options *read, char *const *paths,
		size_t n, struct expr *e, const char *text);
/* Opens table i < ntables, unless it is open. */
void result_table(struct query_result *a, size_t i);
/* Frees what the answer holds. */
void result_free(void *answer);
/* Returns the columns that the readers must fill in for the open tables: NEED_*. A report also needs queries_need
 * of each input. */
unsigned result_need(const struct query_result *a);
/* Returns the columns that the questions about the format of s need: for read_options.need_of. */
unsigned queries_need(const struct source *s);
/* Counts the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. */
void result_add(void *answer, struct source *s, const struct batch *b, const uint32_t *pick,
		uint32_t n);
/* Notes that an input of this format had events. */
void result_format(struct query_result *a, const char *format);
/* Notes that an input had the error `what` (place and reason), for a partial result. */
void result_trouble(struct query_result *a, const char *what);
/* Notes that input s has ended. Call it at the end of each input. */
void result_done(void *answer, struct source *s);
/* Adds everything that `from`, an answer to the same question, has counted. */
void result_merge(void *answer, const void *from);
/* Joins the parts of files. Returns false if a clock goes back between two parts; if `say`, a message tells where. */
bool result_stitch(void *answer, bool say);
/* Returns false, after a message, if a file was read in parts and some are missing. Call it after result_stitch. */
bool result_whole(const struct query_result *a);
/* Returns false if a table of a report had more groups than it keeps, because the groups that are kept then depend
 * on the order of events. */
bool result_exact(const void *answer);
/* Returns true if one thread must count all events of an input in order, because something computed uses previous
 * events. */
bool result_in_order(const struct query_result *a);
/* Notes for a partial result that -e uses `field`, and whether some event had it. Another part may have it, so the
 * merge reports missing fields. */
void result_asked(struct query_result *a, const char *field, bool had);
/* Reports fields that no event had, and how to get durations if the format's records have none. Returns ST_TROUBLE
 * if a field was missing, else ST_OK. */
int result_check(struct query_result *a);

#endif
