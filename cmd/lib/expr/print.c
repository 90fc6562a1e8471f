/* print.c - prints an expression for messages and -d. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr_tree.h"

/* Bytes of an expression that a message shows. */
#define SHOWN 200

void
expr_die(const struct expr_tree *t, size_t at, const char *fmt, ...)
{
	size_t all = strlen(t->text),
	       from = all > SHOWN && at > SHOWN / 2 ? at - SHOWN / 2 : 0;
	char s[SHOWN + 1], text[400], below[8 * SHOWN + 16], *p = below, *end;
	const char *hint;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	hint = expr_hint(t->text, at, true);
	snprintf(s, sizeof s, "%s", t->text + from);
	for (size_t i = 0; s[i]; i++)
		if (s[i] == '\t' || s[i] == '\n')
			s[i] = ' ';
	p += sprintf(p, "  ");
	p = put_shown(p, s, strlen(s));
	p += sprintf(p, "\n  ");
	/* Put the caret under the place. Only the first byte of a UTF-8 character takes a column. */
	end = put_shown(p, s, at - from);
	for (const char *q = p; q < end; q++)
		if ((*q & 0xc0) != 0x80)
			*p++ = ' ';
	memcpy(p, "^\n", 3);
	die_below(below, "%s%s%s", text, hint ? ": " : "", hint ? hint : "");
}

/* Prints a text of an expression, with \xHH for bytes that would control a terminal. */
static void
print_text(const char *text, FILE *f)
{
	char *shown = xcalloc(4, strlen(text) + 1);

	put_shown(shown, text, strlen(text));
	fputs(shown, f);
	free(shown);
}

static void
print_const(const struct val *v, FILE *f)
{
	struct val_env env = {.clock = CLOCK_NS};
	struct buf b = {0};

	val_put(&b, &env, v);
	buf_byte(&b, '\0');
	fputs(v->kind == VAL_TEXT ? "text " : v->kind == VAL_TIME ? "time " : "number ", f);
	print_text((const char *)b.p, f);
	buf_free(&b);
}

static const char *const relations[] = {
    [OP_EQ] = "=",    [OP_LT] = "<",	 [OP_LE] = "<=",  [OP_GT] = ">",
    [OP_GE] = ">=",   [OP_MATCH] = "~",	 [OP_BITS] = "&", [OP_IN] = "in",
    [OP_THERE] = "?", [OP_GLOB] = "glob"};

/* Prints the line of a test. */
static void
print_test(const struct test *t, FILE *f)
{
	if (t->left == NO_NODE) {
		print_text(t->field, f);
		fputc(' ', f);
	}
	fprintf(f, "%s%s", t->negate ? "not " : "", relations[t->op]);
	for (size_t i = 0; i < t->nitems && t->left == NO_NODE; i++) {
		fputs(i ? ", " : " ", f);
		print_text(t->items[i].from.text, f);
		if (t->items[i].range) {
			fputs("..", f);
			print_text(t->items[i].to.text, f);
		}
	}
}

/* Prints the line of a node. */
static void
print_head(const struct expr_tree *t, const struct node *n, FILE *f)
{
	static const char *const ops[] = {
	    [N_AND] = "and",	  [N_OR] = "or",     [N_NOT] = "not", [N_TRUE] = "not 0",
	    [N_VALUE] = "1 or 0", [N_PREV] = "prev", [N_NTH] = "nth", [N_TOTAL] = "total"};

	switch (n->op) {
	case N_TEST: print_test(t->tests[n->left], f); break;
	case N_FIELD:
	case N_TEXT:
		fputs("field ", f);
		print_text(t->fields[n->left].name, f);
		break;
	case N_LET:
		fputs("definition ", f);
		print_text(t->lets[n->left].name, f);
		break;
	case N_CONST: print_const(&t->constants[n->left], f); break;
	case N_AS_TIME: fputs(n->variant == 3 ? "as number" : "as time", f); break;
	case N_ARITH: fputs(val_op_name[n->variant], f); break;
	case N_CALL: fprintf(f, "%s()", n->func->name); break;
	case N_AGG:
		fputs("aggregate ", f);
		print_text(t->aggs[n->left].text, f);
		break;
	default: fputs(ops[n->op], f); break;
	}
	fputc('\n', f);
}

static void print_node(const struct expr_tree *t, uint32_t n, int depth, FILE *f);

/* Prints the operands of a node, except the left one that continues a chain. */
static void
print_rest(const struct expr_tree *t, const struct node *n, int depth, FILE *f)
{
	const struct test *test;
	uint32_t m;

	switch (n->op) {
	case N_AND:
	case N_OR:
	case N_ARITH:
	case N_CALL:
		for (size_t at = n->op != N_CALL; (m = node_operand(t, n, &at)) != NO_NODE;)
			print_node(t, m, depth, f);
		break;
	case N_AGG:
		for (uint32_t i = 0; i < t->aggs[n->left].n; i++)
			print_node(t, t->args[t->aggs[n->left].args + i], depth, f);
		break;
	case N_TEST:
		test = t->tests[n->left];
		for (size_t i = 0; i < test->nitems && test->left != NO_NODE; i++) {
			const struct item *it = &test->items[i];

			if (it->range)
				fprintf(f, "%*s..\n", 2 * depth + 2, "");
			print_node(t, it->node, depth + it->range, f);
			if (it->range)
				print_node(t, it->to_node, depth + 1, f);
		}
		break;
	default: break;
	}
}

uint32_t
node_operand(const struct expr_tree *t, const struct node *n, size_t *at)
{
	const struct test *test;
	size_t k = (*at)++;

	switch (n->op) {
	case N_AND:
	case N_OR:
	case N_ARITH: return k == 0 ? n->left : k == 1 ? n->right : NO_NODE;
	case N_NOT:
	case N_TRUE:
	case N_AS_TIME:
	case N_VALUE:
	case N_PREV:
	case N_TOTAL: return k == 0 ? n->left : NO_NODE;
	case N_CALL: return k < n->n ? t->args[n->left + k] : NO_NODE;
	case N_TEST:
		test = t->tests[n->left];
		if (k == 0 || test->left == NO_NODE || (k - 1) / 2 >= test->nitems)
			return k == 0 ? test->left : NO_NODE;
		if (k % 2)
			return test->items[k / 2].node;
		return test->items[k / 2 - 1].range ? test->items[k / 2 - 1].to_node
						    : node_operand(t, n, at);
	default: return NO_NODE;
	}
}

/* Prints node n and its operands. Walks down the left side in a loop, then up, because a chain may have 10,000
 * terms. */
static void
print_node(const struct expr_tree *t, uint32_t n, int depth, FILE *f)
{
	uint32_t *chain = NULL;
	size_t cap = 0, len = 0;

	while (n != NO_NODE) {
		const struct node *node = &t->nodes[n];

		*PUSH(chain, len, cap) = n;
		fprintf(f, "%*s", 2 * (depth + (int)len), "");
		print_head(t, node, f);
		n = node->op == N_CALL ? NO_NODE : node_operand(t, node, &(size_t){0});
	}
	while (len-- > 0)
		print_rest(t, &t->nodes[chain[len]], depth + (int)len + 1, f);
	free(chain);
}

void
expr_tree_print(const struct expr_tree *t, FILE *f)
{
	if (!t->nlets) {
		fputs("expression\n", f);
		print_node(t, t->root, 0, f);
	}
	for (size_t i = 0; i < t->nlets; i++) {
		print_text(t->lets[i].label, f);
		fputc('\n', f);
		if (t->lets[i].root != NO_NODE)
			print_node(t, t->lets[i].root, 0, f);
	}
}
