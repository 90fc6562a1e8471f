/*
 * i128.h - signed integers with a magnitude below 2^127: exact sums, products and quotients of 64-bit numbers, and
 * exact comparison with doubles. Not every compiler has such a type.
 */
#ifndef SPOOR_I128_H
#define SPOOR_I128_H

#include <stdbool.h>
#include <stdint.h>

/* The number hi * 2^64 + lo, in two's complement. */
struct i128 {
	uint64_t lo;
	int64_t hi;
};

/* Returns the number n. */
static inline struct i128
i128_i64(int64_t n)
{
	return (struct i128){(uint64_t)n, n < 0 ? -1 : 0};
}

/* Returns the number n. */
static inline struct i128
i128_u64(uint64_t n)
{
	return (struct i128){n, 0};
}

/* Returns true if a is 0; if a fits int64_t; if a fits uint64_t. */
static inline bool
i128_zero(struct i128 a)
{
	return !(a.lo | (uint64_t)a.hi);
}

static inline bool
i128_is_i64(struct i128 a)
{
	return a.hi == ((int64_t)a.lo < 0 ? -1 : 0);
}

static inline bool
i128_is_u64(struct i128 a)
{
	return a.hi == 0;
}

/* Returns a number below, equal to or above 0 if a is less than, equal to or greater than b. */
static inline int
i128_cmp(struct i128 a, struct i128 b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	return a.lo < b.lo ? -1 : a.lo > b.lo;
}

/* Returns -a; i128_abs returns a without its sign. */
static inline struct i128
i128_neg(struct i128 a)
{
	return (struct i128){0 - a.lo, (int64_t)(~(uint64_t)a.hi + !a.lo)};
}

static inline struct i128
i128_abs(struct i128 a)
{
	return a.hi < 0 ? i128_neg(a) : a;
}

/* Computes *to = a + b. Returns false, with *to undefined, if the sum does not fit. */
static inline bool
i128_add(struct i128 a, struct i128 b, struct i128 *to)
{
	uint64_t lo = a.lo + b.lo, hi = (uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo);

	*to = (struct i128){lo, (int64_t)hi};
	if ((~((uint64_t)a.hi ^ (uint64_t)b.hi) & ((uint64_t)a.hi ^ hi)) >> 63)
		return false;
	return lo || hi != 1ull << 63; /* not -2^127 */
}

/* Computes *to = a * b. Returns false, with *to undefined, if the product does not fit. */
bool i128_mul(struct i128 a, struct i128 b, struct i128 *to);

enum i128_round {
	I128_FLOOR,   /* rounds down, also if negative */
	I128_NEAREST, /* rounds to the nearest; halves away from 0 */
};

/* Computes *to = a * b / c, for c not 0. The product a * b may have any length. Returns false, with *to undefined,
 * if the result does not fit. */
bool i128_muldiv(struct i128 a, struct i128 b, struct i128 c, enum i128_round round,
		 struct i128 *to);
/* Returns a - b * floor(a / b), for b not 0. The result has the sign of b. */
struct i128 i128_mod(struct i128 a, struct i128 b);

/* Returns the double nearest to a * by; if two are equally near, the one with an even last bit. */
double i128_double(struct i128 a, uint32_t by);
/* Computes *to = r * by, rounded. Returns false, with *to undefined, if the result does not fit; infinities and NaN
 * never fit. */
bool i128_of_double(double r, uint32_t by, enum i128_round round, struct i128 *to);
/* Returns a number below, equal to or above 0 if a is less than, equal to or greater than r * by. The comparison
 * is exact. r must not be NaN. */
int i128_cmp_double(struct i128 a, double r, uint32_t by);

/* Writes a in decimal, with its sign, at p, which must have room for 40 bytes and PUT_SLACK. Returns the position
 * after the digits. */
uint8_t *i128_put(uint8_t *p, struct i128 a);

#endif
