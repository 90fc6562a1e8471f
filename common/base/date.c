/* date.c - dates as people and logs write them: ISO 8601. */
#include "base/date.h"
#include "base/num.h"

#define BILLION 1000000000u

/* Reads a number of n digits at *p, from least to most, into *v, and moves *p after it. Returns false if there is
 * no such number. */
static bool
part(const uint8_t **p, const uint8_t *end, unsigned n, uint64_t least, uint64_t most,
     uint64_t *v)
{
	if ((size_t)(end - *p) < n || digits_u64(*p, n, v))
		return false;
	*p += n;
	return *v >= least && *v <= most;
}

static bool
sign(const uint8_t **p, const uint8_t *end, char a, char b)
{
	if (*p == end || (**p != a && **p != b))
		return false;
	++*p;
	return true;
}

/* Returns the days from 1970-01-01 to day d of month m of year y, in the Gregorian calendar. y must be at least
 * 1970. */
static uint64_t
days(uint64_t y, uint64_t m, uint64_t d)
{
	/* Years are counted from March, so that the leap day is the last one. */
	y -= m <= 2;
	m = m > 2 ? m - 3 : m + 9;
	return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + d - 1 - 719468;
}

/* Reads a date up to its seconds into *s, in seconds since 1970, and moves *p after it. With `brief` the date may
 * end after the day or the minute. Returns false if there is no such date. */
static bool
date(const uint8_t **p, const uint8_t *end, bool brief, uint64_t *s)
{
	static const uint8_t in_month[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	uint64_t y, mo, d, h, mi;

	if (!part(p, end, 4, 1970, 2261, &y) || !sign(p, end, '-', '-') ||
	    !part(p, end, 2, 1, 12, &mo) || !sign(p, end, '-', '-') ||
	    !part(p, end, 2, 1, in_month[mo - 1], &d) ||
	    (mo == 2 && d == 29 && (y % 4 || (y % 100 == 0 && y % 400))))
		return false;
	h = mi = *s = 0;
	if (*p < end || !brief) {
		if (!sign(p, end, 'T', ' ') || !part(p, end, 2, 0, 23, &h) ||
		    !sign(p, end, ':', ':') || !part(p, end, 2, 0, 59, &mi))
			return false;
		if ((!brief || (*p < end && **p == ':')) &&
		    (!sign(p, end, ':', ':') || !part(p, end, 2, 0, 60, s)))
			return false;
	}
	*s += (days(y, mo, d) * 24 + h) * 3600 + mi * 60;
	return true;
}

const char *
date_ns(const uint8_t *p, size_t n, bool brief, uint64_t *ns)
{
	const uint8_t *end = p + n;
	uint64_t s, zone = 0, minutes = 0, nano = 0, unit = BILLION;
	bool west = false;

	if (!date(&p, end, brief, &s))
		return "YYYY-MM-DDThh:mm:ss from 1970 to 2261 is expected";
	if (sign(&p, end, '.', ',')) {
		for (; p < end && *p >= '0' && *p <= '9'; p++)
			if (unit > 1)
				nano += (uint64_t)(*p - '0') * (unit /= 10);
		if (unit == BILLION)
			return "digits are expected after the point";
	}
	p += end - p > 1 && *p == ' ';
	if (p < end && (*p == '+' || *p == '-')) {
		west = *p++ == '-';
		if (!part(&p, end, 2, 0, 23, &zone) ||
		    ((sign(&p, end, ':', ':') || p < end) &&
		     !part(&p, end, 2, 0, 59, &minutes)))
			return "a zone must be Z, +hh:mm or -hh:mm";
	} else
		sign(&p, end, 'Z', 'z');
	if (p < end)
		return "other text follows the time";
	zone = zone * 3600 + minutes * 60;
	if (!west && zone > s)
		return "the time is before 1970";
	*ns = (west ? s + zone : s - zone) * BILLION + nano;
	return NULL;
}
