/* section_put.c - writes a section: see section.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summary/html.h"

#define WIDTH 80
#define HTML_MOST 250000 /* limit of the bytes of tables as HTML */
#define BAR 14

static const char *
heading(const struct section *s, unsigned i)
{
	return s->heading[i] ? s->heading[i] : s->column[i];
}

static void
pad(struct out *o, size_t n)
{
	while (n--)
		out_str(o, " ");
}

/* Returns the columns that a text takes on a terminal: continuation bytes of UTF-8 take none. */
static size_t
width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((uint8_t)*s & 0xc0) != 0x80;
	return n;
}

/* Draws a bar in eighths of a block; share is its length, from 0 to 1, the longest bar. */
static void
put_bar(struct out *o, double share)
{
	static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned n = (unsigned)(share * BAR * 8 + 0.5);

	out_str(o, " ");
	for (; n >= 8; n -= 8)
		out_str(o, "█");
	out_str(o, part[n]);
}

/* Sets the width of each column. Returns the width of all, with the gaps between. */
static size_t
measure(const struct section *s, size_t wide[SECTION_COLUMNS])
{
	size_t all = 0;

	for (unsigned i = 0; i < s->ncolumns; i++) {
		wide[i] = width(heading(s, i));
		for (size_t r = 0; r < s->nrows; r++) {
			size_t n = width(s->cell[r * s->ncolumns + i].shown);

			wide[i] = n > wide[i] ? n : wide[i];
		}
		all += wide[i] + (i ? 2 : 0);
	}
	return all;
}

/* Writes whole numbers of more than 7 digits as 1.23e12, not rounded. */
static void
shorten(struct section *s)
{
	for (size_t i = 0; i < s->nrows * s->ncolumns; i++) {
		char *text = s->cell[i].shown;
		size_t n;

		if (i % s->ncolumns == 0)
			continue;
		text += *text == '-';
		n = strspn(text, "0123456789");
		if (n > 7 && !text[n])
			snprintf(text, 24, "%c.%c%ce%u", text[0], text[1], text[2],
				 (unsigned)n - 1);
	}
}

static void
put_people(struct section *s, struct out *o, bool bars)
{
	size_t wide[SECTION_COLUMNS], all, least = 7;
	double most = 0;

	all = measure(s, wide);
	if (all > WIDTH + (wide[0] > least ? wide[0] - least : 0)) {
		shorten(s);
		all = measure(s, wide);
	}
	/* Cut the names of rows if the table is too wide. */
	if (all > WIDTH && wide[0] > least) {
		size_t over = all - WIDTH;

		wide[0] = wide[0] > over + least ? wide[0] - over : least;
	}
	if (s->bar)
		for (size_t r = 0; r < s->nrows; r++) {
			double v =
			    strtod(cell_raw(&s->cell[r * s->ncolumns + s->bar]), NULL);

			most = v > most ? v : most;
		}
	bars = bars && s->bar && most > 0 && all + 1 + BAR <= WIDTH;
	out_str(o, "\n");
	if (s->title) {
		out_str(o, s->title);
		out_str(o, "\n");
	}
	for (size_t r = 0; r <= s->nrows; r++) {
		const struct cell *row = r ? &s->cell[(r - 1) * s->ncolumns] : NULL;

		for (unsigned i = 0; i < s->ncolumns; i++) {
			const char *text = row ? row[i].shown : heading(s, i);
			size_t n = width(text);

			if (i == 0) {
				size_t bytes = strlen(text);

				if (n > wide[0])
					bytes = n = wide[0] < bytes ? wide[0] : bytes;
				out_bytes(o, text, bytes);
				pad(o, wide[0] - n);
			} else {
				pad(o, 2 + wide[i] - n);
				out_bytes(o, text, strlen(text));
			}
		}
		if (bars && row)
			put_bar(o, strtod(cell_raw(&row[s->bar]), NULL) / most);
		out_str(o, "\n");
	}
	if (section_note(s)) {
		out_str(o, section_note(s));
		out_str(o, "\n");
	}
}

static void
put_tabs(const struct section *s, struct out *o)
{
	struct table t = {.out = o};

	for (size_t i = 0; i < s->nrows; i++) {
		const struct cell *row = &s->cell[i * s->ncolumns];

		for (unsigned k = 1; k < s->ncolumns; k++) {
			table_text(&t, s->name);
			table_text(&t, cell_raw(&row[0]));
			table_text(&t, s->column[k]);
			table_text(&t, cell_raw(&row[k]));
			table_row(&t);
		}
	}
	table_end(&t);
}

static void
put_json(const struct section *s, struct out *o, bool more)
{
	/* The name of a row is a string, also if it is a number. */
	struct table t = {.out = o, .style = TABLE_JSON, .texts = 1};
	struct buf b = {0};

	buf_add(&b, ",\n", more ? 2 : 0);
	json_string(&b, s->name, strlen(s->name));
	buf_add(&b, ": ", 2);
	/* A section of names and values is one object. */
	for (size_t i = 0; s->pairs && i < s->nrows; i++) {
		const char *name = cell_raw(&s->cell[2 * i]),
			   *value = cell_raw(&s->cell[2 * i + 1]);

		buf_add(&b, i ? ",\n  " : "{\n  ", 4);
		json_string(&b, name, strlen(name));
		buf_add(&b, ": ", 2);
		table_json(&b, value, strlen(value), false);
	}
	buf_add(&b, "\n}", s->pairs ? 2 : 0);
	out_bytes(o, b.p, b.n);
	buf_free(&b);
	if (s->pairs)
		return;
	for (unsigned i = 0; i < s->ncolumns; i++)
		table_text(&t, s->column[i]);
	table_head(&t);
	for (size_t i = 0; i < s->nrows * s->ncolumns; i++) {
		table_text(&t, cell_raw(&s->cell[i]));
		if (t.cells == s->ncolumns)
			table_row(&t);
	}
	table_end(&t);
}

static void
put_command(const struct section *s, struct out *o)
{
	size_t n;
	const char *title = section_heading(s, &n);

	if (!s->command.n)
		return;
	out_str(o, "# ");
	out_bytes(o, title, n);
	out_str(o, "\n");
	out_bytes(o, s->command.p, s->command.n);
	out_str(o, "\n");
}

void
section_put(void *writer, struct section *s)
{
	struct section_writer *w = writer;

	if (s->nrows) {
		if (w->style == 'J')
			put_json(s, w->o, w->more);
		else if (w->style == 'S')
			put_tabs(s, w->o);
		else if (w->style == 'Q')
			put_command(s, w->o);
		else if (w->style == 'H') {
			struct buf b = {0};

			html_section(&b, s,
				     w->o->total < HTML_MOST ? HTML_MOST - w->o->total : 0);
			out_bytes(w->o, b.p, b.n);
			buf_free(&b);
		} else
			put_people(s, w->o, w->bars);
		w->more = true;
	}
	section_free(s);
}
