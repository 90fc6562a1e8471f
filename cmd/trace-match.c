/* trace-match - which MPI message met which receive, and who waited for whom */
#include "cli/opt.h"
#include "input/slice.h"
#include "input/trace.h"
#include "match/match.h"
#include "merge/merged.h"
#include "output/sink.h"

static struct match_options settings;
static bool clocks; /* --clocks: no events are written */

static const struct opt opts[] = {
    {0, "left", NULL, "what has no partner, and what is odd", .flag = &settings.left},
    {0, "clocks", NULL, "how far clocks of hosts are apart, for trace-merge",
     "left eager by-end t b H A from to", .flag = &clocks},
    {0, "critical", NULL, "the calls and messages that determine the end",
     "left clocks by-end", .flag = &settings.critical},
    {0, "eager", "BYTES", "sends of more wait for their receive", .number = &settings.limit,
     .most = UINT64_MAX},
    {0, "by-end", NULL, "in order of end, so that nothing waits", .flag = &settings.by_end},
    OPT_BY_TIME_ROW,
    {0},
};

static const struct program program = {
    .about = "which MPI message met which receive, and who waited for whom",
    .operands = "[FILE...]",
    .examples = {"trace-match solver.meta | trace-stats -g loc -a 'sum(late_sender)'",
		 "trace-match --clocks solver-000?.bin"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .whole = "a send and its receive may be in different parts",
};

static struct match *match;
static struct sink sink;
static const struct time_slice *slice; /* --from and --to, which apply to the output */

static bool
match_batch(void *arg, struct source *s, const struct batch *b)
{
	(void)arg;
	match_take(match, s, b);
	return true;
}

static void
match_end_input(void *arg, struct source *s)
{
	(void)arg;
	match_end(match, s);
}

static void
put(void *arg, struct source *s, const struct batch *b)
{
	uint32_t room[BATCH], n = b->n;
	const uint32_t *pick = NULL;

	(void)arg;
	if (slice)
		n = slice_pick(s, slice, b, room, &pick, n);
	sink_put(&sink, s, b, pick, n);
}

static void
end_put(void *arg, struct source *s)
{
	(void)arg;
	if (!clocks)
		sink_end(&sink, s);
}

int
main(int argc, char **argv)
{
	int status, runs = 0;

	opt_read(&program, argc, argv);
	/* With --by-time, the ranks of two runs would be taken for the ranks of one run. */
	for (size_t i = 0; i < common.n; i++)
		if (names_others(&common.read, common.path[i]) && runs++)
			opt_die("%s is a second run: match each run alone", common.path[i]);
	settings.eager = opt_any("eager") != NULL;
	settings.clocks = clocks ? &sink.out : NULL;
	match = match_new(&settings, &(struct pair_sink){put, end_put, NULL});
	sink_open(&sink, &common.write);
	if (clocks)
		common.read.need = NEED_ALL;
	else
		sink_begin(&sink, NEED_ALL, &common.read);
	/* The output is not the stream that was read, so it cannot be passed on. */
	common.read.streams_pass = false;
	common.read.head_done = match_end_input;
	common.read.own_temporaries = !settings.by_end;
	inputs_last_time(&common.read, common.path, common.n);
	slice = common.read.slice;
	common.read.slice = NULL;
	status =
	    trace_each(&common.read, common.path, common.n,
		       &(struct consumer){.batch = match_batch, .end = match_end_input});
	match_free(match);
	return sink_close(&sink, status);
}
