/* cli_formats.c - the table of readers for programs that read all formats. */
#include "cli/cli_formats.h"

#define ROW(name) &fmt_##name,
const struct format *const formats[] = {FORMATS(ROW) NULL};
