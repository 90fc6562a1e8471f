/* work.c - counts by threads that read parts of files, or in a single pass: see work.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pack.h"
#include "input/threads.h"
#include "input/trace.h"
#include "work/work.h"

/* Parts for each thread, so that a slow part does not delay the end. */
#define PARTS 4

/* The state of one thread, or of a single pass. */
struct sums {
	const struct work_kind *kind;
	void *sums;
	struct expr *expr;
	const char *text;   /* text of `expr` */
	struct sums *whole; /* what a thread's sums are merged into; else NULL */
	/* the first thread uses the sums of `whole`, which saves a merge */
	bool lent;
};

static bool
add_batch(void *arg, struct source *s, const struct batch *b)
{
	const struct sums *c = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	expr_choose(c->expr, s, b, room, &pick, &n);
	c->kind->add(c->sums, s, b, pick, n);
	s->trouble |= c->whole && !c->kind->exact(c->sums);
	return true;
}

static void
end_input(void *arg, struct source *s)
{
	const struct sums *c = arg;

	if (c->kind->done)
		c->kind->done(c->sums, s);
	/* A single pass reports a made-up header itself. */
	s->trouble |= c->whole && head_made_up(&s->head);
}

static void
work_open_own(void *arg, void *from, struct buf *to)
{
	struct sums *own = arg, *whole = from;

	(void)to;
	own->whole = whole;
	own->expr = expr_parse(whole->text);
	if (whole->lent) {
		own->sums = xcalloc(1, own->kind->size);
		own->kind->open(own->sums, whole->sums);
	}
	whole->lent = true;
	if (own->kind->part)
		own->kind->part(own->sums);
}

static enum turn
merge_own(void *arg, void *from)
{
	const struct sums *whole = arg, *own = from;

	if (own->sums != whole->sums)
		own->kind->merge(whole->sums, own->sums);
	if (whole->expr)
		expr_merge(whole->expr, own->expr);
	return TURN_ON;
}

static void
close_own(void *arg)
{
	const struct sums *own = arg;

	if (own->sums != own->whole->sums) {
		own->kind->close(own->sums);
		free(own->sums);
	}
	expr_free(own->expr);
}

/* Cuts the first input of paths[0..n) into units for `threads` threads, and adds its bytes to *bytes. Returns the
 * number of paths that belong to the input; 0 if threads cannot read it. */
static size_t
cut_input(struct units *u, const struct read_options *opt, const char *const *paths,
	  size_t n, unsigned threads, uint64_t *bytes)
{
	struct source *s = u->s;
	struct stat st;
	uint64_t most;
	bool walks;

	/* A compressed file can only be read from beginning to end. */
	if (!strcmp(*paths, "-") || stat(*paths, &st) != 0 ||
	    (!S_ISDIR(st.st_mode) && !pack_plain(*paths)) || !source_open(s, opt, paths, n))
		return 0;
	u->open = true;
	/* A reader that must read everything before its part gets one part a thread, and only if -j asks for it:
	 * it takes 1.4 times the CPU. */
	walks = format_cutting(s->fmt)->reads_outside == OUTSIDE_ALL;
	if (s->trouble || (format_inputs(s->fmt)->many && !s->part.streams) ||
	    (walks && !opt->threads))
		return 0;
	*bytes += s->part.streams ? s->part.streams_size : (uint64_t)st.st_size;
	u->end = s->part.streams;
	u->n = 1;
	if (s->part.streams || s->part.cut_unit) {
		most = s->part.streams ? s->part.streams
				       : (uint64_t)st.st_size / threads_worth() + 1;
		u->n = threads * (walks ? 1 : PARTS);
		u->n = u->n < most ? u->n : (unsigned)most;
	}
	u->open = s->part.streams;
	if (!u->open)
		source_close(s);
	return s->npaths;
}

/* Fills the sums of `to` by threads, if that is worth it. Returns false if they are not the sums of a single pass. */
static bool
fill(const struct read_options *opt, const char *const *paths, size_t n,
     const struct consumer *to)
{
	bool good;
	unsigned threads = threads_for(opt, UINT64_MAX);
	struct read_options named = *opt, quiet;
	uint64_t bytes = 0;
	size_t inputs = 0, took = 1;
	struct source *s;
	struct units *u;
	struct stat st;

	/* The size of a directory, and of a file that names others, is only known once it is opened. */
	for (size_t i = 0; i < n; i++)
		bytes += stat(paths[i], &st) == 0 && S_ISREG(st.st_mode) &&
				 !names_others(opt, paths[i])
			     ? (uint64_t)st.st_size
			     : UINT32_MAX;
	if (threads < 2 || threads_for(opt, bytes) < 2)
		return false;
	inputs_last_time(opt, (char *const *)(uintptr_t)paths, n);
	inputs_name(&named, paths, n);
	inputs_begin(&named, paths, n);
	quiet = named;
	quiet.quiet = true;
	s = xcalloc(n, sizeof *s);
	u = xcalloc(n, sizeof *u);
	bytes = 0;
	for (size_t i = 0; i < n && took; i += took) {
		u[inputs].s = &s[inputs];
		took = cut_input(&u[inputs], &quiet, paths + i, n - i, threads, &bytes);
		inputs++;
	}
	good = took && threads_for(opt, bytes) > 1 &&
	       threads_sum(&named, u, inputs, threads, to);
	for (size_t i = 0; i < inputs; i++)
		if (u[i].open)
			source_close(&s[i]);
	free(u);
	free(s);
	return good;
}

int
work_read(const struct work_kind *kind, void *sums, const struct read_options *read,
	  char *const *paths, size_t n, bool apart, struct expr *e, const char *text)
{
	static const struct threads threads = {.size = sizeof(struct sums),
					       .open = work_open_own,
					       .merge = merge_own,
					       .close = close_own};
	struct sums c = {.kind = kind, .sums = sums, .expr = e, .text = text};
	struct consumer to = {.batch = add_batch, .end = end_input, .arg = &c};
	struct consumer parts = to;

	parts.threads = &threads;
	if (apart && !expr_in_order(e) &&
	    fill(read, (const char *const *)paths, n, &parts) &&
	    (!kind->stitch || kind->stitch(sums, false)) && kind->exact(sums)) {
		format_unused(read);
		return ST_OK;
	}
	if (c.lent) {
		kind->close(sums);
		kind->open(sums, sums);
	}
	return trace_each(read, paths, n, &to);
}
