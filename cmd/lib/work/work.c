/* work.c - threads that take parts of files from a list, or a single pass: see work.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pack.h"
#include "base/progress.h"
#include "input/chunk.h"
#include "input/trace.h"
#include "input/threads.h"
#include "work/work.h"

/* Parts for each thread, so that a slow one does not hold up all. */
#define PARTS 4

/* An input. Where threads read its streams, the source is open as long as they run. */
struct input {
	struct source s;
	uint64_t size;
	unsigned
	    parts; /* it can be cut into so many for each thread; 0: it cannot be cut */
};

struct piece {
	const struct input *input;
	unsigned chunk, chunks;
};

struct work {
	const struct read_options *opt;
	struct read_options quiet; /* the same, of all sources here */
	struct input *input;
	size_t ninputs;
	struct piece *part;
	size_t nparts, cap;
	/* Under the lock, while threads run: */
	pthread_mutex_t lock;
	size_t next;
	bool stop; /* the whole must be done again, in order */
};

/* What one thread fills. */
struct pass {
	const struct work_kind *kind;
	void *sums;
	struct expr *expr;
};

struct worker {
	struct work *work;
	pthread_t thread;
	struct pass pass; /* of the first, what all are merged into */
	struct read_options opt;
	struct source s;	   /* of a part of: */
	const struct input *input; /* NULL: it is closed */
};

static void
stop(struct work *work)
{
	pthread_mutex_lock(&work->lock);
	work->stop = true;
	pthread_mutex_unlock(&work->lock);
}

static bool
stopped(struct work *work)
{
	bool yes;

	pthread_mutex_lock(&work->lock);
	yes = work->stop;
	pthread_mutex_unlock(&work->lock);
	return yes;
}

/* The number of a part that nobody has read yet; false where there is none. */
static bool
take_part(struct work *work, size_t *i)
{
	bool taken;

	pthread_mutex_lock(&work->lock);
	taken = !work->stop && work->next < work->nparts;
	if (taken)
		*i = work->next++;
	pthread_mutex_unlock(&work->lock);
	return taken;
}

static bool
add_batch(void *arg, struct source *s, const struct batch *b)
{
	const struct pass *p = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	expr_choose(p->expr, s, b, room, &pick, &n);
	p->kind->add(p->sums, s, b, pick, n);
	return true;
}

static void
end_input(void *arg, struct source *s)
{
	const struct pass *p = arg;

	if (p->kind->done)
		p->kind->done(p->sums, s);
}

static void
close_part(struct worker *w)
{
	if (w->input)
		source_close(&w->s);
	w->input = NULL;
}

/* Opens the thread's source for a part, or moves it there. False where it cannot. */
static bool
open_part(struct worker *w, const struct piece *part)
{
	const struct input *in = part->input;
	uint64_t n = in->s.streams;

	if (n && w->input == in)
		return chunk_move(&w->s, chunk_share(n, part->chunk - 1, part->chunks),
				  part->chunk == part->chunks
				      ? UINT64_MAX
				      : chunk_share(n, part->chunk, part->chunks));
	close_part(w);
	w->opt = w->work->quiet;
	w->opt.chunk = part->chunk;
	w->opt.chunks = part->chunks;
	w->opt.like = n ? &in->s : NULL;
	if (source_open(&w->s, &w->opt, in->s.paths, in->s.npaths))
		w->input = in;
	return w->input;
}

static void
read_part(struct worker *w, const struct piece *part, struct batch *b)
{
	const struct pass *p = &w->pass;
	bool good = open_part(w, part);

	if (!good) {
		stop(w->work);
		return;
	}
	if (p->kind->part)
		p->kind->part(p->sums);
	while (good && !stopped(w->work) && source_next(&w->s, b)) {
		add_batch(&w->pass, &w->s, b);
		good = !w->s.trouble && p->kind->exact(p->sums);
	}
	source_end(&w->s);
	if (w->s.trouble || head_made_up(&w->s.head) || !p->kind->exact(p->sums))
		stop(w->work);
	end_input(&w->pass, &w->s);
	if (!w->s.streams)
		close_part(w);
}

static void *
run(void *arg)
{
	struct worker *w = arg;
	struct batch *b = xcalloc(1, sizeof *b);
	size_t i;

	while (take_part(w->work, &i)) {
		read_part(w, &w->work->part[i], b);
		if (progress_due) {
			progress_due = 0;
			warn_progress("%zu of %zu parts read", i + 1, w->work->nparts);
		}
	}
	close_part(w);
	buf_free(&b->own);
	free(b);
	return NULL;
}

static void
close_input(struct input *in)
{
	if (in->s.fmt)
		source_close(&in->s);
	in->s.fmt = NULL;
}

