/* trace-reuse - reuse distances of blocks, and what caches of each size would miss */
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "view/field.h"
#include "input/trace.h"
#include "merge/merged.h"
#include "trace-reuse/tables.h"
#include "work/work.h"

/* Defaults. */
#define BLOCK 4096
#define KEYS (1u << 16)

static struct reuse_question q = {.block = BLOCK, .most = KEYS};
static struct reuse_options settings;
static const char *test, *at;
static bool exact, annotate, partial, merge, hist, working_set, summary, json, csv, tsv;

static const char *
rate(void *level, const char *text)
{
	*(unsigned *)level = reuse_rate(text);
	return NULL;
}

static const char *
policy_name(size_t i)
{
	static const char *const names[] = {"lru", "lru-entry", "opt", NULL};

	return names[i];
}

static const char *
policy(void *to, const char *text)
{
	for (size_t i = 0; policy_name(i); i++)
		if (!strcmp(text, policy_name(i))) {
			*(enum reuse_policy *)to = (enum reuse_policy)i;
			return NULL;
		}
	return "lru, lru-entry or opt is expected";
}

static const struct opt opts[] = {
    OPT_EXPR_ROW(&test),
    OPT_KEY_ROW(&q.before),
    {'K', "object", "KEY", "what a cached object is; by default an address", "unit",
     .text = &q.value, .word = field_column_name},
    {0, "weight", "FIELD", "how many references an event stands for (1)", "annotate",
     .text = &q.weight, .word = field_column_name},
    {0, "unit", "SIZE", "the block that is cached or counted (4096)", .number = &q.block,
     .least = 1, .most = 1ull << 40},
    {'g', "group", "KEYS", "a group for each value of these fields", .text = &q.groups,
     .word = field_column_name, .list = true},
    {0, "at", "SIZES", "rows: log, log:K (K an octave), all, or a list", "w summary",
     .text = &at, .list = true},
    {0, "bytes", NULL, "sizes are bytes; with -K objects have sizes",
     .flag = &settings.bytes},
    {0, "hist", NULL, "references by distance", "w working-set summary", .flag = &hist},
    {0, "working-set", NULL, "mean working set by references", "w summary",
     .flag = &working_set},
    {'w', "window", "TIME", "a row for each window of this length", "summary",
     .text = &q.window},
    {0, "summary", NULL, "what there is to say of each memory, a line each",
     .flag = &summary},
    {0, "no-cold", NULL, "first references are no misses", "hist w working-set summary",
     .flag = &settings.no_cold},
    {0, "apart", NULL, "misses of reads and of writes as well",
     "aet hist w working-set summary", .flag = &settings.apart},
    {0, "exact", NULL, "of all keys: no sample", "sample", .flag = &exact},
    {0, "keys", "N", "a sample is kept of more blocks than these", .count = &q.most,
     .least = 16, .most = 1u << 30},
    {0, "sample", "RATE", "of a sample from the beginning: 0.01, 1/64", .take = rate,
     .to = &q.level},
    {0, "seed", "N", "another sample", .number = &q.seed, .most = UINT64_MAX},
    {0, "aet", NULL, "estimated from reuse times, quicker", "hist w working-set summary",
     .flag = &q.flat},
    {0, "policy", "NAME", "what a cache evicts: lru, lru-entry, opt (best)",
     "m aet annotate w working-set summary sample", .take = policy, .to = &q.policy,
     .word = policy_name},
    {0, "annotate", NULL, "write the events with their distances instead",
     .flag = &annotate},
    {'p', "partial", NULL, "write what was counted, to be merged by -m",
     "at hist working-set w summary no-cold apart aet annotate J csv no-header",
     .flag = &partial},
    {'m', "merge", NULL, "the inputs are partial results: merge them",
     "e k K weight unit g working-set w summary exact keys sample seed aet annotate j",
     .flag = &merge},
    OPT_THREADS_ROW,
    {'J', "json", NULL, "the output as JSON", "csv no-header", .flag = &json},
    {0, "csv", NULL, "the table as CSV", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names", "csv J",
     .flag = &tsv},
    {0, "no-header", NULL, "the table without its line of names", .flag = &settings.bare},
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "reuse distances of blocks, and what caches of each size would miss",
    .operands = "[FILE...]",
    .examples = {"trace-reuse Financial1.spc",
		 "trace-reuse --at 64,1024 --csv Financial1.spc"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
};

/* Refuses options that objects with sizes, or the best policy, do not have. */
static void
finish_policy(void)
{
	if (partial && settings.bytes)
		opt_die(
		    "-p: %s",
		    q.value
			? "distances in bytes cannot be merged: they depend on the sizes "
			  "in all previous parts"
			: "give --bytes with -m");
	if (settings.bytes && q.value) {
		if (opt_any("aet w working-set summary"))
			opt_die(
			    "-K --bytes: only --hist and the table of misses count bytes");
		q.objects = settings.objects = true;
	}
	if (q.policy == REUSE_OPT && q.objects)
		opt_die("--policy opt: no quick method is known for objects with sizes: "
			"remove --bytes");
	if (q.policy == REUSE_LRU_ENTRY && (!q.objects || opt_any("hist weight")))
		opt_die(
		    "--policy lru-entry: give -K and --bytes, without --hist and --weight");
	if (q.policy != REUSE_LRU && (partial || common.read.chunks))
		opt_die("--policy %s: a part does not have the next references: remove %s",
			policy_name(q.policy), partial ? "-p" : "--chunk");
}

static void
finish_options(void)
{
	settings.style = json ? TABLE_JSON : csv ? TABLE_CSV : tsv ? TABLE_TSV : TABLE_TABS;
	if (hist)
		settings.table = REUSE_HIST;
	if (working_set)
		settings.table = REUSE_WORKING_SET;
	if (q.window)
		settings.table = REUSE_WINDOWS;
	if (summary)
		settings.table = REUSE_SUMMARY;
	/* Options for a form of events imply --annotate. */
	annotate |= common.write.form || common.write.header || common.write.absolute;
	if (annotate) {
		if (opt_any("at bytes hist working-set w summary no-cold apart exact "
			    "sample aet weight policy p m J csv tsv no-header"))
			opt_die("--annotate writes events: it takes no option about tables "
				"or samples");
		q.times = true;
	}
	finish_policy();
	q.times |= q.policy != REUSE_LRU;
	if (exact || annotate || q.policy != REUSE_LRU) {
		q.all = opt_any("keys") ? q.most : 0;
		q.most = 0;
	}
	q.times |= q.flat || settings.table == REUSE_WORKING_SET ||
		   settings.table == REUSE_SUMMARY;
	q.counts = settings.table == REUSE_SUMMARY;
	q.flat |= settings.table == REUSE_WORKING_SET || settings.table == REUSE_WINDOWS;
}

/* Reads the references, or adds partial results, and writes the table or a partial result. Returns the exit
 * status. */
static int
table(struct reuse *x, struct expr *expr)
{
	struct read_options *read = &common.read;
	struct out out;
	int status, fields;

	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	if (merge) {
		inputs_begin(read, (const char *const *)common.path, common.n);
		status = reuse_partials(x, common.path, common.n, partial);
	} else {
		x->partial = partial;
		status = reuse_read(x, read, common.path, common.n, expr, test);
	}
	if (partial)
		reuse_partial(x, expr, status, &out);
	else {
		if (merge && settings.bytes && x->q.value)
			die("--bytes: the partial results have no sizes of objects");
		if (!q.edge)
			reuse_sizes(&settings, at ? at : "log",
				    x->q.value ? 0 : x->q.block);
		reuse_put(x, &settings, &out);
	}
	/* A part of an input need not have all fields: the merge reports missing ones. */
	fields = partial ? ST_OK : reuse_check(x);
	/* With -e the user has selected events. */
	if (x->advice && !test)
		warn("each step of a request was counted: %s", x->advice);
	if ((fields | expr_finish(expr, partial)) != ST_OK)
		status = ST_TROUBLE;
	return out_close(&out, status);
}

int
main(int argc, char **argv)
{
	struct reuse x = {0};
	struct expr *expr;
	int status;

	opt_read(&program, argc, argv);
	finish_options();
	expr = expr_parse(test);
	expr_key(expr, q.before);
	if (q.objects || q.policy != REUSE_LRU) {
		reuse_sizes(&settings, at ? at : "log",
			    q.objects ? 1
			    : q.value ? 0
				      : q.block);
		reuse_edges(&settings, &q);
	}
	if (!merge) {
		reuse_open(&x, &q);
		expr_refuse_parts(expr_in_order(expr) || reuse_in_order(&x));
	}
	status = annotate ? reuse_annotate(&x, &common.write, &common.read, common.path,
					   common.n, expr)
			  : table(&x, expr);
	reuse_free(&x);
	free(settings.at);
	free(settings.edge);
	expr_free(expr);
	return status;
}
