/*
 * exprs - parses an expression, and shows how it was understood.
 *
 *	exprs [list|defines|gap|aggregates|fits]... < TEXT
 *
 * Each word adds to what the text is: a test if nothing is said. Says where a node stands
 * before one of its operands; with `fits` only the places of the values that must fit 64
 * bits, in the order of the nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "expr/expr_tree.h"

static int
aggregate(const char *name, size_t n, bool bare)
{
	static const struct {
		const char *name;
		bool bare;
		int measure;
	} all[] = {
	    {"count", true, M_NUMBER},
	    {"rate", true, M_NUMBER},
	    {"sum", false, FUNC_JOINED},
	    {"max", false, FUNC_JOINED},
	    {"p99", false, FUNC_JOINED},
	    {"top", false, M_PLAIN},
	    {"all", false, FUNC_JOINED | AGGREGATE_OF_ROWS},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strlen(all[i].name) == n && !memcmp(all[i].name, name, n) &&
		    (all[i].bare || !bare))
			return all[i].measure;
	return -1;
}

static void
before(uint32_t operand, uint32_t node)
{
	if (operand != NO_NODE && operand >= node)
		printf("node %u stands before its operand %u\n", (unsigned)node,
		       (unsigned)operand);
}

/* The promise of expr/expr_tree.h. */
static void
check_order(const struct expr_tree *t)
{
	for (uint32_t i = 0; i < t->nnodes; i++) {
		const struct node *n = &t->nodes[i];
		const struct test *test = n->op == N_TEST ? t->tests[n->left] : NULL;

		if (n->op == N_AND || n->op == N_OR || n->op == N_ARITH)
			before(n->right, i);
		if (n->op == N_AND || n->op == N_OR || n->op == N_ARITH || n->op == N_NOT ||
		    n->op == N_TRUE || n->op == N_AS_TIME || n->op == N_VALUE ||
		    n->op == N_PREV || n->op == N_TOTAL)
			before(n->left, i);
		for (uint32_t k = 0; n->op == N_CALL && k < n->n; k++)
			before(t->args[n->left + k], i);
		for (uint32_t k = 0; n->op == N_AGG && k < t->aggs[n->left].n; k++)
			before(t->args[t->aggs[n->left].args + k], i);
		for (size_t k = 0; test && k < test->nitems && test->left != NO_NODE; k++) {
			before(test->left, i);
			before(test->items[k].node, i);
			before(test->items[k].to_node, i);
		}
	}
}

int
main(int argc, char **argv)
{
	struct expr_tree t;
	unsigned flags = 0;
	bool aggregates = false, fits = false;
	static char text[1 << 20];
	size_t n = fread(text, 1, sizeof text - 1, stdin);

	prog_start(argv[0]);
	put_init();
	n -= n && text[n - 1] == '\n';
	text[n] = '\0';
	for (int i = 1; i < argc; i++) {
		flags |= !strcmp(argv[i], "list")      ? PARSE_LIST
			 : !strcmp(argv[i], "defines") ? PARSE_LIST | PARSE_DEFINES
			 : !strcmp(argv[i], "gap")     ? PARSE_GAP
						       : 0;
		aggregates |= !strcmp(argv[i], "aggregates");
		fits |= !strcmp(argv[i], "fits");
	}
	expr_tree_parse(&t, text, flags, aggregates ? aggregate : NULL);
	check_order(&t);
	for (size_t i = 0; fits && i < t.nnodes; i++)
		if (t.nodes[i].fits)
			printf("%u\n", (unsigned)t.nodes[i].at);
	if (!fits)
		expr_tree_print(&t, stdout);
	for (size_t i = 0; !fits && i < t.nlets; i++)
		if (t.lets[i].field)
			printf("plain field %s\n", t.lets[i].field);
	if (t.has_time && !fits)
		printf("the clock must have a unit: %s\n", t.time_text);
	expr_tree_free(&t);
	return 0;
}
