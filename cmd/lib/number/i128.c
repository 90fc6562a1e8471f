/* i128.c - see i128.h. Numbers that fit 64 bits are computed with 64-bit arithmetic, all others with wide.h. */
#include <string.h>

#include "base/compiler.h"
#include "number/i128.h"
#include "base/put.h"
#include "number/wide.h"

bool
i128_mul(struct i128 a, struct i128 b, struct i128 *to)
{
	bool neg = (a.hi < 0) != (b.hi < 0);
	struct i128 x = i128_abs(a), y = i128_abs(b), swap;
	uint64_t low, high, more;

	if (x.hi) {
		swap = x;
		x = y;
		y = swap;
	}
	if (x.hi) /* both factors are 2^64 or more */
		return false;
	mul64(x.lo, y.lo, &low, &high);
	if (!times64(x.lo, (uint64_t)y.hi, &more) || high > INT64_MAX ||
	    more > INT64_MAX - high)
		return false;
	*to = (struct i128){low, (int64_t)(high + more)};
	if (neg)
		*to = i128_neg(*to);
	return true;
}

static struct wide
wide_of(struct i128 a)
{
	return wide_words((const uint64_t[]){a.lo, (uint64_t)a.hi}, 2);
}

/* Returns (high * 2^64 + low) / d, for high < d, and stores the remainder in *rest. Divides in two digits of 32
 * bits, as Knuth's algorithm D does. */
static uint64_t
divide_128(uint64_t high, uint64_t low, uint64_t d, uint64_t *rest)
{
	unsigned shift = leading_zeros64(d);
	uint64_t top, bottom, q = 0;

	d <<= shift;
	top = d >> 32;
	bottom = (uint32_t)d;
	high = high << shift | low >> 1 >> (63 - shift);
	low <<= shift;
	for (int i = 0; i < 2; i++, low <<= 32) {
		uint64_t next = low >> 32, digit = high / top, left = high % top;

		while (digit >> 32 || digit * bottom > (left << 32 | next)) {
			digit--;
			left += top;
			if (left >> 32)
				break;
		}
		high = (high << 32 | next) - digit * d;
		q = q << 32 | digit;
	}
	*rest = high >> shift;
	return q;
}

static bool
divide_wide(struct i128 a, struct i128 b, struct i128 c, struct i128 *q, struct i128 *rest)
{
	struct wide x = wide_of(a), y = wide_of(b), z;
	uint64_t w[2];
	bool fits;

	x = wide_mul(&x, &y);
	y = wide_of(c);
	x = wide_div(&x, &y, &z);
	wide_to_words(&z, w, 2);
	*rest = (struct i128){w[0], (int64_t)w[1]};
	fits = wide_to_words(&x, w, 2) && w[1] <= INT64_MAX;
	*q = (struct i128){w[0], (int64_t)w[1]};
	return fits;
}

/* Computes *q = a * b / c and its remainder *rest, for numbers that are not negative. Returns false if *q does not
 * fit. */
static bool
divide(struct i128 a, struct i128 b, struct i128 c, struct i128 *q, struct i128 *rest)
{
	uint64_t low, high;

	*q = *rest = i128_u64(0);
	if (a.hi | b.hi | c.hi)
		return divide_wide(a, b, c, q, rest);
	mul64(a.lo, b.lo, &low, &high);
	if (high >= c.lo)
		return divide_wide(a, b, c, q, rest);
	if (high)
		q->lo = divide_128(high, low, c.lo, &rest->lo);
	else {
		q->lo = low / c.lo;
		rest->lo = low % c.lo;
	}
	return true;
}

bool
i128_muldiv(struct i128 a, struct i128 b, struct i128 c, enum i128_round round,
	    struct i128 *to)
{
	bool neg = (a.hi < 0) ^ (b.hi < 0) ^ (c.hi < 0), up;
	struct i128 rest, left;

	c = i128_abs(c);
	if (!divide(i128_abs(a), i128_abs(b), c, to, &rest))
		return false;
	i128_add(c, i128_neg(rest), &left);
	up = round == I128_FLOOR ? neg && !i128_zero(rest) : i128_cmp(rest, left) >= 0;
	if (up && !i128_add(*to, i128_u64(1), to))
		return false;
	if (neg)
		*to = i128_neg(*to);
	return true;
}

struct i128
i128_mod(struct i128 a, struct i128 b)
{
	struct i128 q, rest, size = i128_abs(b);

	divide(i128_abs(a), i128_u64(1), size, &q, &rest);
	if ((a.hi < 0) != (b.hi < 0) && !i128_zero(rest))
		i128_add(size, i128_neg(rest), &rest);
	return b.hi < 0 ? i128_neg(rest) : rest;
}

