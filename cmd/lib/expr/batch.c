/*
 * batch.c - runs the steps of a value, each as one loop over the events of a selection.
 *
 * loops.c does what a loop over 64-bit integers or doubles can do exactly. Everything else is computed value by
 * value, and also operations that overflow. The values of a single event are constants, because a loop does not
 * pay.
 */
#include <string.h>

#include "expr/range_test.h"
#include "expr/loops.h"

/* Adds a vreg to the top of the stack. Returns it. */
static struct vreg *
batch_push(struct engine *g)
{
	if (unlikely(g->regs == g->stackcap))
		GROW(g->stack, g->stackcap, g->regs + 1);
	if (unlikely(!g->stack[g->regs]))
		g->stack[g->regs] = xcalloc(1, sizeof **g->stack);
	g->stack[g->regs]->constant = false;
	return g->stack[g->regs++];
}

/* Removes n vregs below the top one. */
static void
batch_drop(struct engine *g, uint32_t n)
{
	struct vreg *top = g->stack[g->regs - 1], *other = g->stack[g->regs - 1 - n];

	g->stack[g->regs - 1 - n] = top;
	g->stack[g->regs - 1] = other;
	g->regs -= n;
}

/* Makes `to` refer to the values of `from`. */
static void
show(struct vreg *to, const struct vreg *from)
{
	to->v = from->v;
	to->constant = from->constant;
	to->c = from->c;
}

static void
load(struct engine *g, size_t asked, const struct sel *sel, struct vreg *to)
{
	const struct field *same = &g->view->name[asked].same;

	if (same->load == LOAD_MIXED
		? loop_load_mixed(g->view, asked, g->s->head.clock, g->b, sel, to)
		: loop_load(same, g->s->head.clock, g->b, sel, to))
		return;
	REG_FILL(to, sel->n, k, range_test_val(g, asked, batch_rec(g->b, sel->at[k])));
}

void
batch_field(struct engine *g, uint32_t i, const struct sel *sel, struct vreg *to)
{
	size_t asked = g->tree->fields[i].asked;

	/* Fields of a part of the selection are not kept: they would overwrite values of all events that steps
	 * still use. */
	if (sel->gen != g->base) {
		load(g, asked, sel, to);
		return;
	}
	if (g->field[i].gen != sel->gen)
		load(g, asked, sel, &g->field[i].vreg);
	g->field[i].gen = sel->gen;
	show(to, &g->field[i].vreg);
}

/* Makes complete sums in r that do not fit 64 bits absent. */
static void
fit(struct engine *g, const struct node *node, struct vreg *r, const struct sel *sel)
{
	struct vreg *to;

	if (!node->fits)
		return;
	if (r->constant) {
		struct val v = eval_fit(g, node, r->c);

		if (v.kind == VAL_NONE && r->c.kind != VAL_NONE)
			g->overs[g->let] += sel->n - 1;
		r->c = v;
	}
	if (r->constant || r->v.kind != VAL_KINDS || node->op == N_FIELD ||
	    node->op == N_TEXT)
		return;
	to = batch_push(g);
	REG_FILL(to, sel->n, k, eval_fit(g, node, r->v.any[k]));
	batch_drop(g, 1);
}

static void
constant(struct vreg *r, struct val v)
{
	r->constant = true;
	r->c = v;
}

static bool
is_truth(const struct vreg *r)
{
	return !r->constant && r->v.kind == REG_TRUTH;
}

/* Adds a vreg for truth values to the top of the stack. */
static struct vreg *
push_truths(struct engine *g)
{
	struct vreg *to = batch_push(g);

	vreg_room(to);
	to->v.kind = REG_TRUTH;
	to->v.all = true;
	return to;
}

/* Converts the top vreg to truth values. Returns it. */
static struct vreg *
batch_truths(struct engine *g, const struct sel *sel)
{
	struct vreg *r = g->stack[g->regs - 1], *to;

	if (is_truth(r))
		return r;
	to = push_truths(g);
	for (uint32_t k = 0; k < sel->n; k++) {
		struct val v = vreg_val(r, k);

		/* An absent value is false. */
		to->there[k] = val_true(&v);
	}
	batch_drop(g, 1);
	return to;
}

