/* operand.c - what the words of an expression mean: constants, fields, events; and the units of
 * its values: which go together, and where a plain number counts seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

/* Bytes of a name in a message about units. */
#define NAMED 60

bool
column_numeric(enum field_kind k, enum unit *unit)
{
	*unit = k == FIELD_ADDR || k == FIELD_SIZE ? UNIT_SIZE : UNIT_TIME;
	return *unit == UNIT_SIZE || field_is_time(k);
}

/* What a field measures. */
static uint8_t
field_measure(const char *name)
{
	enum field_kind k = field_column(name, strlen(name));
	enum unit unit;

	if (column_numeric(k, &unit))
		return unit == UNIT_SIZE ? M_NUMBER : M_TIME;
	return k == FIELD_LOC || k == FIELD_EVENT ? M_TEXT : M_PLAIN;
}

uint32_t
complete(struct parser *p, uint32_t node)
{
	uint8_t op = p->t->nodes[node].op;

	p->t->nodes[node].fits |=
	    op == N_ARITH || op == N_CALL || op == N_TOTAL || op == N_AS_TIME;
	return node;
}

/* Writes "size is in bytes", "dur is a time" of an operand for a message. */
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

void
no_time(const struct parser *p, const struct operand *o, const char *what)
{
	char text[NAMED + 40];

	if (p->t->nodes[o->node].measure == M_TIME)
		expr_die(p->t, o->at, "%s: %s takes numbers, as a time / a time is one",
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

/* The plain number as a time; of a relation it is compared as it is in a clock of ticks. */
static void
as_time(struct parser *p, struct operand *o, bool relation)
{
	o->node = add_node(p, N_AS_TIME, o->node, NO_NODE, o->at);
	p->t->nodes[o->node].how = relation;
	p->t->nodes[o->node].measure = M_TIME;
}

/* Both as times, if one is and the other is plain. Gives what they measure together. */
static uint8_t
same_unit(struct parser *p, struct operand *a, struct operand *b, size_t at)
{
	uint8_t x = p->t->nodes[a->node].measure, y = p->t->nodes[b->node].measure;

	if ((x == M_TIME && y == M_NUMBER) || (x == M_NUMBER && y == M_TIME))
		two_units(p, a, b, at);
	if (x == M_TIME && y == M_PLAIN)
		as_time(p, b, false);
	if (x == M_PLAIN && y == M_TIME)
		as_time(p, a, false);
	return x == M_TIME || y == M_TIME	? M_TIME
	       : x == M_NUMBER || y == M_NUMBER ? M_NUMBER
						: M_PLAIN;
}

/* Of a product and a quotient: what the result measures, of a factor of time and another. */
static uint8_t
product(struct parser *p, enum val_op how, const struct operand *a, const struct operand *b,
	size_t at)
{
	uint8_t x = p->t->nodes[a->node].measure, y = p->t->nodes[b->node].measure;

	if (how == VAL_MUL && x == M_TIME && y == M_TIME)
		expr_die(p->t, at, "a time times a time is no time");
	if (x == M_TIME && y == M_TIME)
		return M_NUMBER;
	if (x == M_TIME || (how == VAL_MUL && y == M_TIME))
		return M_TIME;
	return x == M_PLAIN && y == M_PLAIN ? M_PLAIN : M_NUMBER;
}

struct operand
arithmetic(struct parser *p, enum val_op how, const struct operand *left,
	   const struct operand *right, size_t at)
{
	struct operand a = *left, b = *right, sum = {.kind = O_VALUE, .at = left->at};
	uint8_t measure;
	bool time, number;

	a.node = value_of(p, left, false);
	b.node = value_of(p, right, false);
	no_text(p, &a, val_op_name[how]);
	no_text(p, &b, val_op_name[how]);
	time =
	    p->t->nodes[a.node].measure == M_TIME || p->t->nodes[b.node].measure == M_TIME;
	number = p->t->nodes[a.node].measure == M_NUMBER ||
		 p->t->nodes[b.node].measure == M_NUMBER;
	if (how == VAL_MUL || how == VAL_DIV || (how == VAL_FLOOR && time && number))
		measure = product(p, how, &a, &b, at);
	else {
		measure = same_unit(p, &a, &b, at);
		if (how == VAL_FLOOR && time)
			measure = M_NUMBER;
	}
	sum.node = add_node(p, N_ARITH, a.node, b.node, at);
	p->t->nodes[sum.node].how = (uint8_t)how;
	p->t->nodes[sum.node].measure = measure;
	return sum;
}

uint8_t
measure_joined(struct parser *p, struct operand *v, size_t n, bool relation)
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
			as_time(p, &v[i], relation);
			p->t->nodes[v[i].node].fits = !relation;
		}
	if (seen[M_TEXT])
		return time || number || seen[M_PLAIN] ? M_PLAIN : M_TEXT;
	return time ? M_TIME : number ? M_NUMBER : M_PLAIN;
}

