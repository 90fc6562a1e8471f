/* eval.c - the definition: the value of one event, step by step, with struct val. */
#include <string.h>

#include "expr/leaf.h"

static const struct val none = {.kind = VAL_NONE};

struct val
eval_fit(struct engine *g, const struct node *node, struct val v)
{
	bool over = false;

	if (!node->fits || node->op == N_FIELD || node->op == N_TEXT || node->op == N_CONST)
		return v;
	v = val_fit(&v, &over);
	g->overs[g->let] += over;
	return v;
}

/* Compares a time in ns with a number of seconds. */
static enum val_order
beside_seconds(const struct val *t, double seconds)
{
	double x = i128_double(t->n, 1) + t->r, y = seconds * 1e9;

	if (t->r != 0) /* of a row: it is no whole number of ns */
		return val_order_of((x > y) - (x < y));
	return val_order_of(i128_cmp_double(t->n, seconds, 1000000000));
}

bool
eval_relation(const struct val_env *env, enum test_op op, const struct val *a,
	      const struct val *b, bool text)
{
	bool ns = env->clock == CLOCK_NS;
	uint64_t x = 0, y = 0;
	struct val s;

	if (op == OP_BITS)
		return val_bits(a, &x) && val_bits(b, &y) && (x & y);
	if (text) {
		s = val_to_text(env, a);
		a = &s;
	}
	/* A real number beside a time counts seconds: exactly, where it is no whole nanosecond. */
	if (ns && a->kind == VAL_TIME && b->kind == VAL_REAL)
		return test_stands(op, beside_seconds(a, b->r));
	if (ns && a->kind == VAL_REAL && b->kind == VAL_TIME)
		return test_stands(op, val_order_of(-(int)beside_seconds(b, a->r)));
	return test_stands(op, val_cmp(a, b));
}

bool
eval_matches(const struct val_env *env, struct ere *re, const struct val *v)
{
	struct val s = val_to_text(env, v);
	char *plain = arena_str(env->mem, s.s, s.len);

	/* The library would end at a NUL. */
	for (size_t i = 0; i < s.len; i++)
		plain[i] = plain[i] ? plain[i] : 1;
	return ere_matches(re, plain, s.len);
}

/* The place of an event, and where its values are kept. */
struct eval_place {
	struct engine *g;
	const struct rec *r;
	uint32_t j;
};

static void run(const struct eval_place *p, struct steps of);

/* The value of part k of step i. */
static struct val
part(const struct eval_place *p, uint32_t i, uint32_t k)
{
	run(p, engine_part(p->g, i, k));
	return p->g->vals[--p->g->top];
}

/* A test of values; all its items are computed. */
static bool
passes(const struct eval_place *p, uint32_t at)
{
	struct engine *g = p->g;
	const struct test *t = g->tree->tests[g->step[at].node->left];
	struct val left = part(p, at, 0), a, b;
	bool there = left.kind != VAL_NONE, yes = false;
	uint32_t k = 1;

	if (t->op == OP_THERE)
		return there;
	if (t->op == OP_MATCH)
		return there && eval_matches(&g->env, t->re, &left) != t->negate;
	for (size_t i = 0; i < t->nitems; i++) {
		const struct item *it = &t->items[i];

		a = part(p, at, k++);
		b = it->range ? part(p, at, k++) : a;
		if (left.kind == VAL_NONE || a.kind == VAL_NONE || b.kind == VAL_NONE) {
			there = false;
			continue;
		}
		if (it->range)
			yes |= eval_relation(&g->env, OP_GE, &left, &a, it->quoted) &&
			       eval_relation(&g->env, OP_LE, &left, &b, it->quoted);
		else
			yes |= eval_relation(&g->env, t->op, &left, &a, it->quoted);
	}
	return t->negate ? there && !yes : yes;
}

