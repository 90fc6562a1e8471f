/* trace-stats - count, sum and describe the events of traces */
#include <stdlib.h>

#include "base/die.h"
#include "cli/opt.h"
#include "view/field.h"
#include "expr/filter.h"
#include "input/trace.h"
#include "merge/merged.h"
#include "stats/query_result.h"
#include "stats/stats_partial.h"
#include "summary/row_values.h"
#include "summary/live.h"
#include "work/work.h"

static struct query q = {.bits = SPEC_BITS};
static struct summary settings;
static const char *test;
static bool asked, html, partial, merge, absolute, from_first, no_empty, csv, tsv, json;

static const char *
sort(void *to, const char *column)
{
	(void)to;
	*PUSH(settings.sort, settings.nsort, settings.sort_cap) = column;
	return NULL;
}

static const struct opt opts[] = {
    OPT_EXPR_ROW(&test),
    {'g', "group", "KEYS", "a group for each value of these fields", .text = &q.keys,
     .word = field_column_name, .list = true},
    {'a', "aggregates", "LIST", "what is computed: count, sum(size), ...", .text = &q.aggs,
     .word = spec_aggregate, .list = true},
    {'w', "window", "TIME[/STEP]", "a row for each window of this length",
     .text = &q.window},
    {0, "spread", NULL, "divide each event over the time that it lasts", .flag = &q.spread},
    {0, "origin", "TIME", "windows count from this time, not from 0", "from-first",
     .text = &q.from},
    {0, "from-first", NULL, "windows from the first event on", "p chunk follow",
     .flag = &from_first},
    {'A', "absolute", NULL, "absolute times", "origin from-first m", .flag = &absolute},
    {0, "no-empty", NULL, "no rows for windows without events", .flag = &no_empty},
    {0, "accuracy", "BITS", "percentiles: 2^BITS parts of a power of 2 (7)",
     .count = &q.bits, .least = 1, .most = 16},
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "J",
     .flag = &partial},
    {'m', "merge", NULL, "the inputs are partial results: merge them",
     "e g a w k spread origin from-first from to chunk follow O by-time", .flag = &merge},
    OPT_THREADS_ROW,
    {'S', "sort", "COLUMN", "rows in the order of a column; -COLUMN: backwards", "p",
     .take = sort},
    {0, "having", "EXPR", "only rows that it is true for, by column names", "p having",
     .text = &settings.having},
    OPT_KEY_ROW(&q.before),
    {0, "head", "N", "write only the first N rows or events", "p", .number = &settings.most,
     .least = 1, .most = UINT64_MAX},
    {0, "csv", NULL, "the table as CSV", "p J", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names", "p J csv",
     .flag = &tsv},
    {0, "no-header", NULL, "the table without its line of names", "p J",
     .flag = &settings.bare},
    {0, "long", NULL, "a row for each step of the table's hist or cdf", "p wide having",
     .flag = &settings.steps},
    {0, "wide", "KEY", "the values of a key side by side, as columns", "p",
     .text = &settings.wide, .word = field_column_name},
    {'J', "json", NULL, "the output as JSON", .flag = &json},
    {0, "questions", NULL, "of a report: a command for each of its tables",
     "g a w p m J csv tsv html", .flag = &asked},
    {0, "html", NULL, "a report as HTML tables, for a page", "g a w p J csv tsv",
     .flag = &html},
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "count, sum and describe the events of traces",
    .operands = "[FILE...]",
    .examples = {"trace-stats Financial1.spc", "trace-stats -w 1s Financial1.spc"},
    .opts = opts,
    .reads = true,
};

static void
finish_options(void)
{
	settings.style = json ? 'J' : asked ? 'Q' : html ? 'H' : csv ? 'C' : tsv ? 'S' : 0;
	if (from_first)
		q.from = SPEC_FIRST;
	if (absolute)
		q.from = SPEC_CLOCK;
	q.empty = !no_empty;
	q.report = !q.keys && !q.aggs && !q.window;
	if (q.spread && !q.window)
		opt_die("--spread is for windows: add -w");
	if (q.from && !q.window)
		opt_die("--origin and -A are for windows: add -w");
}

/* Dies if the answer cannot be written in the form that was asked for. */
static void
check_form(const struct query_result *a)
{
	const char *of_table = opt_any("S head having csv long wide no-header");

	if (of_table && a->q.report)
		opt_die(merge
			    ? "%s is for tables, but these partial results are of a report"
			    : "%s is for tables: add -g, -a or -w",
			of_table);
	summary_check(&settings, a);
}

int
main(int argc, char **argv)
{
	static struct query_result answer;
	static struct live live; /* for --follow with windows */
	struct read_options *read = &common.read;
	static struct asker asker;
	struct expr *expr;
	struct out out;
	int status, fields;

	opt_read(&program, argc, argv);
	finish_options();
	asker = (struct asker){.test = test,
			       .key = q.before,
			       .said = (const char *)common.said.p,
			       .nsaid = common.said.n,
			       .paths = common.path,
			       .n = common.n};
	settings.asker = asked || html ? &asker : NULL;
	expr = expr_parse(test);
	expr_key(expr, q.before);
	if (!merge) {
		result_open(&answer, &q);
		check_form(&answer);
		if (read->chunks && (expr_in_order(expr) || result_in_order(&answer)))
			opt_die("--chunk reads a part alone, but prev, nth and total need "
				"all previous events: use one run");
		if ((read->chunks || partial) && answer.spec[0].depths)
			opt_die("%s: depth, depth_most and busy need all events, because "
				"events of two parts may overlap: use one run",
				partial ? "-p" : "--chunk");
	}
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	out.line |= common.write.line;
	if (read->follow && !partial)
		live_begin(&live, &answer, &out, &settings);
	if (merge) {
		inputs_begin(read, (const char *const *)common.path, common.n);
		status = partial_merge(&answer, common.path, common.n, !partial);
		check_form(&answer);
	} else
		status = result_read(&answer, read, common.path, common.n, expr, test);
	if (partial) {
		partial_note(&answer, expr, status);
		partial_write(&answer, &out);
	} else if (!summary_put(&answer, &out, &settings))
		status = ST_TROUBLE;
	/* A part of an input need not have all fields: the merge reports missing ones. */
	fields = partial ? ST_OK : result_check(&answer);
	if ((fields | expr_finish(expr, partial)) != ST_OK && !read->chunks)
		status = ST_TROUBLE;
	if ((live_end(&live) | having_close(settings.keeps)) != ST_OK)
		status = ST_TROUBLE;
	status = out_close(&out, status);
	result_free(&answer);
	free(settings.sort);
	free(settings.by);
	expr_free(expr);
	return status;
}
