/* trace-stats - count, sum and describe the events of traces */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/expr.h"
#include "input/trace.h"
#include "stats/answer.h"
#include "stats/first.h"
#include "stats/partial.h"
#include "report/columns.h"
#include "stats/work.h"

enum {
	O_NO_EMPTY = OPT_LONG,
	O_ACCURACY,
	O_CSV,
	O_NO_HEADER,
	O_HEAD,
	O_HAVING,
	O_LONG,
	O_ORIGIN,
	O_FROM_FIRST,
	O_WIDE,
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "count only the events that EXPR is true for", NULL},
    {'g', "group", "KEYS", "a row for each value of these fields: a,b,...", NULL},
    {'a', "aggregates", "LIST", "count, sum(size), p99(dur), top(loc,5), ...", NULL},
    {'w', "window", "TIME[/STEP]", "a row for each window of this length", NULL},
    {O_ORIGIN, "origin", "TIME", "windows count from this time, not from 0", "from-first"},
    {O_FROM_FIRST, "from-first", NULL, "windows count from the first event", "p chunk"},
    {O_NO_EMPTY, "no-empty", NULL, "no rows for windows without events", NULL},
    {O_ACCURACY, "accuracy", "BITS", "of percentiles: 2^BITS parts of a power of two (7)",
     NULL},
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "J T"},
    {'m', "merge", NULL, "the inputs are partials: merge them",
     "e g a w origin from-first chunk O"},
    {'j', "threads", "N", "read a file with N threads", NULL},
    {'S', "sort", "COLUMN", "rows in the order of a column; -COLUMN: backwards", "p T"},
    {O_HAVING, "having", "EXPR", "only rows that it is true for, by column names", "p T"},
    {'k', "key", "KEYS", "the key of prev, nth and total", "m"},
    {O_HEAD, "head", "N", "only the first N rows", "p T"},
    {O_CSV, "csv", NULL, "the table as CSV", "p J T"},
    {O_NO_HEADER, "no-header", NULL, "the table without its line of names", "p J T"},
    {O_LONG, "long", NULL, "a row for each step of the table's hist or cdf",
     "p T wide having"},
    {O_WIDE, "wide", "KEY", "the values of a key side by side, as columns", "p T"},
    {'J', "json", NULL, "the report or the table as JSON", "T"},
    {'T', "tabs", NULL, "the report as lines with TABs", "g a w"},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {'g', true, field_column_name},
    {'a', true, spec_aggregate},
    {O_WIDE, false, field_column_name},
    {0},
};

static const struct program program = {
    .about = "count, sum and describe the events of traces",
    .operands = "[FILE...]",
    .opts = opts,
    .words = words,
    .reads = true,
};

struct run {
	struct answer answer;
	struct expr *expr;
	const char *text;
	struct buf from; /* the text of the first event's time */
	int status;
};

static bool
add(void *arg, struct source *s, const struct batch *b)
{
	struct run *r = arg;
	uint32_t pick[BATCH];

	if (r->expr)
		answer_add(&r->answer, s, b, pick, expr_run(r->expr, s, b, pick));
	else
		answer_add(&r->answer, s, b, NULL, b->n);
	return true;
}

static void
end(void *arg, struct source *s)
{
	struct run *r = arg;

	answer_done(&r->answer, s);
}

struct options {
	struct common common;
	struct question q;
	bool partial, merge;
	unsigned threads;
	struct report how;
	const char *of_table; /* an option that only a table has */
};

static void
get_table_option(struct options *c, int o)
{
	struct report *how = &c->how;

	switch (o) {
	case 'S':
		how->sort =
		    grow(how->sort, &how->sort_cap, how->nsort + 1, sizeof *how->sort);
		how->sort[how->nsort++] = optarg;
		c->of_table = "-S";
		break;
	case O_HEAD:
		c->of_table = "--head";
		how->most = num_option(c->of_table, optarg, 1, UINT64_MAX);
		break;
	case O_HAVING:
		c->of_table = "--having";
		how->having = optarg;
		break;
	case O_CSV:
		c->of_table = "--csv";
		how->style = 'C';
		break;
	case O_LONG:
		c->of_table = "--long";
		how->steps = true;
		break;
	case O_WIDE:
		c->of_table = "--wide";
		how->wide = optarg;
		break;
	case O_NO_HEADER:
		c->of_table = "--no-header";
		how->bare = true;
		break;
	}
}

static void
get_options(struct options *c, struct run *r, int argc, char **argv)
{
	int o;

	while ((o = opt_next(&program, &c->common, argc, argv)) != -1) {
		switch (o) {
		case 'e': r->text = optarg; break;
		case 'g': c->q.keys = optarg; break;
		case 'k': c->q.before = optarg; break;
		case 'a': c->q.aggs = optarg; break;
		case 'w': c->q.window = optarg; break;
		case O_ORIGIN: c->q.from = optarg; break;
		case O_FROM_FIRST: c->q.from = SPEC_FIRST; break;
		case O_NO_EMPTY: c->q.empty = false; break;
		case O_ACCURACY:
			c->q.bits = (unsigned)num_option("--accuracy", optarg, 1, 16);
			break;
		case 'p': c->partial = true; break;
		case 'm': c->merge = true; break;
		case 'j': c->threads = (unsigned)num_option("-j", optarg, 1, 256); break;
		case 'J':
		case 'T': c->how.style = o; break;
		default: get_table_option(c, o); break;
		}
	}
	c->q.report = !c->q.keys && !c->q.aggs && !c->q.window;
	if (c->q.from && !c->q.window)
		opt_die("--origin is of windows, which -w asks for");
}

