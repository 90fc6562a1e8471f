/* engine.c - the steps of values, and the order in which a run computes them. */
#include <stdlib.h>
#include <string.h>

#include "expr/engine.h"
#include "input/fault.h"

/* The number of a name in the view, which is asked for it if it is new. */
static size_t
ask(struct view *view, struct strtab *names, const char *name)
{
	size_t n = strlen(name);
	uint32_t i = strtab_id(names, name, n);

	if (i == view->n)
		view_add(view, name, n, false);
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

/*
 * Steps. A node's operands stand before it; but what is computed only for some events, or in
 * a loop of its own, are parts, which stand behind it.
 */
static uint32_t
add_step(struct engine *g, const struct node *node, uint32_t nparts)
{
	g->step = grow(g->step, &g->stepcap, g->nsteps + 1, sizeof *g->step);
	g->end = grow(g->end, &g->endcap, g->nends + nparts + 1, sizeof *g->end);
	g->step[g->nsteps] = (struct step){
	    .node = node, .parts = (uint32_t)g->nends, .nparts = nparts};
	g->nends += nparts;
	return (uint32_t)g->nsteps++;
}

static void steps_of(struct engine *g, uint32_t n);

static void
add_part(struct engine *g, uint32_t step, uint32_t *k, uint32_t n)
{
	steps_of(g, n);
	g->end[g->step[step].parts + (*k)++] = (uint32_t)g->nsteps;
}

/* How many operands a chain of `and`, or of `or`, has; each as a part of the step. */
static uint32_t
chain_length(const struct expr_tree *t, uint32_t n)
{
	uint8_t op = t->nodes[n].op;
	uint32_t k = 1;

	for (; t->nodes[n].op == op; n = t->nodes[n].left)
		k++;
	return k;
}

static void
chain_parts(struct engine *g, uint32_t step, uint32_t n)
{
	const struct node *nodes = g->tree->nodes;
	uint8_t op = nodes[n].op;
	uint32_t k = chain_length(g->tree, n), *part = xcalloc(k, sizeof *part);
	uint32_t i = k, done = 0;

	for (; nodes[n].op == op; n = nodes[n].left)
		part[--i] = nodes[n].right;
	part[0] = n;
	for (i = 0; i < k; i++)
		add_part(g, step, &done, part[i]);
	free(part);
}

static void
test_parts(struct engine *g, const struct node *node)
{
	const struct test *t = g->tree->tests[node->left];
	uint32_t n = 0, step, done = 0;

	for (size_t i = 0; i < t->nitems; i++)
		n += t->items[i].node == NO_NODE ? 0 : t->items[i].range ? 2 : 1;
	step = add_step(g, node, t->left == NO_NODE ? 0 : n + 1);
	if (t->left == NO_NODE)
		return;
	add_part(g, step, &done, t->left);
	for (size_t i = 0; i < t->nitems; i++) {
		if (t->items[i].node == NO_NODE)
			continue;
		add_part(g, step, &done, t->items[i].node);
		if (t->items[i].range)
			add_part(g, step, &done, t->items[i].to_node);
	}
	g->step[step].next = (uint32_t)g->nsteps;
}

/* The steps of a chain of arithmetic, from the left: it may be long. */
static void
arith_steps(struct engine *g, uint32_t n)
{
	const struct node *nodes = g->tree->nodes;
	uint32_t k = 0, *chain, m = n;

	for (; nodes[m].op == N_ARITH; m = nodes[m].left)
		k++;
	chain = xcalloc(k, sizeof *chain);
	for (m = n, k = 0; nodes[m].op == N_ARITH; m = nodes[m].left)
		chain[k++] = m;
	steps_of(g, m);
	while (k--) {
		steps_of(g, nodes[chain[k]].right);
		add_step(g, &nodes[chain[k]], 0);
	}
	free(chain);
}

static size_t
find_prev(const struct engine *g, const struct node *node)
{
	const struct node *of = &g->tree->nodes[node->left];
	size_t i = 0;

	while (i < g->nprevs &&
	       (g->prevs[i].of->op != of->op || g->prevs[i].of->left != of->left))
		i++;
	return i;
}

static void
leaf_step(struct engine *g, const struct node *node)
{
	struct step *s = &g->step[add_step(g, node, 0)];
	struct prev *p;
	struct total *t;

	if (node->op == N_LET)
		s->reg = &g->lets[node->left];
	else if (node->op == N_NTH)
		s->reg = &g->nth;
	else if (node->op == N_PREV) {
		p = &g->prevs[find_prev(g, node)];
		s->reg = &p->reg;
		s->now = p->own && p->of->left == g->let ? &p->now : NULL;
	} else if (node->op == N_TOTAL) {
		t = &g->totals[node->right];
		s->reg = &t->reg;
		s->now = t->own ? &t->now : NULL;
	}
}

static void
steps_of(struct engine *g, uint32_t n)
{
	const struct expr_tree *t = g->tree;
	const struct node *node = &t->nodes[n];
	uint32_t step, done = 0;

	switch (node->op) {
	case N_AND:
	case N_OR:
		step = add_step(g, node, chain_length(t, n));
		chain_parts(g, step, n);
		g->step[step].next = (uint32_t)g->nsteps;
		return;
	case N_TEST: test_parts(g, node); return;
	case N_CALL:
		step = 0;
		if (node->func->lazy)
			step = add_step(g, node, node->n);
		for (uint32_t i = 0; i < node->n; i++)
			if (node->func->lazy)
				add_part(g, step, &done, t->args[node->left + i]);
			else
				steps_of(g, t->args[node->left + i]);
		if (node->func->lazy)
			g->step[step].next = (uint32_t)g->nsteps;
		else
			add_step(g, node, 0);
		return;
	case N_ARITH: arith_steps(g, n); return;
	case N_NOT:
	case N_TRUE:
	case N_AS_TIME:
	case N_VALUE:
		steps_of(g, node->left);
		add_step(g, node, 0);
		return;
	default: leaf_step(g, node); return;
	}
}

void
engine_root(struct engine *g, uint32_t node)
{
	struct steps *s = &g->root[node];

	if (s->to)
		return;
	s->from = (uint32_t)g->nsteps;
	steps_of(g, node);
	s->to = (uint32_t)g->nsteps;
	for (uint32_t i = s->from; i < s->to; i++)
		if (!g->step[i].next)
			g->step[i].next = i + 1;
}

static void
add_todo(struct engine *g, int what, size_t i)
{
	g->todo = grow(g->todo, &g->todocap, g->ntodo + 1, sizeof *g->todo);
	g->todo[g->ntodo].what = what;
	g->todo[g->ntodo++].i = (uint32_t)i;
}

/* The definition that a node stands in: operands come before their nodes. */
static size_t
let_of(const struct expr_tree *t, uint32_t n, size_t from)
{
	while (from < t->nlets && (t->lets[from].root == NO_NODE || t->lets[from].root < n))
		from++;
	return from;
}

/* Notes prev number p where it is new: of a field at once, of a definition behind it. */
static void
plan_prev(struct engine *g, const struct node *node, size_t let)
{
	size_t i = find_prev(g, node);
	const struct node *of = &g->tree->nodes[node->left];
	bool own = of->op == N_LET && of->left == let;

	if (i == g->nprevs) {
		g->prevs = grow(g->prevs, &g->prevcap, g->nprevs + 1, sizeof *g->prevs);
		g->prevs[g->nprevs++] = (struct prev){.of = of};
	}
	if (own)
		g->prevs[i].own = g->own[let] = true;
}

/* The order of a run: each definition behind what it needs. */
static void
plan(struct engine *g)
{
	const struct expr_tree *t = g->tree;
	bool *planned = xcalloc(g->nprevs + 1, sizeof *planned), nth = false;
	size_t let = 0;

	for (uint32_t n = 0; n < t->nnodes; n++) {
		const struct node *node = &t->nodes[n];
		size_t i = node->op == N_PREV ? find_prev(g, node) : 0;

		g->let = let = let_of(t, n, let);
		if (node->op == N_PREV && !g->prevs[i].own && !planned[i]) {
			planned[i] = true;
			add_todo(g, DO_PREV, i);
		} else if (node->op == N_NTH && !nth) {
			nth = true;
			add_todo(g, DO_NTH, 0);
		} else if (node->op == N_TOTAL) {
			engine_root(g, node->left);
			g->totals[node->right].of = g->root[node->left];
			if (!g->totals[node->right].own)
				add_todo(g, DO_TOTAL, node->right);
		}
		if (let < t->nlets && t->lets[let].root == n) {
			engine_root(g, n);
			add_todo(g, DO_LET, let);
		}
	}
	free(planned);
}

void
engine_open(struct engine *g, const struct expr_tree *t, struct view *view)
{
	size_t let = 0;

	memset(g, 0, sizeof *g);
	g->tree = t;
	g->view = view;
	g->root = xcalloc(t->nnodes + 1, sizeof *g->root);
	g->lets = xcalloc(t->nlets + 1, sizeof *g->lets);
	g->own = xcalloc(t->nlets + 1, sizeof *g->own);
	g->lazy = xcalloc(t->nlets + 1, sizeof *g->lazy);
	g->let_gen = xcalloc(t->nlets + 1, sizeof *g->let_gen);
	g->overs = xcalloc(t->nlets + 1, sizeof *g->overs);
	g->totals = xcalloc(t->ntotals + 1, sizeof *g->totals);
	g->field = xcalloc(t->nfields + 1, sizeof *g->field);
	g->field_gen = xcalloc(t->nfields + 1, sizeof *g->field_gen);
	g->memo = xcalloc(view->n + 1, sizeof *g->memo);
	for (uint32_t i = 0; i < BATCH; i++)
		g->first[i] = i;
	for (size_t i = 0; i < t->nlets; i++)
		g->lazy[i] = t->lets[i].field != NULL;
	for (uint32_t n = 0; n < t->nnodes; n++) {
		const struct node *node = &t->nodes[n];

		let = let_of(t, n, let);
		if (node->op == N_PREV)
			plan_prev(g, node, let);
		if (node->op == N_LET)
			g->lazy[node->left] = false;
	}
	let = 0;
	for (uint32_t n = 0; n < t->nnodes; n++) {
		let = let_of(t, n, let);
		if (t->nodes[n].op == N_TOTAL) {
			g->totals[t->nodes[n].right].node = &t->nodes[n];
			g->totals[t->nodes[n].right].own =
			    let < t->nlets && g->own[let];
			g->totals[t->nodes[n].right].let = let;
		}
	}
	plan(g);
}

static void
memo_forget(struct engine *g)
{
	for (size_t i = 0; i < g->view->n; i++) {
		free(g->memo[i].v);
		free(g->memo[i].known);
		g->memo[i] = (struct memo){0};
	}
	arena_free(&g->memo_mem);
}

void
engine_forget(struct engine *g)
{
	memo_forget(g);
}

void
engine_close(struct engine *g)
{
	const struct expr_tree *t = g->tree;

	memo_forget(g);
	free(g->memo);
	before_free(&g->before, g->nprevs);
	for (size_t i = 0; i < t->nlets; i++)
		reg_free(&g->lets[i]);
	for (size_t i = 0; i < t->nfields; i++)
		reg_free(&g->field[i]);
	for (size_t i = 0; i < t->ntotals; i++)
		reg_free(&g->totals[i].reg);
	for (size_t i = 0; i < g->nprevs; i++)
		reg_free(&g->prevs[i].reg);
	for (size_t i = 0; i < g->stackcap && g->stack[i]; i++) {
		reg_free(g->stack[i]);
		free(g->stack[i]);
	}
	for (size_t i = 0; i < g->subcap; i++)
		free(g->subs[i]);
	reg_free(&g->nth);
	arena_free(&g->mem);
	buf_free(&g->scratch);
	free(g->step);
	free(g->end);
	free(g->root);
	free(g->stack);
	free(g->vals);
	free(g->lets);
	free(g->own);
	free(g->lazy);
	free(g->let_gen);
	free(g->prevs);
	free(g->totals);
	free(g->todo);
	free(g->field);
	free(g->field_gen);
	free(g->subs);
	free(g->overs);
}

unsigned
engine_need(const struct engine *g)
{
	if (!g->tree->before || g->before.one)
		return 0;
	return NEED_ORDER | (g->before.keys ? exprs_need(g->before.keys) : NEED_LOC);
}

void
engine_key(struct engine *g, struct exprs *keys)
{
	const struct expr_tree *t = keys ? exprs_tree(keys) : NULL;

	exprs_free(g->before.keys);
	g->before.keys = keys;
	g->before.one = !keys;
	/* The key that there is without a list. */
	if (t && t->nlets == 1 && t->lets[0].field && !strcmp(t->lets[0].field, "loc")) {
		exprs_free(keys);
		g->before.keys = NULL;
	}
}

/* The end of a range or a value with a unit of time that a test of a column has. */
static const char *
item_clash(const struct test *t)
{
	for (size_t i = 0; i < t->nitems; i++) {
		const struct item *it = &t->items[i];

		if (it->is_num && it->num.unit == UNIT_TIME)
			return it->text;
		if (it->range && it->to_is_num && it->to_num.unit == UNIT_TIME)
			return it->to_text;
	}
	return NULL;
}

const char *
engine_clash(const struct engine *g, const struct source *s)
{
	const struct expr_tree *t = g->tree;
	const char *clash = t->has_time ? t->time_text : NULL;

	if (s->head.clock != CLOCK_TICKS)
		return NULL;
	for (size_t i = 0; i < t->ntests && !clash; i++)
		if (t->tests[i]->left == NO_NODE &&
		    (t->tests[i]->column == FIELD_TIME || t->tests[i]->column == FIELD_DUR ||
		     t->tests[i]->column == FIELD_END))
			clash = item_clash(t->tests[i]);
	if (!clash && g->before.keys)
		clash = exprs_clash(g->before.keys, s);
	return clash;
}

void
engine_merge(struct engine *g, const struct engine *from)
{
	for (size_t i = 0; i <= g->tree->nlets; i++)
		g->overs[i] += from->overs[i];
}

void
engine_say_overs(const struct engine *g)
{
	const struct expr_tree *t = g->tree;

	for (size_t i = 0; i <= t->nlets; i++)
		if (g->overs[i])
			warn("%llu value%s of \"%s\" do%s not fit 64 bits and count%s as absent",
			     (unsigned long long)g->overs[i], g->overs[i] == 1 ? "" : "s",
			     i < t->nlets ? t->lets[i].label : t->text,
			     g->overs[i] == 1 ? "es" : "", g->overs[i] == 1 ? "s" : "");
}

void
expr_refuse(struct source *s, const char *clash)
{
	fault(s, NULL, COST_STATUS, s->name, NOWHERE,
	      "its clock counts ticks of unknown length, and %s is a time: "
	      "--hz N says how many make a second",
	      clash);
	/* A stream may be followed by one of another clock. */
	s->stop |= !s->fmt->stream;
}

/* A definition that looks at its own value before: event by event. */
static void
run_own(struct engine *g, size_t let, struct steps of)
{
	struct reg *to = &g->lets[let];
	uint32_t n = g->all.n;
	size_t own = 0;

	while (!(g->prevs[own].own && g->prevs[own].of->left == let))
		own++;
	reg_begin(to, n);
	reg_begin(&g->prevs[own].reg, n);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(g->b, g->all.at[j]);
		struct val v = before_get(g, own, j);

		g->prevs[own].now = v;
		reg_put(&g->prevs[own].reg, n, j, &v);
		for (size_t i = 0; i < g->tree->ntotals; i++) {
			struct total *sum = &g->totals[i];

			if (!sum->own || sum->let != let)
				continue;
			v = eval_steps(g, sum->of, r, j);
			sum->now = before_add(g, i, j, &v);
		}
		v = eval_steps(g, of, r, j);
		before_set(g, own, j, &v);
		reg_put(to, n, j, &v);
	}
	reg_end(to, n);
	reg_end(&g->prevs[own].reg, n);
}

