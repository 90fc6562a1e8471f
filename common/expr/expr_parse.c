/* expr_parse.c - filter expressions: words, grammar, and what can be checked without any
 * input. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr_tree.h"

/* Parentheses and `not` nest at most so deep: the parser calls itself. */
#define DEEPEST 200
/* A chain of `and` is as deep as it is long when it is walked. */
#define TESTS_MOST 10000
/* Bytes of an expression that a message shows. */
#define SHOWN 200

enum token {
	T_END,
	T_WORD,	  /* a name, a number, a glob */
	T_STRING, /* "quoted" */
	T_OP,	  /* one of the comparisons */
	T_AND,
	T_OR,
	T_NOT,
	T_IN,
	T_OPEN,
	T_CLOSE,
	T_BRACE,
	T_UNBRACE,
	T_COMMA,
	T_DOTS,
};

/* What may stand behind a test. */
#define JOINS "\"and\" or \"or\" is expected"

struct parser {
	struct expr_tree *t;
	size_t pos; /* behind the token at hand */
	size_t at;  /* its first byte */
	enum token token;
	enum test_op op; /* of T_OP */
	bool negate;
	char *word; /* of T_WORD and T_STRING */
	unsigned depth;
};

void
expr_die(const struct expr_tree *t, size_t at, const char *fmt, ...)
{
	size_t all = strlen(t->text),
	       from = all > SHOWN && at > SHOWN / 2 ? at - SHOWN / 2 : 0;
	char s[SHOWN + 1], text[400], below[8 * SHOWN + 16], *p = below, *end;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(s, sizeof s, "%s", t->text + from);
	for (size_t i = 0; s[i]; i++)
		if (s[i] == '\t' || s[i] == '\n')
			s[i] = ' ';
	p += sprintf(p, "  ");
	p = put_shown(p, s, strlen(s));
	p += sprintf(p, "\n  ");
	/* As many columns as stand before the place: of a character of UTF-8 only the first
	 * byte counts. */
	end = put_shown(p, s, at - from);
	for (const char *q = p; q < end; q++)
		if ((*q & 0xc0) != 0x80)
			*p++ = ' ';
	memcpy(p, "^\n", 3);
	die_below(below, "%s", text);
}

static bool
ends_word(const char *s)
{
	return !*s || strchr(" \t\n()!=<>~&|,{}\"", *s) != NULL ||
	       (s[0] == '.' && s[1] == '.');
}

static void
take_word(struct parser *p, size_t from, size_t n)
{
	free(p->word);
	p->word = xmalloc(n + 1);
	memcpy(p->word, p->t->text + from, n);
	p->word[n] = '\0';
}

static void
quoted_string(struct parser *p)
{
	const char *s = p->t->text;
	size_t n = 0;

	free(p->word);
	p->word = xmalloc(strlen(s + p->at));
	for (p->pos++; s[p->pos] != '"'; p->pos++) {
		if (s[p->pos] == '\\' && (s[p->pos + 1] == '"' || s[p->pos + 1] == '\\'))
			p->pos++;
		if (!s[p->pos])
			expr_die(p->t, p->at, "this string has no end");
		p->word[n++] = s[p->pos];
	}
	p->pos++;
	p->word[n] = '\0';
	p->token = T_STRING;
}

static const struct {
	const char *text;
	enum token token;
	enum test_op op;
	bool negate;
} symbols[] =
    {
	/* A longer one stands before its beginning. */
	{"&&", T_AND, 0, false},     {"||", T_OR, 0, false},
	{"!=", T_OP, OP_EQ, true},   {"!~", T_OP, OP_MATCH, true},
	{"==", T_OP, OP_EQ, false},  {"<=", T_OP, OP_LE, false},
	{">=", T_OP, OP_GE, false},  {"..", T_DOTS, 0, false},
	{"=", T_OP, OP_EQ, false},   {"<", T_OP, OP_LT, false},
	{">", T_OP, OP_GT, false},   {"~", T_OP, OP_MATCH, false},
	{"&", T_OP, OP_BITS, false}, {"!", T_NOT, 0, false},
	{"(", T_OPEN, 0, false},     {")", T_CLOSE, 0, false},
	{"{", T_BRACE, 0, false},    {"}", T_UNBRACE, 0, false},
	{",", T_COMMA, 0, false},
},
  keywords[] = {
      {"and", T_AND, 0, false},	  {"or", T_OR, 0, false},     {"not", T_NOT, 0, false},
      {"in", T_IN, 0, false},	  {"eq", T_OP, OP_EQ, false}, {"ne", T_OP, OP_EQ, true},
      {"lt", T_OP, OP_LT, false}, {"le", T_OP, OP_LE, false}, {"gt", T_OP, OP_GT, false},
      {"ge", T_OP, OP_GE, false},
};

