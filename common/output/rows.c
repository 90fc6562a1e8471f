/* rows.c - see rows.h. A row is a line with TABs first: that style costs nothing more. Rows in the
 * order of some of their columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "base/num.h"
#include "event/event.h"
#include "input/kept.h"
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
	struct buf raw = {0};
	bool quotes;

	text_raw(&raw, p, n);
	p = (const char *)raw.p;
	n = raw.n;
	quotes = n == 0;
	for (size_t i = 0; i < n; i++)
		quotes |= p[i] == ',' || p[i] == '"' || p[i] == '\r' || p[i] == '\n';
	if (quotes)
		buf_byte(b, '"');
	for (size_t i = 0; i < n; i++)
		buf_add(b, p[i] == '"' ? "\"\"" : p + i, p[i] == '"' ? 2 : 1);
	if (quotes)
		buf_byte(b, '"');
	buf_free(&raw);
}

void
rows_json(struct buf *b, const char *cell, size_t n, bool text)
{
	struct buf raw = {0};

	if (is(cell, n, "-"))
		buf_add(b, "null", 4);
	else if (!text && n && json_number(cell, n) == n)
		buf_add(b, cell, n);
	else {
		text_raw(&raw, cell, n);
		json_string(b, raw.p, raw.n);
	}
	buf_free(&raw);
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

/* Writes the row in the making. */
static void
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

/* A row. Its key is so made that memcmp orders rows; the line follows it. */
struct waiting_row {
	uint8_t *key;
	size_t nkey, nline;
	uint64_t place; /* among all rows */
};

/* Of more rows than these, those that are not wanted are dropped while others come. */
#define SPARE 4096

/* What a cell is, as the first byte of its part of a key. Turned around (down) all are below
 * NOTHING, and so are both ends of a part. */
enum {
	NEGATIVE = 0x10,
	POSITIVE = 0x20,
	TEXT = 0x30,
	NOTHING = 0xff,
};

static size_t
digits(const char *p, const char *end)
{
	const char *at = p;

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return (size_t)(at - p);
}

/* The number [-] digits [. digits], with any number of them: the more digits before the
 * point, the greater. Nothing is appended where it is none. */
static bool
add_decimal(struct buf *b, const char *p, const char *end)
{
	bool neg = p < end && *p == '-';
	const char *whole = p + neg, *part;
	size_t n = digits(whole, end), nwhole = n, npart = 0, start = b->n;

	part = whole + n;
	if (n && part < end && *part == '.') {
		npart = digits(++part, end);
		n = npart;
	}
	if (!n || part + npart != end)
		return false;
	for (; nwhole && *whole == '0'; nwhole--)
		whole++;
	while (npart && part[npart - 1] == '0')
		npart--;
	neg &= nwhole + npart > 0;
	buf_byte(b, POSITIVE);
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_byte(b, (char)(nwhole >> shift));
	buf_add(b, whole, nwhole);
	buf_add(b, part, npart);
	buf_byte(b, 0);
	if (neg) {
		b->p[start] = NEGATIVE;
		for (size_t i = start + 1; i < b->n; i++)
			b->p[i] = (uint8_t)~b->p[i];
	}
	return true;
}

static void
add_key(struct buf *b, const char *p, size_t n, bool down)
{
	struct num num;
	char text[48];
	size_t start = b->n;

	if (n == 1 && *p == '-') {
		buf_byte(b, (char)NOTHING);
		return;
	}
	if (!add_decimal(b, p, p + n)) {
		/* In hexadecimal, or with an exponent. */
		if (num_parse(p, n, false, &num, NULL)) {
			int k =
			    snprintf(text, sizeof text, "%s%llu.%09u", num.neg ? "-" : "",
				     (unsigned long long)num.whole, (unsigned)num.nano);

			add_decimal(b, text, text + k);
		} else {
			buf_byte(b, TEXT);
			buf_add(b, p, n);
			buf_byte(b, 0);
		}
	}
	for (size_t i = start; down && i < b->n; i++)
		b->p[i] = (uint8_t)~b->p[i];
}

static int
kept_cmp(const void *x, const void *y)
{
	const struct waiting_row *a = x, *b = y;
	int c = memcmp(a->key, b->key, a->nkey < b->nkey ? a->nkey : b->nkey);

	/* No part of a key begins another, so equal bytes are equal keys. */
	return c ? c : a->place < b->place ? -1 : 1;
}

static void
add_kept(struct rows *r, struct waiting_row k, const uint8_t *key, const uint8_t *line)
{
	k.key = arena_get(&r->mem, k.nkey + k.nline);
	memcpy(k.key, key, k.nkey);
	memcpy(k.key + k.nkey, line, k.nline);
	*PUSH(r->kept, r->nkept, r->kept_cap) = k;
}

/* Puts the rows in order, and drops those beyond what is wanted, with their memory. */
static void
trim(struct rows *r)
{
	struct arena old = r->mem;
	size_t n = r->nkept;

	qsort(r->kept, n, sizeof *r->kept, kept_cmp);
	if (!r->most || n <= r->most)
		return;
	r->mem = (struct arena){0};
	r->nkept = 0;
	while (r->nkept < r->most) {
		struct waiting_row k = r->kept[r->nkept];

		add_kept(r, k, k.key, k.key + k.nkey);
	}
	arena_free(&old);
}

/* Keeps the row in the making. */
static void
rows_keep(struct rows *r)
{
	size_t nline = r->line.n;

	for (size_t i = 0; i < r->nby; i++) {
		const char *p = (const char *)r->line.p, *end = p + nline, *tab;

		for (unsigned k = 0;
		     (tab = memchr(p, '\t', (size_t)(end - p))) && k < r->by[i].column; k++)
			p = tab + 1;
		add_key(&r->to, p, (size_t)((tab ? tab : end) - p), r->by[i].down);
	}
	add_kept(
	    r, (struct waiting_row){.nkey = r->to.n, .nline = nline, .place = r->places++},
	    r->to.p, r->line.p);
	r->columns = r->cells;
	r->line.n = r->to.n = 0;
	r->cells = 0;
	if (r->most && r->nkept >= SPARE && r->nkept / 2 >= r->most)
		trim(r);
}

void
rows_flush(struct rows *r)
{
	if (r->nkept)
		trim(r);
	for (size_t i = 0; i < r->nkept; i++) {
		r->cells = r->columns;
		buf_add(&r->line, r->kept[i].key + r->kept[i].nkey, r->kept[i].nline);
		rows_write(r);
	}
	free(r->kept);
	arena_free(&r->mem);
	r->kept = NULL;
	r->nkept = r->kept_cap = 0;
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
