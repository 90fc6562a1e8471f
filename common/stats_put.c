/* stats_put.c - groups as a table. */
#include <stdlib.h>
#include <string.h>

#include "num.h"
#include "put.h"
#include "stats.h"

/* Decimals of a mean of whole numbers; zeros at the end are left out. */
#define MEAN_DECIMALS 6

const struct tally *
column_tally(const struct column *c, unsigned class, uint32_t g)
{
	static const struct tally none;

	return g < c->num_cap[class] ? &c->num[class][g] : &none;
}

struct swide
column_sum(const struct column *c, uint32_t g, bool *nano)
{
	struct swide sum[2] = {{{{0}}, false}, {{{0}}, false}};
	bool there[2] = {false, false};

	for (unsigned k = 0; k < TEXTS; k++) {
		const struct tally *t = column_tally(c, k, g);
		struct swide s;

		if (!t->n)
			continue;
		there[k / 2] = true;
		s.m = wide_words((const uint64_t[]){t->lo, t->hi}, 2);
		s.neg = k % 2 && !wide_zero(&s.m);
		sum[k / 2] = swide_add(&sum[k / 2], &s);
	}
	*nano = there[1];
	if (there[0] && there[1])
		sum[0].m = wide_scale(sum[0].m, 9);
	return swide_add(&sum[0], &sum[1]);
}

uint64_t
column_numbers(const struct column *c, uint32_t g)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < TEXTS; k++)
		n += column_tally(c, k, g)->n;
	return n;
}

int
value_cmp(struct value a, struct value b)
{
	struct wide x, y;
	int c;

	if (a.class % 2 != b.class % 2)
		return a.class % 2 ? -1 : 1;
	if (a.class == b.class)
		c = a.v < b.v ? -1 : a.v > b.v;
	else {
		x = wide_u64(a.v);
		y = wide_u64(b.v);
		if (a.class < NANO_POS)
			x = wide_scale(x, 9);
		else
			y = wide_scale(y, 9);
		c = wide_cmp(&x, &y);
	}
	return a.class % 2 ? -c : c;
}

bool
column_extreme(const struct column *c, uint32_t g, bool greatest, struct value *v)
{
	bool found = false;

	for (unsigned k = 0; k < TEXTS; k++) {
		const struct tally *t = column_tally(c, k, g);
		struct value x = {k, (k % 2 != 0) == greatest ? ~t->not_min : t->max};

		if (!t->n)
			continue;
		if (!found || (value_cmp(x, *v) > 0) == greatest)
			*v = x;
		found = true;
	}
	return found;
}

uint8_t *
value_put(uint8_t *p, struct value v)
{
	struct wide w = wide_u64(v.v);

	*p = '-';
	p += v.class % 2;
	return v.class >= NANO_POS ? wide_put_decimal(p, &w, 9, false) : put_u64(p, v.v);
}

uint8_t *
swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim)
{
	*p = '-';
	return wide_put_decimal(p + s->neg, &s->m, decimals, trim);
}

uint8_t *
mean_put(uint8_t *p, const struct column *c, uint32_t g)
{
	bool nano;
	struct swide sum = column_sum(c, g, &nano);
	struct wide n = wide_u64(column_numbers(c, g));

	if (!nano)
		sum.m = wide_scale(sum.m, MEAN_DECIMALS);
	sum.m = wide_div_round(&sum.m, &n);
	sum.neg &= !wide_zero(&sum.m);
	return swide_put(p, &sum, nano ? 9 : MEAN_DECIMALS, !nano);
}

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

uint32_t *
stats_order(const struct stats *st, uint32_t *n)
{
	uint32_t nk = (uint32_t)st->spec->nkeys, k = 0;
	struct placed *v = xcalloc(st->ngroups, sizeof *v);
	uint32_t *order = xcalloc(st->ngroups, sizeof *order), *rank = ranks(&st->text);

	for (uint32_t g = 0; g < st->ngroups; g++)
		if (st->count[g])
			v[k++] = (struct placed){
			    st->pane ? (uint64_t)st->pane[g] ^ 1ull << 63 : 0,
			    st->key + (size_t)g * nk, rank, nk, g};
	qsort(v, k, sizeof *v, placed_cmp);
	for (uint32_t i = 0; i < k; i++)
		order[i] = v[i].group;
	*n = k;
	free(v);
	free(rank);
	return order;
}

static uint8_t *
put_agg(uint8_t *p, const struct stats *st, const struct agg *a, uint32_t g)
{
	const struct column *c = a->col >= 0 ? &st->col[a->col] : NULL;
	struct value v;
	struct swide sum;
	bool nano;

	switch (a->kind) {
	case AGG_COUNT:
		return put_u64(p, c ? column_numbers(c, g) + column_tally(c, TEXTS, g)->n
				    : st->count[g]);
	case AGG_SUM:
		if (!column_numbers(c, g))
			break;
		sum = column_sum(c, g, &nano);
		return swide_put(p, &sum, nano ? 9 : 0, false);
	case AGG_MEAN:
		if (column_numbers(c, g))
			return mean_put(p, c, g);
		break;
	case AGG_MIN:
	case AGG_MAX:
		if (column_extreme(c, g, a->kind == AGG_MAX, &v))
			return value_put(p, v);
		break;
	default: break;
	}
	*p++ = '-';
	return p;
}

static void
put_names(const struct stats *st, struct out *o)
{
	const struct spec *spec = st->spec;
	const char *before = "#";

	for (size_t i = 0; i < spec->nkeys; i++, before = "\t") {
		out_str(o, before);
		out_str(o, spec->key[i]);
	}
	for (size_t i = 0; i < spec->naggs; i++, before = "\t") {
		out_str(o, before);
		out_str(o, spec->agg[i].text);
	}
	out_str(o, "\n");
}

void
stats_put(struct stats *st, struct out *o)
{
	const struct spec *spec = st->spec;
	uint32_t n, *order = stats_order(st, &n);

	if (n)
		put_names(st, o);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t g = order[i];

		for (size_t k = 0; k < spec->nkeys; k++) {
			const struct str *s = &st->text.v[st->key[g * spec->nkeys + k]];

			if (k)
				out_bytes(o, "\t", 1);
			out_bytes(o, s->s, s->len);
		}
		for (size_t k = 0; k < spec->naggs; k++) {
			uint8_t *p = out_room(o);

			if (k || spec->nkeys)
				*p++ = '\t';
			o->p = put_agg(p, st, &spec->agg[k], g);
		}
		out_bytes(o, "\n", 1);
	}
	free(order);
}