static void
next_token(struct parser *p)
{
	const char *s = p->t->text, *end;
	size_t n = 0;

	while (s[p->pos] == ' ' || s[p->pos] == '\t' || s[p->pos] == '\n')
		p->pos++;
	p->at = p->pos;
	p->token = T_END;
	if (!s[p->pos])
		return;
	if (s[p->pos] == '"') {
		quoted_string(p);
		return;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		n = strlen(symbols[i].text);
		if (strncmp(s + p->pos, symbols[i].text, n) != 0)
			continue;
		p->pos += n;
		p->token = symbols[i].token;
		p->op = symbols[i].op;
		p->negate = symbols[i].negate;
		return;
	}
	for (n = 0; !ends_word(s + p->pos + n); n++)
		;
	if (!n)
		expr_die(p->t, p->at, "this character has no meaning here");
	take_word(p, p->pos, n);
	end = *p->word == '\'' ? strchr(s + p->pos + 1, '\'') : NULL;
	if (end)
		expr_die(p->t, p->at, "a text has double quotes: \"%.*s\"",
			 (int)(end - (s + p->pos + 1)), s + p->pos + 1);
	p->pos += n;
	p->token = T_WORD;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		if (strcmp(p->word, keywords[i].text) != 0)
			continue;
		p->token = keywords[i].token;
		p->op = keywords[i].op;
		p->negate = keywords[i].negate;
	}
}

static uint32_t
add_node(struct parser *p, enum node_op op, uint32_t left, uint32_t right)
{
	struct expr_tree *t = p->t;

	t->nodes = grow(t->nodes, &t->nodecap, t->nnodes + 1, sizeof *t->nodes);
	t->nodes[t->nnodes] =
	    (struct node){.op = (uint8_t)op, .left = left, .right = right};
	return (uint32_t)t->nnodes++;
}

static struct test *
add_test(struct parser *p, enum test_op op, const char *field, size_t at)
{
	struct expr_tree *t = p->t;
	struct test *test = xcalloc(1, sizeof *test);

	if (t->ntests == TESTS_MOST)
		expr_die(t, at, "more than %d tests", TESTS_MOST);
	t->tests = grow(t->tests, &t->testcap, t->ntests + 1, sizeof *t->tests);
	t->tests[t->ntests++] = test;
	test->op = op;
	test->left = NO_NODE;
	test->field = xstrdup(field);
	test->column = field_column(field, strlen(field));
	test->at = test->value_at = at;
	return test;
}

/* Whether a column is a number, and in which unit. */
static bool
numeric(enum field_kind k, enum unit *unit)
{
	*unit = k == FIELD_ADDR || k == FIELD_SIZE ? UNIT_SIZE : UNIT_TIME;
	return k == FIELD_TIME || k == FIELD_ADDR || k == FIELD_SIZE || k == FIELD_DUR ||
	       k == FIELD_END;
}

/* One value: checked against the column, where that is known to be a number. */
static void
value(struct parser *p, const struct test *test, struct num *num, bool *is_num, char **text)
{
	enum unit unit;
	bool must = numeric(test->column, &unit);
	const char *why = "a number is expected";

	if (p->token != T_WORD && p->token != T_STRING)
		expr_die(p->t, p->at,
			 must ? "a number is expected" : "a value is expected");
	*is_num =
	    p->token == T_WORD && num_parse(p->word, strlen(p->word), true, num, &why);
	*text = xstrdup(p->word);
	if (strpbrk(p->word, "+*/%"))
		why = "a number is expected, not arithmetic";
	if (must && !*is_num && test->op != OP_MATCH)
		expr_die(p->t, p->at, "%s: %s", p->word, why);
	if (must && *is_num && num->unit != UNIT_NONE && num->unit != unit)
		expr_die(p->t, p->at, "%s: %s is not measured in %s", p->word, test->field,
			 num->unit == UNIT_TIME ? "units of time" : "bytes");
	next_token(p);
}

