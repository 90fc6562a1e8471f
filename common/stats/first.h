/* first.h - where windows begin that count from the first event. */
#ifndef SPOOR_FIRST_H
#define SPOOR_FIRST_H

#include "input/source.h"

/*
 * Reads the files paths[0..n) for the earliest time of the events that the expression `text`
 * is true for (with the key that expr_key takes), or of all where it is NULL. Gives it as
 * spec_from reads it, to be freed. NULL where there is none, or the only input is a pipe, which
 * is not read. Dies if one of several inputs is no file. The output must be open, see
 * inputs_begin; opt->twice is to be set.
 */
char *first_time(const struct read_options *opt, char *const *paths, size_t n,
		 const char *text, const char *key);

#endif
