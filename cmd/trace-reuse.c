/* trace-reuse - reuse distances of blocks, and what caches of each size would miss */
#include <stdlib.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "input/trace.h"
#include "reuse/tables.h"
#include "work/work.h"

/* By default. */
#define BLOCK 4096
#define KEYS (1u << 16)

enum {
	O_BLOCK = OPT_LONG,
	O_AT,
	O_BYTES,
	O_HIST,
	O_WORKING_SET,
	O_SUMMARY,
	O_NO_COLD,
	O_APART,
	O_EXACT,
	O_KEYS,
	O_SAMPLE,
	O_SEED,
	O_AET,
	O_ANNOTATE,
	O_CSV,
	O_NO_HEADER,
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'y', "key", "EXPR", "what is referenced; otherwise blocks of bytes", "block bytes"},
    {O_BLOCK, "block", "BYTES", "the length of a block (4096)", NULL},
    {'g', "group", "KEYS", "a memory for each value of these", NULL},
    {O_AT, "at", "SIZES", "rows: log, log:K (K an octave), all, or a list", "w summary"},
    {O_BYTES, "bytes", NULL, "sizes are bytes, not blocks", NULL},
    {O_HIST, "hist", NULL, "references by distance", "w working-set summary"},
    {O_WORKING_SET, "working-set", NULL, "mean working set by references", "w summary"},
    {'w', "window", "TIME", "working set of each window of this length", "summary"},
    {O_SUMMARY, "summary", NULL, "what there is to say of each memory, a line each", NULL},
    {O_NO_COLD, "no-cold", NULL, "first references are no misses",
     "hist w working-set summary"},
    {O_APART, "apart", NULL, "misses of reads and of writes as well",
     "aet hist w working-set summary"},
    {O_EXACT, "exact", NULL, "however many keys there are", "keys sample"},
    {O_KEYS, "keys", "N", "of more keys than these a sample (65536)", NULL},
    {O_SAMPLE, "sample", "RATE", "of a sample from the beginning: 0.01, 1/64", NULL},
    {O_SEED, "seed", "N", "another sample", NULL},
    {O_AET, "aet", NULL, "estimated from reuse times, quicker",
     "hist w working-set summary"},
    {O_ANNOTATE, "annotate", NULL, "write the events with their distances instead", NULL},
    {'p', "partial", NULL, "write what was found, to be merged by -m",
     "at bytes hist working-set w summary no-cold apart aet annotate J csv no-header"},
    {'m', "merge", NULL, "the inputs are partials: merge them",
     "e y block g working-set w summary exact keys sample seed aet annotate j"},
    OPT_THREADS_ROW,
    {'J', "json", NULL, "the table as JSON", "csv no-header"},
    {O_CSV, "csv", NULL, "the table as CSV", NULL},
    {O_NO_HEADER, "no-header", NULL, "the table without its line of names", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {'y', false, field_column_name},
    {'g', true, field_column_name},
    {0},
};

static const struct program program = {
    .about = "reuse distances of blocks, and what caches of each size would miss",
    .operands = "[FILE...]",
    .examples = {"trace-reuse Financial1.spc",
		 "trace-reuse --at 64,1024 --csv Financial1.spc"},
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
};

struct options {
	struct common common;
	struct reuse_question q;
	struct reuse_how how;
	const char *test, *at;
	bool annotate, partial, merge;
};

