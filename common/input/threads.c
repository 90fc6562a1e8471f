/* threads.c - reads parts of inputs by several threads (threads.h). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/tuning.h"
#include "input/chunk.h"
#include "input/threads.h"
#include "input/trace.h"

/* Bytes of a file from which more than one thread pays. */
#define WORTH (8u << 20)
/* Bytes from which the default is as many threads as processors: for 300 MB, two threads were measured to be 1.3
 * times as fast as one, for at most 1.3 times the CPU time. */
#define PAYS 300000000
/* A part of a file is 1 to UNITS_MOST units of UNIT bytes. Its output is held in memory, and may be many times as
 * long. Parts grow while their output has at most ENOUGH bytes, and shrink if it has more than four times as many. */
#define UNIT (32u << 10)
#define UNITS_MOST 32
#define ENOUGH (1u << 20)
/* A unit of a trace of streams is one stream. A part has at most 1/PARTS of the streams that a thread would get in
 * an even division. */
#define PARTS 4
/* Functions that run at most once per part are COLD, which makes their code smaller. */

struct thread_queue {
	const struct consumer *to;
	const struct read_options *opt; /* options of the threads' own sources */
	const struct units *input, *end;
	unsigned longest, parts; /* most units of a part; parts of all inputs */
	pthread_mutex_t lock;
	pthread_cond_t turned;
	/* The members below are read and changed under the lock, which is not held while a part is read. */
	unsigned taken, length; /* units taken of input[0]; units of the next part */
	/* Number of the next part; number of the part whose turn it is. */
	unsigned next, turn;
	enum turn now; /* if it is not TURN_ON, no more parts are taken or wanted */
	uint64_t left; /* for TURN_ALONE: the offset from which one thread reads on */
};

struct worker {
	struct thread_queue *work;
	pthread_t thread;
	struct read_options opt;
	struct source s;
	const struct units *open; /* input for which s is open, or NULL */
	struct batch b;
	struct buf out;
	void *own;
	/* The current part: its number, its units, its input. */
	unsigned part, from, to;
	const struct units *of;
};

uint64_t
threads_worth(void)
{
	return tuning.worth ? tuning.worth : WORTH;
}

unsigned
threads_for(const struct read_options *opt, uint64_t bytes)
{
	if (bytes < threads_worth() || opt->chunks || opt->merge || opt->strict ||
	    opt->follow)
		return 1;
	return opt->threads ? opt->threads : bytes >= PAYS ? opt->processors : 1;
}

/* Returns the offset or stream at which unit k begins, or UINT64_MAX if the file cannot be read. */
static uint64_t
unit_at(const struct units *u, unsigned k)
{
	uint64_t at = u->begin + chunk_share(u->end - u->begin, k, u->n);

	return !k || u->s->part.streams
		   ? at
		   : chunk_align(u->s->in.fd, u->s->part.cut_unit, at, u->end);
}

/* Takes the next part. Returns false if there is none. */
static bool
take_part(struct worker *w)
{
	struct thread_queue *work = w->work;
	const struct units *u = work->input;

	if (w->to && w->out.n <= ENOUGH && work->length < work->longest)
		work->length *= 2;
	else if (w->out.n > 4 * ENOUGH && work->length > 1)
		work->length /= 2;
	w->out.n = 0;
	if (work->now != TURN_ON || u == work->end)
		return false;
	w->part = work->next++;
	w->of = u;
	w->from = work->taken;
	w->to = u->n - w->from < work->length ? u->n : w->from + work->length;
	work->taken = w->to < u->n ? w->to : 0;
	work->input += w->to == u->n;
	return true;
}

