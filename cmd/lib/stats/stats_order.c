/* stats_order.c - sorts groups by their keys. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/stats.h"

/* A text to sort: numbers come first, by value; then other texts, with runs of digits by value; an absent value
 * comes last. */

struct sort_key {
	const char *s;
	struct num num;
	bool is_num, absent;
	uint32_t id;
};

int
natural_order(const char *x, const char *y)
{
	const char *a = x, *b = y;

	while (*a && *b) {
		size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");

		if (na && nb) {
			size_t za = strspn(a, "0"), zb = strspn(b, "0");
			int c;

			za = za < na ? za : na - 1;
			zb = zb < nb ? zb : nb - 1;
			if (na - za != nb - zb)
				return na - za < nb - zb ? -1 : 1;
			c = memcmp(a + za, b + zb, na - za);
			if (c)
				return c;
			a += na;
			b += nb;
		} else if (*a != *b)
			return (uint8_t)*a < (uint8_t)*b ? -1 : 1;
		else {
			a++;
			b++;
		}
	}
	return *a ? 1 : *b ? -1 : strcmp(x, y);
}

/* Returns a number below, equal to or above 0 if a is less than, equal to or greater than b. Ignores units. */
static int
num_cmp(const struct num *a, const struct num *b)
{
	bool aneg = a->neg && (a->whole || a->nano), bneg = b->neg && (b->whole || b->nano);
	int c;

	if (aneg != bneg)
		return aneg ? -1 : 1;
	c = a->whole != b->whole ? (a->whole < b->whole ? -1 : 1)
	    : a->nano != b->nano ? (a->nano < b->nano ? -1 : 1)
				 : 0;
	return aneg ? -c : c;
}

static int
text_cmp(const void *x, const void *y)
{
	const struct sort_key *a = x, *b = y;
	int c;

	if (a->is_num != b->is_num)
		return a->is_num ? -1 : 1;
	if (a->absent != b->absent)
		return a->absent ? 1 : -1;
	c = a->is_num ? num_cmp(&a->num, &b->num) : natural_order(a->s, b->s);
	return c ? c : strcmp(a->s, b->s);
}

