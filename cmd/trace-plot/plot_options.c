/* plot_options.c - what the options of plots may say: see plot.h. */
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

/* Reads a length, whose unit may be that of `unit`, which is set to its own. Gives hundredths of a pixel, 0 where it is
 * none; *text is behind it. */
static uint64_t
length(const char **text, const char **unit)
{
	static const struct {
		const char *name;
		uint64_t of, in; /* `of` pixels are so many */
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
	struct plot_options *how = options;
	struct svg_paper *paper = &how->paper;
	const char *at = text, *unit = "", *other;

	paper->w = length(&at, &other);
	if (*at++ == 'x')
		paper->h = length(&at, &unit);
	if (!paper->w || !paper->h || *at || (*other && strcmp(unit, other) != 0) ||
	    strlen(text) >= sizeof paper->width)
		return "WIDTHxHEIGHT is expected, in pixels or with a unit: 960x400, "
		       "84mmx55mm, 3.3inx2.2in";
	/* The attributes of the SVG have the words that were typed, and both have the unit. */
	snprintf(paper->width, sizeof paper->width, "%.*s%s",
		 (int)(strspn(text, "0123456789.")), text, unit);
	at = strchr(text, 'x') + (strstr(text, "pxx") != NULL) + 1;
	snprintf(paper->height, sizeof paper->height, "%s", at);
	return NULL;
}

const char *
plot_font(void *options, const char *text)
{
	struct plot_options *how = options;
	const char *unit;

	how->paper.font = length(&text, &unit);
	if (*text || how->paper.font < 4 * PX || how->paper.font > 64 * PX)
		return "a size of letters is expected, from 4px to 64px: 8pt, 10px";
	return NULL;
}

void
plot_paper(struct plot_options *how)
{
	const struct svg_paper *paper = &how->paper;
	uint64_t font = paper->font ? paper->font : 12 * PX;

	how->w = (unsigned)(paper->w * 12 / font);
	how->h = (unsigned)(paper->h * 12 / font);
	if (paper->w && (how->w < 220 || how->h < 120 || how->w > 8000 || how->h > 8000))
		die("--size %sx%s: from 220x120 to 8000x8000 pixels, where letters have 12 "
		    "(--font)",
		    paper->width, paper->height);
}

const char *
plot_theme(void *options, const char *text)
{
	struct plot_options *how = options;

	for (unsigned i = 0; plot_theme_word(i); i++)
		if (!strcmp(plot_theme_word(i), text)) {
			how->theme = (enum svg_theme)i;
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
	struct plot_options *how = options;
	const char *why;
	struct num v;

	if (!num_parse(text, strlen(text), NUM_TYPED, &v, &why) || v.neg ||
	    v.unit == UNIT_SIZE || !(v.whole | v.nano) || v.whole >= INT64_MAX / 2000000000)
		return "a time is expected: 1s, 100ms";
	how->step = v.whole * 1000000000 + v.nano;
	how->step_timed = v.unit == UNIT_TIME;
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

/* Returns why the kind does not take --step, --max and --min so; NULL: it does. */
static const char *
steps_refused(const struct plot_kind *kind, const struct plot_options *how)
{
	const struct plot_limit *max = &how->max, *min = &how->min;

	if (!kind->steps)
		return "takes no --step, --spread, --max and --min: rate does";
	if ((max->set || min->set) && !how->sum)
		return "has two axes: --max and --min need -a count or -a \"sum(size)\"";
	if (max->set && min->set &&
	    (max->whole < min->whole ||
	     (max->whole == min->whole && max->nano <= min->nano)))
		return "needs --max above --min";
	return NULL;
}

/* Returns why a kind that reads tables does not take the options; NULL: it does. */
static const char *
table_refused(const struct plot_options *how)
{
	return how->partial || how->merge
		   ? "reads tables, not events: it takes no -p and no -m"
	       : how->test || how->slice || how->sum
		   ? "reads a table: it takes no -e, --from, --to and -a"
	       : how->all ? "draws all rows: it takes no --all"
			  : NULL;
}

static const char *
arrows_refused(const struct plot_kind *kind, const struct plot_options *how)
{
	if (kind != &kind_timeline)
		return "takes no --arrows";
	return how->y || how->partial
		   ? "takes --arrows without -y and -p: its rows are then locations"
		   : NULL;
}

const char *
plot_refuses(const struct plot_kind *kind, const struct plot_options *how)
{
	if (kind->read && table_refused(how))
		return table_refused(how);
	if (how->log[strspn(how->log, kind->log)] ||
	    how->linear[strspn(how->linear, kind->linear)])
		return kind->why;
	if (how->log[strcspn(how->log, how->linear)])
		return "takes an axis in --log or in --linear, not in both";
	if (how->marks && !kind->mark)
		return "takes no --mark";
	if (how->absolute && !kind->time)
		return "has no axis of time: it takes no -A";
	if (how->key && !kind->key && !kind->panels)
		return "takes no -g";
	if (how->arrows && arrows_refused(kind, how))
		return arrows_refused(kind, how);
	if (how->y && !kind->measures && !kind->lasts && !kind->rows)
		return "takes no -y";
	return how->step || how->spread || how->max.set || how->min.set
		   ? steps_refused(kind, how)
		   : NULL;
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
