/*
 * parse.c - the grammar of expressions, in one pass.
 *
 * Tests and values have one grammar: a parenthesis is parsed once, and only its end decides whether it is a test
 * or a value.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

/* Limit of nested parentheses, calls and `not`, because the parser is recursive. */
#define DEEPEST 200
#define BYTES_MOST (64u << 10)

/* The message about the token after a test. */
#define JOINS "\"and\" or \"or\" is expected"

static struct operand parse_or(struct parser *p);

/* Reports that `expected` should come in place of the current token, or a likelier reason, and exits. */
static _Noreturn void
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

/* Reports that the parenthesis at `at` is not closed, if the text has ended; else as misplaced does. Exits. */
static _Noreturn void
not_closed(const struct parser *p, size_t at, const char *expected)
{
	if (p->lex.token == T_END)
		expr_die(p->t, at, "this parenthesis is not closed");
	misplaced(p, expected);
}

/* Returns true if the current word begins NAME = ... */
static bool
is_name(const struct lexer *l)
{
	const char *s = l->t->text + l->pos;

	s += strspn(s, " \t\n");
	return (l->token == T_WORD || l->token == T_STRING) && s[0] == '=' && s[1] != '=';
}

/* Reads the arguments of a call, whose name was the previous token. Returns *n operands, which the caller frees.
 * Dies if an argument of an aggregate has a name. */
static struct operand *
arguments(struct parser *p, bool aggregate, size_t *n)
{
	struct operand *v = NULL;
	size_t cap = 0, open = p->lex.at;

	*n = 0;
	lex_next(&p->lex);
	while (p->lex.token != T_CLOSE) {
		if (aggregate && is_name(&p->lex))
			expr_die(p->t, p->lex.at,
				 "a name stands before the aggregate; write == for a test");
		*PUSH(v, *n, cap) = parse_or(p);
		if (p->lex.token == T_CLOSE)
			break;
		if (p->lex.token != T_COMMA)
			not_closed(p, open, "an operator, a comma or ) is expected");
		lex_next(&p->lex);
		if (p->lex.token == T_CLOSE)
			expr_die(p->t, p->lex.at, "an argument is expected");
	}
	lex_next(&p->lex);
	return v;
}

/* Parses NAME(...): a function, total, or an aggregate. */
static struct operand
call(struct parser *p)
{
	struct operand o = {.kind = O_VALUE, .at = p->lex.at}, *v;
	size_t len = strlen(p->lex.word), n;
	struct called c = call_named(p);
	expr_aggregate *aggregate = p->aggregate;

	lex_next(&p->lex);
	if (c.measure >= 0 && !(c.measure & AGGREGATE_OF_ROWS))
		p->aggregate = NULL;
	v = arguments(p, c.measure >= 0, &n);
	if (c.measure >= 0)
		o.node = aggregate_value(
		    p, c.measure,
		    arena_str(&p->t->mem, p->t->text + o.at, p->lex.behind - o.at), len, v,
		    n, o.at);
	else
		o.node = call_value(p, c.f, v, n, o.at);
	p->aggregate = aggregate;
	free(v);
	return o;
}

static struct operand
primary(struct parser *p)
{
	struct operand o = {.kind = p->lex.token == T_STRING ? O_STRING : O_WORD,
			    .word = p->lex.word,
			    .at = p->lex.at};
	const char *missing = p->missing;

	p->missing = NULL;
	if (p->lex.token == T_OPEN) {
		size_t at = p->lex.at;

		lex_next(&p->lex);
		o = parse_or(p);
		if (p->lex.token != T_CLOSE)
			not_closed(p, at, "\"and\", \"or\" or ) is expected");
		lex_next(&p->lex);
		o.group = true;
		return o;
	}
	if (p->lex.token == T_WORD && p->lex.call)
		return call(p);
	if (p->lex.token != T_WORD && p->lex.token != T_STRING)
		expr_die(p->t, p->lex.at, "%s",
			 missing		 ? missing
			 : p->lex.token == T_END ? "the expression ends too early"
						 : "a field or an event is expected");
	lex_next(&p->lex);
	return o;
}

/* Parses operands with + and - (if `sum`), or with the other operators, between them. */
static struct operand
terms(struct parser *p, bool sum, struct operand (*operand)(struct parser *))
{
	struct operand o = operand(p), right;

	while (p->lex.token == T_ARITH &&
	       sum == (p->lex.arith == VAL_ADD || p->lex.arith == VAL_SUB)) {
		enum val_op op = p->lex.arith;
		size_t at = p->lex.at;

		lex_next(&p->lex);
		p->missing = "a value is expected";
		right = operand(p);
		o.node = value_of(p, &o, false);
		right.node = value_of(p, &right, false);
		o = arithmetic(p, op, &o, &right, at);
	}
	return o;
}

