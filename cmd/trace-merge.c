/* trace-merge - merge traces into one, in order of time */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/merging.h"
#include "cli/opt.h"
#include "expr/filter.h"
#include "input/lateness.h"
#include "output/sink.h"
#include "pair/same.h"

enum {
	O_OFFSET = OPT_LONG,
	O_SCALE,
	O_SCALE_DUR,
	O_ALIGN,
	O_ALIGN_EVENT,
	O_MATCH,
	O_CHECK,
	O_RESORT,
	O_TRACE,
	O_TRACE_LOC,
	O_BLOCK,
};

static const struct opt opts[] = {
    {O_OFFSET, "offset", "FILE=TIME", "add to every time of FILE, or of the N-th: @N",
     "check"},
    {O_SCALE, "scale", "FILE=X", "multiply its times since its first event", "check"},
    {O_SCALE_DUR, "scale-dur", NULL, "scale durations, too", "check"},
    {O_ALIGN, "align", "HOW", "first, origin or none: what times count from", "check"},
    {O_ALIGN_EVENT, "align-event", "EXPR", "each input's first such event is at 0",
     "check align"},
    {O_MATCH, "match", "KEY", "clocks put right by events that inputs share",
     "check align-event offset scale"},
    {O_RESORT, "resort", "TIME|N|auto", "the resort window of each input", "check"},
    {O_TRACE, "trace", NULL, "with trace=: the name of the input", "check"},
    {O_TRACE_LOC, "trace-loc", NULL, "that name before loc", "check"},
    {O_BLOCK, "block", NULL, "let addr count the same blocks in all inputs", "check"},
    {'l', "files", "LIST", "names of more inputs, from a file or -", NULL},
    {O_CHECK, "check", NULL, "only tell which inputs are not in order", "t b H A chunk"},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct opt_words words[] = {
    {O_ALIGN, false, merging_align_word},
    {0},
};

static const struct program program = {
    .about = "merge traces into one, in order of time",
    .operands = "[FILE...]",
    .examples = {"trace-merge --align first Financial1.spc WebSearch2.spc",
		 "trace-merge -b --offset @2=1s solver-000[01].bin | trace-stats"},
    .opts = opts,
    .words = words,
    .reads = true,
    .writes = true,
    .whole = "a merge needs all inputs whole",
};

/* What was said of one input, until its number is known. */
struct said {
	const char *text; /* FILE=VALUE */
	bool scale;
};

struct work {
	struct merge_options how;
	struct said *said;
	size_t nsaid, saidcap;
	const char **path;
	size_t n, cap;
	struct merge_shift *shift;
	struct expr *zero;
	const char *match; /* --match */
	struct sink sink;
};

static void
say(struct work *w, const char *text, bool scale)
{
	*PUSH(w->said, w->nsaid, w->saidcap) = (struct said){text, scale};
}

static void
add_path(void *arg, const char *path)
{
	struct work *w = arg;

	GROW(w->path, w->cap, w->n + 2);
	w->path[w->n++] = path;
}

static void
read_options(struct common *c, struct work *w, int argc, char **argv, bool *check)
{
	const char *list = NULL;
	int o;

	while ((o = opt_next(&program, c, argc, argv)) != -1) {
		switch (o) {
		case O_OFFSET: say(w, optarg, false); break;
		case O_SCALE: say(w, optarg, true); break;
		case O_SCALE_DUR: w->how.scale_dur = true; break;
		case O_ALIGN: merging_align(&w->how, optarg); break;
		case O_ALIGN_EVENT: w->zero = expr_parse(optarg); break;
		case O_MATCH: w->match = optarg; break;
		case O_RESORT: merging_resort(&w->how, optarg); break;
		case O_TRACE: w->how.trace = true; break;
		case O_TRACE_LOC: w->how.trace_loc = true; break;
		case O_BLOCK: w->how.rescale = true; break;
		case 'l':
			if (list)
				opt_die("only one -l can be");
			list = optarg;
			break;
		case O_CHECK: *check = true; break;
		}
	}
	for (int i = optind; i < argc; i++)
		add_path(w, argv[i]);
	if (list)
		merging_list(list, add_path, w);
	if (w->match && w->n < 2)
		opt_die("--match is of two inputs or more");
	if (list && !w->n)
		die("%s: it names no input", list);
	if (!w->n)
		add_path(w, "-");
	w->shift = xcalloc(w->n, sizeof *w->shift);
	for (size_t i = 0; i < w->nsaid; i++)
		merging_shift(w->shift, w->path, w->n, w->said[i].text, w->said[i].scale);
	w->how.shift = w->nsaid || w->match ? w->shift : NULL;
}

static bool
put(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
	return true;
}

/* --align-event. */
static uint32_t
zero(void *arg, struct source *s, const struct batch *b)
{
	struct work *w = arg;
	uint32_t pick[BATCH], n = expr_run(w->zero, s, b, pick);

	if (expr_refused(w->zero))
		die("%s: --align-event cannot be asked of its clock without --hz", s->name);
	return n ? pick[0] : b->n;
}

int
main(int argc, char **argv)
{
	static struct common c;
	struct work w = {.how = {.align = ALIGN_ORIGIN}};
	bool check = false;
	int status;

	prog_start(argv[0]);
	read_options(&c, &w, argc, argv, &check);
	c.read.apart = w.n > 1;
	sink_open(&w.sink, &c.write);
	if (check) {
		status = lateness_tell(&c.read, (char *const *)(uintptr_t)w.path, w.n);
	} else {
		sink_begin(&w.sink, NEED_ORDER, &c.read);
		if (w.zero) {
			w.how.zero = zero;
			w.how.zero_arg = &w;
			w.how.zero_need = expr_need(w.zero);
		}
		if (w.match)
			same_clocks(&c.read, w.match, w.how.align, w.path, w.n, w.shift);
		c.read.merge = &w.how;
		status = trace_each(
		    &c.read, (char *const *)(uintptr_t)w.path, w.n,
		    &(struct consumer){.batch = put, .end = sink_end, .arg = &w.sink});
		if (expr_finish(w.zero, false) != ST_OK)
			status = ST_TROUBLE;
	}
	status = sink_close(&w.sink, status);
	expr_free(w.zero);
	free(w.said);
	free(w.shift);
	free(w.path);
	return status;
}