/* Dies if the answer to this question cannot be written as it was asked. */
static void
check_form(struct options *c, const struct answer *a)
{
	if (c->how.style == 'T' && !a->q.report)
		opt_die("-T is a form of the report, and these partials are of a table");
	if (c->of_table && a->q.report)
		opt_die(c->merge ? "%s is of a table, and these partials are of a report"
				 : "%s is of a table, which -g, -a or -w asks for",
			c->of_table);
	report_check(&c->how, a);
}

/* Dies if events cannot be looked at in order, and the question needs it. */
static void
check_order(const struct options *c, const struct run *r)
{
	bool chunk = c->common.read.chunks, before = r->expr && expr_in_order(r->expr);

	if (!chunk && !c->partial)
		return;
	if (before || !answer_in_parts(&r->answer))
		opt_die(
		    "%s is of a part of the events, and nth, total, prev in -e, and prev "
		    "beside gap, first or last need all events before",
		    chunk ? "--chunk" : "-p");
	if (chunk && !c->partial && answer_in_order(&r->answer))
		opt_die(
		    "--chunk with prev needs -p: what a part begins with is counted by -m");
}

/* The expression of -e, which has seen no events; NULL where there is none. */
static struct expr *
expression(const struct options *c, const struct run *r)
{
	struct expr *e = r->text ? expr_parse(r->text) : NULL;

	if (e && c->q.before)
		expr_key(e, exprs_key_parse(c->q.before));
	return e;
}

/* Windows begin with the first event, if its time can be known before. */
static void
find_first(struct run *r, struct options *c, char *const *paths, size_t n)
{
	struct expr *e = expression(c, r);

	if (first_time(&c->common.read, paths, n, e, &r->from)) {
		c->q.from = (const char *)r->from.p;
		answer_free(&r->answer);
		answer_open(&r->answer, &c->q);
	}
	if (e)
		expr_free(e);
}

/* Reads the traces into the answer, in threads where that is worth it. */
static void
count(struct run *r, struct options *c, char *const *paths, size_t n)
{
	struct read_options *read = &c->common.read;

	read->need = answer_need(&r->answer) | (r->expr ? expr_need(r->expr) : 0);
	if (read->chunks && answer_in_order(&r->answer))
		read->need = NEED_ALL; /* whole events pass from part to part */
	read->need_of = c->q.report ? extra_need : NULL;
	read->twice = c->q.from && !strcmp(c->q.from, SPEC_FIRST);
	if (read->twice)
		find_first(r, c, paths, n);
	if (!work_threads(&r->answer, read, paths, n, c->threads, r->expr, r->text))
		r->status =
		    trace_each(read, paths, n, &(struct consumer){add, NULL, end, r});
}

int
main(int argc, char **argv)
{
	static struct options c = {.q = {.bits = SPEC_BITS, .empty = true}};
	struct run r = {.status = ST_OK};
	struct out out;

	prog_start(argv[0]);
	c.threads = work_default();
	get_options(&c, &r, argc, argv);
	argv += optind;
	argc -= optind;
	r.expr = expression(&c, &r);
	if (!c.merge) {
		answer_open(&r.answer, &c.q);
		check_form(&c, &r.answer);
		check_order(&c, &r);
	}
	if (!out_open(&out, c.common.write.path))
		die("%s:", c.common.write.path);
	out.line |= c.common.write.line;
	if (c.merge) {
		inputs_begin(&c.common.read, (const char *const *)argv, (size_t)argc);
		r.status = partial_merge(&r.answer, &c.common.read, argv, (size_t)argc,
					 !c.partial);
		check_form(&c, &r.answer);
	} else
		count(&r, &c, argv, (size_t)argc);
	if (c.partial) {
		partial_note(&r.answer, r.expr, r.status);
		partial_write(&r.answer, &out);
	} else if (!report_put(&r.answer, &out, &c.how))
		r.status = ST_TROUBLE;
	/* A part of an input need not have all fields: the merge of partials tells. */
	if (!c.partial && answer_check(&r.answer, c.common.read.known) != ST_OK &&
	    !c.common.read.chunks)
		r.status = ST_TROUBLE;
	if (r.expr && expr_finish(r.expr, c.partial) != ST_OK && !c.common.read.chunks)
		r.status = ST_TROUBLE;
	if (having_close(c.how.keeps) != ST_OK)
		r.status = ST_TROUBLE;
	r.status = out_close(&out, r.status);
	answer_free(&r.answer);
	free(c.how.sort);
	free(c.how.by);
	buf_free(&r.from);
	if (r.expr)
		expr_free(r.expr);
	return r.status;
}
