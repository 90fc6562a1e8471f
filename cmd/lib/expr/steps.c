/* steps.c - makes the steps of values, and the order in which a run computes them. */
#include <stdlib.h>
#include <string.h>

#include "expr/engine.h"

/* Adds a step. The operands of a node come before it; but those computed only for some events, or in a separate
 * loop, are parts, which follow it. */
static uint32_t
add_step(struct engine *g, const struct node *node, uint32_t nparts)
{
	GROW(g->step, g->stepcap, g->nsteps + 1);
	GROW(g->end, g->endcap, g->nends + nparts + 1);
	g->step[g->nsteps] = (struct engine_step){
	    .node = node, .parts = (uint32_t)g->nends, .nparts = nparts};
	g->nends += nparts;
	return (uint32_t)g->nsteps++;
}

/* Returns true if a node is computed beforehand: see hoist. */
static bool
is_hoisted(const struct engine *g, uint32_t n)
{
	return g->hoisted && g->hoisted[n];
}

static void steps_of(struct engine *g, uint32_t n);

static void
add_part(struct engine *g, uint32_t step, uint32_t *k, uint32_t n)
{
	steps_of(g, n);
	g->end[g->step[step].parts + (*k)++] = (uint32_t)g->nsteps;
}

/* Adds the step of a chain of `and`, or of `or`. Each operand is a part of the step. */
static void
chain_steps(struct engine *g, uint32_t n)
{
	const struct node *nodes = g->tree->nodes, *node = &nodes[n];
	uint32_t *right = NULL, k = 0, step, done = 0;
	size_t cap = 0;

	for (; nodes[n].op == node->op && !is_hoisted(g, n); n = nodes[n].left)
		*PUSH(right, k, cap) = nodes[n].right;
	step = add_step(g, node, k + 1);
	add_part(g, step, &done, n);
	while (k > 0)
		add_part(g, step, &done, right[--k]);
	free(right);
	g->step[step].next = (uint32_t)g->nsteps;
}

/* Adds the step of a node whose operands are all parts. */
static void
parts_of(struct engine *g, const struct node *node)
{
	uint32_t n = 0, step, done = 0, part;

	for (size_t at = 0; node_operand(g->tree, node, &at) != NO_NODE;)
		n++;
	step = add_step(g, node, n);
	for (size_t at = 0; (part = node_operand(g->tree, node, &at)) != NO_NODE;)
		add_part(g, step, &done, part);
	g->step[step].next = (uint32_t)g->nsteps;
}

