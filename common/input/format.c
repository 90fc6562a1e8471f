/* format.c - the way from a path to batches of events. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sandbox.h"
#include "input/chunk.h"
#include "input/format.h"

#define MESSAGES 10
/* A format must be recognised by its first bytes, this many at most. */
#define SNIFF_MOST (256 * 1024)
/* Magic numbers lie within so many bytes; what tells binary formats without one, within so
 * many; what tells formats of text, within so many lines (lines_first). */
#define SNIFF_MAGIC 16
#define SNIFF_BINARY (4 * 1024)
#define SNIFF_LINES 20
/* A magic number, or what the first line tells. */
#define SNIFF_SURE 70

const struct format *
format_named(const struct format *const *known, const char *name)
{
	for (; known && *known; known++)
		if (!strcmp((*known)->name, name))
			return *known;
	return NULL;
}

/* "FILE:LINE: " or "FILE: offset N: ". */
static void
say(const struct source *s, const char *name, uint64_t place, const char *text)
{
	if (s->fmt->text)
		warn("%s:%llu: %s", name, (unsigned long long)place, text);
	else
		warn("%s: offset %llu: %s", name, (unsigned long long)place, text);
}

static void
report(struct source *s, const char *name, uint64_t place, const char *fmt, va_list ap)
{
	char text[512];

	s->trouble = true;
	if (s->opt->strict)
		s->stop = true;
	vsnprintf(text, sizeof text, fmt, ap);
	place += s->fmt->text ? chunk_line(s) : 0;
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s%s%llu: %.80s", name,
			 s->fmt->text ? ":" : ": offset ", (unsigned long long)place, text);
	if (s->said++ < MESSAGES && !s->opt->quiet)
		say(s, name, place, text);
}

static void
trouble(struct source *s, const char *name, const char *fmt, va_list ap)
{
	char text[512];

	s->trouble = true;
	vsnprintf(text, sizeof text, fmt, ap);
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%s: %.80s", name, text);
	if (!s->opt->quiet)
		warn("%s: %s", name, text);
}

void
source_bad(struct source *s, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	s->lost++;
	va_start(ap, fmt);
	report(s, s->name, place, fmt, ap);
	va_end(ap);
}

void
source_bad_in(struct source *s, const char *name, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	s->lost++;
	va_start(ap, fmt);
	report(s, name, place, fmt, ap);
	va_end(ap);
}

void
source_note(struct source *s, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(s, s->name, place, fmt, ap);
	va_end(ap);
}

void
source_note_in(struct source *s, const char *name, uint64_t place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(s, name, place, fmt, ap);
	va_end(ap);
}

void
source_remark(struct source *s, uint64_t place, const char *text)
{
	if (s->opt->quiet)
		s->trouble = true;
	else
		say(s, s->name, place + chunk_line(s), text);
}

void
source_trouble(struct source *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trouble(s, s->name, fmt, ap);
	va_end(ap);
}

void
source_trouble_in(struct source *s, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trouble(s, name, fmt, ap);
	va_end(ap);
}

void
source_upstream(struct source *s, uint64_t lost, const char *reason, size_t n)
{
	char text[64];

	s->trouble = true;
	s->lost += lost;
	s->upstream += lost;
	if (!s->lost_where[0])
		snprintf(s->lost_where, sizeof s->lost_where, "%.*s",
			 (int)(n < sizeof s->lost_where ? n : sizeof s->lost_where),
			 reason);
	if (!s->opt->quiet)
		warn("%s: the producer of this stream had trouble (%llu event%s lost): %s",
		     s->name, (unsigned long long)lost, lost == 1 ? "" : "s",
		     quoted(text, reason, n));
}

