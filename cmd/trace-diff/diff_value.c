/* diff_value.c - compares the cells of tables as exact decimals: see diff.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "number/wide.h"
#include "trace-diff/diff.h"

#define DIGITS_MOST 50	 /* digits of a number; one with more is a text */
#define DECIMALS_MOST 40 /* digits after its point */

/* The number v / 10^decimals. */
struct value {
	struct swide v;
	unsigned decimals;
};

bool
text_is(struct text a, struct text b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

/* Reads [-] digits [. digits] [e [+-] digits]. Returns false if the text is no such number, or is too long. */
static bool
parse(struct text t, struct value *to)
{
	const char *p = t.s, *end = t.s + t.n;
	char digits[DIGITS_MOST];
	bool neg = p < end && *p == '-', minus = false, point = false;
	size_t n = 0;
	long decimals = 0;
	uint64_t e = 0;

	for (p += neg; p < end && (num_digits(p, end) || (*p == '.' && n && !point)); p++) {
		if (n == DIGITS_MOST)
			return false;
		decimals += point && *p != '.';
		if (*p == '.')
			point = true;
		else
			digits[n++] = *p;
	}
	if (p < end && *p == 'e') {
		minus = ++p < end && *p == '-';
		p += p < end && (minus || *p == '+');
		if (digits_u64((const uint8_t *)p, (size_t)(end - p), &e) ||
		    e > DECIMALS_MOST)
			return false;
		p = end;
	}
	if (!n || p != end)
		return false;
	decimals += minus ? (long)e : -(long)e;
	if (decimals > DECIMALS_MOST || !wide_parse(digits, n, &to->v.m))
		return false;
	if (decimals < 0)
		to->v.m = wide_scale(to->v.m, (unsigned)-decimals);
	to->decimals = decimals < 0 ? 0 : (unsigned)decimals;
	to->v.neg = neg && !wide_zero(&to->v.m);
	return true;
}

/* Gives both numbers as many decimals as the one with more has. */
static void
align(struct value *a, struct value *b)
{
	struct value *less = a->decimals < b->decimals ? a : b, *more = less == a ? b : a;

	less->v.m = wide_scale(less->v.m, more->decimals - less->decimals);
	less->decimals = more->decimals;
}

static bool
parse_both(struct text x, struct text y, struct value *a, struct value *b)
{
	if (!parse(x, a) || !parse(y, b))
		return false;
	align(a, b);
	return true;
}

/* Returns b - a, which have equal decimals. */
static struct swide
minus(const struct value *a, const struct value *b)
{
	struct swide neg = a->v;

	neg.neg = !neg.neg && !wide_zero(&neg.m);
	return swide_add(&b->v, &neg);
}

static int
cmp(const void *x, const void *y)
{
	struct value a, b;
	struct swide change;

	if (!parse_both(*(const struct text *)x, *(const struct text *)y, &a, &b))
		return 0;
	change = minus(&b, &a);
	return change.neg ? -1 : !wide_zero(&change.m);
}

bool
value_change(struct buf *to, struct text old, struct text new)
{
	struct value a, b;
	struct swide change;

	if (!parse_both(old, new, &a, &b))
		return false;
	change = minus(&a, &b);
	if (change.neg)
		buf_byte(to, '-');
	buf_to(to, wide_put_decimal(buf_room(to, WIDE_DIGITS + 8), &change.m, a.decimals,
				    false));
	return true;
}

void
value_ratio(struct buf *to, struct text old, struct text new)
{
	struct value a, b;

	if (!parse_both(old, new, &a, &b) || wide_zero(&a.v.m))
		buf_byte(to, '-');
	else
		buf_to(to, wide_put_ratio(buf_room(to, WIDE_DIGITS + 8), a.v.neg != b.v.neg,
					  &b.v.m, &a.v.m, 3, false));
}

struct text
value_over(struct text x, struct text by)
{
	static struct arena mem;
	struct value a, b;
	uint8_t digits[WIDE_DIGITS + 32];
	size_t n;

	if (!parse_both(x, by, &a, &b) || wide_zero(&b.v.m))
		return x;
	n = (size_t)(wide_put_ratio(digits, a.v.neg != b.v.neg, &a.v.m, &b.v.m, 9, true) -
		     digits);
	return (struct text){arena_str(&mem, (char *)digits, n), n};
}

/* Returns a * 10^9 for a number of an option, which is not negative. */
static struct wide
billions(const struct num *num)
{
	struct wide w = wide_u64(num->whole), nano = wide_u64(num->nano);

	w = wide_scale(w, 9);
	return wide_add(&w, &nano);
}

bool
value_beyond(struct text old, struct text new, const struct num *min)
{
	struct text zero = {"0", 1};
	struct value a, b;
	struct swide change;
	struct wide least = billions(min);

	old = text_is(old, (struct text){"-", 1}) ? zero : old;
	new = text_is(new, (struct text){"-", 1}) ? zero : new;
	if (!parse_both(old, new, &a, &b))
		return !text_is(old, new);
	change = minus(&a, &b);
	least = wide_scale(least, a.decimals);
	change.m = wide_scale(change.m, 9);
	return !wide_zero(&change.m) && wide_cmp(&change.m, &least) >= 0;
}

bool
value_factor(struct text old, struct text new, const struct num *ratio)
{
	struct value a, b;
	struct wide low, high, factor = billions(ratio);
	int order;

	if (!parse_both(old, new, &a, &b))
		return !text_is(old, new);
	order = wide_cmp(&a.v.m, &b.v.m);
	if (a.v.neg != b.v.neg)
		return true;
	low = order < 0 ? a.v.m : b.v.m;
	high = wide_scale(order < 0 ? b.v.m : a.v.m, 9);
	low = wide_mul(&low, &factor);
	return order && wide_cmp(&high, &low) >= 0;
}

void
value_sort(struct text *v, size_t n)
{
	bool numbers = true, equal = true;
	struct value value;

	for (size_t i = 0; i < n; i++) {
		numbers &= parse(v[i], &value);
		equal &= text_is(v[i], v[0]);
	}
	if (numbers)
		qsort(v, n, sizeof *v, cmp);
	for (size_t i = 0; i < n && !numbers && !equal; i++)
		v[i] = (struct text){"-", 1};
}

/* Sets rank[i] to twice the rank of v[i] among all n values. Equal values share the mean of their ranks, which is why the
 * ranks are doubled. Returns false if a value is not a number. */
static bool
rank_values(const struct text *v, size_t n, unsigned *rank)
{
	struct value value;

	for (size_t i = 0; i < n; i++) {
		rank[i] = 1;
		if (!parse(v[i], &value))
			return false;
		for (size_t k = 0; k < n; k++) {
			int order = cmp(&v[k], &v[i]);

			rank[i] += order < 0 ? 2 : !order;
		}
	}
	return true;
}

static int
ascending(const void *x, const void *y)
{
	unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;

	return a < b ? -1 : a > b;
}

#define RANKS (2 * RUNS_MOST)	       /* values */
#define SUMS (RANKS * (RANKS + 1) + 1) /* sums of doubled ranks */

/* ways[k][s]: how many choices of k of the values have the sum s of doubled ranks. At most C(60, 30) < 2^57. */
static uint64_t ways[RUNS_MOST + 1][SUMS];

static void
count_ways(const unsigned *rank, size_t values, size_t n)
{
	unsigned sum = 0;

	memset(ways, 0, sizeof ways);
	ways[0][0] = 1;
	for (size_t i = 0; i < values; i++) {
		sum += rank[i];
		for (size_t k = i < n ? i + 1 : n; k; k--)
			for (unsigned s = sum; s >= rank[i]; s--)
				ways[k][s] += ways[k - 1][s - rank[i]];
	}
}

void
value_ranks(struct buf *to, const struct text *v, size_t n, size_t m)
{
	static unsigned counted[RANKS];
	static size_t counted_n, counted_m;
	unsigned rank[RANKS] = {0}, sum = 0, far, mean = (unsigned)(n * (n + m + 1));
	struct wide some, all;
	uint64_t total = 0, as_far = 0;

	if (!n || !m || !rank_values(v, n + m, rank)) {
		buf_byte(to, '-');
		return;
	}
	for (size_t i = 0; i < n; i++)
		sum += rank[i];
	far = sum > mean ? sum - mean : mean - sum;
	qsort(rank, n + m, sizeof *rank, ascending);
	/* Most rows have no ties, and so the same ranks. */
	if (n != counted_n || m != counted_m || memcmp(rank, counted, sizeof rank) != 0) {
		count_ways(rank, n + m, n);
		memcpy(counted, rank, sizeof rank);
		counted_n = n;
		counted_m = m;
	}
	for (unsigned s = 0; s < SUMS; s++) {
		total += ways[n][s];
		as_far += (s > mean ? s - mean : mean - s) >= far ? ways[n][s] : 0;
	}
	some = wide_u64(as_far);
	all = wide_u64(total);
	buf_to(to,
	       wide_put_ratio(buf_room(to, WIDE_DIGITS + 8), false, &some, &all, 6, true));
}
