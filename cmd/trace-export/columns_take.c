/* columns_take.c - puts values of events into columns: see columning.h. */
#include <stdlib.h>

#include "base/json.h"
#include "base/put.h"
#include "event/value.h"
#include "trace-export/columning.h"

/* Bound: trace-export parquet, arrow | texts of some 512 events | their bytes | 64 MiB | values are left out */
#define TEXTS_MOST (64u << 20)
/* Limit of a text on the fast path, in bytes. */
#define RUN_BYTES (1u << 20)

/* Kinds of values in a column. */
enum {
	IS_TEXT = 1,
	IS_NS = 2,
	IS_INT = 4,
	IS_REAL = 8,
	IS_BELOW = 32, /* an integer below 0 */
	IS_BIG = 64,   /* an integer of 2^63 or more */
	IS_WIDE = 128, /* an integer, or ns, that a double cannot hold */
	IS_LIST = 256,
	IS_SINGLE = 512, /* not a list */
};

/* A value. For the kinds K_NS, K_I64, K_U64 and K_F64, n is the number, or the bits of the double. Any other
 * kind is a text. p is the text, also of a number that was read from one, else NULL. */
struct cell_value {
	unsigned kind;
	uint64_t n;
	const uint8_t *p;
	size_t len;
};

void
columns_utf8(struct buf *b, const uint8_t *p, size_t n)
{
	size_t len;
	uint32_t c;

	for (b->n = 0; n; p += len, n -= len) {
		len = utf8_char(p, n, &c);
		if (len)
			buf_add(b, p, len);
		else {
			buf_byte(b, (char)(0xc0 | *p >> 6));
			buf_byte(b, (char)(0x80 | (*p & 0x3f)));
			len = 1;
		}
	}
}

/* Makes the text v a number if it is written like one. A NUL must follow the text. */
static void
find_number(struct cell_value *v)
{
	const char *p = (const char *)v->p, *why;
	uint8_t text[64 + PUT_SLACK], *end;
	struct num num = {0};
	double d;

	for (int i = 0; i < 2 && v->len < 32 && num_parse(p, v->len, NUM_BARE, &num, &why);
	     i++) {
		v->kind = i ? K_NS : num.neg || num.whole <= INT64_MAX ? K_I64 : K_U64;
		v->n = i ? num.whole * 1000000000 + num.nano : num.whole;
		v->n = num.neg ? 0 - v->n : v->n;
		end = value_put_int(text, v->kind, v->n);
		if ((size_t)(end - text) == v->len && !memcmp(text, p, v->len))
			return;
	}
	v->kind = K_TEXT;
	if ((v->len && json_number(p, v->len) == v->len && row_writer_exact(p, v->len)) ||
	    (v->len == strlen(p) &&
	     (!strcmp(p, "nan") || !strcmp(p, "inf") || !strcmp(p, "-inf")))) {
		v->kind = K_F64;
		d = strtod(p, NULL);
		memcpy(&v->n, &d, sizeof d);
	}
}

/* Sets v to the value of n bytes with the escapes of a stream, a text if `text`, else perhaps a number. */
static void
set_text(struct columns_form *t, struct cell_value *v, const uint8_t *p, size_t n,
	 bool text)
{
	text_raw(&t->raw, (const char *)p, n);
	*v = (struct cell_value){.kind = K_TEXT, .p = t->raw.p, .len = t->raw.n};
	if (!text)
		find_number(v);
}

/* Sets v to the value of a field of r. Returns false if it is absent. */
static bool
set_field(struct columns_form *t, struct cell_value *v, const struct source *s,
	  const struct rec *r, const struct field *f)
{
	/* An argument in hex is a text, as in a stream. */
	bool hex = f->kind == FIELD_ARG && (f->number == K_X32 || f->number == K_X64);

	*v = (struct cell_value){.kind = f->number == K_NS ? K_NS
					 : f->sign	   ? K_I64
							   : K_U64};
	if (!hex && field_load(f, r, &v->n)) {
		if (f->kind == FIELD_TIME || f->kind == FIELD_END)
			v->n = (uint64_t)time_plus(s->head.clock, (int64_t)v->n, t->shift);
		return true;
	}
	t->text.n = 0;
	if ((f->load == LOAD_STRING && ld32((const uint8_t *)r + f->off) >= s->t.str.n) ||
	    !field_text(&t->text, &s->head, &s->t, r, f))
		return false;
	set_text(t, v, t->text.p, t->text.n,
		 f->kind == FIELD_LOC || f->kind == FIELD_EVENT);
	return true;
}

/* Sets v to a computed value. Returns false if it is absent. */
static bool
set_computed(struct columns_form *t, struct cell_value *v, struct val one, enum clock clock)
{
	struct val_env env = {.clock = clock};

	t->raw.n = 0;
	val_put(&t->raw, &env, &one);
	*buf_room(&t->raw, 1) = '\0';
	*v = (struct cell_value){.kind = K_TEXT, .p = t->raw.p, .len = t->raw.n};
	find_number(v);
	return one.kind != VAL_NONE;
}