static struct val
arith_at(const struct val_env *env, enum val_op op, struct val x, struct val y)
{
	return val_arith(env, op, &x, &y);
}

static void
arith(struct engine *g, const struct node *node, const struct vreg *a, const struct vreg *b,
      const struct sel *sel, struct vreg *to)
{
	enum val_op op = (enum val_op)node->variant;

	if (a->constant && b->constant)
		constant(to, val_arith(&g->env, op, &a->c, &b->c));
	else if (!loop_arith(op, &g->env, a, b, sel->n, to))
		REG_FILL(to, sel->n, k,
			 arith_at(&g->env, op, vreg_val(a, k), vreg_val(b, k)));
}

static void
as_time(struct engine *g, const struct node *node, const struct vreg *a,
	const struct sel *sel, struct vreg *to)
{
	if (a->constant) {
		constant(to, eval_as_time(&g->env, node, a->c));
		return;
	}
	if (node->variant != 3 && !(node->variant == 1 && g->env.clock == CLOCK_TICKS) &&
	    loop_as_time(&g->env, a, sel->n, to))
		return;
	REG_FILL(to, sel->n, k, eval_as_time(&g->env, node, vreg_val(a, k)));
}

/* Calls a function with the n vregs below the top as arguments; they stay on the stack. */
static void
call(struct engine *g, const struct node *node, const struct sel *sel, struct vreg *to)
{
	const uint32_t n = node->n;
	struct vreg **arg = &g->stack[g->regs - 1 - n];
	uint32_t constants = 0;

	while (constants < n && arg[constants]->constant)
		constants++;
	if (constants < n && loop_call(node->func, arg, n, sel->n, to))
		return;
	GROW(g->vals, g->valcap, n + 1);
	vreg_begin(to, sel->n);
	for (uint32_t k = 0; k < sel->n; k++) {
		struct val *v = g->vals, result = {.kind = VAL_NONE};
		bool there = true;

		for (uint32_t i = 0; i < n; i++) {
			v[i] = vreg_val(arg[i], k);
			there &= v[i].kind != VAL_NONE;
		}
		if (there)
			result = node->func->call(
			    &(struct func_args){&g->env, &node->call, v, n});
		if (constants == n) {
			constant(to, result);
			return;
		}
		vreg_put(to, sel->n, k, &result);
	}
	vreg_end(to, sel->n);
}

/* Converts truth values to whole numbers. */
static void
as_value(struct vreg *r, uint32_t n)
{
	if (!is_truth(r))
		return;
	for (uint32_t k = 0; k < n; k++)
		r->n[k] = r->v.there[k];
	r->v = (struct vec){.kind = VAL_WHOLE, .all = true, .there = r->there, .n = r->n};
}

static void batch_run(struct engine *g, struct steps of, const struct sel *sel);

/* Returns the events of a selection with yes[] equal to `want`. *which: their indexes in the selection. */
static struct sel
part_of(struct engine *g, const struct sel *sel, const uint8_t *yes, bool want,
	const uint32_t **which)
{
	struct sel part = {.gen = ++g->gens};
	uint32_t *at, *j, *number;

	GROW(g->subs, g->subcap, g->depth + 1);
	if (!g->subs[g->depth])
		g->subs[g->depth] = xmalloc(sizeof **g->subs);
	at = g->subs[g->depth]->at;
	j = g->subs[g->depth]->j;
	number = g->subs[g->depth]->number;
	g->depth++;
	for (uint32_t k = 0; k < sel->n; k++) {
		at[part.n] = sel->at[k];
		j[part.n] = sel->j[k];
		number[part.n] = k;
		part.n += (yes[k] != 0) == want;
	}
	part.at = at;
	part.j = j;
	*which = number;
	return part;
}

