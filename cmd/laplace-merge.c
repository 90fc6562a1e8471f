/* laplace-merge - put Laplace's references and kernel events together */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "base/whole.h"
#include "cli/formats.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "laplace/merge.h"
#include "output/sink.h"

enum {
	O_PAGES = OPT_LONG,
	O_PROCESSES,
	O_KERNEL_FIRST,
	O_TABLE,
	O_KERNEL_BASE,
};

#define NO_STREAM "t b H A hz"

static const struct opt opts[] = {
    {O_PAGES, "pages", NULL, "write the page of each reference alone", NO_STREAM},
    {O_PROCESSES, "processes", "DIR", "write a file for each task into DIR",
     NO_STREAM " o pages"},
    {O_KERNEL_FIRST, "kernel-first", NULL, "at equal times kernel events come first", NULL},
    {O_TABLE, "table", "FILE", "write the table of pages to FILE", NULL},
    {O_KERNEL_BASE, "kernel-base", "ADDR", "where kernel space begins: 0xc0000000", NULL},
    {OPT_OF_FORMAT, "order", "ORDER", "byte order of references, little or big", NULL},
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
    .writes = true,
    .whole = "a part does not tell what is mapped",
};

struct run {
	struct sink sink;
	bool pages;
	const char *processes; /* the directory, or NULL */
	struct whole *directory;
};

static void
whole(void *arg, struct source *s)
{
	struct run *r = arg;

	if (r->processes)
		laplace_write_processes(laplace_merge_of(s), r->directory, r->processes);
	else
		laplace_write(laplace_merge_of(s), &r->sink.out, r->pages);
}

/* The directory gets its name where all went well. Gives the status. */
static int
close_directory(struct run *r, int status)
{
	if (status == ST_TROUBLE)
		warn("%s: not written because of errors", r->processes);
	if (!whole_close(r->directory, status != ST_TROUBLE)) {
		warn("%s: rename:", r->processes);
		status = ST_TROUBLE;
	}
	return status;
}

static void
check_operands(const struct common *c, char **argv, int n)
{
	int standard = n < 2;

	if (!n)
		opt_die("an operand is missing: REFS");
	for (int i = 0; i < n; i++)
		standard += !strcmp(argv[i], "-");
	if (standard > 1)
		opt_die("only one input can be standard input");
	if (c->read.only && c->read.only != &fmt_laplace &&
	    c->read.only != &fmt_laplace_text)
		opt_die("-f %s: references are laplace or laplace-text",
			c->read.only->name);
}

int
main(int argc, char **argv)
{
	static struct common c;
	struct laplace_merge_options *m;
	struct run r = {.pages = false};
	const char *table = NULL;
	struct out to_table;
	bool stream;
	size_t n;
	int o, status;

	prog_start(argv[0]);
	m = format_values(&c.read, &fmt_laplace_merge);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case O_PAGES: r.pages = true; break;
		case O_PROCESSES: r.processes = optarg; break;
		case O_KERNEL_FIRST: m->kernel_first = true; break;
		case O_TABLE: table = optarg; break;
		case O_KERNEL_BASE:
			m->kernel_base = num_option("--kernel-base", optarg, 0, UINT64_MAX);
			break;
		}
	}
	check_operands(&c, argv + optind, argc - optind);
	n = (size_t)(argc - optind);
	m->refs = c.read.only;
	c.read.only = &fmt_laplace_merge;
	if (table && !out_open(&to_table, table))
		die("%s:", table);
	m->table = table ? &to_table : NULL;
	stream = c.write.form || c.write.header || c.write.absolute || c.read.hz;
	if (!stream && c.read.slice)
		opt_die("--from and --to cut events: they need -t or -b");
	m->pages = stream || r.pages || r.processes || table;
	if (r.processes && whole_open(r.processes, true, &r.directory) < 0)
		die("%s:", r.processes);
	if (stream)
		status = cat_run(&c, argv + optind, n);
	else {
		c.write.form = &form_text;
		if (!r.processes)
			sink_open(&r.sink, &c.write);
		status = trace_each(&c.read, argv + optind, n,
				    &(struct consumer){.whole = whole, .arg = &r});
		status =
		    r.processes ? close_directory(&r, status) : sink_close(&r.sink, status);
	}
	return table ? out_close(&to_table, status) : status;
}
