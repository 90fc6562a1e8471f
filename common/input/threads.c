/* threads.c - threads that take pieces of a file, and write in turn: see threads.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pack.h"
#include "base/tuning.h"
#include "input/chunk.h"
#include "input/trace.h"
#include "input/threads.h"

/* Below this a thread costs more than it brings. */
#define WORTH (8u << 20)
/* From here on as many threads as there are processors, where nobody says how many. */
#define MANY (64u << 20)
/*
 * A piece is so many of these units, from 1 up to 32. What becomes of it is held in memory, and may be
 * many times as long: pieces grow as long as they make no more than ENOUGH, and shrink
 * where they make four times that.
 */
#define UNIT (32u << 10)
#define UNITS_MOST 32
#define ENOUGH (1u << 20)
/* Of a trace of streams a unit is one of them, and a piece at most this part of a thread's share. */
#define PARTS 4

struct work {
	const struct consumer *to;
	struct source *whole;
	struct read_options opt; /* of a thread's own source */
	uint64_t begin, size;	 /* bytes, or streams */
	unsigned units, longest; /* of the file; of a piece */
	/* Under the lock: */
	pthread_mutex_t lock;
	pthread_cond_t turned;
	unsigned taken, length; /* units; of the next piece */
	unsigned next, turn;	/* the number of the next piece; whose turn it is */
	bool stop;		/* no more pieces are taken; those that wait are dropped */
	/* Of whose turn it is: */
	uint64_t left; /* what lies from here on is read by one thread */
	bool more;
};

/* One thread. */
struct worker {
	struct work *work;
	pthread_t thread;
	struct source s;
	struct batch *b;
	struct buf out;
	void *own;
	unsigned piece, from, to; /* its number, its units */
};

unsigned
turns_processors(void)
{
	long n = 1;
#ifdef __linux__
	cpu_set_t may; /* a batch system gives a job some of the machine's */

	if (sched_getaffinity(0, sizeof may, &may) == 0)
		return (unsigned)CPU_COUNT(&may);
#endif
#ifdef _SC_NPROCESSORS_ONLN
	n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n > 0 ? (unsigned)n : 1;
}

uint64_t
turns_worth(void)
{
	return tuning.worth ? tuning.worth : WORTH;
}

unsigned
turns_threads(const struct read_options *opt, uint64_t bytes)
{
	unsigned n = opt->threads;

	if (!n)
		n = bytes >= MANY ? opt->processors : 1;
	return bytes < turns_worth() ? 1 : n;
}

/* Where unit k begins; UINT64_MAX: it cannot be read. */
static uint64_t
unit_at(const struct work *w, unsigned k)
{
	uint64_t at = w->begin + chunk_share(w->size - w->begin, k, w->units);

	return !k || w->whole->streams
		   ? at
		   : chunk_align(w->whole->in.fd, w->whole->grain, at, w->size);
}

/* The next piece. False where there is none. */
static bool
take_piece(struct worker *w)
{
	struct work *work = w->work;
	bool taken;

	pthread_mutex_lock(&work->lock);
	if (w->to && w->out.n <= ENOUGH && work->length < work->longest)
		work->length *= 2;
	else if (w->out.n > 4 * ENOUGH && work->length > 1)
		work->length /= 2;
	w->out.n = 0;
	taken = !work->stop && work->taken < work->units;
	w->piece = work->next++;
	w->from = work->taken;
	w->to = work->units - w->from < work->length ? work->units : w->from + work->length;
	work->taken = w->to;
	pthread_mutex_unlock(&work->lock);
	return taken;
}

/* Opens the thread's own source, or moves it, to its piece, and reads that. False where it has
 * something to say. */
static bool
read_piece(struct worker *w)
{
	struct work *work = w->work;
	struct source *s = &w->s;
	bool last = w->to == work->units;
	uint64_t from = unit_at(work, w->from);
	/* The last one has the end of the file, wherever that is by now. */
	uint64_t to = last ? UINT64_MAX : unit_at(work, w->to);

	if (from == UINT64_MAX || (!last && to == UINT64_MAX))
		return false;
	if (!s->fmt &&
	    !source_open(s, &work->opt, work->whole->paths, work->whole->npaths)) {
		memset(s, 0, sizeof *s);
		return false;
	}
	if (!chunk_move(s, from, to))
		return false;
	if (!work->to->batch)
		work->to->whole(w->own, s);
	while (work->to->batch && !s->trouble && source_next(s, w->b))
		if (!work->to->batch(w->own, s, w->b))
			break;
	source_end(s);
	return !s->trouble && !s->stop;
}

/* Waits for the turn of the piece. False: what was made of it is not wanted. */
static bool
wait_turn(struct worker *w)
{
	struct work *work = w->work;
	bool wanted;

	pthread_mutex_lock(&work->lock);
	while (!work->stop && work->turn != w->piece)
		pthread_cond_wait(&work->turned, &work->lock);
	wanted = !work->stop;
	pthread_mutex_unlock(&work->lock);
	return wanted;
}

