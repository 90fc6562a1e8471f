/* operand.c - the meanings of words in an expression: constants, fields, events, aggregates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

bool
column_numeric(enum field_kind k, enum unit *unit)
{
	*unit = k == FIELD_ADDR || k == FIELD_SIZE ? UNIT_SIZE : UNIT_TIME;
	return *unit == UNIT_SIZE || field_is_time(k);
}

/* Returns the quantity that a field measures. */
static uint8_t
field_measure(const char *name)
{
	enum field_kind k = field_column(name, strlen(name));
	enum unit unit;

	if (column_numeric(k, &unit))
		return unit == UNIT_SIZE ? M_NUMBER : M_TIME;
	return k == FIELD_LOC || k == FIELD_EVENT ? M_TEXT : M_PLAIN;
}

#define PREV "prev."

static uint32_t
test_node(struct parser *p, size_t at)
{
	return add_node(p, N_TEST, (uint32_t)p->t->ntests - 1, 0, at);
}

/* Returns the value of a number that is typed as a constant. */
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

/* Returns true if a number has at most nine decimals once its exponent is applied. */
static bool
nine_places(const char *word)
{
	const char *point = strchr(word, '.'), *e = strpbrk(word, "eE");
	long places = point ? (long)strspn(point + 1, "0123456789") : 0;

	return places - (e ? strtol(e + 1, NULL, 10) : 0) <= 9;
}

bool
word_constant(const char *word, struct val *v, uint8_t *measure, bool *timed)
{
	size_t n = strlen(word);
	char room[64];
	struct num num;

	*timed = false;
	*measure = M_PLAIN;
	if (!word_numeric(word))
		return false;
	/* +4K means 4K, and .5 means 0.5. */
	word += *word == '+';
	if (word[*word == '-'] == '.' && n < sizeof room - 1) {
		snprintf(room, sizeof room, "%s0%s", *word == '-' ? "-" : "",
			 word + (*word == '-'));
		word = room;
	}
	n = strlen(word);
	*v = val_exact(word, n);
	if (v->kind == VAL_REAL && nine_places(word) &&
	    num_parse(word, n, NUM_BARE, &num, NULL))
		*v = num_val(&num); /* 1e6 is a whole number */
	if (v->kind != VAL_TEXT)
		return true;
	if (n > 2 && !strcmp(word + n - 2, "/s")) {
		*timed = true;
		*measure = M_NUMBER;
		if (!num_parse(word, n - 2, NUM_TYPED, &num, NULL) || num.unit == UNIT_TIME)
			return false;
	} else if (!num_parse(word, n, NUM_TYPED, &num, NULL))
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
	const char *why = "a number is expected", *op;
	struct val v;
	uint8_t measure;
	bool timed;
	struct num num;

	if (word_constant(word, &v, &measure, &timed) && measure == M_NUMBER)
		return "compare a rate only with a rate";
	if (strspn(word, "0123456789") == 4 && word[4] == '-')
		return "compare a date only with time or end, and write time or end first";
	if (!word_numeric(word))
		return why;
	op = strpbrk(word + 1, "+*/%");
	if (op && op[1])
		return why;
	num_parse(word, strlen(word), NUM_TYPED, &num, &why);
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

/* Returns the number of the field in fields[], to which it is added if it is new. */
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

/* Returns true if the name is an earlier definition, or, if aggregates are allowed, an earlier column. Sets *let
 * to its number. */
static bool
is_let(const struct parser *p, const char *name, uint32_t *let)
{
	uint32_t id;

	if ((!(p->flags & PARSE_DEFINES) && !p->aggregate) ||
	    !strtab_find(&p->names, name, strlen(name), &id))
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
	return word_constant(word, &v, &measure, &timed) ? W_NUMBER : W_FIELD;
}

static uint32_t
let_value(struct parser *p, uint32_t let, size_t at)
{
	const struct expr_let *l = &p->t->lets[let];

	if (l->root == NO_NODE)
		expr_die(p->t, at, "%s was dropped by %s =", l->name, l->name);
	p->t->named = true;
	return add_value(p, N_LET, let, p->t->nodes[l->root].measure, at);
}

/* Adds the value prev.NAME. there: only its presence is asked for. */
static uint32_t
prev_value(struct parser *p, const char *name, bool there, size_t at)
{
	const char *own = p->let_name;
	uint32_t n, let;

	if (own && !strcmp(own, name))
		/* It is not known yet what the definition measures. */
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

/* Adds the test NAME?. */
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

/* Adds the value time - prev.time. */
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

	word_constant(word, &v, &measure, &timed);
	if (timed && !p->t->has_time) {
		p->t->has_time = true;
		p->t->time_text = arena_str(&p->t->mem, word, strlen(word));
	}
	return constant_value(p, val_narrow(&v), measure, at);
}

void
as_compared(struct parser *p, const struct operand *o, uint32_t node)
{
	struct node *n = &p->t->nodes[node];
	uint8_t measure;
	bool timed;

	if (n->op == N_FIELD)
		n->variant = 1;
	else if (n->op == N_CONST && o->kind == O_WORD && !o->group)
		word_constant(o->word, &p->t->constants[n->left], &measure, &timed);
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
	/* In a computed value, a field with such a name needs quotes. */
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

/* Returns the meaning of an operand that is a word or a string. */
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
	/* For example: asu = 1 or 2 */
	if (m == W_NUMBER)
		expr_die(p->t, o->at,
			 "a test is expected, but %s is a number; write FIELD in {1, 2}, "
			 "or \"%s\" for an event",
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

uint32_t
aggregate_value(struct parser *p, int measure, char *text, size_t name, struct operand *v,
		size_t n, size_t at)
{
	struct expr_tree *t = p->t;
	struct expr_agg agg = {.text = text, .name = name, .n = (uint32_t)n};

	for (size_t i = 0; i < n; i++)
		v[i].node = column_of(p, &v[i]);
	measure &= ~AGGREGATE_OF_ROWS;
	if (measure == FUNC_JOINED)
		measure = n ? t->nodes[v->node].measure : M_PLAIN;
	agg.args = push_args(p, v, n);
	*PUSH(t->aggs, t->naggs, t->aggcap) = agg;
	return add_value(p, N_AGG, (uint32_t)t->naggs - 1, (uint8_t)measure, at);
}