/* Adds the steps of a chain of arithmetic, from the left, without recursion, because it may be long. */
static void
arith_steps(struct engine *g, uint32_t n)
{
	const struct node *nodes = g->tree->nodes;
	const struct node **chain = NULL;
	size_t k = 0, cap = 0;

	for (; nodes[n].op == N_ARITH && !is_hoisted(g, n); n = nodes[n].left)
		*PUSH(chain, k, cap) = &nodes[n];
	steps_of(g, n);
	while (k-- > 0) {
		steps_of(g, chain[k]->right);
		add_step(g, chain[k], 0);
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
range_test_step(struct engine *g, const struct node *node)
{
	uint32_t step = add_step(g, node, 0);
	struct engine_step *s = &g->step[step];

	if (node->op == N_LET)
		s->vreg = &g->lets[node->left].vreg;
	else if (node->op == N_NTH)
		s->vreg = &g->nth;
	else if (node->op == N_PREV)
		s->vreg = &g->prevs[find_prev(g, node)].vreg;
	else if (node->op == N_TOTAL)
		s->vreg = &g->totals[node->right].vreg;
}

static void
steps_of(struct engine *g, uint32_t n)
{
	const struct node *node = &g->tree->nodes[n];
	uint32_t step;

	if (is_hoisted(g, n)) {
		step = add_step(g, node, 0);
		g->step[step].vreg = &g->hoisted[n]->vreg;
		return;
	}
	switch (node->op) {
	case N_AND:
	case N_OR: chain_steps(g, n); return;
	case N_TEST: parts_of(g, node); return;
	case N_ARITH: arith_steps(g, n); return;
	case N_CALL:
		if (node->func->lazy) {
			parts_of(g, node);
			return;
		}
		/* fallthrough */
	case N_NOT:
	case N_TRUE:
	case N_AS_TIME:
	case N_VALUE:
		for (size_t at = 0; (n = node_operand(g->tree, node, &at)) != NO_NODE;)
			steps_of(g, n);
		add_step(g, node, 0);
		return;
	default: range_test_step(g, node); return;
	}
}

struct steps
engine_root(struct engine *g, uint32_t node)
{
	struct steps *s = &g->root[node];

	if (s->to)
		return *s;
	s->from = (uint32_t)g->nsteps;
	steps_of(g, node);
	s->to = (uint32_t)g->nsteps;
	for (uint32_t i = s->from; i < s->to; i++)
		if (!g->step[i].next)
			g->step[i].next = i + 1;
	return *s;
}

static void
add_todo(struct engine *g, enum todo_what what, size_t i)
{
	*PUSH(g->todo, g->ntodo, g->todocap) = (struct todo){what, (uint32_t)i};
}

size_t
engine_let_of(const struct expr_tree *t, uint32_t n, size_t from)
{
	while (from < t->nlets && (t->lets[from].root == NO_NODE || t->lets[from].root < n))
		from++;
	return from;
}

/* Finds the fields and definitions whose previous value prev() returns, and the definitions that use their own
 * previous value. */
static void
find_before(struct engine *g)
{
	const struct expr_tree *t = g->tree;
	size_t let = 0;

	for (uint32_t n = 0; n < t->nnodes; n++) {
		const struct node *node = &t->nodes[n];

		let = engine_let_of(t, n, let);
		if (node->op == N_PREV) {
			const struct node *of = &t->nodes[node->left];
			size_t i = find_prev(g, node);

			if (i == g->nprevs)
				*PUSH(g->prevs, g->nprevs, g->prevcap) =
				    (struct prev){.of = of};
			if (of->op == N_LET && of->left == let)
				g->prevs[i].own = g->lets[let].own = true;
		}
		if (node->op == N_LET)
			g->lets[node->left].lazy = false;
	}
	let = 0;
	for (uint32_t n = 0; n < t->nnodes; n++) {
		let = engine_let_of(t, n, let);
		if (t->nodes[n].op == N_TOTAL) {
			g->totals[t->nodes[n].right].node = &t->nodes[n];
			g->totals[t->nodes[n].right].own =
			    let < t->nlets && g->lets[let].own;
			g->totals[t->nodes[n].right].let = let;
		}
	}
}

/* Definitions that use their own prev run event by event. Nodes in them that do not depend on it are computed
 * beforehand in loops, if they are computed for every event; fields in any case. */

/* Returns true if a node of the definition depends on its own prev. own[] is known for its operands. */
static bool
hangs(const struct engine *g, const bool *own, uint32_t n, size_t let)
{
	const struct node *nodes = g->tree->nodes, *node = &nodes[n];
	bool yes = false;

	if (node->op == N_PREV)
		return nodes[node->left].op == N_LET && nodes[node->left].left == let;
	if (node->op == N_TOTAL)
		return true;
	for (size_t at = 0; (n = node_operand(g->tree, node, &at)) != NO_NODE;)
		yes |= own[n];
	return yes;
}

/* Hoists the nodes that do not depend on prev. always: the node is computed for every event. */
static void
hoist(struct engine *g, const bool *own, uint32_t n, bool always)
{
	const struct node *node = &g->tree->nodes[n];
	bool lazy = node->op == N_AND || node->op == N_OR ||
		    (node->op == N_CALL && node->func->lazy);

	if (node->op == N_CONST || node->op == N_LET || node->op == N_PREV ||
	    node->op == N_NTH || node->op == N_TOTAL || node->op == N_AGG || g->hoisted[n])
		return;
	if (!own[n] && (always || node->op == N_FIELD || node->op == N_TEXT)) {
		struct steps of = engine_root(g, n);

		g->hoisted[n] = xcalloc(1, sizeof *g->hoisted[n]);
		g->hoisted[n]->of = of;
		add_todo(g, DO_HOISTED, n);
		return;
	}
	for (size_t at = 0; (n = node_operand(g->tree, node, &at)) != NO_NODE;)
		hoist(g, own, n, always && (at == 1 || !lazy));
}

static void
plan_own(struct engine *g, size_t let)
{
	uint32_t root = g->tree->lets[let].root;
	bool *own = xcalloc((size_t)root + 1, sizeof *own);

	if (!g->hoisted)
		g->hoisted = xcalloc(g->tree->nnodes + 1, sizeof *g->hoisted);
	for (uint32_t n = 0; n <= root; n++)
		own[n] = hangs(g, own, n, let);
	hoist(g, own, root, true);
	free(own);
}

/* Plans the order of a run: each definition comes after what it needs. */
void
engine_plan(struct engine *g)
{
	const struct expr_tree *t = g->tree;
	bool *planned, nth = false;
	size_t let = 0;

	find_before(g);
	planned = xcalloc(g->nprevs + 1, sizeof *planned);
	for (uint32_t n = 0; n < t->nnodes; n++) {
		const struct node *node = &t->nodes[n];
		size_t i = node->op == N_PREV ? find_prev(g, node) : 0;

		g->let = let = engine_let_of(t, n, let);
		if (node->op == N_PREV && !g->prevs[i].own && !planned[i]) {
			planned[i] = true;
			add_todo(g, DO_PREV, i);
		} else if (node->op == N_NTH && !nth) {
			nth = true;
			add_todo(g, DO_NTH, 0);
		} else if (node->op == N_TOTAL) {
			g->totals[node->right].of = engine_root(g, node->left);
			if (!g->totals[node->right].own)
				add_todo(g, DO_TOTAL, node->right);
		}
		if (let < t->nlets && t->lets[let].root == n) {
			if (g->lets[let].own)
				plan_own(g, let);
			engine_root(g, n);
			add_todo(g, DO_LET, let);
		}
	}
	free(planned);
}
