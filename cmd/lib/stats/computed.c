/*
 * computed.c - keys, arguments of aggregates, and columns that are expressions.
 *
 * A value that is computed for each event becomes a field with a name that no input can have; its values are kept
 * by the number of the event (stats_made.c). Values that are computed for a row are evaluated when the row is
 * written: see summary/row_values.h.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/accumulator.h"
#include "stats/computed.h"

/* Returns true if a list has only plain items: names, and, if `calls`, calls with names and numbers. */
static bool
is_plain_list(const char *list, bool calls)
{
	bool inside = false;

	for (const char *s = list; *s; s++) {
		if (strchr(" \t\n={}<>!~&\"", *s) || (*s == '(' && (!calls || inside)))
			return false;
		inside = *s == '(' || (inside && *s != ')');
	}
	return true;
}

/* Returns true if the word that s begins with is no field, but prev.NAME, nth or a number. */
static bool
no_field(const char *s)
{
	const char *digit = s + strspn(s, "+-.");

	return !strncmp(s, "prev.", 5) ||
	       (!strncmp(s, "nth", 3) && (!s[3] || strchr(",)", s[3]))) ||
	       (*digit >= '0' && *digit <= '9');
}

/* Returns true if the argument of the aggregate is a unit. */
static bool
takes_unit(const char *name, size_t n)
{
	uint64_t part;
	const struct aggregate *is = aggregate_named(name, n, &part);

	return is && is->column && is->arg;
}

bool
keys_plain(const char *keys)
{
	for (const char *s = keys; *s; s += item_length(s), s += *s == ',')
		if (no_field(s))
			return false;
	return is_plain_list(keys, false);
}

bool
aggregates_plain(const char *list)
{
	for (const char *s = list; *s; s += item_length(s), s += *s == ',') {
		size_t n = strcspn(s, "(,");
		int measure = spec_measure(s, n, false);

		if ((measure >= 0 && measure & AGGREGATE_OF_ROWS) ||
		    (s[n] == '(' && no_field(s + n + 1) && !takes_unit(s, n)))
			return false;
	}
	return is_plain_list(list, true);
}

/* Returns s[0..n) without blanks at both ends. */
static struct span
trimmed(const char *s, size_t n)
{
	while (n && strchr(" \t\n", *s))
		s++, n--;
	while (n && strchr(" \t\n", s[n - 1]))
		n--;
	return (struct span){(const uint8_t *)s, n};
}

/* Returns the name of the computed field with the expression s[0..n), which is added if it is new. time: its
 * values are times. */
static const char *
computed_field(struct spec *p, const char *s, size_t n, bool time)
{
	struct span text = trimmed(s, n);
	struct computed *c;
	size_t i;

	for (i = 0; i < p->ncomputed; i++)
		if (strlen(p->computed[i].text) == text.n &&
		    !memcmp(p->computed[i].text, text.p, text.n))
			return p->computed[i].name;
	c = PUSH(p->computed, p->ncomputed, p->computed_cap);
	c->text = xcalloc(text.n + 1, 1);
	memcpy(c->text, text.p, text.n);
	c->time = time;
	snprintf(c->name, sizeof c->name, COMPUTED "%zu", i);
	return c->name;
}

void
computed_keys(struct spec *p, const char *keys)
{
	struct exprs *l = exprs_parse(keys, PARSE_GAP, NULL);
	const struct expr_tree *t = exprs_tree(l);
	const char *s = keys;

	if (t->nlets > SPEC_KEYS)
		die("-g %s: too many keys", keys);
	for (size_t i = 0; i < t->nlets; i++) {
		const struct expr_let *let = &t->lets[i];
		size_t n = item_length(s), skip = let->name ? strcspn(s, "=") + 1 : 0;
		const char *field = let->field;

		if (!field)
			field = computed_field(p, s + skip, n - skip,
					       t->nodes[let->root].measure == M_TIME);
		spec_key(p, field, strlen(field));
		p->key_label[p->nkeys - 1] = xstrdup(let->label);
		s += n + (s[n] != '\0');
	}
	exprs_free(l);
}

/* Returns the text of the test if *arg is if(TEST, NAME), or, for count, if(TEST, 1), and sets *arg to NAME; else
 * NULL. The field is then counted for the events that pass the test, without a computed field. The caller frees
 * the text. */
static char *
conditional(const struct expr_agg *agg, struct span *arg)
{
	const char *s = (const char *)arg->p, *test = s + 3, *name;
	size_t n = arg->n, ntest, nname;
	struct span field;

	if (n < 4 || memcmp(s, "if(", 3) != 0 || s[n - 1] != ')')
		return NULL;
	ntest = item_length(test);
	name = test + ntest + 1;
	if (name >= s + n)
		return NULL;
	nname = item_length(name);
	if (name + nname < s + n - 1)
		return NULL;
	field = trimmed(name, (size_t)(s + n - 1 - name));
	if (field.n == 1 && *field.p == '1' && agg->name == 5 &&
	    !memcmp(agg->text, "count", 5))
		field = (struct span){(const uint8_t *)".event", 6};
	else if (!field.n || no_field((const char *)field.p) ||
		 (field.n == 3 && !memcmp(field.p, "gap", 3)) ||
		 strcspn((const char *)field.p, " \t\n(){}=<>!~&,|\"+-*/%") < field.n)
		return NULL;
	*arg = field;
	return xstrndup(test, ntest);
}

/* Returns the text of an aggregate of events in the form of spec_agg: without blanks, and with the names of
 * computed fields for expressions. Sets *when to a test that all its events must pass, or leaves NULL. The caller
 * frees both. */
