/* scale.h - numbers with units as people read them, and the ticks of an axis. */
#ifndef SPOOR_SCALE_H
#define SPOOR_SCALE_H

#include "base/compiler.h"
#include "number/i128.h"
#include "base/mem.h"

/* Empties the buffer, and returns its content as a C string, which is valid until the next use of b. */
const char *buf_text(struct buf *b);
/* Appends what printf would print, at most 255 bytes. */
#define put_format(b, ...) buf_str((b), formatted(__VA_ARGS__))
/* Appends C strings. */
#define put_all(b, ...) put_texts((b), (const char *const[]){__VA_ARGS__, NULL})
void put_texts(struct buf *b, const char *const *text);

/* Memory of the picture that is drawn: draw_room() returns n * size bytes, which are zero, or dies without memory.
 * draw_free() frees all of it. */
void *draw_room(size_t n, size_t size);
void draw_free(void);
/* Returns a C string in this memory: joined() joins C strings; draw_text() moves the content of a buffer to it;
 * formatted() returns what printf would print, at most 255 bytes. */
#define joined(...) joined_texts((const char *const[]){__VA_ARGS__, NULL})
const char *joined_texts(const char *const *text);
const char *draw_text(struct buf *b);
const char *formatted(const char *format, ...) PRINTF(1, 2);

/* A byte after a name that reads from right to left. It is shown as U+200E, which takes no room, so that
 * numbers after the name are not drawn on its left. Names cannot contain this byte, because they are escaped. */
#define RTL_END '\1'
#define RTL_SHOWN "\xe2\x80\x8e"

/* The units of numbers. */
enum measure_unit {
	SCALE_EXACT, /* with commas between thousands */
	SCALE_COUNT, /* SI: 1.2 k */
	SCALE_BYTES, /* IEC: 128 MiB */
	SCALE_TIME,  /* ns: 550 ms */
	SCALE_TICKS, /* ticks of a clock */
	SCALE_HEX,   /* addresses */
	SCALE_MICRO, /* 10^-6 of SCALE_COUNT: means */
	SCALE_NANO,  /* 10^-9 of SCALE_COUNT: values with fractions */
};
/* Returns whether the round numbers of a unit are powers of two. */
static inline bool
scale_binary(enum measure_unit unit)
{
	return unit == SCALE_BYTES || unit == SCALE_HEX;
}

/* Returns v with three digits and its unit: "1.23 ms", "128 MiB", "12.3 k". `behind` is "/s" for a rate, else "". */
const char *scale_text(enum measure_unit unit, uint64_t v, const char *behind);
#define scaled(unit, v) scale_text(unit, v, "")
/* Returns a sum v >= 0 in this form. */
const char *scale_sum(enum measure_unit unit, struct i128 v);
/* Returns a percentile or a span. A time is written as span_text() does, with commas between thousands; other units as
 * scaled() does. */
const char *scale_found(enum measure_unit unit, uint64_t v);
/* Returns the distance of ticks, 1-2-5 or a power of two, so that at most `most` ticks are within `range` > 0. */
uint64_t scale_step(enum measure_unit unit, uint64_t range, unsigned most);
/* Returns a + b, at most UINT64_MAX. */
static inline uint64_t
add_most(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}
/* Returns n << shift, at most UINT64_MAX. */
static inline uint64_t
shift_most(uint64_t n, unsigned shift)
{
	return n > UINT64_MAX >> shift ? UINT64_MAX : n << shift;
}
/* Returns v * to / of, for v <= of, exact to 2^-30 of `to`; `to` must be below 2^24. */
uint64_t scale_of(uint64_t v, uint64_t of, uint64_t to);

/* Returns about log2(v) * 2048: linear between powers of two. */
uint64_t about_log(uint64_t v);
/* Sets whether shade() uses numbers instead of their logarithms, until the next call. shade() returns which of
 * the STEPS colours shows v, if colours reach from `least` to `most`. */
void shade_linear(bool linear);
unsigned shade(uint64_t v, uint64_t least, uint64_t most);

/* The last whole numbers before 2^(63 + i/8). */
extern const uint64_t row_before[9];

/* Returns the row of v on a logarithmic axis with rows of equal height: 2^bits rows for each power of two, bits
 * <= 3, so that a row begins at each; below 2^bits a row for each number. */
static inline uint32_t
row_index(uint64_t v, unsigned bits)
{
	unsigned zeros = leading_zeros64(v | 1), one = 1u << bits;
	uint32_t part = (uint32_t)(v << zeros >> (63 - bits));

	if (unlikely(v < one))
		return (uint32_t)v;
	/* If the rows of a power of two had equal widths, v would be in row `part`; it is in row `part` or in
	 * the next one. */
	return ((63 - zeros - bits) << bits) + part +
	       (v << zeros > row_before[(part + 1 - one) << (3 - bits)]);
}

/* Values with fractions are stored in 2^-FINE. Every row of whole numbers is also a row of such values, with
 * FINE_ROWS further rows below it. FINE bits are enough for nine decimals, the most that spoor has. */
#define FINE 30u
#define FINE_ROWS(bits) (FINE << (bits))
/* Returns the row of v + part / 2^FINE. */
static inline uint32_t
row_fine(uint64_t v, uint32_t part, unsigned bits)
{
	return v >> (64 - FINE) ? row_index(v, bits) + FINE_ROWS(bits)
				: row_index(v << FINE | part, bits);
}
/* Returns the row of row_index() for a row of row_fine() that has only whole numbers. */
uint32_t row_whole(uint32_t row, unsigned bits);

/* Rows of values: logarithmic as above, or `even`: 2^k each, row 0 from first * 2^k on. */
struct rows {
	bool even;
	unsigned bits, k;
	uint64_t first;
	uint64_t one; /* 0, or rows are fine, and values are in 1/one */
};
/* Sets r->one for fine rows up to `last`, and returns the unit of their values. */
enum measure_unit rows_fine(struct rows *r, uint32_t last);
/* Returns the smallest value of row i, or UINT64_MAX if it exceeds 64 bits. rows_round() returns the value of
 * row i that is the roundest in binary. */
uint64_t rows_low(const struct rows *r, uint32_t i);
uint64_t rows_round(const struct rows *r, uint32_t i);
/* Returns the place of v, in 1/256 of a row. */
uint64_t rows_place(const struct rows *r, uint64_t v);
/* Returns the height of n even rows, as a value. */
uint64_t rows_size(const struct rows *r, uint32_t n);
/* Returns the distance of about `most` marks from low to high; 0 if powers of ten (of two, for bytes) are
 * enough. Sets *first to the first mark, which is at most low, or 1. */
uint64_t rows_step(const struct rows *r, enum measure_unit unit, uint64_t low,
		   uint64_t high, unsigned most, uint64_t *first);

#endif
