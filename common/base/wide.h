/*
 * wide.h - integers of 640 bits: sums, sums of squares and what is computed of them, exact.
 *
 * For results, not for events: an accumulator holds two or three uint64_t. No 128-bit type,
 * so that 32-bit machines give the same digits.
 */
#ifndef SPOOR_WIDE_H
#define SPOOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIDE_LIMBS 20
/* The most digits that wide_put writes. */
#define WIDE_DIGITS 200

/* A number without a sign, the least significant limb first. What overflows is lost. */
struct wide {
	uint32_t w[WIDE_LIMBS];
};

/* With a sign; zero is not negative. */
struct swide {
	struct wide m;
	bool neg;
};

struct wide wide_u64(uint64_t v);
/* From words of 64 bits, the least significant first. */
struct wide wide_words(const uint64_t *w, size_t n);
/* Back into n words; false when it does not fit. */
bool wide_to_words(const struct wide *a, uint64_t *w, size_t n);
bool wide_zero(const struct wide *a);
int wide_cmp(const struct wide *a, const struct wide *b); /* < 0, 0, > 0 */
struct wide wide_add(const struct wide *a, const struct wide *b);
struct wide wide_sub(const struct wide *a, const struct wide *b); /* a >= b */
struct wide wide_mul(const struct wide *a, const struct wide *b);
/* a * 10^n */
struct wide wide_scale(struct wide a, unsigned n);
/* The whole part of a / b, b not 0; *rest is what remains, and may be NULL. */
struct wide wide_div(const struct wide *a, const struct wide *b, struct wide *rest);
/* a / b rounded to the nearest, halves up. */
struct wide wide_div_round(const struct wide *a, const struct wide *b);
struct wide wide_sqrt_round(const struct wide *a); /* rounded to the nearest */
struct swide swide_sub(const struct wide *a, const struct wide *b);
struct swide swide_add(const struct swide *a, const struct swide *b);

/* Decimal digits; gives the place behind. */
uint8_t *wide_put(uint8_t *p, const struct wide *a);
/*
 * a / 10^decimals as a decimal fraction: all `decimals` digits, or with `trim` without
 * zeros at the end (and without the point when none is left).
 */
uint8_t *wide_put_decimal(uint8_t *p, const struct wide *a, unsigned decimals, bool trim);
/* Reads digits, all of s[0..n). False when they are none or do not fit. */
bool wide_parse(const char *s, size_t n, struct wide *a);

/* a *= b of two uint64_t: the 128 bits of the product. */
static inline void
mul64(uint64_t a, uint64_t b, uint64_t *lo, uint64_t *hi)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;

	*lo = mid2 << 32 | (uint32_t)low;
	*hi = a1 * b1 + (mid >> 32) + (mid2 >> 32);
}

#endif