/* Adds the input that paths[0..n) begin with. Gives how many of them are its; 0 where it cannot be read by any thread. */
static size_t
add_input(struct work *work, const char *const *paths, size_t n)
{
	struct input *in = &work->input[work->ninputs];
	struct source *s = &in->s;
	struct stat st;

	/* What is compressed is read from its beginning to its end. */
	if (!strcmp(*paths, "-") || stat(*paths, &st) != 0 ||
	    (!S_ISDIR(st.st_mode) && !pack_plain(*paths)) ||
	    !source_open(s, &work->quiet, paths, n))
		return 0;
	work->ninputs++;
	if (s->streams || s->grain) /* who walks over all that is before goes there once */
		in->parts = s->fmt->walks == WALKS_ALL ? 1 : PARTS;
	in->size = s->streams ? s->streams_size : (uint64_t)st.st_size;
	if (s->trouble || (s->fmt->many && !s->streams))
		return 0;
	if (!s->streams)
		close_input(in);
	return s->npaths;
}

static void
cut_input(struct work *work, const struct input *in, unsigned threads)
{
	uint64_t most = in->s.streams ? in->s.streams : in->size / turns_worth() + 1;
	unsigned n = in->parts ? threads * in->parts : 1;

	n = n > most ? (unsigned)most : n;
	for (unsigned k = 1; k <= n; k++)
		*PUSH(work->part, work->nparts, work->cap) =
		    (struct piece){in, n > 1 ? k : 0, n > 1 ? n : 0};
}

/* Whether stat tells the bytes of an input; *bytes: those of one more, if it is a file. */
static bool
tells_size(const struct read_options *opt, const char *path, uint64_t *bytes)
{
	struct stat st;
	bool file = stat(path, &st) == 0 && S_ISREG(st.st_mode);

	*bytes += file ? (uint64_t)st.st_size : 0;
	return file && !names_others(opt, path);
}

/* Cuts the inputs into parts. Gives how many threads are to read them: 1 where one does as well,
 * or must do it. */
static unsigned
cut_inputs(struct work *work, const char *const *paths, size_t n)
{
	const struct read_options *opt = work->opt;
	uint64_t bytes = 0;
	bool told = true;
	unsigned threads;

	if (!n || opt->chunks || opt->merge || opt->strict || opt->follow ||
	    turns_threads(opt, UINT64_MAX) < 2)
		return 1;
	for (size_t i = 0; i < n; i++)
		told &= tells_size(opt, paths[i], &bytes);
	if (told && turns_threads(opt, bytes) < 2)
		return 1;
	inputs_begin(opt, paths, n);
	work->quiet = *opt;
	work->quiet.quiet = true;
	work->input = xcalloc(n, sizeof *work->input);
	for (size_t i = 0, took; i < n; i += took)
		if (!(took = add_input(work, paths + i, n - i)))
			return 1;
	bytes = 0;
	for (size_t i = 0; i < work->ninputs; i++)
		bytes += work->input[i].size;
	threads = turns_threads(opt, bytes);
	if (threads < 2)
		return 1;
	for (size_t i = 0; i < work->ninputs; i++)
		cut_input(work, &work->input[i], threads);
	return work->nparts < threads ? (unsigned)work->nparts : threads;
}

/* What a worker found out goes to the first's, unless there was trouble. */
static void
collect(struct worker *w, const struct pass *first)
{
	struct pass *p = &w->pass;

	if (p->sums != first->sums) {
		if (!w->work->stop)
			p->kind->merge(first->sums, p->sums);
		p->kind->close(p->sums);
		free(p->sums);
	}
	if (first->expr && !w->work->stop)
		expr_merge(first->expr, p->expr);
	expr_free(p->expr);
}

/* Fills what `first` has, which is of no use where this is false. */
static bool
in_threads(struct work *work, const struct pass *first, unsigned threads, const char *text)
{
	const struct work_kind *kind = first->kind;
	struct worker *w = xcalloc(threads, sizeof *w);
	unsigned made = 0;
	bool able = true;

	/* Where no more threads may be made, fewer do it all. */
	while (able && made < threads) {
		void *sums = made ? xcalloc(1, kind->size) : first->sums;

		if (made)
			kind->open(sums, first->sums);
		w[made].work = work;
		w[made].pass = (struct pass){kind, sums, expr_parse(text)};
		able = pthread_create(&w[made].thread, NULL, run, &w[made]) == 0;
		made += able;
	}
	for (unsigned i = 0; i < made; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned i = 0; i < made + !able; i++)
		collect(&w[i], first);
	free(w);
	return made && !work->stop && (!kind->stitch || kind->stitch(first->sums)) &&
	       kind->exact(first->sums);
}

int
work_read(const struct work_kind *kind, void *sums, const struct read_options *read,
	  char *const *paths, size_t n, bool apart, struct expr *e, const char *text)
{
	struct work work = {.opt = read, .lock = PTHREAD_MUTEX_INITIALIZER};
	struct pass pass = {kind, sums, e};
	unsigned threads = apart && !expr_in_order(e)
			       ? cut_inputs(&work, (const char *const *)paths, n)
			       : 1;
	bool good = threads > 1 && in_threads(&work, &pass, threads, text);

	for (size_t i = 0; i < work.ninputs; i++)
		close_input(&work.input[i]);
	free(work.input);
	free(work.part);
	if (good) {
		format_unused(read);
		return ST_OK;
	}
	if (threads > 1) {
		kind->close(sums);
		kind->open(sums, sums);
	}
	return trace_each(
	    read, paths, n,
	    &(struct consumer){.batch = add_batch, .end = end_input, .arg = &pass});
}
