/*
 * avx512.c - reads SPC lines with AVX-512 (VBMI2), twice as fast as AVX2. Chosen at run time.
 *
 * Handles many lines at once: makes an index of their marks, which are the bytes that are not digits. A line of
 * the common shape (spc_line) has seven marks: `,,,R,.` and a newline. The marks and their distances are compared
 * with a pattern, eight lines at a time. Then the digits are gathered into columns, and eight fields at a time
 * become numbers.
 */
#include "base/compiler.h"

#if HAVE_AVX512 && defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512bw,avx512dq,avx512vbmi2,bmi2"))), apply_to = function)
#elif HAVE_AVX512
#pragma GCC target("avx512bw,avx512dq,avx512vbmi2,bmi2")
#endif

#include "spc/spc.h"

#if HAVE_AVX512
#include <immintrin.h>

#define MARKS 7u
/* Lines that are indexed at once: the index of this many lines fits into the L1 cache. */
#define LINES 128u
/* If another shape of line comes sooner, an index of the lines ahead costs more than it
 * saves. */
#define LINES_WORTH 12u
/* Bytes by which a vector may reach beyond the data. */
#define BEYOND 64u

/* The index of up to LINES lines. */
struct index {
	uint8_t mark[LINES * MARKS + 3 * BEYOND];
	/* Positions of the marks (place[0] is the newline before the first line); step is
	 * the distance of each mark from the previous one. */
	uint16_t place[1 + LINES * MARKS + 3 * BEYOND];
	uint16_t step[LINES * MARKS + 3 * BEYOND];
	uint8_t write[LINES + 8]; /* 1 = write, 0 = read */
	/* Digits of the fields, 0 to 9, in eight bytes (blocks: sixteen). The last digit is
	 * in the last byte; the first digit of a fraction is in the first byte. */
	uint64_t seconds[LINES], fraction[LINES], blocks[2 * LINES], bytes[LINES],
	    unit[LINES];
	/* Fields of the lines as numbers; time[0] is the lowest time that the first line
	 * may have. */
	uint64_t time[1 + LINES], addr[LINES], size[LINES], asu[LINES];
};

/* Repeats the value of each mark for eight lines; the rest of the vector is not used. */
#define EIGHT(...)                                                               \
	{                                                                        \
		__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, \
		    __VA_ARGS__, __VA_ARGS__, __VA_ARGS__                        \
	}
#define FOUR(...)                                                  \
	{                                                          \
		__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__ \
	}

static const uint8_t reads[64] = EIGHT(',', ',', ',', 'R', ',', '.', '\n');
static const uint8_t writes[64] = EIGHT(',', ',', ',', 'W', ',', '.', '\n');
static const uint8_t upper[64] = EIGHT(0xff, 0xff, 0xff, 0xdf, 0xff, 0xff, 0xff);
/* The smallest step to each mark of a line, and how much longer the step may be. */
static const uint16_t least[32] = FOUR(2, 2, 2, 1, 1, 2, 2);
static const uint16_t more[32] = FOUR(7, 15, 7, 0, 0, 7, 8);

/* The bits of the marks of eight lines that are letters. */
#define LETTERS (0x0002040810204081ull << 3)

#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)

/* Indexes `marks` marks and a few more, or all in [p, end) if there are fewer. Returns how many it indexed. */
static INLINE uint32_t
find_marks(struct index *x, const uint8_t *p, const uint8_t *end, uint32_t marks)
{
	const __m512i zero = _mm512_set1_epi8('0'), nine = _mm512_set1_epi8(9);
	const __m512i first = _mm512_set_epi64(
	    0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
	    0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
	size_t n = (size_t)(end - p) < UINT16_MAX - BEYOND ? (size_t)(end - p)
							   : UINT16_MAX - BEYOND;
	uint16_t *place = x->place + 1;
	uint32_t found = 0;

	x->place[0] = UINT16_MAX; /* the newline before p */
	for (uint32_t i = 0; i < n && found < marks; i += 64) {
		__m512i v = LOAD(p + i), from = _mm512_set1_epi16((short)i), at;
		uint64_t is = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(v, zero), nine);
		uint32_t here;

		if (unlikely(i + 64 > n))
			is &= ~0ull >> (64 - (n - i));
		here = (uint32_t)_mm_popcnt_u64(is);
		STORE(x->mark + found, _mm512_maskz_compress_epi8(is, v));
		at = _mm512_maskz_compress_epi8(is, first);
		STORE(place + found,
		      _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(at)),
				       from));
		if (unlikely(here > 32))
			STORE(place + found + 32,
			      _mm512_add_epi16(
				  _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(at, 1)),
				  from));
		found += here;
	}
	return found;
}

