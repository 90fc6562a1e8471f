/* derive_column.c - values that become columns of derived events. */
#include <string.h>

#include "event/value.h"
#include "expr/derive_type.h"
#include "input/fault.h"

void
derive_check_column(const struct expr_tree *t, const struct expr_let *l,
		    enum field_kind column)
{
	bool time = column == FIELD_TIME || column == FIELD_DUR;
	uint8_t measure;

	if (column == FIELD_END)
		expr_die(t, l->at, "end is time + dur: set dur");
	if (l->root == NO_NODE) {
		if (column == FIELD_TIME || column == FIELD_EVENT)
			expr_die(t, l->at, "every event has %s: it cannot be dropped",
				 l->name);
		return;
	}
	measure = t->nodes[l->root].measure;
	if (column == FIELD_LOC || column == FIELD_EVENT || measure == M_PLAIN)
		return;
	if (time && measure != M_TIME)
		expr_die(t, l->at, "%s is a time, and this is none", l->name);
	if (!time && measure != M_NUMBER)
		expr_die(t, l->at, "%s is a number, and this is none", l->name);
}

/* The value's text as a column holds it, in d->name. */
static void
column_text(struct derive *d, const struct source *s, const struct val *v)
{
	struct val_env env = {s->head.clock, NULL};
	struct buf *b = &d->scratch;

	d->name.n = b->n = 0;
	if (v->kind == VAL_TEXT)
		value_str(&d->name, v->s, v->len);
	else {
		val_put(b, &env, v);
		value_str(&d->name, b->p, b->n);
	}
}

/* A column does not become what it should: said for the first event. */
static COLD void
unfit(struct derive *d, struct source *s, struct value *l, const struct val *v,
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
	      keeps ? "it stays as it was" : "it becomes absent");
}

/* A whole number of the range that a column has: without a sign where `positive`. */
static bool
column_int(const struct val *v, bool positive, uint64_t *to)
{
	uint8_t shape;

	if (v->kind == VAL_REAL) {
		/* As its text reads: 2048, not 2048.5. */
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

/* time and dur in the clock; addr and size. Gives whether the value can be one. */
static bool
number_column(const struct source *s, enum field_kind column, const struct val *v,
	      uint64_t *to)
{
	struct val_env env = {s->head.clock, NULL};
	struct val time;

	if (column == FIELD_ADDR || column == FIELD_SIZE)
		return column_int(v, true, to);
	time = val_as_time(&env, v);
	return column_int(&time, s->head.clock == CLOCK_TICKS, to);
}

void
derive_set_columns(struct derive *d, struct source *s, uint32_t j, uint64_t number)
{
	struct rec *r = rec_last(&d->out);

	for (size_t i = 0; i < d->n; i++) {
		struct value *l = &d->value[i];
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

bool
derive_event_name(struct derive *d, struct source *s, uint32_t j, uint64_t number)
{
	struct val v;

	if (d->event == d->n)
		return false;
	v = vec_val(d->vec[d->event], j);
	column_text(d, s, &v);
	/* An event has a name, which is not empty. */
	if (v.kind != VAL_NONE && (d->name.n != 2 || memcmp(d->name.p, "\"\"", 2) != 0))
		return true;
	unfit(d, s, &d->value[d->event], &v, number);
	return false;
}
