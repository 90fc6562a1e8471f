/* fuzz_spc.c - see harness.h */
#define FUZZ_FORMAT fmt_spc
#include "harness.h"
