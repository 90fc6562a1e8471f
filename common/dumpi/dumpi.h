/* dumpi.h - functions of DUMPI's decoder that print something other than events. */
#ifndef SPOOR_DUMPI_H
#define SPOOR_DUMPI_H

#include "base/out.h"
#include "input/source.h"

typedef void dumpi_pair(void *arg, const char *section, const void *key, size_t nkey,
			const void *value, size_t nvalue);
/* Calls put(arg, section, key, value) for all pairs of the .meta files, with the section "meta", then of the sections of
 * all ranks (metadata.c). A .meta file that is missing or could not be read has no pairs; opening s has reported it. */
void dumpi_metadata(struct source *s, dumpi_pair *put, void *arg);
/* Writes s to o as dumpi2ascii -S prints it; with `all` as -a does (dumpi2txt_compat.c). */
void dumpi_compat(struct source *s, struct out *o, bool all);
/* Writes DUMPI to o for output/native.h (dumpi_write.c): _begin writes the bytes before the records, and dies if s has
 * several ranks, _put the record r, whose bytes are `raw`, and _end the sections after the records that were written. */
void dumpi_native_begin(struct source *s, struct out *o);
void dumpi_native_put(struct source *s, struct out *o, const struct rec *r,
		      struct span raw);
void dumpi_native_end(struct source *s, struct out *o);

#endif
