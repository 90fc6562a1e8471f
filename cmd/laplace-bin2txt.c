/* laplace-bin2txt - turn Laplace memory references into text, and back */
#include "cli/opt.h"
#include "input/trace.h"
#include "laplace/laplace.h"
#include "laplace/laplace_line.h"
#include "output/sink.h"

static bool reverse;
static bool pad; /* for text: write every number in its full width */

static const char *
back(void *to, const char *none)
{
	(void)to;
	reverse = true;
	common.read.expect = &fmt_laplace_text;
	return none;
}

static const struct opt opts[] = {
    {'r', "reverse", NULL, "turn reference text back into binary records", "t b H A hz pad",
     .take = back},
    OPT_THREADS_ROW,
    {0, "pad", NULL, "write every number in its full width", "t b H A hz", .flag = &pad},
    {0},
};

static const struct program program = {
    .about = "turn Laplace memory references into text, and back",
    .operands = "[FILE...]",
    .examples = {"laplace-bin2txt refs.bin | head",
		 "laplace-bin2txt refs.bin | laplace-bin2txt -r > copy.bin"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .decodes = &fmt_laplace,
};

static void
to_text(void *arg, struct source *s)
{
	struct sink *k = arg;

	laplace_to_text(s, &k->out, pad);
}

/* Writes all lines of reference text as records. Reports and skips other lines. */
static void
to_binary(void *arg, struct source *s)
{
	const struct laplace_options *options = format_options(&common.read, &fmt_laplace);
	struct out *o = &((struct sink *)arg)->out;
	bool big = options->order == ORDER_BIG;
	uint64_t line;
	size_t n;

	while ((n = laplace_read_lines(s, out_room(o), OUT_SLACK / LAPLACE_RECORD, big,
				       &line))) {
		o->p += n * LAPLACE_RECORD;
		if (o->line)
			out_flush(o);
	}
}

int
main(int argc, char **argv)
{
	struct sink sink;
	struct consumer to = {.whole = to_text, .arg = &sink};

	opt_read(&program, argc, argv);
	/* Options for the event stream. */
	if (common.write.form || common.write.header || common.write.absolute ||
	    common.read.hz)
		return decoder_main(sink_threads);
	common.write.form = &form_text;
	if (reverse) {
		if (common.read.slice)
			opt_die("--from and --to cut events: with -r they need -t or -b");
		common.write.form = &form_binary;
		to = (struct consumer){.whole = to_binary, .arg = &sink};
	}
	sink_open(&sink, &common.write);
	to.threads = sink_threads(&sink);
	laplace_line_start();
	return sink_close(&sink, trace_each(&common.read, common.path, common.n, &to));
}
