/*
 * range_test_run.c - tests of plain fields: prepared for the records of each type, then run as a loop over a
 * batch.
 *
 * Every comparison of an integer becomes ((load(record + off) & mask) ^ flip) - lo <= span: one form for all
 * comparisons and ranges; if the type decides, the mask is 0.
 */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "expr/range_test.h"

/* Returns a test whose result is `yes` for all records of the type that have the column `bit`. Mask 0 gives 0,
 * which is within the range 0 to 0. */
static struct range_test
range_test_const(bool yes, uint8_t bit)
{
	return (struct range_test){
	    .form = bit ? TEST_RANGE : TEST_TYPE, .bit = bit, .want = yes};
}

int
range_test_known(const struct range_test *l)
{
	return l->form == TEST_TYPE ? l->want : -1;
}

/* Returns the test for fields like f: the ranges of integers that pass. */
static struct range_test
range_test_ranges(struct range_tests *q, const struct test *t, const struct field *f)
{
	const struct domain d = {64 - f->shift, f->sign, f->number == K_NS};
	struct range_test l = {.form = TEST_RANGE,
			       .bit = f->bit,
			       .want = !t->negate,
			       .shift = HOST_BIG ? f->shift : 0,
			       .off = f->off,
			       .mask = UINT64_MAX >> f->shift,
			       .flip = domain_flip(&d)};
	size_t n = 0;

	GROW(q->range, q->range_cap, q->nranges + t->nitems);
	for (size_t i = 0; i < t->nitems; i++)
		n += test_range(t, &t->items[i], &d, &q->range[q->nranges + n]);
	if (!n)
		return range_test_const(t->negate, f->bit);
	l.lo = q->range[q->nranges].lo;
	l.span = q->range[q->nranges].hi - l.lo;
	if (n == 1)
		return l;
	l.form = TEST_RANGES;
	l.n = n;
	/* An input may have many types, and a test many ranges: types share them if they are equal. */
	if (q->last_n == n &&
	    !memcmp(q->range + q->nranges - n, q->range + q->nranges, n * sizeof *q->range))
		q->nranges -= n;
	l.first = q->nranges;
	q->nranges += n;
	q->last_n = n;
	return l;
}

/* Returns the number of the set of strings for such a field: loc, a part of it, or a symbol. Adds it if it is new. */
static size_t
range_test_strings(struct range_tests *q, const struct field *f)
{
	for (size_t i = 0; i < q->nsets; i++)
		if (q->set[i].field.kind == f->kind && q->set[i].field.part == f->part)
			return i;
	*PUSH(q->set, q->nsets, q->set_cap) = (struct range_test_set){.field = *f};
	return q->nsets - 1;
}

static struct range_test
range_test_make(struct range_tests *q, const struct test *t, const struct field *f)
{
	if (f->load == LOAD_NONE)
		return range_test_const(false, 0);
	if (f->load == LOAD_CONST)
		return range_test_const(test_text(t, f->text, f->len), 0);
	if (t->op == OP_THERE &&
	    (f->bit || (f->kind != FIELD_LOC && f->kind != FIELD_PART)))
		return range_test_const(true, f->bit);
	if (f->load == LOAD_INT && test_of_ranges(t))
		return range_test_ranges(q, t, f);
	if (f->load == LOAD_STRING)
		return (struct range_test){.form = TEST_STRING,
					   .bit = f->bit,
					   .off = f->off,
					   .first = range_test_strings(q, f)};
	return (struct range_test){.form = TEST_TEXT};
}

bool
range_test_same(const struct range_test *a, const struct range_test *b)
{
	return a->form == b->form && a->bit == b->bit && a->want == b->want &&
	       a->off == b->off && a->mask == b->mask && a->flip == b->flip &&
	       a->lo == b->lo && a->span == b->span && a->first == b->first;
}

const struct range_test *
range_test_of(struct engine *g, uint32_t number, uint32_t type)
{
	const struct test *t = g->tree->tests[number];
	struct range_tests *q = &g->range_tests[number];

	while (q->n <= type) {
		struct range_test l =
		    range_test_make(q, t, view_field(g->view, q->n, t->asked));

		GROW(q->range_test, q->range_test_cap, q->n + 1u);
		if (l.form > q->form)
			q->form = l.form;
		q->differ |= q->n && !range_test_same(&l, q->range_test);
		q->range_test[q->n++] = l;
	}
	return &q->range_test[type];
}

