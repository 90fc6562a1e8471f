/* eval.c - operations on single values that loops cannot do. */
#include <string.h>

#include "expr/range_test.h"

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

	if (t->r != 0) /* a time of a row, no whole number of ns */
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
	/* A real number compared with a time counts seconds, and need not be a whole number of ns. */
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

	/* The library would stop at a NUL. */
	for (size_t i = 0; i < s.len; i++)
		plain[i] = plain[i] ? plain[i] : 1;
	return ere_matches(re, plain, s.len);
}

struct val
eval_as_time(const struct val_env *env, const struct node *node, struct val v)
{
	bool ns = env->clock == CLOCK_NS;
	struct val time;

	v = val_number(&v);
	if (node->variant == 3)
		return v;
	/* A relation compares a number with ticks, and a real number with any time, without conversion. */
	if (v.kind == VAL_NONE || (node->variant == 1 && (!ns || v.kind == VAL_REAL)))
		return v;
	/* A part of a tick (or ns) stays a number. */
	if ((!ns || node->variant == 2) && !val_whole_time(env, &v))
		return v;
	time = val_as_time(env, &v);
	/* A value that no time can hold is not equal to one, but it may be less or greater, so it stays
	 * unconverted. */
	return node->variant == 1 && time.kind == VAL_NONE ? v : time;
}
