/* laplace-bin2txt - turn Laplace memory references into text, and back */
#include <stdlib.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "cli/opt.h"
#include "input/trace.h"
#include "input/turns.h"
#include "laplace/laplace.h"
#include "laplace/line.h"
#include "output/sink.h"

enum {
	O_PAD = OPT_LONG
};

static const struct opt opts[] = {
    {'r', "reverse", NULL, "turn reference text back into binary records",
     "t b H A hz pad"},
    OPT_THREADS_ROW,
    {O_PAD, "pad", NULL, "write every number in its full width", "t b H A hz"},
    {0},
};

static const struct program program = {
    .about = "turn Laplace memory references into text, and back",
    .operands = "[FILE...]",
    .examples = {"laplace-bin2txt refs.bin | head",
		 "laplace-bin2txt refs.bin | laplace-bin2txt -r > copy.bin"},
    .opts = opts,
    .reads = true,
    .writes = true,
    .decodes = &fmt_laplace,
};

struct run {
	struct sink sink;
	bool pad; /* of text: every number in its full width */
	bool big; /* of records: their byte order */
};

static void
to_text(void *arg, struct source *s)
{
	struct run *r = arg;

	laplace_to_text(s, &r->sink.out, r->pad);
}

/* For turns of to_text. */
static void *
open_own(void *arg, struct buf *to)
{
	const struct run *whole = arg;
	struct run *own = xcalloc(1, sizeof *own);

	own->pad = whole->pad;
	sink_piece(&own->sink, &whole->sink, to);
	return own;
}

static enum turn
add_own(void *arg, void *from)
{
	struct run *r = arg, *own = from;

	return sink_join(&r->sink, &own->sink) ? TURN_ON : TURN_ALONE;
}

static void
close_own(void *arg)
{
	struct run *own = arg;

	sink_drop(&own->sink);
	free(own);
}

static void
to_binary(void *arg, struct source *s)
{
	struct run *r = arg;

	laplace_to_binary(s, &r->sink.out, r->big);
}

int
main(int argc, char **argv)
{
	static struct common c;
	const struct laplace_options *laplace;
	struct run r = {.pad = false};
	struct turns turns = {&r.sink.out, open_own, add_own, close_own, false, true};
	bool reverse = false;
	int o, status;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'r':
			reverse = true;
			c.read.expect = &fmt_laplace_text;
			break;
		case O_PAD: r.pad = true; break;
		}
	}
	laplace = format_options(&c.read, &fmt_laplace);
	/* All of these speak of the event stream. */
	if (c.write.form || c.write.header || c.write.absolute || c.read.hz)
		return cat_run(&c, argv + optind, (size_t)(argc - optind));
	if (reverse && c.read.slice)
		opt_die("--from and --to cut events: with -r they need -t or -b");
	c.write.form = reverse ? &form_binary : &form_text;
	r.big = laplace->order == ORDER_BIG;
	sink_open(&r.sink, &c.write);
	laplace_line_start();
	status = trace_each(&c.read, argv + optind, (size_t)(argc - optind),
			    &(struct consumer){.whole = reverse ? to_binary : to_text,
					       .arg = &r,
					       .turns = reverse ? NULL : &turns});
	return sink_close(&r.sink, status);
}
