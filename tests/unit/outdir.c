/*
 * outdir - a program that writes a directory: for each location of a trace a file with the
 * addresses of its events, as an encoder of directories does.
 *
 *	outdir DIR TRACE [NAME]
 *
 * NAME: a further file. With FAIL in the environment the end is trouble; with WAIT it waits
 * for a signal at the end.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "cli/cli_formats.h"
#include "trace-convert/encode.h"
#include "input/trace.h"
#include "output/sink.h"

static void
put_line(struct encode *e, const char *name, uint64_t n)
{
	int fd = atomic_add_file(e->dir, name), len;
	char line[32];

	if (fd < 0)
		die("%s:", name);
	len = snprintf(line, sizeof line, "%llu\n", (unsigned long long)n);
	if (write(fd, line, (size_t)len) != len)
		die("%s: write:", name);
	close(fd);
}

static void
put(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t n)
{
	char name[64];

	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);

		snprintf(name, sizeof name, "of/%llu/addr",
			 (unsigned long long)encode_place(e, r->loc)->number);
		put_line(e, name, r->addr);
	}
}

static bool
put_batch(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
	return true;
}

static void
end(void *arg, struct source *s)
{
	sink_end(arg, s);
}

static const struct format format = {.name = "outdir"};
static const struct encoder encoder = {
    .format = &format, .need = NEED_ALL, .directory = true, .put = put};

int
main(int argc, char **argv)
{
	const struct encode_options how = {.encoder = &encoder};
	struct write_options w = {.form = &form_encode, .directory = "outdir", .of = &how};
	struct read_options opt = {.known = formats, .sniffers = sniffers};
	struct sink k;
	int status;

	prog_start(argv[0]);
	w.path = argc > 1 ? argv[1] : NULL;
	sink_open(&k, &w);
	sink_begin(&k, 0, &opt);
	status =
	    trace_each(&opt, argv + 2, 1, &(struct consumer){put_batch, NULL, end, &k});
	if (argc > 3) {
		struct encode e = {.dir = k.dir};

		put_line(&e, argv[3], 1);
	}
	if (open("mine", O_WRONLY | O_CREAT, 0666) >= 0)
		warn("a file was made");
	if (getenv("WAIT"))
		pause();
	return sink_close(&k, getenv("FAIL") ? ST_TROUBLE : status);
}
