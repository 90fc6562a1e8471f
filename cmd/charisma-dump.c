/* charisma-dump - print the events of CHARISMA parallel file-system traces */
#include <string.h>

#include "charisma/charisma.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "output/sink.h"

static bool dump, metadata;

static const struct opt opts[] = {
    {0, "dump-layout", NULL, "write the layout's offsets, and no events", "M t b H",
     .flag = &dump},
    {'M', "metadata", NULL, "write the metadata, and no events", "t b H",
     .flag = &metadata},
    OPT_THREADS_ROW,
    {0},
};

static const struct program program = {
    .about = "print the events of CHARISMA parallel file-system traces",
    .operands = "[FILE...]",
    .examples = {"charisma-dump --preset cm5 trace.chr | head",
		 "charisma-dump -b --preset cm5 trace.chr | trace-stats -g event -a count"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .decodes = &fmt_charisma,
};

static void
put_layout(void *arg, struct source *s)
{
	const struct layout *l = charisma_layout(s);
	struct sink *k = arg;

	if (l)
		layout_dump(l, &k->out);
}

/* Writes the metadata as lines of key and value. */
static void
put_metadata(void *arg, struct source *s)
{
	const struct head *h = &s->head;

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *key = h->meta[i].key, *value = h->meta[i].value;
		const struct span line[] = {{(const uint8_t *)key, strlen(key)},
					    {(const uint8_t *)value, strlen(value)}};

		sink_values(arg, line, 2);
	}
}

int
main(int argc, char **argv)
{
	const struct charisma_options *options;
	struct consumer to = {.whole = put_metadata};
	struct sink k;

	opt_read(&program, argc, argv);
	if (!dump && !metadata)
		return decoder_main(sink_threads);
	sink_open(&k, &common.write);
	options = format_options(&common.read, &fmt_charisma);
	if (dump && options->layout) {
		layout_dump(options->layout, &k.out);
		return sink_close(&k, ST_OK);
	}
	to.arg = &k;
	if (dump)
		to.whole = put_layout;
	return sink_close(&k, trace_each(&common.read, common.path, common.n, &to));
}
