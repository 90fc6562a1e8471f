/*
 * wide.h - integers of 640 bits: exact sums, sums of squares and their quotients.
 *
 * Use them for results only; to count events, two or three uint64_t are faster. They use no 128-bit type, so
 * 32-bit machines print the same digits.
 */
#ifndef SPOOR_WIDE_H
#define SPOOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define WIDE_LIMBS 20
/* Number of digits that wide_put writes at most. */
#define WIDE_DIGITS 200

/* An unsigned number, the lowest limb first. Operations drop bits above the highest limb. */
struct wide {
	uint32_t w[WIDE_LIMBS];
};

/* A signed number. Zero is not negative. */
struct swide {
	struct wide m;
	bool neg;
};

/* Returns the number v. */
struct wide wide_u64(uint64_t v);
/* Returns the number made of the n 64-bit words at w, the lowest first. */
struct wide wide_words(const uint64_t *w, size_t n);
/* Writes a as n 64-bit words to w, the lowest first. Returns false if a does not fit. */
bool wide_to_words(const struct wide *a, uint64_t *w, size_t n);
/* Returns whether a is 0. */
bool wide_zero(const struct wide *a);
/* Returns a number below, equal to or above 0 if a is less than, equal to or greater than b. */
int wide_cmp(const struct wide *a, const struct wide *b);
/* wide_add returns a + b; wide_sub a - b, for a >= b; wide_mul a * b. */
struct wide wide_add(const struct wide *a, const struct wide *b);
struct wide wide_sub(const struct wide *a, const struct wide *b);
struct wide wide_mul(const struct wide *a, const struct wide *b);
/* Returns a * 10^n. */
struct wide wide_scale(struct wide a, unsigned n);
/* Returns the whole part of a / b, for b not 0, and stores the remainder in *rest. rest may be NULL. */
struct wide wide_div(const struct wide *a, const struct wide *b, struct wide *rest);
/* Returns a / b rounded to the nearest integer, halves up. b is not 0. */
struct wide wide_div_round(const struct wide *a, const struct wide *b);
/* Returns the square root of a, rounded to the nearest integer. */
struct wide wide_sqrt_round(const struct wide *a);
/* swide_sub returns a - b, swide_add a + b, both with a sign. */
struct swide swide_sub(const struct wide *a, const struct wide *b);
struct swide swide_add(const struct swide *a, const struct swide *b);

/* Writes the decimal digits of a at p, at most WIDE_DIGITS. Returns the position after the digits. */
uint8_t *wide_put(uint8_t *p, const struct wide *a);
/* Writes a / 10^decimals at p with all `decimals` decimals. With `trim` it drops zeros at the end, and the point
 * if no decimal is left. Returns the position after the text. */
uint8_t *wide_put_decimal(uint8_t *p, const struct wide *a, unsigned decimals, bool trim);
/* Writes a / b, for b not 0, rounded to `decimals` decimals. If the result would have less than six significant
 * digits, it gets more decimals, without zeros at the end; a result below 10^-9 then gets an exponent. Writes a
 * minus sign if `neg` is set and the result is not 0. `trim` is as for wide_put_decimal. Returns the position
 * after the text. */
uint8_t *wide_put_ratio(uint8_t *p, bool neg, const struct wide *a, const struct wide *b,
			unsigned decimals, bool trim);
/* Writes a / b, for b not 0, as DIGITSe-PLACES with at least 20 digits, more than a double holds. Writes a minus
 * sign if `neg`. Returns the position after the text. */
uint8_t *wide_put_real(uint8_t *p, bool neg, const struct wide *a, const struct wide *b);
/* Reads the decimal digits s[0..n) into *a. Returns false if s has other characters, is empty, or the number does
 * not fit. */
bool wide_parse(const char *s, size_t n, struct wide *a);

#endif