/* Opens the thread's source for its part, or moves the source to it. Returns false if that fails. */
static bool
open_part(struct worker *w)
{
	const struct units *u = w->of;
	bool last = w->to == u->n;
	uint64_t from, to;

	if (w->open != u || !u->open) {
		if (w->open)
			source_close(&w->s);
		w->open = NULL;
		w->opt = *w->work->opt;
		w->opt.quiet = true;
		w->opt.opened_before = u->open ? u->s : NULL;
		w->opt.chunk = w->to;
		w->opt.chunks = u->open || u->n == 1 ? 0 : u->n;
		if (!source_open(&w->s, &w->opt, u->s->paths, u->s->npaths))
			return false;
		w->open = u;
	}
	if (!u->open)
		return true;
	from = unit_at(u, w->from);
	/* The last part reaches to the end of the file, which may have grown. */
	to = last ? UINT64_MAX : unit_at(u, w->to);
	return from != UINT64_MAX && (last || to != UINT64_MAX) &&
	       chunk_move(&w->s, from, to);
}

/* Reads the part. Returns false if the part has a message to print. */
static bool
read_part(struct worker *w)
{
	const struct consumer *to = w->work->to;
	struct source *s = &w->s;

	if (!open_part(w))
		return false;
	if (to->whole)
		to->whole(w->own, s);
	while (to->batch && !s->trouble && source_next(s, &w->b))
		if (!to->batch(w->own, s, &w->b))
			break;
	source_end(s);
	if (!to->threads->out)
		to->end(w->own, s);
	return !s->trouble && !(s->stop && to->threads->out);
}

/* Ends a part; `good` is the result of read_part. With an output, waits for the part's turn. */
static void
end_part(struct worker *w, bool good)
{
	struct thread_queue *work = w->work;
	const struct consumer *to = work->to;
	struct out *out = to->threads->out;
	struct source *s = &w->s, *whole = w->of->s;

	while (out && work->now == TURN_ON && work->turn != w->part)
		pthread_cond_wait(&work->turned, &work->lock);
	if (work->now != TURN_ON)
		return;
	if (!good)
		work->now = TURN_ALONE;
	else if (out)
		work->now = to->threads->merge(to->arg, w->own);
	if (out && work->now == TURN_ALONE)
		work->left = unit_at(w->of, w->from);
	else if (out) {
		out_bytes(out, w->out.p, w->out.n);
		whole->count.events += s->count.events;
		s->count.events_before = whole->count.events_before + whole->count.events;
		s->count.bytes_before = whole->count.bytes_before;
		s->count.events = 0;
		source_progress(s);
	} else if (progress_due) {
		progress_due = 0;
		warn_progress("%u of %u parts read", w->part + 1, work->parts);
	}
	work->turn++;
	pthread_cond_broadcast(&work->turned);
}

static COLD void *
run(void *arg)
{
	struct worker *w = arg;
	struct thread_queue *work = w->work;
	bool good;

	pthread_mutex_lock(&work->lock);
	while (take_part(w)) {
		pthread_mutex_unlock(&work->lock);
		good = read_part(w);
		pthread_mutex_lock(&work->lock);
		end_part(w, good);
	}
	pthread_mutex_unlock(&work->lock);
	return NULL;
}

/* Reads up to the end of the current block or stream of s. Returns false if no more events are wanted. */
static bool
end_block(struct source *s, const struct consumer *to, struct batch *b)
{
	bool more = true;

	s->part.end = (s->part.streams ? s->part.stream : in_offset(&s->in, s->in.p)) + 1;
	while (more && source_next(s, b))
		more = to->batch(to->arg, s, b);
	s->part.end = UINT64_MAX;
	return more;
}

/* Reads all parts by n threads, or fewer if no more can be created. Returns false if none could. If `first` is not
 * NULL, its current stream has the first turn and is read by the caller's thread. Otherwise the first part has the
 * first turn. */
