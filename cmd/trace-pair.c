/* trace-pair - make one event of what begins and what ends */
#include <string.h>

#include "base/die.h"
#include "cli/cli_formats.h"
#include "cli/opt.h"
#include "view/field.h"
#include "input/trace.h"
#include "output/sink.h"
#include "pair/pair.h"

static struct pair_options settings;

static const char *
match_word(size_t i)
{
	return i == 0 ? "stack" : i == 1 ? "queue" : NULL;
}

/* Adds an argument of --begin, --end or --name. */
static const char *
pair_add(void *to, const char *text)
{
	struct pair_texts *texts = to;

	if (texts->n == PAIR_RULES)
		opt_die("%s was given more than %d times",
			texts == &settings.begin ? "--begin"
			: texts == &settings.end ? "--end"
						 : "--name",
			PAIR_RULES);
	texts->v[texts->n++] = text;
	return NULL;
}

static const char *
match(void *to, const char *text)
{
	(void)to;
	settings.queue = !strcmp(text, match_word(1));
	if (!settings.queue && strcmp(text, match_word(0)) != 0)
		opt_die("--pairing must be stack or queue, not %s", text);
	return NULL;
}

static const struct opt opts[] = {
    {0, "begin", "EXPR", "events that begin something", .take = pair_add,
     .to = &settings.begin},
    {0, "end", "EXPR", "events that end it; the n-th with the n-th", .take = pair_add,
     .to = &settings.end},
    {'k', "key", "LIST", "fields that begin and end have in common: loc",
     .text = &settings.keys, .word = field_column_name, .list = true},
    {0, "pairing", "WHICH", "take the last begin, stack, or the oldest, queue",
     .take = match, .word = match_word},
    {0, "name", "NAME", "what the pairs are called", .take = pair_add,
     .to = &settings.name},
    {0, "self", NULL, "with self=: the time not covered by inner pairs",
     .flag = &settings.self},
    {0, "by-end", NULL, "in order of end, so that nothing waits", .flag = &settings.by_end},
    {0, "no-unpaired", NULL, "drop what has no partner", .flag = &settings.drop},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "make one event of what begins and what ends",
    .operands = "[FILE...]",
    .examples =
	{"trace-pair -b tasks | trace-stats -g event -a 'count(dur),mean(dur)'",
	 "trace-pair -b solver.meta | trace-stats -e 'MPI_I*' -g rank -a 'p99(dur)'"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .whole = "a begin and its end may be in different parts",
};

struct program_state {
	struct pairing *pairing;
	struct sink sink;
};

static bool
pair_take(void *arg, struct source *s, const struct batch *b)
{
	struct program_state *p = arg;

	pairing_take(p->pairing, s, b);
	return true;
}

static void
pair_end_input(void *arg, struct source *s)
{
	struct program_state *p = arg;

	pairing_end(p->pairing, s);
}

static void
pair_put(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
}

int
main(int argc, char **argv)
{
	struct program_state p;
	int status;

	opt_read(&program, argc, argv);
	if (settings.begin.n != settings.end.n)
		opt_die("%u --begin, but %u --end: give one --end for each --begin",
			settings.begin.n, settings.end.n);
	if (settings.name.n > 1 && settings.name.n != settings.begin.n)
		opt_die("%u --name for %u --begin: give one for all, or one for each",
			settings.name.n, settings.begin.n);
	/* The reader knows how states nest: for ovni, in channels. */
	common.read.states = !settings.begin.n;
	p.pairing =
	    pairing_new(&settings, &(struct pair_sink){pair_put, sink_end, &p.sink});
	sink_open(&p.sink, &common.write);
	sink_begin(&p.sink, pairing_need(p.pairing) | NEED_ORDER, &common.read);
	/* The output is not the stream that was read, so it cannot be passed on. */
	common.read.streams_pass = false;
	common.read.head_done = pair_end_input;
	common.read.head_arg = &p;
	common.read.own_temporaries = !settings.by_end;
	status = trace_each(
	    &common.read, common.path, common.n,
	    &(struct consumer){.batch = pair_take, .end = pair_end_input, .arg = &p});
	if (pairing_finish(p.pairing) != ST_OK)
		status = ST_TROUBLE;
	return sink_close(&p.sink, status);
}
