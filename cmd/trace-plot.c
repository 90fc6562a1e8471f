/* trace-plot - draw pictures of traces */
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/opt.h"
#include "event/field.h"
#include "input/trace.h"
#include "plot/partial.h"
#include "work/work.h"

enum {
	O_TERMINAL = OPT_LONG,
	O_BINS,
	O_COLUMNS,
	O_SIZE,
	O_TITLE,
	O_THEME,
	O_COLOURS,
	O_LOG,
	O_LINEAR,
	O_LIST,
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'y', "measure", "EXPR", "what is measured; of timeline, what has a row", NULL},
    {'g', "group", "KEY", "what has a colour of its own", NULL},
    {'a', "aggregates", "SUM", "what is added up: count or sum(FIELD)", NULL},
    {'k', "key", "KEYS", "the key of prev, nth and total", NULL},
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "terminal bins"},
    {'m', "merge", NULL, "the inputs are partials: merge them",
     "e y g a k from to chunk follow O by-time"},
    OPT_THREADS_ROW,
    {O_TERMINAL, "terminal", NULL, "for the terminal, as where the output is one",
     "bins size theme"},
    {O_COLUMNS, "columns", "N", "of the terminal; otherwise COLUMNS, or its own", "bins"},
    {O_BINS, "bins", NULL, "the numbers that are drawn, as a table", "size theme title"},
    {O_SIZE, "size", "WxH", "pixels of the SVG", NULL},
    {O_TITLE, "title", "TEXT", "the title", NULL},
    {O_THEME, "theme", "THEME", "auto (as the reader prefers), light or dark", NULL},
    {O_COLOURS, "colours", "N", "colours of names, the last for all others (8)", NULL},
    {'A', "absolute", NULL, "times of the axis by the clock, in UTC", "bins p"},
    {O_LOG, "log", "AXES", "axes that are logarithmic: letters of x, y, z", NULL},
    {O_LINEAR, "linear", "AXES", "axes that are linear", NULL},
    {O_LIST, "list", NULL, "print what kinds there are, read nothing", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const char *
kind_word(size_t i)
{
	return kinds[i] ? kinds[i]->name : NULL;
}

static const struct opt_words words[] = {
    {'y', false, field_column_name},
    {'g', false, field_column_name},
    {O_THEME, false, plot_theme_word},
    {OPT_OPERAND, false, kind_word},
    {0},
};

static const struct program program = {
    .about = "draw pictures of traces",
    .operands = "KIND [FILE...]",
    .examples = {"trace-plot rate Financial1.spc > rate.svg",
		 "trace-plot timeline --terminal solver.meta"},
    .opts = opts,
    .words = words,
    .reads = true,
};

struct run {
	struct plot_options how;
	bool terminal, bins, list;
	unsigned columns;
};

/* Dies where the value of an option is not what it expects, which is NULL if it is. */
static void
check(const char *option, const char *expects)
{
	if (expects)
		opt_die("%s %s: %s", option, optarg, expects);
}

static void
get_options(struct run *r, struct common *c, int argc, char **argv)
{
	struct plot_options *how = &r->how;
	int o;

	while ((o = opt_next(&program, c, argc, argv)) != -1) {
		switch (o) {
		case 'e': how->test = optarg; break;
		case 'y': how->y = optarg; break;
		case 'g': how->key = optarg; break;
		case 'a': how->sum = optarg; break;
		case 'k': how->keys = optarg; break;
		case 'p': how->partial = true; break;
		case 'm': how->merge = true; break;
		case O_TERMINAL: r->terminal = true; break;
		case O_COLUMNS:
			r->columns = (unsigned)num_option("--columns", optarg, 40, 500);
			break;
		case O_BINS: r->bins = true; break;
		case O_SIZE: check("--size", plot_size(how, optarg)); break;
		case O_TITLE: how->title = optarg; break;
		case O_THEME: check("--theme", plot_theme(how, optarg)); break;
		case O_COLOURS:
			how->colours =
			    (unsigned)num_option("--colours", optarg, 1, COLOURS);
			break;
		case 'A': how->absolute = true; break;
		case O_LOG: check("--log", plot_axes(&how->log, optarg)); break;
		case O_LINEAR: check("--linear", plot_axes(&how->linear, optarg)); break;
		case O_LIST: r->list = true; break;
		}
	}
}

static int
list(struct out *o)
{
	char line[160];

	for (size_t i = 0; kinds[i]; i++) {
		snprintf(line, sizeof line, "%-10s %s\n", kinds[i]->name, kinds[i]->about);
		out_str(o, line);
	}
	return out_close(o, ST_OK);
}

static const struct plot_kind *
get_kind(const struct plot_options *how, const char *name)
{
	const struct plot_kind *kind = name ? kind_named(name) : NULL;
	const char *why;

	if (!name)
		opt_die("a kind of picture is missing (--list prints all)");
	if (!kind)
		opt_die("%s: no such kind of picture (--list prints all)", name);
	why = plot_refuses(kind, how);
	if (why)
		opt_die("%s %s", name, why);
	return kind;
}

int
main(int argc, char **argv)
{
	static struct common c;
	static struct plot plot;
	struct run r = {.terminal = false};
	const struct plot_kind *kind;
	const char *name = NULL;
	struct out out;
	int status;

	prog_start(argv[0]);
	get_options(&r, &c, argc, argv);
	r.how.slice = c.read.slice;
	r.how.known = c.read.known;
	argv += optind;
	argc -= optind;
	if (argc) {
		name = *argv++;
		argc--;
	}
	kind = r.list ? NULL : get_kind(&r.how, name);
	if (kind && !r.how.merge)
		plot_open(&plot, kind, &r.how);
	if (!out_open(&out, c.write.path))
		die("%s:", c.write.path);
	if (r.list)
		return list(&out);
	if (r.how.merge) {
		inputs_begin(&c.read, (const char *const *)argv, (size_t)argc);
		status = plot_merge_partials(&plot, kind, &r.how, argv, (size_t)argc);
	} else
		status = plot_read(&plot, &c.read, argv, (size_t)argc);
	if (!plot_dated(&plot))
		die("-A: the times do not all count from one date");
	if (r.how.partial)
		plot_partial(&plot, &out, status);
	else if (!plot_done(&plot))
		status = status == ST_OK ? ST_NONE : status;
	else if (r.bins)
		plot_bins(&plot, &out);
	else if (r.terminal || (out.tty && !r.how.w))
		plot_terminal(&plot, &out, r.columns);
	else
		plot_svg(&plot, &out);
	status = out_close(&out, status);
	plot_free(&plot);
	return status;
}
