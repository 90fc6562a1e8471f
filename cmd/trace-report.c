/* trace-report - write the first page about a trace */
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "report/report.h"
#include "work/work.h"

enum {
	O_ACCESS = OPT_LONG,
	O_TERMINAL,
	O_COLUMNS,
	O_SIZE,
	O_TITLE,
	O_THEME,
	O_COLOURS,
};

static const struct opt opts[] = {
    {'e', "expr", "EXPR", "only the events that EXPR is true for", NULL},
    {'k', "key", "KEYS", "the key of prev, nth and total", NULL},
    {O_ACCESS, "access", NULL, "add tables of trace-access and trace-reuse",
     "chunk follow"},
    OPT_THREADS_ROW,
    {O_TERMINAL, "terminal", NULL, "for the terminal, as where the output is one",
     "size theme"},
    {O_COLUMNS, "columns", "N", "of the terminal; otherwise COLUMNS, or its own", NULL},
    {O_SIZE, "size", "WxH", "pixels of each picture", NULL},
    {O_TITLE, "title", "TEXT", "the title, in place of the file's name", NULL},
    {O_THEME, "theme", "THEME", "auto (as the reader prefers), light or dark", NULL},
    {O_COLOURS, "colours", "N", "colours of names, the last for all others (8)", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {O_THEME, false, plot_theme_word},
    {0},
};

static const struct program program = {
    .about = "write the first page about a trace",
    .operands = "[FILE...]",
    .examples = {"trace-report solver.meta > solver.html",
		 "trace-report --terminal Financial1.spc"},
    .opts = opts,
    .words = words,
    .reads = true,
};

/* Dies where the value of an option is not what it expects, which is NULL if it is. */
static void
check(const char *option, const char *expects)
{
	if (expects)
		opt_die("%s %s: %s", option, optarg, expects);
}

/* Whether it is to be for a terminal. */
static bool
get_options(struct report_options *how, struct common *c, int argc, char **argv)
{
	struct plot_options *plot = &how->plot;
	bool terminal = false;
	int o;

	while ((o = opt_next(&program, c, argc, argv)) != -1) {
		switch (o) {
		case 'e': plot->test = optarg; break;
		case 'k': plot->keys = optarg; break;
		case O_ACCESS: how->access = true; break;
		case O_TERMINAL: terminal = true; break;
		case O_COLUMNS:
			how->columns = (unsigned)num_option("--columns", optarg, 40, 500);
			break;
		case O_SIZE: check("--size", plot_size(plot, optarg)); break;
		case O_TITLE: how->title = optarg; break;
		case O_THEME: check("--theme", plot_theme(plot, optarg)); break;
		case O_COLOURS:
			plot->colours =
			    (unsigned)num_option("--colours", optarg, 1, COLOURS);
			break;
		}
	}
	plot->slice = c->read.slice;
	how->said = (const char *)c->said.p;
	how->nsaid = c->said.n;
	how->paths = argv + optind;
	how->n = (size_t)(argc - optind);
	for (size_t i = 0; how->access && (i < how->n || !i); i++)
		if (!how->n || !strcmp(how->paths[i], "-"))
			opt_die("--access reads the inputs again: name files");
	return terminal;
}

int
main(int argc, char **argv)
{
	static struct common c;
	static struct report page;
	struct report_options how = {.n = 0};
	struct out out;
	bool terminal;
	int status;

	prog_start(argv[0]);
	terminal = get_options(&how, &c, argc, argv);
	if (!out_open(&out, c.write.path))
		die("%s:", c.write.path);
	status = report_read(&page, &how, &c.read);
	if (report_any(&page))
		(terminal || out.tty ? report_text : report_html)(&page, &out);
	report_free(&page);
	return out_close(&out, status);
}
