/* row_values.c - see row_values.h: aggregates of rows, and values computed from them. */
#include <stdlib.h>
#include <string.h>

#include "number/moment.h"
#include "base/put.h"
#include "event/value.h"
#include "summary/row_values.h"
#include "stats/computed.h"

#define SECOND 1000000000u

struct row_values {
	/* by aggregate of spec.rows: its value in the group `of`, or in all rows */
	struct val *agg;
	/* by aggregate, then by column of spec.rows: set if `agg` has its value in the group `of` */
	uint8_t *taken;
	uint8_t *time; /* by aggregate: set if it measures time */
	uint32_t *let; /* by aggregate: the column in all(NAME) or most(NAME) */
	uint32_t of;
	bool any;
	struct buf cell;
};

/* Reads the digits s[0..n) as a number. Returns false if they are no digits, or too many. */
static bool
read_digits(const char *s, size_t n, struct i128 *v)
{
	struct wide w;
	uint64_t words[2];

	if (!wide_parse(s, n, &w) || !wide_to_words(&w, words, 2) || words[1] >> 63)
		return false;
	*v = (struct i128){words[0], (int64_t)words[1]};
	return true;
}

/* Returns the value of the text of a cell: exact, also beyond 64 bits. */
static struct val
val_of_cell(char *s, size_t n, bool time, enum clock clock)
{
	struct val_env env = {.clock = clock};
	struct val v = {.kind = VAL_NONE};
	char *point = memchr(s, '.', n);
	size_t neg = n && *s == '-';

	if (n == 1 && neg)
		return v;
	if (time && clock == CLOCK_NS && point && n - (size_t)(point - s) == 10) {
		memmove(point, point + 1, 9);
		n--;
	} else if (time && clock == CLOCK_NS) {
		v = val_of_text(s, n);
		return val_as_time(&env, &v);
	} else if (point || n < 18) {
		v = val_of_text(s, n);
		if (time && v.kind == VAL_WHOLE)
			v.kind = VAL_TIME;
		return v;
	}
	if (!read_digits(s + neg, n - neg, &v.n))
		return val_of_text(s, n);
	v.kind = time ? VAL_TIME : VAL_WHOLE;
	if (neg)
		v.n = i128_neg(v.n);
	return v;
}

/* Returns a quotient as a value: a time with its fraction, a whole number, or the nearest double. */
static struct val
val_of_ratio(const struct ratio *r, bool time, enum clock clock)
{
	struct val v = {.kind = time ? VAL_TIME : VAL_WHOLE}, zero = {.kind = v.kind};
	struct val_env env = {.clock = clock};
	struct wide a = time && clock == CLOCK_NS ? wide_scale(r->a.m, 9) : r->a.m, q, rest;
	uint8_t text[2 * WIDE_DIGITS];
	uint64_t words[2];
	bool fits;

	if (wide_zero(&r->b))
		return (struct val){.kind = VAL_NONE};
	q = wide_div(&a, &r->b, &rest);
	fits = wide_to_words(&q, words, 2) && !(words[1] >> 63);
	if (!time && (!fits || !wide_zero(&rest))) {
		*wide_put_real(text, r->a.neg, &a, &r->b) = '\0';
		return val_real(strtod((const char *)text, NULL));
	}
	if (!fits)
		return (struct val){.kind = VAL_NONE};
	v.n = (struct i128){words[0], (int64_t)words[1]};
	if (time && !wide_zero(&rest)) {
		*wide_put_real(text, false, &rest, &r->b) = '\0';
		v.r = strtod((const char *)text, NULL);
	}
	return r->a.neg ? val_arith(&env, VAL_SUB, &zero, &v) : v;
}

/* Computes the value of aggregate i in the group c->of. */
static void
take_aggregate(struct stats_table *t, size_t i)
{
	struct row_values *c = t->values;
	const struct spec *spec = t->st->spec;
	const struct agg *agg = &spec->agg[spec->agg_of[i]];
	struct ratio r;

	if (stats_ratio(t->st, agg, &t->totals, c->of, &r)) {
		c->agg[i] = val_of_ratio(&r, c->time[i], t->st->clock);
		return;
	}
	c->cell.n = 0;
	stats_put(&c->cell, t->st, agg, &t->totals, c->of);
	buf_byte(&c->cell, '\0');
	c->agg[i] = val_of_cell((char *)c->cell.p, c->cell.n - 1, c->time[i], t->st->clock);
}

/* Returns the first node of column `row` in the tree; the last is its root. */
static uint32_t
first_node(const struct expr_tree *tree, size_t row)
{
	return row ? tree->lets[row - 1].root + 1 : 0;
}

