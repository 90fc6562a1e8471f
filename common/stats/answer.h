/*
 * answer.h - all that one run of trace-stats counts: a table, or the tables of a report.
 *
 * An answer is made from events, or from partials; answers to the same question merge. One
 * thread fills one.
 */
#ifndef SPOOR_ANSWER_H
#define SPOOR_ANSWER_H

#include "stats/extra.h"

/* The tables of a report. */
enum {
	REPORT_EVENT, /* by event */
	REPORT_ALL,   /* gaps of all events */
	REPORT_LOC,   /* by location */
	REPORT_RATE,  /* by second */
	REPORTS,      /* behind them: the sections of extra.h */
};
#define TABLES_MOST (REPORTS + EXTRAS_MOST)

/* As it was asked: texts of options, or NULL. */
struct question {
	bool report;
	const char *keys, *aggs, *window;
	unsigned bits;
	bool empty; /* rows for empty windows */
};

struct answer {
	struct question q;
	char *own[3]; /* texts of the question that nobody else holds */
	size_t ntables;
	struct spec spec[TABLES_MOST];
	struct stats st[TABLES_MOST];
	char format[16]; /* of the inputs that had events, the last by name */
	uint64_t lost;	 /* records that were skipped */
	/* What was wrong with inputs: the first thing of each, of so many inputs. */
#define TROUBLES 10
	struct strtab trouble;
	/* Of partials: fields that -e asks for; those of them that some event had. */
	struct strtab asked, had;
};

/* Empty tables of a question, whose texts must live as long; a wrong one ends the program.
 */
void answer_open(struct answer *a, const struct question *q);
void answer_free(struct answer *a);
/* What the readers must fill in: NEED_*. Of a report, besides what extra_need says. */
unsigned answer_need(const struct answer *a);
void answer_add(struct answer *a, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* Notes that not all of the inputs was read well: a partial passes it on. */
void answer_trouble(struct answer *a, const char *what);
/* An input has ended. */
void answer_done(struct answer *a, const struct source *s);
void answer_merge(struct answer *a, const struct answer *from);
/* Puts the parts of files together. False where a clock goes back between two parts. */
bool answer_stitch(struct answer *a, bool say);
/* After that: false, with a message, where a file was read in parts and some are missing.
 */
bool answer_whole(const struct answer *a);
/* False where a report's table had more groups than it keeps: what is kept then depends on
 * the order of the events; and where one is so large that each thread should not have one.
 */
bool answer_exact(const struct answer *a);
/* Notes a field of -e: no part knows whether another has it, so the merge says. */
void answer_asked(struct answer *a, const char *field, bool had);
/* Reports fields that no event had; of the formats, up to NULL, one may tell how its
 * durations are had. Gives ST_OK or ST_TROUBLE. */
int answer_check(struct answer *a, const struct format *const *known);

#endif
