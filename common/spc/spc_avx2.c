/* spc_avx2.c - reads SPC lines with AVX2, 1.3 times as fast as SSE2. Chosen at run time. */
#include "base/masks_avx2.h"
#include "spc/spc.h"

#if HAVE_AVX2
void
spc_fast_avx2(struct spc_fast *f)
{
	SPC_FAST_LOOP(f, masks_avx2);
}
#endif

#if HAVE_AVX2 && defined(__clang__)
#pragma clang attribute pop
#endif
