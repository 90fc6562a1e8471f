/* trace-plot - draw pictures of traces */
#include <stdio.h>

#include "cli/opt.h"
#include "view/field.h"
#include "input/trace.h"
#include "merge/merged.h"
#include "trace-plot/arrows.h"
#include "trace-plot/plot_partial.h"
#include "work/work.h"

static struct plot_options settings;
static bool terminal, bins, csv, tsv, json, lists;
static unsigned columns;

static const struct opt opts[] = {
    OPT_EXPR_ROW(&settings.test),
    {'y', "measure", "EXPR", "what is measured; of timeline, what has a row",
     .text = &settings.y, .word = field_column_name},
    {'g', "group", "KEY", "a group for each value of these fields", .text = &settings.key,
     .word = field_column_name},
    {'a', "aggregates", "SUM", "what is computed: count, sum(size), ...",
     .text = &settings.sum},
    OPT_KEY_ROW(&settings.keys),
    {'p', "partial", NULL, "write what was counted, to be merged by -m", "terminal bins",
     .flag = &settings.partial},
    {'m', "merge", NULL, "the inputs are partial results: merge them",
     "e y g a k from to chunk follow O by-time", .flag = &settings.merge},
    OPT_THREADS_ROW,
    {0, "terminal", NULL, "for the terminal, as where the output is one", "bins size theme",
     .flag = &terminal},
    {0, "width", "N", "columns of a picture on the terminal", "bins", .count = &columns,
     .least = 40, .most = 500},
    {0, "bins", NULL, "the numbers that are drawn, as a table", "size theme title",
     .flag = &bins},
    {0, "csv", NULL, "the table as CSV", "size theme title terminal p", .flag = &csv},
    {0, "tsv", NULL, "the table with TABs, and no # before the names",
     "size theme title terminal p csv J", .flag = &tsv},
    {'J', "json", NULL, "the output as JSON", "size theme title terminal p csv",
     .flag = &json},
    {0, "size", "WxH", "pixels of a picture, or mm, cm, in, pt: 84mmx55mm",
     .take = plot_size, .to = &settings},
    {0, "font", "SIZE", "the height of letters: 8pt (12px)", "terminal bins csv tsv J p",
     .take = plot_font, .to = &settings},
    {0, "title", "TEXT", "the title", .text = &settings.title},
    {0, "no-title", NULL, "no lines above the picture, which a caption has",
     "title terminal bins csv tsv J p", .flag = &settings.plain},
    {0, "caption", "TEXT", "a line below the picture", "terminal bins csv tsv J p",
     .text = &settings.caption},
    {0, "theme", "THEME", "auto (as the reader prefers), light or dark", .take = plot_theme,
     .to = &settings, .word = plot_theme_word},
    {0, "colours", "N", "colours of names, the last for all others (8)",
     .count = &settings.colours, .least = 1, .most = COLOURS},
    {0, "mark", "X=TEXT", "vertical lines with a text, at these times or x",
     "bins csv tsv J p", .take = plot_mark, .to = &settings, .list = true},
    {0, "arrows", "FILE", "messages of trace-match, as arrows", "terminal bins csv tsv J p",
     .text = &settings.arrows},
    {'A', "absolute", NULL, "absolute times", "bins p", .flag = &settings.absolute},
    {0, "log", "AXES", "axes that are logarithmic: letters of x, y, z", .take = plot_axes,
     .to = settings.log},
    {0, "linear", "AXES", "axes that are linear", .take = plot_axes, .to = settings.linear},
    {0, "step", "TIME", "the length of a step of time (rate)", "m", .take = plot_step,
     .to = &settings},
    {0, "spread", NULL, "divide each event over the time that it lasts", "m",
     .flag = &settings.spread},
    {0, "max", "NUMBER", "the greatest value of the axis, per second (rate)",
     "terminal bins", .take = plot_limit, .to = &settings.max},
    {0, "min", "NUMBER", "the smallest value of the axis", "terminal bins",
     .take = plot_limit, .to = &settings.min},
    {0, "all", NULL, "draw also what is far away in time", .flag = &settings.all},
    {0, "list", NULL, "print what can be chosen, read nothing", .flag = &lists},
    OPT_BY_TIME_ROW,
    OPT_UNORDERED_ROW,
    {0},
};

static const char *
kind_word(size_t i)
{
	return kinds[i] ? kinds[i]->name : NULL;
}

static const struct program program = {
    .about = "draw pictures of traces",
    .operands = "KIND [FILE...]",
    .operand = kind_word,
    .examples = {"trace-plot rate Financial1.spc > rate.svg",
		 "trace-plot timeline --terminal solver.meta"},
    .opts = opts,
    .reads = true,
};

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
get_kind(const char *name)
{
	const struct plot_kind *kind = name ? kind_named(name) : NULL;
	const char *why;

	if (!name)
		opt_die("a kind of picture is missing (--list prints all)");
	if (!kind)
		opt_die("%s: no such kind of picture (--list prints all)", name);
	plot_paper(&settings);
	why = plot_refuses(kind, &settings);
	if (why)
		opt_die("%s %s", name, why);
	return kind;
}

/* Writes the output that was asked for. Returns `status`, or another status if there is nothing to draw. */
static int
write_plot(struct plot *p, struct out *o, int status)
{
	bool table = bins || csv || tsv || json;
	bool text = terminal || (o->tty && !settings.w);

	if (settings.partial)
		plot_partial(p, o, status);
	else if (!plot_done(p)) {
		if (!table && !text)
			plot_empty(p, o);
		return status == ST_OK ? ST_NONE : status;
	} else if (table)
		plot_bins(p,
			  json	? TABLE_JSON
			  : csv ? TABLE_CSV
			  : tsv ? TABLE_TSV
				: TABLE_TABS,
			  o);
	else if (text)
		plot_terminal(p, o, columns);
	else
		plot_svg(p, o);
	return status;
}

int
main(int argc, char **argv)
{
	static struct plot plot;
	const struct plot_kind *kind;
	struct out out;
	char **paths;
	size_t n;
	int status;

	opt_read(&program, argc, argv);
	plot_no_picture();
	settings.slice = common.read.slice;
	kind = lists ? NULL : get_kind(common.n ? *common.path : NULL);
	settings.all |= bins || csv || tsv || json;
	paths = common.path + 1;
	n = common.n - 1;
	if (kind && !settings.merge)
		plot_open(&plot, kind, &settings);
	if (!out_open(&out, common.write.path))
		die("%s:", common.write.path);
	if (lists)
		return list(&out);
	if (settings.merge) {
		inputs_begin(&common.read, (const char *const *)paths, n);
		status = plot_merge_partials(&plot, kind, &settings, paths, n);
	} else
		status = plot_read(&plot, &common.read, paths, n);
	if (settings.arrows && plot.any &&
	    arrows_read(&plot, &common.read, settings.arrows) != ST_OK)
		status = ST_TROUBLE;
	if (!plot_dated(&plot))
		die("-A: the times do not all count from one date");
	status = write_plot(&plot, &out, status);
	status = out_close(&out, status);
	plot_free(&plot);
	return status;
}