/* Returns how many of the first n lines are of the common shape before the first that is not. */
static INLINE uint32_t
right_shape(struct index *x, uint32_t n)
{
	const __m512i r = LOAD(reads), w = LOAD(writes), up = LOAD(upper), lo = LOAD(least),
		      span = LOAD(more);
	const uint64_t all = (1ull << 8 * MARKS) - 1, half = (1u << 4 * MARKS) - 1;

	for (uint32_t l = 0; l < n; l += 8) {
		uint32_t at = l * MARKS;
		__m512i mark = _mm512_and_si512(LOAD(x->mark + at), up);
		uint64_t is_w = _mm512_cmpeq_epi8_mask(mark, w), right;
		const uint16_t *q = x->place + 1 + at;
		__m512i a = _mm512_sub_epi16(LOAD(q), LOAD(q - 1));
		__m512i b = _mm512_sub_epi16(LOAD(q + 4 * MARKS), LOAD(q + 4 * MARKS - 1));

		STORE(x->step + at, a);
		STORE(x->step + at + 4 * MARKS, b);
		right = (_mm512_cmpeq_epi8_mask(mark, r) | is_w) &
			((_mm512_cmple_epu16_mask(_mm512_sub_epi16(a, lo), span) & half) |
			 (uint64_t)_mm512_cmple_epu16_mask(_mm512_sub_epi16(b, lo), span)
			     << 4 * MARKS);
		st64(x->write + l, _pdep_u64(_pext_u64(is_w, LETTERS), 0x0101010101010101));
		if (unlikely(~right & all)) {
			l += trailing_zeros64(~right) / MARKS;
			return l < n ? l : n;
		}
	}
	return n;
}

/* Converts eight numbers of eight digits each. */
static INLINE __m512i
numbers(__m512i digits)
{
	__m512i v = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010a));

	v = _mm512_madd_epi16(v, _mm512_set1_epi32(0x00010064));
	v = _mm512_madd_epi16(v, _mm512_set1_epi64(0x0000000100002710));
	return _mm512_add_epi64(_mm512_and_si512(v, _mm512_set1_epi64(UINT32_MAX)),
				_mm512_srli_epi64(v, 32));
}

/* Gathers the digits of the needed fields of n lines from p on. Returns true if a time has nine decimals. */
static INLINE bool
gather(struct index *x, const uint8_t *p, uint32_t n, unsigned need)
{
	static const uint8_t window16[32] = {[16] = 15, 15, 15, 15, 15, 15, 15, 15,
					     15,	15, 15, 15, 15, 15, 15, 15};
	const uint16_t *q = x->place + 1, *step = x->step;
	unsigned most = 0;

	for (uint32_t l = 0; l < n; l++, q += MARKS, step += MARKS) {
		unsigned decimals = step[6] - 1u;

		most |= decimals + 7; /* only 9 + 7 has the bit 16 */
		x->seconds[l] = ld64(p + q[5] - 8) & ld64(digit_window + step[5] - 1);
		x->fraction[l] = ld64(p + q[5] + 1) &
				 ld64(digit_window + 16 - (decimals < 8 ? decimals : 8));
		if (need & NEED_SIZE)
			x->bytes[l] = ld64(p + q[2] - 8) & ld64(digit_window + step[2] - 1);
		if (need & NEED_LOC)
			x->unit[l] = ld64(p + q[0] - 8) & ld64(digit_window + step[0] - 1);
		if (need & NEED_ADDR)
			_mm_storeu_si128(
			    (void *)(x->blocks + 2 * l),
			    _mm_and_si128(
				_mm_loadu_si128((const void *)(p + q[1] - 16)),
				_mm_loadu_si128((const void *)(window16 + step[1] - 1))));
	}
	return most & 16;
}

/* Sets x->time[1..n] to the times of n lines. Returns how many lines come before the first whose time goes back. */
static INLINE uint32_t
times(struct index *x, const uint8_t *p, uint32_t n, bool nine, bool any_order)
{
	for (uint32_t l = 0; l < n; l += 8)
		STORE(x->time + 1 + l,
		      _mm512_add_epi64(_mm512_mul_epu32(numbers(LOAD(x->seconds + l)),
							_mm512_set1_epi64(1000000000)),
				       _mm512_mul_epu32(numbers(LOAD(x->fraction + l)),
							_mm512_set1_epi64(10))));
	for (uint32_t l = 0; nine && l < n; l++)
		if (x->step[MARKS * l + 6] == 10)
			x->time[1 + l] += p[x->place[MARKS * (l + 1)] - 1] - (uint64_t)'0';
	for (uint32_t l = 0; l < n && !any_order; l += 8) {
		unsigned back =
		    _mm512_cmplt_epi64_mask(LOAD(x->time + 1 + l), LOAD(x->time + l));

		if (n - l < 8)
			back &= (1u << (n - l)) - 1;
		if (unlikely(back))
			return l + trailing_zeros64(back);
	}
	return n;
}

