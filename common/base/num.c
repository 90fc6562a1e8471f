/* num.c - one parser for every number that a person or a text field writes. */
#include <string.h>

#include "base/die.h"
#include "base/num.h"

struct unit_name {
	const char *name;
	enum unit unit;
	int power;    /* power of ten */
	uint64_t mul; /* factor after the power, to seconds or bytes */
};

static const struct unit_name units[] = {
    {"ns", UNIT_TIME, -9, 1},
    {"us", UNIT_TIME, -6, 1},
    {"ms", UNIT_TIME, -3, 1},
    {"s", UNIT_TIME, 0, 1},
    {"m", UNIT_TIME, 0, 60},
    {"h", UNIT_TIME, 0, 3600},
    {"B", UNIT_SIZE, 0, 1},
    {"K", UNIT_SIZE, 0, 1ull << 10},
    {"k", UNIT_SIZE, 0, 1ull << 10},
    {"M", UNIT_SIZE, 0, 1ull << 20},
    {"G", UNIT_SIZE, 0, 1ull << 30},
    {"T", UNIT_SIZE, 0, 1ull << 40},
    {"KiB", UNIT_SIZE, 0, 1ull << 10},
    {"MiB", UNIT_SIZE, 0, 1ull << 20},
    {"GiB", UNIT_SIZE, 0, 1ull << 30},
    {"TiB", UNIT_SIZE, 0, 1ull << 40},
    {"kB", UNIT_SIZE, 3, 1},
    {"KB", UNIT_SIZE, 3, 1},
    {"MB", UNIT_SIZE, 6, 1},
    {"GB", UNIT_SIZE, 9, 1},
    {"TB", UNIT_SIZE, 12, 1},
    /* Units that are accepted in data only: */
    {"min", UNIT_TIME, 0, 60},
    /* microseconds with the micro sign in UTF-8, then with the Greek letter */
    {"\xc2\xb5s", UNIT_TIME, -6, 1},
    {"\xce\xbcs", UNIT_TIME, -6, 1},
};
#define OF_DATA 3

