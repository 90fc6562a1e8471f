/* charisma_clock.c - the unit of time stamps: an exact fraction of a nanosecond. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"

bool
charisma_unit(struct charisma_clock *k, double unit)
{
	char text[40];
	uint64_t m = 0, a, b;
	int exponent;

	if (!(unit > 0) || !isfinite(unit) || unit > 1e6 || unit < 1e-15)
		return false;
	/* The decimal that the writer meant is the shortest one that reads back as the same double: 8e-07, not the
	 * exact binary fraction. */
	for (int digits = 0; digits < 17; digits++) {
		snprintf(text, sizeof text, "%.*e", digits, unit);
		if (strtod(text, NULL) == unit)
			break;
	}
	exponent = atoi(strchr(text, 'e') + 1); /* NOLINT(cert-err34-c): %e wrote it */
	for (const char *p = text; *p != 'e'; p++) {
		if (*p == '.')
			exponent -= (int)(strchr(text, 'e') - p) - 1;
		else
			m = m * 10 + (uint64_t)(*p - '0');
	}
	k->num = m;
	k->den = 1;
	for (exponent += 9; exponent > 0; exponent--)
		if (!times64(k->num, 10, &k->num))
			return false;
	for (; exponent < 0; exponent++) {
		if (k->num % 10 == 0)
			k->num /= 10;
		else if (!times64(k->den, 10, &k->den))
			return false;
	}
	for (a = k->num, b = k->den; b;) {
		uint64_t t = a % b;

		a = b;
		b = t;
	}
	k->num /= a;
	k->den /= a;
	return true;
}

bool
charisma_scale_slow(const struct charisma_clock *k, uint64_t ticks, uint64_t *ns)
{
	/* Divide ticks * num, 128 bits in high and low, by den, bit by bit. */
	uint64_t low, high, quotient = 0;

	mul64(ticks, k->num, &low, &high);
	low += k->den / 2;
	high += low < k->den / 2;
	*ns = high ? UINT64_MAX : low / k->den;
	if (!high || high >= k->den)
		return !high;
	for (int i = 63; i >= 0; i--) {
		bool carry = high >> 63;

		high = high << 1 | (low >> i & 1);
		if (carry || high >= k->den) {
			high -= k->den;
			quotient |= 1ull << i;
		}
	}
	*ns = quotient;
	return true;
}
