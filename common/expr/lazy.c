/* lazy.c - steps whose parts are computed for the events that need them, and tests. */
#include <string.h>

#include "expr/engine.h"
#include "expr/loops.h"

/* Those of a selection whose `yes` is `want`; *which: their numbers in it. */
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

/* Part k of step i, for a selection, on top. */
static void
run_part(struct engine *g, uint32_t i, uint32_t k, const struct sel *sel)
{
	const struct step *s = &g->step[i];

	batch_run(g, k ? g->end[s->parts + k - 1] : i + 1, g->end[s->parts + k], sel);
}

/* The same for those whose yes is `want`; their values go to their places in `to`. */
static void
run_some(struct engine *g, uint32_t i, uint32_t k, const struct sel *sel,
	 const uint8_t *yes, bool want, struct reg *to)
{
	const uint32_t *which;
	struct sel part = part_of(g, sel, yes, want, &which);

	if (part.n) {
		run_part(g, i, k, &part);
		reg_scatter(to, sel->n, which, g->stack[--g->regs], part.n);
	}
	g->depth--;
}

/* and, or: each operand for those that the ones before have not decided. */
static void
run_chain(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct step *s = &g->step[i];
	bool any = s->node->op == N_OR;
	struct reg *to = batch_push(g);

	reg_room(to);
	to->v.kind = REG_TRUTH;
	to->v.all = true;
	memset(to->there, !any, sel->n);
	for (uint32_t k = 0; k < s->nparts; k++) {
		const uint32_t *which;
		struct sel part = part_of(g, sel, to->there, !any, &which);

		if (part.n) {
			run_part(g, i, k, &part);
			batch_truths(g, &part);
			for (uint32_t m = 0; m < part.n; m++)
				to->there[which[m]] = g->stack[g->regs - 1]->v.there[m];
			g->regs--;
		}
		g->depth--;
	}
}

static void
run_if(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct reg *test;
	const uint8_t *yes;
	struct reg *to;

	run_part(g, i, 0, sel);
	test = batch_truths(g, sel);
	yes = test->v.there;
	if (!memchr(yes, 0, sel->n) || !memchr(yes, 1, sel->n)) {
		run_part(g, i, *yes ? 1 : 2, sel);
		batch_drop(g, 1);
		return;
	}
	to = batch_push(g);
	reg_begin(to, sel->n);
	run_some(g, i, 1, sel, yes, true, to);
	run_some(g, i, 2, sel, yes, false, to);
	reg_end(to, sel->n);
	batch_drop(g, 1);
}

static void
run_coalesce(struct engine *g, uint32_t i, const struct sel *sel)
{
	struct reg *first, *to;

	run_part(g, i, 0, sel);
	first = g->stack[g->regs - 1];
	if (first->constant ? first->c.kind != VAL_NONE
			    : first->v.kind != VAL_KINDS && first->v.all)
		return;
	to = batch_push(g);
	reg_begin(to, sel->n);
	reg_scatter(to, sel->n, g->first, first, sel->n);
	for (uint32_t k = 1; k < g->step[i].nparts; k++)
		run_some(g, i, k, sel, to->there, false, to);
	reg_end(to, sel->n);
	batch_drop(g, 1);
}

/* Of each: whether it is there. */
static void
are_there(const struct reg *a, uint32_t n, uint8_t *yes)
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

/* yes[k] = whether a op b, and there[k] = 0 where one is absent. */
static void
relate(struct engine *g, enum test_op op, const struct item *it, const struct reg *a,
       const struct reg *b, uint32_t n, uint8_t *yes, uint8_t *there)
{
	if (!it->quoted && loop_relate(op, a, b, n, yes, there))
		return;
	for (uint32_t k = 0; k < n; k++) {
		struct val x = reg_val(a, k), y = reg_val(b, k);

		yes[k] = x.kind != VAL_NONE && y.kind != VAL_NONE &&
			 eval_relation(&g->env, op, &x, &y, it->quoted);
		there[k] &= x.kind != VAL_NONE && y.kind != VAL_NONE;
	}
}

static void
run_items(struct engine *g, uint32_t i, const struct sel *sel, const struct reg *left,
	  struct reg *to)
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
	const struct reg *left = NULL;
	struct reg *to = batch_push(g);

	reg_room(to);
	to->v.kind = REG_TRUTH;
	to->v.all = true;
	if (!g->step[i].nparts) {
		for (uint32_t k = 0; k < sel->n; k++)
			to->there[k] = leaf_test(g, g->step[i].node->left,
						 batch_rec(g->b, sel->at[k]));
		return;
	}
	run_part(g, i, 0, sel);
	left = g->stack[g->regs - 1];
	if (t->op == OP_THERE)
		are_there(left, sel->n, to->there);
	else if (t->op == OP_MATCH)
		for (uint32_t k = 0; k < sel->n; k++) {
			struct val v = reg_val(left, k);

			to->there[k] = v.kind != VAL_NONE &&
				       eval_matches(&g->env, t->re, &v) != t->negate;
		}
	else
		run_items(g, i, sel, left, to);
	g->regs--;
}

void
batch_lazy(struct engine *g, uint32_t i, const struct sel *sel)
{
	const struct node *node = g->step[i].node;

	if (node->op == N_AND || node->op == N_OR)
		run_chain(g, i, sel);
	else if (node->op == N_TEST)
		run_test(g, i, sel);
	else if (!strcmp(node->func->name, "if"))
		run_if(g, i, sel);
	else
		run_coalesce(g, i, sel);
}
