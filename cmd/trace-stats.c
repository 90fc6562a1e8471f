/* trace-stats - count, sum and describe the events of traces */
#include <stdlib.h>
#include <unistd.h>

#include "die.h"
#include "expr.h"
#include "opt.h"
#include "report.h"
#include "stats.h"

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "count only the events that EXPR is true for"},
    {'g', "group", "KEYS", "a row for each value of these fields, with commas between"},
    {'a', "aggregates", "LIST", "count, sum(size), mean(size), min(dur), ..."},
    {0},
};

static const struct program program = {
    .about = "count, sum and describe the events of traces",
    .operands = "[FILE...]",
    .opts = opts,
    .reads = true,
};

int
main(int argc, char **argv)
{
	const char *keys = NULL, *aggs = NULL, *text = NULL;
	struct batch *b;
	uint32_t pick[BATCH];
	struct expr *expr = NULL;
	struct common c = {0};
	struct report report;
	struct spec spec;
	struct stats st;
	struct trace t;
	struct out out;
	bool table;
	int o, status;

	prog_start(argv[0]);
	b = xcalloc(1, sizeof *b);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'e': text = optarg; break;
		case 'g': keys = optarg; break;
		case 'a': aggs = optarg; break;
		}
	}
	table = keys || aggs;
	spec_parse(&spec, keys, aggs, NULL, SPEC_BITS);
	expr = text ? expr_parse(text) : NULL;
	if (!out_open(&out, c.path))
		die("%s:", c.path);
	c.read.need =
	    (table ? spec_need(&spec) : REPORT_NEED) | (text ? expr_need(expr) : 0);
	stats_open(&st, &spec);
	report_open(&report);
	trace_open(&t, &c.read, argv + optind, (size_t)(argc - optind));
	while (trace_next(&t, b)) {
		uint32_t n = text ? expr_run(expr, &t.src, b, pick) : b->n;

		if (table)
			stats_add(&st, &t.src, b, text ? pick : NULL, n);
		else
			report_add(&report, &t.src, b, text ? pick : NULL, n);
	}
	status = trace_close(&t);
	if (table)
		stats_put(&st, &out);
	else
		report_put(&report, &out, t.lost);
	if ((text && expr_finish(expr) != ST_OK) || stats_check(&st) != ST_OK)
		status = ST_TROUBLE;
	if (c.path && status == ST_TROUBLE)
		warn("%s: not written, as not all went well (> keeps what there is)",
		     c.path);
	if (out_close(&out, status != ST_TROUBLE) != ST_OK)
		status = ST_TROUBLE;
	report_free(&report);
	stats_free(&st);
	spec_free(&spec);
	if (text)
		expr_free(expr);
	buf_free(&b->own);
	free(b);
	return status;
}