/* Decides the strings that have been added since the last call. */
static void
fill_set(struct engine *g, const struct test *t, struct range_test_set *set)
{
	const struct strtab *strings = &g->s->t.str;
	struct buf b = {0};

	GROW(set->yes, set->cap, strings->n);
	buf_room(&b, 1);
	for (; set->n < strings->n; set->n++) {
		const struct str *str = &strings->v[set->n];
		struct span v = {(const uint8_t *)str->s, str->len};

		b.n = 0;
		set->yes[set->n] = 0;
		if (set->field.kind == FIELD_PART) {
			if (!field_of_loc(&b, &g->s->head, &set->field, str, &v))
				continue;
		} else if (set->field.kind == FIELD_LOC) {
			if (set->n == 0)
				continue;
		} else {
			/* A symbol is stored unescaped: compare it as it would be written. */
			value_str(&b, str->s, str->len);
			v = (struct span){b.p, b.n};
		}
		set->yes[set->n] = test_text(t, (const char *)v.p, v.n);
	}
	buf_free(&b);
}

bool
range_test_by_text(struct engine *g, const struct test *t, const struct rec *r)
{
	struct buf *text = &g->scratch;

	text->n = 0;
	buf_room(text, 1);
	return field_text(text, &g->s->head, &g->s->t, r,
			  view_field(g->view, r->type, t->asked)) &&
	       test_text(t, (const char *)text->p, text->n);
}

static bool
in_ranges(const struct range_tests *q, const struct range_test *l, const struct rec *r)
{
	uint64_t x = range_test_load(l, r);
	bool yes = false;

	for (size_t i = l->first; i < l->first + l->n; i++)
		yes |= x - q->range[i].lo <= q->range[i].hi - q->range[i].lo;
	return yes == l->want && range_test_there(l, r);
}

/* Returns true if an event passes. range_test_ready must have been called. */
static bool
range_test_one(struct engine *g, uint32_t number, const struct rec *r)
{
	const struct range_tests *q = &g->range_tests[number];
	const struct range_test *l = &q->range_test[r->type];

	switch (l->form) {
	case TEST_TYPE:
	case TEST_RANGE: return range_test_range(l, r);
	case TEST_RANGES: return in_ranges(q, l, r);
	case TEST_STRING:
		return q->set[l->first].yes[ld32((const uint8_t *)r + l->off)] &&
		       range_test_there(l, r);
	case TEST_TEXT: break;
	}
	return range_test_by_text(g, g->tree->tests[number], r);
}

static void
range_test_ready(struct engine *g, uint32_t number)
{
	struct range_tests *q = &g->range_tests[number];

	if (q->n < g->s->t.ntypes)
		range_test_of(g, number, g->s->t.ntypes - 1);
	for (size_t i = 0; i < q->nsets; i++)
		if (q->set[i].n < g->s->t.str.n)
			fill_set(g, g->tree->tests[number], &q->set[i]);
}

void
range_test_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n,
		  uint8_t *yes)
{
	const struct batch *b = g->b;
	const struct range_tests *q = &g->range_tests[number];
	struct range_test l;

	range_test_ready(g, number);
	l = *q->range_test;
	if (!q->differ && l.form == TEST_RANGE)
		for (uint32_t k = 0; k < n; k++)
			yes[k] = range_test_range(&l, batch_rec(b, at[k]));
	else if (q->form == TEST_TYPE)
		for (uint32_t k = 0; k < n; k++)
			yes[k] = q->range_test[batch_rec(b, at[k])->type].want;
	else if (!q->differ && l.form == TEST_STRING && !l.bit) {
		const uint8_t *set = q->set[l.first].yes;

		for (uint32_t k = 0; k < n; k++)
			yes[k] = set[ld32((const uint8_t *)batch_rec(b, at[k]) + l.off)];
	} else if (q->form == TEST_RANGE)
		for (uint32_t k = 0; k < n; k++) {
			const struct rec *r = batch_rec(b, at[k]);

			yes[k] = range_test_range(&q->range_test[r->type], r);
		}
	else
		for (uint32_t k = 0; k < n; k++)
			yes[k] = range_test_one(g, number, batch_rec(b, at[k]));
}

void
range_test_forget(struct range_tests *q)
{
	for (size_t i = 0; i < q->nsets; i++)
		free(q->set[i].yes);
	free(q->set);
	free(q->range_test);
	free(q->range);
	*q = (struct range_tests){0};
}
