/* text_avx2.c - lines of the text stream with AVX2. Chosen at run time. */
#include "base/masks_avx2.h"
#include "stream/text_line.h"

#if HAVE_AVX2
void
text_fast_avx2(struct text_fast *f)
{
	TEXT_FAST_LOOP(f, masks_avx2);
}
#endif

#if HAVE_AVX2 && defined(__clang__)
#pragma clang attribute pop
#endif
