/*
 * merging.h - parses the options of a merge into `opts`, a struct merge_settings. An error ends
 * the program with a message.
 */
#ifndef SPOOR_MERGING_H
#define SPOOR_MERGING_H

#include <stdbool.h>
#include <stddef.h>

#include "merge/merged.h"

/* Parses --resort: a number of events, a time with its unit, or auto. Always returns NULL. */
const char *merging_resort(void *opts, const char *text);
/* Parses --align. Always returns NULL. merging_align_word returns the i-th word that the
 * option may be; NULL after the last. */
const char *merging_align(void *opts, const char *text);
const char *merging_align_word(size_t i);
/* Parses --offset or --scale: "FILE=VALUE" or "@N=VALUE" sets the shift of one of the
 * inputs path[0..n). */
void merging_shift(struct merge_shift *shift, const char *const *path, size_t n,
		   const char *text, bool scale);
/* Reads --files: calls add(arg, ...) for each name in the file `list`, - for standard
 * input. A list with NULs has a NUL after each name; any other list has a newline. The
 * names are never freed. */
void merging_list(const char *list, void (*add)(void *arg, const char *path), void *arg);

/* Runs --check: reads the inputs paths[0..n) and warns of each that is not in order of
 * time, with its late events. Returns ST_NONE if any event is late, otherwise the status of
 * trace_each. */
int lateness_tell(const struct read_options *opt, char *const *paths, size_t n);

#endif