static void
run_let(struct engine *g, size_t i)
{
	struct steps of = g->root[g->tree->lets[i].root];

	g->let = i;
	g->let_gen[i] = g->all.gen;
	if (g->own[i])
		run_own(g, i, of);
	else
		batch_steps(g, of, &g->all, &g->lets[i]);
}

void
engine_let(struct engine *g, size_t i)
{
	if (g->let_gen[i] != g->all.gen && g->tree->lets[i].root != NO_NODE)
		run_let(g, i);
}

static void
run_prev(struct engine *g, size_t i)
{
	static const struct reg none;
	const struct node *of = g->prevs[i].of;
	struct reg now = none;

	if (of->op == N_FIELD)
		batch_field(g, of->left, &g->all, &now);
	else
		now = g->lets[of->left];
	before_prev(g, i, &now);
}

static void
run_total(struct engine *g, size_t i)
{
	static const struct reg none;
	struct reg now = none;

	batch_steps(g, g->totals[i].of, &g->all, &now);
	before_total(g, i, &now);
	reg_free(&now);
}

void
engine_run(struct engine *g, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	g->s = s;
	g->b = b;
	arena_free(&g->mem);
	g->env = (struct val_env){.clock = s->head.clock, .mem = &g->mem};
	g->all = (struct sel){
	    .n = n, .at = pick ? pick : g->first, .j = g->first, .gen = ++g->gens};
	g->base = g->all.gen;
	g->depth = 0;
	g->let = g->tree->nlets;
	if (!n)
		return;
	if (g->tree->before)
		before_slots(g);
	for (size_t k = 0; k < g->ntodo; k++)
		switch (g->todo[k].what) {
		case DO_LET:
			if (!g->lazy[g->todo[k].i])
				run_let(g, g->todo[k].i);
			break;
		case DO_PREV: run_prev(g, g->todo[k].i); break;
		case DO_NTH: before_nth(g); break;
		case DO_TOTAL: run_total(g, g->todo[k].i); break;
		}
	g->let = g->tree->nlets;
}

void
engine_test(struct engine *g, uint32_t node, const uint32_t *at, uint32_t n, uint8_t *yes)
{
	struct sel sel = g->all;

	if (n == 1) {
		struct val v =
		    eval_steps(g, g->root[node], batch_rec(g->b, *at), *at);

		*yes = v.kind != VAL_NONE && val_true(&v);
		return;
	}
	if (n != g->all.n) {
		sel = (struct sel){.n = n, .at = at, .j = at, .gen = ++g->gens};
		g->base = sel.gen;
	}
	batch_test(g, g->root[node], &sel, yes);
}
