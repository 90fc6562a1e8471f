/* stream_sniff.c - recognises spoor's own streams. */
#include <string.h>

#include "base/bytes.h"
#include "input/lines.h"
#include "input/sniff.h"
#include "stream/binary.h"

#define TABS 5 /* between the six columns of an event */

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

/* A time, and five tabs at least. */
static bool
looks_like_event(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *q = p;

	for (int tabs = 1; q < end && (q = memchr(q, '\t', (size_t)(end - q)));
	     tabs++, q++) {
		if (tabs == 1 && !looks_like_time(p, (size_t)(q - p)))
			return false;
		if (tabs == TABS)
			return true;
	}
	return false;
}

static int
text_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line;

	if (lines_first(p, n, whole, is_heading) >= 0)
		return 100;
	line = lines_first(p, n, whole, looks_like_event);
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
