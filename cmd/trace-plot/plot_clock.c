/* plot_clock.c - see plot_clock.h. */
#include <string.h>

#include "number/moment.h"
#include "trace-plot/plot_clock.h"
#include "trace-plot/scale.h"

#define SECOND 1000000000ull
#define DAY (86400 * SECOND)

uint64_t
clock_step(uint64_t range, unsigned most)
{
	static const uint32_t step[] = {1,    2,    5,	   10,	  15,	 30,
					60,   120,  300,   600,	  900,	 1800,
					3600, 7200, 10800, 21600, 43200, 86400};
	uint64_t least = range / most + (range % most != 0), days;

	if (least <= SECOND / 2)
		return scale_step(SCALE_TIME, range, most);
	for (size_t i = 0; i < sizeof step / sizeof *step; i++)
		if (step[i] * SECOND >= least)
			return step[i] * SECOND;
	days = scale_step(SCALE_TIME, least / DAY + (least % DAY != 0), 1);
	return days <= UINT64_MAX / DAY ? days * DAY : UINT64_MAX;
}

uint64_t
clock_first(int64_t first, uint64_t step)
{
	uint64_t rest = first < 0 ? (0 - (uint64_t)first) % step : (uint64_t)first % step;

	return !rest || first < 0 ? rest : step - rest;
}

/* Returns a time since 1970 as YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ. */
static const char *
date_of(int64_t ns)
{
	char text[DATE_TEXT];

	date_text(ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, ns < 0, true, text);
	return joined(text);
}

/* Returns how many characters of hh:mm:ss.nnnnnnnnn a step needs. */
static int
length(uint64_t step)
{
	int n = 18;

	if (step % (60 * SECOND) == 0)
		return 5;
	if (step % SECOND == 0)
		return 8;
	for (; step % 10 == 0; step /= 10)
		n--;
	return n;
}

const char *
clock_tick(int64_t ns, uint64_t step)
{
	const char *date = date_of(ns);

	return step % DAY == 0 ? formatted("%.10s", date)
			       : formatted("%.*s", length(step), date + 11);
}

const char *
clock_full(int64_t ns, uint64_t step)
{
	const char *date = date_of(ns);
	uint64_t ten = 1;

	while (ten < SECOND && ten * 10 <= step)
		ten *= 10;
	return formatted("%.10s %.*s", date, length(ten), date + 11);
}

const char *
clock_label(int64_t first, int64_t last, uint64_t step)
{
	const char *from = date_of(first), *to = date_of(last);

	if (step % DAY == 0)
		return "UTC";
	return strncmp(from, to, 10) != 0 ? formatted("%.10s to %.10s, UTC", from, to)
					  : formatted("%.10s, UTC", from);
}
