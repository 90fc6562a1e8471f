/* trace-match - which MPI message met which receive, and who waited for whom */
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "cli/opt.h"
#include "input/slice.h"
#include "input/trace.h"
#include "match/match.h"
#include "output/sink.h"

enum {
	O_BY_END = OPT_LONG,
	O_CLOCKS,
	O_EAGER,
	O_LEFT,
};

static const struct opt opts[] = {
    {O_LEFT, "left", NULL, "what has no partner, and what is odd", NULL},
    {O_CLOCKS, "clocks", NULL, "how far clocks of hosts are apart, for trace-merge",
     "left eager by-end t b H A from to"},
    {O_EAGER, "eager", "BYTES", "sends of more wait for their receive", NULL},
    {O_BY_END, "by-end", NULL, "in order of end, so that nothing waits", NULL},
    {0},
};

static const struct program program = {
    .about = "which MPI message met which receive, and who waited for whom",
    .operands = "[FILE...]",
    .examples = {"trace-match solver.meta | trace-stats -g loc -a 'sum(late_sender)'",
		 "trace-match --clocks solver-000?.bin"},
    .opts = opts,
    .reads = true,
    .writes = true,
    .whole = "a send and its receive may be in different parts",
};

struct program_state {
	struct match *match;
	const struct time_slice *slice; /* --from and --to: of what is given */
	bool clocks;			/* no events are written */
	struct sink sink;
};

static bool
take(void *arg, struct source *s, const struct batch *b)
{
	struct program_state *p = arg;

	match_take(p->match, s, b);
	return true;
}

static void
end(void *arg, struct source *s)
{
	struct program_state *p = arg;

	match_end(p->match, s);
}

static void
put(void *arg, struct source *s, const struct batch *b)
{
	struct program_state *p = arg;
	uint32_t room[BATCH], n = b->n;
	const uint32_t *pick = NULL;

	if (p->slice)
		n = slice_pick(s, p->slice, b, room, &pick, n);
	sink_put(&p->sink, s, b, pick, n);
}

static void
end_put(void *arg, struct source *s)
{
	struct program_state *p = arg;

	if (!p->clocks)
		sink_end(&p->sink, s);
}

static void
read_options(struct common *c, struct match_options *m, struct out *to, int argc,
	     char **argv)
{
	int o;

	while ((o = opt_next(&program, c, argc, argv)) != -1) {
		switch (o) {
		case O_CLOCKS: m->clocks = to; break;
		case O_LEFT: m->left = true; break;
		case O_BY_END: m->by_end = true; break;
		case O_EAGER:
			m->eager = true;
			m->limit = num_option("--eager", optarg, 0, UINT64_MAX);
			break;
		}
	}
}

int
main(int argc, char **argv)
{
	static struct common c;
	struct match_options o = {0};
	struct program_state p;
	int status;

	prog_start(argv[0]);
	read_options(&c, &o, &p.sink.out, argc, argv);
	p.match = match_new(&o, &(struct pair_sink){put, end_put, &p});
	sink_open(&p.sink, &c.write);
	if (o.clocks)
		c.read.need = NEED_ALL;
	else
		sink_begin(&p.sink, NEED_ALL, &c.read);
	/* What is written is not what was read. */
	c.read.streams_pass = false;
	p.slice = c.read.slice;
	c.read.slice = NULL;
	c.read.head_done = end;
	c.read.head_arg = &p;
	p.clocks = o.clocks != NULL;
	c.read.own_temporaries = !o.by_end;
	status = trace_each(&c.read, argv + optind, (size_t)(argc - optind),
			    &(struct consumer){.batch = take, .end = end, .arg = &p});
	match_free(p.match);
	return sink_close(&p.sink, status);
}
