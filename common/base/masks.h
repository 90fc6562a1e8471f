/*
 * masks.h - reads text quickly: classes of the bytes of a line as bits, and digits eight at a time.
 *
 * Bit i of a mask describes byte p[i]. 64 bytes must be readable at p. A line function is plain C over such masks;
 * only the makers differ: AVX2 (chosen at run time, in files of their own), SSE2 (always there on x86-64), and 8
 * bytes at a time for other machines.
 */
#ifndef SPOOR_MASKS_H
#define SPOOR_MASKS_H

#include "base/bytes.h"

struct masks {
	uint64_t nondigit, sep, newline;
};

/* Returns the number of the lowest set bit of v, or 64 if v is 0. */
static inline unsigned
low_bit(uint64_t v)
{
	return v ? trailing_zeros64(v) : 64;
}

/* Returns the number that eight digits write. w is their bytes '0'..'9', loaded by ld64 and ANDed with 0x0f. */
static inline uint32_t
eight_digits(uint64_t w)
{
	w = w * 10 + (w >> 8);
	return (uint32_t)(((w & 0x000000FF000000FF) * 0x000F424000000064 +
			   (w >> 16 & 0x000000FF000000FF) * 0x0000271000000001) >>
			  32);
}

extern const uint8_t digit_window[24]; /* 8 zeros, 8 times 0x0f, 8 zeros */

/* Returns the number that the n <= 8 digits before `end` write. The 8 bytes before `end` must be readable. */
static inline uint32_t
digits_before(const uint8_t *end, unsigned n)
{
	return eight_digits(ld64(end - 8) & ld64(digit_window + n));
}

/* Returns the number that the n <= 8 digits at p write, with zeros appended up to eight digits. The 8 bytes at p must
 * be readable. */
static inline uint32_t
digits_left(const uint8_t *p, unsigned n)
{
	return eight_digits(ld64(p) & ld64(digit_window + 16 - n));
}

/* Returns the number that the n <= 16 digits before `end` write. The 16 bytes before `end` must be readable. */
static inline uint64_t
digits16_before(const uint8_t *end, unsigned n)
{
	unsigned high = n > 8 ? n - 8 : 0;

	return (uint64_t)digits_before(end - 8, high) * 100000000 +
	       digits_before(end, n - high);
}

#if HAVE_SSE2
#include <emmintrin.h>

/* Fills *m for the 64 bytes at p and the separator `sep`. Bits after the first newline are undefined. */
static inline void
masks_sse2(const uint8_t *p, uint8_t sep, struct masks *m)
{
	const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
	const __m128i s = _mm_set1_epi8((char)sep), nl = _mm_set1_epi8('\n');
	uint64_t digit = 0, cm = 0, end = 0;

	for (unsigned i = 0; i < 64; i += 32) {
		__m128i a = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + i + 16));
		__m128i da = _mm_sub_epi8(a, zero), db = _mm_sub_epi8(b, zero);

		da = _mm_cmpeq_epi8(_mm_min_epu8(da, nine), da);
		db = _mm_cmpeq_epi8(_mm_min_epu8(db, nine), db);
#define BITS(x, y)                                                                         \
	((uint64_t)((uint32_t)_mm_movemask_epi8(x) | (uint32_t)_mm_movemask_epi8(y) << 16) \
	 << i)
		digit |= BITS(da, db);
		cm |= BITS(_mm_cmpeq_epi8(a, s), _mm_cmpeq_epi8(b, s));
		end |= BITS(_mm_cmpeq_epi8(a, nl), _mm_cmpeq_epi8(b, nl));
#undef BITS
		if (end) /* most lines are short */
			break;
	}
	m->nondigit = ~digit;
	m->sep = cm;
	m->newline = end;
}
#endif

/* Returns bit 7 of each byte of high_bits as eight bits, the lowest byte first. All other bits must be 0. */
static inline uint64_t
byte_bits(uint64_t high_bits)
{
	return (high_bits >> 7) * 0x0102040810204080u >> 56;
}

/* Returns bit 7 of each byte of w that equals c. */
static inline uint64_t
bytes_equal(uint64_t w, uint8_t c)
{
	uint64_t x = w ^ 0x0101010101010101u * c;

	/* Exact: no carry runs from a byte into the next. */
	return ~(((x & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | x |
		 0x7f7f7f7f7f7f7f7fu);
}

/* Fills *m as masks_sse2 does, without vectors. */
static inline void
masks_plain(const uint8_t *p, uint8_t sep, struct masks *m)
{
	const uint64_t ones = 0x0101010101010101u, low7 = ones * 0x7f, high = ones * 0x80;
	uint64_t digit = 0, cm = 0, end = 0;

	for (unsigned i = 0; i < 64 && !end; i += 8) {
		uint64_t w = le64(p + i), d = w ^ ones * 0x30;

		/* A byte is a digit if it is at most 9 after the XOR: adding 0x76 then leaves its high bit clear. */
		digit |= byte_bits(~(((d & low7) + ones * 0x76) | d) & high) << i;
		cm |= byte_bits(bytes_equal(w, sep)) << i;
		end |= byte_bits(bytes_equal(w, '\n')) << i;
	}
	m->nondigit = ~digit;
	m->sep = cm;
	m->newline = end;
}

/* The fastest mask maker that needs no choice at run time. */
#if HAVE_SSE2
#define masks_here masks_sse2
#else
#define masks_here masks_plain
#endif

/* The ways to read lines, each faster than the previous one. SLOW uses no fast path at all. */
enum simd {
	SIMD_SLOW,
	SIMD_PLAIN,
	SIMD_SSE2,
	SIMD_AVX2,
	SIMD_AVX512
};

/* Returns the fastest implementation that this machine can run, but none above tuning.simd. */
enum simd simd_best(void);

/* Defines runs[], an array of functions void (struct of *f) indexed by enum simd. run_slow does nothing; the next
 * ones are LOOP(f, MAKER) with each mask maker; avx2 and avx512 are functions from files of their own. */
#if HAVE_SSE2
#define IF_SSE2(...) __VA_ARGS__
#else
#define IF_SSE2(...)
#endif
#if HAVE_AVX2
#define IF_AVX2(...) __VA_ARGS__
#else
#define IF_AVX2(...)
#endif
#if HAVE_AVX512
#define IF_AVX512(...) __VA_ARGS__
#else
#define IF_AVX512(...)
#endif
#define SIMD_RUNS(of, LOOP, avx2, avx512)                                    \
	static void run_slow(struct of *f)                                   \
	{                                                                    \
		(void)f;                                                     \
	}                                                                    \
	static void run_plain(struct of *f)                                  \
	{                                                                    \
		LOOP(f, masks_plain);                                        \
	}                                                                    \
	IF_SSE2(static void run_sse2(struct of *f) { LOOP(f, masks_sse2); }) \
	static void (*const runs[])(struct of * f) = {                       \
	    run_slow, run_plain IF_SSE2(, run_sse2) IF_AVX2(, avx2) IF_AVX512(, avx512)}

#endif
