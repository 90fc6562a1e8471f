/* table.c - see table.h. A row is first made as a line with TABs, so that TABLE_TABS costs no conversion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/json.h"
#include "base/num.h"
#include "base/put.h"
#include "event/event.h"
#include "input/cached_text.h"
#include "table/table.h"

void
table_text(struct table *t, const char *text)
{
	buf_add(table_cell(t), text, strlen(text));
}

void
table_texts(struct table *t, const char *const *text)
{
	while (*text)
		table_text(t, *text++);
}

void
table_u64(struct table *t, uint64_t v)
{
	struct buf *b = table_cell(t);

	buf_to(b, put_u64(buf_room(b, 20 + PUT_SLACK), v));
}

void
table_name(struct table *t, const char *name)
{
	size_t n = strlen(name);
	struct buf *b = table_cell(t);

	buf_to(b, put_name(buf_room(b, 4 * n), name, n));
}

/* Returns the end of the cell or key that begins at p. */
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

void
table_json(struct buf *b, const char *cell, size_t n, bool text)
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

/* Converts the cells of the row to CSV, in t->to. A row of one empty cell is written as "", because readers skip
 * an empty line. names: the cells are headings, where "-" is a name. */
static void
csv_row(struct table *t, bool names)
{
	const char *p = (const char *)t->line.p, *end = p + t->line.n, *next;
	struct buf raw = {0};

	for (unsigned i = 0; i < t->cells; i++, p = next + 1) {
		next = cell_end(p, end);
		if (i)
			buf_byte(&t->to, ',');
		if (names || !is(p, (size_t)(next - p), "-")) {
			text_raw(&raw, p, (size_t)(next - p));
			table_csv(&t->to, raw.p, raw.n, false);
		} else if (t->cells == 1)
			buf_add(&t->to, "\"\"", 2);
	}
	buf_byte(&t->to, '\n');
	buf_free(&raw);
}

static void
json_row(struct table *t)
{
	const char *p = (const char *)t->line.p, *end = p + t->line.n, *next;
	const char *key = (const char *)t->keys.p, *keys_end = key + t->keys.n, *colon;
	bool array = t->style == TABLE_JSON;

	if (array)
		buf_add(&t->to, t->n ? ",\n  " : "\n  ", t->n ? 4 : 3);
	for (unsigned i = 0; i < t->cells && key < keys_end; i++) {
		next = cell_end(p, end);
		colon = cell_end(key, keys_end);
		buf_add(&t->to, key, (size_t)(colon - key));
		table_json(&t->to, p, (size_t)(next - p), i < t->texts);
		p = next + 1;
		key = colon + 1;
	}
	if (t->cells && p < end) {
		buf_str(&t->to, ", \"approximate\": [");
		buf_add(&t->to, p, (size_t)(end - p));
		buf_byte(&t->to, ']');
	}
	buf_add(&t->to, array ? "}" : "}\n", array ? 1 : 2);
}

/* Writes `made`, the text of the row, and empties the row. */
static void
row_out(struct table *t, struct buf *made)
{
	if (t->take)
		t->take(t->arg, (const char *)made->p, made->n - 1);
	else
		out_bytes(t->out, made->p, made->n);
	t->line.n = t->to.n = 0;
	t->cells = 0;
}

void
table_head(struct table *t)
{
	const char *p = (const char *)t->line.p, *end = p + t->line.n, *next;

	if (t->bare || t->take) {
		t->line.n = t->cells = 0;
		return;
	}
	switch (t->style) {
	case TABLE_TABS:
	case TABLE_TSV:
		out_str(t->out, t->style == TABLE_TABS ? "#" : "");
		buf_byte(&t->line, '\n');
		row_out(t, &t->line);
		return;
	case TABLE_CSV: csv_row(t, true); break;
	case TABLE_JSON:
	case TABLE_LINES:
		for (unsigned i = 0; i < t->cells; i++, p = next + 1) {
			next = cell_end(p, end);
			buf_add(&t->keys, i ? ", " : "{", i ? 2 : 1);
			json_string(&t->keys, p, (size_t)(next - p));
			buf_add(&t->keys, ": \t", 3);
		}
		if (t->style == TABLE_JSON)
			buf_byte(&t->to, '[');
	}
	row_out(t, &t->to);
}

/* Writes the row in the making. */
static void
rows_write(struct table *t)
{
	bool tabs = t->style == TABLE_TABS || t->style == TABLE_TSV;

	if (tabs)
		buf_byte(&t->line, '\n');
	else if (t->style == TABLE_CSV)
		csv_row(t, false);
	else
		json_row(t);
	row_out(t, tabs ? &t->line : &t->to);
	t->n++;
}

/* A kept row. Its key sorts rows by memcmp; the row's line follows the key in memory. */
struct waiting_row {
	uint8_t *key;
	size_t nkey, nline;
	uint64_t place; /* number of the row, in the order of arrival */
};

/* Rows beyond the limit are dropped when at least this many rows, and twice the limit, are kept. */
#define SPARE 4096

/* The kind of a cell, which is the first byte of its part of a key. In descending order (down) the bytes are
 * inverted: all kinds are then lower than NOTHING, and so are both ends of a part. */
enum {
	NEGATIVE = 0x10,
	POSITIVE = 0x20,
	TEXT = 0x30,
	NOTHING = 0xff,
};

