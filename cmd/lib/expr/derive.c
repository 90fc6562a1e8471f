/*
 * derive.c - appends computed arguments to events.
 *
 * If all values of a batch are present numbers, records are copied and the numbers stored after them; otherwise
 * each event is made separately.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/put.h"
#include "event/value.h"
#include "expr/derive_type.h"
#include "input/fault.h"

/* Writes the value's text, as a column holds it, to d->name. */
static void
column_text(struct derive *d, const struct source *s, const struct val *v)
{
	struct val_env env = {.clock = s->head.clock};
	struct buf *b = &d->scratch;

	d->name.n = b->n = 0;
	if (v->kind == VAL_TEXT)
		value_str(&d->name, v->s, v->len);
	else {
		val_put(b, &env, v);
		value_str(&d->name, b->p, b->n);
	}
}

/* Reports the first event whose column cannot hold the value v, and counts the others. */
static COLD void
unfit(struct derive *d, struct source *s, struct derived_value *l, const struct val *v,
      uint64_t number)
{
	bool keeps = l->column == FIELD_TIME || l->column == FIELD_EVENT;
	char text[64];

	if (l->unfit++)
		return;
	column_text(d, s, v);
	fault(s, NULL, COST_STATUS, s->name, NOWHERE, "event %llu: %s cannot be %s: %s",
	      (unsigned long long)number, l->name,
	      v->kind == VAL_NONE ? "absent" : quoted(text, d->name.p, d->name.n),
	      keeps ? "the field stays as it was" : "the field becomes absent");
}

/* Returns the kind in which a whole number is written, K_I64 or K_U64; SHAPE_NONE if it does not fit 64 bits. */
static uint8_t
derive_int_shape(const struct val *v)
{
	return i128_is_i64(v->n) ? K_I64 : i128_is_u64(v->n) ? K_U64 : SHAPE_NONE;
}

/* Stores a whole number in *to, in the range of a column: not negative if `positive`. Returns false if v is no
 * such number. */
static bool
column_int(const struct val *v, bool positive, uint64_t *to)
{
	uint8_t shape;

	if (v->kind == VAL_REAL) {
		/* The number must be whole: 2048, not 2048.5. */
		if (v->r < (positive ? 0 : -0x1p63) || v->r >= (positive ? 0x1p64 : 0x1p63))
			return false;
		*to = v->r < 0 ? 0 - (uint64_t)-v->r : (uint64_t)v->r;
		return v->r < 0 ? (double)(int64_t)*to == v->r : (double)*to == v->r;
	}
	shape =
	    v->kind == VAL_WHOLE || v->kind == VAL_TIME ? derive_int_shape(v) : SHAPE_NONE;
	*to = v->n.lo;
	return positive ? shape && v->n.hi == 0 : shape == K_I64;
}

/* Converts a value for a column: time and dur in units of the clock, addr and size as numbers. Returns false if
 * the column cannot hold it. */
static bool
number_column(const struct source *s, enum field_kind column, const struct val *v,
	      uint64_t *to)
{
	struct val_env env = {.clock = s->head.clock};
	struct val n = val_number(v), time;

	if (column == FIELD_ADDR || column == FIELD_SIZE)
		return column_int(&n, true, to);
	time = val_as_time(&env, &n);
	return column_int(&time, s->head.clock == CLOCK_TICKS, to);
}

/* Sets a column that is a number, or makes it absent. */
static inline void
derive_set_number(struct rec *r, enum field_kind column, bool there, uint64_t x)
{
	uint32_t bit = derive_bits[column];

	x = there ? x : 0;
	r->has = there ? r->has | bit : r->has & ~bit;
	switch (column) {
	case FIELD_TIME: r->time = (int64_t)x; break;
	case FIELD_ADDR: r->addr = x; break;
	case FIELD_SIZE: r->size = x; break;
	default: r->dur = (int64_t)x; break;
	}
}

