/*
 * columns.c - see columns.h. A first reading finds out which columns there are, and of what
 * types: unless all are columns of every event.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/put.h"
#include "cli/opt.h"
#include "event/value.h"
#include "trace-export/columns.h"
#include "view/request.h"

/* Rows of a group at most, and bytes of values after which it ends. */
#define ROWS_MOST (128u << 10)
#define BYTES_MOST (6u << 20)
/* Bound: trace-export parquet, arrow | columns | names of arguments | 4096 | different arguments: the others are left out */
#define COLUMNS_MOST 4096
/* Bound: trace-export parquet, arrow | texts of some 512 events | their bytes | 64 MiB | values are left out */
#define TEXTS_MOST (64u << 20)
/* Bytes of one text that are added in haste. */
#define RUN_BYTES (1u << 20)
#define KNOWN 256 /* texts that a column finds without their hash */

/* What values a column has. */
enum {
	IS_TEXT = 1,
	IS_NS = 2,
	IS_INT = 4,
	IS_REAL = 8,
	IS_BELOW = 32, /* an integer below 0 */
	IS_BIG = 64,   /* an integer of 2^63 or more */
	IS_WIDE = 128, /* an integer, or ns, that a double does not hold */
	IS_LIST = 256,
	IS_SINGLE = 512, /* no list */
};

/* n is a number of the kind K_NS, K_I64, K_U64, or the bits of a K_F64. Any other kind is a text; p
 * is also that of a number that was read from it. */
struct value {
	unsigned kind;
	uint64_t n;
	const uint8_t *p;
	size_t len;
};

/* A text by its key: the number of a string of the source, or a type. */
struct column_known {
	uint32_t key, text, len; /* len: UINT32_MAX if there is none */
};

/* The arguments of events of a type. */
struct plan {
	bool made;
	uint32_t n;
	struct plan_arg {
		uint32_t column;
		struct field f;
	} * v;
};

struct columns_form {
	struct columns is;
	const struct columns_writer *writer;
	size_t fixed; /* columns that are no arguments; those come behind them */
	struct strtab args;
	struct view view;
	struct values values, first; /* first: of the first reading */
	struct plan *plan, *making;
	struct cache plan_cache;
	size_t bytes; /* of the group */
	unsigned epoch, heads;
	int64_t shift;
	bool begun, chosen, learning; /* chosen: --fields */
	bool ticks, dated, too_many;
	bool mixed, late; /* facts differ among inputs; late: facts that are written */
	uint64_t lost;
	struct buf heads_facts, text, raw, utf8;
};

/* b = n bytes; each that is not UTF-8 becomes the character with its number. */
static void
set_utf8(struct buf *b, const uint8_t *p, size_t n)
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

/* Makes the text v, which has a NUL behind it, a number if it is written like one. */
static void
find_number(struct value *v)
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
	if ((v->len && json_number(p, v->len) == v->len && cells_exact(p, v->len)) ||
	    !strcmp(p, "nan") || !strcmp(p, "inf") || !strcmp(p, "-inf")) {
		v->kind = K_F64;
		d = strtod(p, NULL);
		memcpy(&v->n, &d, sizeof d);
	}
}

/* v = what n bytes are that stand so in a stream; `text`: no number. */
static void
set_text(struct columns_form *t, struct value *v, const uint8_t *p, size_t n, bool text)
{
	text_raw(&t->raw, (const char *)p, n);
	*v = (struct value){.kind = K_TEXT, .p = t->raw.p, .len = t->raw.n};
	if (!text)
		find_number(v);
}

