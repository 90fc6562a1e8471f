/*
 * wide.h - integers of 640 bits: exact sums, sums of squares and their quotients.
 *
 * They are for results. (To count an event, two or three uint64_t are faster.) No 128-bit
 * type, so that 32-bit machines give the same digits.
 */
#ifndef SPOOR_WIDE_H
#define SPOOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define WIDE_LIMBS 20
/* The most digits that wide_put writes. */
#define WIDE_DIGITS 200

/* A number without a sign, the lowest limb first. Bits above the highest limb are lost. */
struct wide {
	uint32_t w[WIDE_LIMBS];
};

/* With a sign; zero is not negative. */
struct swide {
	struct wide m;
	bool neg;
};

/* The number v. */
struct wide wide_u64(uint64_t v);
/* Returns the number of the n words of 64 bits at w, the lowest first. */
struct wide wide_words(const uint64_t *w, size_t n);
/* Writes a as n such words to w; false if it does not fit. */
bool wide_to_words(const struct wide *a, uint64_t *w, size_t n);
/* Returns whether a is 0. */
bool wide_zero(const struct wide *a);
/* < 0, 0, > 0 as a is less than, equal to, greater than b. */
int wide_cmp(const struct wide *a, const struct wide *b);
/* a + b; a - b, for a >= b; a * b. */
struct wide wide_add(const struct wide *a, const struct wide *b);
struct wide wide_sub(const struct wide *a, const struct wide *b);
struct wide wide_mul(const struct wide *a, const struct wide *b);
/* a * 10^n */
struct wide wide_scale(struct wide a, unsigned n);
/* The whole part of a / b, b not 0. *rest is the remainder; rest may be NULL. */
struct wide wide_div(const struct wide *a, const struct wide *b, struct wide *rest);
/* a / b rounded to the nearest, halves up; b not 0. */
struct wide wide_div_round(const struct wide *a, const struct wide *b);
/* The square root of a, rounded to the nearest. */
struct wide wide_sqrt_round(const struct wide *a);
/* a - b and a + b, with a sign. */
struct swide swide_sub(const struct wide *a, const struct wide *b);
struct swide swide_add(const struct swide *a, const struct swide *b);

/* Writes the decimal digits of a at p, at most WIDE_DIGITS; gives the place behind. */
uint8_t *wide_put(uint8_t *p, const struct wide *a);
/*
 * Writes a / 10^decimals as a decimal fraction at p: all `decimals` digits, or with `trim`
 * without zeros at the end (and without the point if none is left). Gives the place behind.
 */
uint8_t *wide_put_decimal(uint8_t *p, const struct wide *a, unsigned decimals, bool trim);
/* Writes a / b, b not 0, rounded to so many decimals, or to more if it would have less than six
 * significant digits; below 10^-9 with an exponent then. A minus sign stands before the result
 * if `neg` is set and the result is not 0. `trim` is as above; the decimals beyond `decimals`
 * have no zeros at the end. Returns the place after the text. */
uint8_t *wide_put_ratio(uint8_t *p, bool neg, const struct wide *a, const struct wide *b,
			unsigned decimals, bool trim);
/* Writes a / b, b not 0, as DIGITSe-PLACES with at least 20 digits: more than a double has. */
uint8_t *wide_put_real(uint8_t *p, bool neg, const struct wide *a, const struct wide *b);
/* Reads the digits s[0..n) into *a. False if they are no digits, or do not fit. */
bool wide_parse(const char *s, size_t n, struct wide *a);

#endif
