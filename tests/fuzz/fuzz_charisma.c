/* fuzz_charisma.c - see harness.h */
#define FUZZ_FORMAT fmt_charisma
#include "harness.h"
