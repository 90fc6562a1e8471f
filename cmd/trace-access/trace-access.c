/* trace-access - how regular access to files and blocks is, and who shares them */
#include "trace-access/access_sections.h"
#include "cli/opt.h"
#include "view/field.h"
#include "merge/merged.h"

static struct access_question q = ACCESS_DEFAULTS;
static struct access_options settings;
static const char *test, *keys;
static bool json, csv, tsv;

static const struct opt opts[] = {
    OPT_EXPR_ROW(&test),
    OPT_KEY_ROW(&keys),
    {0, "file", "KEY", "what a file is (file|loc)", .text = &q.file,
     .word = field_column_name},
    {0, "node", "KEY", "who makes requests (loc)", .text = &q.node,
     .word = field_column_name},
    {0, "unit", "SIZE", "the block that is cached or counted (4096)", .number = &q.block,
     .least = 1, .most = 1ull << 40},
    {0, "align", "BYTES", "what FILE_NOT_ALIGNED is about (4096)", .number = &q.align,
     .least = 1, .most = 1ull << 40},
    {0, "keys", "N", "a sample is kept of more blocks than these", .number = &q.keys,
     .least = 16, .most = 1u << 30},
    {0, "near", "BYTES", "what a stream may leave out (64K)", .number = &q.near,
     .most = 1ull << 40},
    {0, "max-streams", "N", "streams of a file that may go on (16)", .count = &q.memory,
     .least = 1, .most = STREAMS_MOST},
    {'J', "json", NULL, "the output as JSON", "csv no-header", .flag = &json},
    {0, "csv", NULL, "the table as CSV", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names", "csv J",
     .flag = &tsv},
    {0, "html", NULL, "a report as HTML tables, for a page", "csv tsv J no-header",
     .flag = &settings.html},
    {0, "no-header", NULL, "the table without its line of names", .flag = &settings.bare},
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "how regular access to files and blocks is, and who shares them",
    .operands = "[SECTION...] [FILE...]",
    .operand = access_section_name,
    .examples = {"trace-access hot Financial1.spc",
		 "trace-access --csv runs trace.chr > runs.csv"},
    .opts = opts,
    .reads = true,
};

/* Sets the form of the output: a table for one section, a report for several. */
static void
choose_form(void)
{
	unsigned *asked = &q.sections;

	settings.style = json ? TABLE_JSON : csv ? TABLE_CSV : tsv ? TABLE_TSV : TABLE_TABS;
	q.chosen = *asked != 0;
	if (!*asked)
		*asked = (1u << ACCESS_SECTIONS) - 1;
	settings.report = *asked & (*asked - 1);
	if (settings.html && !settings.report)
		opt_die("--html is for reports: name several sections, or none");
	if (settings.report && (csv || settings.bare))
		opt_die("%s is for the table of one section: name a section",
			settings.bare ? "--no-header" : "--csv");
}

int
main(int argc, char **argv)
{
	struct access x;
	struct expr *expr;
	enum access_section section;
	struct out out;
	int status;

	opt_read(&program, argc, argv);
	while (common.n && (section = access_section(*common.path)) < ACCESS_SECTIONS) {
		q.sections |= 1u << section;
		common.path++;
		common.n--;
	}
	choose_form();
	common.read.merge = &merge_by_time.is;
	expr = expr_parse(test);
	expr_key(expr, keys);
	access_open(&x, &q);
	expr_refuse_parts(expr_in_order(expr) || access_in_order(&x));
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	status = access_read(&x, &common.read, common.path, common.n, expr);
	if (expr_finish(expr, false) != ST_OK || access_finish(&x) != ST_OK)
		status = ST_TROUBLE;
	access_put(&x, &settings, &out);
	status = out_close(&out, status);
	access_free(&x);
	expr_free(expr);
	return status;
}
