/* laplace_sniff.c - recognises Laplace's binary records and text. */
#include <string.h>

#include "base/num.h"
#include "input/lines.h"
#include "input/sniff.h"
#include "laplace/laplace.h"

/* Bytes of one reference; a greater length speaks against this format. */
#define LENGTH_MOST 64

size_t
laplace_forward(const uint8_t *p, size_t n, bool big)
{
	size_t good = 0;

	for (size_t i = 1; i < n; i++, p += LAPLACE_RECORD)
		good += laplace_time(p + LAPLACE_RECORD, big) >= laplace_time(p, big);
	return good;
}

static int
laplace_sniff(const uint8_t *p, size_t n, bool whole)
{
	size_t records = n / LAPLACE_RECORD, letters = 0, usual = 0, odd = 0;
	bool seen[256] = {false}, text = true;

	if (records > 200)
		records = 200;
	if (!records || (records < 4 && !whole))
		return 0;
	for (size_t i = 0; i < records; i++) {
		const uint8_t *r = p + i * LAPLACE_RECORD;

		if (r[9] > LENGTH_MOST)
			return 0;
		usual += memchr("rwi", *r, 3) != NULL;
		odd += (*r | 0x20) < 'a' || (*r | 0x20) > 'z';
		letters += !seen[*r];
		seen[*r] = true;
		for (size_t k = 0; k < LAPLACE_RECORD && i < 4; k++)
			text &= (r[k] >= ' ' && r[k] <= '~') || memchr("\t\n\r", r[k], 3);
	}
	/* One type in eight may be no letter if the others are r, w and i. The high bytes of a time or of an address are
	 * not text. */
	if (odd > records / 8 || (odd && usual + odd < records) || letters > 8 || text)
		return 0;
	if (laplace_forward(p, records, false) < records - 1 &&
	    laplace_forward(p, records, true) < records - 1)
		return records > 20 && !odd ? 5 : 0;
	return records > 3 && !odd ? 40 : 20;
}

struct span
laplace_word(struct laplace_words *w)
{
	const uint8_t *start = w->p, *blank;

	blank = start < w->end ? memchr(start, ' ', (size_t)(w->end - start)) : NULL;
	w->p = blank ? blank + 1 : w->end;
	return (struct span){start, (size_t)((blank ? blank : w->end) - start)};
}

const char *
laplace_hex(struct span f, uint64_t *v)
{
	*v = 0;
	if (!f.n)
		return "a hexadecimal number is missing";
	for (; f.n > 16 && *f.p == '0'; f.n--)
		f.p++;
	if (f.n > 16)
		return "longer than 64 bits";
	for (size_t i = 0; i < f.n; i++) {
		unsigned d = hex_digit(f.p[i]);

		if (d > 15)
			return "not a hexadecimal number";
		*v = *v << 4 | d;
	}
	return NULL;
}

bool
laplace_is_end(const uint8_t *p, const uint8_t *end)
{
	if (p == end || *p != 'c')
		return false;
	for (p++; p < end && (*p == '-' || *p == ' ' || *p == '\r'); p++)
		;
	return p == end;
}

/* Returns true if the line is a tag that is not a digit, and hexadecimal numbers: four for a reference, at least
 * two for a kernel event, and at least four before a file name. */
static bool
looks_like_record(const uint8_t *p, const uint8_t *end)
{
	struct laplace_words w = {p, end};
	unsigned numbers = 0;
	uint64_t v;

	if (end > p && end[-1] == '\r')
		w.end--;
	if (laplace_word(&w).n != 1 || !laplace_letter(*p) || *p == '#' ||
	    (*p >= '0' && *p <= '9'))
		return false;
	for (; w.p < w.end; numbers++)
		if (laplace_hex(laplace_word(&w), &v))
			return numbers >= 4;
	return memchr("rwi", *p | 0x20, 3) ? numbers == 4 : numbers >= 2;
}

static int
laplace_text_sniff(const uint8_t *p, size_t n, bool whole)
{
	int line = lines_first(p, n, whole, looks_like_record, true);

	/* A trace may consist of only its end. */
	if (line < 0 && lines_first(p, n, whole, laplace_is_end, false) == 0)
		return 45;
	return line < 0 ? 0 : line ? 45 : 70;
}

const struct sniffer sniff_laplace_text = {
    .format = "laplace-text",
    .what = "a Laplace trace as text",
    .program = "laplace-bin2txt -r",
    .text = true,
    .sniff = laplace_text_sniff,
};

const struct sniffer sniff_laplace = {
    .format = "laplace",
    .what = "a Laplace trace",
    .program = "laplace-bin2txt",
    .sniff = laplace_sniff,
};