/* Runs part k of step i for a selection; its value is then on top of the stack. */
static void
run_part(struct engine *g, uint32_t i, uint32_t k, const struct sel *sel)
{
	batch_run(g, engine_part(g, i, k), sel);
}

/* Runs part k of step i for the events with yes[] equal to `want`; puts their values to their places in `to`. */
static void
run_some(struct engine *g, uint32_t i, uint32_t k, const struct sel *sel,
	 const uint8_t *yes, bool want, struct vreg *to)
{
	const uint32_t *which;
	struct sel part = part_of(g, sel, yes, want, &which);

	if (part.n) {
		run_part(g, i, k, &part);
		vreg_scatter(to, sel->n, which, g->stack[--g->regs], part.n);
	}
	g->depth--;
}

/* Returns true if the steps are tests of plain fields that cost no more than selecting events. */
static bool
is_cheap(const struct engine *g, struct steps of)
{
	for (uint32_t i = of.from; i < of.to; i++) {
		const struct engine_step *s = &g->step[i];
		uint8_t op = s->node->op;

		if (op != N_AND && op != N_OR && op != N_NOT &&
		    (op != N_TEST || s->nparts ||
		     g->range_tests[s->node->left].form == TEST_TEXT))
			return false;
	}
	return true;
}

/* Sets to[k] to `to or yes`, or, unless `any`, to `to and yes`; eight at a time, for which there is room. */
static void
add_truths(uint8_t *to, const uint8_t *yes, uint32_t n, bool any)
{
	for (uint32_t m = 0; m < n; m += 8) {
		uint64_t x = ld64(to + m), y = ld64(yes + m);

		x = any ? x | y : x & y;
		memcpy(to + m, &x, sizeof x);
	}
}

/* Runs a chain of `and` or `or`: each operand for the events that the previous ones have not decided, or for all
 * if it is cheap. */
static void
run_chain(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct engine_step *s = &g->step[i];
	bool any = s->node->op == N_OR;
	struct vreg *to = push_truths(g);

	memset(to->there, !any, sel->n);
	for (uint32_t k = 0; k < s->nparts; k++) {
		bool all = is_cheap(g, engine_part(g, i, k));
		const uint32_t *which;
		const uint8_t *yes;
		struct sel part = all ? *sel : part_of(g, sel, to->there, !any, &which);

		if (part.n) {
			run_part(g, i, k, &part);
			yes = batch_truths(g, &part)->v.there;
			if (all)
				add_truths(to->there, yes, sel->n, any);
			for (uint32_t m = 0; m < part.n && !all; m++)
				to->there[which[m]] = yes[m];
			g->regs--;
		}
		g->depth -= !all;
	}
}

static void
run_if(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct vreg *test;
	const uint8_t *yes;
	struct vreg *to;

	run_part(g, i, 0, sel);
	test = batch_truths(g, sel);
	yes = test->v.there;
	if (!memchr(yes, 0, sel->n) || (g->step[i].nparts > 2 && !memchr(yes, 1, sel->n))) {
		run_part(g, i, *yes ? 1 : 2, sel);
		batch_drop(g, 1);
		return;
	}
	to = batch_push(g);
	vreg_begin(to, sel->n);
	run_some(g, i, 1, sel, yes, true, to);
	if (g->step[i].nparts > 2)
		run_some(g, i, 2, sel, yes, false, to);
	vreg_end(to, sel->n);
	batch_drop(g, 1);
}

static void
run_coalesce(struct engine *g, uint32_t i, const struct sel *sel)
{
	struct vreg *first, *to;

	run_part(g, i, 0, sel);
	first = g->stack[g->regs - 1];
	if (first->constant ? first->c.kind != VAL_NONE
			    : first->v.kind != VAL_KINDS && first->v.all)
		return;
	to = batch_push(g);
	vreg_begin(to, sel->n);
	vreg_scatter(to, sel->n, g->first, first, sel->n);
	for (uint32_t k = 1; k < g->step[i].nparts; k++)
		run_some(g, i, k, sel, to->there, false, to);
	vreg_end(to, sel->n);
	batch_drop(g, 1);
}

