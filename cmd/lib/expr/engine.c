/* engine.c - runs over a batch: computes the items of the plan, in order. */
#include <stdlib.h>
#include <string.h>

#include "expr/range_test.h"
#include "input/fault.h"

/* Returns the number of a name in the view, to which it is added if it is new. */
static size_t
ask(struct view *view, struct strtab *names, const char *name)
{
	size_t n = strlen(name);
	uint32_t i = strtab_id(names, name, n);

	if (i == view->n)
		view_add(view, name, n, true);
	return i;
}

void
engine_ask(struct expr_tree *t, struct view *view)
{
	struct strtab names = {0};

	for (size_t i = 0; i < t->ntests; i++)
		if (t->tests[i]->left == NO_NODE)
			t->tests[i]->asked = ask(view, &names, t->tests[i]->field);
	for (size_t i = 0; i < t->nfields; i++)
		t->fields[i].asked = ask(view, &names, t->fields[i].name);
	strtab_free(&names);
}

void
engine_open(struct engine *g, const struct expr_tree *t, struct view *view)
{
	memset(g, 0, sizeof *g);
	g->tree = t;
	g->view = view;
	g->root = xcalloc(t->nnodes + 1, sizeof *g->root);
	g->lets = xcalloc(t->nlets + 1, sizeof *g->lets);
	g->overs = xcalloc(t->nlets + 1, sizeof *g->overs);
	g->totals = xcalloc(t->ntotals + 1, sizeof *g->totals);
	g->field = xcalloc(t->nfields + 1, sizeof *g->field);
	g->memo = xcalloc(view->n + 1, sizeof *g->memo);
	g->range_tests = xcalloc(t->ntests + 1, sizeof *g->range_tests);
	for (uint32_t i = 0; i < BATCH; i++)
		g->first[i] = i;
	for (size_t i = 0; i < t->nlets; i++)
		g->lets[i].lazy = t->lets[i].field != NULL;
	engine_plan(g);
}

void
engine_forget(struct engine *g)
{
	for (size_t i = 0; i < g->view->n; i++) {
		free(g->memo[i].v);
		free(g->memo[i].known);
		g->memo[i] = (struct memo){0};
	}
	for (size_t i = 0; i < g->tree->ntests; i++)
		range_test_forget(&g->range_tests[i]);
	arena_free(&g->memo_mem);
}

void
engine_close(struct engine *g)
{
	const struct expr_tree *t = g->tree;

	engine_forget(g);
	free(g->memo);
	free(g->range_tests);
	before_free(g);
	for (size_t i = 0; i < t->nlets; i++)
		vreg_free(&g->lets[i].vreg);
	for (size_t i = 0; i < t->nfields; i++)
		vreg_free(&g->field[i].vreg);
	for (size_t i = 0; i < t->ntotals; i++)
		vreg_free(&g->totals[i].vreg);
	for (size_t i = 0; i < g->nprevs; i++)
		vreg_free(&g->prevs[i].vreg);
	for (size_t i = 0; i < g->stackcap && g->stack[i]; i++) {
		vreg_free(g->stack[i]);
		free(g->stack[i]);
	}
	for (size_t i = 0; i < g->subcap; i++)
		free(g->subs[i]);
	for (size_t i = 0; g->hoisted && i < t->nnodes; i++)
		if (g->hoisted[i]) {
			vreg_free(&g->hoisted[i]->vreg);
			free(g->hoisted[i]);
		}
	free(g->hoisted);
	vreg_free(&g->nth);
	arena_free(&g->mem);
	buf_free(&g->scratch);
	free(g->step);
	free(g->end);
	free(g->root);
	free(g->stack);
	free(g->vals);
	free(g->lets);
	free(g->prevs);
	free(g->totals);
	free(g->todo);
	free(g->field);
	free(g->subs);
	free(g->overs);
}

unsigned
engine_need(const struct engine *g)
{
	if (!g->tree->before)
		return 0;
	if (g->before.one)
		return NEED_ORDER;
	return NEED_ORDER | (g->before.keys ? exprs_need(g->before.keys) : NEED_LOC);
}

void
engine_key(struct engine *g, struct exprs *keys)
{
	const struct expr_tree *t = keys ? exprs_tree(keys) : NULL;

	exprs_free(g->before.keys);
	g->before.keys = keys;
	g->before.one = !keys;
	/* loc is the key without a list. */
	if (t && t->nlets == 1 && t->lets[0].field && !strcmp(t->lets[0].field, "loc")) {
		exprs_free(keys);
		g->before.keys = NULL;
	}
}

const char *
engine_unit(const struct test *t)
{
	for (size_t i = t->nitems; i-- > 0;) {
		const struct item *it = &t->items[i];

		if (it->from.is_num && it->from.unit == UNIT_TIME)
			return it->from.text;
		if (it->to.is_num && it->to.unit == UNIT_TIME)
			return it->to.text;
	}
	return NULL;
}

/* Sets end->dated: a date becomes a time of a source with that origin. */
static void
from_origin(struct item_end *end, int64_t origin)
{
	end->dated = end->val;
	if (end->unit == UNIT_DATE)
		i128_add(end->val.n, i128_neg(i128_i64(origin)), &end->dated.n);
}

void
engine_dates(const struct expr_tree *t, const struct head *h)
{
	for (size_t i = 0; i < t->ntests; i++)
		for (size_t k = 0; k < t->tests[i]->nitems; k++) {
			struct item *it = &t->tests[i]->items[k];

			from_origin(&it->from, head_dated(h) ? h->origin : 0);
			from_origin(&it->to, head_dated(h) ? h->origin : 0);
		}
}