/* It is the turn of the piece, which was read well, or not. Gives whether there is a next one. */
static bool
take_turn(struct worker *w, bool good)
{
	struct work *work = w->work;
	struct source *s = &w->s, *whole = work->whole;
	enum turn turn = good ? work->to->turns->add(work->to->arg, w->own) : TURN_ALONE;

	if (turn == TURN_ALONE) {
		work->left = unit_at(work, w->from);
		return false;
	}
	work->more = turn == TURN_ON;
	out_bytes(work->to->turns->out, w->out.p, w->out.n);
	whole->events += s->events;
	s->events_before = whole->events_before + whole->events;
	s->bytes_before = whole->bytes_before;
	s->events = 0;
	source_progress(s);
	return work->more;
}

static void *
run(void *arg)
{
	struct worker *w = arg;
	struct work *work = w->work;
	bool on = true;

	w->b = xcalloc(1, sizeof *w->b);
	while (on && take_piece(w)) {
		bool good = read_piece(w);

		if (!wait_turn(w))
			break;
		on = take_turn(w, good);
		pthread_mutex_lock(&work->lock);
		work->turn++;
		work->stop |= !on;
		pthread_cond_broadcast(&work->turned);
		pthread_mutex_unlock(&work->lock);
	}
	if (w->s.fmt)
		source_close(&w->s);
	buf_free(&w->b->own);
	free(w->b);
	return NULL;
}

/* Where the input's pieces begin and end. False where it has none. */
static bool
extent(const struct source *s, bool silent, uint64_t *begin, uint64_t *end)
{
	struct stat st;

	/* What becomes of a stream may be of any length. */
	if (s->streams && silent) {
		*begin = s->stream + 1;
		*end = s->streams;
		return true;
	}
	if (!s->grain || !s->in.buf || s->in.unpack || s->in.fd <= 0 ||
	    fstat(s->in.fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*begin = in_offset(&s->in, s->in.p);
	*end = (uint64_t)st.st_size;
	return true;
}

/* How many threads may read what is left of s: 1 where it must be one. */
static unsigned
threads_for(struct work *w, const struct source *s)
{
	const struct read_options *opt = s->opt;
	const struct turns *turns = w->to->turns;
	unsigned n;

	/* What was said already would be said again. */
	if (!turns || (s->fmt->walks == WALKS_ALL && !turns->lines) || s->said ||
	    s->noted || s->trouble || s->stop || opt->chunks || opt->slice || opt->follow ||
	    opt->strict || turns->out->line ||
	    !extent(s, turns->silent, &w->begin, &w->size) || w->size < w->begin)
		return 1;
	n = turns_threads(opt, s->streams ? s->streams_size : w->size);
	if (s->streams && n > w->size - w->begin)
		n = (unsigned)(w->size - w->begin + 1);
	return s->streams || n < w->size - w->begin ? n : 1;
}

/* Reads on to the end of the block, or stream, that s is in. False: no more are wanted. */
static bool
end_block(struct source *s, const struct consumer *to, struct batch *b)
{
	bool more = true;

	s->end = (s->streams ? s->stream : in_offset(&s->in, s->in.p)) + 1;
	while (more && source_next(s, b))
		more = to->batch(to->arg, s, b);
	s->end = UINT64_MAX;
	return more;
}

/* While threads read other streams: what is left of the one in turn, which has the first turn. */
static void
first_turn(struct work *w, struct source *s, struct batch *b)
{
	bool more = end_block(s, w->to, b);

	pthread_mutex_lock(&w->lock);
	w->turn = 1;
	w->more = more;
	w->stop = !more;
	pthread_cond_broadcast(&w->turned);
	pthread_mutex_unlock(&w->lock);
}

bool
turns_read(struct source *s, const struct consumer *to, struct batch *b)
{
	struct work work = {
	    .to = to,
	    .whole = s,
	    .opt = *s->opt,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .turned = PTHREAD_COND_INITIALIZER,
	    .left = UINT64_MAX,
	    .more = true,
	};
	unsigned n = threads_for(&work, s), made = 0;
	uint64_t unit = turns_worth() < UNIT ? turns_worth() : UNIT;
	struct worker *w;

	if (n < 2)
		return true;
	if (s->fmt->walks && !end_block(s, to, b))
		return false;
	n = threads_for(&work, s);
	if (n < 2)
		return true;
	work.opt.quiet = true;
	work.opt.like = s;
	work.units = (unsigned)((work.size - work.begin) / unit) + 1;
	work.longest = UNITS_MOST;
	if (s->streams) {
		work.units = (unsigned)(work.size - work.begin);
		work.longest = work.units / (n * PARTS) + 1;
		work.next = 1;
	}
	work.length = 1;
	w = xcalloc(n, sizeof *w);
	/* Where no more threads may be made, fewer do it all. */
	for (; made < n; made++) {
		w[made].work = &work;
		w[made].own = to->turns->open(to->arg, &w[made].out);
		if (pthread_create(&w[made].thread, NULL, run, &w[made]) != 0)
			break;
	}
	if (s->streams && made)
		first_turn(&work, s, b);
	for (unsigned i = 0; i < made; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned i = 0; i < n; i++) {
		if (w[i].own)
			to->turns->close(w[i].own);
		buf_free(&w[i].out);
	}
	free(w);
	if (!made)
		return true;
	if (work.left == UINT64_MAX)
		s->stop = true; /* nothing is left, nor to be said */
	else if (!chunk_move(s, work.left, UINT64_MAX))
		s->trouble = s->stop = true;
	return work.more;
}
