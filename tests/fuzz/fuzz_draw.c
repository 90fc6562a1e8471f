/*
 * fuzz_draw.c - events of a trace of any format as pictures, as the tables of a page, or merged.
 *
 * The first six bytes of the input choose a kind of picture, the page or a merge, and options: see
 * `byte`. The rest is the trace; of a merge, two, cut where a byte says. Every picture is drawn in
 * all ways. One that is counted in a partial, which is read back, must be the same bytes; and that
 * partial, written again, too. What a merge writes must be read back: as many events, in order of
 * time unless it said otherwise. Else it is an abort. Needs memory files (Linux).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "own_files.h"
#include "dies.h"
#include "drawn.h"
#include "cli/cli_formats.h"
#include "expr/filter.h"
#include "merge/merged.h"
#include "input/slice.h"
#include "output/sink.h"
#include "stream/binary.h"
#include "summary/summary.h"
#include "trace-plot/plot_partial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes before the trace. */
enum byte {
	B_WHAT, /* the kind, the page, or a merge */
	B_Y,	/* low digit: -y, --align; high digit: -g, --offset and --scale */
	B_SUM, /* bits 0, 1: -a, or the rest of a merge; 2, 3: -e; 4, 5: -k; 6: --hz; 7: --from, --to */
	B_AXES, /* bits 0 to 2: --log; 3 to 5: --linear; 6, 7: --theme; of a merge: --resort */
	B_LOOK, /* bits 0 to 2: --colours; 3: --size; 4, 5: --width; 6: UTF-8; 7: colours of a terminal */
	B_TIMES, /* 0 to 127: where a merge cuts; from 128 on: which times become others, see strange() */
	BYTES,
};

static uint8_t option[BYTES];

static unsigned
digit(enum byte b, unsigned shift, unsigned mask)
{
	return (unsigned)option[b] >> shift & mask;
}

#define PICK(list, i) ((list)[(i) % (sizeof(list) / sizeof *(list))])

/* Descriptors of memory files: the trace, the other one of a merge, and a partial. */
static int input[3];
static char path[3][32];

static bool refused_is_a_fault; /* it may not end the program */
static bool colours;		/* a terminal has them */

/* Ours, wherever the library calls it. */
int
isatty(int fd)
{
	(void)fd;
	return colours;
}

/* The one output: to memory. */
static struct out out;

static struct out *
out_to(struct buf *to)
{
	out.p = out.buf;
	out.memory = to;
	out.tty = false;
	to->n = 0;
	return &out;
}

static void
fill(int i, const uint8_t *p, size_t n)
{
	if (ftruncate(input[i], 0) < 0 || pwrite(input[i], p, n, 0) != (ssize_t)n)
		abort();
}

/* The trace p[0..n) to input i, with some of its times and durations as far off as they can be. */
static void
strange(int i, const uint8_t *p, size_t n)
{
	static const int64_t end[] = {INT64_MAX,     INT64_MIN,	    -1, 0,
				      INT64_MAX - 1, INT64_MIN + 1, 1,	INT64_MAX / 2};
	const struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .quiet = true};
	struct batch *b = xcalloc(1, sizeof *b);
	struct binary_writer w = {0};
	struct buf made = {0};
	unsigned at = option[B_TIMES];
	struct source s;

	if (!source_memory(&s, &opt, "fuzz", p, n)) {
		fill(i, p, n);
		free(b);
		return;
	}
	w.out = out_to(&made);
	while (source_next(&s, b)) {
		for (uint32_t k = 0; k < b->n; k++) {
			struct rec *r = (struct rec *)(uintptr_t)batch_rec(b, k);

			at = at * 5 + 3;
			if (!(at & 0x40))
				r->time = PICK(end, at >> 2);
			if (!(at & 0x180) && r->has & HAS_DUR)
				r->dur = PICK(end, at >> 9);
		}
		binary_put(&w, &s, b, NULL, b->n);
	}
	source_end(&s);
	binary_head(&w, &s);
	binary_finish(&w, 0, NULL);
	binary_free(&w);
	source_close(&s);
	buf_free(&b->own);
	free(b);
	out_flush(&out);
	fill(i, made.p, made.n);
	buf_free(&made);
}

static void
trace_to(int i, const uint8_t *p, size_t n)
{
	if (option[B_TIMES] & 0x80)
		strange(i, p, n);
	else
		fill(i, p, n);
}

