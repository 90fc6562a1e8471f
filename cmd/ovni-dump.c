/* ovni-dump - print the events of ovni traces */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/opt.h"
#include "cli/formats.h"
#include "input/trace.h"
#include "ovni/ovni.h"
#include "output/sink.h"

enum {
	O_RAW_CLOCK = OPT_LONG,
	O_COMPAT,
	O_RELEASE,
};

static const struct opt opts[] = {
    {'s', "streams", NULL, "one stream after the other, as they lie", NULL},
    {'N', "names", NULL, "with a dotted name of each event: name=", NULL},
    {'D', "durations", NULL, "make one event with a duration of enter and leave", NULL},
    {'M', "metadata", NULL, "print the metadata only", "t b H A N D"},
    {O_RAW_CLOCK, "raw-clock", NULL, "do not apply clock-offsets.txt", NULL},
    {O_COMPAT, "compat", NULL, "print as ovnidump -x does", "t b H A N D M"},
    {O_RELEASE, "release", "VERSION", "1.0: M and T are the letters of release 1.0.0",
     NULL},
    {0},
};

static const struct program program = {
    .about = "print the events of ovni traces",
    .operands = "[PATH...]",
    .opts = opts,
    .reads = true,
    .writes = true,
};

static void
put_pair(void *arg, const char *key, const char *value)
{
	const struct span line[] = {{(const uint8_t *)key, strlen(key)},
				    {(const uint8_t *)value, strlen(value)}};

	sink_values(arg, line, 2);
}

static void
put_metadata(void *arg, struct source *s)
{
	ovni_meta(s, put_pair, arg);
}

/* Events in the form of another tool. */
static bool
put_compat(void *arg, struct source *s, const struct batch *b)
{
	struct sink *k = arg;

	for (uint32_t i = 0; i < b->n; i++)
		ovni_put_compat(s, &k->out, batch_rec(b, i), b->raw[i]);
	if (k->out.line)
		out_flush(&k->out);
	return true;
}

/* What is no stream of events: all inputs, in our own way. */
static int
print_own(struct common *c, bool metadata, char *const *paths, size_t n)
{
	struct sink k;
	struct consumer to = {.arg = &k};

	if (metadata)
		to.whole = put_metadata;
	else
		to.batch = put_compat;
	sink_open(&k, &c->write);
	c->read.need = metadata ? 0 : NEED_TIME | NEED_LOC | NEED_RAW | NEED_ORDER;
	return sink_close(&k, trace_each(&c->read, paths, n, &to));
}

int
main(int argc, char **argv)
{
	struct ovni_options ovni = {0};
	struct common c = {0};
	bool metadata = false, compat = false;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 's': ovni.streams = true; break;
		case 'N': ovni.names = true; break;
		case 'D': ovni.pairs = true; break;
		case 'M': metadata = true; break;
		case O_RAW_CLOCK: ovni.raw_clock = true; break;
		case O_COMPAT: compat = true; break;
		case O_RELEASE:
			if (strcmp(optarg, "1.0") != 0 && strcmp(optarg, "1.0.0") != 0)
				opt_die(
				    "--release takes 1.0: later releases are read alike");
			ovni.old = true;
			ovni_release_old();
			break;
		}
	}
	if (compat)
		ovni.raw_clock = ovni.paths = true;
	c.read.own = &ovni;
	opt_expect(&c, &fmt_ovni);
	if (compat || metadata)
		return print_own(&c, metadata, argv + optind, (size_t)(argc - optind));
	return cat_run(&c, argv + optind, (size_t)(argc - optind));
}
