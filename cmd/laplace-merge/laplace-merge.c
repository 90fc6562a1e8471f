/* laplace-merge - put Laplace's references and kernel events together */
#include <string.h>

#include "base/die.h"
#include "base/atomic_file.h"
#include "cli/cli_formats.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "laplace-merge/laplace_merge_run.h"
#include "output/sink.h"

#define NO_STREAM "t b H A hz"

static const char *table, *processes; /* processes: a directory */
static bool pages, kernel_first;
static uint64_t kernel_base;

static const struct opt opts[] = {
    {0, "pages", NULL, "write the page of each reference alone", NO_STREAM, .flag = &pages},
    {0, "processes", "DIR", "write a file for each task into DIR", NO_STREAM " o pages",
     .text = &processes},
    {0, "kernel-first", NULL, "at equal times kernel events come first",
     .flag = &kernel_first},
    {0, "table", "FILE", "write the table of pages to FILE", .text = &table},
    {0, "kernel-base", "ADDR", "where kernel space begins: 0xc0000000",
     .number = &kernel_base, .most = UINT64_MAX},
    {OPT_OF_FORMAT, "order", "ORDER", "byte order, little or big; else it is found out",
     .kept = true},
    {0},
};

static const struct program program = {
    .about = "put Laplace's references and kernel events together",
    .operands = "REFS [KERNEL...]",
    .examples =
	{"laplace-merge refs.bin refs.kern | head",
	 "laplace-merge -b refs.bin refs.kern | trace-stats -e 'page?' -g file -a count"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .whole = "a part does not tell what is mapped",
    .fields_not = true,
};

static struct sink sink;
static struct atomic_file *directory; /* for --processes */

static void
whole(void *arg, struct source *s)
{
	(void)arg;
	if (processes)
		laplace_write_processes(laplace_merge_of(s), directory, processes);
	else
		laplace_write(laplace_merge_of(s), &sink.out, pages);
}

/* Renames the directory if there were no errors. Returns the status. */
static int
close_directory(int status)
{
	if (status == ST_TROUBLE)
		warn("%s: not written because of errors", processes);
	if (!atomic_close(directory, status != ST_TROUBLE)) {
		warn("%s: rename:", processes);
		status = ST_TROUBLE;
	}
	return status;
}

static void
check_operands(void)
{
	int standard = common.n < 2;

	if (!common.n)
		opt_die("an operand is missing: REFS");
	for (size_t i = 0; i < common.n; i++)
		standard += !strcmp(common.path[i], "-");
	if (standard > 1)
		opt_die("only one input can be standard input");
}

int
main(int argc, char **argv)
{
	struct laplace_merge_options *m;
	struct out to_table;
	bool stream;
	int status;

	opt_read(&program, argc, argv);
	m = format_values(&common.read, &fmt_laplace_merge);
	check_operands();
	m->kernel_first = kernel_first;
	if (opt_any("kernel-base"))
		m->kernel_base = kernel_base;
	m->refs = common.read.only;
	common.read.only = &fmt_laplace_merge;
	if (table && !out_open(&to_table, table))
		die("%s:", table);
	m->table = table ? &to_table : NULL;
	stream = common.write.form || common.write.header || common.write.absolute ||
		 common.read.hz;
	if (!stream && common.read.slice)
		opt_die("--from and --to cut events: they need -t or -b");
	m->pages = stream || pages || processes || table;
	if (processes && atomic_open(processes, true, &directory) < 0)
		die("%s:", processes);
	if (stream)
		status = decoder_main(NULL);
	else {
		common.write.form = &form_text;
		if (!processes)
			sink_open(&sink, &common.write);
		status = trace_each(&common.read, common.path, common.n,
				    &(struct consumer){.whole = whole});
		status = processes ? close_directory(status) : sink_close(&sink, status);
	}
	return table ? out_close(&to_table, status) : status;
}
