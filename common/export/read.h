/* read.h - traces into the form of a target. */
#ifndef SPOOR_EXPORT_READ_H
#define SPOOR_EXPORT_READ_H

#include "export/export.h"
#include "expr/filter.h"

/*
 * Reads the inputs paths[0..n) into the sink k, which has begun, for the target of its
 * options: twice where the target must learn first, which is done in silence. Only events
 * that e is true for are written; it was parsed from `test`, and both may be NULL. Gives
 * ST_OK or ST_TROUBLE.
 */
int export_read(struct sink *k, struct read_options *opt, struct expr *e, const char *test,
		char *const *paths, size_t n);

#endif
