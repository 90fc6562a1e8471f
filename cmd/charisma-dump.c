/* charisma-dump - print the events of CHARISMA parallel file-system traces */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "charisma/charisma.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "cli/formats.h"
#include "output/sink.h"

enum {
	O_PRESET = OPT_LONG,
	O_DUMP,
	O_NO_STATE,
	O_WINDOW,
	O_LOCAL,
};

static const struct opt opts[] = {
    {'L', "layout", "FILE", "the layout in FILE; otherwise it is found out", "L preset"},
    {O_PRESET, "preset", "NAME", "the layout of that name; 'list' prints all names",
     "preset"},
    {O_DUMP, "dump-layout", NULL, "write the layout's offsets, and no events", "M t b H"},
    {'M', "metadata", NULL, "write the header record's fields, and no events", "t b H"},
    {O_NO_STATE, "no-state", NULL, "no file= and name=, no asynchronous durations", NULL},
    {O_WINDOW, "async-window", "N", "look N requests ahead for an end (64K)", NULL},
    {O_LOCAL, "local", NULL, "with -A: the machine's local time, by gmt_offset", NULL},
    {0},
};

/* The names of all layouts, and "list". */
static const char *
preset_word(size_t i)
{
	return i == 0 ? "list" : layout_presets[i - 1];
}

static const struct opt_words words[] = {
    {O_PRESET, false, preset_word},
    {0},
};

static const struct program program = {
    .about = "print the events of CHARISMA parallel file-system traces",
    .operands = "[FILE...]",
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
};

static int
finish(int status)
{
	if (fflush(stdout) || ferror(stdout))
		die("<stdout>: write:");
	return status;
}

static void
choose_preset(struct layout *l, const char *name)
{
	if (!strcmp(name, "list")) {
		for (size_t i = 0; layout_presets[i]; i++)
			puts(layout_presets[i]);
		exit(finish(ST_OK));
	}
	if (!layout_preset(l, name))
		opt_die("--preset %s: no such layout (--preset list)", name);
}

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
	struct charisma_options charisma = {.async_window = CHARISMA_WINDOW, .say = true};
	struct layout *layout;
	bool dump = false, metadata = false;
	struct common c = {0};
	struct sink k;
	int o, status;

	prog_start(argv[0]);
	layout = xcalloc(1, sizeof *layout);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'L':
			layout_load(layout, optarg);
			charisma.layout = layout;
			break;
		case O_PRESET:
			choose_preset(layout, optarg);
			charisma.layout = layout;
			break;
		case O_DUMP: dump = true; break;
		case 'M': metadata = true; break;
		case O_NO_STATE: charisma.no_state = true; break;
		case O_WINDOW:
			charisma.async_window =
			    (uint32_t)num_option("--async-window", optarg, 0, 1 << 30);
			break;
		case O_LOCAL: charisma.local = true; break;
		}
	}
	c.read.own = &charisma;
	opt_expect(&c, &fmt_charisma);
	if (dump && charisma.layout) {
		sink_open(&k, &c.write);
		layout_dump(layout, &k.out);
		status = sink_close(&k, ST_OK);
	} else if (dump || metadata)
		status = headers(&c, argv + optind, (size_t)(argc - optind),
				 dump ? put_layout : put_metadata);
	else
		status = cat_run(&c, argv + optind, (size_t)(argc - optind));
	free(layout);
	return status;
}