/* Computes the aggregates that column `row` uses, in group g. */
static void
take_column(struct stats_table *t, size_t row, uint32_t g)
{
	struct row_values *c = t->values;
	const struct expr_tree *tree = exprs_tree(t->st->spec->rows);

	if (!c->any || c->of != g)
		memset(c->taken, 0, tree->naggs + tree->nlets);
	c->of = g;
	c->any = true;
	if (c->taken[tree->naggs + row])
		return;
	c->taken[tree->naggs + row] = 1;
	for (uint32_t i = first_node(tree, row); i <= tree->lets[row].root; i++) {
		const struct node *n = &tree->nodes[i];

		if (n->op == N_LET)
			take_column(t, n->left, g);
		if (n->op != N_AGG || c->taken[n->left] ||
		    aggregate_of_rows(&tree->aggs[n->left]))
			continue;
		c->taken[n->left] = 1;
		take_aggregate(t, n->left);
	}
}

/* Adds the row's value to all() or most() number i. */
static void
add_row(struct stats_table *t, const struct expr_agg *agg, size_t i)
{
	struct row_values *c = t->values;
	struct val_env env = {.clock = t->st->clock};
	struct exprs *rows = t->st->spec->rows;
	const struct expr_tree *tree = exprs_tree(rows);
	uint32_t node =
	    c->let[i] != UINT32_MAX ? tree->lets[c->let[i]].root : tree->args[agg->args];
	/* all() and most() are never nested: see computed.c. */
	struct val v = exprs_row(rows, node, c->agg, t->st->clock), *to = &c->agg[i];

	if (v.kind == VAL_NONE || v.kind == VAL_TEXT)
		return;
	if (to->kind == VAL_NONE)
		*to = v;
	else if (agg->name == 3)
		*to = val_arith(&env, VAL_ADD, to, &v);
	else if (val_cmp(to, &v) == VAL_LESS)
		*to = v;
}

static void
of_all_rows(struct stats_table *t)
{
	struct row_values *c = t->values;
	const struct expr_tree *tree = exprs_tree(t->st->spec->rows);
	bool none = true;

	for (size_t i = 0; i < tree->naggs; i++)
		if (aggregate_of_rows(&tree->aggs[i])) {
			c->let[i] = row_column(tree, &tree->aggs[i]);
			none = false;
		}
	for (uint32_t g = 0; g < t->st->ngroups && !none; g++) {
		if (!t->st->count[g])
			continue;
		for (size_t i = 0; i < tree->nlets; i++)
			take_column(t, i, g);
		for (size_t i = 0; i < tree->naggs; i++)
			if (aggregate_of_rows(&tree->aggs[i]))
				add_row(t, &tree->aggs[i], i);
	}
}

void
row_values_open(struct stats_table *t)
{
	const struct exprs *rows = t->st->spec->rows;
	const struct expr_tree *tree;
	struct row_values *c;

	if (!rows)
		return;
	tree = exprs_tree(rows);
	c = t->values = xcalloc(1, sizeof *c);
	c->agg = xcalloc(tree->naggs + 1, sizeof *c->agg);
	c->taken = xcalloc(tree->naggs + tree->nlets, 1);
	c->time = xcalloc(tree->naggs + 1, 1);
	c->let = xcalloc(tree->naggs + 1, sizeof *c->let);
	for (size_t i = 0; i < tree->naggs; i++)
		c->time[i] =
		    !aggregate_of_rows(&tree->aggs[i]) &&
		    spec_agg_time(t->st->spec, &t->st->spec->agg[t->st->spec->agg_of[i]]);
	of_all_rows(t);
}

/* Returns the value in group g of a column that is computed from aggregates. */
static struct val
computed_val(struct stats_table *t, const struct shown *out, uint32_t g)
{
	struct exprs *rows = t->st->spec->rows;

	take_column(t, out->row, g);
	return exprs_row(rows, exprs_tree(rows)->lets[out->row].root, t->values->agg,
			 t->st->clock);
}

void
row_values_put(struct buf *b, struct stats_table *t, size_t k, uint32_t g)
{
	const struct spec *spec = t->st->spec;
	const struct shown *out = &spec->shown[k];
	struct val_env env = {.clock = t->st->clock};
	struct val v;

	if (out->plain) {
		stats_put(b, t->st, &spec->agg[out->agg], &t->totals, g);
		return;
	}
	v = computed_val(t, out, g);
	if (v.kind == VAL_NONE)
		buf_byte(b, '-');
	else if (v.kind == VAL_TEXT)
		value_str(b, v.s, v.len);
	else
		val_put(b, &env, &v);
}

