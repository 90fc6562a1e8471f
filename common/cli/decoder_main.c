/* decoder_main.c - the main function of decoders: copies events from the inputs to the output. */
#include "cli/opt.h"
#include "input/trace.h"

static bool
put(void *sink, struct source *s, const struct batch *b)
{
	sink_put(sink, s, b, NULL, b->n);
	return true;
}

int
decoder_main(const struct threads *(*threads)(struct sink *))
{
	struct read_options opt = common.read;
	struct sink k;
	struct consumer to = {.batch = put, .end = sink_end, .arg = &k};

	sink_open(&k, &common.write);
	sink_begin(&k, 0, &opt);
	to.threads = threads ? threads(&k) : NULL;
	return sink_close(&k, trace_each(&opt, common.path, common.n, &to));
}