/* How the trace is read. */
static struct read_options
read_how(struct time_slice *slice)
{
	static const char *const times[][2] = {
	    {"1", "2"}, {"0", NULL}, {NULL, "5"}, {"1970-01-01T00:00:01", NULL}};
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .hz = digit(B_SUM, 6, 1) ? 1000 : 0};
	const char *const *at = PICK(times, option[B_TIMES]);

	memset(slice, 0, sizeof *slice);
	if (!digit(B_SUM, 7, 1))
		return opt;
	if (at[0])
		slice_time(&slice->from, at[0]);
	if (at[1])
		slice_time(&slice->to, at[1]);
	opt.slice = slice;
	return opt;
}

static void
free_values(struct read_options *opt)
{
	while (opt->values) {
		struct format_values *v = opt->values;

		opt->values = v->next;
		free(v->options);
		free(v);
	}
}

/* Sets `to` to the letters in `of` whose bit is set. */
static void
axes(char to[4], const char *of, unsigned bits)
{
	unsigned n = 0;

	for (unsigned i = 0; of && of[i] && i < 3; i++)
		if (bits >> i & 1)
			to[n++] = of[i];
	to[n] = '\0';
}

static struct plot_options
plot_how(const struct plot_kind *kind)
{
	static const char *const y[] = {NULL,
					"size",
					"dur",
					"addr",
					"gap",
					"prev.time",
					"time - prev.time",
					"size / dur",
					"nth",
					"end",
					"loc",
					"event",
					"total.size",
					"x",
					"time",
					"0 - size"};
	static const char *const key[] = {
	    NULL,   "event",	 "loc", "size", "loc1", "addr // 4096",	       "prev.event",
	    "time", "dur",	 "x",	"\"\"", "nth",	"part(loc, \"/\", 1)", "file",
	    "end",  "size > 100"};
	static const char *const sum[] = {NULL, "sum(dur)", "sum(size)", "sum(size * 1G)"};
	static const char *const test[] = {NULL, "size > 100 or dur?", "prev.time < time",
					   "nth > 2"};
	static const char *const keys[] = {NULL, "event", "loc, event", "size"};
	static const unsigned size[][2] = {{0, 0}, {400, 200}};
	struct plot_options how = {
	    .title = digit(B_AXES, 0, 1) ? "<&\"'\x01>" : NULL,
	    .colours = digit(B_LOOK, 0, 7),
	    .theme = (enum svg_theme)(digit(B_AXES, 6, 3) % 3),
	    .w = PICK(size, digit(B_LOOK, 3, 1))[0],
	    .h = PICK(size, digit(B_LOOK, 3, 1))[1],
	    .test = PICK(test, digit(B_SUM, 2, 3)),
	    .keys = PICK(keys, digit(B_SUM, 4, 3)),
	};

	if (!kind)
		return how;
	how.y = PICK(y, digit(B_Y, 0, 15));
	how.key = kind->key ? PICK(key, digit(B_Y, 4, 15)) : NULL;
	how.sum = PICK(sum, digit(B_SUM, 0, 3));
	axes(how.log, kind->log, digit(B_AXES, 0, 7));
	axes(how.linear, kind->linear, digit(B_AXES, 3, 7));
	if (how.log[strcspn(how.log, how.linear)])
		how.log[0] = '\0';
	if (!kind->measures && !kind->lasts && !kind->rows)
		how.y = NULL;
	if (kind->read)
		how.test = how.sum = NULL;
	return how;
}

static unsigned
columns(void)
{
	static const unsigned n[] = {80, 40, 500, 41};

	return PICK(n, digit(B_LOOK, 4, 3));
}

/* Of a plot all that the program could print. */
struct drawn {
	struct buf svg, terminal, bins;
	bool any;
};

static void
draw(struct plot *p, struct drawn *to)
{
	to->any = plot_done(p);
	if (!to->any)
		return;
	plot_svg(p, out_to(&to->svg));
	out_flush(&out);
	well_formed(&to->svg);
	plot_terminal(p, out_to(&to->terminal), columns());
	out_flush(&out);
	plot_bins(p, TABLE_TABS, out_to(&to->bins));
	out_flush(&out);
}

static void
drawing_end(struct drawn *d)
{
	buf_free(&d->svg);
	buf_free(&d->terminal);
	buf_free(&d->bins);
}

static void
put_partial(struct plot *p, struct buf *to)
{
	plot_partial(p, out_to(to), ST_OK);
	out_flush(&out);
}

