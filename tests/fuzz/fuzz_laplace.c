/* fuzz_laplace.c - see harness.h */
#define FUZZ_FORMAT fmt_laplace
#include "harness.h"
