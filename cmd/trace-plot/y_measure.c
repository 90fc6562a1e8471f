/* y_measure.c - the number that a picture measures of each event: a column or an expression. */
#include <string.h>

#include "trace-plot/plot.h"

void
measure_open(struct measured *y, const char *text)
{
	const struct expr_tree *t;
	uint8_t measure;

	y->list = exprs_parse(text, PARSE_GAP, NULL);
	t = exprs_tree(y->list);
	if (t->nlets != 1)
		die("%s: one expression is expected, not a list", text);
	y->name = t->lets[0].label;
	measure = t->nodes[t->lets[0].root].measure;
	y->unit = measure == M_TIME ? SCALE_TIME : SCALE_COUNT;
	y->fine = measure != M_TIME;
	if (!t->lets[0].field)
		return;
	y->column = field_column(y->name, strlen(y->name));
	if (y->column == FIELD_SIZE || strstr(y->name, "bytes"))
		y->unit = SCALE_BYTES;
	if (y->column == FIELD_ADDR)
		y->unit = SCALE_HEX;
	if (y->column != FIELD_SIZE && y->column != FIELD_ADDR && y->column != FIELD_DUR)
		y->column = FIELD_NONE;
	y->fine &= y->column == FIELD_NONE;
}

void
measure_sum(struct plot *p)
{
	const char *sum = p->opts.sum;
	size_t n = sum ? strlen(sum) : 0;
	struct buf field = {0};

	if (!sum || !strcmp(sum, "count"))
		return;
	if (n < 6 || strncmp(sum, "sum(", 4) != 0 || sum[n - 1] != ')')
		die("-a %s: %s draws count or sum(FIELD)", sum, p->kind->name);
	buf_add(&field, sum + 4, n - 5);
	measure_open(&p->sum, buf_text(&field));
	buf_free(&field);
}

const char *
measure_title(const struct plot *p)
{
	const struct format_words *w = p->words;

	return p->y.column == FIELD_DUR	   ? joined("How long ", w->of, w->events, " take")
	       : p->y.column == FIELD_SIZE ? joined("How large ", w->of, w->events, " are")
					   : joined(p->y.name, " of ", w->of, w->events);
}

#define NANO 1000000000u

/* Stores v as value i. Returns false if it is not a number, or below 0. */
static bool
take_value(struct measured *y, uint32_t i, const struct val *v)
{
	struct i128 n = v->n, rest = {0};
	bool parts = v->kind == VAL_DECIMAL;

	if (v->kind == VAL_NONE || v->kind == VAL_TEXT) {
		y->absent++;
		return false;
	}
	if (v->kind == VAL_REAL ? v->r < 0 : n.hi < 0) {
		y->below++;
		return false;
	}
	if (v->kind == VAL_REAL) {
		parts = i128_of_double(v->r, NANO, I128_NEAREST, &n);
		if (!parts)
			n = i128_u64(UINT64_MAX);
	}
	if (parts) {
		rest = i128_mod(n, i128_u64(NANO));
		i128_muldiv(n, i128_u64(1), i128_u64(NANO), I128_FLOOR, &n);
	}
	y->v[i] = i128_is_u64(n) ? n.lo : UINT64_MAX;
	y->nano[i] = (uint32_t)rest.lo;
	y->fractions += rest.lo != 0;
	return true;
}

bool
measure_run(struct measured *y, struct source *s, const struct batch *b,
	    const uint32_t *pick, uint32_t n)
{
	unsigned bit = y->column == FIELD_DUR	 ? HAS_DUR
		       : y->column == FIELD_SIZE ? HAS_SIZE
						 : HAS_ADDR;

	if (y->column == FIELD_NONE) {
		if (!exprs_run(y->list, s, b, pick, n))
			return false;
		for (uint32_t i = 0; i < n; i++) {
			struct val v = vec_val(exprs_vec(y->list, 0), i);

			v = val_number(&v);
			y->there[i] = take_value(y, i, &v);
		}
		return true;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		bool has = r->has & bit, below = has && bit == HAS_DUR && r->dur < 0;

		y->there[i] = has && !below;
		y->v[i] = bit == HAS_DUR    ? (uint64_t)r->dur
			  : bit == HAS_SIZE ? r->size
					    : r->addr;
		y->absent += !has;
		y->below += below;
	}
	return true;
}