static COLD bool
run_threads(struct thread_queue *work, unsigned n, struct source *first, struct batch *b)
{
	const struct consumer *to = work->to;
	const struct threads *how = to->threads;
	struct worker *w = xcalloc(n, sizeof *w);
	unsigned made = 0;

	pthread_mutex_init(&work->lock, NULL);
	pthread_cond_init(&work->turned, NULL);
	work->length = 1;
	work->next = first ? 1 : 0;
	for (unsigned i = 0; i < n; i++) {
		w[i].work = work;
		w[i].own = xcalloc(1, how->size);
		memcpy(w[i].own, to->arg, how->size);
		how->open(w[i].own, to->arg, &w[i].out);
	}
	while (made < n && pthread_create(&w[made].thread, NULL, run, &w[made]) == 0)
		made++;
	if (first && made) {
		bool more = end_block(first, to, b);

		pthread_mutex_lock(&work->lock);
		work->turn = 1;
		work->now = more ? TURN_ON : TURN_ENOUGH;
		pthread_cond_broadcast(&work->turned);
		pthread_mutex_unlock(&work->lock);
	}
	for (unsigned i = 0; i < made; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned i = 0; i < n; i++) {
		if (w[i].open)
			source_close(&w[i].s);
		if (!how->out && work->now == TURN_ON)
			how->merge(to->arg, w[i].own);
		how->close(w[i].own);
		free(w[i].own);
		buf_free(&w[i].out);
		buf_free(&w[i].b.own);
	}
	free(w);
	return made > 0;
}

bool
threads_sum(const struct read_options *opt, const struct units *u, size_t n,
	    unsigned threads, const struct consumer *to)
{
	struct thread_queue work = {
	    .to = to, .opt = opt, .input = u, .end = u + n, .longest = 1};

	for (size_t i = 0; i < n; i++)
		work.parts += u[i].n;
	threads = work.parts < threads ? work.parts : threads;
	return threads > 1 && run_threads(&work, threads, NULL, NULL) &&
	       work.now == TURN_ON;
}

/* Sets the first and last place of the rest of an input. Returns how many threads may read the rest. */
static COLD unsigned
share(struct units *u, const struct threads *how)
{
	const struct source *s = u->s;
	struct stat st;
	uint64_t bytes = s->part.streams_size;
	unsigned n;

	u->begin = u->end = 0;
	/* A printed message would be printed again. */
	if (s->faults.n_messages || s->faults.pending_summary || s->trouble || s->stop ||
	    s->opt->slice || how->out->line)
		return 1;
	/* If each thread must read all that is before its parts, only writing lines takes longer than that. */
	if ((format_cutting(s->fmt)->reads_outside == OUTSIDE_ALL &&
	     (how->silent || !s->opt->threads)) ||
	    (how->as_input && s->fmt->stream && !s->fmt->text))
		return 1;
	if (s->part.streams && how->silent) {
		u->begin = s->part.stream + 1;
		u->end = s->part.streams;
	} else if (s->part.cut_unit && s->in.buf && !s->in.unpack && s->in.fd > 0 &&
		   fstat(s->in.fd, &st) == 0 && S_ISREG(st.st_mode)) {
		u->begin = in_offset(&s->in, s->in.p);
		u->end = bytes = (uint64_t)st.st_size;
	}
	if (u->end <= u->begin)
		return 1;
	n = threads_for(s->opt, bytes);
	return n <= u->end - u->begin ? n : (unsigned)(u->end - u->begin) + 1;
}

bool
threads_read(struct source *s, const struct consumer *to, struct batch *b)
{
	uint64_t unit = threads_worth() < UNIT ? threads_worth() : UNIT;
	struct units u = {.s = s, .open = true};
	struct thread_queue work = {.to = to, .opt = s->opt, .input = &u, .end = &u + 1};
	unsigned n = share(&u, to->threads);

	if (n > 1 && format_cutting(s->fmt)->reads_outside) {
		if (!end_block(s, to, b))
			return false;
		n = share(&u, to->threads);
	}
	if (n < 2)
		return true;
	u.n = (unsigned)(s->part.streams ? u.end - u.begin : (u.end - u.begin) / unit + 1);
	work.longest = s->part.streams ? u.n / (n * PARTS) + 1 : UNITS_MOST;
	if (!run_threads(&work, n, s->part.streams ? s : NULL, b))
		return true;
	if (work.now != TURN_ALONE)
		s->stop = true; /* nothing is left to read or to report */
	else if (!chunk_move(s, work.left, UINT64_MAX))
		s->trouble = s->stop = true;
	return work.now != TURN_ENOUGH;
}
