/*
 * masks_avx2.h - the mask maker for AVX2. Files named *_avx2.c include it before anything
 * else: from here on every function of such a file is compiled for AVX2 and BMI.
 */
#ifndef SPOOR_MASKS_AVX2_H
#define SPOOR_MASKS_AVX2_H

#include "base/compiler.h"

#if HAVE_AVX2 && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#elif HAVE_AVX2
#pragma GCC target("avx2,bmi,bmi2")
#endif

#include "base/masks.h"

#if HAVE_AVX2
#include <immintrin.h>

/* Fills *m for the 64 bytes at p, which must be readable, and the separator `sep`. Bits after the first newline are
 * undefined. */
static inline void
masks_avx2(const uint8_t *p, uint8_t sep, struct masks *m)
{
	const __m256i zero = _mm256_set1_epi8('0'), nine = _mm256_set1_epi8(9);
	const __m256i s = _mm256_set1_epi8((char)sep), nl = _mm256_set1_epi8('\n');
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i d = _mm256_sub_epi8(a, zero);
	uint64_t digit, cm, end;

#define BITS(x) ((uint64_t)(uint32_t)_mm256_movemask_epi8(x))
	digit = BITS(_mm256_cmpeq_epi8(_mm256_min_epu8(d, nine), d));
	cm = BITS(_mm256_cmpeq_epi8(a, s));
	end = BITS(_mm256_cmpeq_epi8(a, nl));
	if (!end) {
		a = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
		d = _mm256_sub_epi8(a, zero);
		digit |= BITS(_mm256_cmpeq_epi8(_mm256_min_epu8(d, nine), d)) << 32;
		cm |= BITS(_mm256_cmpeq_epi8(a, s)) << 32;
		end |= BITS(_mm256_cmpeq_epi8(a, nl)) << 32;
	}
#undef BITS
	m->nondigit = ~digit;
	m->sep = cm;
	m->newline = end;
}
#endif

#endif
