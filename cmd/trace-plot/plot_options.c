/* plot_options.c - reads the options of plots: see plot.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "cli/opt.h"
#include "trace-plot/plot.h"

const char *
plot_theme_word(size_t i)
{
	static const char *const word[] = {"auto", "light", "dark"};

	return i < 3 ? word[i] : NULL;
}

/* Reads a length at *text, moves *text after it, and sets *unit to its unit. Returns hundredths of a pixel, 0
 * if there is no number. */
static uint64_t
length(const char **text, const char **unit)
{
	static const struct {
		const char *name;
		uint64_t of, in; /* a unit is of / in pixels */
	} units[] = {{"mm", 960, 254}, {"cm", 9600, 254}, {"in", 96, 1},
		     {"pt", 96, 72},   {"px", 1, 1},	  {"", 1, 1}};
	uint64_t v = 0, of = 1;
	size_t k = 0;

	for (bool part = false; (unsigned)(**text - '0') < 10 || (**text == '.' && !part);
	     ++*text)
		if (**text == '.')
			part = true;
		else if (v < 10000000 && of < 1000) {
			v = v * 10 + (unsigned)(**text - '0');
			of *= part ? 10 : 1;
		}
	while (strncmp(*text, units[k].name, strlen(units[k].name)) != 0)
		k++;
	*text += strlen(units[k].name);
	*unit = units[k].name;
	return v * PX * units[k].of / units[k].in / of;
}

const char *
plot_size(void *options, const char *text)
{
	struct plot_options *opts = options;
	struct svg_paper *paper = &opts->paper;
	const char *at = text, *unit = "", *other;

	paper->w = length(&at, &other);
	if (*at++ == 'x')
		paper->h = length(&at, &unit);
	if (!paper->w || !paper->h || *at || (*other && strcmp(unit, other) != 0) ||
	    strlen(text) >= sizeof paper->width)
		return "WIDTHxHEIGHT is expected, in pixels or with a unit: 960x400, "
		       "84mmx55mm, 3.3inx2.2in";
	/* The attributes of the SVG have the numbers as typed, both with the unit. */
	snprintf(paper->width, sizeof paper->width, "%.*s%s",
		 (int)(strspn(text, "0123456789.")), text, unit);
	at = strchr(text, 'x') + (strstr(text, "pxx") != NULL) + 1;
	snprintf(paper->height, sizeof paper->height, "%s", at);
	return NULL;
}

const char *
plot_font(void *options, const char *text)
{
	struct plot_options *opts = options;
	const char *unit;

	opts->paper.font = length(&text, &unit);
	if (*text || opts->paper.font < 4 * PX || opts->paper.font > 64 * PX)
		return "a size of letters is expected, from 4px to 64px: 8pt, 10px";
	return NULL;
}

void
plot_paper(struct plot_options *opts)
{
	const struct svg_paper *paper = &opts->paper;
	uint64_t font = paper->font ? paper->font : 12 * PX;

	opts->w = (unsigned)(paper->w * 12 / font);
	opts->h = (unsigned)(paper->h * 12 / font);
	if (paper->w &&
	    (opts->w < 220 || opts->h < 120 || opts->w > 8000 || opts->h > 8000))
		die("--size %sx%s: from 220x120 to 8000x8000 pixels, where letters have 12 "
		    "(--font)",
		    paper->width, paper->height);
}

const char *
plot_theme(void *options, const char *text)
{
	struct plot_options *opts = options;

	for (unsigned i = 0; plot_theme_word(i); i++)
		if (!strcmp(plot_theme_word(i), text)) {
			opts->theme = (enum svg_theme)i;
			return NULL;
		}
	return "auto, light or dark";
}

const char *
plot_axes(void *axes, const char *text)
{
	if (!*text || text[strspn(text, "xyz")])
		return "letters of axes: x, y and z";
	for (; *text; text++)
		if (!strchr(axes, *text))
			strncat(axes, text, 1);
	return NULL;
}

const char *
plot_step(void *options, const char *text)
{
	struct plot_options *opts = options;
	const char *why;
	struct num v;

	if (!num_parse(text, strlen(text), NUM_TYPED, &v, &why) || v.neg ||
	    v.unit == UNIT_SIZE || !(v.whole | v.nano) || v.whole >= INT64_MAX / 2000000000)
		return "a time is expected: 1s, 100ms";
	opts->step = v.whole * 1000000000 + v.nano;
	opts->step_timed = v.unit == UNIT_TIME;
	return NULL;
}

const char *
plot_limit(void *limit, const char *text)
{
	struct plot_limit *to = limit;
	const char *why;
	struct num v;

	if (!num_parse(text, strlen(text), NUM_TYPED, &v, &why) || v.neg ||
	    v.unit == UNIT_TIME)
		return "a number is expected: 20000, 10M";
	*to = (struct plot_limit){true, v.whole, v.nano};
	return NULL;
}

/* Returns whether --max and --min are given, but --max is not above --min. */
static bool
limits_cross(const struct plot_limit *max, const struct plot_limit *min)
{
	if (!max->set || !min->set)
		return false;
	return max->whole != min->whole ? max->whole < min->whole : max->nano <= min->nano;
}

const char *
plot_refuses(const struct plot_kind *kind, const struct plot_options *opts)
{
	const struct plot_limit *max = &opts->max, *min = &opts->min;
	bool limits = max->set || min->set, steps = opts->step || opts->spread || limits;
	const struct {
		bool refused;
		const char *why;
	} rules[] = {
	    {kind->read && (opts->partial || opts->merge),
	     "reads tables, not events: it takes no -p and no -m"},
	    {kind->read && (opts->test || opts->slice || opts->sum),
	     "reads a table: it takes no -e, --from, --to and -a"},
	    {kind->read && opts->all, "draws all rows: it takes no --all"},
	    {opts->log[strspn(opts->log, kind->log)] ||
		 opts->linear[strspn(opts->linear, kind->linear)],
	     kind->why},
	    {opts->log[strcspn(opts->log, opts->linear)],
	     "takes an axis in --log or in --linear, not in both"},
	    {opts->marks && !kind->mark, "takes no --mark"},
	    {opts->absolute && !kind->time, "has no axis of time: it takes no -A"},
	    {opts->key && !kind->key && !kind->panels, "takes no -g"},
	    {opts->arrows && kind != &kind_timeline, "takes no --arrows"},
	    {opts->arrows && (opts->y || opts->partial),
	     "takes --arrows without -y and -p: its rows are then locations"},
	    {opts->y && !kind->measures && !kind->lasts && !kind->rows, "takes no -y"},
	    {steps && !kind->steps,
	     "takes no --step, --spread, --max and --min: rate does"},
	    {limits && !opts->sum,
	     "has two axes: --max and --min need -a count or -a \"sum(size)\""},
	    {limits_cross(max, min), "needs --max above --min"},
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].refused)
			return rules[i].why;
	return NULL;
}

void
plot_no_picture(void)
{
	static const char *const names[] = {"png",  "pdf", "ps",   "eps", "jpg",
					    "jpeg", "gif", "webp", "tif", "tiff"};
	const char *path = common.write.path, *dot = path ? strrchr(path, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof names / sizeof *names; i++) {
		if (strcasecmp(dot + 1, names[i]) != 0)
			continue;
		/* rsvg-convert writes the first four of these. */
		die("-o %s: writes SVG: trace-plot ... | rsvg-convert -f %s -o %.*s.%s",
		    path, names[i < 4 ? i : 0], (int)(dot - path), path,
		    i < 4 ? dot + 1 : "png");
	}
}