static void
add_item(struct parser *p, struct test *test)
{
	struct item *it;
	size_t at = p->at;

	test->items = grow(test->items, &test->cap, test->nitems + 1, sizeof *test->items);
	it = &test->items[test->nitems++];
	value(p, test, &it->num, &it->is_num, &it->text);
	if (test->op != OP_IN || p->token != T_DOTS)
		return;
	next_token(p);
	it->range = true;
	value(p, test, &it->to_num, &it->to_is_num, &it->to_text);
	if (it->is_num != it->to_is_num)
		expr_die(p->t, at, "a range has two numbers or two words");
	if (it->is_num ? num_cmp(&it->num, &it->to_num) > 0
		       : strcmp(it->text, it->to_text) > 0)
		expr_die(p->t, at,
			 "the range is empty: its end is less than its beginning");
}

static void
set(struct parser *p, struct test *test)
{
	next_token(p);
	test->value_at = p->at;
	if (p->token != T_BRACE)
		expr_die(p->t, p->at, "{ is expected after \"in\"");
	do {
		next_token(p);
		add_item(p, test);
	} while (p->token == T_COMMA);
	if (p->token != T_UNBRACE)
		expr_die(p->t, p->at, ", or } is expected");
	next_token(p);
}

static void
comparison(struct parser *p, struct test *test)
{
	char why[200];

	test->op = p->op;
	test->negate = p->negate;
	next_token(p);
	test->value_at = p->at;
	add_item(p, test);
	if (test->op == OP_MATCH) {
		test->re = ere_new(test->items[0].text, why);
		if (!test->re)
			expr_die(p->t, test->value_at, "%s: %.200s", why,
				 test->items[0].text);
	}
	if (test->op == OP_BITS && test->items[0].is_num && test->items[0].num.nano)
		expr_die(p->t, test->value_at, "& takes a whole number");
}

/* What follows a test must join it to another; says so of an operator of arithmetic. */
static void
no_arithmetic(const struct parser *p)
{
	static const char *const ops[] = {"+", "-", "*", "/", "//", "%"};

	for (size_t i = 0; p->token == T_WORD && i < sizeof ops / sizeof *ops; i++)
		if (!strcmp(p->word, ops[i]))
			expr_die(p->t, p->at,
				 "\"%s\" between blanks is arithmetic, which an expression "
				 "cannot do: " JOINS,
				 ops[i]);
}

/* field op value | field [not] in {...} | FIELD? | glob */
static uint32_t
test_node(struct parser *p)
{
	struct test *test;
	size_t at = p->at, n;
	char *word;

	if (p->token != T_WORD && p->token != T_STRING)
		expr_die(p->t, p->at,
			 p->token == T_END ? "the expression ends too early"
					   : "a field or an event is expected");
	word = xstrdup(p->word);
	n = strlen(word);
	if (p->token == T_WORD && n > 1 && word[n - 1] == '?' &&
	    strcspn(word, "*?[") == n - 1) {
		word[n - 1] = '\0';
		add_test(p, OP_THERE, word, at);
		next_token(p);
	} else {
		enum token kind = p->token;

		next_token(p);
		if (p->token == T_OP) {
			test = add_test(p, OP_EQ, word, at);
			comparison(p, test);
		} else if (p->token == T_IN) {
			test = add_test(p, OP_IN, word, at);
			set(p, test);
		} else if (p->token == T_NOT) {
			test = add_test(p, OP_IN, word, at);
			test->negate = true;
			next_token(p);
			if (p->token != T_IN)
				expr_die(p->t, p->at,
					 "\"in\" is expected after FIELD \"not\"");
			set(p, test);
		} else {
			test = add_test(p, kind == T_STRING ? OP_EQ : OP_GLOB, "event", at);
			test->items = xcalloc(1, sizeof *test->items);
			test->nitems = 1;
			test->items[0].text = xstrdup(word);
		}
	}
	free(word);
	no_arithmetic(p);
	return add_node(p, N_TEST, (uint32_t)p->t->ntests - 1, 0);
}

