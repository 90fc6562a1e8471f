/* work.c - threads that take parts of files from a list, or a single pass: see work.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pack.h"
#include "base/progress.h"
#include "input/trace.h"
#include "input/turns.h"
#include "work/work.h"

/* Parts for each thread, so that a slow one does not hold up all. */
#define PARTS 4

struct piece {
	const char *path;
	unsigned chunk, chunks;
};

struct work {
	const struct read_options *opt;
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
read_part(struct worker *w, const struct piece *part, struct batch *b)
{
	const struct pass *p = &w->pass;
	struct read_options opt = *w->work->opt;
	struct source s;
	bool good = true;

	opt.quiet = true;
	opt.chunk = part->chunk;
	opt.chunks = part->chunks;
	if (!source_open(&s, &opt, &part->path, 1)) {
		stop(w->work);
		return;
	}
	if (p->kind->part)
		p->kind->part(p->sums);
	while (good && !stopped(w->work) && source_next(&s, b)) {
		add_batch(&w->pass, &s, b);
		good = !s.trouble && p->kind->exact(p->sums);
	}
	source_end(&s);
	if (s.trouble || !p->kind->exact(p->sums))
		stop(w->work);
	end_input(&w->pass, &s);
	source_close(&s);
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
	buf_free(&b->own);
	free(b);
	return NULL;
}

/* Cuts one file; false where it cannot be read by any thread. */
static bool
add_file(struct work *work, const char *path, unsigned threads)
{
	struct read_options opt = *work->opt;
	struct source s;
	struct stat st;
	unsigned n = 1;
	bool many;

	opt.quiet = true;
	/* What is compressed is read from its beginning to its end. */
	if (stat(path, &st) != 0 || !pack_plain(path) || !source_open(&s, &opt, &path, 1))
		return false;
	many = s.fmt->many;
	if (s.grain) {
		uint64_t most = (uint64_t)st.st_size / turns_worth() + 1;

		n = threads * PARTS;
		n = n > most ? (unsigned)most : n;
	}
	source_close(&s);
	for (unsigned k = 1; k <= n; k++) {
		*PUSH(work->part, work->nparts, work->cap) =
		    (struct piece){path, n > 1 ? k : 0, n > 1 ? n : 0};
	}
	return !many;
}

/* Cuts the inputs into parts. Gives how many threads are to read them: 1 where one does as well,
 * or must do it. */
static unsigned
cut_inputs(struct work *work, char *const *paths, size_t n)
{
	const struct read_options *opt = work->opt;
	uint64_t bytes = 0;
	struct stat st;
	unsigned threads;

	if (!n || opt->chunks || opt->merge || opt->strict || opt->follow)
		return 1;
	for (size_t i = 0; i < n; i++)
		bytes += stat(paths[i], &st) == 0 && S_ISREG(st.st_mode)
			     ? (uint64_t)st.st_size
			     : 0;
	threads = turns_threads(opt, bytes);
	if (threads < 2)
		return 1;
	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(paths[i], "-") || !add_file(work, paths[i], threads))
			return 1;
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
	unsigned threads = apart && !expr_in_order(e) ? cut_inputs(&work, paths, n) : 1;
	bool good = threads > 1 && in_threads(&work, &pass, threads, text);

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
