/* num.c - one parser for every number that a person or a text field writes. */
#include <string.h>

#include "base/die.h"
#include "base/num.h"

struct unit_name {
	const char *name;
	enum unit unit;
	uint64_t mul; /* whole units of s or B */
	uint32_t div; /* or a fraction of them */
};

static const struct unit_name units[] = {
    {"ns", UNIT_TIME, 1, 1000000000},
    {"us", UNIT_TIME, 1, 1000000},
    {"ms", UNIT_TIME, 1, 1000},
    {"s", UNIT_TIME, 1, 1},
    {"m", UNIT_TIME, 60, 1},
    {"h", UNIT_TIME, 3600, 1},
    {"B", UNIT_SIZE, 1, 1},
    {"K", UNIT_SIZE, 1ull << 10, 1},
    {"k", UNIT_SIZE, 1ull << 10, 1},
    {"M", UNIT_SIZE, 1ull << 20, 1},
    {"G", UNIT_SIZE, 1ull << 30, 1},
    {"T", UNIT_SIZE, 1ull << 40, 1},
    {"KiB", UNIT_SIZE, 1ull << 10, 1},
    {"MiB", UNIT_SIZE, 1ull << 20, 1},
    {"GiB", UNIT_SIZE, 1ull << 30, 1},
    {"TiB", UNIT_SIZE, 1ull << 40, 1},
    {"kB", UNIT_SIZE, 1000, 1},
    {"KB", UNIT_SIZE, 1000, 1},
    {"MB", UNIT_SIZE, 1000000, 1},
    {"GB", UNIT_SIZE, 1000000000, 1},
    {"TB", UNIT_SIZE, 1000000000000, 1},
};

const char *
digits_u64(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	if (!n)
		return "it is empty";
	for (; n; p++, n--) {
		if (*p < '0' || *p > '9')
			return "not a whole number";
		if (*v > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
			return "greater than 2^64-1";
		*v = *v * 10 + (uint64_t)(*p - '0');
	}
	return NULL;
}

#define BILLION 1000000000u

/* n *= by, in whole and nano; false when it does not fit. */
static bool
times(struct num *n, uint64_t by)
{
	/* nano * by as high * 10^9 + low, without 128 bits: split by. */
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

/* n /= by, by at most 10^9; what is below a nano is dropped. */
static void
divided(struct num *n, uint32_t by)
{
	uint64_t rest = n->whole % by;

	n->whole /= by;
	n->nano = (uint32_t)((rest * BILLION + n->nano) / by);
}

static bool
hex(const char *s, const char *end, struct num *out, const char **why)
{
	if (s == end)
		return *why = "hexadecimal digits expected after 0x", false;
	for (; s < end; s++) {
		int c = *s | 0x20;
		int d = *s >= '0' && *s <= '9' ? *s - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
					       : -1;

		if (d < 0)
			return *why = "not a hexadecimal number", false;
		if (out->whole >> 60)
			return *why = "greater than 2^64-1", false;
		out->whole = out->whole << 4 | (uint64_t)d;
	}
	return true;
}

bool
num_parse(const char *s, size_t n, bool with_units, struct num *out, const char **why)
{
	const char *end = s + n, *start;
	const char *dummy;
	uint32_t scale;

	if (!why)
		why = &dummy;
	memset(out, 0, sizeof *out);
	if (s < end && *s == '-') {
		out->neg = true;
		s++;
	}
	if (end - s > 1 && s[0] == '0' && (s[1] | 0x20) == 'x')
		return hex(s + 2, end, out, why);
	for (start = s; s < end && *s >= '0' && *s <= '9'; s++) {
		if (out->whole > (UINT64_MAX - (uint64_t)(*s - '0')) / 10)
			return *why = "greater than 2^64-1", false;
		out->whole = out->whole * 10 + (uint64_t)(*s - '0');
	}
	if (s == start)
		return *why = "not a number", false;
	if (s < end && *s == '.') {
		for (start = ++s, scale = BILLION / 10; s < end && *s >= '0' && *s <= '9';
		     s++) {
			out->nano += (uint32_t)(*s - '0') * scale;
			scale /= 10;
		}
		if (s == start)
			return *why = "digits expected after the point", false;
	}
	if (s < end && (*s | 0x20) == 'e' && end - s > 1) {
		bool down = s[1] == '-';
		unsigned e = 0;

		s += s[1] == '-' || s[1] == '+' ? 2 : 1;
		for (start = s; s < end && *s >= '0' && *s <= '9' && e < 1000; s++)
			e = e * 10 + (unsigned)(*s - '0');
		if (s == start)
			return *why = "digits expected after e", false;
		while (e--) {
			if (down)
				divided(out, 10);
			else if (!times(out, 10))
				return *why = "greater than 2^64-1", false;
			if (down && !out->whole && !out->nano)
				break;
		}
	}
	if (s == end)
		return true;
	for (size_t i = 0; with_units && i < sizeof units / sizeof *units; i++) {
		if (strlen(units[i].name) != (size_t)(end - s) ||
		    memcmp(units[i].name, s, (size_t)(end - s)) != 0)
			continue;
		if (!times(out, units[i].mul))
			return *why = "greater than 2^64-1", false;
		divided(out, units[i].div);
		out->unit = units[i].unit;
		return true;
	}
	*why = with_units ? "no such unit (ns us ms s m h, K M G T, kB MB GB TB)"
			  : "not a number";
	return false;
}

int
num_cmp(const struct num *a, const struct num *b)
{
	bool aneg = a->neg && (a->whole || a->nano), bneg = b->neg && (b->whole || b->nano);
	int c;

	if (aneg != bneg)
		return aneg ? -1 : 1;
	c = a->whole != b->whole ? (a->whole < b->whole ? -1 : 1)
	    : a->nano != b->nano ? (a->nano < b->nano ? -1 : 1)
				 : 0;
	return aneg ? -c : c;
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

	if (!num_parse(s, strlen(s), true, &n, &why))
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
	if (!num_parse(s, len, false, &n, NULL) || !times(&n, mul))
		die("%s: %s: not a frequency (2400000000, 2.4G, 2.4GHz)", what, s);
	return in_range(what, s, &n, least, most);
}
