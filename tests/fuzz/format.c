/* format.c - see harness.h: FUZZ_FORMAT is given by who compiles it, for each format of
 * cli/cli_formats.h that has no harness of its own. */
#include "harness.h"
