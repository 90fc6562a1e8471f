/* spc_avx2.c - SPC lines with AVX2: 1.3 times SSE2. Chosen at run time. */
#include "lines_avx2.h"
#include "spc.h"

#if HAVE_AVX2
void
spc_fast_avx2(struct spc_fast *f)
{
	SPC_FAST_LOOP(f, masks_avx2);
}
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
