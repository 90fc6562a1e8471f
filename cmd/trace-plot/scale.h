/* scale.h - numbers as people read them, and where the ticks of an axis are. */
#ifndef SPOOR_SCALE_H
#define SPOOR_SCALE_H

#include "base/compiler.h"
#include "number/i128.h"
#include "base/mem.h"

/* A C string of what is in the buffer, which is emptied. Good until the next use of b. */
const char *buf_text(struct buf *b);
/* Appends what printf would print. */
void put_format(struct buf *b, const char *format, ...) PRINTF(2, 3);
/* Appends C strings. */
#define put_all(b, ...) put_texts((b), (const char *const[]){__VA_ARGS__, NULL})
void put_texts(struct buf *b, const char *const *text);

/* A byte behind a name that reads from right to left. It is shown as U+200E, which takes no room, so that
 * numbers behind the name stay there and are not drawn on its left. Names have no such byte: theirs are
 * escaped. */
#define RTL_END '\1'
#define RTL_SHOWN "\xe2\x80\x8e"

/* The units of numbers. */
enum measure_unit {
	SCALE_EXACT, /* with commas between thousands */
	SCALE_COUNT, /* SI: 1.2 k */
	SCALE_BYTES, /* IEC: 128 MiB */
	SCALE_TIME,  /* ns: 550 ms */
	SCALE_TICKS, /* of a clock without unit */
	SCALE_HEX,   /* addresses */
	SCALE_MICRO, /* millionths of what SCALE_COUNT counts: means */
	SCALE_NANO,  /* the same of 10^-9: values with fractions */
};
/* Returns whether powers of two are the round numbers of a unit. */
static inline bool
scale_binary(enum measure_unit unit)
{
	return unit == SCALE_BYTES || unit == SCALE_HEX;
}

/* Appends v with three digits and its unit: "1.23 ms", "128 MiB", "12.3 k". `behind`: of a rate,
 * "/s", else "". */
void scale_put(struct buf *b, enum measure_unit unit, uint64_t v, const char *behind);
/* Appends a sum of such numbers, which is not below 0. */
void scale_put_sum(struct buf *b, enum measure_unit unit, struct i128 v);
/* Writes v as a C string to `to`, and returns that. scaled() gives it room until the end of the block. */
#define SCALE_ROOM 80u
const char *scale_text(char to[SCALE_ROOM], enum measure_unit unit, uint64_t v,
		       const char *behind);
#define scaled(unit, v) scale_text((char[SCALE_ROOM]){0}, unit, v, "")
/* Appends v with commas between thousands. */
void scale_put_commas(struct buf *b, uint64_t v);
/* Appends a percentile or a span in the same way: times as tables have them, span_text, with commas. */
void scale_found(struct buf *b, enum measure_unit unit, uint64_t v, const char *behind);
/* The distance of ticks, 1-2-5 or a power of two, so that there are at most `most` of them within
 * `range` > 0. */
uint64_t scale_step(enum measure_unit unit, uint64_t range, unsigned most);
/* a + b, or what is the most. */
static inline uint64_t
add_most(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}
/* n << shift, or what is the most. */
static inline uint64_t
shift_most(uint64_t n, unsigned shift)
{
	return n > UINT64_MAX >> shift ? UINT64_MAX : n << shift;
}
/* v * to / of, for v <= of, exact to 2^-30 of `to`, which is below 2^24. */
uint64_t scale_of(uint64_t v, uint64_t of, uint64_t to);

/* About log2(v) * 2048: straight between powers of two. */
uint64_t about_log(uint64_t v);
/* Which of the STEPS colours of numbers shows v, from least to most: by its logarithm, or after
 * shade_linear(true), until it is called again, by the number. */
void shade_linear(bool linear);
unsigned shade(uint64_t v, uint64_t least, uint64_t most);

/* The last whole numbers before 2^(63 + i/8). */
extern const uint64_t row_before[9];

/* Rows of equal height on a logarithmic axis: 2^bits to each power of two, bits <= 3, so that one begins at
 * each; below 2^bits a row for each number. This gives the row of v. */
static inline uint32_t
row_index(uint64_t v, unsigned bits)
{
	unsigned zeros = leading_zeros64(v | 1), one = 1u << bits;
	uint32_t part = (uint32_t)(v << zeros >> (63 - bits));

	if (unlikely(v < one))
		return (uint32_t)v;
	/* If the rows of a power of two were equally wide it would be row `part`; it is that one or the next. */
	return ((63 - zeros - bits) << bits) + part +
	       (v << zeros > row_before[(part + 1 - one) << (3 - bits)]);
}

/* Values with fractions are held in parts of 2^-FINE, so that every row of whole numbers is a row there, too:
 * so many rows are below it. Nine decimals have room, as in all of spoor. */
#define FINE 30u
#define FINE_ROWS(bits) (FINE << (bits))
/* The row of v and so many parts. */
static inline uint32_t
row_fine(uint64_t v, uint32_t part, unsigned bits)
{
	return v >> (64 - FINE) ? row_index(v, bits) + FINE_ROWS(bits)
				: row_index(v << FINE | part, bits);
}
/* The row of row_index where a row of those has whole numbers only. */
uint32_t row_whole(uint32_t row, unsigned bits);

/* Rows of values: logarithmic as above, or `even`: each of 2^k, row 0 from first * 2^k on. */
struct rows {
	bool even;
	unsigned bits, k;
	uint64_t first;
	uint64_t
	    one; /* 0, or rows are fine, and values shown in parts of which one has so many */
};
/* The unit of fine rows up to `last`, and how many there are of it in one. */
enum measure_unit rows_fine(struct rows *r, uint32_t last);
/* The smallest value of row i, UINT64_MAX where it would be beyond 64 bits; of all of its values the roundest in
 * binary. */
uint64_t rows_low(const struct rows *r, uint32_t i);
uint64_t rows_round(const struct rows *r, uint32_t i);
/* Returns the place of v, in 1/256 of a row. */
uint64_t rows_place(const struct rows *r, uint64_t v);
/* How high n even rows are. */
uint64_t rows_size(const struct rows *r, uint32_t n);
/* The distance of marks from low to high, some `most` of them; 0 where the powers of ten, of bytes of
 * two, are enough. *first is one that is not above low, or 1, where they begin. */
uint64_t rows_step(const struct rows *r, enum measure_unit unit, uint64_t low,
		   uint64_t high, unsigned most, uint64_t *first);

#endif
