/* fuzz_laplace_text.c - see harness.h */
#define FUZZ_FORMAT fmt_laplace_text
#include "harness.h"
