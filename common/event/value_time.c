/* value_time.c - reads times and durations as the text stream writes them. */
#include <string.h>

#include "base/num.h"
#include "event/value.h"

const char *
value_read_time(bool ticks, const uint8_t *p, size_t n, int64_t *t)
{
	bool neg = n && *p == '-';
	const uint8_t *dot;
	uint64_t sec, frac = 0;
	const char *why;
	size_t digits;

	if (ticks) {
		why = digits_u64(p, n, &sec);
		*t = (int64_t)sec;
		/* awk prints 1.0 as 1, so the first time of such a stream may have no point. */
		return why && memchr(p, '.', n) && !value_read_time(false, p, n, t)
			   ? "times of this stream are ticks if the first has no decimal "
			     "point: write 1.0"
			   : why;
	}
	p += neg;
	n -= neg;
	dot = memchr(p, '.', n);
	why = digits_u64(p, dot ? (size_t)(dot - p) : n, &sec);
	if (why)
		return why;
	if (dot) {
		digits = n - (size_t)(dot + 1 - p);
		if (digits > 9)
			return "more than nine decimals";
		why = digits_u64(dot + 1, digits, &frac);
		if (why)
			return why;
		for (; digits < 9; digits++)
			frac *= 10;
	}
	if (sec > (uint64_t)INT64_MAX / 1000000000 ||
	    sec * 1000000000 + frac > (uint64_t)INT64_MAX + neg)
		return "beyond 292 years";
	*t = (int64_t)(neg ? 0 - (sec * 1000000000 + frac) : sec * 1000000000 + frac);
	return NULL;
}