/* v = the value of a field of r. False if it is absent. */
static bool
set_field(struct columns_form *t, struct value *v, const struct source *s,
	  const struct rec *r, const struct field *f)
{
	/* In hex an argument is a text, as in a stream. */
	bool hex = f->kind == FIELD_ARG && (f->number == K_X32 || f->number == K_X64);

	*v = (struct value){.kind = f->number == K_NS ? K_NS : f->sign ? K_I64 : K_U64};
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

/* The same of a computed value. */
static bool
set_computed(struct columns_form *t, struct value *v, struct val one, enum clock clock)
{
	struct val_env env = {.clock = clock};

	t->raw.n = 0;
	val_put(&t->raw, &env, &one);
	*buf_room(&t->raw, 1) = '\0';
	*v = (struct value){.kind = K_TEXT, .p = t->raw.p, .len = t->raw.n};
	find_number(v);
	return one.kind != VAL_NONE;
}

static unsigned
seen_of(const struct value *v)
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

static void
set_type(struct columns_form *t, struct column *c)
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

/* Row `row` has the level; those before it that have none get 0. */
static INLINE void
set_level(struct column *c, uint32_t row, unsigned level)
{
	uint8_t *p = buf_room(&c->level, row + 1 - c->rows + 1);

	if (unlikely(c->rows < row))
		memset(p, 0, row - c->rows);
	p += row - c->rows;
	*p = (uint8_t)level;
	buf_to(&c->level, p + 1);
	c->rows = row + 1;
}

/* Appends a text by its number. False if there is too much text. */
static INLINE bool
add_text(struct columns_form *t, struct column *c, uint32_t id)
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

/* Appends a value. False if the column cannot have it. */
static bool
add_value(struct columns_form *t, struct column *c, struct value *v)
{
	uint8_t number[32 + PUT_SLACK];
	double d = v->kind == K_U64 ? (double)v->n : (double)(int64_t)v->n;

	if (c->type == COLUMN_TEXT) {
		if (!v->p)
			v->len = (size_t)(value_put_int(number, v->kind, v->n) - number);
		set_utf8(&t->utf8, v->p ? v->p : number, v->len);
		return add_text(t, c, strtab_id(&c->texts, t->utf8.p, t->utf8.n));
	}
	if (seen_of(v) & ~c->seen) {
		t->lost++; /* the input is another one now */
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

/* The list f of r: its elements stand in a stream with commas between. */
static void
take_list(struct columns_form *t, struct column *c, const struct source *s,
	  const struct rec *r, const struct field *f, uint32_t row)
{
	const uint8_t *p, *end, *comma;
	struct value v;
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
		else if (add_value(t, c, &v)) {
			if (!any)
				set_level(c, row, LEVEL_ELEMENT);
			else
				buf_byte(&c->level, LEVEL_ELEMENT | LEVEL_MORE);
			any = true;
			t->bytes++;
		}
	}
	if (!t->learning && !any)
		set_level(c, row, LEVEL_VALUE);
}

/* The text f of r by its number: that of the type, or of a string of the source. */
static INLINE void
take_known(struct columns_form *t, struct column *c, const struct source *s,
	   const struct rec *r, const struct field *f, uint32_t row)
{
	bool constant = f->load == LOAD_CONST;
	uint32_t id = constant ? r->type : ld32((const uint8_t *)r + f->off);
	uint32_t key = (id + 1) << 2 | (f->kind == FIELD_ARG ? 2u : 0u) | constant;
	struct column_known *e = &c->known[id % KNOWN];
	struct value v;

	if (unlikely(e->key != key)) {
		*e = (struct column_known){key, 0, UINT32_MAX};
		if (set_field(t, &v, s, r, f)) {
			set_utf8(&t->utf8, v.p, v.len);
			e->text = strtab_id(&c->texts, t->utf8.p, t->utf8.n);
			e->len = (uint32_t)t->utf8.n;
		}
	}
	if (e->len != UINT32_MAX && add_text(t, c, e->text))
		set_level(c, row, LEVEL_VALUE);
}

/* The value of r in c: the field f, or if that is NULL computed value j. */
static INLINE void
take(struct columns_form *t, struct column *c, const struct source *s, const struct rec *r,
     const struct field *f, uint32_t j, uint32_t row)
{
	const struct values *list = t->learning ? &t->first : &t->values;
	struct value v;

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
	else if (add_value(t, c, &v))
		set_level(c, row, LEVEL_VALUE);
}

/* Texts of n events, loc or event, which c knows; gives how many, up to the first other one. */
static uint32_t
take_texts(struct columns_form *t, struct column *c, const struct rec *const *rec,
	   uint32_t n, uint32_t row)
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

/* 64 bits of n events, if all have them at the same place. */
static bool
take_64(struct columns_form *t, struct column *c, const struct rec *const *rec, uint32_t n)
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
		set_level(c, t->is.rows - 1, 0);
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

/* Numbers of strings and texts begin anew. */
static void
forget_known(struct columns_form *t)
{
	for (size_t i = 0; i < t->is.n; i++)
		if (t->is.col[i].known)
			memset(t->is.col[i].known, 0, KNOWN * sizeof(struct column_known));
}

/* Adds a column: a field, or computed value `at`, or an argument. */
static void
add_column(struct columns_form *t, const char *label, const char *field, bool computed,
	   size_t at)
{
	struct column *c = PUSH(t->is.col, t->is.n, t->is.cap);

	*c = (struct column){.computed = computed, .at = at};
	if (field) {
		c->at = view_add(&t->view, field, strlen(field), true);
		c->kind = (uint8_t)field_column(field, strlen(field));
	}
	text_raw(&t->raw, label, strlen(label));
	set_utf8(&c->name, t->raw.p, t->raw.n);
}

/* An argument of the type whose plan is made. */
static void
add_arg(void *arg, const char *label, const struct field *f)
{
	struct columns_form *t = arg;
	uint32_t id;

	if (!strtab_find(&t->args, label, strlen(label), &id)) {
		t->too_many |= t->learning && t->args.n == COLUMNS_MOST;
		t->lost += !t->learning && !t->too_many; /* the input is another one now */
		if (!t->learning || t->too_many)
			return;
		id = strtab_id(&t->args, label, strlen(label));
		add_column(t, label, NULL, false, 0);
	}
	t->making->v[t->making->n++] = (struct plan_arg){(uint32_t)t->fixed + id, *f};
}

static const struct plan *
plan_of(struct columns_form *t, const struct source *s, uint32_t type)
{
	struct plan *pl = &t->plan[type];

	if (pl->made || t->chosen)
		return pl;
	t->making = pl;
	pl->made = true;
	pl->v = arena_get(&t->plan_cache.mem, s->t.type[type].nargs * sizeof *pl->v);
	type_args(&s->t.type[type], add_arg, t);
	return pl;
}

/* Appends a pair of metadata whose value is a text, or if that is NULL a number. */
static void
add_fact(struct buf *b, const char *key, const char *text, unsigned kind, uint64_t number)
{
	buf_add(b, key, strlen(key) + 1);
	if (text)
		buf_str(b, text);
	else
		buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK), kind, number));
	buf_byte(b, '\0');
}

