/* relation.c - relations: tests of a plain field with constants, and computed tests. */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "expr/parser.h"

/* Returns true if the left side is a field alone. */
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

bool
relation_of_number(const struct parser *p, const struct operand *left)
{
	return plain_left(p, left) && is_column(left);
}

/* Returns true if the right side o of a plain field is a constant. For a column of numbers, a word is a constant
 * only if it looks like a number. */
static bool
is_constant(const struct operand *o, bool numbers)
{
	if (o->group || (o->kind != O_WORD && o->kind != O_STRING))
		return false;
	return o->kind == O_STRING ||
	       (strncmp(o->word, "prev.", 5) != 0 && (!numbers || word_numeric(o->word)));
}

/* Returns true if a relation compares the order of its sides, as a range does. */
static bool
asks_order(enum test_op op, bool range)
{
	return range || (op >= OP_LT && op <= OP_GE);
}

/* Reads o as a date. A date may be compared with time or end, or, in order, with an argument. Returns false if o
 * is no such date. Dies if a date is malformed. */
static bool
take_date(struct parser *p, const struct test *test, const struct operand *o, bool ordered,
	  struct item_end *to)
{
	bool time = test->column == FIELD_TIME || test->column == FIELD_END;
	enum unit unit;
	const char *why;
	uint64_t date;
	size_t n = strlen(o->word);

	if ((o->kind != O_WORD && !time) || test->op == OP_MATCH || !(time || ordered) ||
	    (!time && column_numeric(test->column, &unit)) ||
	    strspn(o->word, "0123456789") != 4 || o->word[4] != '-')
		return false;
	why = date_ns((const uint8_t *)o->word, n, true, &date);
	if (why)
		expr_die(p->t, o->at, "%s: %s", o->word, why);
	if (time)
		p->t->date_text = arena_str(&p->t->mem, o->word, n);
	to->val = (struct val){.kind = VAL_DECIMAL, .n = i128_u64(date)};
	to->unit = UNIT_DATE;
	return true;
}

/* Reports that the word o, which is compared in order with a field, is neither a number nor a date, and exits. */
static void
need_number(const struct parser *p, const struct operand *o)
{
	if (word_numeric(o->word))
		expr_die(p->t, o->at, "%s: %s (a text needs double quotes: \"%s\")",
			 o->word, word_fault(o->word), o->word);
	expr_die(p->t, o->at,
		 "%s: a number is expected; write \"%s\" for a text, or (%s) for a field",
		 o->word, o->word, o->word);
}

/* Reads a constant of a plain test into *to. Dies if the column is a number and the constant does not fit it. */
static void
plain_constant(struct parser *p, const struct test *test, const struct operand *o,
	       bool ordered, struct item_end *to)
{
	enum unit unit;
	bool must = column_numeric(test->column, &unit), timed = false;
	uint8_t measure = M_PLAIN;

	to->text = xstrdup(o->word);
	to->is_num = take_date(p, test, o, ordered, to);
	if (to->is_num)
		return;
	to->is_num =
	    o->kind == O_WORD && word_constant(o->word, &to->val, &measure, &timed);
	if (must && (!to->is_num || (measure == M_NUMBER && timed)) && test->op != OP_MATCH)
		expr_die(p->t, o->at, "%s: %s", o->word,
			 o->kind == O_STRING ? "a number is expected"
					     : word_fault(o->word));
	if (!to->is_num && ordered && o->kind == O_WORD)
		need_number(p, o);
	if (!to->is_num || measure == M_PLAIN)
		return;
	to->unit = measure == M_TIME ? UNIT_TIME : UNIT_SIZE;
	if (measure == M_TIME)
		to->val.kind = VAL_DECIMAL;
	if (must && to->unit != unit)
		expr_die(p->t, o->at, "%s: %s is not measured in %s", o->word, test->field,
			 to->unit == UNIT_TIME ? "units of time" : "bytes");
}

