/* open.c - one source, or the part of it that is asked for. */
#include "input/chunk.h"

bool
source_open(struct source *s, const struct read_options *opt, const char *const *paths,
	    size_t n)
{
	if (!source_start(s, opt, paths, n))
		return false;
	if ((opt->chunks || opt->slice) && !chunk_cut(s)) {
		source_close(s);
		return false;
	}
	return true;
}
