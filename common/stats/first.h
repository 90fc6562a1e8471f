/* first.h - where windows begin that count from the first event. */
#ifndef SPOOR_FIRST_H
#define SPOOR_FIRST_H

#include "base/mem.h"
#include "input/source.h"

/*
 * Reads each of the files paths[0..n) up to the first event that the expression `text` (NULL
 * = any) is true for, and appends the earliest of their times to `to`, as spec_from reads it.
 * False where that is not known, or need not be: there is none; one thread will read a
 * single input, a pipe perhaps, and see its first event before all others. Dies if one of
 * several inputs cannot be read twice. The output must be open, see inputs_begin.
 */
bool first_time(const struct read_options *opt, char *const *paths, size_t n,
		const char *text, struct buf *to);

#endif