/* Steps whose parts are computed as far as they are needed. */
static struct val
lazily(const struct eval_place *p, uint32_t at)
{
	const struct engine_step *s = &p->g->step[at];
	uint32_t nparts = s->nparts;
	bool any = s->node->op == N_OR;
	struct val v = none;

	if (s->node->op == N_AND || s->node->op == N_OR) {
		for (uint32_t k = 0; k < nparts; k++) {
			v = part(p, at, k);
			if (val_true(&v) == any)
				return val_i64(any);
		}
		return val_i64(!any);
	}
	if (!strcmp(s->node->func->name, "if")) {
		v = part(p, at, 0);
		return part(p, at, val_true(&v) ? 1 : 2);
	}
	for (uint32_t k = 0; k < nparts && v.kind == VAL_NONE; k++)
		v = part(p, at, k);
	return v;
}

static struct val
call(struct engine *g, const struct node *node, const struct val *v)
{
	for (uint32_t i = 0; i < node->n; i++)
		if (v[i].kind == VAL_NONE)
			return none;
	return node->func->call(&(struct func_args){&g->env, &node->call, v, node->n});
}

struct val
eval_as_time(const struct val_env *env, const struct node *node, struct val v)
{
	bool ns = env->clock == CLOCK_NS;
	struct val time;

	v = val_number(&v);
	if (node->how == 3)
		return v;
	/* A relation compares a number with ticks, and a real number with any time, without conversion. */
	if (v.kind == VAL_NONE || (node->how == 1 && (!ns || v.kind == VAL_REAL)))
		return v;
	/* A part of a tick (nanosecond) stays a number. */
	if ((!ns || node->how == 2) && !val_whole_time(env, &v))
		return v;
	time = val_as_time(env, &v);
	/* What is no time, or beyond all times, is not equal to one: less or greater it is
	 * as it stands. */
	return node->how == 1 && time.kind == VAL_NONE ? v : time;
}

/* The value of a step whose operands are v[]. */
static struct val
step_val(const struct eval_place *p, uint32_t at, const struct val *v)
{
	struct engine *g = p->g;
	const struct engine_step *s = &g->step[at];
	const struct node *node = s->node;
	struct val leaf;

	if (s->reg)
		return s->now ? *s->now : reg_val(s->reg, p->j);
	switch (node->op) {
	case N_AND:
	case N_OR: return lazily(p, at);
	case N_NOT: return val_i64(!val_true(&v[0]));
	case N_TEST:
		if (!s->nparts)
			return val_i64(leaf_test(g, node->left, p->r));
		return val_i64(passes(p, at));
	case N_TRUE: return val_i64(val_true(&v[0]));
	case N_VALUE: return v[0];
	case N_FIELD:
		leaf = leaf_val(g, g->tree->fields[node->left].asked, p->r);
		return node->how
			   ? leaf_compared(g, g->tree->fields[node->left].asked, p->r, leaf)
			   : leaf;
	case N_TEXT: return leaf_text(g, g->tree->fields[node->left].asked, p->r);
	case N_CONST: return g->tree->constants[node->left];
	case N_ARITH: return val_arith(&g->env, (enum val_op)node->how, &v[0], &v[1]);
	case N_AS_TIME: return eval_as_time(&g->env, node, v[0]);
	case N_CALL: return node->func->lazy ? lazily(p, at) : call(g, node, v);
	case N_AGG: return g->aggs ? g->aggs[node->left] : none;
	default: return none;
	}
}

/* How many of the values on top are a step's operands. */
static uint32_t
operands(const struct engine_step *s)
{
	if (s->reg)
		return 0;
	switch (s->node->op) {
	case N_NOT:
	case N_TRUE:
	case N_VALUE:
	case N_AS_TIME: return 1;
	case N_ARITH: return 2;
	case N_CALL: return s->node->func->lazy ? 0 : s->node->n;
	default: return 0;
	}
}

static void
run(const struct eval_place *p, struct steps of)
{
	struct engine *g = p->g;

	for (uint32_t i = of.from; i < of.to; i = g->step[i].next) {
		const struct engine_step *s = &g->step[i];
		uint32_t n = operands(s);
		struct val v;

		GROW(g->vals, g->valcap, g->top + 1);
		v = step_val(p, i, &g->vals[g->top - n]);
		g->top -= n;
		g->vals[g->top++] = s->reg ? v : eval_fit(g, s->node, v);
	}
}

struct val
eval_steps(struct engine *g, struct steps of, const struct rec *r, uint32_t j)
{
	struct eval_place p = {g, r, j};

	run(&p, of);
	return g->vals[--g->top];
}
