/* trace-diff - compare two runs, or find the first event that differs */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "run/run_words.h"
#include "trace-diff/diff.h"
#include "view/field.h"

static struct diff d = {.ratio = {.whole = 1}};
static bool first, csv, tsv, json;
static uint64_t head;
static const char *new_path[RUNS_MOST];
static size_t nnew;

/* Handles --old and --new. */
static const char *
add_run(void *to, const char *path)
{
	size_t *n = to;

	if (*n == RUNS_MOST)
		opt_die("%s: only %d runs of a side are compared", path, RUNS_MOST);
	if (n == &nnew)
		new_path[*n] = path;
	else
		d.run[*n].path = path;
	++*n;
	return NULL;
}

/* Handles --min and --ratio. */
static const char *
threshold(void *to, const char *text)
{
	const char *why = NULL;
	struct num *num = to;

	d.thresholds = true;
	if (!num_parse(text, strlen(text), NUM_TYPED, num, &why))
		return why;
	if (num->neg || (num == &d.ratio && !num->whole))
		return num->neg ? "must not be negative" : "must be at least 1";
	return NULL;
}

static const struct opt opts[] = {
    OPT_EXPR_ROW(&d.test),
    {'g', "group", "KEYS", "a group for each value of these fields", .text = &d.keys,
     .word = field_column_name, .list = true},
    {'a', "aggregates", "LIST", "what is computed: count, sum(size), ...", .text = &d.aggs,
     .list = true},
    {'w', "window", "TIME[/STEP]", "a row for each window of this length",
     .text = &d.window},
    OPT_KEY_ROW(&d.key),
    {0, "having", "EXPR", "only rows that it is true for, by column names", "having",
     .text = &d.having},
    {'S', "sort", "COLUMN", "the aggregate that sorts and decides (the last)",
     .text = &d.sort},
    {0, "min", "N", "only rows that change by at least this much", .take = threshold,
     .to = &d.min},
    {0, "ratio", "N", "only rows that change by this factor, up or down", .take = threshold,
     .to = &d.ratio},
    {0, "per-second", NULL, "divide counts and sums by the span of their side", "w",
     .flag = &d.per_second},
    {0, "old", "FILE", "a run of the old side; again for each further run", .take = add_run,
     .to = &d.nold},
    {0, "new", "FILE", "a run of the new side; again for each further run", .take = add_run,
     .to = &nnew},
    {0, "first", NULL, "find the first event that differs",
     "g a w having S min ratio per-second head progress j", .flag = &first},
    {0, "ignore", "COLUMNS", "of --first: columns and arguments that may differ",
     .text = &d.ignore, .word = field_column_name, .list = true},
    {0, "head", "N", "write only the first N rows or events", .number = &head, .least = 1,
     .most = UINT64_MAX},
    {0, "csv", NULL, "the table as CSV", "J", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names", "J csv",
     .flag = &tsv},
    {'J', "json", NULL, "the output as JSON", .flag = &json},
    {'j', "threads", "N", "read with N threads", .kept = true},
    {0, "progress", NULL, "tell every second how far the run is", .flag = &d.progress},
    RUN_INPUT_ROWS,
    {0},
};

static const struct program program = {
    .about = "compare two runs, or find the first event that differs",
    .operands = "OLD [NEW...]",
    .examples = {"trace-diff -g rank -a 'sum(dur)' --ratio 1.05 solver.meta solver.meta",
		 "trace-filter MPI_Init solver.meta | trace-diff -e MPI_Init solver.meta"},
    .opts = opts,
    .reads = true,
    .whole = "compares whole runs: use --from and --to",
};

/* Divides the operands between the sides. */
static void
take_operands(void)
{
	char **path = common.path;
	size_t n = common.n, standard = 0;

	if (!d.nold && n)
		add_run(&d.nold, *path++), n--;
	if (d.nold && !nnew && !n)
		add_run(&nnew, "-");
	while (n--)
		add_run(&nnew, *path++);
	d.nruns = d.nold;
	for (size_t i = 0; i < nnew; i++)
		d.run[d.nruns++].path = new_path[i];
	for (size_t i = 0; i < d.nruns; i++)
		standard += !strcmp(d.run[i].path, "-");
	if (!d.nold || !nnew)
		opt_die("two inputs are expected: OLD NEW");
	if (standard > 1)
		opt_die("standard input can only be one of the inputs");
	if (first && d.nruns > 2)
		opt_die("--first compares one input with one other");
}

/* Runs without the sandbox, because no trace is read here. The programs that are started enter it. */
int
main(int argc, char **argv)
{
	struct out out;
	int status;

	opt_read(&program, argc, argv);
	if (d.ignore && !first)
		opt_die("--ignore is for --first");
	if (common.read.follow)
		opt_die("--follow: runs that have ended are compared");
	take_operands();
	if (!first)
		diff_question(&d);
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	d.table = (struct table){.out = &out,
				 .style = json	? TABLE_JSON
					  : csv ? TABLE_CSV
					  : tsv ? TABLE_TSV
						: TABLE_TABS,
				 .most = head};
	if (first)
		status = diff_first(&d);
	else {
		status = diff_ask(&d);
		if (!d.nold || d.nold == d.nruns)
			status = ST_TROUBLE;
		else if (diff_rows(&d) && status == ST_OK)
			status = ST_NONE;
	}
	return out_close(&out, status);
}