#define PREV "prev."

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
		expr_die(p->t, at, "more than %d terms", TERMS_MOST);
	p->t->nodes[n].measure = measure;
	return n;
}

struct test *
add_test(struct parser *p, enum test_op op, const char *field, uint32_t left, size_t at)
{
	struct expr_tree *t = p->t;
	struct test *test = xcalloc(1, sizeof *test);

	if (t->ntests == TERMS_MOST)
		expr_die(t, at, "more than %d tests", TERMS_MOST);
	*PUSH(t->tests, t->ntests, t->testcap) = test;
	test->op = op;
	test->left = left;
	test->field = field ? xstrdup(field) : NULL;
	test->column = field ? field_column(field, strlen(field)) : FIELD_NONE;
	test->at = at;
	return test;
}

static uint32_t
test_node(struct parser *p, size_t at)
{
	return add_node(p, N_TEST, (uint32_t)p->t->ntests - 1, 0, at);
}

/* The value of a number as a constant is typed. */
static struct val
num_val(const struct num *n)
{
	struct val v = {.kind = VAL_WHOLE, .n = i128_u64(n->whole)};

	if (n->unit == UNIT_TIME || n->nano) {
		v.kind = n->unit == UNIT_TIME ? VAL_TIME : VAL_DECIMAL;
		i128_mul(v.n, i128_u64(1000000000), &v.n);
		i128_add(v.n, i128_u64(n->nano), &v.n);
	}
	if (n->neg)
		v.n = i128_neg(v.n);
	return v;
}

bool
word_numeric(const char *s)
{
	s += *s == '-' || *s == '+';
	s += *s == '.';
	return *s >= '0' && *s <= '9';
}

/* Whether a number has at most nine places when its exponent is worked out. */
static bool
nine_places(const char *word)
{
	const char *point = strchr(word, '.'), *e = strpbrk(word, "eE");
	long places = point ? (long)strspn(point + 1, "0123456789") : 0;

	return places - (e ? strtol(e + 1, NULL, 10) : 0) <= 9;
}

/* The constant that a word is: false if it is no number. *timed: its unit has to do with
 * time. */
static bool
constant(const char *word, struct val *v, uint8_t *measure, bool *timed)
{
	size_t n = strlen(word);
	struct num num;

	*timed = false;
	*measure = M_PLAIN;
	if (!word_numeric(word))
		return false;
	*v = val_of_text(word, n);
	if (v->kind == VAL_REAL && nine_places(word) &&
	    num_parse(word, n, false, &num, NULL))
		*v = num_val(&num); /* 1e6 is a whole number */
	if (v->kind != VAL_TEXT)
		return true;
	if (n > 2 && !strcmp(word + n - 2, "/s")) {
		*timed = true;
		*measure = M_NUMBER;
		if (!num_parse(word, n - 2, true, &num, NULL) || num.unit == UNIT_TIME)
			return false;
	} else if (!num_parse(word, n, true, &num, NULL))
		return false;
	else if (num.unit != UNIT_NONE) {
		*timed = num.unit == UNIT_TIME;
		*measure = *timed ? M_TIME : M_NUMBER;
	}
	*v = num_val(&num);
	return true;
}

const char *
word_fault(const char *word)
{
	const char *why = "a number is expected";
	struct val v;
	uint8_t measure;
	bool timed;
	struct num num;

	if (constant(word, &v, &measure, &timed) && measure == M_NUMBER)
		return "a rate is compared with rates";
	if (strspn(word, "0123456789") == 4 && word[4] == '-')
		return "a date is compared with time or end, which stand before it";
	if (strpbrk(word, "+*/%"))
		return "a number is expected; arithmetic has blanks around its operators";
	num_parse(word, strlen(word), true, &num, &why);
	return why;
}

static uint32_t
constant_value(struct parser *p, struct val v, uint8_t measure, size_t at)
{
	struct expr_tree *t = p->t;

	*PUSH(t->constants, t->nconstants, t->constcap) = v;
	return add_value(p, N_CONST, (uint32_t)t->nconstants - 1, measure, at);
}

