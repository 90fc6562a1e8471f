/*
 * i128.h - integers with a sign whose magnitude is below 2^127: exact sums, products and
 * quotients of 64-bit numbers, and doubles held against them. Not every machine has such a
 * type.
 */
#ifndef SPOOR_I128_H
#define SPOOR_I128_H

#include <stdbool.h>
#include <stdint.h>

/* Two's complement: hi * 2^64 + lo. */
struct i128 {
	uint64_t lo;
	int64_t hi;
};

/* The number n. */
static inline struct i128
i128_i64(int64_t n)
{
	return (struct i128){(uint64_t)n, n < 0 ? -1 : 0};
}

static inline struct i128
i128_u64(uint64_t n)
{
	return (struct i128){n, 0};
}

/* Returns whether a is 0; fits an int64_t; an uint64_t. */
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

/* < 0, 0, > 0 as a is less than, equal to, greater than b. */
static inline int
i128_cmp(struct i128 a, struct i128 b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	return a.lo < b.lo ? -1 : a.lo > b.lo;
}

/* -a; a without its sign. */
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

/* *to = a + b. False, with *to undefined, if the sum does not fit. */
static inline bool
i128_add(struct i128 a, struct i128 b, struct i128 *to)
{
	uint64_t lo = a.lo + b.lo, hi = (uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo);

	*to = (struct i128){lo, (int64_t)hi};
	if ((~((uint64_t)a.hi ^ (uint64_t)b.hi) & ((uint64_t)a.hi ^ hi)) >> 63)
		return false;
	return lo || hi != 1ull << 63; /* not -2^127 */
}

/* *to = a * b. False, with *to undefined, if the product does not fit. */
bool i128_mul(struct i128 a, struct i128 b, struct i128 *to);

enum i128_round {
	I128_FLOOR,   /* to the next whole number below */
	I128_NEAREST, /* halves away from 0 */
};

/* *to = a * b / c, c not 0; the product may have any length. False, with *to undefined, if
 * the result does not fit. */
bool i128_muldiv(struct i128 a, struct i128 b, struct i128 c, enum i128_round round,
		 struct i128 *to);
/* a - b * floor(a / b), b not 0: it has b's sign. */
struct i128 i128_mod(struct i128 a, struct i128 b);

/* The double next to a * by; of two, the even one. */
double i128_double(struct i128 a, uint32_t by);
/* *to = r * by, rounded. False, with *to undefined, if it does not fit, as no infinity
 * does. */
bool i128_of_double(double r, uint32_t by, enum i128_round round, struct i128 *to);
/* < 0, 0, > 0 as a is less than, equal to, greater than r * by, exactly; r is a number. */
int i128_cmp_double(struct i128 a, double r, uint32_t by);

/* Writes a in decimal, with its sign, at p: at most 40 bytes, and PUT_SLACK behind; gives
 * the place behind. */
uint8_t *i128_put(uint8_t *p, struct i128 a);

#endif