/* Converts the other needed fields of n lines to numbers. */
static INLINE void
convert(struct index *x, uint32_t n, unsigned need)
{
	const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);

	for (uint32_t l = 0; l < n && need & NEED_SIZE; l += 8)
		STORE(x->size + l, numbers(LOAD(x->bytes + l)));
	for (uint32_t l = 0; l < n && need & NEED_LOC; l += 8)
		STORE(x->asu + l, numbers(LOAD(x->unit + l)));
	for (uint32_t l = 0; l < n && need & NEED_ADDR; l += 8) {
		/* Each line has two halves. */
		__m512i a = numbers(LOAD(x->blocks + 2 * l));
		__m512i b = numbers(LOAD(x->blocks + 2 * l + 8));
		__m512i v = _mm512_mullo_epi64(_mm512_unpacklo_epi64(a, b),
					       _mm512_set1_epi64(100000000));

		v = _mm512_add_epi64(v, _mm512_unpackhi_epi64(a, b));
		STORE(x->addr + l, _mm512_permutexvar_epi64(order, v));
	}
}

/* Reads up to `want` lines, and stops before the first of another shape. Returns how many it read. */
static INLINE uint32_t
avx512_take(struct spc_fast *f, uint32_t want, unsigned need)
{
	struct index x;
	struct batch *b = f->b;
	const uint8_t *p = f->p;
	uint32_t n = find_marks(&x, p, f->end, want * MARKS) / MARKS, l, begin = 0;
	uint32_t at = (uint32_t)b->own.n;

	n = right_shape(&x, n < want ? n : want);
	x.time[0] = (uint64_t)f->last;
	n = times(&x, p, n, gather(&x, p, n, need), f->free);
	convert(&x, n, need);
	for (l = 0; l < n; l++, at += REC_HEAD) {
		struct rec *r = (struct rec *)(void *)(b->own.p + at);
		uint32_t end = x.place[MARKS * (l + 1)] + 1u;

		r->len = REC_HEAD;
		r->type = f->type[x.write[l]];
		r->loc = 0;
		if (need & NEED_LOC) {
			uint64_t asu = x.asu[l];

			if (unlikely(asu >= SPC_ASUS || !f->asu[asu]))
				break;
			r->loc = f->asu[asu];
		}
		r->has = HAS_ADDR | HAS_SIZE;
		r->time = (int64_t)x.time[1 + l];
		r->addr = need & NEED_ADDR ? x.addr[l] : 0;
		r->size = need & NEED_SIZE ? x.size[l] : 0;
		r->dur = 0;
		b->off[b->n + l] = at;
		b->raw[b->n + l] = (struct span){p + begin, end - begin};
		begin = end;
	}
	if (l)
		f->last = (int64_t)x.time[l] | f->free;
	b->n += l;
	b->own.n = at;
	f->p = p + begin;
	return l;
}

void
spc_fast_avx512(struct spc_fast *f)
{
	uint32_t room = lines_room(f->b), taken = f->b->n, want, n;

	if (f->ahead < LINES_WORTH) {
		spc_fast_avx2(f);
		f->ahead = f->b->n - taken;
		return;
	}
	for (taken = 0; taken < room && f->p < f->end; taken += n) {
		want = f->ahead < LINES ? f->ahead : LINES;
		want = want < room - taken ? want : room - taken;
		switch (f->need & (NEED_LOC | NEED_ADDR | NEED_SIZE)) {
		case 0: n = avx512_take(f, want, 0); break;
		case NEED_SIZE: n = avx512_take(f, want, NEED_SIZE); break;
		default: n = avx512_take(f, want, f->need);
		}
		if (n < want && f->p < f->end) {
			/* The next line is of another shape. Expect as many lines of the common shape after it. */
			f->ahead = taken + n;
			return;
		}
		if (f->ahead < LINES)
			f->ahead *= 2;
	}
}
#endif

#if HAVE_AVX512 && defined(__clang__)
#pragma clang attribute pop
#endif
