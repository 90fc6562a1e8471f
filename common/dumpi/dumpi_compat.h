/* dumpi_compat.h - what the parts of dumpi_compat() share. */
#ifndef SPOOR_DUMPI_COMPAT_H
#define SPOOR_DUMPI_COMPAT_H

#include "base/out.h"
#include "dumpi/dumpi.h"

/* The name of a value as dumpi2ascii has it: also of one that has none. */
const char *dumpi_word(const struct dumpi_type *t, int64_t v);
/* What it prints of a file in front of the calls, and behind them. */
void dumpi_compat_header(struct out *o, const struct dumpi_rank *r);
void dumpi_compat_sections(struct out *o, const struct dumpi_rank *r);

#endif
