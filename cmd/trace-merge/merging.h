/*
 * merging.h - what the command line says of a merge, as `how`, a struct merge_how, has it.
 * What is wrong ends the program with a message.
 */
#ifndef SPOOR_MERGING_H
#define SPOOR_MERGING_H

#include <stdbool.h>
#include <stddef.h>

#include "merge/merged.h"

/* --resort: a number of events, a time with its unit, or auto. */
const char *merging_resort(void *how, const char *text);
/* --align: one of these words; NULL behind the last. */
const char *merging_align(void *how, const char *text);
const char *merging_align_word(size_t i);
/* --offset or --scale: "FILE=VALUE" or "@N=VALUE" sets the shift of one of the inputs
 * path[0..n). */
void merging_shift(struct merge_shift *shift, const char *const *path, size_t n,
		   const char *text, bool scale);
/* --files: calls add(arg, ...) for each name in the file `list`, - for standard input: with NULs
 * between if there are any, else newlines. Names are never freed. */
void merging_list(const char *list, void (*add)(void *arg, const char *path), void *arg);

/* --check: reads the inputs paths[0..n) and warns of each that is not in order of time, with what is late.
 * Returns ST_NONE if any is late, otherwise the status of trace_each. */
int lateness_tell(const struct read_options *opt, char *const *paths, size_t n);

#endif
