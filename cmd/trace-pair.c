/* trace-pair - make one event of what begins and what ends */
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/formats.h"
#include "cli/opt.h"
#include "event/field.h"
#include "input/trace.h"
#include "output/sink.h"
#include "pair/pair.h"

enum {
	O_BEGIN = OPT_LONG,
	O_END,
	O_NAME,
	O_MATCH,
	O_SELF,
	O_BY_END,
	O_NO_UNPAIRED,
};

static const struct opt opts[] = {
    {O_BEGIN, "begin", "EXPR", "events that begin something", NULL},
    {O_END, "end", "EXPR", "events that end it; the n-th with the n-th", NULL},
    {'k', "key", "LIST", "fields that begin and end have in common: loc", NULL},
    {O_MATCH, "match", "WHICH", "take the last begin, stack, or the oldest, queue", NULL},
    {O_NAME, "name", "NAME", "what the pairs are called", NULL},
    {O_SELF, "self", NULL, "with self=: the time not covered by inner pairs", NULL},
    {O_BY_END, "by-end", NULL, "in order of end, so that nothing waits", NULL},
    {O_NO_UNPAIRED, "no-unpaired", NULL, "drop what has no partner", NULL},
    OPT_UNORDERED_ROW,
    {0},
};

static const char *
which(size_t i)
{
	static const char *const words[] = {"stack", "queue"};

	return i < 2 ? words[i] : NULL;
}

static const struct opt_words words[] = {
    {'k', true, field_column_name},
    {O_MATCH, false, which},
    {0},
};

static const struct program program = {
    .about = "make one event of what begins and what ends",
    .operands = "[FILE...]",
    .examples =
	{"trace-pair -b tasks | trace-stats -g event -a 'count(dur),mean(dur)'",
	 "trace-pair -b solver.meta | trace-stats -e 'MPI_I*' -g rank -a 'p99(dur)'"},
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
    .whole = "a begin and its end may be in different parts",
};

struct program_state {
	struct pairing *pairing;
	struct sink sink;
};

static bool
take(void *arg, struct source *s, const struct batch *b)
{
	struct program_state *p = arg;

	pairing_take(p->pairing, s, b);
	return true;
}

static void
end(void *arg, struct source *s)
{
	struct program_state *p = arg;

	pairing_end(p->pairing, s);
}

static void
put(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
}

/* Adds an argument of an option that may be repeated. */
static void
add(const char *v[PAIR_RULES], unsigned *n, const char *what)
{
	if (*n == PAIR_RULES)
		opt_die("%s: more than %d", what, PAIR_RULES);
	v[(*n)++] = optarg;
}

static void
read_options(struct common *c, struct pair_options *p, int argc, char **argv)
{
	int o;

	while ((o = opt_next(&program, c, argc, argv)) != -1) {
		switch (o) {
		case O_BEGIN: add(p->begin, &p->nbegin, "--begin"); break;
		case O_END: add(p->end, &p->nend, "--end"); break;
		case O_NAME: add(p->name, &p->nnames, "--name"); break;
		case 'k': p->keys = optarg; break;
		case O_MATCH:
			p->queue = !strcmp(optarg, which(1));
			if (!p->queue && strcmp(optarg, which(0)) != 0)
				opt_die("--match is stack or queue: %s", optarg);
			break;
		case O_SELF: p->self = true; break;
		case O_BY_END: p->by_end = true; break;
		case O_NO_UNPAIRED: p->drop = true; break;
		}
	}
	if (p->nbegin != p->nend)
		opt_die(
		    "%u --begin, but %u --end: the first goes with the first, and so on",
		    p->nbegin, p->nend);
	if (p->nnames > 1 && p->nnames != p->nbegin)
		opt_die("%u --name for %u --begin: one for all, or one for each", p->nnames,
			p->nbegin);
}

int
main(int argc, char **argv)
{
	static struct common c;
	struct pair_options o = {0};
	struct program_state p;
	int status;

	prog_start(argv[0]);
	read_options(&c, &o, argc, argv);
	/* States nest as their reader knows: of ovni in channels. */
	c.read.states = !o.nbegin;
	p.pairing = pairing_new(&o, &(struct pair_sink){put, sink_end, &p.sink});
	sink_open(&p.sink, &c.write);
	sink_begin(&p.sink, pairing_need(p.pairing) | NEED_ORDER, &c.read);
	/* What is written is not what was read. */
	c.read.streams_pass = false;
	c.read.head_done = end;
	c.read.head_arg = &p;
	c.read.own_temporaries = !o.by_end;
	status = trace_each(&c.read, argv + optind, (size_t)(argc - optind),
			    &(struct consumer){.batch = take, .end = end, .arg = &p});
	if (pairing_finish(p.pairing) != ST_OK)
		status = ST_TROUBLE;
	return sink_close(&p.sink, status);
}
