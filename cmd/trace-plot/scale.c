/* scale.c - ticks and units: see scale.h. Everything is in integers, so that pictures have the same bytes on
 * every machine. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "number/moment.h"
#include "trace-plot/palette.h"
#include "trace-plot/scale.h"

const char *
buf_text(struct buf *b)
{
	buf_byte(b, '\0');
	b->n = 0;
	return (const char *)b->p;
}

void
put_texts(struct buf *b, const char *const *text)
{
	for (; *text; text++)
		buf_add(b, *text, strlen(*text));
}

static struct arena drawn;

void *
draw_room(size_t n, size_t size)
{
	return arena_zeros(&drawn, n * size);
}

void
draw_free(void)
{
	arena_free(&drawn);
}

const char *
draw_text(struct buf *b)
{
	size_t n = b->n;
	const char *text = arena_str(&drawn, buf_text(b), n);

	buf_free(b);
	return text;
}

const char *
joined_texts(const char *const *text)
{
	struct buf b = {0};

	put_texts(&b, text);
	return draw_text(&b);
}

const char *
formatted(const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return arena_str(&drawn, text, strlen(text));
}

/* The words for a unit, each for `by` times as much as the word before. */
struct unit_words {
	uint64_t by;
	const char *word[8];
};

static const struct unit_words counts = {1000, {"", "k", "M", "G", "T", "P", "E"}};
static const struct unit_words bytes = {1024,
					{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}};
static const struct unit_words times = {1000, {"ns", "us", "ms", "s"}};

/* Returns v with commas between thousands. */
static const char *
with_commas(uint64_t v)
{
	return v < 1000 ? formatted("%u", (unsigned)v)
			: formatted("%s,%03u", with_commas(v / 1000), (unsigned)(v % 1000));
}

/* Returns v / of, rounded to three significant digits; whole numbers may have more. */
static const char *
three_digits(uint64_t v, uint64_t of)
{
	uint64_t whole = v / of, rest = v % of, one, part;
	int places = whole >= 100 ? 0 : whole >= 10 ? 1 : 2;

	one = places == 2 ? 100 : places == 1 ? 10 : 1;
	/* rest * one must fit. */
	while (of > UINT64_MAX / 200) {
		of >>= 7;
		rest >>= 7;
	}
	part = (rest * one + of / 2) / of;
	whole += part / one;
	part %= one;
	for (; places && part % 10 == 0; places--)
		part /= 10;
	return joined(with_commas(whole),
		      places ? formatted(".%0*u", places, (unsigned)part) : "");
}

/* Returns v / of, below 1,000; `of` is 10^6 or 10^9. Numbers below one have two significant digits, or, if `of`
 * is 10^9, three, rounded. */
static const char *
decimals(uint64_t v, uint64_t of)
{
	int places = of == 1000000 ? 6 : 9;
	uint64_t by = 1, most = of == 1000000 ? 100 : 1000;

	for (; v < of && v / by >= most; by *= 10)
		places--;
	/* Rounding may give one. */
	v += most == 1000 ? by / 2 : 0;
	if (v >= of)
		return three_digits(v, of);
	for (v /= by; v && v % 10 == 0; v /= 10)
		places--;
	return v ? formatted("0.%0*u", places, (unsigned)v) : "0";
}

/* Returns v with the word of its unit. */
static const char *
with_unit(enum measure_unit unit, uint64_t v)
{
	const struct unit_words *of = unit == SCALE_BYTES  ? &bytes
				      : unit == SCALE_TIME ? &times
							   : &counts;
	const char *const *word = of->word;
	uint64_t one = 1;

	for (; word[1] && v / one >= of->by; word++)
		one *= of->by;
	/* 999.7 k is 1 M. */
	if (one > 1 && word[1] && v / one == 999 && v % one >= one / 2) {
		one *= of->by;
		v = one;
		word++;
	}
	/* No time at all is 0 s. */
	word = v || unit != SCALE_TIME ? word : &times.word[3];
	return joined(three_digits(v, one), **word ? " " : "", *word,
		      unit != SCALE_TICKS ? ""
		      : v == 1		  ? " tick"
					  : " ticks");
}

const char *
scale_text(enum measure_unit unit, uint64_t v, const char *behind)
{
	uint64_t parts = unit == SCALE_MICRO  ? 1000000
			 : unit == SCALE_NANO ? 1000000000
					      : 1;

	if (unit == SCALE_EXACT)
		return joined(with_commas(v), behind);
	if (parts > 1 && v / parts < 1000)
		return joined(decimals(v, parts), behind);
	if (unit == SCALE_HEX)
		return joined(formatted("0x%" PRIx64, v), behind);
	if (unit == SCALE_TIME && v >= 1000000000000000u)
		return joined(three_digits(v, 86400000000000u), " d", behind);
	return joined(with_unit(unit, v / parts), behind);
}

const char *
scale_sum(enum measure_unit unit, struct i128 v)
{
	static const char *const more[] = {" EiB", " ZiB", " YiB", " RiB", " QiB"};
	unsigned u = 0;

	if (i128_is_u64(v) || unit != SCALE_BYTES)
		return scaled(unit, i128_is_u64(v) ? v.lo : UINT64_MAX);
	for (; v.hi && u < 4; u++)
		v = (struct i128){v.lo >> 10 | (uint64_t)v.hi << 54, v.hi >> 10};
	/* v.lo counts 2^(10 u) bytes, of which 2^60 are one of more[u]. */
	return v.lo >> 60 ? joined(three_digits(v.lo, 1ull << 60), more[u])
			  : joined(three_digits(v.lo, 1ull << 50), more[u - 1]);
}