double
i128_double(struct i128 a, uint32_t by)
{
	uint64_t w[3], carry, top;
	struct i128 x;
	unsigned i = 2, zeros;
	bool lost = false;
	double d;

	if (by == 1 && i128_is_i64(a))
		return (double)(int64_t)a.lo;
	x = i128_abs(a);
	mul64(x.lo, by, &w[0], &carry);
	mul64((uint64_t)x.hi, by, &w[1], &w[2]);
	w[1] += carry;
	w[2] += w[1] < carry;
	while (i && !w[i])
		i--;
	if (!i && w[0] <= INT64_MAX) {
		d = (double)(int64_t)w[0];
		return a.hi < 0 ? -d : d;
	}
	/* Take the top 63 bits, and set the lowest one if any bit below is set. These are more bits than a double
	 * has, so the number is rounded once. (From 64 bits, not every compiler converts to the nearest double.) */
	zeros = leading_zeros64(w[i]);
	top = w[i] << zeros;
	if (i) {
		top |= w[i - 1] >> 1 >> (63 - zeros);
		lost = w[i - 1] << zeros || (i > 1 && w[0]);
	}
	d = (double)(int64_t)(top >> 1 | (top & 1) | lost);
	/* Multiply by 2^(64 i - zeros + 1). For a number of one word this may be a division. */
	for (; i; i--)
		d *= 0x1p64;
	d = d * 2 / (double)(1ull << zeros / 2) / (double)(1ull << (zeros + 1) / 2);
	return a.hi < 0 ? -d : d;
}

/* A fraction compared with one half. */
enum fraction {
	NO_FRACTION,
	BELOW_HALF,
	HALF,
	ABOVE_HALF,
};

/* Returns v / 2^n, for n < 128. */
static struct i128
shift_right(struct i128 v, unsigned n)
{
	if (n >= 64)
		return i128_u64((uint64_t)v.hi >> (n - 64));
	return (struct i128){v.lo >> n | (uint64_t)v.hi << 1 << (63 - n),
			     (int64_t)((uint64_t)v.hi >> n)};
}

/* Computes *v = *v * 2^n. Returns false if the result does not fit. */
static bool
shift_left(struct i128 *v, unsigned n)
{
	unsigned bits = v->hi	? 128 - leading_zeros64((uint64_t)v->hi)
			: v->lo ? 64 - leading_zeros64(v->lo)
				: 0;

	if (bits + n > 127)
		return false;
	if (n >= 64)
		*v = (struct i128){0, (int64_t)(v->lo << (n - 64))};
	else
		*v = (struct i128){
		    v->lo << n, (int64_t)((uint64_t)v->hi << n | v->lo >> 1 >> (63 - n))};
	return true;
}

/* Splits r * by into *floor and the fraction *f. Returns false if *floor does not fit. */
static bool
split(double r, uint32_t by, struct i128 *floor, enum fraction *f)
{
	uint64_t bits, high;
	int power;
	struct i128 v, low, half;

	*f = NO_FRACTION;
	memcpy(&bits, &r, sizeof bits);
	power =
	    (int)(bits >> 52 & 2047); /* 2047 for an infinity, which then does not fit */
	mul64((bits & ((1ull << 52) - 1)) | (power ? 1ull << 52 : 0), by, &v.lo, &high);
	v.hi = (int64_t)high;
	power -= power ? 1075 : 1074;
	*floor = v;
	if (power >= 0) {
		if (!shift_left(floor, (unsigned)power))
			return false;
	} else if (power <= -120) { /* v is below 2^85, so the quotient is 0 */
		*floor = i128_u64(0);
		*f = i128_zero(v) ? NO_FRACTION : BELOW_HALF;
	} else {
		*floor = low = half = shift_right(v, (unsigned)-power);
		shift_left(&low, (unsigned)-power);
		i128_add(v, i128_neg(low), &low);
		half = i128_u64(1);
		shift_left(&half, (unsigned)-power - 1);
		*f = i128_zero(low) ? NO_FRACTION
				    : (enum fraction)(HALF + i128_cmp(low, half));
	}
	if (bits >> 63) {
		*floor = i128_neg(*floor);
		if (*f) { /* round down: the fraction becomes 1 - fraction */
			*f = (enum fraction)(BELOW_HALF + ABOVE_HALF - (int)*f);
			return i128_add(*floor, i128_i64(-1), floor);
		}
	}
	return true;
}

bool
i128_of_double(double r, uint32_t by, enum i128_round round, struct i128 *to)
{
	enum fraction f;

	if (!split(r, by, to, &f))
		return false;
	if (round == I128_NEAREST && f >= (r < 0 ? ABOVE_HALF : HALF))
		return i128_add(*to, i128_u64(1), to);
	return true;
}

int
i128_cmp_double(struct i128 a, double r, uint32_t by)
{
	struct i128 floor;
	enum fraction f;
	int c;

	if (!split(r, by, &floor, &f))
		return r > 0 ? -1 : 1;
	c = i128_cmp(a, floor);
	return c || !f ? c : -1;
}

uint8_t *
i128_put(uint8_t *p, struct i128 a)
{
	struct wide w;

	if (i128_is_i64(a))
		return put_i64(p, (int64_t)a.lo);
	if (a.hi < 0)
		*p++ = '-';
	w = wide_of(i128_abs(a));
	return wide_put(p, &w);
}