/* For each batch, before its events are looked at. */
static void
bind(struct columns_form *t, const struct source *s)
{
	bool absolute = t->is.sink->opt.absolute, dated = absolute && head_dated(&s->head);
	bool differs;
	struct buf b = {0};

	if (t->heads != s->heads) {
		add_fact(&b, "spoor.format", s->head.format, 0, 0);
		add_fact(&b, "spoor.clock", s->head.clock == CLOCK_NS ? "ns" : "ticks", 0,
			 0);
		add_fact(&b, "spoor.origin", NULL, K_I64,
			 absolute ? 0 : (uint64_t)s->head.origin);
		add_fact(&b, "spoor.addr_unit", NULL, K_U64, source_addr_unit(s, 0));
		differs = t->heads && (b.n != t->heads_facts.n ||
				       memcmp(b.p, t->heads_facts.p, b.n) != 0);
		t->late |= differs && !t->mixed && t->is.facts.n;
		t->mixed |= differs;
		t->ticks = t->heads ? t->ticks : s->head.clock == CLOCK_TICKS;
		t->dated = dated && (t->dated || !t->heads);
		buf_free(&t->heads_facts);
		t->heads_facts = b;
	}
	if (t->heads != s->heads || t->epoch != s->t.epoch)
		forget_known(t);
	t->heads = s->heads;
	t->epoch = s->t.epoch;
	t->shift = head_shift(&s->head, absolute);
	view_bind(&t->view, &s->t, &s->head, s->heads, s->fmt->text);
	cache_bound(&t->plan_cache);
	CACHE(t->plan, t->plan_cache, s, s->t.ntypes);
}

unsigned
columns_facts(struct columns *is)
{
	const struct columns_form *t = (const struct columns_form *)is;
	struct buf *b = &is->facts;
	bool known = t->heads && !t->mixed;

	b->n = 0;
	if (known)
		buf_add(b, t->heads_facts.p, t->heads_facts.n);
	buf_add(b, "spoor.units", 12);
	for (size_t i = 0; i < is->n; i++) {
		const struct column *c = &is->col[i];

		if (c->type != COLUMN_NS && c->kind != FIELD_SIZE)
			continue;
		if (b->p[b->n - 1])
			buf_byte(b, ',');
		buf_add(b, c->name.p, c->name.n);
		buf_str(b, c->type == COLUMN_NS ? "=ns" : "=bytes");
	}
	buf_byte(b, '\0');
	add_fact(b, "spoor.version", SPOOR_VERSION, 0, 0);
	return known ? 6 : 2;
}