static void
get_options(struct options *c, int argc, char **argv)
{
	struct reuse_question *q = &c->q;
	struct reuse_how *how = &c->how;
	const struct write_options *w = &c->common.write;
	int o;

	while ((o = opt_next(&program, &c->common, argc, argv)) != -1)
		switch (o) {
		case 'e': c->test = optarg; break;
		case 'y': q->value = optarg; break;
		case O_BLOCK:
			q->block = num_option("--block", optarg, 1, 1ull << 40);
			break;
		case 'g': q->groups = optarg; break;
		case O_AT: c->at = optarg; break;
		case O_BYTES: how->bytes = true; break;
		case O_HIST: how->table = REUSE_HIST; break;
		case O_WORKING_SET: how->table = REUSE_WORKING_SET; break;
		case 'w':
			how->table = REUSE_WINDOWS;
			q->window = optarg;
			break;
		case O_SUMMARY: how->table = REUSE_SUMMARY; break;
		case O_NO_COLD: how->no_cold = true; break;
		case O_APART: how->apart = true; break;
		case O_EXACT: q->most = 0; break;
		case O_KEYS:
			q->most = (uint32_t)num_option("--keys", optarg, 16, 1u << 30);
			break;
		case O_SAMPLE: q->level = reuse_rate(optarg); break;
		case O_SEED: q->seed = num_option("--seed", optarg, 0, UINT64_MAX); break;
		case O_AET: q->flat = true; break;
		case O_ANNOTATE: c->annotate = true; break;
		case 'p': c->partial = true; break;
		case 'm': c->merge = true; break;
		case 'J': how->style = ROWS_JSON; break;
		case O_CSV: how->style = ROWS_CSV; break;
		case O_NO_HEADER: how->bare = true; break;
		}
	/* A form of events asks for events. */
	c->annotate |= w->form || w->header || w->absolute;
	if (c->annotate) {
		if (c->at || how->table || how->style || how->bytes || how->bare ||
		    how->no_cold || how->apart || q->flat || q->level || q->most != KEYS ||
		    c->partial || c->merge)
			opt_die("--annotate writes the events, and keeps all blocks: no "
				"option about tables or samples goes with it");
		q->times = true;
		q->most = 0;
	}
	q->times |=
	    q->flat || how->table == REUSE_WORKING_SET || how->table == REUSE_SUMMARY;
	q->counts = how->table == REUSE_SUMMARY;
	q->flat |= how->table == REUSE_WORKING_SET || how->table == REUSE_WINDOWS;
}

/* What the references add up to. */
static int
table(struct options *c, struct reuse *x, char *const *paths, size_t n, struct expr *expr)
{
	struct read_options *read = &c->common.read;
	struct out out;
	int status, fields;

	if (!out_open(&out, c->common.write.path))
		die("%s:", c->common.write.path);
	if (c->merge) {
		inputs_begin(read, (const char *const *)paths, n);
		status = reuse_partials(x, read, paths, n, c->partial);
	} else {
		x->partial = c->partial;
		status = reuse_read(x, read, paths, n, expr, c->test);
	}
	if (c->partial)
		reuse_partial(x, expr, status, &out);
	else {
		reuse_sizes(&c->how, c->at ? c->at : "log", x->q.block);
		reuse_put(x, &c->how, &out);
	}
	/* A part of an input need not have all fields: the merge of partials tells. */
	fields = c->partial ? ST_OK : reuse_check(x, read->known);
	if ((fields | expr_finish(expr, c->partial)) != ST_OK)
		status = ST_TROUBLE;
	return out_close(&out, status);
}

int
main(int argc, char **argv)
{
	static struct options c = {.q = {.block = BLOCK, .most = KEYS}};
	struct reuse x = {0};
	struct expr *expr;
	int status;

	prog_start(argv[0]);
	get_options(&c, argc, argv);
	expr = expr_parse(c.test);
	if (!c.merge) {
		reuse_open(&x, &c.q);
		opt_in_order(&c.common, expr_in_order(expr) || reuse_in_order(&x));
	}
	argv += optind;
	argc -= optind;
	if (c.annotate)
		status = reuse_annotate(&x, &c.common.write, &c.common.read, argv,
					(size_t)argc, expr);
	else
		status = table(&c, &x, argv, (size_t)argc, expr);
	reuse_free(&x);
	free(c.how.at);
	expr_free(expr);
	return status;
}
