/* stats_order.c - groups in the order of their keys. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/stats.h"

/* Sorting: numbers before other texts, by value; runs of digits in texts by value too. */

struct ranked {
	const char *s;
	struct num num;
	bool is_num;
	uint32_t id;
};

static int
natural_cmp(const char *a, const char *b)
{
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
	return *a ? 1 : *b ? -1 : 0;
}

static int
text_cmp(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	int c;

	if (a->is_num != b->is_num)
		return a->is_num ? -1 : 1;
	c = a->is_num ? num_cmp(&a->num, &b->num) : natural_cmp(a->s, b->s);
	return c ? c : strcmp(a->s, b->s);
}

/* The place of every text in their order. */
static uint32_t *
ranks(const struct strtab *t)
{
	struct ranked *r = xcalloc(t->n, sizeof *r);
	uint32_t *rank = xcalloc(t->n, sizeof *rank);

	for (uint32_t i = 0; i < t->n; i++) {
		r[i].s = t->v[i].s;
		r[i].id = i;
		r[i].is_num = num_parse(r[i].s, t->v[i].len, false, &r[i].num, NULL);
	}
	qsort(r, t->n, sizeof *r, text_cmp);
	for (uint32_t i = 0; i < t->n; i++)
		rank[r[i].id] = i;
	free(r);
	return rank;
}

struct placed {
	uint64_t pane;
	const uint32_t *key;
	const uint32_t *rank;
	uint32_t nk, group;
};

static int
placed_cmp(const void *x, const void *y)
{
	const struct placed *a = x, *b = y;

	if (a->pane != b->pane)
		return a->pane < b->pane ? -1 : 1;
	for (uint32_t i = 0; i < a->nk; i++) {
		uint32_t ra = a->rank[a->key[i]], rb = b->rank[b->key[i]];

		if (ra != rb)
			return ra < rb ? -1 : 1;
	}
	return 0;
}

/* The keys of all groups, where the one of that number stands behind the others. */
static uint32_t *
keys_last(const struct stats *st, uint32_t last)
{
	size_t nk = st->spec->nkeys;
	uint32_t *to = xcalloc(st->ngroups, nk * sizeof *to), *key = to;

	for (uint32_t g = 0; g < st->ngroups; g++) {
		const uint32_t *from = st->key + g * nk;

		for (size_t k = 0; k < nk; k++)
			if (k != last)
				*key++ = from[k];
		*key++ = from[last];
	}
	return to;
}

uint32_t *
stats_order(const struct stats *st, uint32_t *n)
{
	return stats_order_last(st, UINT32_MAX, n);
}

uint32_t *
stats_order_last(const struct stats *st, uint32_t key, uint32_t *n)
{
	uint32_t nk = (uint32_t)st->spec->nkeys, k = 0;
	uint32_t *moved = key < nk ? keys_last(st, key) : NULL;
	const uint32_t *keys = moved ? moved : st->key;
	struct placed *v = xcalloc(st->ngroups, sizeof *v);
	uint32_t *order = xcalloc(st->ngroups, sizeof *order), *rank = ranks(&st->text);

	for (uint32_t g = 0; g < st->ngroups; g++)
		if (st->count[g])
			v[k++] = (struct placed){
			    st->pane ? (uint64_t)st->pane[g] ^ 1ull << 63 : 0,
			    keys + (size_t)g * nk, rank, nk, g};
	qsort(v, k, sizeof *v, placed_cmp);
	for (uint32_t i = 0; i < k; i++)
		order[i] = v[i].group;
	*n = k;
	free(moved);
	free(v);
	free(rank);
	return order;
}
