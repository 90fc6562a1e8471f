/* cat.c - what all decoders do: events from the inputs to the output. */
#include "cli/opt.h"
#include "input/trace.h"

static bool
put_batch(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
	return true;
}

int
cat_run(const struct common *c, char *const *paths, size_t n)
{
	struct read_options opt = c->read;
	struct sink k;

	sink_open(&k, &c->write);
	sink_begin(&k, 0, &opt);
	return sink_close(
	    &k,
	    trace_each(&opt, paths, n, &(struct consumer){put_batch, NULL, sink_end, &k}));
}
