/* filter_compile.c - compiles filter expressions: decides what each type of event decides alone. */
#include <stdlib.h>
#include <string.h>

#include "expr/program.h"
#include "expr/filter_value.h"

/* Notes a number in a test that is compared with named values, for expr_finish. */
static void
note_name(struct test *t, const struct labels *labels)
{
	for (size_t i = 0; i < t->nitems && !t->name; i++) {
		const struct item_end *from = &t->items[i].from;
		const char *name = NULL;

		if (from->is_num && from->val.kind == VAL_WHOLE && i128_is_i64(from->val.n))
			name = label_of(labels, (int64_t)from->val.n.lo);
		if (name) {
			t->named = i;
			t->name = xstrdup(name);
		}
	}
}

/* Notes which event names in a test some type has. */
static void
note_event(struct test *t, const struct field *f)
{
	struct test one = *t;

	one.op = t->op == OP_IN ? OP_EQ : t->op;
	one.negate = false;
	one.nitems = 1;
	for (size_t i = 0; i < t->nitems; i++) {
		one.items = &t->items[i];
		if (!one.items->hit && (one.op == OP_EQ || one.op == OP_GLOB))
			one.items->hit =
			    one.items->range || test_text(&one, f->text, f->len);
	}
}

/* Notes the fields, names and clock that a test of a plain field meets in a type. */
static void
note_test(struct expr *e, const struct source *s, uint32_t type, struct test *t)
{
	const struct field *f = view_field(&e->view, type, t->asked);

	/* A time with a unit cannot be compared with a clock of ticks. */
	if (!e->clash && s->head.clock == CLOCK_TICKS && field_is_time(f->kind))
		e->clash = engine_unit(t);
	/* A date cannot be compared with a time that does not count from a date. */
	if (!e->clash && !head_dated(&s->head) && f->kind == FIELD_ARG && f->number == K_NS)
		for (size_t i = 0; i < t->nitems; i++)
			if (t->items[i].from.unit == UNIT_DATE)
				e->clash = t->items[i].from.text;
	if (f->kind == FIELD_ARG && f->arg->labels && t->op != OP_MATCH)
		note_name(t, f->arg->labels);
	if (f->kind == FIELD_EVENT)
		note_event(t, f);
}

/* Returns 0 or 1 if the type alone decides; else -1. */
static int
fold(struct expr *e, uint32_t type, uint32_t n)
{
	const struct node *node = &e->tree.nodes[n];
	int l, r;

	if (node->op == N_TRUE ||
	    (node->op == N_TEST && e->tree.tests[node->left]->left != NO_NODE))
		return -1;
	if (node->op == N_TEST)
		return range_test_known(range_test_of(&e->engine, node->left, type));
	l = fold(e, type, node->left);
	if (node->op == N_NOT)
		return l < 0 ? l : !l;
	if (l == (node->op == N_OR))
		return l;
	r = fold(e, type, node->right);
	return r == (node->op == N_OR) || l >= 0 ? r : -1;
}

/* Notes whether a type leaves a conjunct undecided, and whether the conjunct is equal for all types. */
static void
need_part(struct expr *e, struct conjunct *c, uint32_t type)
{
	const struct range_test *l =
	    c->range_test ? range_test_of(&e->engine, c->test, type) : NULL;

	if (c->needed)
		c->differs |=
		    l && !range_test_same(l, range_test_of(&e->engine, c->test, c->type));
	else if (!l || range_test_known(l) != c->want) {
		c->needed = true;
		c->differs = e->seen[RUN];
		c->type = type;
	}
}

static void
compile(struct expr *e, const struct source *s, uint32_t type)
{
	int known = fold(e, type, e->tree.root);
	enum verdict verdict = known < 0 ? RUN : known ? TAKE : DROP;

	for (size_t i = 0; i < e->tree.ntests; i++)
		if (e->tree.tests[i]->left == NO_NODE)
			note_test(e, s, type, e->tree.tests[i]);
	for (size_t i = 0; i < e->nparts && verdict == RUN; i++)
		need_part(e, &e->part[i], type);
	GROW(e->verdicts, e->verdicts_cap, type + 1u);
	e->verdicts[type] = (uint8_t)verdict;
	e->seen[verdict] = true;
	if (s->t.type[type].fixed < e->least)
		e->least = s->t.type[type].fixed;
}

/* Finds the range for pick_quick. Its loop reads records of all types, so the field must be within the shortest
 * record. */
static void
find_quick(struct expr *e)
{
	const struct conjunct *c = e->part;
	const struct range_test *l;

	while (c < e->part + e->nparts && !c->needed)
		c++;
	e->quick = e->nparts;
	if (e->seen[TAKE] || c == e->part + e->nparts || !c->range_test || c->differs)
		return;
	l = range_test_of(&e->engine, c->test, c->type);
	if (l->form == TEST_RANGE && l->off < e->least)
		e->quick = (size_t)(c - e->part);
}

void
expr_forget(struct expr *e)
{
	engine_forget(&e->engine);
	if (e->noted)
		memset(e->noted, 0, e->noted_cap);
	e->nnoted = 0;
	e->ntypes = 0;
	memset(e->seen, 0, sizeof e->seen);
	for (size_t i = 0; i < e->nparts; i++)
		e->part[i].needed = e->part[i].differs = false;
	e->least = UINT32_MAX;
	e->clash = NULL;
}

/* Returns true if an event name in the expression matches no type so far. */
static bool
any_strange(const struct expr *e)
{
	for (size_t i = 0; i < e->tree.ntests; i++)
		for (size_t k = 0; k < e->tree.tests[i]->nitems; k++)
			if (item_strange(e->tree.tests[i], &e->tree.tests[i]->items[k]))
				return true;
	return false;
}

void
expr_refresh(struct expr *e, const struct source *s)
{
	if (view_bind(&e->view, &s->t, &s->head, s->head_serial, s->fmt->text)) {
		expr_forget(e);
		engine_dates(&e->tree, &s->head);
	}
	if (e->ntypes < s->t.ntypes) {
		while (e->ntypes < s->t.ntypes)
			compile(e, s, e->ntypes++);
		if (!e->clash)
			e->clash = engine_clash(&e->engine, s);
		find_quick(e);
		e->strange = any_strange(e);
	}
}
