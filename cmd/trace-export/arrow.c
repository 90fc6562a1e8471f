/* arrow.c - events as an Arrow IPC stream: little-endian, metadata version 5, no dictionaries.
 *
 * message: 0xffffffff, le32 size of the header, header, body; all in multiples of 8
 * messages: the schema, then a record batch for each group of rows; 0xffffffff, 0
 *
 * A header is a flatbuffer. It is made from its end to its beginning, because a reference precedes its target.
 * Places are counted from the end. */
#include <stdlib.h>

#include "trace-export/columns.h"

/* Types of messages, and of fields. */
enum {
	SCHEMA = 1,
	RECORD_BATCH = 3,
	TYPE_INT = 2,
	TYPE_DOUBLE = 3,
	TYPE_UTF8 = 5,
	TYPE_TIMESTAMP = 10,
	TYPE_LIST = 12
};

struct arrow_writer {
	uint8_t *fb; /* the header is the last `top` bytes of cap */
	size_t cap, top, body;
	struct buf nodes, buffers; /* of a record batch: pairs of numbers */
	struct buf made;
};

/* Puts n bytes in front, at a multiple of `align`. Returns their place. */
static size_t
put_bytes(struct arrow_writer *x, const void *p, size_t n, size_t align)
{
	size_t more = n + (align - (x->top + n) % align) % align, cap = 2 * (x->top + more);
	uint8_t *fb;

	if (x->top + more > x->cap) {
		fb = xcalloc(1, cap);
		if (x->top)
			memcpy(fb + cap - x->top, x->fb + x->cap - x->top, x->top);
		free(x->fb);
		x->fb = fb;
		x->cap = cap;
	}
	x->top += more;
	memset(x->fb + x->cap - x->top, 0, more);
	if (n)
		memcpy(x->fb + x->cap - x->top, p, n);
	return x->top;
}

static size_t
arrow_number(struct arrow_writer *x, size_t width, uint64_t v)
{
	uint8_t le[8];

	st_le64(le, v);
	return put_bytes(x, le, width, width);
}

static size_t
put_reference(struct arrow_writer *x, size_t to)
{
	put_bytes(x, NULL, 0, 4);
	return arrow_number(x, 4, x->top + 4 - to);
}

static size_t
arrow_string(struct arrow_writer *x, const void *p, size_t n)
{
	put_bytes(x, "", 1, 1);
	put_bytes(x, p, n, 4);
	return arrow_number(x, 4, n);
}

static size_t
put_references(struct arrow_writer *x, const size_t *to, size_t n)
{
	for (size_t i = n; i--;)
		put_reference(x, to[i]);
	return arrow_number(x, 4, n);
}

static size_t
put_pairs(struct arrow_writer *x, const struct buf *pairs)
{
	put_bytes(x, pairs->p, pairs->n, 8);
	return arrow_number(x, 4, pairs->n / 16);
}

/* Puts a table in front. Each letter of `fields` is a field: its width, r for a reference, or - if it is
 * absent; v has the values. Returns its place. */
static size_t
arrow_table(struct arrow_writer *x, const char *fields, const uint64_t *v)
{
	size_t at[8] = {0}, n = strlen(fields), end = x->top, table;

	for (size_t i = n; i--;)
		if (fields[i] == 'r')
			at[i] = put_reference(x, (size_t)v[i]);
		else if (fields[i] != '-')
			at[i] = arrow_number(x, (size_t)(fields[i] - '0'), v[i]);
	table = arrow_number(x, 4, 0);
	for (size_t i = n; i--;)
		arrow_number(x, 2, at[i] ? table - at[i] : 0);
	arrow_number(x, 2, table - end);
	arrow_number(x, 2, 4 + 2 * n);
	st_le32(x->fb + x->cap - table, (uint32_t)(x->top - table));
	return table;
}
#define V(...) ((const uint64_t[]){__VA_ARGS__})

