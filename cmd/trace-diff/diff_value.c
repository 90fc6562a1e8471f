/* diff_value.c - compares the cells of tables as exact decimals: see diff.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "number/wide.h"
#include "trace-diff/diff.h"

#define DIGITS_MOST 60 /* digits of a number; one with more is a text */
#define SCALE 40       /* values are integers, in units of 10^-40 */

/* A number, and how many decimals its text has. */
struct value {
	struct swide v;
	unsigned decimals;
};

const struct cell_text absent = {"-", 1};

bool
text_is(struct cell_text a, struct cell_text b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

/* Reads [-] digits [. digits] [e [+-] digits]. Returns false if the text is no such number, or is too long. */
static bool
parse_value(struct cell_text t, struct value *to)
{
	const char *p = t.s, *end = t.s + t.n, *point = NULL;
	char digits[DIGITS_MOST];
	size_t n = 0;
	int decimals = 0;
	uint64_t e = 0;

	for (p += t.n && *p == '-';
	     p < end && (num_digits(p, end) || (*p == '.' && !point)); p++)
		if (*p == '.')
			point = p;
		else if (n == DIGITS_MOST)
			return false;
		else
			digits[n++] = *p;
	decimals = point ? (int)(p - point) - 1 : 0;
	if (end - p > 2 && *p == 'e' && (p[1] == '+' || p[1] == '-')) {
		if (digits_u64((const uint8_t *)p + 2, (size_t)(end - p) - 2, &e) ||
		    e > SCALE)
			return false;
		decimals += p[1] == '-' ? (int)e : -(int)e;
		p = end;
	}
	if (p != end || decimals > SCALE || !wide_parse(digits, n, &to->v.m))
		return false;
	to->v.m = wide_scale(to->v.m, (unsigned)(SCALE - decimals));
	to->decimals = decimals < 0 ? 0 : (unsigned)decimals;
	to->v.neg = *t.s == '-' && !wide_zero(&to->v.m);
	return true;
}

/* Sets *change to y - x. Returns false if one of them is not a number. */
static bool
subtract(struct cell_text x, struct cell_text y, struct value *change)
{
	struct value a, b;

	if (!parse_value(x, &a) || !parse_value(y, &b))
		return false;
	a.v.neg = !a.v.neg && !wide_zero(&a.v.m);
	change->v = swide_add(&b.v, &a.v);
	change->decimals = a.decimals > b.decimals ? a.decimals : b.decimals;
	return true;
}

static int
cmp(const void *x, const void *y)
{
	struct value change;

	if (!subtract(*(const struct cell_text *)y, *(const struct cell_text *)x, &change))
		return 0;
	return change.v.neg ? -1 : !wide_zero(&change.v.m);
}

void
value_change(struct buf *to, struct cell_text old, struct cell_text new)
{
	struct wide unit = wide_u64(1);
	struct value change;

	if (!subtract(old, new, &change)) {
		buf_byte(to, '-');
		return;
	}
	unit = wide_scale(unit, SCALE - change.decimals);
	change.v.m = wide_div(&change.v.m, &unit, NULL);
	if (change.v.neg)
		buf_byte(to, '-');
	buf_to(to, wide_put_decimal(buf_room(to, WIDE_DIGITS + 8), &change.v.m,
				    change.decimals, false));
}

void
value_ratio(struct buf *to, struct cell_text old, struct cell_text new, unsigned decimals)
{
	struct value a, b;

	if (!parse_value(old, &a) || !parse_value(new, &b) || wide_zero(&a.v.m))
		buf_byte(to, '-');
	else
		buf_to(to, wide_put_ratio(buf_room(to, WIDE_DIGITS + 8), a.v.neg != b.v.neg,
					  &b.v.m, &a.v.m, decimals, true));
}

/* Returns a * 10^9 for a number of an option, which is not negative. */
static struct wide
billions(const struct num *num)
{
	struct wide w = wide_u64(num->whole), nano = wide_u64(num->nano);

	w = wide_scale(w, 9);
	return wide_add(&w, &nano);
}

double
value_differs(struct cell_text old, struct cell_text new, const struct num *min,
	      const struct num *ratio)
{
	struct value change, a, b;
	struct wide least = billions(min), factor = billions(ratio), nines;
	double size = 0;

	if (text_is(old, new))
		return -1;
	old = text_is(old, absent) ? (struct cell_text){"0", 1} : old;
	new = text_is(new, absent) ? (struct cell_text){"0", 1} : new;
	if (!subtract(old, new, &change) || !parse_value(old, &a) || !parse_value(new, &b))
		return 0;
	least = wide_scale(least, SCALE - 9);
	if (wide_zero(&change.v.m) || wide_cmp(&change.v.m, &least) < 0)
		return -1;
	if (wide_cmp(&a.v.m, &b.v.m) > 0) {
		struct value less = b;

		b = a;
		a = less;
	}
	nines = wide_scale(b.v.m, 9);
	a.v.m = wide_mul(&a.v.m, &factor);
	if (a.v.neg == b.v.neg && wide_cmp(&nines, &a.v.m) < 0)
		return -1;
	for (size_t i = WIDE_LIMBS; i--;)
		size = size * 4294967296.0 + change.v.m.w[i];
	return size;
}

void
value_sort(struct cell_text *v, size_t n)
{
	bool numbers = true, equal = true;
	struct value value;

	for (size_t i = 0; i < n; i++) {
		numbers &= parse_value(v[i], &value);
		equal &= text_is(v[i], v[0]);
	}
	if (numbers)
		qsort(v, n, sizeof *v, cmp);
	for (size_t i = 0; i < n && !numbers && !equal; i++)
		v[i] = absent;
}

/* Sets rank[i] to twice the rank of v[i] among all n values. Equal values share the mean of their ranks, which is why the
 * ranks are doubled. Returns false if a value is not a number. */
static bool
rank_values(const struct cell_text *v, size_t n, unsigned *rank)
{
	struct value value;

	for (size_t i = 0; i < n; i++) {
		rank[i] = 1;
		if (!parse_value(v[i], &value))
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
value_ranks(struct buf *to, const struct cell_text *v, size_t n, size_t m)
{
	static unsigned counted[RANKS + 1];
	unsigned rank[RANKS + 1] = {0}, sum = 0, far, mean = (unsigned)(n * (n + m + 1));
	struct wide part, all;
	uint64_t total = 0, as_far = 0;

	if (!n || !m || !rank_values(v, n + m, rank)) {
		buf_byte(to, '-');
		return;
	}
	for (size_t i = 0; i < n; i++)
		sum += rank[i];
	far = sum > mean ? sum - mean : mean - sum;
	qsort(rank, n + m, sizeof *rank, ascending);
	rank[RANKS] = (unsigned)n;
	/* Most rows have no ties, and so the ranks of the row before. */
	if (memcmp(rank, counted, sizeof rank) != 0)
		count_ways(rank, n + m, n);
	memcpy(counted, rank, sizeof rank);
	for (unsigned s = 0; s < SUMS; s++) {
		total += ways[n][s];
		as_far += (s > mean ? s - mean : mean - s) >= far ? ways[n][s] : 0;
	}
	part = wide_u64(as_far);
	all = wide_u64(total);
	buf_to(to,
	       wide_put_ratio(buf_room(to, WIDE_DIGITS + 8), false, &part, &all, 6, true));
}