/* Sets columns of the last record made, from the j-th values; `number` is the event's number, for messages. */
static void
derive_set_columns(struct derive *d, struct source *s, uint32_t j, uint64_t number)
{
	struct rec *r = rec_last(&d->out);

	for (size_t i = 0; i < d->n; i++) {
		struct derived_value *l = &d->value[i];
		struct val v = {.kind = VAL_NONE};
		bool there, fits;
		uint64_t x = 0;

		if (!l->column || l->column == FIELD_EVENT)
			continue;
		if (!l->dropped)
			v = vec_val(d->vec[i], j);
		there = v.kind != VAL_NONE;
		if (l->column == FIELD_LOC) {
			column_text(d, s, &v);
			r->loc = there ? strtab_id(&d->t.str, d->name.p, d->name.n) : 0;
			continue;
		}
		fits = there && number_column(s, l->column, &v, &x);
		if (!fits && (there || l->column == FIELD_TIME))
			unfit(d, s, l, &v, number);
		if (fits || l->column != FIELD_TIME)
			derive_set_number(r, l->column, fits, x);
	}
}

/* Writes the new name of the j-th event, escaped, to d->name. Returns false if the event keeps its name. */
static bool
derive_event_name(struct derive *d, struct source *s, uint32_t j, uint64_t number)
{
	struct val v;

	if (d->event == d->n)
		return false;
	v = vec_val(d->vec[d->event], j);
	column_text(d, s, &v);
	/* The name of an event must not be empty. */
	if (v.kind != VAL_NONE && (d->name.n != 2 || memcmp(d->name.p, "\"\"", 2) != 0))
		return true;
	unfit(d, s, &d->value[d->event], &v, number);
	return false;
}

/* Returns the name of a value in events, which the caller frees: escaped, and without =. */
static char *
arg_name(const struct expr_tree *t, const struct expr_let *l)
{
	const char *name = strncmp(l->name, "arg.", 4) != 0 ? l->name : l->name + 4;
	size_t n = strlen(name);
	char *to = xcalloc(4, n + 1), *p = to;

	if (!n)
		expr_die(t, l->at, "the name is empty");
	for (size_t i = 0; i < n; i++)
		if (name[i] == '=')
			p = memcpy(p, "\\x3d", 4), p += 4;
		else
			p = (char *)put_name((uint8_t *)p, name + i, 1);
	return to;
}

static void
derive_add(struct derive *d, const struct expr_let *l)
{
	const struct expr_tree *t = exprs_tree(d->list);
	struct derived_value *v = &d->value[d->n];

	v->dropped = l->root == NO_NODE;
	v->column = field_column(l->name, strlen(l->name));
	if (v->column)
		derive_check_column(t, l, v->column);
	v->name = arg_name(t, l);
	v->copied = l->field && !v->column && t->nodes[l->root].op == N_FIELD &&
		    !field_column(l->field, strlen(l->field));
	d->copies |= v->copied;
	d->sets |= v->column != FIELD_NONE;
	if (v->column == FIELD_LOC)
		d->loc = d->n;
	if (v->column == FIELD_EVENT)
		d->event = d->n;
	d->n++;
}

struct derive *
derive_new(struct exprs *l)
{
	const struct expr_tree *t = exprs_tree(l);
	struct derive *d = xcalloc(1, sizeof *d);

	put_init(); /* names are escaped below */
	d->list = l;
	d->import.types = d->import.strings = &d->t;
	d->value = xcalloc(t->nlets + 1, sizeof *d->value);
	d->loc = d->event = t->nlets;
	for (size_t i = 0; i < t->nlets; i++)
		derive_add(d, &t->lets[i]);
	d->vec = xcalloc(d->n + 1, sizeof *d->vec);
	d->shapes = xcalloc(d->n + 1, 1);
	d->last_shapes = xcalloc(d->n + 1, 1);
	return d;
}

void
derive_meta(struct derive *d, const char *key, const char *value)
{
	*PUSH(d->set, d->nset, d->set_cap) = (struct pair){key, value};
}

