/* delimited_avx2.c - lines of columns with AVX2. Chosen at run time. */
#include "base/masks_avx2.h"
#include "delimited/delimited_line.h"

#if HAVE_AVX2
void
columns_fast_avx2(struct delimited_fast *f)
{
	COLUMNS_LOOP(f, masks_avx2);
}
#endif

#if HAVE_AVX2 && defined(__clang__)
#pragma clang attribute pop
#endif