void
row_values_full(struct buf *b, struct stats_table *t, size_t k, uint32_t g)
{
	const struct shown *out = &t->st->spec->shown[k];
	struct wide scaled, rest;
	struct ratio r;
	struct val v;

	if (out->plain &&
	    stats_ratio(t->st, &t->st->spec->agg[out->agg], &t->totals, g, &r) &&
	    !wide_zero(&r.b)) {
		scaled = wide_scale(r.a.m, r.decimals);
		wide_div(&scaled, &r.b, &rest);
		if (!wide_zero(&rest)) {
			buf_to(b, wide_put_real(buf_room(b, 2 * WIDE_DIGITS), r.a.neg,
						&r.a.m, &r.b));
			return;
		}
	} else if (!out->plain) {
		v = computed_val(t, out, g);
		if (v.kind == VAL_TIME && v.r != 0) {
			value_double(b, (i128_double(v.n, 1) + v.r) /
					    (t->st->clock == CLOCK_NS ? 1e9 : 1));
			return;
		}
	}
	row_values_put(b, t, k, g);
}

const struct agg *
row_values_estimate(const struct spec *spec, const struct stats *st, size_t k, uint32_t g)
{
	const struct shown *out = &spec->shown[k];
	const struct expr_tree *tree;
	const struct agg *a = &spec->agg[out->agg];

	if (out->plain)
		return stats_exact(st, a, g) ? NULL : a;
	tree = exprs_tree(spec->rows);
	for (uint32_t i = first_node(tree, out->row); i <= tree->lets[out->row].root; i++) {
		const struct node *n = &tree->nodes[i];

		if (n->op != N_AGG || aggregate_of_rows(&tree->aggs[n->left]))
			continue;
		a = &spec->agg[spec->agg_of[n->left]];
		if (!stats_exact(st, a, g))
			return a;
	}
	return NULL;
}

void
row_values_columns(const struct spec *spec, size_t row, bool *used)
{
	const struct expr_tree *tree = exprs_tree(spec->rows);

	for (uint32_t i = first_node(tree, row); i <= tree->lets[row].root; i++) {
		const struct node *n = &tree->nodes[i];

		if (n->op == N_LET)
			row_values_columns(spec, n->left, used);
		else if (n->op == N_AGG && spec->agg[spec->agg_of[n->left]].col >= 0)
			used[spec->agg[spec->agg_of[n->left]].col] = true;
	}
}

bool
row_values_exact(const struct stats_table *t, size_t k, uint32_t g)
{
	return !row_values_estimate(t->st->spec, t->st, k, g);
}

bool
row_values_time(const struct spec *spec, size_t k)
{
	const struct shown *out = &spec->shown[k];
	const struct expr_tree *tree = spec->rows ? exprs_tree(spec->rows) : NULL;

	return out->plain ? spec_agg_time(spec, &spec->agg[out->agg])
			  : tree->nodes[tree->lets[out->row].root].measure == M_TIME;
}

bool
row_values_close(struct stats_table *t)
{
	struct row_values *c = t->values;

	if (!c)
		return true;
	free(c->agg);
	free(c->taken);
	free(c->time);
	free(c->let);
	buf_free(&c->cell);
	free(c);
	t->values = NULL;
	return exprs_rows_fit(t->st->spec->rows);
}

/* Returns the time at which window w begins. */
static struct class_value
window_begin(const struct stats *st, int64_t w)
{
	/* Windows by the clock count from 1970; st->origin is the origin of one input. */
	int64_t from = st->spec->from_clock ? 0 : st->origin;
	bool ns = st->clock == CLOCK_NS, neg = ns && from < 0;
	uint64_t step = ns ? st->spec->step : st->spec->step / SECOND;
	uint64_t origin = neg ? 0 - (uint64_t)from : (uint64_t)from;
	/* The first window may begin before any time of 64 bits, so only the magnitude fits. */
	uint64_t way = (w < 0 ? 0 - (uint64_t)w : (uint64_t)w) * step, v = origin + way;

	if (way && (w < 0) != neg) {
		v = way > origin ? way - origin : origin - way;
		neg = way > origin ? w < 0 : neg && v;
	}
	return (struct class_value){(ns ? NANO_POS : INT_POS) + (unsigned)neg, v};
}

void
stats_table_window(struct buf *b, const struct stats_table *t, int64_t w)
{
	struct class_value v = window_begin(t->st, w);
	char date[DATE_TEXT];

	if (t->st->spec->from_clock) {
		date_text(v.v, v.class % 2, t->st->spec->step % SECOND != 0, date);
		buf_add(b, date, strlen(date));
	} else
		buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), v));
}
