/* trace.c - reads all inputs of a command line, one after the other. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/follow.h"
#include "input/chunk.h"
#include "input/slice.h"
#include "input/sniff.h"
#include "input/trace.h"
#include "input/threads.h"

/* The state of reading all inputs of a command line. */
struct trace {
	struct read_options opt;
	const char *const *paths;
	size_t npaths, at;
	struct source src; /* current input */
	bool open, trouble;
	uint64_t events, bytes; /* of inputs that ended */
	const struct consumer *to;
};

/* Returns the format of one of several paths, without messages. Returns NULL, or the decoder's format, if only
 * reading can show it. */
static const struct format *
path_format(const struct read_options *opt, const char *path)
{
	struct read_options quiet = *opt;
	struct source s = {.opt = &quiet, .name = path, .in.fd = -1};
	const struct format *f;
	struct stat st;

	quiet.quiet = true;
	if (opt->only)
		return opt->only;
	if (stat(path, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return opt->expect;
	f = format_find(&s, path);
	if (s.in.buf)
		in_close(&s.in);
	return f;
}

/* Dies if a part of the paths would end between two paths that are one trace. */
static void
check_share(const struct read_options *opt, const char *const *paths, size_t n, size_t at)
{
	const struct format *f, *next;

	if (at == 0 || at == n)
		return;
	f = path_format(opt, paths[at - 1]);
	next = path_format(opt, paths[at]);
	if (f && (!next || next == f) && format_joins(f, paths[at - 1], paths[at], opt))
		die("%s: --chunk: files of the format %s are one trace, which cannot be "
		    "cut into parts: name its %s",
		    paths[at], f->name,
		    format_inputs(f)->index ? format_inputs(f)->index : "directory");
}

static void
open_trace(struct trace *t, const struct read_options *opt, char *const *paths, size_t n)
{
	static const char *const standard_input[] = {"-"};

	t->opt = *opt;
	t->paths = n ? (const char *const *)paths : standard_input;
	t->npaths = n ? n : 1;
	inputs_name(&t->opt, t->paths, t->npaths);
	if (opt->chunks && n > 1) {
		/* A part of several inputs consists of whole inputs. */
		size_t from = (size_t)chunk_share(n, opt->chunk - 1, opt->chunks);
		size_t to = (size_t)chunk_share(n, opt->chunk, opt->chunks);

		check_share(opt, t->paths, n, from);
		check_share(opt, t->paths, n, to);
		t->paths += from;
		t->npaths = to - from;
		t->opt.chunks = 0;
	}
	if (opt->follow && n > 1)
		die("--follow reads a single file: %zu are given", n);
	if (opt->follow)
		follow_start();
	inputs_begin(&t->opt, t->paths, t->npaths);
}

/* Opens the next input that can be opened, and reports the others. Returns false after the last. */
static bool
open_source(struct trace *t)
{
	while (t->at < t->npaths) {
		struct source *s = &t->src;
		const char *path = t->paths[t->at];
		bool opened;

		if (t->opt.follow && strcmp(path, "-") != 0 && !follow_appears(path))
			return false;
		opened = source_open(s, &t->opt, t->paths + t->at, t->npaths - t->at);

		if (opened && t->opt.follow && !s->in.buf)
			die("%s: --follow reads a single file, not a trace of several",
			    s->name);
		t->at += opened ? s->npaths : 1;
		if (opened) {
			s->count.bytes_before = t->bytes;
			s->count.events_before = t->events;
			return true;
		}
		t->trouble = true;
		if (t->opt.strict)
			t->at = t->npaths;
	}
	return false;
}

static void
end_source(struct trace *t)
{
	struct source *s = &t->src;

	source_end(s);
	if (t->to->end)
		t->to->end(t->to->arg, s);
	t->bytes += s->in.buf ? in_offset(&s->in, s->in.end) : 0;
	/* A new file has replaced this one: the name is opened again. */
	t->at -= s->in.replaced && !s->stop;
	source_close(s);
	t->trouble |= s->trouble;
	t->events += s->count.events;
	if (t->opt.strict && s->stop)
		t->at = t->npaths;
}

/* Reads the rest by threads, if the consumer has threads. Returns false if no more events are wanted. */
static bool
by_threads(struct source *s, const struct consumer *to, struct batch *b)
{
	return !to->threads || to->threads->read(s, to, b);
}

struct trace_end {
	uint64_t end; /* 0 = no event was read yet */
	enum clock clock;
};

/* Notes the greatest time of an input, or of one of several streams in the input. */
static void
note_input(void *arg, struct source *s)
{
	struct trace_end *f = arg;

	if (!s->slice.last)
		return;
	if (f->end && f->clock != s->head.clock)
		die("%s: previous inputs have another clock: end-TIME needs a single clock "
		    "(--hz)",
		    s->name);
	f->clock = s->head.clock;
	f->end = s->slice.last > f->end ? s->slice.last : f->end;
	s->slice.last = 0;
}

/* Accepts a batch. The slice of inputs_last_time leaves only events of the greatest possible time in it. */
static bool
accept_batch(void *arg, struct source *s, const struct batch *b)
{
	(void)arg;
	(void)s;
	(void)b;
	return true;
}

void
inputs_last_time(const struct read_options *opt, char *const *paths, size_t n)
{
	struct time_slice *slice = opt->slice, last = {.last = true};
	struct read_options quiet = *opt;
	struct trace_end f = {0};
	off_t at = lseek(0, 0, SEEK_CUR);
	struct stat st;

	if (!slice || slice->ended || !(slice->from.back || slice->to.back))
		return;
	if (opt->follow)
		die("--follow: a file that grows has no end yet, which end-TIME needs");
	for (size_t i = 0; i < n || !i; i++) {
		bool in = !n || !strcmp(paths[i], "-");

		if (in ? at < 0
		       : stat(paths[i], &st) == 0 && !S_ISREG(st.st_mode) &&
			     !S_ISDIR(st.st_mode) && strcmp(paths[i], "/dev/null") != 0)
			die("%s: end-TIME reads inputs twice: write this one to a file",
			    in ? "<stdin>" : paths[i]);
	}
	slice->ended = true;
	quiet.slice = &last;
	quiet.quiet = true;
	quiet.strict = false;
	quiet.states = false;
	quiet.streams_pass = false;
	quiet.chunks = 0;
	quiet.need = NEED_TIME;
	quiet.need_of = NULL;
	quiet.head_done = note_input;
	quiet.head_arg = &f;
	quiet.rereads = 2 * opt->rereads + 1;
	trace_each(&quiet, paths, n,
		   &(struct consumer){.batch = accept_batch, .end = note_input, .arg = &f});
	slice->from.end = slice->to.end = f.end;
	lseek(0, at, SEEK_SET);
}

int
trace_each(const struct read_options *opt, char *const *paths, size_t n,
	   const struct consumer *to)
{
	struct batch *b;
	struct trace t = {.to = to};
	bool more = true;

	inputs_last_time(opt, paths, n);
	if (opt->merge)
		return opt->merge->each(opt, paths, n, to);
	b = xcalloc(1, sizeof *b);
	open_trace(&t, opt, paths, n);
	while (more && open_source(&t)) {
		if (!to->batch)
			more = by_threads(&t.src, to, b);
		if (to->whole && !(to->threads && t.src.stop))
			to->whole(to->arg, &t.src);
		source_progress(&t.src);
		for (bool first = true; to->batch && more && source_next(&t.src, b);
		     first = false) {
			more = to->batch(to->arg, &t.src, b);
			source_progress(&t.src);
			if (first && more)
				more = by_threads(&t.src, to, b);
		}
		t.src.stop |= !more;
		end_source(&t);
	}
	buf_free(&b->own);
	free(b);
	/* An option may be meant for an input that was not opened. Check only if all inputs were opened. */
	if (more && t.npaths >= n)
		format_unused(opt);
	return t.trouble ? ST_TROUBLE : ST_OK;
}
