/* open.c - one source, or the part of it that is asked for. */
#include "input/chunk.h"

bool
source_open(struct source *s, const struct read_options *opt, const char *const *paths,
	    size_t n)
{
	if (!source_start(s, opt, paths, n))
		return false;
	/* A reader that stops as it opens has no state that a cut could ask. */
	if ((opt->chunks || opt->slice) && !s->stop && !chunk_cut(s)) {
		source_close(s);
		return false;
	}
	return true;
}