static unsigned
seen_of(const struct cell_value *v)
{
	bool below = (v->kind == K_I64 || v->kind == K_NS) && (int64_t)v->n < 0;
	unsigned wide = (below ? 0 - v->n : v->n) > CELLS_EXACT ? IS_WIDE : 0;

	switch (v->kind) {
	case K_TEXT: return IS_TEXT;
	case K_F64: return IS_REAL;
	case K_NS: return IS_NS | wide;
	case K_I64: return IS_INT | wide | (below ? IS_BELOW : 0);
	default: return IS_INT | wide | (v->n > INT64_MAX ? IS_BIG : 0);
	}
}

void
columns_type(struct columns_form *t, struct export_column *c)
{
	unsigned odd = IS_LIST | IS_SINGLE, kinds;

	if (c->kind)
		c->seen = c->kind == FIELD_LOC || c->kind == FIELD_EVENT ? IS_TEXT
			  : field_is_time(c->kind) && !t->ticks		 ? IS_NS | IS_WIDE
								: IS_INT | IS_WIDE | IS_BIG;
	kinds = c->seen & (IS_NS | IS_INT | IS_REAL);
	c->list = (c->seen & odd) == IS_LIST;
	c->type = COLUMN_TEXT;
	if (c->seen & IS_TEXT || (c->seen & odd) == odd)
		return;
	if (kinds == IS_NS)
		c->type =
		    t->dated && c->kind && c->kind != FIELD_DUR ? COLUMN_DATE : COLUMN_NS;
	else if (kinds == IS_INT && c->seen & IS_BIG && !(c->seen & IS_BELOW))
		c->type = COLUMN_UINT64;
	else if (kinds == IS_INT && !(c->seen & IS_BIG))
		c->type = COLUMN_INT64;
	else if (kinds == IS_REAL || (kinds & IS_REAL && !(c->seen & IS_WIDE)))
		c->type = COLUMN_DOUBLE;
}

void
columns_level(struct export_column *c, uint32_t row, unsigned level)
{
	uint8_t *p = buf_room(&c->level, row + 1 - c->rows + 1);

	if (unlikely(c->rows < row))
		memset(p, 0, row - c->rows);
	p += row - c->rows;
	*p = (uint8_t)level;
	buf_to(&c->level, p + 1);
	c->rows = row + 1;
}

/* Appends a text by its number. Returns false if there is too much text. */
static INLINE bool
add_text(struct columns_form *t, struct export_column *c, uint32_t id)
{
	size_t n = c->texts.v[id].len;

	if (unlikely(n && t->bytes + n > TEXTS_MOST)) {
		t->lost++;
		return false;
	}
	t->bytes += n + 4;
	c->chars += n;
	st_le32(buf_room(&c->value, 4), id);
	c->value.n += 4;
	c->have++;
	return true;
}

/* Appends a value. Returns false if the column cannot hold it. */
static bool
column_take(struct columns_form *t, struct export_column *c, struct cell_value *v)
{
	uint8_t number[32 + PUT_SLACK];
	double d = v->kind == K_U64 ? (double)v->n : (double)(int64_t)v->n;

	if (c->type == COLUMN_TEXT) {
		if (!v->p)
			v->len = (size_t)(value_put_int(number, v->kind, v->n) - number);
		columns_utf8(&t->utf8, v->p ? v->p : number, v->len);
		return add_text(t, c, strtab_id(&c->texts, t->utf8.p, t->utf8.n));
	}
	if (seen_of(v) & ~c->seen) {
		t->lost++; /* the input has changed */
		return false;
	}
	if (c->type == COLUMN_DOUBLE && v->kind != K_F64) {
		d = v->kind == K_NS ? d / 1e9 : d;
		memcpy(&v->n, &d, sizeof d);
	}
	st_le64(buf_room(&c->value, 8), v->n);
	c->value.n += 8;
	c->have++;
	t->bytes += 8;
	return true;
}

/* Takes the list f of r, whose elements have commas between them in a stream. */
static void
take_list(struct columns_form *t, struct export_column *c, const struct source *s,
	  const struct rec *r, const struct field *f, uint32_t row)
{
	const uint8_t *p, *end, *comma;
	struct cell_value v;
	bool any = false;

	c->seen |= IS_LIST;
	t->text.n = 0;
	field_text(&t->text, &s->head, &s->t, r, f);
	for (p = t->text.p, end = p + t->text.n; p < end; p = comma + 1) {
		comma = memchr(p, ',', (size_t)(end - p));
		comma = comma ? comma : end;
		set_text(t, &v, p, (size_t)(comma - p), false);
		if (t->learning)
			c->seen |= seen_of(&v);
		else if (column_take(t, c, &v)) {
			if (!any)
				columns_level(c, row, LEVEL_ELEMENT);
			else
				buf_byte(&c->level, LEVEL_ELEMENT | LEVEL_MORE);
			any = true;
			t->bytes++;
		}
	}
	if (!t->learning && !any)
		columns_level(c, row, LEVEL_VALUE);
}

