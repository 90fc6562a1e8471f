/* column_get.c - results of a column in a group. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "stats/inside.h"

void *
column_kept(const struct stats_column *c, unsigned kept, unsigned class, uint32_t g,
	    size_t size)
{
	static uint64_t none[32];
	const struct elements *k = &c->kept[kept][class];

	return g < k->cap ? (uint8_t *)k->v + g * size : (uint8_t *)none;
}

void *
column_room(struct stats_column *c, unsigned kept, unsigned class, uint32_t n, size_t size)
{
	struct elements *k = &c->kept[kept][class];

	return k->v = grow(k->v, &k->cap, n, size);
}

const struct class_sum *
column_tally(const struct stats_column *c, unsigned class, uint32_t g)
{
	return column_kept(c, KEPT_NUM, class, g, sizeof(struct class_sum));
}

struct swide
column_sum(const struct stats_column *c, uint32_t g, bool *nano)
{
	struct swide sum[2] = {{{{0}}, false}, {{{0}}, false}};
	bool there[2] = {false, false};

	for (unsigned k = 0; k < TEXTS; k++) {
		const struct class_sum *t = column_tally(c, k, g);
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
column_numbers(const struct stats_column *c, uint32_t g)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < TEXTS; k++)
		n += column_tally(c, k, g)->n;
	return n;
}

int
value_cmp(struct class_value a, struct class_value b)
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
column_extreme(const struct stats_column *c, uint32_t g, bool greatest,
	       struct class_value *v)
{
	bool found = false;

	for (unsigned k = 0; k < TEXTS; k++) {
		const struct class_sum *t = column_tally(c, k, g);
		struct class_value x = {k, (k % 2 != 0) == greatest ? ~t->not_min : t->max};

		if (!t->n)
			continue;
		if (!found || (value_cmp(x, *v) > 0) == greatest)
			*v = x;
		found = true;
	}
	return found;
}

struct ratio
column_mean(const struct stats_column *c, uint32_t g)
{
	bool nano;
	struct swide sum = column_sum(c, g, &nano);
	struct wide n = wide_u64(column_numbers(c, g));

	if (nano)
		return (struct ratio){sum, wide_scale(n, 9), 9, false};
	return ratio_of(&sum, &n);
}

/* Writes a number at p. Returns the position after it. */
static uint8_t *
put_datum(uint8_t *p, const struct datum *d)
{
	return d->class == INT_HEX ? value_put_int(p, K_X64, d->v)
				   : value_put(p, (struct class_value){d->class, d->v});
}

void
datum_put(struct buf *b, const struct datum *d)
{
	if (d->class == TEXTS)
		buf_add(b, d->text, (size_t)d->v);
	else
		buf_to(b, put_datum(buf_room(b, 64 + PUT_SLACK), d));
}

unsigned
class_of_text(const char *p, size_t n, uint64_t *v)
{
	struct num num;

	*v = 0;
	if (!n || !num_parse(p, n, NUM_BARE, &num, NULL))
		return TEXTS;
	if ((num.nano || memchr(p, '.', n)) && num.whole < UINT64_MAX / 1000000000) {
		*v = num.whole * 1000000000 + num.nano;
		return num.neg && *v ? NANO_NEG : NANO_POS;
	}
	*v = num.whole;
	return num.neg && *v ? INT_NEG : INT_POS;
}

struct datum
datum_of_text(const char *p, size_t n)
{
	struct datum d = {INT_HEX, 0, NULL};
	bool neg = n > 1 && *p == '-';
	size_t rest = n - neg, whole = num_digits(p + neg, p + n);
	uint8_t own[64 + PUT_SLACK];

	if (whole && (whole == 1 || p[neg] != '0') &&
	    (whole == rest || (rest == whole + 10 && p[neg + whole] == '.' &&
			       num_digits(p + n - 9, p + n) == 9))) {
		d.class = (uint8_t)class_of_text(p, n, &d.v);
		if (d.class == (whole == rest ? INT_POS : NANO_POS) + neg)
			return d;
	} else if (n > 2 && p[1] == 'x' && !hex_u64((const uint8_t *)p + 2, n - 2, &d.v) &&
		   put_datum(own, &d) - own == (ptrdiff_t)n && !memcmp(own, p, n))
		return d;
	return (struct datum){TEXTS, n, (char *)(uintptr_t)p};
}

static int
slice_cmp(const void *x, const void *y)
{
	const struct slice *a = x, *b = y;
	int c = value_cmp(a->low, b->low);

	return c ? c : value_cmp(a->high, b->high);
}

struct slice *
column_slices(const struct stats_column *c, uint32_t g, unsigned bits, size_t *n)
{
	struct slice *v = NULL;
	size_t cap = 0, parts = 0;

	*n = 0;
	for (unsigned k = 0; k < TEXTS; k++) {
		const struct class_sum *t = column_tally(c, k, g);
		const struct hists *h = &c->kept[KEPT_HIST][k].hists;
		struct bucket *b;
		size_t nb;

		if (g >= h->cap)
			continue;
		b = hists_buckets(h, g, bits, &nb);
		GROW(v, cap, *n + nb);
		parts += nb > 0;
		for (size_t i = 0; i < nb; i++) {
			/* Limit each bucket to the smallest and greatest value. */
			uint64_t low =
			    b[i].low < ~t->not_min && t->n ? ~t->not_min : b[i].low;
			uint64_t high = b[i].high > t->max && t->n ? t->max : b[i].high;

			v[(*n)++] = (struct slice){
			    {k, k % 2 ? high : low}, {k, k % 2 ? low : high}, b[i].count};
		}
		if (k % 2)
			parts += nb > 1;
		free(b);
	}
	if (parts > 1)
		qsort(v, *n, sizeof *v, slice_cmp);
	return v;
}

struct class_value
slices_percentile(const struct slice *v, size_t n, uint64_t p)
{
	uint64_t all = 0, rank, lo, hi, seen = 0;
	struct wide product, parts = wide_u64(100000000);
	struct class_value a, b;
	size_t i;

	for (i = 0; i < n; i++)
		all += v[i].count;
	/* rank = all * p / 10^8, rounded up */
	mul64(all, p, &lo, &hi);
	lo += 99999999;
	hi += lo < 99999999;
	product = wide_words((const uint64_t[]){lo, hi}, 2);
	product = wide_div(&product, &parts, NULL);
	wide_to_words(&product, &rank, 1);
	/* The smallest and the greatest value are exact, even if their slice holds other values. */
	if (rank <= 1)
		return v[0].low;
	if (rank == all)
		return v[n - 1].high;
	for (i = 0; i + 1 < n; i++) {
		seen += v[i].count;
		if (seen >= rank)
			break;
	}
	a = v[i].low;
	b = v[i].high;
	return (struct class_value){a.class, a.class % 2 ? b.v + (a.v - b.v) / 2
							 : a.v + (b.v - a.v) / 2};
}