/* Decides the types, and begins to write. */
static void
start(struct columns_form *t)
{
	t->begun = true;
	t->learning = false;
	cache_forget(&t->plan_cache);
	for (size_t i = 0; i < t->is.n; i++) {
		set_type(t, &t->is.col[i]);
		if (t->is.col[i].type == COLUMN_TEXT)
			t->is.col[i].known = xcalloc(KNOWN, sizeof(struct column_known));
	}
	t->writer->head(&t->is);
}

/* Writes the group, if it has rows. */
static void
end_group(struct columns_form *t)
{
	for (size_t i = 0; i < t->is.n && t->is.rows; i++)
		if (t->is.col[i].rows < t->is.rows)
			set_level(&t->is.col[i], t->is.rows - 1, 0);
	if (t->is.rows)
		t->writer->group(&t->is);
	t->is.total += t->is.rows;
	t->is.rows = 0;
	t->bytes = 0;
	for (size_t i = 0; i < t->is.n; i++) {
		struct column *c = &t->is.col[i];

		c->value.n = c->level.n = c->chars = 0;
		c->rows = c->have = 0;
		strtab_free(&c->texts);
	}
	forget_known(t);
}

/* Takes the n events of a batch that are written. */
static void
take_events(struct columns_form *t, const struct source *s, const struct rec *const *rec,
	    uint32_t n, const uint32_t *pick)
{
	const struct values *v = t->learning ? &t->first : &t->values;
	uint32_t row = t->is.rows;

	for (size_t i = 0; i < t->fixed; i++) {
		struct column *c = &t->is.col[i];

		if (t->learning ? c->kind != 0 : !c->computed && take_64(t, c, rec, n))
			continue;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t j = values_at(v, pick ? pick[k] : k, k);

			if (!t->learning &&
			    (c->kind == FIELD_LOC || c->kind == FIELD_EVENT))
				k += take_texts(t, c, rec + k, n - k, row + k);
			if (k == n)
				break;

			if (c->computed)
				take(t, c, s, rec[k], NULL, j, row + k);
			else
				take(t, c, s, rec[k],
				     view_field(&t->view, rec[k]->type, c->at), 0, row + k);
		}
	}
	for (uint32_t k = 0; k < n && !t->chosen; k++) {
		const struct plan *pl = plan_of(t, s, rec[k]->type);

		for (uint32_t i = 0; i < pl->n; i++)
			take(t, &t->is.col[pl->v[i].column], s, rec[k], &pl->v[i].f, 0,
			     row + k);
	}
	if (!t->learning)
		t->is.rows += n;
}

static void
take_batch(struct columns_form *t, struct source *s, const struct batch *b,
	   const uint32_t *pick, uint32_t n)
{
	const struct rec *rec[BATCH];

	if (!values_put(t->learning ? &t->first : &t->values, s, b, pick, n))
		return;
	bind(t, s);
	for (uint32_t i = 0; i < n; i++)
		rec[i] = batch_rec(b, pick ? pick[i] : i);
	take_events(t, s, rec, n, pick);
	t->bytes += n * t->is.n;
	if (!t->learning && (t->is.rows > ROWS_MOST - BATCH || t->bytes > BYTES_MOST))
		end_group(t);
}

static void
columns_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	    uint32_t n)
{
	take_batch(k->state, s, b, pick, n);
	if (k->out.line)
		out_flush(&k->out);
}

void
columns_learn(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	      uint32_t n)
{
	struct columns_form *t = k->state;

	t->learning = true;
	values_see(&t->first, s, b);
	take_batch(t, s, b, pick, n);
}

