/*
 * leaf_test.c - tests of plain fields: what one is for the records of a type is worked out
 * once, and then run as a loop over a batch.
 *
 * Every comparison of an integer becomes ((load(record + off) & mask) ^ flip) - lo <= span:
 * one form for all comparisons and ranges, and with a mask of 0 for what the type decides.
 */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "expr/leaf.h"

/* The type decides, as far as `bit` is there: 0 is within the range 0 to 0. */
static struct leaf
leaf_const(bool yes, uint8_t bit)
{
	return (struct leaf){.how = bit ? LEAF_RANGE : LEAF_TYPE, .bit = bit, .want = yes};
}

int
leaf_known(const struct leaf *l)
{
	return l->how == LEAF_TYPE ? l->want : -1;
}

/* The integers that pass, of fields like f. */
static struct leaf
leaf_ranges(struct leaves *q, const struct test *t, const struct field *f)
{
	const struct domain d = {64 - f->shift, f->sign, f->number == K_NS};
	struct leaf l = {.how = LEAF_RANGE,
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
		return leaf_const(t->negate, f->bit);
	l.lo = q->range[q->nranges].lo;
	l.span = q->range[q->nranges].hi - l.lo;
	if (n == 1)
		return l;
	l.how = LEAF_RANGES;
	l.n = n;
	/* An input may have many types, and a test many ranges: types share them. */
	if (q->last_n == n &&
	    !memcmp(q->range + q->nranges - n, q->range + q->nranges, n * sizeof *q->range))
		q->nranges -= n;
	l.first = q->nranges;
	q->nranges += n;
	q->last_n = n;
	return l;
}

/* The strings that the test of such a field is of: for loc, its parts, and symbols. */
static size_t
leaf_strings(struct leaves *q, const struct field *f)
{
	for (size_t i = 0; i < q->nsets; i++)
		if (q->set[i].field.kind == f->kind && q->set[i].field.part == f->part)
			return i;
	*PUSH(q->set, q->nsets, q->set_cap) = (struct leaf_set){.field = *f};
	return q->nsets - 1;
}

static struct leaf
leaf_make(struct leaves *q, const struct test *t, const struct field *f)
{
	if (f->load == LOAD_NONE)
		return leaf_const(false, 0);
	if (f->load == LOAD_CONST)
		return leaf_const(test_text(t, f->text, f->len), 0);
	if (t->op == OP_THERE &&
	    (f->bit || (f->kind != FIELD_LOC && f->kind != FIELD_PART)))
		return leaf_const(true, f->bit);
	if (f->load == LOAD_INT && test_of_ranges(t))
		return leaf_ranges(q, t, f);
	if (f->load == LOAD_STRING)
		return (struct leaf){.how = LEAF_STRING,
				     .bit = f->bit,
				     .off = f->off,
				     .first = leaf_strings(q, f)};
	return (struct leaf){.how = LEAF_TEXT};
}

bool
leaf_same(const struct leaf *a, const struct leaf *b)
{
	return a->how == b->how && a->bit == b->bit && a->want == b->want &&
	       a->off == b->off && a->mask == b->mask && a->flip == b->flip &&
	       a->lo == b->lo && a->span == b->span && a->first == b->first;
}

const struct leaf *
leaf_of(struct engine *g, uint32_t number, uint32_t type)
{
	const struct test *t = g->tree->tests[number];
	struct leaves *q = &g->leaves[number];

	while (q->n <= type) {
		struct leaf l = leaf_make(q, t, view_field(g->view, q->n, t->asked));

		GROW(q->leaf, q->leaf_cap, q->n + 1u);
		if (l.how > q->how)
			q->how = l.how;
		q->differ |= q->n && !leaf_same(&l, q->leaf);
		q->leaf[q->n++] = l;
	}
	return &q->leaf[type];
}

/* Decides the strings that have come since the last time. */
static void
fill_set(struct engine *g, const struct test *t, struct leaf_set *set)
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
			/* A symbol is raw: compare it as it would be written. */
			value_str(&b, str->s, str->len);
			v = (struct span){b.p, b.n};
		}
		set->yes[set->n] = test_text(t, (const char *)v.p, v.n);
	}
	buf_free(&b);
}

bool
leaf_by_text(struct engine *g, const struct test *t, const struct rec *r)
{
	struct buf *text = &g->scratch;

	text->n = 0;
	buf_room(text, 1);
	return field_text(text, &g->s->head, &g->s->t, r,
			  view_field(g->view, r->type, t->asked)) &&
	       test_text(t, (const char *)text->p, text->n);
}

static bool
in_ranges(const struct leaves *q, const struct leaf *l, const struct rec *r)
{
	uint64_t x = leaf_load(l, r);
	bool yes = false;

	for (size_t i = l->first; i < l->first + l->n; i++)
		yes |= x - q->range[i].lo <= q->range[i].hi - q->range[i].lo;
	return yes == l->want && leaf_there(l, r);
}

/* Tests one event, when leaf_ready has been called. */
static bool
leaf_one(struct engine *g, uint32_t number, const struct rec *r)
{
	const struct leaves *q = &g->leaves[number];
	const struct leaf *l = &q->leaf[r->type];

	switch (l->how) {
	case LEAF_TYPE:
	case LEAF_RANGE: return leaf_range(l, r);
	case LEAF_RANGES: return in_ranges(q, l, r);
	case LEAF_STRING:
		return q->set[l->first].yes[ld32((const uint8_t *)r + l->off)] &&
		       leaf_there(l, r);
	case LEAF_TEXT: break;
	}
	return leaf_by_text(g, g->tree->tests[number], r);
}

static void
leaf_ready(struct engine *g, uint32_t number)
{
	struct leaves *q = &g->leaves[number];

	if (q->n < g->s->t.ntypes)
		leaf_of(g, number, g->s->t.ntypes - 1);
	for (size_t i = 0; i < q->nsets; i++)
		if (q->set[i].n < g->s->t.str.n)
			fill_set(g, g->tree->tests[number], &q->set[i]);
}

void
leaf_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n, uint8_t *yes)
{
	const struct batch *b = g->b;
	const struct leaves *q = &g->leaves[number];
	struct leaf l;

	leaf_ready(g, number);
	l = *q->leaf;
	if (!q->differ && l.how == LEAF_RANGE)
		for (uint32_t k = 0; k < n; k++)
			yes[k] = leaf_range(&l, batch_rec(b, at[k]));
	else if (q->how == LEAF_TYPE)
		for (uint32_t k = 0; k < n; k++)
			yes[k] = q->leaf[batch_rec(b, at[k])->type].want;
	else if (!q->differ && l.how == LEAF_STRING && !l.bit) {
		const uint8_t *set = q->set[l.first].yes;

		for (uint32_t k = 0; k < n; k++)
			yes[k] = set[ld32((const uint8_t *)batch_rec(b, at[k]) + l.off)];
	} else if (q->how == LEAF_RANGE)
		for (uint32_t k = 0; k < n; k++) {
			const struct rec *r = batch_rec(b, at[k]);

			yes[k] = leaf_range(&q->leaf[r->type], r);
		}
	else
		for (uint32_t k = 0; k < n; k++)
			yes[k] = leaf_one(g, number, batch_rec(b, at[k]));
}

void
leaf_forget(struct leaves *q)
{
	for (size_t i = 0; i < q->nsets; i++)
		free(q->set[i].yes);
	free(q->set);
	free(q->leaf);
	free(q->range);
	*q = (struct leaves){0};
}