void
derive_free(struct derive *d)
{
	if (!d)
		return;
	derive_forget(d);
	for (size_t i = 0; i < d->n; i++)
		free(d->value[i].name);
	exprs_free(d->list);
	free(d->value);
	free(d->src.head.places);
	free(d->set);
	free(d->meta);
	free(d->plan);
	free(d->made_type);
	free(d->given_n);
	free(d->same);
	free(d->last);
	import_free(&d->import);
	free(d->slots);
	free(d->vec);
	free(d->shapes);
	free(d->last_shapes);
	buf_free(&d->scratch);
	buf_free(&d->name);
	buf_free(&d->key);
	buf_free(&d->out.own);
	free(d);
}

unsigned
derive_need(const struct derive *d)
{
	return exprs_need(d->list) | NEED_ALL;
}

static uint8_t
shape_of(const struct val *v, enum clock clock)
{
	uint8_t shape;

	switch (v->kind) {
	case VAL_WHOLE: return derive_int_shape(v);
	case VAL_TIME:
		shape = derive_int_shape(v);
		/* Times beyond 292 years are written as text. */
		return clock == CLOCK_TICKS || !shape ? shape
		       : shape == K_I64		      ? K_NS
						      : K_TEXT;
	case VAL_REAL: return K_F64;
	case VAL_DECIMAL: return K_TEXT;
	case VAL_TEXT: return K_STR;
	default: return SHAPE_NONE;
	}
}

/* Returns the shape of all values of v; SHAPE_MIXED if they may differ. */
static uint8_t
shape_of_all(const struct vec *v, enum clock clock)
{
	switch (v->kind) {
	case VAL_NONE: return SHAPE_NONE;
	case VAL_WHOLE: return K_I64;
	case VAL_TIME: return clock == CLOCK_NS ? K_NS : K_I64;
	case VAL_REAL: return K_F64;
	default: return SHAPE_MIXED;
	}
}

static uint8_t
shape_at(const struct vec *v, uint32_t j, enum clock clock)
{
	uint8_t shape = shape_of_all(v, clock);
	struct val one;

	if (shape != SHAPE_MIXED)
		return v->all || !shape || v->there[j] ? shape : SHAPE_NONE;
	one = vec_val(v, j);
	return shape_of(&one, clock);
}

/* Returns the j-th of some numbers as eight bytes. */
static inline uint64_t
bits_at(const struct vec *v, uint32_t j)
{
	uint64_t x;

	if (v->kind == VAL_REAL)
		memcpy(&x, &v->r[j], 8);
	else
		x = (uint64_t)v->n[j];
	return x;
}

/* Writes value i of event j, record `from`, to offset `off` of the last record made. */
static void
put_value(struct derive *d, enum clock clock, size_t i, uint32_t j, const struct rec *from,
	  uint32_t off)
{
	const struct arg a = {.kind = d->shapes[i], .off = off};
	uint8_t *at = (uint8_t *)rec_last(&d->out) + off;
	struct val_env env = {.clock = clock};
	const struct vec *v = d->vec[i];
	struct buf *b = &d->scratch;
	struct val one;

	if (v->kind != VAL_KINDS && a.kind != K_TEXT) {
		st64(at, bits_at(v, j));
		return;
	}
	one = vec_val(v, j);
	switch (a.kind) {
	case K_STR: rec_str(&d->out, &a, one.s, one.len); return;
	case K_TEXT:
		b->n = 0;
		if (d->value[i].copied)
			exprs_text(d->list, i, from, b);
		else
			val_put(b, &env, &one);
		rec_str(&d->out, &a, b->p, b->n);
		return;
	case K_F64: memcpy(at, &one.r, 8); return;
	default: st64(at, one.n.lo);
	}
}

static COLD void
lose(struct derive *d, struct source *s, uint64_t number, const char *why, bool made)
{
	if (made) {
		d->out.own.n = d->out.off[d->out.n - 1];
		d->out.n--;
	}
	fault(s, NULL, COST_EVENT, s->name, NOWHERE, "event %llu is skipped: %s",
	      (unsigned long long)number, why);
}

