/*
 * expr_parse.c - the grammar of expressions, in one pass.
 *
 * Tests and values have one grammar: what stands in a parenthesis is parsed once, and
 * whether it is a test or a value is known behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/expr_parser.h"

/* Parentheses, calls and `not` nest at most so deep: the parser calls itself. */
#define DEEPEST 200
#define BYTES_MOST (64u << 10)

/* What may stand behind a test. */
#define JOINS "\"and\" or \"or\" is expected"

/* An item of a relation as it was parsed; a relation has one, or what stands in { }. */
struct side {
	struct operand from, to;
	bool range;
};

struct sides {
	struct side *v;
	size_t n, cap;
};

static struct operand or_node(struct parser *p);

static uint32_t
push_args(struct parser *p, const struct operand *v, size_t n)
{
	struct expr_tree *t = p->t;
	uint32_t first = (uint32_t)t->nargs;

	t->args = grow(t->args, &t->argcap, t->nargs + n, sizeof *t->args);
	for (size_t i = 0; i < n; i++)
		t->args[t->nargs++] = v[i].node;
	return first;
}

/* A field alone stays one, whatever its name means elsewhere. */
static bool
plain_field(const struct parser *p, const struct operand *o)
{
	enum meaning m;

	if (o->group || (o->kind != O_WORD && o->kind != O_STRING))
		return false;
	m = o->kind == O_WORD ? word_meaning(p, o->word) : W_FIELD;
	return m == W_FIELD || m == W_GAP;
}

/* The operand as a value where fields are listed. */
static uint32_t
column_of(struct parser *p, const struct operand *o)
{
	if (plain_field(p, o))
		return field_value(p, o->word, o->at);
	return complete(p, value_of(p, o, false));
}

/* A parenthesis at `at` that the text opened, before whose end something else stands. */
static _Noreturn void
not_closed(struct parser *p, size_t at, const char *expected)
{
	if (p->lex.token == T_END)
		expr_die(p->t, at, "this parenthesis is not closed");
	misplaced(p, expected);
}

