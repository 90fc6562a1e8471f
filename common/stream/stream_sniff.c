/* stream_sniff.c - recognises spoor's own streams. */
#include <string.h>

#include "base/bytes.h"
#include "input/lines.h"
#include "input/sniff.h"
#include "stream/binary.h"

#define TABS 5 /* number of tabs between the six columns of an event */

static bool
looks_like_time(const uint8_t *p, size_t n)
{
	size_t i = n && *p == '-', dots = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		if (p[i] == '.' && i)
			dots++;
		else if (p[i] < '0' || p[i] > '9')
			return false;
	}
	return dots < 2;
}

static bool
is_heading(const uint8_t *p, const uint8_t *end)
{
	return end - p >= 8 && !memcmp(p, "##spoor\t", 8);
}

/* Returns true for "-", a decimal number, and text that begins with 0x. */
static bool
looks_like_value(const uint8_t *p, size_t n)
{
	return (n == 1 && *p == '-') || (n > 2 && p[0] == '0' && p[1] == 'x') ||
	       looks_like_time(p, n);
}

/* Returns true if a line has a time, a place, a name, three values, and then = or -. */
static bool
looks_like_event(const uint8_t *p, const uint8_t *end)
{
	for (int column = 0; column <= TABS; column++) {
		const uint8_t *tab = memchr(p, '\t', (size_t)(end - p));
		size_t n = (size_t)((tab ? tab : end) - p);

		n -= !tab && n && p[n - 1] == '\r';
		if (column == 0 ? !looks_like_time(p, n)
				: column > 2 && !looks_like_value(p, n))
			return false;
		if (!tab)
			return column == TABS;
		p = tab + 1;
	}
	return p == end || *p == '-' || memchr(p, '=', (size_t)(end - p));
}

static int
text_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line;

	if (lines_first(p, n, whole, is_heading, false) >= 0)
		return 100;
	line = lines_first(p, n, whole, looks_like_event, true);
	return line < 0 ? 0 : line ? 60 : 80;
}

static int
binary_sniff(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 16 && le32(p) == BLOCK_HEAD && !memcmp(p + 8, BINARY_MAGIC, 8) ? 100
										   : 0;
}

const struct sniffer sniff_text = {
    .format = "text",
    .what = "spoor's text stream",
    .program = "trace-filter",
    .text = true,
    .sniff = text_sniff,
};

const struct sniffer sniff_binary = {
    .format = "binary",
    .what = "spoor's binary stream",
    .program = "trace-filter",
    .sniff = binary_sniff,
};