/* Reads the trace; or, where `how` says so, the partial. */
static void
count(struct plot *p, const struct plot_kind *kind, const struct plot_options *how)
{
	char *const paths[] = {path[how->merge ? 2 : 0]};
	struct plot_options mine = *how;
	struct time_slice slice;
	struct read_options opt = read_how(&slice);

	if (how->merge) {
		refused_is_a_fault = true;
		plot_merge_partials(p, kind, how, paths, 1);
		refused_is_a_fault = false;
		return;
	}
	mine.slice = opt.slice;
	plot_open(p, kind, &mine);
	plot_read(p, &opt, paths, 1);
	free_values(&opt);
}

/* As a partial, which is read back: to be written again, and to be drawn. */
static void
by_partial(struct plot *p, const struct plot_kind *kind, struct plot_options how,
	   const struct drawn *want)
{
	struct buf partial = {0}, again = {0};
	struct drawn got = {.any = false};

	how.partial = true;
	count(p, kind, &how);
	/* Of more names than are told apart another reading may keep others. */
	if (!plot_exact(p)) {
		plot_free(p);
		return;
	}
	put_partial(p, &partial);
	plot_free(p);
	fill(2, partial.p, partial.n);
	how.y = how.key = how.sum = how.test = how.keys = NULL;
	how.merge = true;
	count(p, kind, &how);
	put_partial(p, &again);
	sort_lines(&partial);
	sort_lines(&again);
	must_be_same("partial, written again", &partial, &again);
	draw(p, &got);
	plot_free(p);
	MUST(want->any == got.any);
	must_be_same("bins", &want->bins, &got.bins);
	must_be_same("terminal", &want->terminal, &got.terminal);
	must_be_same("SVG", &want->svg, &got.svg);
	buf_free(&partial);
	buf_free(&again);
	drawing_end(&got);
}

static void
picture(void *arg)
{
	static struct plot plot;
	struct drawn drawn = {.any = false};
	const struct plot_kind *kind = arg;
	struct plot_options how = plot_how(kind);

	doing = kind->name;
	MUST(!plot_refuses(kind, &how));
	count(&plot, kind, &how);
	draw(&plot, &drawn);
	plot_free(&plot);
	if (kind->each)
		by_partial(&plot, kind, how, &drawn);
	drawing_end(&drawn);
}

static void
show_page(void *arg)
{
	static struct query_result answer;
	struct buf html = {0};
	char *const paths[] = {path[0]};
	struct query q = {.report = true, .bits = SPEC_BITS, .empty = true};
	struct asker asker = {.test = "<&\"'\x01>",
			      .said = "-O\0x=\xff'",
			      .nsaid = digit(B_AXES, 3, 1) ? 8 : 0,
			      .paths = paths,
			      .n = 1};
	struct summary how = {.style = 'H', .asker = &asker};
	struct time_slice slice;
	struct read_options opt = read_how(&slice);

	(void)arg;
	doing = "page";
	out_to(&html);
	result_open(&answer, &q);
	result_read(&answer, &opt, paths, 1, NULL, NULL);
	summary_put(&answer, &out, &how);
	result_free(&answer);
	out_flush(&out);
	buf_free(&html);
	free_values(&opt);
}

/* What a merge gave. */
struct merging {
	struct sink sink;
	uint64_t events;
	struct merge_late late;
};

static bool
take(void *arg, struct source *s, const struct batch *b)
{
	struct merging *m = arg;

	m->events += b->n;
	sink_put(&m->sink, s, b, NULL, b->n);
	return true;
}

static void
take_end(void *arg, struct source *s)
{
	struct merging *m = arg;

	sink_end(&m->sink, s);
}

static bool
tally(void *arg, struct source *s, const struct batch *b)
{
	(void)s;
	*(uint64_t *)arg += b->n;
	return true;
}

static struct merge_settings
how_merged(struct merge_shift shift[2])
{
	static const char *const value[] = {
	    NULL, "0", "1", "-1", "1.5s", "9223372036s", "-9223372036s", "18446744073s"};
	static const uint64_t span[] = {0, 1, 1000000000, INT64_MAX};
	const char *offset = PICK(value, digit(B_Y, 4, 15)), *why;
	unsigned resort = option[B_AXES];
	struct merge_settings how = {
	    .is.each = trace_merged,
	    .align = (enum merge_align)(digit(B_Y, 0, 15) % 3),
	    .trace = digit(B_SUM, 0, 1),
	    .trace_loc = digit(B_SUM, 1, 1),
	    .scale_dur = digit(B_SUM, 2, 1),
	    .rescale = digit(B_SUM, 3, 1),
	    .direct = digit(B_SUM, 4, 1),
	    .records_set = resort & 1,
	    .records = resort >> 2,
	    .span_set = (resort & 3) == 2,
	    .in_ticks = resort & 4,
	    .span = PICK(span, resort >> 3),
	};

	if (offset) {
		shift[1].offset_set = true;
		MUST(num_parse(offset, strlen(offset), NUM_TYPED, &shift[1].offset, &why));
		how.shift = shift;
	}
	if (digit(B_LOOK, 0, 7)) {
		shift[0].scale_set = true;
		shift[0].scale = (struct num){.whole = 1u << digit(B_LOOK, 0, 7)};
		how.shift = shift;
	}
	return how;
}

