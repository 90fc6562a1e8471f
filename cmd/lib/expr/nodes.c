/* nodes.c - adds nodes to the tree of an expression: see parser.h. */
#include <string.h>

#include "expr/parser.h"

uint32_t
add_node(struct parser *p, enum node_op op, uint32_t left, uint32_t right, size_t at)
{
	struct expr_tree *t = p->t;

	*PUSH(t->nodes, t->nnodes, t->nodecap) = (struct node){
	    .op = (uint8_t)op, .left = left, .right = right, .at = (uint32_t)at};
	return (uint32_t)t->nnodes - 1;
}

uint32_t
add_value(struct parser *p, enum node_op op, uint32_t left, uint8_t measure, size_t at)
{
	uint32_t n = add_node(p, op, left, NO_NODE, at);

	if (p->nterms++ == TERMS_MOST)
		expr_die(p->t, at, "the expression has more than %d terms", TERMS_MOST);
	p->t->nodes[n].measure = measure;
	return n;
}

struct test *
add_test(struct parser *p, enum test_op op, const char *field, uint32_t left, size_t at)
{
	struct expr_tree *t = p->t;
	struct test *test = xcalloc(1, sizeof *test);

	if (t->ntests == TERMS_MOST)
		expr_die(t, at, "the expression has more than %d tests", TERMS_MOST);
	*PUSH(t->tests, t->ntests, t->testcap) = test;
	test->op = op;
	test->left = left;
	test->field = field ? xstrdup(field) : NULL;
	test->column = field ? field_column(field, strlen(field)) : FIELD_NONE;
	test->at = at;
	return test;
}

uint32_t
push_args(struct parser *p, const struct operand *v, size_t n)
{
	struct expr_tree *t = p->t;
	uint32_t first = (uint32_t)t->nargs;

	GROW(t->args, t->argcap, t->nargs + n);
	for (size_t i = 0; i < n; i++)
		t->args[t->nargs++] = v[i].node;
	return first;
}

uint32_t
complete(struct parser *p, uint32_t node)
{
	uint8_t op = p->t->nodes[node].op;

	p->t->nodes[node].fits |=
	    op == N_ARITH || op == N_CALL || op == N_TOTAL || op == N_AS_TIME;
	return node;
}
