/* trace-merge - merge traces into one, in order of time */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-merge/merging.h"
#include "cli/opt.h"
#include "view/field.h"
#include "expr/filter.h"
#include "merge/lateness.h"
#include "output/sink.h"
#include "trace-merge/same.h"

/* An option for one input, kept until the input's number is known. */
struct input_option {
	const char *text; /* FILE=VALUE */
	bool scale;
};

static struct merge_run {
	struct merge_settings settings;
	struct merge_late late;
	struct input_option *said;
	size_t nsaid, saidcap;
	const char **list; /* arguments of --files */
	size_t nlist, listcap;
	const char **path;
	size_t n, cap;
	struct merge_shift *shift;
	struct expr *zero;
	struct sink sink;
} w = {.settings = {.is.each = trace_merged, .align = ALIGN_ORIGIN, .late = &w.late}};
static const char *key; /* argument of --match */
static const char *align_event;
static bool check;

/* Notes the argument of --scale, or of --offset if `scale` is NULL. */
static const char *
shift(void *scale, const char *text)
{
	*PUSH(w.said, w.nsaid, w.saidcap) = (struct input_option){text, scale != NULL};
	return NULL;
}

static const char *
files(void *to, const char *text)
{
	(void)to;
	*PUSH(w.list, w.nlist, w.listcap) = text;
	return NULL;
}

static const struct opt opts[] = {
    {0, "offset", "FILE=TIME", "add to every time of FILE, or of the N-th: @N", "check",
     .take = shift},
    {0, "scale", "FILE=X", "multiply its times since its first event", "check",
     .take = shift, .to = &w},
    {0, "scale-dur", NULL, "scale durations, too", "check", .flag = &w.settings.scale_dur},
    {0, "align", "HOW", "what times count from", "check", .take = merging_align,
     .to = &w.settings, .word = merging_align_word},
    {0, "align-event", "EXPR", "each input's first such event is at 0",
     "check align align-event", .text = &align_event},
    {0, "match", "KEY", "clocks put right by events that inputs share",
     "check align-event offset scale", .text = &key, .word = field_column_name,
     .list = true},
    {0, "resort", "TIME|N|auto", "the resort window of each input", "check",
     .take = merging_resort, .to = &w.settings},
    {0, "trace", NULL, "with trace=: the name of the input", "check",
     .flag = &w.settings.trace},
    {0, "trace-loc", NULL, "that name before loc", "check", .flag = &w.settings.trace_loc},
    {0, "addr-unit", "SIZE", "what addr counts where the input does not say", "check",
     .number = &w.settings.unit, .least = 1, .most = 1u << 30},
    {0, "same-unit", NULL, "let addr count the same blocks in all inputs", "check",
     .flag = &w.settings.rescale},
    {'l', "files", "LIST", "names of more inputs, from a file or -", .take = files},
    {0, "check", NULL, "only tell which inputs are not in order", "t b H A chunk",
     .flag = &check},
    OPT_UNORDERED_ROW,
    {0},
};

static const struct program program = {
    .about = "merge traces into one, in order of time",
    .operands = "[FILE...]",
    .examples = {"trace-merge --align first Financial1.spc WebSearch2.spc",
		 "trace-merge -b --offset @2=1s solver-000[01].bin | trace-stats"},
    .opts = opts,
    .reads = true,
    .writes = output_opts,
    .whole = "a merge needs all inputs whole",
};

static void
add_path(void *arg, const char *path)
{
	(void)arg;
	GROW(w.path, w.cap, w.n + 2);
	w.path[w.n++] = path;
}

/* Makes the list of inputs, and sets their shifts. */
static void
find_inputs(void)
{
	for (size_t i = 0; i < common.n; i++)
		add_path(NULL, common.path[i]);
	for (size_t i = 0; i < w.nlist; i++)
		merging_list(w.list[i], add_path, NULL);
	if (key && w.n < 2)
		opt_die("--match needs two inputs or more");
	if (w.nlist && !w.n)
		die("%s: the list names no input", *w.list);
	if (!w.n)
		add_path(NULL, "-");
	w.shift = xcalloc(w.n, sizeof *w.shift);
	for (size_t i = 0; i < w.nsaid; i++)
		merging_shift(w.shift, w.path, w.n, w.said[i].text, w.said[i].scale);
	w.settings.shift = w.nsaid || key ? w.shift : NULL;
}

static bool
merge_put(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
	return true;
}

/* Ends the output. If the stream has a header, first writes a line about events that came too late. */
static void
merge_end(void *sink, struct source *s)
{
	struct sink *k = sink;
	char most[32], line[96];

	if (w.late.events && sink_has_header(k)) {
		lateness_text(most, s->head.clock, w.late.by);
		snprintf(line, sizeof line, "##late\tevents=%llu\tmost=%s\n",
			 (unsigned long long)w.late.events, most);
		out_str(&k->out, line);
	}
	sink_end(k, s);
}

/* Returns the number of the first event in b for which --align-event is true, or b->n. */
static uint32_t
zero(struct source *s, const struct batch *b)
{
	uint32_t pick[BATCH], n = expr_run(w.zero, s, b, pick);

	if (expr_type_wrong(w.zero))
		die("%s: --align-event needs --hz for a clock of ticks", s->name);
	return n ? pick[0] : b->n;
}

static int
merge(void)
{
	char *const *paths = (char *const *)(uintptr_t)w.path;
	struct consumer to = {.batch = merge_put, .end = merge_end, .arg = &w.sink};
	int status;

	sink_begin(&w.sink, NEED_ORDER | (common.read.labels ? NEED_INPUT : 0),
		   &common.read);
	if (w.zero) {
		w.settings.zero = zero;
		w.settings.zero_need = expr_need(w.zero);
	}
	if (key)
		same_clocks(&common.read, key, w.settings.align, w.path, w.n, w.shift);
	common.read.merge = &w.settings.is;
	status = trace_each(&common.read, paths, w.n, &to);
	return expr_finish(w.zero, false) != ST_OK ? ST_TROUBLE : status;
}

int
main(int argc, char **argv)
{
	int status;

	opt_read(&program, argc, argv);
	w.zero = align_event ? expr_parse(align_event) : NULL;
	find_inputs();
	common.read.separate = w.n > 1;
	sink_open(&w.sink, &common.write);
	status = check ? lateness_tell(&common.read, (char *const *)(uintptr_t)w.path, w.n)
		       : merge();
	status = sink_close(&w.sink, status);
	expr_free(w.zero);
	free(w.said);
	free(w.list);
	free(w.shift);
	free(w.path);
	return status;
}