const char *
scale_found(enum measure_unit unit, uint64_t v)
{
	char text[SPAN_TEXT], *end;

	if (unit != SCALE_TIME)
		return scaled(unit, v);
	v = strtoull(span_text(text, v, false), &end, 10);
	return joined(scaled(SCALE_EXACT, v), end);
}

uint64_t
scale_step(enum measure_unit unit, uint64_t range, unsigned most)
{
	uint64_t least = range / most + (range % most != 0), step = 1;
	bool binary = scale_binary(unit);
	unsigned turn = 0;

	/* 1, 2, 5, 10, ...; minutes and hours are not powers of ten, so times stay in s. */
	for (; step < least && step <= (binary ? INT64_MAX : UINT64_MAX / 4); turn++)
		step = !binary && turn % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

uint64_t
scale_of(uint64_t v, uint64_t of, uint64_t to)
{
	unsigned shift = 0;

	while (of >> shift >> 39)
		shift++;
	v >>= shift;
	of >>= shift;
	return of ? (v * to + of / 2) / of : 0;
}

uint64_t
about_log(uint64_t v)
{
	unsigned zeros = leading_zeros64(v | 1);

	return (63 - zeros) * 2048 + ((v << zeros & INT64_MAX) >> 52);
}

static bool linear_shades;

void
shade_linear(bool linear)
{
	linear_shades = linear;
}

unsigned
shade(uint64_t v, uint64_t least, uint64_t most)
{
	uint64_t low = about_log(least), range = about_log(most) - low;

	if (linear_shades && most > least)
		return v > least ? (unsigned)scale_of(v - least, most - least, STEPS - 1)
				 : 0;
	return (unsigned)(range && v > least ? (about_log(v) - low) * (STEPS - 1) / range
			  : range	     ? 0
					     : STEPS - 1);
}

const uint64_t row_before[9] = {
    0x7fffffffffffffff, 0x8b95c1e3ea8bd6e6, 0x9837f0518db8a96f,
    0xa5fed6a9b15138ea, 0xb504f333f9de6484, 0xc5672a115506dadd,
    0xd744fccad69d6af4, 0xeac0c6e7dd24392e, 0xffffffffffffffff,
};

/* Returns the smallest value of row i, in units of the axis. */
static uint64_t
row_low(const struct rows *r, uint32_t i)
{
	uint32_t one = 1u << r->bits, shift = 64 - (i >> r->bits) - r->bits;
	uint64_t at = r->first + i;

	if (r->even)
		return r->k && at >> (64 - r->k) ? UINT64_MAX : at << r->k;
	if (i < one)
		return i;
	if ((i >> r->bits) + r->bits > 64)
		return UINT64_MAX;
	return (row_before[(i & (one - 1)) << (3 - r->bits)] >> shift) + 1;
}

/* Returns the first fine row beyond 64 bits of 2^-FINE: from there on rows have whole numbers. */
static uint32_t
whole_row(const struct rows *r)
{
	return (65 - r->bits) << r->bits;
}

enum measure_unit
rows_fine(struct rows *r, uint32_t last)
{
	uint32_t row = r->even ? 0 : last, whole = whole_row(r),
		 micro = whole + (10u << r->bits);

	r->one = row < whole ? 1000000000 : row < micro ? 1000000 : 1;
	return row < whole ? SCALE_NANO : row < micro ? SCALE_MICRO : SCALE_COUNT;
}

uint64_t
rows_low(const struct rows *r, uint32_t i)
{
	const uint64_t least = (1ull << FINE) - 1;
	uint64_t v;

	if (r->one && !r->even && i >= whole_row(r)) {
		v = row_low(r, i - FINE_ROWS(r->bits));
		return v > UINT64_MAX / r->one ? UINT64_MAX : v * r->one;
	}
	v = row_low(r, i);
	/* Rounded up, so that a value with these decimals is in the row. */
	return r->one ? (v >> FINE) * r->one + (((v & least) * r->one + least) >> FINE) : v;
}

uint32_t
row_whole(uint32_t row, unsigned bits)
{
	for (uint32_t v = 0; v < 2u << bits; v++)
		if (row_fine(v, 0, bits) == row)
			return v;
	return row > FINE_ROWS(bits) ? row - FINE_ROWS(bits) : 0;
}

uint64_t
rows_round(const struct rows *r, uint32_t i)
{
	uint32_t one = 1u << r->bits;

	if (r->even || r->one || i < one)
		return rows_low(r, i);
	return (uint64_t)(one + (i & (one - 1))) << ((i >> r->bits) - 1);
}

uint64_t
rows_place(const struct rows *r, uint64_t v)
{
	uint64_t rest, low;
	uint32_t i, above = 0;

	if (r->one && !r->even && v / r->one >> (64 - FINE)) {
		above = FINE_ROWS(r->bits);
		v /= r->one;
	} else if (r->one)
		v = (v / r->one) << FINE | ((v % r->one) << FINE) / r->one;
	rest = v & ((1ull << r->k) - 1);
	if (r->even)
		return ((v >> r->k) - r->first) * 256 +
		       (r->k > 8 ? rest >> (r->k - 8) : rest << (8 - r->k));
	i = row_index(v, r->bits);
	low = row_low(r, i);
	return (i + above) * 256ull + scale_of(v - low, row_low(r, i + 1) - low, 256);
}

uint64_t
rows_size(const struct rows *r, uint32_t n)
{
	return rows_low(&(struct rows){.even = true, .k = r->k, .one = r->one}, n);
}

uint64_t
rows_step(const struct rows *r, enum measure_unit unit, uint64_t low, uint64_t high,
	  unsigned most, uint64_t *first)
{
	uint64_t few = scale_binary(unit) ? 4 : 40, step = 0;

	if (r->even || high / few < low)
		step = scale_step(unit, high - low, most);
	*first = step ? low / step * step : low ? 1 : 0;
	return step;
}