/* Sets yes[k] to whether the k-th value is present. */
static void
are_there(const struct vreg *a, uint32_t n, uint8_t *yes)
{
	if (a->constant)
		memset(yes, a->c.kind != VAL_NONE, n);
	else if (a->v.kind == VAL_KINDS)
		for (uint32_t k = 0; k < n; k++)
			yes[k] = a->v.any[k].kind != VAL_NONE;
	else if (a->v.all || a->v.kind == REG_TRUTH)
		memset(yes, 1, n);
	else
		memcpy(yes, a->v.there, n);
}

/* Sets yes[k] to whether a op b holds, and there[k] to 0 if one of them is absent. */
static void
relate(struct engine *g, enum test_op op, const struct item *it, const struct vreg *a,
       const struct vreg *b, uint32_t n, uint8_t *yes, uint8_t *there)
{
	if (n > 1 && !it->quoted && loop_relate(op, a, b, n, yes, there))
		return;
	for (uint32_t k = 0; k < n; k++) {
		struct val x = vreg_val(a, k), y = vreg_val(b, k);

		yes[k] = x.kind != VAL_NONE && y.kind != VAL_NONE &&
			 eval_relation(&g->env, op, &x, &y, it->quoted);
		there[k] &= x.kind != VAL_NONE && y.kind != VAL_NONE;
	}
}

static void
run_items(struct engine *g, uint32_t i, const struct sel *sel, const struct vreg *left,
	  struct vreg *to)
{
	const struct test *t = g->tree->tests[g->step[i].node->left];
	uint8_t there[BATCH], yes[BATCH], below[BATCH];
	uint32_t n = sel->n, part = 1;

	memset(there, 1, n);
	if (t->nitems == 1 && !t->items->range && !t->negate) {
		run_part(g, i, part, sel);
		relate(g, t->op, t->items, left, g->stack[--g->regs], n, to->there, there);
		return;
	}
	memset(to->there, 0, n);
	for (size_t k = 0; k < t->nitems; k++) {
		const struct item *it = &t->items[k];

		run_part(g, i, part++, sel);
		relate(g, it->range ? OP_GE : t->op, it, left, g->stack[--g->regs], n, yes,
		       there);
		if (it->range) {
			run_part(g, i, part++, sel);
			relate(g, OP_LE, it, left, g->stack[--g->regs], n, below, there);
			for (uint32_t m = 0; m < n; m++)
				yes[m] &= below[m];
		}
		for (uint32_t m = 0; m < n; m++)
			to->there[m] |= yes[m];
	}
	if (t->negate)
		for (uint32_t m = 0; m < n; m++)
			to->there[m] = there[m] & !to->there[m];
}

static void
run_test(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct test *t = g->tree->tests[g->step[i].node->left];
	const struct vreg *left;
	struct vreg *to = push_truths(g);

	if (!g->step[i].nparts) {
		range_test_select(g, g->step[i].node->left, sel->at, sel->n, to->there);
		return;
	}
	run_part(g, i, 0, sel);
	left = g->stack[g->regs - 1];
	if (t->op == OP_THERE)
		are_there(left, sel->n, to->there);
	else if (t->op == OP_MATCH)
		for (uint32_t k = 0; k < sel->n; k++) {
			struct val v = vreg_val(left, k);

			to->there[k] = v.kind != VAL_NONE &&
				       eval_matches(&g->env, t->re, &v) != t->negate;
		}
	else
		run_items(g, i, sel, left, to);
	g->regs--;
}