/* Takes the text f of r by its key: the number of the type, or of a string of the source. */
static INLINE void
take_known(struct columns_form *t, struct export_column *c, const struct source *s,
	   const struct rec *r, const struct field *f, uint32_t row)
{
	bool constant = f->load == LOAD_CONST;
	uint32_t id = constant ? r->type : ld32((const uint8_t *)r + f->off);
	uint32_t key = (id + 1) << 2 | (f->kind == FIELD_ARG ? 2u : 0u) | constant;
	struct column_known *e = &c->known[id % KNOWN];
	struct cell_value v;

	if (unlikely(e->key != key)) {
		*e = (struct column_known){key, 0, UINT32_MAX};
		if (set_field(t, &v, s, r, f)) {
			columns_utf8(&t->utf8, v.p, v.len);
			e->text = strtab_id(&c->texts, t->utf8.p, t->utf8.n);
			e->len = (uint32_t)t->utf8.n;
		}
	}
	if (e->len != UINT32_MAX && add_text(t, c, e->text))
		columns_level(c, row, LEVEL_VALUE);
}

void
columns_take(struct columns_form *t, struct export_column *c, const struct source *s,
	     const struct rec *r, const struct field *f, uint32_t j, uint32_t row)
{
	const struct values *list = t->learning ? &t->first : &t->values;
	struct cell_value v;

	if (f && f->load == LOAD_NONE)
		return;
	if (f && f->kind == FIELD_ARG && f->arg->array && (t->learning || c->list))
		take_list(t, c, s, r, f, row);
	else if (f && c->known && (f->load == LOAD_CONST || f->load == LOAD_STRING))
		take_known(t, c, s, r, f, row);
	else if (f ? !set_field(t, &v, s, r, f)
		   : !set_computed(t, &v, vec_val(exprs_vec(list->list, c->at), j),
				   s->head.clock))
		return;
	else if (t->learning)
		c->seen |= IS_SINGLE | seen_of(&v);
	else if (column_take(t, c, &v))
		columns_level(c, row, LEVEL_VALUE);
}

uint32_t
columns_take_texts(struct columns_form *t, struct export_column *c,
		   const struct rec *const *rec, uint32_t n, uint32_t row)
{
	uint32_t loc = c->kind == FIELD_LOC, k = 0, key;
	size_t bytes = t->bytes;
	uint8_t *to = buf_room(&c->value, 4 * (size_t)n);

	if (c->rows != row)
		return 0;
	for (; k < n && bytes < TEXTS_MOST - RUN_BYTES; k++, to += 4) {
		const struct column_known *e;

		key = loc ? rec[k]->loc : rec[k]->type;
		e = &c->known[key % KNOWN];
		if (e->key != ((key + 1) << 2 | !loc) || e->len > RUN_BYTES)
			break;
		st_le32(to, e->text);
		bytes += e->len + 4;
	}
	c->chars += bytes - t->bytes - 4 * k;
	t->bytes = bytes;
	buf_to(&c->value, to);
	memset(buf_room(&c->level, k), LEVEL_VALUE, k);
	c->level.n += k;
	c->rows += k;
	c->have += k;
	return k;
}

bool
columns_take_64(struct columns_form *t, struct export_column *c,
		const struct rec *const *rec, uint32_t n)
{
	const struct field *f = &t->view.name[c->at].same;
	unsigned all = f->bit, any = 0, type = f->sign ? COLUMN_INT64 : COLUMN_UINT64;
	uint8_t *to;

	if (f->number == K_NS)
		type = t->shift && f->kind == FIELD_TIME ? COLUMN_TEXT : COLUMN_NS;
	if (f->load != LOAD_INT || f->shift || !f->number || c->type != type || c->list)
		return false;
	for (uint32_t i = 0; i < n && f->bit; i++) {
		all &= rec[i]->has;
		any |= rec[i]->has & f->bit;
	}
	if (all != f->bit)
		return !any;
	if (c->rows < t->is.rows)
		columns_level(c, t->is.rows - 1, 0);
	to = buf_room(&c->value, 8 * (size_t)n);
	for (uint32_t i = 0; i < n; i++, to += 8)
		st_le64(to, ld64((const uint8_t *)rec[i] + f->off));
	buf_to(&c->value, to);
	memset(buf_room(&c->level, n), LEVEL_VALUE, n);
	c->level.n += n;
	c->rows += n;
	c->have += n;
	t->bytes += 8 * (size_t)n;
	return true;
}
