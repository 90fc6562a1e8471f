/* slice_end.c - the greatest time of the inputs, from which end-TIME counts back. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/slice.h"
#include "input/trace.h"

struct found {
	uint64_t end; /* 0: no event was read yet */
	enum clock clock;
};

/* Adds the greatest time of an input, or of one of several streams in it. */
static void
note(void *arg, struct source *s)
{
	struct found *f = arg;

	if (!s->slice.last)
		return;
	if (f->end && f->clock != s->head.clock)
		die("%s: the inputs before have another clock: end-TIME needs one (--hz)",
		    s->name);
	f->clock = s->head.clock;
	f->end = s->slice.last > f->end ? s->slice.last : f->end;
	s->slice.last = 0;
}

/* Takes all events that the slice has: only those of the greatest time that the clock can have. */
static bool
pass(void *arg, struct source *s, const struct batch *b)
{
	(void)arg;
	(void)s;
	(void)b;
	return true;
}

/* Reads the inputs one after the other. One that cannot be opened is reported when it is read again. */
static void
read_all(struct found *f, const struct read_options *opt, const char *const *paths,
	 size_t n)
{
	struct batch *b = xcalloc(1, sizeof *b);
	struct source s;

	for (size_t i = 0; i < n; i += s.npaths) {
		s.npaths = 1;
		if (!source_open(&s, opt, paths + i, n - i)) {
			s.npaths = 1;
			continue;
		}
		while (source_next(&s, b))
			source_progress(&s);
		note(f, &s);
		source_close(&s);
	}
	buf_free(&b->own);
	free(b);
}

void
slice_end(const struct read_options *opt, const char *const *paths, size_t n)
{
	static const char *const standard_input[] = {"-"};
	struct time_slice *slice = opt->slice, last = {.last = true};
	struct read_options quiet = *opt;
	struct found f = {0};
	off_t at = lseek(0, 0, SEEK_CUR);
	struct stat st;

	if (!slice_ends(slice))
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
	quiet.head_done = note;
	quiet.head_arg = &f;
	if (opt->merge)
		opt->merge->each(&quiet, (char *const *)(uintptr_t)paths, n,
				 &(struct consumer){.batch = pass, .end = note, .arg = &f});
	else
		read_all(&f, &quiet, n ? paths : standard_input, n ? n : 1);
	slice->from.end = slice->to.end = f.end;
	lseek(0, at, SEEK_SET);
}