/* Appends the key of the number [-]digits[.digits], which may have any length: a number with more digits before
 * the point is greater. Returns false, and appends nothing, if the text is no such number. */
static bool
add_decimal(struct buf *b, const char *p, const char *end)
{
	bool neg = p < end && *p == '-';
	const char *whole = p + neg, *part;
	size_t n = num_digits(whole, end), nwhole = n, npart = 0, start = b->n;

	part = whole + n;
	if (n && part < end && *part == '.') {
		npart = num_digits(++part, end);
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

/* Appends a text so that memcmp sorts it as natural_order does. A run of digits becomes the byte '0', the number
 * of its digits without leading zeros, and these digits. */
static void
add_text(struct buf *b, const char *p, const char *end)
{
	while (p < end) {
		size_t n = num_digits(p, end);

		if (!n) {
			buf_byte(b, *p++);
			continue;
		}
		for (; n > 1 && *p == '0'; n--)
			p++;
		buf_byte(b, '0');
		for (int shift = 24; shift >= 0; shift -= 8)
			buf_byte(b, (char)(n >> shift));
		buf_add(b, p, n);
		p += n;
	}
	buf_byte(b, 0);
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
		/* A number in hexadecimal, or with an exponent. */
		if (num_parse(p, n, NUM_BARE, &num, NULL)) {
			int k =
			    snprintf(text, sizeof text, "%s%llu.%09u", num.neg ? "-" : "",
				     (unsigned long long)num.whole, (unsigned)num.nano);

			add_decimal(b, text, text + k);
		} else {
			buf_byte(b, TEXT);
			add_text(b, p, p + n);
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

	/* No part of a key is the beginning of another, so equal bytes mean equal keys. */
	return c ? c : a->place < b->place ? -1 : 1;
}

static void
add_kept(struct table *t, struct waiting_row k, const uint8_t *key, const uint8_t *line)
{
	k.key = arena_get(&t->mem, k.nkey + k.nline);
	memcpy(k.key, key, k.nkey);
	memcpy(k.key + k.nkey, line, k.nline);
	*PUSH(t->kept, t->nkept, t->kept_cap) = k;
}

/* Sorts the kept rows, and drops those beyond the limit and their memory. */
static void
trim(struct table *t)
{
	struct arena old = t->mem;
	size_t n = t->nkept;

	qsort(t->kept, n, sizeof *t->kept, kept_cmp);
	if (!t->most || n <= t->most)
		return;
	t->mem = (struct arena){0};
	t->nkept = 0;
	while (t->nkept < t->most) {
		struct waiting_row k = t->kept[t->nkept];

		add_kept(t, k, k.key, k.key + k.nkey);
	}
	arena_free(&old);
}

/* Keeps the row in the making. */
static void
rows_keep(struct table *t)
{
	size_t nline = t->line.n;

	for (size_t i = 0; i < t->nby; i++) {
		const char *p = (const char *)t->line.p, *end = p + nline, *tab;

		for (unsigned k = 0;
		     (tab = memchr(p, '\t', (size_t)(end - p))) && k < t->by[i].column; k++)
			p = tab + 1;
		add_key(&t->to, p, (size_t)((tab ? tab : end) - p), t->by[i].down);
	}
	add_kept(
	    t, (struct waiting_row){.nkey = t->to.n, .nline = nline, .place = t->places++},
	    t->to.p, t->line.p);
	t->columns = t->cells;
	t->line.n = t->to.n = 0;
	t->cells = 0;
	if (t->most && t->nkept >= SPARE && t->nkept / 2 >= t->most)
		trim(t);
}

/* Writes the rows that were kept. */
static void
rows_flush(struct table *t)
{
	if (t->nkept)
		trim(t);
	for (size_t i = 0; i < t->nkept; i++) {
		t->cells = t->columns;
		buf_add(&t->line, t->kept[i].key + t->kept[i].nkey, t->kept[i].nline);
		rows_write(t);
	}
	FREE(t->kept);
	arena_free(&t->mem);
	t->nkept = t->kept_cap = 0;
}

void
table_row(struct table *t)
{
	/* Keep the names of approximate cells as one more cell, which is not counted. */
	if (t->approximate.n) {
		buf_byte(&t->line, '\t');
		buf_add(&t->line, t->approximate.p, t->approximate.n);
		t->approximate.n = 0;
	}
	(t->nby ? rows_keep : rows_write)(t);
}

void
table_approximate(struct table *t)
{
	if (t->keys.n == 0)
		return;
	const char *p = (const char *)t->keys.p, *end = p + t->keys.n, *key = p;

	for (unsigned i = 0; i < t->cells && p < end; i++) {
		key = p;
		p = cell_end(p, end) + 1;
	}
	if (p == key)
		return;
	/* A key is `{"name": ` or `, "name": `. */
	buf_str(&t->approximate, t->approximate.n ? ", " : "");
	key = strchr(key, '"');
	buf_add(&t->approximate, key, (size_t)(p - 3 - key));
}

void
table_end(struct table *t)
{
	rows_flush(t);
	if (t->style == TABLE_JSON)
		out_str(t->out, t->n ? "\n]" : "]");
	buf_free(&t->line);
	buf_free(&t->to);
	buf_free(&t->keys);
	buf_free(&t->approximate);
}