static void
columns_begin(struct sink *k, struct read_options *opt)
{
	const struct cells_options *asked = cells_asked(k);
	struct columns_form *t = k->state = xcalloc(1, sizeof *t);
	struct exprs *list;
	const char *name;
	bool computed = false;

	t->is.sink = k;
	t->writer = export_asked(k)->target->columns;
	t->is.state = xcalloc(1, t->writer->size);
	t->chosen = asked->fields;
	if (t->chosen) {
		list = exprs_parse(asked->fields, PARSE_LIST, NULL);
		for (size_t i = 0; i < exprs_tree(list)->nlets; i++) {
			const struct expr_let *let = &exprs_tree(list)->lets[i];

			add_column(t, let->label, let->field, !let->field, i);
			computed |= !let->field;
		}
		if (computed) {
			values_begin(&t->values, list, asked->keys, opt);
			list = exprs_parse(asked->fields, PARSE_LIST, NULL);
			values_begin(&t->first, list, asked->keys, opt);
		} else
			exprs_free(list);
	}
	for (size_t i = 0; i < FIELD_DUR && !t->chosen; i++) {
		name = field_column_name(i);
		add_column(t, name, name, false, 0);
	}
	t->fixed = t->is.n;
	opt->need |= view_need(&t->view) | (t->chosen ? 0 : NEED_ALL);
}

bool
columns_once(const struct sink *k)
{
	const struct columns_form *t = k->state;
	bool once = t->chosen;

	for (size_t i = 0; i < t->is.n; i++)
		once &= t->is.col[i].kind != 0;
	return once;
}

static void
columns_head(struct sink *k, struct source *s)
{
	struct columns_form *t = k->state;

	bind(t, s);
	if (!t->begun)
		start(t);
}

static void
columns_see(struct sink *k, struct source *s, const struct batch *b)
{
	values_see(&((struct columns_form *)k->state)->values, s, b);
}

static int
columns_close(struct sink *k)
{
	struct columns_form *t = k->state;
	const struct view *v = &t->view;
	int status = values_close(&t->values, k);

	if (!t->begun && !k->trouble)
		start(t);
	if (t->begun) {
		end_group(t);
		t->writer->end(&t->is);
	}
	if (t->too_many)
		warn("more than 4096 different arguments: the others are left out; -F or "
		     "-T jsonl "
		     "has them");
	if (t->late)
		warn("the metadata are of the first input: others differ in format, clock, "
		     "origin "
		     "or unit");
	if (t->lost)
		warn("%llu values are left out: the type of their column, or 64 MiB, has "
		     "no room",
		     (unsigned long long)t->lost);
	if (t->too_many || t->late || t->lost)
		status = ST_TROUBLE;
	for (size_t i = 0; i < v->n && v->ntypes && t->chosen && !k->cut && !k->part; i++)
		if (!t->values.list && !(v->name[i].seen & SEEN_FIELD)) {
			view_missing(v, v->name[i].name);
			status = ST_TROUBLE;
		}
	t->writer->free(&t->is);
	for (size_t i = 0; i < t->is.n; i++) {
		buf_free(&t->is.col[i].name);
		buf_free(&t->is.col[i].value);
		buf_free(&t->is.col[i].level);
		strtab_free(&t->is.col[i].texts);
		free(t->is.col[i].known);
	}
	free(t->is.col);
	free(t->is.state);
	exprs_free(t->first.list);
	strtab_free(&t->args);
	view_free(&t->view);
	cache_free(t->plan, &t->plan_cache);
	buf_free(&t->is.facts);
	buf_free(&t->heads_facts);
	buf_free(&t->text);
	buf_free(&t->raw);
	buf_free(&t->utf8);
	free(t);
	return status;
}

const struct form form_columns = {
    .need = NEED_ORDER,
    .binary = true,
    .begin = columns_begin,
    .head = columns_head,
    .see = columns_see,
    .put = columns_put,
    .close = columns_close,
};

void
columns_pack(struct buf *b, unsigned bits, const uint8_t *p, size_t width, unsigned shift,
	     size_t n)
{
	size_t size = (n + 7) / 8 * bits;
	uint8_t *to = memset(buf_room(b, size + 8), 0, size + 8);
	uint64_t mask = (1ull << bits) - 1, held = 0;
	unsigned have = 0;

	for (size_t i = 0; i < n; i++, p += width) {
		held |= ((width == 4 ? le32(p) : *p) >> shift & mask) << have;
		for (have += bits; have >= 32; have -= 32, held >>= 32, to += 4)
			st_le32(to, (uint32_t)held);
	}
	st_le64(to, held);
	b->n += size;
}
