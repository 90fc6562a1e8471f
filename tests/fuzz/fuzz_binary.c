/* fuzz_binary.c - see harness.h */
#define FUZZ_FORMAT fmt_binary
#include "harness.h"
