/* masks.c - chooses a mask maker. */
#include <string.h>

#include "base/masks.h"
#include "base/tuning.h"

const uint8_t digit_window[24] = {0, 0, 0, 0, 0, 0, 0, 0, 15, 15, 15, 15, 15, 15, 15, 15};

enum simd
simd_best(void)
{
	static const char *const names[] = {"slow", "plain", "sse2", "avx2"};
	enum simd best = SIMD_PLAIN;

#if HAVE_SSE2
	best = SIMD_SSE2;
#endif
#if HAVE_AVX2
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2"))
		best = SIMD_AVX2;
#endif
#if HAVE_AVX512
	if (best == SIMD_AVX2 && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vbmi2"))
		best = SIMD_AVX512;
#endif
	for (unsigned i = 0; tuning.simd && i < 4; i++)
		if (!strcmp(tuning.simd, names[i]) && (enum simd)i < best)
			best = (enum simd)i;
	/* eight_digits works on little-endian words. */
	return HOST_BIG ? SIMD_SLOW : best;
}
