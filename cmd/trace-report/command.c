/* command.c - the commands that make a picture or the tables, as a shell reads them. */
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "input/slice.h"
#include "trace-report/report.h"

#define OPERANDS_MOST 1500 /* bytes of operands that are shown */

/* Appends a blank and the word s. */
static void
word(struct buf *b, const char *s)
{
	buf_byte(b, ' ');
	buf_word(b, s);
}

/* Appends an option and its value, unless that is NULL. */
static void
option(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	word(b, name);
	word(b, value);
}

/* How inputs are read, and which. */
static void
operands(struct buf *b, const struct report_options *how)
{
	size_t from;

	for (size_t i = 0; i < how->nsaid; i += strlen(how->said + i) + 1)
		word(b, how->said + i);
	if (how->n && how->paths[0][0] == '-' && how->paths[0][1])
		word(b, "--");
	from = b->n;
	for (size_t i = 0; i < how->n; i++) {
		word(b, how->paths[i]);
		if (b->n - from > OPERANDS_MOST && i + 1 < how->n) {
			put_format(b, " ... # and %zu more", how->n - i - 1);
			return;
		}
	}
}

void
report_plot_command(struct buf *b, const struct report *p, unsigned i)
{
	const struct report_options *how = &p->counts.how;
	const struct plot_options *plot = &how->plot;
	char text[24];

	buf_str(b, "trace-plot");
	word(b, p->counts.plot[i]->kind->name);
	option(b, "-e", plot->test);
	option(b, "-k", plot->keys);
	snprintf(text, sizeof text, "%u", plot->colours);
	option(b, "--colours", plot->colours ? text : NULL);
	snprintf(text, sizeof text, "%ux%u", plot->w, plot->h);
	option(b, "--size", plot->w ? text : NULL);
	option(b, "--theme", plot->theme ? plot_theme_word(plot->theme) : NULL);
	operands(b, how);
}

void
report_table_command(struct buf *b, const struct report *p, unsigned which)
{
	static const char *const program[] = {"trace-stats", "trace-access", "trace-reuse"};
	const struct report_options *how = &p->counts.how;

	buf_str(b, program[which]);
	option(b, "-e", how->plot.test);
	option(b, "-k", how->plot.keys);
	operands(b, how);
}

/* Appends `text`, "and" before it where there is something already. */
static void
also(struct buf *b, const char *before, const char *text, const char *behind)
{
	put_all(b, b->n ? " and " : "", before, text, behind);
}

const char *
report_only(const struct report *p, struct buf *b)
{
	const struct plot_options *plot = &p->counts.how.plot;
	const struct time_slice *slice = plot->slice;

	/* What was typed, where that is all. */
	if (!slice)
		return plot->test;
	if (plot->test)
		also(b, "(", plot->test, ")");
	if (slice->from.set)
		also(b, "time >= ", slice->from.text, "");
	if (slice->to.set)
		also(b, "time < ", slice->to.text, "");
	return buf_text(b);
}

const char *
report_title(const struct report *p, struct buf *b)
{
	const struct report_options *how = &p->counts.how;
	const char *path = how->n ? how->paths[0] : "-", *name;
	size_t n = strlen(path);

	if (how->title)
		return how->title;
	if (!how->n)
		return "A trace from standard input";
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (name = path + n; name > path && (name[-1] != '/' || name == path + n); name--)
		;
	buf_add(b, name, (size_t)(path + n - name));
	if (how->n > 1) {
		buf_add(b, " and ", 5);
		scale_put_commas(b, how->n - 1);
		buf_add(b, " more", 5);
	}
	return buf_text(b);
}

const char *
report_about(const struct report *p)
{
	return p->counts.fmt ? p->counts.fmt->about
			     : "Events of a format that the input does not tell";
}