const char *
digits_u64(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	if (!n)
		return "the value is empty";
	for (; n; p++, n--) {
		if (*p < '0' || *p > '9')
			return "not a whole number";
		if (*v > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
			return "greater than 2^64-1";
		*v = *v * 10 + (uint64_t)(*p - '0');
	}
	return NULL;
}

const char *
hex_u64(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	for (; n > 16 && *p == '0'; n--)
		p++;
	if (!n || n > 16)
		return n ? "more than 16 hexadecimal digits" : "the value is empty";
	for (; n; p++, n--) {
		unsigned d = hex_digit(*p);

		if (d > 15)
			return "not a hexadecimal number";
		*v = *v << 4 | d;
	}
	return NULL;
}

#define BILLION 1000000000u

/* Multiplies n by `by`. Returns false if the product does not fit. */
static bool
multiply(struct num *n, uint64_t by)
{
	/* nano * by is computed as high * 10^9 + low without 128 bits, by splitting `by`. */
	uint64_t carry, low = by % BILLION * n->nano;

	if (by && n->whole > UINT64_MAX / by)
		return false;
	carry = by / BILLION * n->nano + low / BILLION;
	n->whole *= by;
	if (n->whole > UINT64_MAX - carry)
		return false;
	n->whole += carry;
	n->nano = (uint32_t)(low % BILLION);
	return true;
}

/* Decimals after the ninth that are used for rounding. One more could matter only for a value in m, h, K, M, G or
 * T. */
#define TAIL 6
#define TAIL_ONE 1000000u

/* Converts the digits [s, end), which may have a point, times 10^power times mul into *n, rounded to nine
 * decimals, a half up, as readers of traces round. Returns false if the result does not fit. */
static bool
decimal(const char *s, const char *end, long power, uint64_t mul, struct num *n)
{
	const char *dot = memchr(s, '.', (size_t)(end - s));
	/* The place of the first digit: 0 is the digit before the point. */
	long place = (long)((dot ? dot : end) - s) - 1 + power;
	uint64_t tail = 0, nano = 0;

	for (; s < end && place >= -9 - TAIL; s++) {
		unsigned d = (unsigned)(*s - '0');

		if (*s == '.')
			continue;
		if (place < -9)
			tail = tail * 10 + d;
		else if (place < 0)
			nano = nano * 10 + d;
		else if (n->whole > (UINT64_MAX - d) / 10)
			return false;
		else
			n->whole = n->whole * 10 + d;
		place--;
	}
	for (; place >= -9 - TAIL; place--) {
		if (place < -9)
			tail *= 10;
		else if (place < 0)
			nano *= 10;
		else if (n->whole > UINT64_MAX / 10)
			return false;
		else if (!n->whole)
			place = 0; /* only zeros: stop before a huge power */
		else
			n->whole *= 10;
	}
	n->nano = (uint32_t)nano;
	for (n->rounded = tail; s < end && !n->rounded; s++)
		n->rounded = *s != '0' && *s != '.';
	if (!multiply(n, mul))
		return false;
	nano = n->nano + (tail * mul + TAIL_ONE / 2) / TAIL_ONE;
	n->nano = (uint32_t)(nano % BILLION);
	if (n->whole > UINT64_MAX - nano / BILLION)
		return false;
	n->whole += nano / BILLION;
	return true;
}

static bool
hex(const char *s, const char *end, struct num *out, const char **why)
{
	if (s == end)
		return *why = "hexadecimal digits expected after 0x", false;
	for (; s < end; s++) {
		unsigned d = hex_digit((uint8_t)*s);

		if (d > 15)
			return *why = "not a hexadecimal number", false;
		if (out->whole >> 60)
			return *why = "greater than 2^64-1", false;
		out->whole = out->whole << 4 | d;
	}
	return true;
}

/* Returns the unit whose name is [s, end), or NULL. */
static const struct unit_name *
unit_named(const char *s, const char *end, enum num_units with)
{
	size_t n = sizeof units / sizeof *units - (with == NUM_DATA ? 0 : OF_DATA);

	for (size_t i = 0; i < n; i++)
		if (strlen(units[i].name) == (size_t)(end - s) &&
		    !memcmp(units[i].name, s, (size_t)(end - s)))
			return &units[i];
	return NULL;
}

/* Reads the exponent after the 'e' at *s into *power, up to about 1000, and moves *s after it. Returns false if
 * digits are missing. */
static bool
exponent(const char **s, const char *end, long *power)
{
	const char *p = *s + 1, *at;
	bool down = *p == '-';

	at = p += *p == '-' || *p == '+';
	for (*power = 0; p < end && *p >= '0' && *p <= '9' && *power < 1000; p++)
		*power = *power * 10 + (*p - '0');
	*power = down ? -*power : *power;
	*s = p;
	return p > at;
}

bool
num_parse(const char *s, size_t n, enum num_units with, struct num *out, const char **why)
{
	const char *end = s + n, *start, *stop, *at;
	const struct unit_name *unit = NULL;
	const char *dummy;
	long power = 0;

	if (!why)
		why = &dummy;
	memset(out, 0, sizeof *out);
	if (s < end && *s == '-') {
		out->neg = true;
		s++;
	}
	if (end - s > 1 && s[0] == '0' && (s[1] | 0x20) == 'x')
		return hex(s + 2, end, out, why);
	start = s;
	s += num_digits(s, end);
	if (s == start)
		return *why = "not a number", false;
	if (s < end && *s == '.') {
		at = ++s;
		s += num_digits(s, end);
		if (s == at)
			return *why = "digits expected after the point", false;
	}
	stop = s;
	if (s < end && (*s | 0x20) == 'e' && end - s > 1 && !exponent(&s, end, &power))
		return *why = "digits expected after e", false;
	if (s < end) {
		unit = with ? unit_named(s, end, with) : NULL;
		if (!unit)
			return *why = with ? "no such unit (ns us ms s m h, K M G T, "
					     "kB MB GB TB)"
					   : "not a number",
			       false;
		out->unit = unit->unit;
		power += unit->power;
	}
	if (!decimal(start, stop, power, unit ? unit->mul : 1, out))
		return *why = "greater than 2^64-1", false;
	return true;
}

static uint64_t
in_range(const char *what, const char *s, const struct num *n, uint64_t least,
	 uint64_t most)
{
	if (n->neg || n->nano || n->whole < least || n->whole > most)
		die("%s: %s: a whole number between %llu and %llu is expected", what, s,
		    (unsigned long long)least, (unsigned long long)most);
	return n->whole;
}

uint64_t
num_option(const char *what, const char *s, uint64_t least, uint64_t most)
{
	const char *why = NULL;
	struct num n;

	if (!num_parse(s, strlen(s), NUM_TYPED, &n, &why))
		die("%s: %s: %s", what, s, why);
	return in_range(what, s, &n, least, most);
}

uint64_t
num_hertz(const char *what, const char *s, uint64_t least, uint64_t most)
{
	size_t len = strlen(s);
	uint64_t mul = 1;
	struct num n;

	if (len > 2 && !strcmp(s + len - 2, "Hz"))
		len -= 2;
	switch (len ? s[len - 1] : 0) {
	case 'G': mul *= 1000; /* fall through */
	case 'M': mul *= 1000; /* fall through */
	case 'K':
	case 'k': mul *= 1000; len--;
	}
	if (!num_parse(s, len, NUM_BARE, &n, NULL) || !multiply(&n, mul))
		die("%s: %s: not a frequency (2400000000, 2.4G, 2.4GHz)", what, s);
	return in_range(what, s, &n, least, most);
}
