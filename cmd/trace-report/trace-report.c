/* trace-report - write the first page about a trace */
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "event/field.h"
#include "input/trace.h"
#include "merge/merged.h"
#include "trace-report/report.h"
#include "work/work.h"

static struct report_options how;
static bool terminal;

static const struct opt opts[] = {
    OPT_EXPR_ROW(&how.plot.test),
    OPT_KEY_ROW(&how.plot.keys),
    {0, "access", NULL, "add tables of trace-access and trace-reuse", "chunk follow",
     .flag = &how.access},
    OPT_THREADS_ROW,
    {0, "terminal", NULL, "for the terminal, as where the output is one", "size theme",
     .flag = &terminal},
    {0, "width", "N", "columns of a picture on the terminal", .count = &how.columns,
     .least = 40, .most = 500},
    {0, "size", "WxH", "pixels of a picture", .take = plot_size, .to = &how.plot},
    {0, "title", "TEXT", "the title", .text = &how.title},
    {0, "theme", "THEME", "auto (as the reader prefers), light or dark", .take = plot_theme,
     .to = &how.plot, .word = plot_theme_word},
    {0, "colours", "N", "colours of names, the last for all others (8)",
     .count = &how.plot.colours, .least = 1, .most = COLOURS},
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "write the first page about a trace",
    .operands = "[FILE...]",
    .examples = {"trace-report solver.meta > solver.html",
		 "trace-report --terminal Financial1.spc"},
    .opts = opts,
    .reads = true,
};

int
main(int argc, char **argv)
{
	static struct report page;
	struct out out;
	int status;

	opt_read(&program, argc, argv);
	plot_no_picture(false);
	how.plot.slice = common.read.slice;
	how.said = (const char *)common.said.p;
	how.nsaid = common.said.n;
	how.paths = common.path;
	how.n = common.n;
	for (size_t i = 0; how.access && (i < how.n || !i); i++)
		if (!how.n || !strcmp(how.paths[i], "-"))
			opt_die("--access reads the inputs again: name files");
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	status = report_read(&page, &how, &common.read);
	if (report_any(&page))
		(terminal || out.tty ? report_text : report_html)(&page, &out);
	report_free(&page);
	return out_close(&out, status);
}
