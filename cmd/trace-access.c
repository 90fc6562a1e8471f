/* trace-access - how regular access to files and blocks is, and who shares them */
#include <stdlib.h>
#include <unistd.h>

#include "access/tables.h"
#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "input/merged.h"

enum {
	O_FILE = OPT_LONG,
	O_NODE,
	O_BLOCK,
	O_ALIGN,
	O_KEYS,
	O_NEAR,
	O_STREAMS,
	O_CSV,
	O_NO_HEADER
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {O_FILE, "file", "KEY", "what a file is (file|loc)", NULL},
    {O_NODE, "node", "KEY", "who makes requests (loc)", NULL},
    {O_BLOCK, "block", "BYTES", "the length of a block (4096)", NULL},
    {O_ALIGN, "align", "BYTES", "what FILE_NOT_ALIGNED is about (4096)", NULL},
    {O_KEYS, "keys", "N", "of more blocks than these a sample (1048576)", NULL},
    {O_NEAR, "near", "BYTES", "what a stream may leave out (64K)", NULL},
    {O_STREAMS, "streams", "N", "streams of a file that may go on (16)", NULL},
    {'J', "json", NULL, "as JSON", "T csv no-header"},
    {'T', "tabs", NULL, "the report as lines with TABs", "csv no-header"},
    {O_CSV, "csv", NULL, "the table of one section as CSV", NULL},
    {O_NO_HEADER, "no-header", NULL, "that table without its line of names", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {O_FILE, false, field_column_name},
    {O_NODE, false, field_column_name},
    {OPT_OPERAND, false, access_section_name},
    {0},
};

static const struct program program = {
    .about = "how regular access to files and blocks is, and who shares them",
    .operands = "[SECTION...] [FILE...]",
    .examples = {"trace-access hot Financial1.spc",
		 "trace-access --csv runs trace.chr > runs.csv"},
    .opts = opts,
    .words = words,
    .reads = true,
};

struct options {
	struct common common;
	struct access_question q;
	struct access_how how;
	const char *test;
};

static void
get_options(struct options *c, int argc, char **argv)
{
	struct access_question *q = &c->q;
	struct access_how *how = &c->how;
	int o;

	while ((o = opt_next(&program, &c->common, argc, argv)) != -1)
		switch (o) {
		case 'e': c->test = optarg; break;
		case O_FILE: q->file = optarg; break;
		case O_NODE: q->node = optarg; break;
		case O_BLOCK:
			q->block = num_option("--block", optarg, 1, 1ull << 40);
			break;
		case O_ALIGN:
			q->align = num_option("--align", optarg, 1, 1ull << 40);
			break;
		case O_KEYS: q->keys = num_option("--keys", optarg, 16, 1u << 30); break;
		case O_NEAR: q->near = num_option("--near", optarg, 0, 1ull << 40); break;
		case O_STREAMS:
			q->memory =
			    (unsigned)num_option("--streams", optarg, 1, STREAMS_MOST);
			break;
		case 'J': how->style = ROWS_JSON; break;
		case 'T': how->tabs = true; break;
		case O_CSV: how->style = ROWS_CSV; break;
		case O_NO_HEADER: how->bare = true; break;
		}
}

/* The sections that word[0..n) begins with are asked for. Gives how many they are. */
static size_t
get_sections(struct options *c, char *const *word, size_t n)
{
	size_t i = 0;

	for (; i < n; i++) {
		enum access_section s = access_section(word[i]);

		if (s == ACCESS_SECTIONS)
			break;
		c->q.sections |= 1u << s;
	}
	return i;
}

/* One section is a table; several, or what is as -T has it, are a report. */
static void
choose_form(struct options *c)
{
	unsigned *asked = &c->q.sections;

	c->q.chosen = *asked != 0;
	if (!*asked)
		*asked = (1u << ACCESS_SECTIONS) - 1;
	c->how.report = c->how.tabs || (*asked & (*asked - 1));
	if (c->how.report && (c->how.style == ROWS_CSV || c->how.bare))
		opt_die("%s is of the table of one section: name one",
			c->how.bare ? "--no-header" : "--csv");
}

int
main(int argc, char **argv)
{
	static const struct merge_options in_time = {
	    .align = ALIGN_ORIGIN, .rescale = true, .pass = true};
	static struct options c = {.q = ACCESS_DEFAULTS};
	struct access x;
	struct expr *expr;
	struct out out;
	size_t first;
	int status;

	prog_start(argv[0]);
	get_options(&c, argc, argv);
	argv += optind;
	argc -= optind;
	first = get_sections(&c, argv, (size_t)argc);
	choose_form(&c);
	if (!c.common.read.merge)
		c.common.read.merge = &in_time;
	expr = expr_parse(c.test);
	access_open(&x, &c.q);
	opt_in_order(&c.common, expr_in_order(expr) || access_in_order(&x));
	if (!out_open(&out, c.common.write.path))
		die("%s:", c.common.write.path);
	status = access_read(&x, &c.common.read, argv + first, (size_t)argc - first, expr);
	if (expr_finish(expr, false) != ST_OK ||
	    access_finish(&x, c.common.read.known) != ST_OK)
		status = ST_TROUBLE;
	access_put(&x, &c.how, &out);
	status = out_close(&out, status);
	access_free(&x);
	expr_free(expr);
	return status;
}