const char *
engine_clash(const struct engine *g, const struct source *s)
{
	const struct expr_tree *t = g->tree;
	const char *clash = t->has_time ? t->time_text : NULL;

	if (t->date_text && !head_dated(&s->head))
		return t->date_text;
	if (s->head.clock != CLOCK_TICKS)
		return NULL;
	for (size_t i = 0; i < t->ntests && !clash; i++)
		if (t->tests[i]->left == NO_NODE && field_is_time(t->tests[i]->column))
			clash = engine_unit(t->tests[i]);
	if (!clash && g->before.keys)
		clash = exprs_clash(g->before.keys, s);
	return clash;
}

void
engine_merge(struct engine *g, struct engine *from)
{
	for (size_t i = 0; i <= g->tree->nlets; i++) {
		g->overs[i] += from->overs[i];
		from->overs[i] = 0;
	}
	if (g->before.keys)
		exprs_merge(g->before.keys, from->before.keys);
}

int
engine_finish(const struct engine *g, bool partial)
{
	const struct expr_tree *t = g->tree;

	for (size_t i = 0; i <= t->nlets; i++)
		if (g->overs[i])
			warn("%llu value%s of \"%s\" do%s not fit 64 bits and count%s as "
			     "absent",
			     (unsigned long long)g->overs[i], g->overs[i] == 1 ? "" : "s",
			     i < t->nlets ? t->lets[i].label : t->text,
			     g->overs[i] == 1 ? "es" : "", g->overs[i] == 1 ? "s" : "");
	return g->before.keys ? exprs_finish(g->before.keys, partial) : ST_OK;
}

void
expr_type_error(struct source *s, const char *clash, unsigned *told)
{
	if (*told == s->head_serial)
		return;
	*told = s->head_serial;
	if (s->head.clock != CLOCK_TICKS)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%s is a date, but times of this input do not count from a date",
		      clash);
	else
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "the clock counts ticks of unknown length, but %s is a time: give "
		      "--hz N",
		      clash);
	/* A stream may continue with a part that has another clock. */
	s->stop |= !s->fmt->stream;
}

/* Computes a definition that uses its own previous value, event by event; the previous value is then a constant. */
static void
run_own(struct engine *g, size_t let, struct steps of)
{
	struct vreg *to = &g->lets[let].vreg, *before;
	uint32_t n = g->all.n;
	size_t own = 0;

	while (!(g->prevs[own].own && g->prevs[own].of->left == let))
		own++;
	before = &g->prevs[own].vreg;
	vreg_begin(to, n);
	vreg_begin(before, n);
	for (uint32_t j = 0; j < n; j++) {
		struct val v = before_get(g, own, j);

		vreg_put(before, n, j, &v);
		before->constant = true;
		before->c = v;
		for (size_t i = 0; i < g->tree->ntotals; i++) {
			struct total *sum = &g->totals[i];

			if (!sum->own || sum->let != let)
				continue;
			v = batch_one(g, sum->of, g->all.at[j], j);
			sum->vreg.constant = true;
			sum->vreg.c = before_add(g, i, j, &v);
		}
		v = batch_one(g, of, g->all.at[j], j);
		before->constant = false;
		before_set(g, own, j, &v);
		vreg_put(to, n, j, &v);
	}
	vreg_end(to, n);
	vreg_end(before, n);
}

static void
run_let(struct engine *g, size_t i)
{
	struct steps of = g->root[g->tree->lets[i].root];

	g->let = i;
	g->lets[i].gen = g->all.gen;
	if (g->lets[i].own)
		run_own(g, i, of);
	else
		batch_steps(g, of, &g->all, &g->lets[i].vreg);
}

void
engine_let(struct engine *g, size_t i)
{
	if (g->all.n && g->lets[i].gen != g->all.gen && g->tree->lets[i].root != NO_NODE)
		run_let(g, i);
}

void
engine_run(struct engine *g, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	g->s = s;
	g->b = b;
	arena_free(&g->mem);
	g->env = (struct val_env){s->head.clock, &g->mem,
				  head_dated(&s->head) ? s->head.origin : 0, false};
	g->all = (struct sel){
	    .n = n, .at = pick ? pick : g->first, .j = g->first, .gen = ++g->gens};
	g->base = g->all.gen;
	g->depth = 0;
	g->let = g->tree->nlets;
	if (!n)
		return;
	if (g->tree->before)
		before_slots(g);
	for (size_t k = 0; k < g->ntodo; k++) {
		uint32_t i = g->todo[k].i;
		struct vreg now = {.constant = false};
		const struct node *of;
		size_t let = g->let;

		switch (g->todo[k].what) {
		case DO_LET:
			if (!g->lets[i].lazy)
				run_let(g, i);
			break;
		case DO_PREV:
			of = g->prevs[i].of;
			if (of->op == N_FIELD)
				batch_field(g, of->left, &g->all, &now);
			else
				now = g->lets[of->left].vreg;
			before_prev(g, i, &now);
			break;
		case DO_NTH: before_nth(g); break;
		case DO_TOTAL:
			batch_steps(g, g->totals[i].of, &g->all, &now);
			before_total(g, i, &now);
			vreg_free(&now);
			break;
		case DO_HOISTED:
			/* A value that does not fit is counted for its definition. */
			g->let = engine_let_of(g->tree, i, 0);
			batch_steps(g, g->hoisted[i]->of, &g->all, &g->hoisted[i]->vreg);
			g->let = let;
			break;
		}
	}
	g->let = g->tree->nlets;
}

void
engine_test(struct engine *g, uint32_t node, const uint32_t *at, uint32_t n, uint8_t *yes)
{
	struct sel sel = g->all;

	if (n != g->all.n) {
		sel = (struct sel){.n = n, .at = at, .j = at, .gen = ++g->gens};
		g->base = sel.gen;
	}
	batch_test(g, g->root[node], &sel, yes);
}
