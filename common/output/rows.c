/* rows.c - see rows.h. A row is a line with TABs first: that style costs nothing more. */
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "event/event.h"
#include "output/rows.h"

void
rows_text(struct rows *r, const char *text)
{
	buf_add(rows_cell(r), text, strlen(text));
}

void
rows_name(struct rows *r, const char *name)
{
	size_t n = strlen(name);
	struct buf *b = rows_cell(r);

	buf_to(b, put_name(buf_room(b, 4 * n), name, n));
}

/* The end of the cell or key that begins at p. */
static const char *
cell_end(const char *p, const char *end)
{
	const char *tab = memchr(p, '\t', (size_t)(end - p));

	return tab ? tab : end;
}

static bool
is(const char *cell, size_t n, const char *text)
{
	return n == strlen(text) && !memcmp(cell, text, n);
}

static void
csv_cell(struct buf *b, const char *p, size_t n)
{
	bool quotes = n == 0;

	/* The empty text is its own quoted form. */
	if (!is(p, n, "\"\""))
		for (size_t i = 0; i < n; i++)
			quotes |=
			    p[i] == ',' || p[i] == '"' || p[i] == '\r' || p[i] == '\n';
	if (!quotes) {
		buf_add(b, p, n);
		return;
	}
	buf_byte(b, '"');
	for (size_t i = 0; i < n; i++)
		buf_add(b, p[i] == '"' ? "\"\"" : p + i, p[i] == '"' ? 2 : 1);
	buf_byte(b, '"');
}

void
rows_json(struct buf *b, const char *cell, size_t n, bool text)
{
	if (is(cell, n, "-"))
		buf_add(b, "null", 4);
	else if (is(cell, n, "\"\"") || (!text && n && json_number(cell, n) == n))
		buf_add(b, cell, n);
	else
		json_string(b, cell, n);
}

/* The line of cells as CSV. Of a single column a row is never an empty line, which readers
 * leave out. */
static void
csv_row(struct rows *r)
{
	const char *p = (const char *)r->line.p, *end = p + r->line.n, *next;

	for (unsigned i = 0; i < r->cells; i++, p = next + 1) {
		next = cell_end(p, end);
		if (i)
			buf_byte(&r->to, ',');
		if (!is(p, (size_t)(next - p), "-"))
			csv_cell(&r->to, p, (size_t)(next - p));
		else if (r->cells == 1)
			buf_add(&r->to, "\"\"", 2);
	}
	buf_byte(&r->to, '\n');
}

static void
json_row(struct rows *r)
{
	const char *p = (const char *)r->line.p, *end = p + r->line.n, *next;
	const char *key = (const char *)r->keys.p, *keys_end = key + r->keys.n, *colon;
	bool array = r->style == ROWS_JSON;

	if (array)
		buf_add(&r->to, r->n ? ",\n  " : "\n  ", r->n ? 4 : 3);
	for (unsigned i = 0; i < r->cells && key < keys_end; i++) {
		next = cell_end(p, end);
		colon = cell_end(key, keys_end);
		buf_add(&r->to, key, (size_t)(colon - key));
		rows_json(&r->to, p, (size_t)(next - p), i < r->texts);
		p = next + 1;
		key = colon + 1;
	}
	buf_add(&r->to, array ? "}" : "}\n", array ? 1 : 2);
}

/* Writes what was made of the row, and begins another. */
static void
row_out(struct rows *r, struct buf *made)
{
	out_bytes(r->out, made->p, made->n);
	r->line.n = r->to.n = 0;
	r->cells = 0;
}

void
rows_head(struct rows *r)
{
	const char *p = (const char *)r->line.p, *end = p + r->line.n, *next;

	if (r->bare) {
		r->line.n = r->cells = 0;
		return;
	}
	switch (r->style) {
	case ROWS_TABS:
		out_str(r->out, "#");
		buf_byte(&r->line, '\n');
		row_out(r, &r->line);
		return;
	case ROWS_CSV:
		/* A name may be "-", which csv_row would leave out. */
		for (unsigned i = 0; i < r->cells; i++, p = next + 1) {
			next = cell_end(p, end);
			if (i)
				buf_byte(&r->to, ',');
			csv_cell(&r->to, p, (size_t)(next - p));
		}
		buf_byte(&r->to, '\n');
		break;
	case ROWS_JSON:
	case ROWS_LINES:
		for (unsigned i = 0; i < r->cells; i++, p = next + 1) {
			next = cell_end(p, end);
			buf_add(&r->keys, i ? ", " : "{", i ? 2 : 1);
			json_string(&r->keys, p, (size_t)(next - p));
			buf_add(&r->keys, ": \t", 3);
		}
		if (r->style == ROWS_JSON)
			buf_byte(&r->to, '[');
	}
	row_out(r, &r->to);
}

void
rows_write(struct rows *r)
{
	if (r->style == ROWS_TABS) {
		buf_byte(&r->line, '\n');
		row_out(r, &r->line);
	} else {
		(r->style == ROWS_CSV ? csv_row : json_row)(r);
		row_out(r, &r->to);
	}
	r->n++;
}

void
rows_put(struct rows *r)
{
	(r->nby ? rows_keep : rows_write)(r);
}

void
rows_note(struct rows *r, const char *text)
{
	if (r->style != ROWS_TABS || r->bare) {
		warn("%s", text);
		return;
	}
	out_str(r->out, "#");
	out_str(r->out, text);
	out_str(r->out, "\n");
}

void
rows_end(struct rows *r)
{
	if (r->style == ROWS_JSON)
		out_str(r->out, r->n ? "\n]" : "]");
	buf_free(&r->line);
	buf_free(&r->to);
	buf_free(&r->keys);
}
