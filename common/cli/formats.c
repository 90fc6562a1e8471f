/* formats.c - the table of formats. */
#include "cli/formats.h"

#define ROW(name) &fmt_##name,
const struct format *const formats[] = {FORMATS(ROW) NULL};
