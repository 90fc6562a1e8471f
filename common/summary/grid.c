/* grid.c - tables of texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "output/table.h"
#include "summary/grid.h"

#define WIDTH 80
#define BAR 14

struct cell *
grid_row(struct grid *g)
{
	struct cell *row;

	GROW(g->cell, g->cap, (g->nrows + 1) * g->ncolumns);
	row = g->cell + g->nrows++ * g->ncolumns;
	for (unsigned i = 0; i < g->ncolumns; i++)
		strcpy(row[i].shown, "-");
	return row;
}

#define LIMIT "(limit)"

/* The row of limits, if there is one. */
static struct cell *
limit_of(const struct grid *g)
{
	struct cell *row = g->nrows ? g->cell + (g->nrows - 1) * g->ncolumns : NULL;

	return row && !strcmp(row->shown, LIMIT) ? row : NULL;
}

struct cell *
grid_limit(struct grid *g)
{
	struct cell *row = limit_of(g);

	if (!row) {
		row = grid_row(g);
		strcpy(row->shown, LIMIT);
	}
	return row;
}

const char *
grid_note(const struct grid *g)
{
	return limit_of(g) ? LIMIT
		   ": how far off a number of that column may be, or the part "
		   "counted"
			   : NULL;
}

void
grid_free(struct grid *g)
{
	free(g->cell);
	g->cell = NULL;
	g->nrows = g->cap = 0;
}

static const char *
heading(const struct grid *g, unsigned i)
{
	return g->heading[i] ? g->heading[i] : g->column[i];
}

static const char *
raw(const struct cell *c)
{
	return *c->raw ? c->raw : c->shown;
}

static void
pad(struct out *o, size_t n)
{
	while (n--)
		out_str(o, " ");
}

/* How many columns of a terminal a text takes: bytes that go on a character take none. */
static size_t
width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((uint8_t)*s & 0xc0) != 0x80;
	return n;
}

/* Eighths of a block, for a share in thousandths of the greatest. */
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

/* The width of each column; gives that of all, with what is between. */
static size_t
measure(const struct grid *g, size_t wide[GRID_COLUMNS])
{
	size_t all = 0;

	for (unsigned i = 0; i < g->ncolumns; i++) {
		wide[i] = width(heading(g, i));
		for (size_t r = 0; r < g->nrows; r++) {
			size_t n = width(g->cell[r * g->ncolumns + i].shown);

			wide[i] = n > wide[i] ? n : wide[i];
		}
		all += wide[i] + (i ? 2 : 0);
	}
	return all;
}

/* Whole numbers of more than 7 digits as 1.23e12, cut. */
static void
shorten(struct grid *g)
{
	for (size_t i = 0; i < g->nrows * g->ncolumns; i++) {
		char *s = g->cell[i].shown;
		size_t n;

		if (i % g->ncolumns == 0)
			continue;
		s += *s == '-';
		n = strspn(s, "0123456789");
		if (n > 7 && !s[n])
			snprintf(s, 24, "%c.%c%ce%u", s[0], s[1], s[2], (unsigned)n - 1);
	}
}

void
grid_people(struct out *o, struct grid *g, bool bars)
{
	size_t wide[GRID_COLUMNS], all, least = 7;
	double most = 0;

	if (!g->nrows)
		return;
	all = measure(g, wide);
	if (all > WIDTH + (wide[0] > least ? wide[0] - least : 0)) {
		shorten(g);
		all = measure(g, wide);
	}
	/* The row's name gives way: it is cut. */
	if (all > WIDTH && wide[0] > least) {
		size_t over = all - WIDTH;

		wide[0] = wide[0] > over + least ? wide[0] - over : least;
	}
	if (g->bar >= 0)
		for (size_t r = 0; r < g->nrows; r++) {
			double v =
			    strtod(raw(&g->cell[r * g->ncolumns + (unsigned)g->bar]), NULL);

			most = v > most ? v : most;
		}
	bars = bars && g->bar >= 0 && most > 0 && all + 1 + BAR <= WIDTH;
	out_str(o, "\n");
	if (g->title) {
		out_str(o, g->title);
		out_str(o, "\n");
	}
	for (size_t r = 0; r <= g->nrows; r++) {
		const struct cell *row = r ? &g->cell[(r - 1) * g->ncolumns] : NULL;

		for (unsigned i = 0; i < g->ncolumns; i++) {
			const char *s = row ? row[i].shown : heading(g, i);
			size_t n = width(s);

			if (i == 0) {
				size_t bytes = strlen(s);

				if (n > wide[0])
					bytes = n = wide[0] < bytes ? wide[0] : bytes;
				out_bytes(o, s, bytes);
				pad(o, wide[0] - n);
			} else {
				pad(o, 2 + wide[i] - n);
				out_bytes(o, s, strlen(s));
			}
		}
		if (bars && row)
			put_bar(o, strtod(raw(&row[g->bar]), NULL) / most);
		out_str(o, "\n");
	}
	if (grid_note(g)) {
		out_str(o, grid_note(g));
		out_str(o, "\n");
	}
}

void
grid_tabs(struct out *o, const struct grid *g)
{
	struct table r = {.out = o};

	for (size_t i = 0; i < g->nrows; i++) {
		const struct cell *row = &g->cell[i * g->ncolumns];

		for (unsigned k = 1; k < g->ncolumns; k++) {
			table_text(&r, g->name);
			table_text(&r, raw(&row[0]));
			table_text(&r, g->column[k]);
			table_text(&r, raw(&row[k]));
			table_row(&r);
		}
	}
	table_end(&r);
}

void
grid_json(struct out *o, const struct grid *g, bool first)
{
	/* What names a row is a string, also where it is a number. */
	struct table r = {.out = o, .style = TABLE_JSON, .texts = 1};
	struct buf b = {0};

	buf_add(&b, ",\n", first ? 0 : 2);
	json_string(&b, g->name, strlen(g->name));
	buf_add(&b, ": ", 2);
	/* Of rows that are a name and a value: one object. */
	for (size_t i = 0; g->pairs && i < g->nrows; i++) {
		const char *name = raw(&g->cell[2 * i]), *value = raw(&g->cell[2 * i + 1]);

		buf_add(&b, i ? ",\n  " : "{\n  ", 4);
		json_string(&b, name, strlen(name));
		buf_add(&b, ": ", 2);
		table_json(&b, value, strlen(value), false);
	}
	if (g->pairs)
		buf_add(&b, g->nrows ? "\n}" : "{\n}", g->nrows ? 2 : 3);
	out_bytes(o, b.p, b.n);
	buf_free(&b);
	if (g->pairs)
		return;
	for (unsigned i = 0; i < g->ncolumns; i++)
		table_text(&r, g->column[i]);
	table_head(&r);
	for (size_t i = 0; i < g->nrows * g->ncolumns; i++) {
		table_text(&r, raw(&g->cell[i]));
		if (r.cells == g->ncolumns)
			table_row(&r);
	}
	table_end(&r);
}