/* Returns the plan of an event by its shapes and name; UINT32_MAX if there are too many types. */
static uint32_t
plan_of(struct derive *d, struct source *s, uint32_t type, uint32_t j, uint64_t number)
{
	uint32_t id = d->last[type];
	bool named = derive_event_name(d, s, j, number);

	if (id && !named && !memcmp(d->plan[id - 1].shapes, d->shapes, d->n))
		return id - 1;
	id = named ? derive_plan(d, s, type, d->shapes, (const char *)d->name.p, d->name.n)
		   : derive_plan(d, s, type, d->shapes, NULL, 0);
	if (!named && id != UINT32_MAX) {
		d->last[type] = id + 1;
		d->last_shapes[0] = SHAPE_MIXED;
	}
	return id;
}

/* Makes the new event of the j-th selected event. */
static void
one(struct derive *d, struct source *s, const struct rec *from, uint32_t j, uint64_t number)
{
	enum clock clock = s->head.clock;
	const struct derive_plan *p;
	struct rec *r;
	uint32_t id;

	for (size_t i = 0; i < d->n; i++)
		d->shapes[i] = d->value[i].column || d->value[i].dropped
				   ? SHAPE_NONE
				   : shape_at(d->vec[i], j, clock);
	for (size_t i = 0; i < d->n; i++)
		if (d->value[i].copied && d->shapes[i])
			d->shapes[i] = K_TEXT;
	id = plan_of(d, s, from->type, j, number);
	if (id == UINT32_MAX) {
		lose(d, s, number, "too many types of event at once", false);
		return;
	}
	p = &d->plan[id];
	r = rec_new(&d->out, &d->t, p->type);
	r->loc = d->loc < d->n ? 0 : from->loc;
	r->has = from->has;
	r->time = from->time;
	r->addr = from->addr;
	r->size = from->size;
	r->dur = from->dur;
	if (!(p->whole ? derive_copy_whole(d, p, from) : derive_copy_each(d, p, from))) {
		lose(d, s, number, "too many of its arguments share their bytes", true);
		return;
	}
	if (d->own)
		import_rec(&d->import, &s->t, &d->t.type[p->type], rec_last(&d->out),
			   p->type);
	for (size_t i = 0; i < d->n; i++)
		if (p->off[i])
			put_value(d, clock, i, j, from, p->off[i]);
	if (d->sets)
		derive_set_columns(d, s, j, number);
}

/* Returns true if all n values fit the column, without a test of each event. */
static bool
fits_all(const struct derived_value *l, const struct vec *v, enum clock clock, uint32_t n)
{
	bool time = l->column == FIELD_TIME || l->column == FIELD_DUR;
	int64_t all = 0;

	if (!v->all || v->kind != (time ? VAL_TIME : VAL_WHOLE))
		return false;
	if (time && clock == CLOCK_NS)
		return true;
	for (uint32_t j = 0; j < n; j++)
		all |= v->n[j];
	return all >= 0;
}

/* Returns true if all values of the batch are present numbers, so that all events have the same shapes; sets
 * d->shapes. */
static bool
all_numbers(struct derive *d, enum clock clock, uint32_t n)
{
	if (d->own || d->copies || d->event < d->n)
		return false;
	for (size_t i = 0; i < d->n; i++) {
		const struct vec *v = d->vec[i];

		d->shapes[i] = SHAPE_NONE;
		if (!v)
			continue;
		if (d->value[i].column) {
			if (!fits_all(&d->value[i], v, clock, n))
				return false;
			continue;
		}
		d->shapes[i] = shape_of_all(v, clock);
		if (d->shapes[i] == SHAPE_MIXED || (d->shapes[i] && !v->all))
			return false;
	}
	if (memcmp(d->shapes, d->last_shapes, d->n) != 0) {
		memset(d->last, 0, d->last_cap * sizeof *d->last);
		memcpy(d->last_shapes, d->shapes, d->n);
	}
	return true;
}