uint32_t
text_value(struct parser *p, const char *text, size_t at)
{
	return constant_value(p, val_text(text, strlen(text)), M_TEXT, at);
}

/* The number of the field in fields[]. */
static uint32_t
field_number(struct parser *p, const char *name, bool there)
{
	struct expr_tree *t = p->t;
	uint32_t id = strtab_id(&p->fields, name, strlen(name));

	if (id == t->nfields)
		*PUSH(t->fields, t->nfields, t->fieldcap) = (struct expr_field){
		    .name = arena_str(&t->mem, name, strlen(name)), .there = there};
	t->fields[id].there &= there;
	return id;
}

static uint32_t
field_value(struct parser *p, const char *name, size_t at)
{
	return add_value(p, N_FIELD, field_number(p, name, false), field_measure(name), at);
}

/* Whether the name is that of a definition; *let is its number. */
static bool
is_let(const struct parser *p, const char *name, uint32_t *let)
{
	uint32_t id;

	if (!strtab_find(&p->names, name, strlen(name), &id))
		return false;
	*let = p->defined[id];
	return true;
}

enum meaning
word_meaning(const struct parser *p, const char *word)
{
	size_t n = strlen(word);
	struct val v;
	uint8_t measure;
	bool timed;
	uint32_t let;

	if (n > 1 && word[n - 1] == '?' && strcspn(word, "*?[") == n - 1)
		return W_THERE;
	if (!strncmp(word, PREV, strlen(PREV)))
		return W_PREV;
	if (is_let(p, word, &let))
		return W_LET;
	if (p->aggregate && p->aggregate(word, n, true) >= 0)
		return W_AGGREGATE;
	if (!strcmp(word, "nth"))
		return W_NTH;
	if (p->flags & PARSE_GAP && !strcmp(word, "gap"))
		return W_GAP;
	return constant(word, &v, &measure, &timed) ? W_NUMBER : W_FIELD;
}

static uint32_t
let_value(struct parser *p, uint32_t let, size_t at)
{
	const struct expr_let *l = &p->t->lets[let];

	if (l->root == NO_NODE)
		expr_die(p->t, at, "%s was dropped by %s =", l->name, l->name);
	return add_value(p, N_LET, let, p->t->nodes[l->root].measure, at);
}

/* prev.NAME; `there`: only whether it was there. */
static uint32_t
prev_value(struct parser *p, const char *name, bool there, size_t at)
{
	const char *own = p->let_name;
	uint32_t n, let;

	if (own && !strcmp(own, name))
		/* What it measures is not known yet. */
		n = add_value(p, N_LET, (uint32_t)p->t->nlets, field_measure(name), at);
	else if (is_let(p, name, &let))
		n = let_value(p, let, at);
	else if (!*name || !strncmp(name, PREV, strlen(PREV)) || !strcmp(name, "nth") ||
		 (p->flags & PARSE_GAP && !strcmp(name, "gap")))
		expr_die(p->t, at, "prev.NAME takes a field%s",
			 p->flags & PARSE_DEFINES ? ", or a name that is defined before"
						  : "");
	else
		n = add_value(p, N_FIELD, field_number(p, name, there), field_measure(name),
			      at);
	p->t->before = true;
	n = add_node(p, N_PREV, n, NO_NODE, at);
	p->t->nodes[n].measure = p->t->nodes[n - 1].measure;
	return n;
}

/* NAME? as a test. */
static uint32_t
there_test(struct parser *p, const char *word, size_t at)
{
	char *name = arena_str(&p->t->mem, word, strlen(word) - 1);
	uint32_t let;

	if (!strncmp(name, PREV, strlen(PREV)))
		add_test(p, OP_THERE, NULL, prev_value(p, name + strlen(PREV), true, at),
			 at);
	else if (is_let(p, name, &let))
		add_test(p, OP_THERE, NULL, let_value(p, let, at), at);
	else
		add_test(p, OP_THERE, name, NO_NODE, at);
	return test_node(p, at);
}

/* time - prev.time */
static uint32_t
gap_value(struct parser *p, size_t at)
{
	struct operand now = {.kind = O_VALUE, .at = at}, before = now;

	now.node = field_value(p, "time", at);
	before.node = prev_value(p, "time", false, at);
	return arithmetic(p, VAL_SUB, &now, &before, at).node;
}

static uint32_t
number_value(struct parser *p, const char *word, size_t at)
{
	struct val v = {0};
	uint8_t measure;
	bool timed;

	constant(word, &v, &measure, &timed);
	if (timed && !p->t->has_time) {
		p->t->has_time = true;
		p->t->time_text = arena_str(&p->t->mem, word, strlen(word));
	}
	return constant_value(p, v, measure, at);
}

