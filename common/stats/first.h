/* first.h - where windows begin that count from the first event. */
#ifndef SPOOR_FIRST_H
#define SPOOR_FIRST_H

#include "base/mem.h"
#include "expr/expr.h"
#include "input/source.h"

/*
 * Reads the files paths[0..n) for the earliest time of the events that e is true for, and
 * appends it to `to` as spec_from reads it. e has seen no events yet; NULL = any event. False
 * where there is none, or the only input is a pipe, which is not read. Dies if one of several
 * inputs is no file. The output must be open, see inputs_begin; opt->twice is to be set.
 */
bool first_time(const struct read_options *opt, char *const *paths, size_t n,
		struct expr *e, struct buf *to);

#endif
