/*
 * compiler.h - extensions of compilers to C11, and replacements in plain C11. No other
 * file uses an extension directly. A build with -DPLAIN_C uses the plain way everywhere; that is
 * how the plain way is tested.
 */
#ifndef SPOOR_COMPILER_H
#define SPOOR_COMPILER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Clang and gcc from 5 on know all extensions used here. Other compilers that call
 * themselves an older gcc do not. */
#if !defined(PLAIN_C) && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 5))
#define GNU_C 1
#else
#define GNU_C 0
#endif

/* SSE2 is always there on x86-64, AVX2 and AVX-512 are asked for at run time. */
#if GNU_C && defined(__SSE2__)
#define HAVE_SSE2 1
#else
#define HAVE_SSE2 0
#endif
#if GNU_C && defined(__x86_64__)
#define HAVE_AVX2 1
#else
#define HAVE_AVX2 0
#endif
#if HAVE_AVX2 && (defined(__clang__) || __GNUC__ >= 8)
#define HAVE_AVX512 1
#else
#define HAVE_AVX512 0
#endif

#if GNU_C
#define PRINTF(a, b) __attribute__((format(printf, a, b)))
#define COLD __attribute__((cold, noinline))
#define NOINLINE __attribute__((noinline))
#define INLINE inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* Hints that the memory at p, which may be any address, will be read soon. */
#define prefetch(p) __builtin_prefetch(p)
#else
#define PRINTF(a, b)
#define COLD
#define NOINLINE
#define INLINE inline
#define likely(x) (x)
#define unlikely(x) (x)
#define prefetch(p) ((void)(p))
#endif

/* Reads the byte at p, so that its line comes into the cache. In a loop over much memory in random order this helps
 * more than prefetch, which processors may ignore if the page is not in their TLB. */
static inline void
touch(const void *p)
{
	(void)*(const volatile uint8_t *)p;
}

/* HOST_BIG is true if the most significant byte of a number comes first in memory. For compilers it is a constant. */
#if !defined(PLAIN_C) && defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define HOST_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define HOST_BIG host_big()
static inline bool
host_big(void)
{
	const uint16_t one = 1;
	uint8_t first;

	memcpy(&first, &one, 1);
	return first == 0;
}
#endif

/* Returns the number of zero bits above the highest set bit of v. v must not be 0. */
static inline unsigned
leading_zeros64(uint64_t v)
{
#if GNU_C
	return (unsigned)__builtin_clzll(v);
#else
	unsigned n = 0;

	for (unsigned step = 32; step; step /= 2)
		if (!(v >> (64 - step))) {
			n += step;
			v <<= step;
		}
	return n;
#endif
}

static inline unsigned
leading_zeros32(uint32_t v)
{
#if GNU_C
	return (unsigned)__builtin_clz(v);
#else
	return leading_zeros64(v) - 32;
#endif
}

/* Returns the number of zero bits below the lowest set bit of v. v must not be 0. */
static inline unsigned
trailing_zeros64(uint64_t v)
{
#if GNU_C
	return (unsigned)__builtin_ctzll(v);
#else
	return 63 - leading_zeros64(v & (0 - v));
#endif
}

/* Returns the number of bits that are set in v. Counts them by pairs, fours and eights: the compilers' builtin calls a
 * function if the target has no instruction for it, and that is slower. */
static inline unsigned
count_ones64(uint64_t v)
{
	v -= v >> 1 & 0x5555555555555555u;
	v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (unsigned)(v * 0x0101010101010101u >> 56);
}

/* Stores a * b in *to. Returns false if the product does not fit; *to is then undefined. */
static inline bool
times64(uint64_t a, uint64_t b, uint64_t *to)
{
#if GNU_C
	return !__builtin_mul_overflow(a, b, to);
#else
	*to = a * b;
	return !a || b <= UINT64_MAX / a;
#endif
}

/* Stores the signed product a * b in *to. Returns false if it does not fit; *to is then undefined. */
static inline bool
times_i64(int64_t a, int64_t b, int64_t *to)
{
#if GNU_C
	return !__builtin_mul_overflow(a, b, to);
#else
	uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
	uint64_t y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b, z;
	bool neg = (a < 0) != (b < 0), fits = times64(x, y, &z);

	*to = (int64_t)(neg ? 0 - z : z);
	return fits && z <= (1ull << 63) - !neg;
#endif
}

/* Stores the low 64 bits of the product a * b in *lo, and the high ones in *hi. */
static inline void
mul64(uint64_t a, uint64_t b, uint64_t *lo, uint64_t *hi)
{
#if GNU_C && defined(__SIZEOF_INT128__)
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	*lo = (uint64_t)product;
	*hi = (uint64_t)(product >> 64);
#else
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;

	*lo = mid2 << 32 | (uint32_t)low;
	*hi = a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

#endif