static struct operand
product(struct parser *p)
{
	return terms(p, false, primary);
}

static struct operand
sum(struct parser *p)
{
	return terms(p, true, product);
}

/* Parses an item of a relation. missing: message if there is no value. ranges: the item may be a range. */
static void
side(struct parser *p, struct sides *s, const char *missing, bool ranges)
{
	struct relation_side one = {0};

	p->missing = missing;
	one.from = sum(p);
	if (ranges && p->lex.token == T_DOTS) {
		lex_next(&p->lex);
		p->missing = missing;
		one.to = sum(p);
		one.range = true;
	}
	*PUSH(s->v, s->n, s->cap) = one;
}

/* Parses sum op sum | sum [not] in {...} | sum. */
static struct operand
relation(struct parser *p)
{
	struct operand left = sum(p);
	enum test_op op = OP_IN;
	bool negate = p->lex.token == T_NOT;
	struct sides s = {0};
	const char *missing;

	if (p->lex.token != T_OP && p->lex.token != T_IN && p->lex.token != T_NOT)
		return left;
	if (left.kind == O_WORD && !left.group && word_meaning(p, left.word) == W_THERE)
		return left;
	missing =
	    relation_of_number(p, &left) ? "a number is expected" : "a value is expected";
	if (p->lex.token == T_OP) {
		op = p->lex.op;
		negate = p->lex.negate;
		lex_next(&p->lex);
		side(p, &s, missing, false);
	} else {
		if (negate) {
			lex_next(&p->lex);
			if (p->lex.token != T_IN)
				expr_die(p->t, p->lex.at,
					 "\"in\" is expected after FIELD \"not\"");
		}
		lex_next(&p->lex);
		if (p->lex.token != T_BRACE)
			expr_die(p->t, p->lex.at, "{ is expected after \"in\"");
		do {
			lex_next(&p->lex);
			side(p, &s, missing, true);
		} while (p->lex.token == T_COMMA);
		if (p->lex.token != T_UNBRACE)
			misplaced(p, ", or } is expected");
		lex_next(&p->lex);
	}
	left = relation_test(p, op, negate, &left, &s);
	free(s.v);
	return left;
}

static struct operand
not_node(struct parser *p)
{
	struct operand o;

	if (++p->depth > DEEPEST)
		expr_die(p->t, p->lex.at, "the expression is nested more than %d deep",
			 DEEPEST);
	if (p->lex.token == T_NOT) {
		size_t at = p->lex.at;

		lex_next(&p->lex);
		o = not_node(p);
		o.node = add_node(p, N_NOT, test_of(p, &o), 0, at);
		o.kind = O_TEST;
		o.at = at;
	} else
		o = relation(p);
	p->depth--;
	return o;
}

/* Parses operands with `token`, which means `op`, between them. */
static struct operand
join_operands(struct parser *p, enum token token, enum node_op op,
	      struct operand (*operand)(struct parser *))
{
	struct operand o = operand(p), right;

	while (p->lex.token == token) {
		size_t at = p->lex.at;

		o.node = test_of(p, &o);
		o.kind = O_TEST;
		lex_next(&p->lex);
		right = operand(p);
		o.node = add_node(p, op, o.node, test_of(p, &right), at);
	}
	return o;
}

static struct operand
and_node(struct parser *p)
{
	return join_operands(p, T_AND, N_AND, not_node);
}

static struct operand
parse_or(struct parser *p)
{
	return join_operands(p, T_OR, N_OR, and_node);
}

/* Gives the last definition the name, n bytes. */
static void
define_as(struct parser *p, const char *name, size_t n)
{
	uint32_t id = strtab_id(&p->names, name, n);

	GROW(p->defined, p->defined_cap, id + 1);
	p->defined[id] = (uint32_t)p->t->nlets - 1;
}

/* Defines a name. The definition of an argument also has the name arg.NAME. */
static void
define(struct parser *p, const char *name)
{
	struct buf whole = {0};
	size_t n = strlen(name);

	define_as(p, name, n);
	if (strncmp(name, "arg.", 4) != 0 && !field_column(name, n)) {
		buf_add(&whole, "arg.", 4);
		buf_add(&whole, name, n);
		define_as(p, (const char *)whole.p, whole.n);
		buf_free(&whole);
	}
}

