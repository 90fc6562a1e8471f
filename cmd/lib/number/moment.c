/* moment.c - see moment.h. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "number/moment.h"

#define SECOND 1000000000u
#define DAY (86400ull * SECOND)

void
date_text(uint64_t ns, bool before, bool fine, char to[DATE_TEXT])
{
	uint64_t s = ns / SECOND, nano = ns % SECOND;
	time_t t = before ? -(time_t)(s + (nano > 0)) : (time_t)s;
	struct tm tm;
	size_t n;

	if (before && nano)
		nano = SECOND - nano;
	/* 64 bits of ns are 584 years, so the year has four digits. */
	n = gmtime_r(&t, &tm) ? strftime(to, DATE_TEXT, "%Y-%m-%dT%H:%M:%S", &tm) : 0;
	if (fine)
		snprintf(to + n, DATE_TEXT - n, ".%09lluZ", (unsigned long long)nano);
	else
		snprintf(to + n, DATE_TEXT - n, "Z");
}

char *
span_text(char to[static SPAN_TEXT], uint64_t ns, bool neg)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} unit[] = {{DAY, "d"}, {SECOND, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	unsigned u = 0, decimals = 0;
	uint64_t whole, part, one = 1, of;

	/* Lengths up to 100 days are printed in seconds, because whole days are too coarse. */
	while (u < 4 && ns < (u ? unit[u].ns : 100 * DAY))
		u++;
	u = ns ? u : 1;
	of = unit[u].ns;
	whole = ns / of;
	for (; ns && of > 1 && decimals < 3 && whole * one < 1000; decimals++)
		one *= 10;
	part = (ns % of * one + of / 2) / of;
	/* 999.96 ms rounds to 1.000 s. */
	if (part == one && one > 1)
		return span_text(to, (whole + 1) * of, neg);
	if (one > 1)
		snprintf(to, SPAN_TEXT, "%s%" PRIu64 ".%0*" PRIu64 " %s", neg ? "-" : "",
			 whole, (int)decimals, part, unit[u].name);
	else
		snprintf(to, SPAN_TEXT, "%s%" PRIu64 " %s", neg ? "-" : "", whole + part,
			 unit[u].name);
	return to;
}
