/* laplace-bin2txt - turn Laplace memory references into text, and back */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/formats.h"
#include "cli/opt.h"
#include "input/fault.h"
#include "input/lines.h"
#include "input/trace.h"
#include "laplace/laplace.h"
#include "output/sink.h"

enum {
	O_PAD = OPT_LONG,
	O_ORDER
};

static const struct opt opts[] = {
    {'r', "reverse", NULL, "turn reference text back into binary records",
     "t b H A hz pad"},
    {O_PAD, "pad", NULL, "write every number in its full width", "t b H A hz"},
    {O_ORDER, "order", "ORDER", "byte order, little or big; else it is found out", NULL},
    {0},
};

static const char *
order_word(size_t i)
{
	static const char *const orders[] = {"little", "big", NULL};

	return orders[i];
}

static const struct opt_words words[] = {
    {O_ORDER, false, order_word},
    {0},
};

static const struct program program = {
    .about = "turn Laplace memory references into text, and back",
    .operands = "[FILE...]",
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
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
	const uint8_t *p;
	size_t n;

	while (!s->stop && (p = laplace_block(s, &n))) {
		source_progress(s);
		laplace_put_text(s, &r->sink.out, p, n, r->pad);
		s->events += n;
		s->in.p += n * LAPLACE_RECORD;
	}
}

static void
to_binary(void *arg, struct source *s)
{
	struct run *run = arg;
	struct out *o = &run->sink.out;
	const uint8_t *end, *p, *nl;
	struct reference r;

	while (!s->stop && (end = lines_fill(s))) {
		source_progress(s);
		for (p = s->in.p; p < end && !s->stop; p = nl + 1) {
			const char *why;
			char text[64];

			nl = memchr(p, '\n', (size_t)(end - p));
			s->line++;
			why = laplace_parse(p, nl, &r);
			if (why) {
				fault(s, "laplace-text-form", COST_EVENT, s->name, s->line,
				      "%s: %s", quoted(text, p, (size_t)(nl - p)), why);
				continue;
			}
			laplace_store(out_room(o), &r, run->big);
			o->p += LAPLACE_RECORD;
			s->events++;
		}
		s->in.p = (uint8_t *)(uintptr_t)p;
		if (o->line)
			out_flush(o);
	}
}

int
main(int argc, char **argv)
{
	struct laplace_options laplace = {ORDER_FIND, true};
	struct common c = {0};
	struct run r = {.pad = false};
	bool reverse = false, events;
	int o, status;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'r': reverse = true; break;
		case O_PAD: r.pad = true; break;
		case O_ORDER:
			if (!strcmp(optarg, "little"))
				laplace.order = ORDER_LITTLE;
			else if (!strcmp(optarg, "big"))
				laplace.order = ORDER_BIG;
			else
				opt_die("--order %s: little or big is expected", optarg);
			break;
		}
	}
	c.read.own = &laplace;
	/* All of these speak of the event stream. */
	events = c.form || c.header || c.absolute || c.read.hz;
	opt_expect(&c, reverse ? &fmt_laplace_text : &fmt_laplace);
	if (events)
		return cat_run(&c, argv + optind, (size_t)(argc - optind));
	c.form = reverse ? 'b' : 't';
	r.big = laplace.order == ORDER_BIG;
	sink_open(&r.sink, &c);
	status = trace_each(
	    &c.read, argv + optind, (size_t)(argc - optind),
	    &(struct consumer){.whole = reverse ? to_binary : to_text, .arg = &r});
	return sink_close(&r.sink, status);
}
