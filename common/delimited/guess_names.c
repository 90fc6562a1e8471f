/* guess_names.c - finds units by names of columns and sizes of numbers. */
#include <string.h>
#include <strings.h>

#include "delimited/guess.h"

/* Unit of numbers by the end of a column's name. */
static const struct {
	const char *word, *unit;
} units[] = {
    {"ns", "ns"}, {"nsec", "ns"}, {"nanos", "ns"},  {"nanoseconds", "ns"},
    {"us", "us"}, {"usec", "us"}, {"micros", "us"}, {"microseconds", "us"},
    {"ms", "ms"}, {"msec", "ms"}, {"millis", "ms"}, {"milliseconds", "ms"},
    {"s", "s"},	  {"sec", "s"},	  {"secs", "s"},    {"seconds", "s"},
};

/* Returns true if the word at `at` ends the name, and follows a sign or begins with a capital. */
static bool
ends_name(struct span name, size_t at, const char *word)
{
	size_t n = strlen(word);

	if (at + n > name.n || strncasecmp((const char *)name.p + at, word, n) != 0 ||
	    !(at + n == name.n || memchr(")]", name.p[at + n], 2)))
		return false;
	return memchr("_-.( [", name.p[at - 1], 6) ||
	       (name.p[at] <= 'Z' && name.p[at - 1] >= 'a' && name.p[at - 1] <= 'z');
}

void
guess_plain_name(struct guess_column *k, char name[40])
{
	size_t n = 0, stop = k->name.n;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		for (size_t at = 1; at < k->name.n; at++)
			if (ends_name(k->name, at, units[i].word)) {
				k->unit = units[i].unit;
				stop = at;
			}
	for (size_t i = 0; i < stop && n < 38 && !memchr("([", k->name.p[i], 2); i++) {
		char c = (char)k->name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			name[n++] = c;
	}
	name[n] = '\0';
}

bool
guess_is_meant(const char *list, const char *name)
{
	size_t n = strlen(name);
	const char *at = list;

	while (n && (at = strstr(at, name)) != NULL) {
		if ((at == list || at[-1] == ' ') && at[n] == ' ')
			return true;
		at += n;
	}
	return false;
}

const char *
guess_time_unit(const struct guess_column *k, unsigned *epoch)
{
	static const struct {
		uint64_t from, to; /* the years 1990 to 2100 */
		const char *unit;
		unsigned epoch;
	} known[] = {
	    {631152000, 4102444800, "s", 1970},
	    {631152000000, 4102444800000, "ms", 1970},
	    {631152000000000, 4102444800000000, "us", 1970},
	    {631152000000000000, 4102444800000000000, "ns", 1970},
	    {122756256000000000, 157469184000000000, "100ns", 1601},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (k->numbers && k->least >= known[i].from && k->most < known[i].to &&
		    (!k->unit || !strcmp(k->unit, known[i].unit))) {
			*epoch = known[i].epoch;
			return known[i].unit;
		}
	return NULL;
}
