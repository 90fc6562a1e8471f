/* trace-stats - count, sum and describe the events of traces */
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "expr/expr.h"
#include "input/fault.h"
#include "input/trace.h"
#include "stats/answer.h"
#include "stats/partial.h"
#include "report/report.h"
#include "stats/work.h"

enum {
	O_NO_EMPTY = OPT_LONG,
	O_ACCURACY,
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "count only the events that EXPR is true for", NULL},
    {'g', "group", "KEYS", "a row for each value of these fields: a,b,...", NULL},
    {'a', "aggregates", "LIST", "count, sum(size), p99(dur), top(loc,5), ...", NULL},
    {'w', "window", "TIME[/STEP]", "a row for each window of this length", NULL},
    {O_NO_EMPTY, "no-empty", NULL, "no rows for windows without events", NULL},
    {O_ACCURACY, "accuracy", "BITS", "of percentiles: 2^BITS parts of a power of two (7)",
     NULL},
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "J T"},
    {'m', "merge", NULL, "the inputs are partials: merge them", "e g a w chunk O"},
    {'j', "threads", "N", "read a file with N threads", NULL},
    {'J', "json", NULL, "the report as JSON", "T g a w"},
    {'T', "tabs", NULL, "the report as lines with TABs", "g a w"},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {'g', true, field_column_name},
    {'a', true, spec_aggregate},
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

/* Partials into one answer; whole: they are all that there are. */
static void
merge(struct run *r, const struct read_options *opt, char *const *paths, size_t n,
      bool whole)
{
	bool opened = false;

	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i++)
		partial_read(&r->answer, &opened, paths[i]);
	if (!n)
		partial_read(&r->answer, &opened, "-");
	partial_check(&r->answer);
	if (!answer_stitch(&r->answer, true) || (whole && !answer_whole(&r->answer)))
		r->status = ST_TROUBLE;
	for (uint32_t i = 0; i < r->answer.trouble.n; i++) {
		warn("when the partials were made: %s", r->answer.trouble.v[i].s);
		r->status = ST_TROUBLE;
	}
	if (r->answer.lost) {
		warn("%llu records were skipped when the partials were made",
		     (unsigned long long)r->answer.lost);
		r->status = ST_TROUBLE;
	}
}

int
main(int argc, char **argv)
{
	struct question q = {.bits = SPEC_BITS, .empty = true};
	struct run r = {.status = ST_OK};
	static struct common c;
	struct out out;
	unsigned threads = work_default();
	const char *field;
	bool partial = false, seen, merging = false;
	int o, style = 0;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'e': r.text = optarg; break;
		case 'g': q.keys = optarg; break;
		case 'a': q.aggs = optarg; break;
		case 'w': q.window = optarg; break;
		case O_NO_EMPTY: q.empty = false; break;
		case O_ACCURACY:
			q.bits = (unsigned)num_option("--accuracy", optarg, 1, 16);
			break;
		case 'p': partial = true; break;
		case 'm': merging = true; break;
		case 'j': threads = (unsigned)num_option("-j", optarg, 1, 256); break;
		case 'J':
		case 'T': style = o; break;
		}
	}
	q.report = !q.keys && !q.aggs && !q.window;
	r.expr = r.text ? expr_parse(r.text) : NULL;
	if (!merging)
		answer_open(&r.answer, &q);
	if (!out_open(&out, c.write.path))
		die("%s:", c.write.path);
	out.line |= c.write.line;
	if (merging) {
		merge(&r, &c.read, argv + optind, (size_t)(argc - optind), !partial);
	} else {
		c.read.need = answer_need(&r.answer) | (r.expr ? expr_need(r.expr) : 0);
		c.read.need_of = q.report ? extra_need : NULL;
		if (!work_threads(&r.answer, &c.read, argv + optind,
				  (size_t)(argc - optind), threads, r.expr, r.text))
			r.status =
			    trace_each(&c.read, argv + optind, (size_t)(argc - optind),
				       &(struct consumer){add, NULL, end, &r});
	}
	if (style && !r.answer.q.report)
		opt_die("-%c is a form of the report, and these partials are of a table",
			style);
	if (partial && r.status != ST_OK && !r.answer.trouble.n)
		answer_trouble(&r.answer, "an input could not be read");
	for (size_t i = 0; partial && r.expr && (field = expr_field(r.expr, i, &seen)); i++)
		answer_asked(&r.answer, field, seen);
	if (partial)
		partial_write(&r.answer, &out);
	else if (!report_put(&r.answer, &out, style))
		r.status = ST_TROUBLE;
	/* A part of an input need not have all fields: the merge of partials tells. */
	if (!partial && answer_check(&r.answer, c.read.known) != ST_OK && !c.read.chunks)
		r.status = ST_TROUBLE;
	if (r.expr && expr_finish(r.expr, partial) != ST_OK && !c.read.chunks)
		r.status = ST_TROUBLE;
	r.status = out_close(&out, r.status);
	answer_free(&r.answer);
	if (r.expr)
		expr_free(r.expr);
	return r.status;
}
