/* dumpi2txt - print the MPI calls of DUMPI traces */
#include <string.h>

#include "dumpi/dumpi.h"
#include "input/trace.h"
#include "cli/opt.h"
#include "cli/cli_formats.h"
#include "output/native.h"
#include "output/sink.h"

static const struct native dumpi = {
    .format = "dumpi",
    .begin = dumpi_native_begin,
    .put = dumpi_native_put,
    .end = dumpi_native_end,
};
static const struct native *const natives[] = {&dumpi, NULL};

/* Writes output that is not a stream of events */
static void (*own)(void *arg, struct source *s);

static void
put_compat(void *arg, struct source *s)
{
	struct sink *k = arg;

	dumpi_compat(s, &k->out, false);
}

static void
put_compat_all(void *arg, struct source *s)
{
	struct sink *k = arg;

	dumpi_compat(s, &k->out, true);
}

static const char *
compat(void *to, const char *text)
{
	(void)to;
	if (text && strcmp(text, "all") != 0)
		opt_die("--compat=%s: nothing or all is expected", text);
	own = text ? put_compat_all : put_compat;
	return NULL;
}

static bool metadata;

static const struct opt opts[] = {
    {'n', "native", NULL, "write the records in the input's own format", "t b H A",
     .form = &form_native},
    {'M', "metadata", NULL, "write the metadata, and no events", "t b n H A compat",
     .flag = &metadata},
    {0, "compat", "[=all]", "print as the format's own tool does", "t b n H A",
     .take = compat},
    {0},
};

static const struct program program = {
    .about = "print the MPI calls of DUMPI traces",
    .operands = "[FILE...]",
    .examples =
	{"dumpi2txt solver.meta | head",
	 "dumpi2txt -b solver.meta | trace-stats -e 'MPI_Wait*' -g rank -a 'sum(dur)'"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .whole = "all files of a trace belong together",
    .decodes = &fmt_dumpi,
};

static void
put_pair(void *arg, const char *section, const void *key, size_t nkey, const void *value,
	 size_t nvalue)
{
	const struct span line[] = {
	    {(const uint8_t *)section, strlen(section)}, {key, nkey}, {value, nvalue}};

	sink_values(arg, line, 3);
}

static void
put_metadata(void *arg, struct source *s)
{
	dumpi_metadata(s, put_pair, arg);
}

int
main(int argc, char **argv)
{
	struct sink k;

	common.write.of = natives;
	opt_read(&program, argc, argv);
	if (!own && !metadata)
		return decoder_main(NULL);
	common.read.need = metadata ? 0 : NEED_ARGS;
	sink_open(&k, &common.write);
	return sink_close(
	    &k, trace_each(
		    &common.read, common.path, common.n,
		    &(struct consumer){.whole = metadata ? put_metadata : own, .arg = &k}));
}
