/* export_read.h - traces into the form of a target. */
#ifndef SPOOR_EXPORT_READ_H
#define SPOOR_EXPORT_READ_H

#include "trace-export/export.h"
#include "cells/event_copy.h"

/*
 * Reads the inputs paths[0..n) into p, which has begun, for the target of its sink's options:
 * twice where the target must learn first, which is done in silence. Gives ST_OK or
 * ST_TROUBLE.
 */
int export_read(struct event_copy *p, struct read_options *opt, char *const *paths,
		size_t n);

#endif