static void
run_leaf(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct engine_step *s = &g->step[i];
	const struct node *node = s->node;
	struct vreg *to = batch_push(g);

	if (node->op == N_CONST)
		constant(to, g->tree->constants[node->left]);
	else if (node->op == N_AGG)
		constant(to,
			 g->aggs ? g->aggs[node->left] : (struct val){.kind = VAL_NONE});
	else if (sel->n == 1)
		constant(to, range_test_field(g, node, batch_rec(g->b, *sel->at)));
	else if (node->op == N_TEXT)
		REG_FILL(to, sel->n, k,
			 range_test_field(g, node, batch_rec(g->b, sel->at[k])));
	else if (node->op == N_FIELD) {
		batch_field(g, node->left, sel, to);
		if (node->variant && (to->v.kind == VAL_KINDS || to->v.kind == VAL_REAL))
			REG_FILL(to, sel->n, k,
				 range_test_field(g, node, batch_rec(g->b, sel->at[k])));
	}
}

/* Pushes values that were computed before. */
static void
run_known(struct engine *g, const struct engine_step *s, const struct sel *sel)
{
	struct vreg *to = batch_push(g);

	if (sel->n == 1)
		constant(to, vreg_val(s->vreg, *sel->j));
	else if (sel->j == g->first)
		show(to, s->vreg);
	else
		vreg_gather(to, s->vreg, sel->j, sel->n);
}

static void
run_step(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct node *node = g->step[i].node;
	struct vreg *to;

	if (g->step[i].vreg) {
		run_known(g, &g->step[i], sel);
		return;
	}
	switch (node->op) {
	case N_AND:
	case N_OR: run_chain(g, i, sel); break;
	case N_TEST: run_test(g, i, sel); break;
	case N_TRUE: batch_truths(g, sel); break;
	case N_NOT:
		to = batch_truths(g, sel);
		for (uint32_t k = 0; k < sel->n; k++)
			to->there[k] ^= 1;
		break;
	case N_VALUE: as_value(g->stack[g->regs - 1], sel->n); break;
	case N_ARITH:
		to = batch_push(g);
		arith(g, node, g->stack[g->regs - 3], g->stack[g->regs - 2], sel, to);
		batch_drop(g, 2);
		break;
	case N_AS_TIME:
		/* The values are numbers already. */
		if (node->variant == 3 && !g->stack[g->regs - 1]->constant &&
		    g->stack[g->regs - 1]->v.kind < VAL_TEXT)
			break;
		to = batch_push(g);
		as_time(g, node, g->stack[g->regs - 2], sel, to);
		batch_drop(g, 1);
		break;
	case N_CALL:
		if (node->func->lazy) {
			(strcmp(node->func->name, "if") ? run_coalesce : run_if)(g, i, sel);
			break;
		}
		to = batch_push(g);
		call(g, node, sel, to);
		batch_drop(g, node->n);
		break;
	default: run_leaf(g, i, sel); break;
	}
	fit(g, node, g->stack[g->regs - 1], sel);
}

/* Runs the steps of..to. Their value is then on top of the stack. */
static void
batch_run(struct engine *g, struct steps of, const struct sel *sel)
{
	for (uint32_t i = of.from; i < of.to; i = g->step[i].next)
		run_step(g, i, sel);
}

void
batch_steps(struct engine *g, struct steps of, const struct sel *sel, struct vreg *to)
{
	struct vreg *top, had = *to;

	batch_run(g, of, sel);
	top = g->stack[--g->regs];
	as_value(top, sel->n);
	if (top->constant) {
		vreg_gather(to, top, g->first, sel->n);
		return;
	}
	/* The values must stay until the end of the run, so the two vregs exchange their memory. */
	*to = *top;
	*top = had;
	top->constant = false;
}

void
batch_test(struct engine *g, struct steps of, const struct sel *sel, uint8_t *yes)
{
	batch_run(g, of, sel);
	memcpy(yes, batch_truths(g, sel)->v.there, sel->n);
	g->regs--;
}

struct val
batch_one(struct engine *g, struct steps of, uint32_t at, uint32_t j)
{
	struct sel sel = {.n = 1, .at = &at, .j = &j, .gen = ++g->gens};
	const struct vreg *top;

	batch_run(g, of, &sel);
	top = g->stack[--g->regs];
	return is_truth(top) ? val_i64(*top->v.there) : vreg_val(top, 0);
}
