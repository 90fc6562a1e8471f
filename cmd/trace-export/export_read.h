/* export_read.h - reads traces into the form of a target. */
#ifndef SPOOR_EXPORT_READ_H
#define SPOOR_EXPORT_READ_H

#include "trace-export/export.h"
#include "cells/event_copy.h"

/* Reads the inputs paths[0..n) into p, which has begun, for the target in the options of its sink; twice, the
 * first time without messages, if the target must learn. Returns ST_OK or ST_TROUBLE. */
int export_read(struct event_copy *p, struct read_options *opt, char *const *paths,
		size_t n);

#endif
