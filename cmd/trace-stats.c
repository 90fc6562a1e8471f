/* trace-stats - count, sum and describe the events of traces */
#include <stdlib.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/filter.h"
#include "input/trace.h"
#include "stats/answer.h"
#include "stats/partial.h"
#include "summary/columns.h"
#include "summary/live.h"
#include "work/work.h"

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
    {O_FROM_FIRST, "from-first", NULL, "windows from the first event on", "p chunk follow"},
    {'A', "absolute", NULL, "windows by the clock, as dates in UTC", "origin from-first m"},
    {O_NO_EMPTY, "no-empty", NULL, "no rows for windows without events", NULL},
    {O_ACCURACY, "accuracy", "BITS", "percentiles: 2^BITS parts of a power of 2 (7)", NULL},
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "J T"},
    {'m', "merge", NULL, "the inputs are partials: merge them",
     "e g a w origin from-first from to chunk follow O by-time"},
    OPT_THREADS_ROW,
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
    .examples = {"trace-stats Financial1.spc", "trace-stats -w 1s Financial1.spc"},
    .opts = opts,
    .words = words,
    .reads = true,
};

struct options {
	struct common common;
	struct question q;
	bool partial, merge;
	struct summary how;
	const char *of_table; /* an option that only a table has */
	const char *text;     /* -e */
	struct expr *expr;
	struct answer answer;
	struct live live; /* of --follow with windows */
};

/* Of a table: notes that one of its options was given. */
static void
get_table_option(struct options *c, int o)
{
	struct summary *how = &c->how;

	c->of_table = "-S";
	for (const struct opt *row = opts; row->c && o != 'S'; row++)
		if (row->c == o)
			c->of_table = row->name;
	switch (o) {
	case 'S': *PUSH(how->sort, how->nsort, how->sort_cap) = optarg; break;
	case O_HEAD: how->most = num_option("--head", optarg, 1, UINT64_MAX); break;
	case O_HAVING: how->having = optarg; break;
	case O_CSV: how->style = 'C'; break;
	case O_LONG: how->steps = true; break;
	case O_WIDE: how->wide = optarg; break;
	case O_NO_HEADER: how->bare = true; break;
	}
}

static void
get_options(struct options *c, int argc, char **argv)
{
	int o;

	while ((o = opt_next(&program, &c->common, argc, argv)) != -1)
		switch (o) {
		case 'e': c->text = optarg; break;
		case 'g': c->q.keys = optarg; break;
		case 'k': c->q.before = optarg; break;
		case 'a': c->q.aggs = optarg; break;
		case 'w': c->q.window = optarg; break;
		case O_ORIGIN: c->q.from = optarg; break;
		case O_FROM_FIRST: c->q.from = SPEC_FIRST; break;
		case 'A': c->q.from = SPEC_CLOCK; break;
		case O_NO_EMPTY: c->q.empty = false; break;
		case O_ACCURACY:
			c->q.bits = (unsigned)num_option("--accuracy", optarg, 1, 16);
			break;
		case 'p': c->partial = true; break;
		case 'm': c->merge = true; break;
		case 'J':
		case 'T': c->how.style = o; break;
		default: get_table_option(c, o); break;
		}
	c->q.report = !c->q.keys && !c->q.aggs && !c->q.window;
	if (c->q.from && !c->q.window)
		opt_die("--origin and -A are of windows, which -w asks for");
}

/* Dies if the answer to this question cannot be written as it was asked. */
static void
check_form(struct options *c, const struct answer *a)
{
	if (c->how.style == 'T' && !a->q.report)
		opt_die("-T is a form of the report, and these partials are of a table");
	if (c->of_table && a->q.report)
		opt_die(c->merge ? "%s%s is of a table, and these partials are of a report"
				 : "%s%s is of a table, which -g, -a or -w asks for",
			*c->of_table == '-' ? "" : "--", c->of_table);
	summary_check(&c->how, a);
}

/* Dies if events cannot be looked at in order, and the question needs it. */
static void
check_order(const struct options *c)
{
	bool chunk = c->common.read.chunks, before = expr_in_order(c->expr);

	if (!chunk && !c->partial)
		return;
	if (before || !answer_in_parts(&c->answer))
		opt_die(
		    "%s is of a part of the events, and nth, total, prev in -e, and prev "
		    "beside gap, first or last need all events before",
		    chunk ? "--chunk" : "-p");
	if (chunk && !c->partial && answer_in_order(&c->answer))
		opt_die(
		    "--chunk with prev needs -p: what a part begins with is counted by -m");
}

int
main(int argc, char **argv)
{
	static struct options c = {.q = {.bits = SPEC_BITS, .empty = true}};
	struct read_options *read = &c.common.read;
	struct out out;
	int status, fields;

	prog_start(argv[0]);
	get_options(&c, argc, argv);
	argv += optind;
	argc -= optind;
	c.expr = expr_parse(c.text);
	expr_key(c.expr, c.q.before);
	if (!c.merge) {
		answer_open(&c.answer, &c.q);
		check_form(&c, &c.answer);
		check_order(&c);
	}
	if (!out_open(&out, c.common.write.path))
		die("%s:", c.common.write.path);
	out.line |= c.common.write.line;
	if (read->follow && !c.partial)
		live_begin(&c.live, &c.answer, &out, &c.how);
	if (c.merge) {
		inputs_begin(read, (const char *const *)argv, (size_t)argc);
		status = partial_merge(&c.answer, read, argv, (size_t)argc, !c.partial);
		check_form(&c, &c.answer);
	} else
		status = answer_read(&c.answer, read, argv, (size_t)argc, c.expr, c.text);
	if (c.partial) {
		partial_note(&c.answer, c.expr, status);
		partial_write(&c.answer, &out);
	} else if (!summary_put(&c.answer, &out, &c.how))
		status = ST_TROUBLE;
	/* A part of an input need not have all fields: the merge of partials tells. */
	fields = c.partial ? ST_OK : answer_check(&c.answer, read->known);
	if ((fields | expr_finish(c.expr, c.partial)) != ST_OK && !read->chunks)
		status = ST_TROUBLE;
	if ((live_end(&c.live) | having_close(c.how.keeps)) != ST_OK)
		status = ST_TROUBLE;
	status = out_close(&out, status);
	answer_free(&c.answer);
	free(c.how.sort);
	free(c.how.by);
	expr_free(c.expr);
	return status;
}