static void
plain_items(struct parser *p, struct test *test, const struct sides *s)
{
	uint64_t bits;

	for (size_t i = 0; i < s->n; i++) {
		const struct relation_side *side = &s->v[i];
		struct item *it = &test->items[i];
		struct item_end *from = &it->from, *to = &it->to;

		bool ordered = asks_order(test->op, side->range);

		plain_constant(p, test, &side->from, ordered, from);
		it->quoted = side->from.kind == O_STRING && !from->is_num;
		it->range = side->range;
		it->node = it->to_node = NO_NODE;
		if (!it->range)
			continue;
		plain_constant(p, test, &side->to, ordered, to);
		if (from->is_num != to->is_num)
			expr_die(p->t, side->from.at,
				 "a range needs two numbers or two words");
		if ((from->unit == UNIT_DATE) != (to->unit == UNIT_DATE))
			expr_die(p->t, side->from.at, "a range needs two dates or none");
		if (from->is_num ? val_cmp(&from->val, &to->val) == VAL_GREATER
				 : strcmp(from->text, to->text) > 0)
			expr_die(p->t, side->from.at,
				 "the range is empty: its end is less than its beginning");
	}
	if (test->op == OP_BITS && test->items->from.is_num &&
	    !val_bits(&test->items->from.val, &bits))
		expr_die(p->t, s->v->from.at, "& takes a whole number");
}

/* Returns the node of a side of a computed test. words: a word that is no number is a text. */
static uint32_t
side_value(struct parser *p, const struct operand *o, bool words, bool ordered)
{
	bool number = o->kind == O_WORD && word_meaning(p, o->word) == W_NUMBER;
	uint32_t node;

	if (words && is_constant(o, false) && !number) {
		if (ordered && o->kind == O_WORD)
			need_number(p, o);
		return text_value(p, o->word, o->at);
	}
	node = complete(p, value_of(p, o, true));
	as_compared(p, o, node);
	return node;
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
	bool texts = s->n > 0;
	size_t n = 0;

	v[n] = *left;
	v[n].node = complete(p, value_of(p, left, false));
	as_compared(p, left, v[n++].node);
	for (size_t i = 0; i < s->n; i++) {
		v[n] = s->v[i].from;
		v[n++].node = side_value(p, &s->v[i].from, words,
					 asks_order(test->op, s->v[i].range));
		if (!s->v[i].range)
			continue;
		v[n] = s->v[i].to;
		v[n++].node = side_value(p, &s->v[i].to, words, true);
	}
	for (size_t i = 1; i < n; i++) {
		texts &= is_text(p, v[i].node);
		as_number(p, &v[i]);
	}
	if (!texts && test->op != OP_MATCH)
		as_number(p, v);
	if (test->op != OP_MATCH && test->op != OP_BITS)
		measure_joined(p, v, n, 1);
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
				 "a range needs two numbers or two words");
	}
	/* A field that is compared with texts is taken as it is in a stream, as in a plain test. */
	if ((texts || test->op == OP_MATCH) && p->t->nodes[test->left].op == N_FIELD)
		p->t->nodes[test->left].op = N_TEXT;
	free(v);
}

struct operand
relation_test(struct parser *p, enum test_op op, bool negate, const struct operand *left,
	      const struct sides *s)
{
	bool field = plain_left(p, left),
	     numbers = field && op != OP_MATCH && is_column(left), plain = field;
	struct operand o = {.kind = O_TEST, .at = left->at};
	const struct operand *re = &s->v->from;
	struct test *test;
	char why[200];
	uint32_t number;

	for (size_t i = 0; i < s->n; i++)
		plain &= is_constant(&s->v[i].from, numbers) &&
			 (!s->v[i].range || is_constant(&s->v[i].to, numbers));
	test = add_test(p, op, plain ? left->word : NULL, NO_NODE, left->at);
	number = (uint32_t)p->t->ntests - 1;
	test->negate = negate;
	test->items = xcalloc(s->n, sizeof *test->items);
	test->nitems = s->n;
	if (op == OP_MATCH) {
		if (!is_constant(re, false))
			expr_die(p->t, re->at,
				 "a regular expression must be a word or a \"text\"");
		test->re = ere_new(re->word, why);
		if (!test->re)
			expr_die(p->t, re->at, "%s: %.200s", why, re->word);
	}
	if (plain)
		plain_items(p, test, s);
	else
		computed_items(p, test, left, s, op == OP_MATCH || (field && !numbers));
	o.node = add_node(p, N_TEST, number, 0, left->at);
	return o;
}
