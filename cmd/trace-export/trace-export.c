/* trace-export - write events for other programs */
#include "cli/opt.h"
#include "view/field.h"
#include "merge/merged.h"
#include "trace-export/export_read.h"

static struct event_copy pass;
static struct export_options settings;
static const char *name = "perfetto";
static bool lists;

/* Options of targets first, in the order of enum export_option. */
static const struct opt opts[] = {
    {'F', "fields", "LIST", "write these fields and values, as columns",
     .text = &settings.cells.fields, .word = field_column_name, .list = true},
    {0, "null", "TEXT", "TEXT stands for what is absent", .text = &settings.cells.null},
    {0, "safe-cells", NULL, "csv, tsv: no text is a formula of a spreadsheet",
     .flag = &settings.cells.safe},
    {0, "numbers", NULL, "large numbers of JSON as numbers, not as strings",
     .flag = &settings.cells.numbers},
    {'A', "absolute", NULL, "absolute times", .flag = &common.write.absolute},
    {0, "replay-file", "PATH", "fio: one file, not one for each loc",
     .text = &settings.file},
    {0, "v2", NULL, "fio: an iolog of version 2", .flag = &settings.v2},
    {0, "actions", "LIST", "blktrace: Q, or QDC: also issue and completion",
     .text = &settings.actions, .word = blktrace_actions},
    {0, "addr-unit", "SIZE", "what addr counts where the input does not say",
     .number = &settings.block, .least = 1, .most = 1u << 30},
    {0, "split", "SIZE", "one request for each page of SIZE", .number = &settings.split,
     .least = 1, .most = 1ull << 40},
    {0, "no-next", NULL, "oracle: the next access is -1", .flag = &settings.no_next},
    {'K', "object", "KEY", "what a cached object is; by default an address",
     "addr-unit split", .text = &settings.object, .word = field_column_name},
    {'C', "counters", "LIST", "perfetto, chrome: these values as counters",
     .text = &settings.counters, .list = true},
    {'T', "target", "NAME", "the format to write", .text = &name, .word = target_name},
    OPT_EXPR_ROW(&pass.test),
    OPT_KEY_ROW(&settings.cells.keys),
    {0, "list", NULL, "print what can be chosen, read nothing", "T e k", .flag = &lists},
    OPT_THREADS_ROW,
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "write events for other programs",
    .operands = "[FILE...]",
    .examples = {"trace-export -o solver.pftrace solver.meta    # for ui.perfetto.dev",
		 "trace-export -T csv -e 'size > 8K' Financial1.spc"},
    .opts = opts,
    .reads = true,
};

static int
list(void)
{
	const char *names[EXPORT_OPTIONS];
	struct sink sink;

	for (unsigned i = 0; i < EXPORT_OPTIONS; i++)
		names[i] = opts[i].name;
	sink_open(&sink, &common.write);
	targets_print(&sink.out, names);
	return sink_close(&sink, ST_OK);
}

int
main(int argc, char **argv)
{
	int status;

	opt_read(&program, argc, argv);
	if (lists)
		return list();
	settings.target = target_named(name);
	if (!settings.target)
		opt_die("-T %s: no such target (--list prints all)", name);
	for (unsigned i = 0; i < EXPORT_OPTIONS; i++)
		if (!(settings.target->takes >> i & 1) && opt_any(opts[i].name))
			opt_die("-T %s takes no --%s", name, opts[i].name);
	common.write.form = settings.target->form;
	common.write.of = &settings;
	pass.keys = settings.cells.keys;
	event_copy_parse(&pass);
	expr_refuse_parts(expr_in_order(pass.expr));
	if (settings.target->lasts && common.read.chunks)
		opt_die("-T %s takes no --chunk", name);
	event_copy_begin(&pass, &common.write, 0, &common.read);
	status = export_read(&pass, &common.read, common.path, common.n);
	return event_copy_close(&pass, event_copy_finish(&pass, &common.read, status));
}