/* Sorts v by the upper halves of its words; equal ones keep their order. `spare` has room for n words. */
static void
sort_words(uint64_t *v, uint64_t *spare, uint32_t n)
{
	uint32_t place[4][256] = {{0}};
	uint64_t *from = v, *to = spare, *swap;

	for (uint32_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++)
			place[k][v[i] >> (32 + 8 * k) & 255]++;
	for (unsigned k = 0; k < 4 && n; k++) {
		unsigned shift = 32 + 8 * k;
		uint32_t at = 0;

		if (place[k][v[0] >> shift & 255] == n)
			continue;
		for (unsigned digit = 0; digit < 256; digit++) {
			uint32_t these = place[k][digit];

			place[k][digit] = at;
			at += these;
		}
		for (uint32_t i = 0; i < n; i++)
			to[place[k][from[i] >> shift & 255]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

/* Sorts v by the values whose indexes are in the lower halves, as unsigned numbers after an exclusive or with
 * flip. */
static void
sort_values(uint64_t *v, uint64_t *spare, uint32_t n, const uint64_t *value, uint64_t flip)
{
	for (unsigned shift = 0; shift < 64; shift += 32) {
		for (uint32_t i = 0; i < n; i++)
			v[i] =
			    (value[(uint32_t)v[i]] ^ flip) >> shift << 32 | (uint32_t)v[i];
		sort_words(v, spare, n);
	}
}

/* Returns the numbers of a table in order, *n of them. The caller frees the array, which has room for all values. */
static uint64_t *
sorted_numbers(const struct keytab *t, uint32_t *n)
{
	static const uint8_t kinds[] = {KEYTAB_NEGATIVE, KEYTAB_HEX, KEYTAB_WHOLE};
	uint64_t *v = xcalloc(t->n, sizeof *v), *spare = xcalloc(t->n, sizeof *spare),
		 *rest;
	uint32_t neg = 0;

	*n = 0;
	/* A hexadecimal number comes before an equal decimal one, as their texts do, except 0. */
	for (unsigned k = 0; k < sizeof kinds; k++) {
		for (uint32_t i = 0; i < t->n; i++)
			if (t->kind[i] == kinds[k])
				v[(*n)++] = i;
		neg = k ? neg : *n;
	}
	rest = v + neg;
	sort_values(v, spare, neg, t->v, 0);
	sort_values(rest, spare, *n - neg, t->v, 0);
	if (*n - neg > 1 && !t->v[(uint32_t)rest[1]]) {
		uint64_t hex = rest[0];

		rest[0] = rest[1];
		rest[1] = hex;
	}
	free(spare);
	return v;
}

/* Returns true if a number comes before a text. */
static bool
number_first(const struct keytab *t, uint32_t id, const struct sort_key *text)
{
	bool neg = t->kind[id] == KEYTAB_NEGATIVE;
	struct num num = {.whole = neg ? 0 - t->v[id] : t->v[id], .neg = neg};
	char space[KEY_SPACE];
	int c;

	if (!text->is_num)
		return true;
	c = num_cmp(&num, &text->num);
	return (c ? c : strcmp(keytab_text(t, id, space).s, text->s)) < 0;
}

/* Returns all values of a table in order: numbers by value, then other texts, with runs of digits by value. The
 * caller frees the array. */
static uint32_t *
keytab_order(const struct keytab *t)
{
	uint32_t numbers, texts = 0, at = 0, *order = xcalloc(t->n, sizeof *order);
	uint64_t *number = sorted_numbers(t, &numbers);
	struct sort_key *r = xcalloc(t->n - numbers, sizeof *r);

	for (uint32_t i = 0; i < t->n; i++) {
		const struct str *s;

		if (t->kind[i] != KEYTAB_TEXT)
			continue;
		s = &t->texts.v[t->v[i]];
		r[texts] = (struct sort_key){.s = s->s, .id = i};
		r[texts].is_num = num_parse(s->s, s->len, NUM_BARE, &r[texts].num, NULL);
		r[texts].absent = s->len == 1 && *s->s == '-';
		texts++;
	}
	qsort(r, texts, sizeof *r, text_cmp);
	for (uint32_t i = 0, k = 0; i < numbers || k < texts;)
		if (k == texts ||
		    (i < numbers && number_first(t, (uint32_t)number[i], &r[k])))
			order[at++] = (uint32_t)number[i++];
		else
			order[at++] = r[k++].id;
	free(number);
	free(r);
	return order;
}

/* Changes rank[], the position of each value, to the positions for the key `input`: names of inputs come first, in
 * the order of operands. */
static void
rank_inputs(const struct keytab *t, uint32_t *rank)
{
	char space[KEY_SPACE];
	uint32_t id;

	for (uint32_t i = 0; i < t->n; i++) {
		struct str s = keytab_text(t, i, space);

		rank[i] =
		    strtab_find(&t->inputs, s.s, s.len, &id) ? id : t->inputs.n + rank[i];
	}
}

uint32_t *
stats_order(const struct stats *st, uint32_t *n)
{
	return stats_order_last(st, UINT32_MAX, n);
}

uint32_t *
stats_order_last(const struct stats *st, uint32_t last, uint32_t *n)
{
	size_t nk = st->spec->nkeys;
	uint32_t k = 0, *order, *rank, *named = NULL;
	uint64_t *v, *spare;

	order = keytab_order(&st->text);
	/* Groups of a single key without windows have the numbers of its values. */
	if (nk == 1 && !st->pane && !spec_key_input(st->spec, 0)) {
		for (uint32_t i = 0; i < st->text.n; i++)
			if (order[i] < st->ngroups && st->count[order[i]])
				order[k++] = order[i];
		*n = k;
		return order;
	}
	rank = xcalloc(st->text.n, sizeof *rank);
	for (uint32_t i = 0; i < st->text.n; i++)
		rank[order[i]] = i;
	if (spec_by_input(st->spec)) {
		named = xcalloc(st->text.n, sizeof *named);
		memcpy(named, rank, st->text.n * sizeof *named);
		rank_inputs(&st->text, named);
	}
	free(order);
	v = xcalloc(st->ngroups, sizeof *v);
	spare = xcalloc(st->ngroups, sizeof *spare);
	for (uint32_t g = 0; g < st->ngroups; g++)
		if (st->count[g])
			v[k++] = g;
	/* Sort by the key that is compared last, then by those before it, then by the window. */
	for (size_t i = 0; i < nk; i++) {
		size_t key = last >= nk ? nk - 1 - i
			     : !i	? last
					: nk - i - (nk - i <= last);
		const uint32_t *by = spec_key_input(st->spec, key) ? named : rank;

		for (uint32_t j = 0; j < k; j++) {
			uint32_t g = (uint32_t)v[j];

			v[j] = (uint64_t)by[st->key[g * nk + key]] << 32 | g;
		}
		sort_words(v, spare, k);
	}
	if (st->pane)
		sort_values(v, spare, k, (const uint64_t *)st->pane, 1ull << 63);
	free(spare);
	free(rank);
	free(named);
	order = xcalloc(st->ngroups, sizeof *order);
	for (uint32_t j = 0; j < k; j++)
		order[j] = (uint32_t)v[j];
	free(v);
	*n = k;
	return order;
}
