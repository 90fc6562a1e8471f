/* fuzz_text.c - see harness.h */
#define FUZZ_FORMAT fmt_text
#include "harness.h"
