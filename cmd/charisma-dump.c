/* charisma-dump - print the events of CHARISMA parallel file-system traces */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "charisma/charisma.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "output/sink.h"

enum {
	O_DUMP = OPT_LONG,
};

static const struct opt opts[] = {
    {O_DUMP, "dump-layout", NULL, "write the layout's offsets, and no events", "M t b H"},
    {'M', "metadata", NULL, "write the header record's fields, and no events",
     "t b H by-time"},
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
    .writes = true,
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

/* The metadata as key and value. */
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

/* What a header tells, of each input. */
static int
headers(const struct common *c, char *const *paths, size_t n,
	void (*put)(void *arg, struct source *s))
{
	struct sink k;

	sink_open(&k, &c->write);
	return sink_close(&k, trace_each(&c->read, paths, n,
					 &(struct consumer){.whole = put, .arg = &k}));
}

int
main(int argc, char **argv)
{
	static struct common c;
	const struct layout *layout;
	bool dump = false, metadata = false;
	struct sink k;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case O_DUMP: dump = true; break;
		case 'M': metadata = true; break;
		}
	}
	layout = ((const struct charisma_options *)format_options(&c.read, &fmt_charisma))
		     ->layout;
	if (dump && layout) {
		sink_open(&k, &c.write);
		layout_dump(layout, &k.out);
		return sink_close(&k, ST_OK);
	}
	if (dump || metadata)
		return headers(&c, argv + optind, (size_t)(argc - optind),
			       dump ? put_layout : put_metadata);
	return cat_run(&c, argv + optind, (size_t)(argc - optind));
}