/* What people feed by mistake, by its first bytes: what to say of it, or NULL. */
static const char *
foreign(const uint8_t *p, size_t n)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *hint;
	} known[] = {
	    {"\x1f\x8b", 2, "offset 0: it is compressed by gzip: zcat FILE | ..."},
	    {"\xfd"
	     "7zXZ",
	     5, "offset 0: it is compressed by xz: xzcat FILE | ..."},
	    {"\x28\xb5\x2f\xfd", 4,
	     "offset 0: it is compressed by zstd: zstdcat FILE | ..."},
	    {"BZh", 3, "offset 0: it is compressed by bzip2: bzcat FILE | ..."},
	    {"PK\x03\x04", 4, "offset 0: it is a zip archive"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (n >= known[i].n && !memcmp(p, known[i].magic, known[i].n))
			return known[i].hint;
	return NULL;
}

/* The surest of the formats for the first n bytes; 0 and NULL where none is. Where two are
 * equally sure, the earlier one wins. */
static const struct format *
surest(const struct format *const *known, const struct in *in, size_t n, bool whole,
       int *most)
{
	const struct format *best = NULL;

	*most = 0;
	for (; *known; known++) {
		int sure = (*known)->sniff ? (*known)->sniff(in->p, n, whole) : 0;

		if (sure > *most) {
			*most = sure;
			best = *known;
		}
	}
	return best;
}

/*
 * Looks at the first bytes as they become more, up to places that the bytes themselves
 * tell: so the answer does not hang on how many of them one read gave. It comes as soon as
 * it is sure, for live pipes: by a magic number, or by the first line.
 */
static const struct format *
sniff(const struct format *const *known, struct in *in)
{
	static const size_t place[] = {SNIFF_MAGIC, SNIFF_BINARY, SNIFF_MOST};
	size_t i = 0, seen = 0, lines = 0, stop, n;
	const struct format *f;
	int sure;

	while (i < sizeof place / sizeof *place) {
		const uint8_t *nl = NULL;

		stop = place[i] < in_left(in) ? place[i] : in_left(in);
		if (lines < SNIFF_LINES && seen < stop)
			nl = memchr(in->p + seen, '\n', stop - seen);
		seen = nl ? (size_t)(nl - in->p) + 1 : stop;
		/* At the very last place: whether more follow. */
		if (!nl && in_left(in) < place[i] + (place[i] == SNIFF_MOST)) {
			if (in_more(in))
				continue;
			return surest(known, in, in_left(in), true, &sure);
		}
		lines += nl != NULL;
		n = nl ? seen : place[i++];
		f = surest(known, in, n, false, &sure);
		if (sure >= SNIFF_SURE || n == SNIFF_MOST ||
		    (f && (f->text ? lines == SNIFF_LINES : n >= SNIFF_BINARY)))
			return f;
	}
	return NULL;
}

/* False, with a message, where a program that decodes one format is given another. */
static bool
expected(const struct source *s, const struct format *f)
{
	const struct format *expect = s->opt->expect;

	if (!expect || f == expect)
		return true;
	if (!s->opt->quiet)
		warn("%s: this is %s (%s), not %s", s->name, f->name, f->about,
		     expect->name);
	return false;
}

/* The format that takes the path itself, or NULL. */
static const struct format *
format_taking(const struct source *s, const char *path)
{
	const struct format *const only[] = {s->opt->only, NULL};
	const struct format *const *f = *only ? only : s->opt->known;

	for (; *f; f++)
		if ((*f)->takes && (*f)->takes(path, s->opt))
			return *f;
	return NULL;
}

/* What an input without a byte is: a text stream, or the first of the formats. */
static const struct format *
of_nothing(const struct format *const *known)
{
	for (size_t i = 0; known[i]; i++)
		if (known[i]->stream && known[i]->text)
			return known[i];
	return *known;
}

/* The input's format, s->in open unless that takes the path. NULL, with a message, where
 * there is none. */
static const struct format *
find_format(struct source *s, const char *path)
{
	const struct format *f = format_taking(s, path);
	const char *hint;

	if (f)
		return expected(s, f) ? f : NULL;
	if (!in_open(&s->in, path)) {
		if (!s->opt->quiet)
			warn("%s:", path);
		s->in.buf = NULL;
		return NULL;
	}
	s->name = s->in.name;
	if (s->opt->only)
		return s->opt->only;
	in_more(&s->in);
	if (s->in.err || (s->in.eof && in_left(&s->in) == 0)) /* it is of any format */
		return s->opt->expect ? s->opt->expect : of_nothing(s->opt->known);
	f = sniff(s->opt->known, &s->in);
	if (f)
		return expected(s, f) ? f : NULL;
	hint = foreign(s->in.p, in_left(&s->in));
	if (s->opt->expect && !hint)
		return s->opt->expect; /* broken as it may be */
	if (!s->opt->quiet)
		warn("%s: %s", s->name,
		     hint ? hint
			  : "its first bytes are of no format known here (-f FORMAT "
			    "overrides)");
	return NULL;
}

void
source_head_done(struct source *s)
{
	if (!s->opt->head_done)
		return;
	s->opt->head_done(s, s->opt->head_arg);
	s->lost_before = s->lost;
	s->lost_where[0] = '\0';
}

void
source_needs(struct source *s)
{
	if (s->opt->need_of)
		s->need |= s->opt->need_of(s->head.format);
	/* Who asks for it by name may have to be told which other arguments there are. */
	if (s->need & NEED_RECV && (!s->fmt->received || s->opt->need & NEED_RECV))
		s->need |= NEED_ARGS;
}

static void
source_begin(struct source *s)
{
	tables_reset(&s->t);
	snprintf(s->head.format, sizeof s->head.format, "%s", s->fmt->name);
	s->id = serial();
	s->heads = serial();
	s->end = UINT64_MAX;
	s->need =
	    s->fmt->stream && s->opt->streams_pass ? s->opt->need_stream : s->opt->need;
	source_needs(s);
	s->fmt->open(s);
}

bool
source_open(struct source *s, const struct read_options *opt, const char *const *paths,
	    size_t n)
{
	memset(s, 0, sizeof *s);
	s->in.fd = -1;
	s->opt = opt;
	s->name = paths[0];
	s->paths = paths;
	s->npaths = 1;
	s->fmt = find_format(s, paths[0]);
	if (!s->fmt) {
		if (s->in.buf)
			in_close(&s->in);
		return false;
	}
	if (s->fmt->many)
		s->npaths = n;
	source_begin(s);
	if (opt->chunks && !chunk_cut(s)) {
		source_close(s);
		return false;
	}
	return true;
}

bool
source_memory(struct source *s, const struct read_options *opt, const char *name,
	      const void *p, size_t n)
{
	memset(s, 0, sizeof *s);
	s->opt = opt;
	s->name = name;
	s->paths = &s->name;
	s->npaths = 1;
	in_memory(&s->in, name, p, n);
	s->fmt = opt->only ? opt->only : sniff(opt->known, &s->in);
	if (!s->fmt) {
		in_close(&s->in);
		return false;
	}
	source_begin(s);
	return true;
}

void
source_clock(struct source *s, enum clock clock)
{
	s->scale = s->opt->hz && clock == CLOCK_TICKS;
	s->head.clock = s->scale ? CLOCK_NS : clock;
}

/* t ticks in ns, or the greatest time. Seconds first, then the rest: rest * 10^9 fits while
 * hz is below 1.8e10. */
static int64_t
scaled(uint64_t t, uint64_t hz)
{
	uint64_t ns = t / hz * 1000000000 + t % hz * 1000000000 / hz;

	return t / hz > INT64_MAX / 1000000000 || ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

/* --hz: ticks become nanoseconds since the first event. */
static void
ticks_to_ns(struct source *s, struct batch *b)
{
	uint64_t hz = s->opt->hz;

	for (uint32_t i = 0; i < b->n; i++) {
		struct rec *r = (struct rec *)(uintptr_t)batch_rec(b, i);
		uint64_t t = (uint64_t)r->time;

		if (!s->scale_first_set) {
			s->scale_first = t;
			s->scale_first_set = true;
		}
		r->time = t < s->scale_first ? -scaled(s->scale_first - t, hz)
					     : scaled(t - s->scale_first, hz);
		r->dur = scaled((uint64_t)r->dur, hz);
	}
}

bool
source_next(struct source *s, struct batch *b)
{
	if (s->stop || !s->fmt->next(s, b))
		return false;
	s->events += b->n;
	if (s->scale)
		ticks_to_ns(s, b);
	return true;
}

void
source_end(struct source *s)
{
	uint64_t skipped;

	/* After an early stop the end was not looked for. */
	if (s->fmt->end && !s->in.err && !s->stop)
		s->fmt->end(s);
	if (s->in.err) {
		errno = s->in.err;
		source_trouble(s, "offset %llu: read: %s",
			       (unsigned long long)in_offset(&s->in, s->in.end),
			       strerror(s->in.err));
	}
	if (s->opt->quiet)
		return;
	if (s->said > MESSAGES)
		warn("%s: %u more such messages", s->name, s->said - MESSAGES);
	skipped = s->lost - s->upstream;
	if (skipped)
		warn("%s: %llu record%s skipped", s->name, (unsigned long long)skipped,
		     skipped == 1 ? "" : "s");
}

void
source_close(struct source *s)
{
	if (s->fmt->close)
		s->fmt->close(s);
	if (s->in.buf)
		in_close(&s->in);
	head_free(&s->head);
	arena_free(&s->meta);
	tables_free(&s->t);
}

/* How many temporary files the inputs may ask for. */
static unsigned
temporaries(const struct read_options *opt, const char *const *paths, size_t n)
{
	const struct format *f = opt->only ? opt->only : opt->expect;
	/* Of a regular file only if an option needs one. */
	unsigned most = 0, inputs = opt->own != NULL;
	struct stat st;

	if (f)
		most = f->temporaries;
	for (size_t i = 0; !f && opt->known[i]; i++)
		if (opt->known[i]->temporaries > most)
			most = opt->known[i]->temporaries;
	for (size_t i = 0; most && i < n; i++) {
		int got = strcmp(paths[i], "-") ? stat(paths[i], &st) : fstat(0, &st);

		inputs += got == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
	}
	return inputs * most;
}

void
inputs_begin(const struct read_options *opt, const char *const *paths, size_t n)
{
	progress_start();
	sandbox_enter(temporaries(opt, paths, n));
}

/* The format of one of several paths, without messages. NULL where only reading tells. */
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
	f = find_format(&s, path);
	if (s.in.buf)
		in_close(&s.in);
	return f;
}

/* Dies where a share of the paths would end between two that are one trace. */
static void
check_share(const struct read_options *opt, const char *const *paths, size_t n, size_t at)
{
	const struct format *f, *next;

	if (at == 0 || at == n)
		return;
	f = path_format(opt, paths[at - 1]);
	next = path_format(opt, paths[at]);
	if (f && f->many && (!next || next == f))
		die("%s: --chunk: files of the format %s are one trace, which cannot be "
		    "cut into parts",
		    paths[at], f->name);
}

void
progress_say(const struct trace *t)
{
	const struct source *s = &t->src;
	uint64_t bytes = t->bytes + (s->in.buf ? in_offset(&s->in, s->in.p) : 0);

	progress_due = 0;
	warn("%s: %llu MB read, %llu events", s->name,
	     (unsigned long long)(bytes / 1000000),
	     (unsigned long long)(t->events + s->events));
}

void
trace_open(struct trace *t, const struct read_options *opt, char *const *paths, size_t n)
{
	static const char *const standard_input[] = {"-"};

	memset(t, 0, sizeof *t);
	t->opt = *opt;
	t->paths = n ? (const char *const *)paths : standard_input;
	t->npaths = n ? n : 1;
	if (opt->chunks && n > 1) {
		/* Of several files, whole ones. */
		size_t from = (size_t)chunk_share(n, opt->chunk - 1, opt->chunks);
		size_t to = (size_t)chunk_share(n, opt->chunk, opt->chunks);

		check_share(opt, t->paths, n, from);
		check_share(opt, t->paths, n, to);
		t->paths += from;
		t->npaths = to - from;
		t->opt.chunks = 0;
	}
	inputs_begin(&t->opt, t->paths, t->npaths);
}

static void
end_source(struct trace *t)
{
	source_end(&t->src);
	if (t->done)
		t->done(&t->src, t->done_arg);
	t->bytes += t->src.in.buf ? in_offset(&t->src.in, t->src.in.end) : 0;
	source_close(&t->src);
	t->trouble |= t->src.trouble;
	t->events += t->src.events;
	t->lost += t->src.lost;
	t->open = false;
}

bool
trace_source(struct trace *t)
{
	if (t->open) {
		end_source(t);
		if (t->opt.strict && t->src.stop)
			t->at = t->npaths;
	}
	while (t->at < t->npaths) {
		t->open =
		    source_open(&t->src, &t->opt, t->paths + t->at, t->npaths - t->at);
		t->at += t->open ? t->src.npaths : 1;
		if (t->open)
			return true;
		t->trouble = true;
		if (t->opt.strict)
			t->at = t->npaths;
	}
	return false;
}

bool
trace_next(struct trace *t, struct batch *b)
{
	if (!t->open && !trace_source(t))
		return false;
	do {
		progress_check(t);
		if (source_next(&t->src, b))
			return true;
	} while (trace_source(t));
	return false;
}

int
trace_close(struct trace *t)
{
	if (t->open)
		end_source(t);
	return t->trouble ? ST_TROUBLE : ST_OK;
}