/* The arguments of a call, whose name was the token before: *n of them, to be freed. */
static struct operand *
arguments(struct parser *p, size_t *n)
{
	struct operand *v = NULL;
	size_t cap = 0, open = p->lex.at;

	*n = 0;
	lex_next(&p->lex);
	while (p->lex.token != T_CLOSE) {
		v = grow(v, &cap, *n + 1, sizeof *v);
		v[(*n)++] = or_node(p);
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

/* Whether the call whose parenthesis is at s has one argument at most. */
static bool
one_argument(const char *s)
{
	int depth = 0;

	for (; *s && !(depth == 1 && *s == ','); s++) {
		depth += *s == '(' || *s == '{' ? 1 : *s == ')' || *s == '}' ? -1 : 0;
		if (!depth)
			return true;
		if (*s == '"')
			for (s++; *s && *s != '"'; s++)
				s += *s == '\\' && s[1];
		if (!*s)
			return true;
	}
	return !*s;
}

static void
check_count(struct parser *p, const char *name, const char *args, size_t least, size_t most,
	    size_t n, size_t at)
{
	if (n >= least && n <= most)
		return;
	expr_die(p->t, at, "%s takes %s%zu argument%s: %s(%s)", name,
		 least == most ? ""
		 : n < least   ? "at least "
			       : "at most ",
		 n < least ? least : most, (n < least ? least : most) == 1 ? "" : "s", name,
		 args);
}

/* Makes what of the call is known before any event. */
static void
prepare(struct parser *p, struct node *node, const struct operand *v)
{
	const struct val **constant = xcalloc(node->n + 1, sizeof(void *));
	char why[200] = "";
	size_t wrong = 0;

	for (size_t i = 0; i < node->n; i++)
		if (p->t->nodes[v[i].node].op == N_CONST)
			constant[i] = &p->t->constants[p->t->nodes[v[i].node].left];
	if (!func_prepare(node->func, &node->call, constant, node->n, &wrong, why))
		expr_die(p->t, v[wrong].at, "%s", why);
	free(constant);
}

static uint32_t
call_function(struct parser *p, const struct func *f, struct operand *v, size_t n,
	      size_t at)
{
	bool is_if = !strcmp(f->name, "if"), joined = f->result == FUNC_JOINED;
	uint8_t measure = f->result;
	uint32_t node;

	check_count(p, f->name, f->args, f->least, f->most == 255 ? SIZE_MAX : f->most, n,
		    at);
	for (size_t i = 0; i < n; i++) {
		if (is_if && i == 0)
			v[i].node =
			    add_value(p, N_VALUE, test_of(p, &v[i]), M_PLAIN, v[i].at);
		else
			v[i].node = complete(p, value_of(p, &v[i], true));
		if (joined && !f->lazy)
			no_text(p, &v[i], f->name);
	}
	if (joined)
		measure = measure_joined(p, v + is_if, n - is_if, false);
	node = push_args(p, v, n);
	node = add_value(p, N_CALL, node, measure, at);
	p->t->nodes[node].n = (uint32_t)n;
	p->t->nodes[node].func = f;
	prepare(p, &p->t->nodes[node], v);
	return complete(p, node);
}

static uint32_t
call_total(struct parser *p, struct operand *v, size_t n, size_t at)
{
	uint32_t node;

	check_count(p, "total", "x", 1, 1, n, at);
	v->node = complete(p, value_of(p, v, true));
	no_text(p, v, "total");
	p->t->before = true;
	node = add_value(p, N_TOTAL, v->node, p->t->nodes[v->node].measure, at);
	p->t->nodes[node].right = p->t->ntotals++;
	return complete(p, node);
}

static uint32_t
call_aggregate(struct parser *p, int measure, size_t name, struct operand *v, size_t n,
	       size_t at)
{
	struct expr_tree *t = p->t;
	struct expr_agg agg = {.name = name, .n = (uint32_t)n};

	agg.text = arena_str(&t->mem, t->text + at, p->lex.behind - at);
	for (size_t i = 0; i < n; i++)
		v[i].node = column_of(p, &v[i]);
	measure &= ~AGGREGATE_OF_ROWS;
	if (measure == FUNC_JOINED)
		measure = n ? t->nodes[v->node].measure : M_PLAIN;
	agg.args = push_args(p, v, n);
	t->aggs = grow(t->aggs, &t->aggcap, t->naggs + 1, sizeof *t->aggs);
	t->aggs[t->naggs] = agg;
	return add_value(p, N_AGG, (uint32_t)t->naggs++, (uint8_t)measure, at);
}

static _Noreturn void
no_function(struct parser *p, const char *name, size_t at)
{
	unsigned least = (unsigned)(strlen(name) + 3) / 2, d;
	const char *near = NULL, *to;
	char list[200] = "";

	if (!strcmp(name, "-"))
		expr_die(p->t, at, "only numbers have a minus sign: write 0 - (...)");
	if (strspn(name, "+*/%") == strlen(name))
		expr_die(p->t, at, "a value is expected before %s", name);
	for (size_t i = 0; i == 0 || func_nth(i - 1); i++) {
		to = i ? func_nth(i - 1)->name : "total";
		d = name_distance(name, to);
		if (d < least) {
			least = d;
			near = to;
		}
		if (strlen(list) + strlen(to) + 2 < sizeof list)
			strcat(strcat(list, " "), to);
	}
	expr_die(p->t, at,
		 near ? "there is no function %s; there is %s"
		      : "there is no function %s; there are%s",
		 name, near ? near : list);
}

/* NAME(...): a function, total, or an aggregate. */
static struct operand
call(struct parser *p)
{
	struct operand o = {.kind = O_VALUE, .at = p->lex.at}, *v;
	const char *name = p->lex.word;
	size_t len = strlen(name), n;
	const struct func *f = func_find(name, len);
	expr_aggregate *aggregate = p->aggregate;
	int measure = aggregate ? aggregate(name, len, false) : -1;
	bool total = !f && !strcmp(name, "total");

	/* min and max are both: of one argument the aggregate. */
	if (f && measure >= 0 && !one_argument(p->t->text + p->lex.pos))
		measure = -1;
	if (!f && measure < 0 && !total)
		no_function(p, name, o.at);
	lex_next(&p->lex);
	if (measure >= 0 && !(measure & AGGREGATE_OF_ROWS))
		p->aggregate = NULL;
	v = arguments(p, &n);
	if (measure >= 0)
		o.node = call_aggregate(p, measure, len, v, n, o.at);
	else
		o.node =
		    total ? call_total(p, v, n, o.at) : call_function(p, f, v, n, o.at);
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
		o = or_node(p);
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

static struct operand
product(struct parser *p)
{
	struct operand o = primary(p), right;

	while (p->lex.token == T_ARITH && p->lex.how != VAL_ADD && p->lex.how != VAL_SUB) {
		enum val_op how = p->lex.how;
		size_t at = p->lex.at;

		lex_next(&p->lex);
		right = primary(p);
		o = arithmetic(p, how, &o, &right, at);
	}
	return o;
}

static struct operand
sum(struct parser *p)
{
	struct operand o = product(p), right;

	while (p->lex.token == T_ARITH &&
	       (p->lex.how == VAL_ADD || p->lex.how == VAL_SUB)) {
		enum val_op how = p->lex.how;
		size_t at = p->lex.at;

		lex_next(&p->lex);
		right = product(p);
		o = arithmetic(p, how, &o, &right, at);
	}
	return o;
}

static void
side(struct parser *p, struct sides *s, const char *missing, bool ranges)
{
	struct side one = {0};

	p->missing = missing;
	one.from = sum(p);
	if (ranges && p->lex.token == T_DOTS) {
		lex_next(&p->lex);
		p->missing = missing;
		one.to = sum(p);
		one.range = true;
	}
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = one;
}

static void
set(struct parser *p, struct sides *s, const char *missing)
{
	if (p->lex.token != T_BRACE)
		expr_die(p->t, p->lex.at, "{ is expected after \"in\"");
	do {
		lex_next(&p->lex);
		side(p, s, missing, true);
	} while (p->lex.token == T_COMMA);
	if (p->lex.token != T_UNBRACE)
		misplaced(p, ", or } is expected");
	lex_next(&p->lex);
}

/* Whether the left side is a field that stands alone; a number of a column. */
static bool
plain_left(const struct parser *p, const struct operand *o)
{
	return !o->group && (o->kind == O_STRING ||
			     (o->kind == O_WORD && word_meaning(p, o->word) == W_FIELD));
}

static bool
is_column(const struct operand *o)
{
	enum unit unit;

	return column_numeric(field_column(o->word, strlen(o->word)), &unit);
}

/* Whether the right side o of a plain field is a constant. A word beside a column of numbers
 * is one only if it looks like a number. */
static bool
is_constant(const struct operand *o, bool numbers)
{
	if (o->group || (o->kind != O_WORD && o->kind != O_STRING))
		return false;
	return o->kind == O_STRING ||
	       (strncmp(o->word, "prev.", 5) != 0 && (!numbers || word_numeric(o->word)));
}

/* One constant of a plain test: checked against the column, where that is a number. */
static void
plain_constant(struct parser *p, const struct test *test, const struct operand *o,
	       struct num *num, bool *is_num, char **text)
{
	enum unit unit;
	bool must = column_numeric(test->column, &unit);
	const char *why = "a number is expected";

	*is_num = o->kind == O_WORD && num_parse(o->word, strlen(o->word), true, num, &why);
	*text = xstrdup(o->word);
	if (strpbrk(o->word, "+*/%"))
		why = "a number is expected; arithmetic has blanks around its operators";
	if (must && !*is_num && test->op != OP_MATCH)
		expr_die(p->t, o->at, "%s: %s", o->word, why);
	if (must && *is_num && num->unit != UNIT_NONE && num->unit != unit)
		expr_die(p->t, o->at, "%s: %s is not measured in %s", o->word, test->field,
			 num->unit == UNIT_TIME ? "units of time" : "bytes");
}

static void
plain_items(struct parser *p, struct test *test, const struct sides *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct side *side = &s->v[i];
		struct item *it = &test->items[i];

		plain_constant(p, test, &side->from, &it->num, &it->is_num, &it->text);
		it->quoted = side->from.kind == O_STRING;
		it->range = side->range;
		it->node = it->to_node = NO_NODE;
		if (!it->range)
			continue;
		plain_constant(p, test, &side->to, &it->to_num, &it->to_is_num,
			       &it->to_text);
		if (it->is_num != it->to_is_num)
			expr_die(p->t, side->from.at,
				 "a range has two numbers or two words");
		if (it->is_num ? num_cmp(&it->num, &it->to_num) > 0
			       : strcmp(it->text, it->to_text) > 0)
			expr_die(p->t, side->from.at,
				 "the range is empty: its end is less than its beginning");
	}
	if (test->op == OP_BITS && test->items[0].is_num && test->items[0].num.nano)
		expr_die(p->t, test->value_at, "& takes a whole number");
}

/* A side of a computed test as a value; `words`: a word that is no number is a text. */
static uint32_t
side_value(struct parser *p, const struct operand *o, bool words)
{
	if (words && is_constant(o, false) &&
	    (o->kind == O_STRING || word_meaning(p, o->word) != W_NUMBER))
		return text_value(p, o->word, o->at);
	return complete(p, value_of(p, o, true));
}

static bool
is_text(const struct parser *p, uint32_t node)
{
	const struct node *n = &p->t->nodes[node];

	return n->op == N_CONST && n->measure == M_TEXT;
}

static void
computed_items(struct parser *p, struct test *test, const struct operand *left,
	       const struct sides *s, bool words)
{
	struct operand *v = xcalloc(2 * s->n + 1, sizeof *v);
	size_t n = 0;

	v[n] = *left;
	v[n++].node = complete(p, value_of(p, left, false));
	for (size_t i = 0; i < s->n; i++) {
		v[n] = s->v[i].from;
		v[n++].node = side_value(p, &s->v[i].from, words);
		if (!s->v[i].range)
			continue;
		v[n] = s->v[i].to;
		v[n++].node = side_value(p, &s->v[i].to, words);
	}
	if (test->op != OP_MATCH && test->op != OP_BITS)
		measure_joined(p, v, n, true);
	test->left = v[0].node;
	n = 1;
	for (size_t i = 0; i < s->n; i++) {
		struct item *it = &test->items[i];

		it->quoted = is_text(p, v[n].node);
		it->node = v[n++].node;
		it->range = s->v[i].range;
		it->to_node = it->range ? v[n++].node : NO_NODE;
		if (it->range && is_text(p, it->to_node) != it->quoted)
			expr_die(p->t, s->v[i].from.at,
				 "a range has two numbers or two words");
	}
	free(v);
}

static void
regular_expression(struct parser *p, struct test *test, const struct operand *o)
{
	char why[200];

	if (!is_constant(o, false))
		expr_die(p->t, o->at, "a regular expression is a word or a \"text\"");
	test->re = ere_new(o->word, why);
	if (!test->re)
		expr_die(p->t, o->at, "%s: %.200s", why, o->word);
}

/* The sides are known: whether the test is one of a plain field with constants. */
static struct operand
make_test(struct parser *p, enum test_op op, bool negate, const struct operand *left,
	  const struct sides *s, size_t value_at)
{
	bool field = plain_left(p, left),
	     numbers = field && op != OP_MATCH && is_column(left), plain = field;
	struct operand o = {.kind = O_TEST, .at = left->at};
	struct test *test;
	uint32_t number;

	for (size_t i = 0; i < s->n; i++)
		plain &= is_constant(&s->v[i].from, numbers) &&
			 (!s->v[i].range || is_constant(&s->v[i].to, numbers));
	test = add_test(p, op, plain ? left->word : NULL, NO_NODE, left->at);
	number = (uint32_t)p->t->ntests - 1;
	test->negate = negate;
	test->value_at = value_at;
	test->items = xcalloc(s->n, sizeof *test->items);
	test->nitems = test->cap = s->n;
	if (op == OP_MATCH)
		regular_expression(p, test, &s->v->from);
	if (plain)
		plain_items(p, test, s);
	else
		computed_items(p, test, left, s, field && !numbers);
	o.node = add_node(p, N_TEST, number, 0, left->at);
	return o;
}

/* sum op sum | sum [not] in {...} | sum */
static struct operand
relation(struct parser *p)
{
	struct operand left = sum(p);
	enum test_op op = OP_IN;
	bool negate = p->lex.token == T_NOT;
	struct sides s = {0};
	const char *missing;
	size_t value_at;

	if (p->lex.token != T_OP && p->lex.token != T_IN && p->lex.token != T_NOT)
		return left;
	if (left.kind == O_WORD && !left.group && word_meaning(p, left.word) == W_THERE)
		return left;
	missing = plain_left(p, &left) && is_column(&left) ? "a number is expected"
							   : "a value is expected";
	if (p->lex.token == T_OP) {
		op = p->lex.op;
		negate = p->lex.negate;
		lex_next(&p->lex);
		value_at = p->lex.at;
		side(p, &s, missing, false);
	} else {
		if (negate) {
			lex_next(&p->lex);
			if (p->lex.token != T_IN)
				expr_die(p->t, p->lex.at,
					 "\"in\" is expected after FIELD \"not\"");
		}
		lex_next(&p->lex);
		value_at = p->lex.at;
		set(p, &s, missing);
	}
	left = make_test(p, op, negate, &left, &s, value_at);
	free(s.v);
	return left;
}

static struct operand
not_node(struct parser *p)
{
	struct operand o;

	if (++p->depth > DEEPEST)
		expr_die(p->t, p->lex.at, "nested more than %d deep", DEEPEST);
	if (p->lex.token == T_NOT) {
		size_t at = p->lex.at;

		lex_next(&p->lex);
		o = not_node(p);
		o.node = add_node(p, N_NOT, test_of(p, &o), 0, at);
		o.kind = O_TEST;
		o.group = false;
		o.at = at;
	} else
		o = relation(p);
	p->depth--;
	return o;
}

/* Operands of `op` with `token` between, each parsed by `operand`. */
static struct operand
joined(struct parser *p, enum token token, enum node_op op,
       struct operand (*operand)(struct parser *))
{
	struct operand o = operand(p), right;

	while (p->lex.token == token) {
		size_t at = p->lex.at;

		o.node = test_of(p, &o);
		o.kind = O_TEST;
		o.group = false;
		lex_next(&p->lex);
		right = operand(p);
		o.node = add_node(p, op, o.node, test_of(p, &right), at);
	}
	return o;
}

static struct operand
and_node(struct parser *p)
{
	return joined(p, T_AND, N_AND, not_node);
}

static struct operand
or_node(struct parser *p)
{
	return joined(p, T_OR, N_OR, and_node);
}

/* Whether the word at hand names what follows: NAME = ... */
static bool
is_name(const struct lexer *l)
{
	const char *s = l->t->text + l->pos;

	s += strspn(s, " \t\n");
	return (l->token == T_WORD || l->token == T_STRING) && s[0] == '=' && s[1] != '=';
}

static void
define(struct parser *p, const char *name)
{
	uint32_t id = strtab_id(&p->names, name, strlen(name));

	p->defined = grow(p->defined, &p->defined_cap, id + 1, sizeof *p->defined);
	p->defined[id] = (uint32_t)p->t->nlets - 1;
}

/* What stands behind NAME =, or alone: l->root, and l->field of a plain field. */
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
		o = or_node(p);
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
	if (!l.label)
		l.label = l.field
			      ? l.field
			      : arena_str(&t->mem, t->text + l.at, p->lex.behind - l.at);
	t->lets = grow(t->lets, &t->letcap, t->nlets + 1, sizeof *t->lets);
	t->lets[t->nlets++] = l;
	if (p->let_name)
		define(p, p->let_name);
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
		expr_die(t, BYTES_MOST, "an expression has at most %u bytes", BYTES_MOST);
	lex_next(&p.lex);
	if (p.lex.token == T_END)
		expr_die(t, 0, "the expression is empty");
	if (flags & PARSE_LIST) {
		expected = "an operator or a comma is expected";
		for (let(&p); p.lex.token == T_COMMA; let(&p))
			lex_next(&p.lex);
	} else {
		o = or_node(&p);
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
			free(test->items[k].text);
			free(test->items[k].to_text);
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
}
