/* num.h - numbers as people type them: hex, decimals, units; integers stay exact. */
#ifndef SPOOR_NUM_H
#define SPOOR_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unit {
	UNIT_NONE,
	UNIT_TIME,
	UNIT_SIZE,
	UNIT_DATE /* seconds since 1970; only date_num sets it */
};

/* A number: whole + nano/10^9, negated if neg. A time is in seconds, a size in bytes. */
struct num {
	uint64_t whole;
	uint32_t nano;
	bool neg;
	bool rounded; /* decimals after the ninth were not all 0 */
	enum unit unit;
};

/* Reads the whole number p[0..n), which must have digits and nothing else, into *v. Returns NULL, or the error in
 * static memory. */
const char *digits_u64(const uint8_t *p, size_t n, uint64_t *v);

/* Reads the hexadecimal number p[0..n), without 0x, into *v. Returns NULL, or the error in static memory. */
const char *hex_u64(const uint8_t *p, size_t n, uint64_t *v);
/* Returns the value of a hexadecimal digit, or 16 for any other byte. */
static inline unsigned
hex_digit(uint8_t c)
{
	unsigned small = c | 0x20u;

	return c >= '0' && c <= '9'	      ? c - 0u - '0'
	       : small >= 'a' && small <= 'f' ? small - 'a' + 10
					      : 16;
}

/* Returns the number of decimal digits that [s, end) begins with. */
static inline size_t
num_digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - s);
}

/* The units that num_parse knows. */
enum num_units {
	NUM_BARE, /* none */
	NUM_TYPED, /* ns us ms s m h; K M G T (1024, also k KiB MiB GiB TiB, B); kB MB GB TB (1000, also KB) */
	NUM_DATA, /* also min, and microseconds with a micro sign */
};
/*
 * Reads all of s[0..n) into *out: [-] digits [. digits] [e digits] [unit], or 0x and hex digits. *out is rounded to
 * nine decimals, a half up. Returns false if the text is not a number or does not fit. *out is then undefined, and
 * *why is the error in static memory; `why` may be NULL.
 */
bool num_parse(const char *s, size_t n, enum num_units with, struct num *out,
	       const char **why);

/* Returns the value of an option: the whole number s, which may have a unit, from least to most. Otherwise dies; the
 * message begins with `what`, the option's name. */
uint64_t num_option(const char *what, const char *s, uint64_t least, uint64_t most);
/* Returns the frequency s in Hz, from least to most; k (or K), M and G are powers of 1000, and "Hz" may follow.
 * Otherwise dies as num_option does. */
uint64_t num_hertz(const char *what, const char *s, uint64_t least, uint64_t most);

#endif