/* Parses a value after NAME =, or one without a name. Sets l->root, and l->field if the value is a plain field. */
static void
let_value(struct parser *p, struct expr_let *l)
{
	const char *s = p->t->text + p->lex.pos;
	struct operand o;

	if (p->lex.token == T_WORD && s[0] == '|' && s[1] != '|') {
		/* Several names, of which the first that an event has counts. */
		o = (struct operand){.kind = O_STRING, .at = p->lex.at};
		s = p->t->text + o.at;
		p->lex.pos = o.at + strcspn(s, " \t\n()!=<>~&,{}\"");
		o.word = arena_str(&p->t->mem, s, p->lex.pos - o.at);
		lex_next(&p->lex);
	} else {
		p->missing = "a field or an expression is expected";
		o = parse_or(p);
	}
	if (plain_field(p, &o))
		l->field = arena_str(&p->t->mem, o.word, strlen(o.word));
	l->root = column_of(p, &o);
}

static void
let(struct parser *p)
{
	struct expr_tree *t = p->t;
	struct expr_let l = {.root = NO_NODE, .at = p->lex.at};

	if (is_name(&p->lex)) {
		l.label = l.name = arena_str(&t->mem, p->lex.word, strlen(p->lex.word));
		lex_next(&p->lex);
		lex_next(&p->lex);
	} else if (p->flags & PARSE_DEFINES)
		expr_die(t, l.at, "NAME = is expected");
	p->let_name = p->flags & PARSE_DEFINES ? l.name : NULL;
	if (!p->let_name || (p->lex.token != T_COMMA && p->lex.token != T_END))
		let_value(p, &l);
	if (!l.label && l.field)
		l.label = l.field;
	else if (!l.label)
		l.label =
		    expr_label(arena_str(&t->mem, t->text + l.at, p->lex.behind - l.at));
	l.made_text = l.root != NO_NODE && is_made_text(p, l.root);
	*PUSH(t->lets, t->nlets, t->letcap) = l;
	if (p->let_name)
		define(p, p->let_name);
	else if (l.name)
		define_as(p, l.name, strlen(l.name));
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

char *
expr_label(char *text)
{
	char *to = text;
	bool quoted = false;

	for (const char *s = text; *s; s++) {
		if (quoted && *s == '\\' && (s[1] == '"' || s[1] == '\\'))
			*to++ = *s++;
		else
			quoted ^= *s == '"';
		if (!blank(*s) || quoted)
			*to++ = *s;
		else if (!blank(s[1]) && to > text && isalnum((unsigned char)to[-1]) &&
			 isalnum((unsigned char)s[1]))
			*to++ = ' ';
	}
	*to = '\0';
	return text;
}

void
expr_tree_parse(struct expr_tree *t, const char *text, unsigned flags,
		expr_aggregate *aggregate)
{
	struct parser p = {.t = t, .flags = flags, .aggregate = aggregate};
	const char *expected = JOINS;
	struct operand o;

	memset(t, 0, sizeof *t);
	t->text = xstrdup(text);
	t->root = NO_NODE;
	p.lex.t = t;
	if (strlen(text) > BYTES_MOST)
		expr_die(t, BYTES_MOST,
			 "the expression is longer than the limit of %u bytes", BYTES_MOST);
	lex_next(&p.lex);
	if (p.lex.token == T_END)
		expr_die(t, 0, "the expression is empty");
	if (flags & PARSE_LIST) {
		expected = "an operator or a comma is expected";
		for (let(&p); p.lex.token == T_COMMA; let(&p))
			lex_next(&p.lex);
	} else {
		o = parse_or(&p);
		t->root = test_of(&p, &o);
	}
	if (p.lex.token == T_CLOSE)
		expr_die(t, p.lex.at, "this parenthesis was never opened");
	if (p.lex.token != T_END)
		misplaced(&p, expected);
	strtab_free(&p.fields);
	strtab_free(&p.names);
	free(p.defined);
}

void
expr_tree_free(struct expr_tree *t)
{
	for (size_t i = 0; i < t->ntests; i++) {
		struct test *test = t->tests[i];

		ere_free(test->re);
		for (size_t k = 0; k < test->nitems; k++) {
			free(test->items[k].from.text);
			free(test->items[k].to.text);
		}
		free(test->items);
		free(test->field);
		free(test->name);
		free(test);
	}
	for (size_t i = 0; i < t->nnodes; i++)
		func_end(&t->nodes[i].call);
	free(t->tests);
	free(t->nodes);
	free(t->args);
	free(t->fields);
	free(t->constants);
	free(t->aggs);
	free(t->lets);
	free(t->text);
	arena_free(&t->mem);
	naming_free(&t->naming);
}