/* The stream that a merge wrote: so many events. */
static void
read_back(const struct buf *b, const struct merging *m)
{
	const struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL, .only = &fmt_binary};
	struct batch *batch = xcalloc(1, sizeof *batch);
	uint64_t last = 0, n = 0;
	struct source s;

	MUST(source_memory(&s, &opt, "fuzz", b->p, b->n));
	while (source_next(&s, batch)) {
		n += batch->n;
		for (uint32_t i = 0; i < batch->n && !m->late.events; i++) {
			uint64_t key =
			    (uint64_t)batch_rec(batch, i)->time ^ time_flip(s.head.clock);

			MUST(key >= last);
			last = key;
		}
	}
	source_end(&s);
	MUST(n == m->events);
	source_close(&s);
	buf_free(&batch->own);
	free(batch);
}

static void
merge(void *arg)
{
	struct buf made = {0};
	char *const paths[] = {path[0], path[1]};
	struct merging m = {.sink.opt.form = &form_binary};
	struct merge_shift shift[2] = {{0}, {0}};
	struct merge_settings how = how_merged(shift);
	struct time_slice slice;
	struct read_options opt = read_how(&slice);
	uint64_t events = 0;
	int status;

	(void)arg;
	doing = "merge";
	out_memory(&m.sink.out, &made);
	sink_begin(&m.sink, NEED_ORDER, &opt);
	opt.separate = true;
	how.late = &m.late;
	opt.merge = &how.is;
	status = trace_each(&opt, paths, 2,
			    &(struct consumer){.batch = take, .end = take_end, .arg = &m});
	form_text.close(&m.sink);
	out_flush(&m.sink.out);
	out_memory_close(&m.sink.out);
	if (made.n)
		read_back(&made, &m);
	opt.merge = NULL;
	if (status == ST_OK && !opt.slice &&
	    trace_each(&opt, paths, 2,
		       &(struct consumer){.batch = tally, .arg = &events}) == ST_OK)
		MUST(events == m.events);
	buf_free(&made);
	free_values(&opt);
}

static void
begin(void)
{
	/* The page has messages, so they are made; of a run that goes well none is printed. */
	if (!getenv("FUZZ_SAY"))
		setvbuf(stderr, NULL, _IOFBF, 1 << 16);
	out_memory(&out, NULL);
	setenv("TERM", "xterm", 1);
	unsetenv("COLUMNS");
	unsetenv("NO_COLOR");
	for (int i = 0; i < 3; i++) {
		input[i] = memfd_create("in", 0);
		if (input[i] < 0)
			abort();
		snprintf(path[i], sizeof path[i], "/proc/self/fd/%d", input[i]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static size_t nkinds;
	size_t cut, what;
	bool survived;

	if (!nkinds) {
		begin();
		while (kinds[nkinds])
			nkinds++;
	}
	if (size < BYTES)
		return 0;
	memcpy(option, data, BYTES);
	data += BYTES;
	size -= BYTES;
	setenv("LC_ALL", digit(B_LOOK, 6, 1) ? "C.UTF-8" : "C", 1);
	colours = digit(B_LOOK, 7, 1);
	refused_is_a_fault = false;
	what = option[B_WHAT] % (nkinds + 2);
	cut = what > nkinds ? size * (option[B_TIMES] & 0x7f) / 0x7f : size;
	trace_to(0, data, cut);
	if (cut < size)
		trace_to(1, data + cut, size - cut);
	else
		fill(1, data, 0);
	if (what < nkinds)
		survived = survives(picture, (void *)(uintptr_t)kinds[what]);
	else
		survived = survives(what == nkinds ? show_page : merge, NULL);
	if (!survived) {
		MUST(!refused_is_a_fault);
		for (int fd = input[2] + 1; fd < input[2] + 16; fd++)
			close(fd);
	}
	__fpurge(stderr);
	return 0;
}
