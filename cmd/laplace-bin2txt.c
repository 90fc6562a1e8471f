/* laplace-bin2txt - turn Laplace memory references into text, and back */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "event/formats.h"
#include "event/lines.h"
#include "event/progress.h"
#include "laplace/laplace.h"
#include "stream/sink.h"

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

static void
to_text(struct trace *t, struct out *o, bool pad)
{
	struct source *s = &t->src;
	const uint8_t *p;
	size_t n;

	while (!s->stop && (p = laplace_block(s, &n))) {
		progress_check(t);
		laplace_put_text(s, o, p, n, pad);
		s->events += n;
		s->in.p += n * LAPLACE_RECORD;
	}
}

static void
to_binary(struct trace *t, struct out *o, bool big)
{
	struct source *s = &t->src;
	const uint8_t *end, *p, *nl;
	struct reference r;

	while (!s->stop && (end = lines_fill(s))) {
		progress_check(t);
		for (p = s->in.p; p < end && !s->stop; p = nl + 1) {
			const char *why;
			char text[64];

			nl = memchr(p, '\n', (size_t)(end - p));
			s->line++;
			why = laplace_parse(p, nl, &r);
			if (why) {
				source_bad(s, s->line, "%s: %s",
					   quoted(text, p, (size_t)(nl - p)), why);
				continue;
			}
			laplace_store(out_room(o), &r, big);
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
	bool reverse = false, pad = false, events;
	struct trace t;
	struct sink k;
	int o;

	prog_start(argv[0]);
	while ((o = opt_next(&program, &c, argc, argv)) != -1) {
		switch (o) {
		case 'r': reverse = true; break;
		case O_PAD: pad = true; break;
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
	sink_open(&k, &c);
	trace_open(&t, &c.read, argv + optind, (size_t)(argc - optind));
	while (trace_source(&t)) {
		if (reverse)
			to_binary(&t, &k.out, laplace.order == ORDER_BIG);
		else
			to_text(&t, &k.out, pad);
	}
	return sink_close(&k, trace_close(&t));
}
