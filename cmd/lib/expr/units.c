/* units.c - checks the units of values, and converts plain numbers to times. */
#include <stdio.h>
#include <string.h>

#include "expr/parser.h"

/* Bytes of a name in a message about units. */
#define NAMED 60

/* Writes a description of an operand, as "size is in bytes" or "dur is a time", to `to` for a message. side:
 * replaces a name. Returns to. */
static const char *
says(char to[NAMED + 40], const struct parser *p, const struct operand *o, const char *side)
{
	const struct node *n = &p->t->nodes[o->node];
	const char *s = p->t->text + o->at, *unit = "is a number";
	int len = 0;

	while (len < NAMED && !lex_ends_word(s + len))
		len++;
	if (n->measure == M_TIME)
		unit = "is a time";
	else if (n->measure == M_TEXT)
		unit = "is a text";
	else if (n->op == N_CONST && len > 2 && !memcmp(s + len - 2, "/s", 2))
		unit = "is a rate";
	else if (n->op == N_FIELD || n->op == N_PREV || n->op == N_CONST)
		unit = "is in bytes";
	if (n->op == N_ARITH || o->group || !len)
		snprintf(to, NAMED + 40, "%s %s", side, unit);
	else if (s[len] == '(')
		snprintf(to, NAMED + 40, "%.*s(...) %s", len, s, unit);
	else
		snprintf(to, NAMED + 40, "%.*s %s", len, s, unit);
	return to;
}

void
no_text(const struct parser *p, const struct operand *o, const char *what)
{
	char text[NAMED + 40];

	if (p->t->nodes[o->node].measure == M_TEXT)
		expr_die(p->t, o->at, "%s: %s takes numbers", says(text, p, o, "this"),
			 what);
}

bool
is_made_text(const struct parser *p, uint32_t node)
{
	const struct expr_tree *t = p->t;
	const struct node *n = &t->nodes[node];

	if (n->op == N_PREV)
		n = &t->nodes[n->left];
	/* A definition that uses itself is not known yet. */
	if (n->op == N_LET)
		return n->left == t->nlets || t->lets[n->left].made_text;
	if (n->op != N_CALL)
		return false;
	for (uint32_t i = 0; n->func->lazy && i < n->n; i++)
		if (is_made_text(p, t->args[n->left + i]))
			return true;
	return !n->func->lazy && n->measure == M_PLAIN && func_of_text(n->func) &&
	       strcmp(n->func->name, "lower") != 0;
}

void
as_number(struct parser *p, struct operand *o)
{
	if (!is_made_text(p, o->node))
		return;
	o->node = add_value(p, N_AS_TIME, o->node, p->t->nodes[o->node].measure, o->at);
	p->t->nodes[o->node].variant = 3;
}

void
no_time(const struct parser *p, const struct operand *o, const char *what)
{
	char text[NAMED + 40];

	if (p->t->nodes[o->node].measure == M_TIME)
		expr_die(p->t, o->at, "%s: %s takes numbers, such as a time / a time",
			 says(text, p, o, "this"), what);
}

static _Noreturn void
two_units(const struct parser *p, const struct operand *a, const struct operand *b,
	  size_t at)
{
	char left[NAMED + 40], right[NAMED + 40];

	expr_die(p->t, at, "%s, and %s", says(left, p, a, "the left side"),
		 says(right, p, b, "the right side"));
}

/* Adds a node that converts a plain number to a time; variant: see N_AS_TIME. */
static void
as_time(struct parser *p, struct operand *o, uint8_t variant)
{
	o->node = add_node(p, N_AS_TIME, o->node, NO_NODE, o->at);
	p->t->nodes[o->node].variant = variant;
	p->t->nodes[o->node].measure = M_TIME;
}

/* Converts a plain value to a time if the other one is a time. Returns what both measure. Dies if their units do
 * not fit. */
static uint8_t
same_unit(struct parser *p, struct operand *a, struct operand *b, size_t at)
{
	uint8_t x = p->t->nodes[a->node].measure, y = p->t->nodes[b->node].measure;

	if ((x == M_TIME && y == M_NUMBER) || (x == M_NUMBER && y == M_TIME))
		two_units(p, a, b, at);
	if (x == M_TIME && y == M_PLAIN)
		as_time(p, b, 2);
	if (x == M_PLAIN && y == M_TIME)
		as_time(p, a, 2);
	return x == M_TIME || y == M_TIME	? M_TIME
	       : x == M_NUMBER || y == M_NUMBER ? M_NUMBER
						: M_PLAIN;
}

/* Returns what a product or a quotient measures. Dies if two times are multiplied. */
static uint8_t
product(struct parser *p, enum val_op op, const struct operand *a, const struct operand *b,
	size_t at)
{
	uint8_t x = p->t->nodes[a->node].measure, y = p->t->nodes[b->node].measure;

	if (op == VAL_MUL && x == M_TIME && y == M_TIME)
		expr_die(p->t, at, "a time cannot be multiplied by a time");
	if (x == M_TIME && y == M_TIME)
		return M_NUMBER;
	if (x == M_TIME || (op == VAL_MUL && y == M_TIME))
		return M_TIME;
	return x == M_PLAIN && y == M_PLAIN ? M_PLAIN : M_NUMBER;
}

struct operand
arithmetic(struct parser *p, enum val_op op, const struct operand *left,
	   const struct operand *right, size_t at)
{
	struct operand a = *left, b = *right, sum = {.kind = O_VALUE, .at = left->at};
	uint8_t measure;
	bool time, number;

	no_text(p, &a, val_op_name[op]);
	no_text(p, &b, val_op_name[op]);
	as_number(p, &a);
	as_number(p, &b);
	time =
	    p->t->nodes[a.node].measure == M_TIME || p->t->nodes[b.node].measure == M_TIME;
	number = p->t->nodes[a.node].measure == M_NUMBER ||
		 p->t->nodes[b.node].measure == M_NUMBER;
	if (op == VAL_MUL || op == VAL_DIV || (op == VAL_FLOOR && time && number)) {
		if (op == VAL_DIV && p->t->nodes[a.node].measure == M_TIME &&
		    p->t->nodes[b.node].measure == M_TIME)
			op = VAL_RATIO;
		measure = product(p, op, &a, &b, at);
	} else {
		measure = same_unit(p, &a, &b, at);
		if (op == VAL_FLOOR && time) {
			measure = M_NUMBER;
			op = VAL_PARTS;
		}
	}
	sum.node = add_node(p, N_ARITH, a.node, b.node, at);
	p->t->nodes[sum.node].variant = (uint8_t)op;
	p->t->nodes[sum.node].measure = measure;
	return sum;
}

uint8_t
measure_joined(struct parser *p, struct operand *v, size_t n, uint8_t variant)
{
	size_t seen[M_TEXT + 1] = {0}, time, number, first, second;

	for (size_t i = n; i-- > 0;)
		seen[p->t->nodes[v[i].node].measure] = i + 1;
	time = seen[M_TIME];
	number = seen[M_NUMBER];
	first = time < number ? time : number;
	second = time < number ? number : time;
	if (first)
		two_units(p, &v[first - 1], &v[second - 1], v[second - 1].at);
	for (size_t i = 0; i < n && time; i++)
		if (p->t->nodes[v[i].node].measure == M_PLAIN) {
			as_time(p, &v[i], variant);
			p->t->nodes[v[i].node].fits = variant != 1;
		}
	if (seen[M_TEXT])
		return time || number || seen[M_PLAIN] ? M_PLAIN : M_TEXT;
	return time ? M_TIME : number ? M_NUMBER : M_PLAIN;
}
