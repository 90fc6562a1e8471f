/*
 * computed.c - keys, arguments of aggregates and columns that are expressions.
 *
 * What is computed of an event becomes an argument of it, whose name no input can have; the
 * rest of the statistics see an argument like others. What is computed of a row is
 * evaluated when it is written: see columns.h in report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/computed.h"

/* Of a list that is parsed as it always was: names, and calls with names and numbers. */
static bool
is_plain(const char *list, bool calls)
{
	bool inside = false;

	for (const char *s = list; *s; s++) {
		if (strchr(" \t\n={}<>!~&\"", *s) || (*s == '(' && (!calls || inside)))
			return false;
		inside = *s == '(' || (inside && *s != ')');
	}
	return true;
}

bool
keys_plain(const char *keys)
{
	return is_plain(keys, false);
}

bool
aggregates_plain(const char *list)
{
	return is_plain(list, true);
}

size_t
item_length(const char *s)
{
	bool quoted = false;
	int depth = 0;
	size_t n = 0;

	for (; s[n] && (s[n] != ',' || depth > 0 || quoted); n++) {
		if (s[n] == '"')
			quoted = !quoted;
		else if (quoted)
			n += s[n] == '\\' && s[n + 1];
		else
			depth += s[n] == '(' || s[n] == '{'   ? 1
				 : s[n] == ')' || s[n] == '}' ? -1
							      : 0;
	}
	return n;
}

/* s[0..n) without the blanks at its ends. */
static struct span
trimmed(const char *s, size_t n)
{
	while (n && strchr(" \t\n", *s))
		s++, n--;
	while (n && strchr(" \t\n", s[n - 1]))
		n--;
	return (struct span){(const uint8_t *)s, n};
}

const char *
computed_field(struct spec *p, const char *s, size_t n)
{
	struct span text = trimmed(s, n);
	struct computed *c;
	size_t i;

	for (i = 0; i < p->ncomputed; i++)
		if (strlen(p->computed[i].text) == text.n &&
		    !memcmp(p->computed[i].text, text.p, text.n))
			return p->computed[i].name;
	p->computed = grow(p->computed, &p->computed_cap, i + 1, sizeof *p->computed);
	c = &p->computed[p->ncomputed++];
	c->text = xcalloc(text.n + 1, 1);
	memcpy(c->text, text.p, text.n);
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
			field = computed_field(p, s + skip, n - skip);
		spec_key(p, field, strlen(field));
		p->key_label[p->nkeys - 1] = xstrdup(let->label);
		s += n + (s[n] != '\0');
	}
	exprs_free(l);
}

/* The text of an aggregate of events, as spec_agg takes it: without blanks, and with the name
 * of a field for what is computed. To be freed. */
static char *
plain_aggregate(struct spec *p, const struct expr_agg *agg)
{
	const char *s = agg->text + agg->name, *end = agg->text + strlen(agg->text);
	struct buf b = {0};
	bool first = strncmp(agg->text, "unaligned", agg->name) != 0 &&
		     strncmp(agg->text, "footprint", agg->name) != 0;

	buf_add(&b, agg->text, agg->name);
	s += strspn(s, " \t\n");
	if (*s == '(') {
		buf_byte(&b, '(');
		for (s++; s < end; first = false) {
			size_t n = item_length(s) < (size_t)(end - s) ? item_length(s)
								      : (size_t)(end - s);
			struct span arg;

			n -= s + n == end; /* its parenthesis */
			arg = trimmed(s, n);
			if (first && strcspn((const char *)arg.p, " \t\n(){}=<>!~&,\"") < arg.n) {
				const char *name = computed_field(p, s, n);

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

/* The number of an aggregate of events among those of p, which has it from now on. */
static size_t
aggregate_of(struct spec *p, const struct expr_agg *agg)
{
	char *plain = plain_aggregate(p, agg);
	size_t i = 0;

	while (i < p->naggs && strcmp(p->agg[i].plain, plain) != 0)
		i++;
	if (i == p->naggs)
		spec_agg(p, plain, strlen(plain), agg->text);
	free(plain);
	return i;
}

static int
measure_of(const char *name, size_t n, bool bare)
{
	return spec_measure(name, n, bare);
}

bool
aggregate_of_rows(const struct expr_agg *agg)
{
	return spec_measure(agg->text, agg->name, false) & AGGREGATE_OF_ROWS &&
	       agg->n > 0;
}

void
computed_columns(struct spec *p, const char *list)
{
	const struct expr_tree *t;

	p->rows = exprs_parse(list, PARSE_GAP, measure_of);
	t = exprs_tree(p->rows);
	p->agg_of = xcalloc(t->naggs + 1, sizeof *p->agg_of);
	for (size_t i = 0; i < t->naggs; i++)
		if (!aggregate_of_rows(&t->aggs[i]))
			p->agg_of[i] = aggregate_of(p, &t->aggs[i]);
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
