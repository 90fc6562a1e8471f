/* ovni-dump - print the events of ovni traces */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "ovni/ovni.h"
#include "output/sink.h"

enum {
	O_COMPAT = OPT_LONG,
};

static const struct opt opts[] = {
    {'M', "metadata", NULL, "print the metadata only", "t b H A N D by-time"},
    {O_COMPAT, "compat", NULL, "print as ovnidump -x does", "t b H A N D M by-time"},
    {0},
};

static const struct program program = {
    .about = "print the events of ovni traces",
    .operands = "[PATH...]",
    .examples =
	{"ovni-dump tasks | head",
	 "ovni-dump -b -D tasks | trace-stats -e 'dur?' -g loc,event -a 'sum(dur)'"},
    .opts = opts,
    .reads = true,
    .writes = true,
    .decodes = &fmt_ovni,
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
	static struct common c;
	struct ovni_options *ovni;
	bool metadata = false, compat = false;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'M': metadata = true; break;
		case O_COMPAT: compat = true; break;
		}
	}
	if (compat) {
		ovni = format_values(&c.read, &fmt_ovni);
		ovni->raw_clock = ovni->paths = true;
	}
	if (compat || metadata)
		return print_own(&c, metadata, argv + optind, (size_t)(argc - optind));
	return cat_run(&c, argv + optind, (size_t)(argc - optind));
}