/* Writes a message without its body of x->body bytes. */
static void
put_message(struct export_columns *t, uint64_t type, size_t header)
{
	struct arrow_writer *x = t->state;
	size_t table = arrow_table(x, "21r8", V(4, type, header, x->body));
	uint8_t start[8];

	arrow_number(x, 4, 0); /* reference to the table, at a multiple of 8 */
	if (x->top % 8)
		arrow_number(x, 4, 0);
	st_le32(x->fb + x->cap - x->top, (uint32_t)(x->top - table));
	st_le32(start, UINT32_MAX);
	st_le32(start + 4, (uint32_t)x->top);
	out_bytes(&t->sink->out, start, 8);
	out_bytes(&t->sink->out, x->fb + x->cap - x->top, x->top);
	x->top = 0;
}

/* Puts the field of a column, or of the elements of its list. Returns its place. */
static size_t
put_field(struct arrow_writer *x, const struct export_column *c, bool element)
{
	bool list = c->list && !element;
	size_t child = list ? put_field(x, c, true) : 0, type, name, zone, children;
	uint64_t is = TYPE_INT;

	if (list || c->type == COLUMN_TEXT) {
		is = list ? TYPE_LIST : TYPE_UTF8;
		type = arrow_table(x, "", NULL);
	} else if (c->type == COLUMN_DOUBLE) {
		is = TYPE_DOUBLE;
		type = arrow_table(x, "2", V(2));
	} else if (c->type == COLUMN_DATE) {
		is = TYPE_TIMESTAMP;
		zone = arrow_string(x, "UTC", 3);
		type = arrow_table(x, "2r", V(3, zone)); /* ns */
	} else
		type = arrow_table(x, "41", V(64, c->type != COLUMN_UINT64));
	name =
	    element ? arrow_string(x, "element", 7) : arrow_string(x, c->name.p, c->name.n);
	children = put_references(x, &child, list);
	return arrow_table(x, "r11r-r", V(name, !element, is, type, 0, children));
}

static void
arrow_head(struct export_columns *t)
{
	struct arrow_writer *x = t->state;
	size_t n = columns_facts(t), *at = xcalloc(t->n + n, sizeof *at), facts, fields;
	const char *p = (const char *)t->facts.p;

	for (size_t i = 0; i < n; i++) {
		size_t key = arrow_string(x, p, strlen(p)), value;

		p += strlen(p) + 1;
		value = arrow_string(x, p, strlen(p));
		p += strlen(p) + 1;
		at[i] = arrow_table(x, "rr", V(key, value));
	}
	facts = put_references(x, at, n);
	for (size_t i = 0; i < t->n; i++)
		at[i] = put_field(x, &t->col[i], false);
	fields = put_references(x, at, t->n);
	free(at);
	put_message(t, SCHEMA, arrow_table(x, "-rr", V(0, fields, facts)));
}

static void
add_pair(struct buf *b, uint64_t one, uint64_t two)
{
	st_le64(buf_room(b, 16), one);
	st_le64(b->p + b->n + 8, two);
	b->n += 16;
}

/* Writes a buffer of the body, or, without `writes`, notes its place. */
static void
put_buffer(struct export_columns *t, bool writes, const void *p, size_t n)
{
	struct arrow_writer *x = t->state;
	size_t more = (8 - n % 8) % 8;

	if (writes) {
		out_bytes(&t->sink->out, p, n);
		out_bytes(&t->sink->out, "\0\0\0\0\0\0\0", more);
	} else
		add_pair(&x->buffers, x->body, n);
	x->body += n + more;
}

/* Writes or notes the validity of a column's rows: a bit for each row, 1 if it has a value or a list. */
static void
put_validity(struct export_columns *t, bool writes, const struct export_column *c)
{
	struct buf *b = &((struct arrow_writer *)t->state)->made;
	size_t n = (t->rows + 7) / 8, row = 0, have = 0;
	bool dense = !c->list && c->have == t->rows;

	b->n = 0;
	memset(buf_room(b, n), 0, n);
	for (size_t i = 0; i < c->level.n && !dense; i++)
		if (!(c->level.p[i] & LEVEL_MORE)) {
			bool there = c->level.p[i] != 0;

			b->p[row / 8] |= (uint8_t)(there << row % 8);
			have += there;
			row++;
		}
	have = dense ? t->rows : have;
	put_buffer(t, writes, b->p, have < t->rows ? n : 0);
	if (!writes)
		add_pair(&((struct arrow_writer *)t->state)->nodes, t->rows,
			 t->rows - have);
}