static uint32_t or_node(struct parser *p);

static uint32_t
not_node(struct parser *p)
{
	uint32_t n;

	if (++p->depth > DEEPEST)
		expr_die(p->t, p->at, "nested more than %d deep", DEEPEST);
	if (p->token == T_NOT) {
		next_token(p);
		n = add_node(p, N_NOT, not_node(p), 0);
	} else if (p->token == T_OPEN) {
		size_t at = p->at;

		next_token(p);
		n = or_node(p);
		if (p->token != T_CLOSE)
			expr_die(p->t, p->token == T_END ? at : p->at,
				 p->token == T_END ? "this parenthesis is not closed"
						   : "\"and\", \"or\" or ) is expected");
		next_token(p);
	} else
		n = test_node(p);
	p->depth--;
	return n;
}

static uint32_t
and_node(struct parser *p)
{
	uint32_t n = not_node(p);

	while (p->token == T_AND) {
		next_token(p);
		n = add_node(p, N_AND, n, not_node(p));
	}
	return n;
}

static uint32_t
or_node(struct parser *p)
{
	uint32_t n = and_node(p);

	while (p->token == T_OR) {
		next_token(p);
		n = add_node(p, N_OR, n, and_node(p));
	}
	return n;
}

void
expr_tree_parse(struct expr_tree *t, const char *text, unsigned flags,
		expr_aggregate *aggregate)
{
	struct parser p = {.t = t};

	(void)flags;
	(void)aggregate;
	memset(t, 0, sizeof *t);
	t->text = xstrdup(text);
	next_token(&p);
	if (p.token == T_END)
		expr_die(t, 0, "the expression is empty");
	t->root = or_node(&p);
	if (p.token != T_END)
		expr_die(t, p.at,
			 p.token == T_CLOSE ? "this parenthesis was never opened" : JOINS);
	free(p.word);
}

void
expr_tree_free(struct expr_tree *t)
{
	for (size_t i = 0; i < t->ntests; i++) {
		struct test *test = t->tests[i];

		ere_free(test->re);
		for (size_t k = 0; k < test->nitems; k++) {
			free(test->items[k].text);
			free(test->items[k].to_text);
		}
		free(test->items);
		free(test->field);
		free(test->name);
		free(test);
	}
	free(t->tests);
	free(t->nodes);
	free(t->text);
}

void
expr_print_text(const char *text, FILE *f)
{
	char *shown = xcalloc(4, strlen(text) + 1);

	put_shown(shown, text, strlen(text));
	fputs(shown, f);
	free(shown);
}

static void
print_test(const struct test *t, FILE *f)
{
	static const char *const ops[] = {
	    "=", "<", "<=", ">", ">=", "~", "&", "in", "?", "glob"};

	expr_print_text(t->field, f);
	fprintf(f, " %s%s", t->negate ? "not " : "", ops[t->op]);
	for (size_t i = 0; i < t->nitems; i++) {
		fputs(i ? ", " : " ", f);
		expr_print_text(t->items[i].text, f);
		if (t->items[i].range) {
			fputs("..", f);
			expr_print_text(t->items[i].to_text, f);
		}
	}
	fputc('\n', f);
}

static void
print_node(const struct expr_tree *t, uint32_t n, int depth, FILE *f)
{
	const struct node *node = &t->nodes[n];

	fprintf(f, "%*s", 2 * depth + 2, "");
	switch (node->op) {
	case N_TEST: print_test(t->tests[node->left], f); return;
	case N_NOT: fputs("not\n", f); break;
	case N_AND: fputs("and\n", f); break;
	case N_OR: fputs("or\n", f); break;
	default: break;
	}
	print_node(t, node->left, depth + 1, f);
	if (node->op != N_NOT)
		print_node(t, node->right, depth + 1, f);
}

void
expr_tree_print(const struct expr_tree *t, FILE *f)
{
	fputs("expression\n", f);
	print_node(t, t->root, 0, f);
}