static char *
plain_aggregate(struct spec *p, const struct expr_tree *t, const struct expr_agg *agg,
		char **when)
{
	const char *s = agg->text + agg->name, *end = agg->text + strlen(agg->text);
	struct buf b = {0};
	bool first = !takes_unit(agg->text, agg->name);

	buf_add(&b, agg->text, agg->name);
	s += strspn(s, " \t\n");
	if (*s == '(') {
		buf_byte(&b, '(');
		for (s++; s < end; first = false) {
			size_t n = item_length(s) < (size_t)(end - s) ? item_length(s)
								      : (size_t)(end - s);
			struct span arg;

			n -= s + n == end; /* the closing parenthesis */
			arg = trimmed(s, n);
			if (!*when && (*when = conditional(agg, &arg)))
				;
			else if (first && (no_field((const char *)arg.p) ||
					   strcspn((const char *)arg.p,
						   " \t\n(){}=<>!~&,\"") < arg.n)) {
				bool time = t->nodes[t->args[agg->args]].measure == M_TIME;
				const char *name = computed_field(p, s, n, time);

				arg = (struct span){(const uint8_t *)name, strlen(name)};
			}
			buf_add(&b, arg.p, arg.n);
			s += n + 1;
			buf_byte(&b, s < end ? ',' : ')');
		}
	}
	buf_byte(&b, '\0');
	return (char *)b.p;
}

/* Returns the number of an aggregate of events in p, to which it is added if it is new. */
static size_t
aggregate_of(struct spec *p, const struct expr_tree *t, const struct expr_agg *agg)
{
	char *when = NULL, *plain = plain_aggregate(p, t, agg, &when);
	size_t i = 0;

	for (; i < p->naggs; i++) {
		const struct agg *a = &p->agg[i];

		if (!strcmp(a->plain, plain) &&
		    same_events(a->col < 0 ? NULL : p->col[a->col].when, when))
			break;
	}
	if (i == p->naggs)
		spec_agg(p, plain, strlen(plain), agg->text, when);
	free(plain);
	free(when);
	return i;
}

bool
aggregate_of_rows(const struct expr_agg *agg)
{
	return spec_measure(agg->text, agg->name, false) & AGGREGATE_OF_ROWS && agg->n > 0;
}

uint32_t
row_column(const struct expr_tree *tree, const struct expr_agg *agg)
{
	const struct node *arg = &tree->nodes[tree->args[agg->args]];

	if (arg->op == N_LET)
		return arg->left;
	for (uint32_t i = 0; arg->op == N_FIELD && i < tree->nlets; i++)
		if (!strcmp(tree->lets[i].label, tree->fields[arg->left].name))
			return i;
	return UINT32_MAX;
}

/* Flags of a node: the value of a row depends on it; it is within all() or most(). */
enum {
	NEEDED = 1,
	OF_ROWS = 2
};

/* Marks the operands of node n as n is marked. */
static void
mark_operands(const struct expr_tree *t, const struct node *n, uint8_t *mark)
{
	uint8_t as = mark[n - t->nodes];
	uint32_t operand, column;

	for (size_t at = 0; (operand = node_operand(t, n, &at)) != NO_NODE;)
		mark[operand] |= as;
	if (n->op == N_LET)
		mark[t->lets[n->left].root] |= as;
	if (n->op != N_AGG || !aggregate_of_rows(&t->aggs[n->left]))
		return;
	if (as & OF_ROWS)
		expr_die(t, n->at, "all and most cannot take columns with all or most");
	column = row_column(t, &t->aggs[n->left]);
	mark[column != UINT32_MAX ? t->lets[column].root
				  : t->args[t->aggs[n->left].args]] |= NEEDED | OF_ROWS;
}

/* Dies if a column uses fields of events outside of an aggregate. */
static void
check_rows(const struct expr_tree *t)
{
	/* an arena, so that leak checkers find it reachable after die() */
	struct arena mem = {0};
	uint8_t *mark = arena_zeros(&mem, t->nnodes + 1);

	for (size_t i = 0; i < t->nlets; i++)
		mark[t->lets[i].root] = NEEDED;
	/* Two rounds, because most(NAME) may name a later column. */
	for (size_t k = 2 * t->nnodes; k-- > 0;) {
		size_t i = k % t->nnodes;
		const struct node *n = &t->nodes[i];
		const char *field = NULL;

		if (!mark[i])
			continue;
		mark_operands(t, n, mark);
		if (n->op == N_FIELD)
			field = t->fields[n->left].name;
		else if (n->op == N_TEST && t->tests[n->left]->field)
			field = t->tests[n->left]->field;
		if (field)
			expr_die(t, n->at,
				 "%s is a field of single events; use an aggregate, such "
				 "as sum(%s)",
				 field, field);
		if (n->op == N_PREV || n->op == N_NTH || n->op == N_TOTAL)
			expr_die(t, n->at,
				 "a row has no previous event: write prev, nth and total "
				 "inside an aggregate");
	}
	arena_free(&mem);
}

void
computed_columns(struct spec *p, const char *list)
{
	const struct expr_tree *t;

	p->rows = exprs_parse(list, PARSE_GAP, spec_measure);
	t = exprs_tree(p->rows);
	check_rows(t);
	p->agg_of = xcalloc(t->naggs + 1, sizeof *p->agg_of);
	for (size_t i = 0; i < t->naggs; i++)
		if (!aggregate_of_rows(&t->aggs[i]))
			p->agg_of[i] = aggregate_of(p, t, &t->aggs[i]);
	for (size_t i = 0; i < t->nlets; i++) {
		const struct expr_let *let = &t->lets[i];
		const struct node *root = &t->nodes[let->root];
		struct shown *out = spec_show(p, let->label);

		out->row = i;
		out->plain = root->op == N_AGG && !aggregate_of_rows(&t->aggs[root->left]);
		if (out->plain)
			out->agg = p->agg_of[root->left];
	}
}