static uint32_t
word_value(struct parser *p, const char *word, size_t at)
{
	uint32_t let = 0;

	switch (word_meaning(p, word)) {
	case W_THERE: return add_value(p, N_VALUE, there_test(p, word, at), M_PLAIN, at);
	case W_PREV: return prev_value(p, word + strlen(PREV), false, at);
	case W_NTH:
		p->t->nth = p->t->before = true;
		return add_value(p, N_NTH, NO_NODE, M_NUMBER, at);
	case W_GAP: return gap_value(p, at);
	case W_LET: is_let(p, word, &let); return let_value(p, let, at);
	case W_AGGREGATE:
		return aggregate_value(p, p->aggregate(word, strlen(word), true),
				       arena_str(&p->t->mem, word, strlen(word)),
				       strlen(word), NULL, 0, at);
	case W_NUMBER: return number_value(p, word, at);
	default: break;
	}
	/* A field whose name looks so stands in quotes, where something is computed. */
	if (word_numeric(word))
		expr_die(p->t, at, "%s: %s", word, word_fault(word));
	return field_value(p, word, at);
}

uint32_t
value_of(struct parser *p, const struct operand *o, bool text)
{
	switch (o->kind) {
	case O_WORD: return word_value(p, o->word, o->at);
	case O_STRING:
		return text ? text_value(p, o->word, o->at)
			    : field_value(p, o->word, o->at);
	case O_TEST: return add_value(p, N_VALUE, o->node, M_PLAIN, o->at);
	default: return o->node;
	}
}

static _Noreturn void
no_test(const struct parser *p, size_t at)
{
	expr_die(p->t, at, "a test is expected: compare this value with another");
}

/* What an operand means that is a word or a string. */
static enum meaning
operand_meaning(const struct parser *p, const struct operand *o)
{
	return o->kind == O_WORD ? word_meaning(p, o->word) : W_FIELD;
}

uint32_t
test_of(struct parser *p, const struct operand *o)
{
	struct test *test;
	enum meaning m;

	if (o->kind == O_TEST)
		return o->node;
	if (o->kind == O_VALUE) {
		uint8_t op = p->t->nodes[o->node].op;

		if (op != N_CALL && op != N_TOTAL && op != N_AGG)
			no_test(p, o->at);
		return add_node(p, N_TRUE, o->node, 0, o->at);
	}
	m = operand_meaning(p, o);
	if (m == W_THERE)
		return there_test(p, o->word, o->at);
	if (m == W_PREV)
		no_test(p, o->at);
	/* asu = 1 or 2 */
	if (m == W_NUMBER)
		expr_die(p->t, o->at,
			 "a test is expected, and %s is a number (FIELD in {1, 2} tests "
			 "several; \"%s\" in quotes is the event of that name)",
			 o->word, o->word);
	test = add_test(p, o->kind == O_STRING ? OP_EQ : OP_GLOB, "event", NO_NODE, o->at);
	test->items = xcalloc(1, sizeof *test->items);
	test->nitems = 1;
	test->items->from.text = xstrdup(o->word);
	return test_node(p, o->at);
}

bool
plain_field(const struct parser *p, const struct operand *o)
{
	enum meaning m;

	if (o->group || (o->kind != O_WORD && o->kind != O_STRING))
		return false;
	m = operand_meaning(p, o);
	return m == W_FIELD || m == W_GAP;
}

uint32_t
column_of(struct parser *p, const struct operand *o)
{
	if (plain_field(p, o))
		return field_value(p, o->word, o->at);
	return complete(p, value_of(p, o, false));
}

void
misplaced(const struct parser *p, const char *expected)
{
	const struct lexer *l = &p->lex;

	if (l->token == T_WORD && strchr("+-*/%", *l->word)) {
		if (l->word[strspn(l->word, "+-*/%^")])
			expr_die(p->t, l->at, "%s: blanks around \"%c\" make it arithmetic",
				 l->word, *l->word);
		expr_die(p->t, l->at, "there is no operator %s; there are + - * / // %%",
			 l->word);
	}
	expr_die(p->t, l->at, "%s", expected);
}

_Noreturn void
not_closed(const struct parser *p, size_t at, const char *expected)
{
	if (p->lex.token == T_END)
		expr_die(p->t, at, "this parenthesis is not closed");
	misplaced(p, expected);
}
