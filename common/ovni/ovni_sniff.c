/* ovni_sniff.c - recognises a stream of ovni by its header, or by its first events. */
#include <string.h>

#include "input/sniff.h"
#include "ovni/ovni_trace.h"

/* The models, and the categories of their events in any release. They are copied from ovni_table.c, which a
 * program that does not read ovni need not link. tests/bats/ovni.bats compares both. */
static const char *const categories[] = {
    "OABCFHMU", "6BCDFHMOPSTUWYt",   "TCGLQRSTVWrs", "VAHMPSTUWY",
    "KC",	"MACDEPRSTUWacders", "DCIPRSTUW",    "PABCHIMOPQTW",
};

/* Returns true if events of the model p[0] have the category p[1]. */
static bool
is_known(const uint8_t p[2])
{
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (categories[i][0] == (char)p[0])
			return p[1] && strchr(categories[i] + 1, p[1]);
	return false;
}

/* Checks the clock at p: returns true while, in at least one byte order, no clock was less than the previous one
 * or beyond 2^62. order[i] is true while this holds for byte order i. */
static bool
clock_goes_on(const uint8_t *p, uint64_t last[2], bool order[2])
{
	uint64_t clock[2] = {ld64(p), swap64(ld64(p))};

	for (int i = 0; i < 2; i++) {
		order[i] &= clock[i] >= last[i] && clock[i] >> 62 == 0;
		last[i] = clock[i];
	}
	return order[0] || order[1];
}

/* Returns more than 0 if all of the first events at p are plausible, and half of them known. */
static int
sniff_events(const uint8_t *p, size_t n, bool whole)
{
	unsigned events = 0, known = 0;
	uint64_t last[2] = {0, 0};
	bool order[2] = {true, true};

	for (; n >= OVNI_EVENT && events < 64; events++) {
		size_t size = ovni_size(*p);

		if (*p & OVNI_RESERVED || !strchr("O6VTMDKP", p[1]) || !p[1] ||
		    !clock_goes_on(p + 4, last, order))
			return 0;
		known += is_known(p + 1);
		if (*p & OVNI_JUMBO) { /* the length of its data is unknown */
			if ((*p & 15) != 3 || n < 16 || !known)
				return 0;
			break;
		}
		if (size > n)
			break;
		p += size;
		n -= size;
	}
	if (known == 0 || known < events / 2)
		return 0;
	return events > 3 ? 60 : whole || n >= OVNI_EVENT ? 45 : 0;
}

/* Returns 100 for a stream with a header. An old stream has none. A damaged header shows its version, and events follow
 * it. */
static int
ovni_sniff(const uint8_t *p, size_t n, bool whole)
{
	int sure;

	if (n >= 8 && !memcmp(p, "ovni", 4))
		return (p[4] == 1 && !p[7]) || (p[7] == 1 && !p[4]) ? 100 : 60;
	sure = sniff_events(p, n, whole);
	if (!sure && n >= OVNI_HEADER + OVNI_EVENT && !memcmp(p + 4, "\1\0\0", 4))
		sure = sniff_events(p + OVNI_HEADER, n - OVNI_HEADER, whole);
	return sure;
}

const struct sniffer sniff_ovni = {
    .format = "ovni",
    .what = "an ovni trace",
    .program = "ovni-dump",
    .sniff = ovni_sniff,
};