/* Returns the plan of a type for shapes that all events have; NULL if there are too many types. */
static inline const struct derive_plan *
quick_plan(struct derive *d, const struct source *s, uint32_t type)
{
	if (unlikely(!d->last[type]))
		d->last[type] = derive_plan(d, s, type, d->shapes, NULL, 0) + 1;
	return d->last[type] ? &d->plan[d->last[type] - 1] : NULL;
}

/* Makes the new events of a batch, if they keep all arguments. Returns false if some event does not. */
static bool
quick_whole(struct derive *d, const struct source *s, const struct batch *from,
	    const uint32_t *pick, uint32_t n)
{
	struct batch *b = &d->out;

	for (uint32_t j = 0; j < n; j++) {
		const struct rec *f = batch_rec(from, pick ? pick[j] : j);
		const struct derive_plan *p = quick_plan(d, s, f->type);
		struct rec *r;

		if (unlikely(!p || !p->whole))
			return false;
		r = (struct rec *)(void *)buf_room(&b->own, f->len + p->to_fixed -
								p->from_fixed + REC_SLACK);
		b->off[b->n++] = (uint32_t)b->own.n;
		if (likely(f->len == p->from_fixed)) {
			copy16s((uint8_t *)r, (const uint8_t *)f, f->len);
			r->type = p->type;
			r->len = p->to_fixed;
			b->own.n += r->len;
		} else {
			memcpy(r, f, REC_HEAD);
			r->type = p->type;
			r->len = p->to_fixed;
			b->own.n += r->len;
			if (!derive_copy_whole(d, p, f))
				return false;
			r = rec_last(b);
		}
		for (size_t i = 0; i < d->n; i++)
			if (p->off[i])
				st64((uint8_t *)r + p->off[i], bits_at(d->vec[i], j));
	}
	b->base = b->own.p;
	return true;
}

/* Makes the new events of a batch, whose values are in d->vec. */
static struct source *
append(struct derive *d, struct source *s, const struct batch *b, const uint32_t *pick,
       uint32_t n, const struct batch **out)
{
	uint64_t before = s->count.events - b->n + 1;

	derive_begin(d, s);
	batch_start(&d->out);
	if (all_numbers(d, s->head.clock, n) && quick_whole(d, s, b, pick, n)) {
		for (size_t i = 0; d->sets && i < d->n; i++)
			for (uint32_t j = 0; d->value[i].column && j < n; j++)
				derive_set_number(
				    (struct rec *)(uintptr_t)batch_rec(&d->out, j),
				    d->value[i].column, d->vec[i] != NULL,
				    d->vec[i] ? (uint64_t)d->vec[i]->n[j] : 0);
	} else {
		batch_start(&d->out);
		for (uint32_t j = 0; j < n; j++) {
			uint32_t at = pick ? pick[j] : j;

			one(d, s, batch_rec(b, at), j, before + at);
		}
	}
	d->src = *s;
	d->src.head = d->head;
	d->src.t = d->t;
	d->src.of = s;
	*out = &d->out;
	return &d->src;
}

struct source *
derive_run(struct derive *d, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n, const struct batch **out)
{
	if (!exprs_run(d->list, s, b, pick, n))
		return NULL;
	for (size_t i = 0; i < d->n; i++)
		d->vec[i] = d->value[i].dropped ? NULL : exprs_vec(d->list, i);
	return append(d, s, b, pick, n, out);
}

struct source *
derive_given(struct derive *d, struct source *s, const struct batch *b,
	     const uint32_t *pick, uint32_t n, const struct vec *v,
	     const struct batch **out)
{
	for (size_t i = 0; i < d->n; i++)
		d->vec[i] = &v[i];
	return append(d, s, b, pick, n, out);
}

void
derive_merge(struct derive *d, struct derive *from)
{
	exprs_merge(d->list, from->list);
}

int
derive_finish(struct derive *d)
{
	int status = exprs_finish(d->list, false);

	for (const struct derived_value *v = d->value; v < d->value + d->n; v++) {
		if (v->unfit > 1)
			warn("%s: the value did not fit in %llu events", v->name,
			     (unsigned long long)v->unfit);
		status = v->unfit ? ST_TROUBLE : status;
	}
	return status;
}