/* Writes or notes a 0, then the end of each list, or of each text. */
static void
put_ends(struct export_columns *t, bool writes, const struct export_column *c, bool lists)
{
	struct buf *b = &((struct arrow_writer *)t->state)->made;
	uint8_t part = c->list ? LEVEL_ELEMENT : LEVEL_VALUE, *to;
	size_t n = 4 * (lists || !c->list ? (size_t)t->rows : c->have), value = 0;
	uint32_t end = 0;

	b->n = 0;
	to = buf_room(b, n + 4);
	for (size_t i = 0; i < c->level.n && writes; i++) {
		uint8_t level = c->level.p[i];

		if (lists ? !(level & LEVEL_MORE) : level & part || !c->list) {
			st_le32(to, end);
			to += 4;
		}
		if (level & part)
			end += lists ? 1 : column_text(c, value++)->len;
	}
	st_le32(to, end);
	put_buffer(t, writes, b->p, n + 4);
}

/* Writes or notes the values of a column, or the elements of its lists. */
static void
arrow_values(struct export_columns *t, bool writes, const struct export_column *c)
{
	struct buf *b = &((struct arrow_writer *)t->state)->made;
	bool dense = c->list || c->have == t->rows;
	size_t n = 0, width = 8;
	uint8_t *to;

	if (c->type == COLUMN_TEXT) {
		put_ends(t, writes, c, false);
		to = buf_room(b, c->chars);
		for (uint32_t i = 0; i < c->have && writes; i++) {
			const struct str *text = column_text(c, i);

			for (uint32_t k = 0; k < text->len; k++)
				*to++ = (uint8_t)text->s[k];
		}
		put_buffer(t, writes, b->p, c->chars);
		return;
	}
	n = width * (c->list ? c->have : t->rows);
	b->n = 0;
	buf_room(b, n);
	for (size_t i = 0, value = 0; i < t->rows && writes && !dense; i++, b->n += width)
		st64(b->p + b->n, c->level.p[i] ? ld64(c->value.p + width * value++) : 0);
	put_buffer(t, writes, dense ? c->value.p : b->p, n);
}

/* Notes the nodes and buffers of all columns; with `writes`, writes the buffers. */
static void
put_body(struct export_columns *t, bool writes)
{
	struct arrow_writer *x = t->state;

	x->body = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct export_column *c = &t->col[i];

		put_validity(t, writes, c);
		if (c->list) {
			put_ends(t, writes, c, true);
			if (!writes)
				add_pair(&x->nodes, c->have, 0);
			/* no validity: all elements are valid */
			put_buffer(t, writes, NULL, 0);
		}
		arrow_values(t, writes, c);
	}
}

static void
arrow_group(struct export_columns *t)
{
	struct arrow_writer *x = t->state;
	size_t nodes, buffers;

	x->nodes.n = x->buffers.n = 0;
	put_body(t, false);
	buffers = put_pairs(x, &x->buffers);
	nodes = put_pairs(x, &x->nodes);
	put_message(t, RECORD_BATCH, arrow_table(x, "8rr", V(t->rows, nodes, buffers)));
	put_body(t, true);
	x->body = 0;
}

static void
arrow_end(struct export_columns *t)
{
	out_bytes(&t->sink->out, "\xff\xff\xff\xff\0\0\0", 8);
}

static void
arrow_free(struct export_columns *t)
{
	struct arrow_writer *x = t->state;

	free(x->fb);
	buf_free(&x->nodes);
	buf_free(&x->buffers);
	buf_free(&x->made);
}

static const struct columns_writer writer = {sizeof(struct arrow_writer), arrow_head,
					     arrow_group, arrow_end, arrow_free};

const struct target target_arrow = {
    .name = "arrow",
    .about = "Apache Arrow, an IPC stream: pyarrow, polars, R, nanoarrow",
    .takes = TAKES(FIELDS) | TAKES(ABSOLUTE),
    .carries = NEED_COLUMNS | NEED_ARGS,
    .form = &form_columns,
    .columns = &writer,
    .once = columns_once,
    .learn = columns_learn,
};
