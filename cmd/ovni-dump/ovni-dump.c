/* ovni-dump - print the events of ovni traces */
#include <string.h>

#include "cli/opt.h"
#include "input/trace.h"
#include "output/sink.h"
#include "ovni-dump/ovni_dump_compat.h"
#include "ovni/ovni.h"

static bool metadata, compat;

static const struct opt opts[] = {
    {'M', "metadata", NULL, "write the metadata, and no events", "t b H A N D",
     .flag = &metadata},
    {0, "compat", NULL, "print as the format's own tool does", "t b H A N D M",
     .flag = &compat},
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
    .writes = output_opts,
    .whole = "all streams of a trace belong together",
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

/* Writes events in the form of another tool. */
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

int
main(int argc, char **argv)
{
	struct ovni_options *ovni;
	struct sink k;
	struct consumer to = {.arg = &k};

	opt_read(&program, argc, argv);
	if (!compat && !metadata)
		return decoder_main(NULL);
	if (metadata)
		to.whole = put_metadata;
	else {
		to.batch = put_compat;
		common.read.need = NEED_TIME | NEED_LOC | NEED_RAW | NEED_ORDER;
		ovni = format_values(&common.read, &fmt_ovni);
		ovni->raw_clock = ovni->paths = true;
	}
	sink_open(&k, &common.write);
	return sink_close(&k, trace_each(&common.read, common.path, common.n, &to));
}
