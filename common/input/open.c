/* open.c - opens an input, or the part of it that the options select. */
#include "input/chunk.h"

bool
source_open(struct source *s, const struct read_options *opt, const char *const *paths,
	    size_t n)
{
	if (!source_start(s, opt, paths, n))
		return false;
	/* A reader that stops while it opens the input has no state, which chunk_cut would need. */
	if ((opt->chunks || opt->slice) && !s->stop && !chunk_cut(s)) {
		source_close(s);
		return false;
	}
	return true;
}
