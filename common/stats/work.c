/* work.c - threads that take parts of files from a list. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/progress.h"
#include "input/trace.h"
#include "stats/work.h"

/* Below this a thread costs more than it brings; parts are not cut smaller. SPOOR_WORTH in
 * the environment: another number of bytes, for tests. */
#define WORTH (8u << 20)
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
	const char *expr;
};

struct worker {
	struct work *work;
	pthread_t thread;
	struct answer *answer; /* of the first, the one that all are merged into */
	struct expr *expr;
};

unsigned
work_default(void)
{
	long n = 1;

#ifdef _SC_NPROCESSORS_ONLN
	n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	return n >= 2 ? 2 : 1;
}

static uint64_t
worth(void)
{
	const char *asked = getenv("SPOOR_WORTH");
	unsigned long long n = asked ? strtoull(asked, NULL, 10) : 0;

	return n ? n : WORTH;
}

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

static void
read_part(struct worker *w, const struct piece *p, struct batch *b)
{
	struct read_options opt = *w->work->opt;
	uint32_t pick[BATCH];
	struct source s;

	opt.quiet = true;
	opt.chunk = p->chunk;
	opt.chunks = p->chunks;
	if (!source_open(&s, &opt, &p->path, 1)) {
		stop(w->work);
		return;
	}
	while (!stopped(w->work) && source_next(&s, b)) {
		if (w->expr)
			answer_add(w->answer, &s, b, pick, expr_run(w->expr, &s, b, pick));
		else
			answer_add(w->answer, &s, b, NULL, b->n);
		if (s.trouble || !answer_exact(w->answer))
			break;
	}
	source_end(&s);
	if (s.trouble || !answer_exact(w->answer))
		stop(w->work);
	answer_done(w->answer, &s);
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
			warn("%zu of %zu parts read", i + 1, w->work->nparts);
		}
	}
	buf_free(&b->own);
	free(b);
	return NULL;
}

/* Cuts one file; false where it cannot be read by any thread. */
static bool
add_file(struct work *work, const char *path, unsigned threads, uint64_t *bytes)
{
	struct read_options opt = *work->opt;
	struct source s;
	struct stat st;
	unsigned n = 1;
	bool many;

	opt.quiet = true;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    !source_open(&s, &opt, &path, 1))
		return false;
	many = s.fmt->many;
	if (s.fmt->grain) {
		uint64_t most = (uint64_t)st.st_size / worth() + 1;

		n = threads * PARTS;
		n = n > most ? (unsigned)most : n;
	}
	source_close(&s);
	for (unsigned k = 1; k <= n; k++) {
		work->part =
		    grow(work->part, &work->cap, work->nparts + 1, sizeof *work->part);
		work->part[work->nparts++] =
		    (struct piece){path, n > 1 ? k : 0, n > 1 ? n : 0};
	}
	*bytes += (uint64_t)st.st_size;
	return !many;
}

/* Cuts the inputs into parts. False where one thread does as well, or must do it. */
static bool
cut_inputs(struct work *work, const struct answer *a, char *const *paths, size_t n,
	   unsigned threads)
{
	const struct read_options *opt = work->opt;
	uint64_t bytes = 0;

	if (threads < 2 || !n || opt->chunks || opt->strict || answer_in_order(a))
		return false;
	inputs_begin(opt, (const char *const *)paths, n);
	/* What is beyond the counters of top depends on the order. */
	for (size_t i = 0; i < a->ntables; i++)
		if (a->spec[i].ordered)
			return false;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(paths[i], "-") || !add_file(work, paths[i], threads, &bytes))
			return false;
	return bytes >= worth() && work->nparts >= 2;
}

/* What a worker found out goes to the others', unless there was trouble. The first one's
 * answer is the one that the others' go to. */
static void
collect(struct worker *w, struct answer *a, struct expr *e, bool first)
{
	if (!first && !w->work->stop)
		answer_merge(a, w->answer);
	if (e && !w->work->stop)
		expr_merge(e, w->expr);
	if (!first) {
		answer_free(w->answer);
		free(w->answer);
	}
	if (w->expr)
		expr_free(w->expr);
}

bool
work_threads(struct answer *a, const struct read_options *opt, char *const *paths, size_t n,
	     unsigned threads, struct expr *e, const char *text)
{
	struct work work = {.opt = opt, .lock = PTHREAD_MUTEX_INITIALIZER, .expr = text};
	struct worker *w;
	bool good;

	if ((e && expr_in_order(e)) || !cut_inputs(&work, a, paths, n, threads)) {
		free(work.part);
		return false;
	}
	threads = work.nparts < threads ? (unsigned)work.nparts : threads;
	w = xcalloc(threads, sizeof *w);
	for (unsigned i = 0; i < threads; i++) {
		w[i].work = &work;
		w[i].expr = text ? expr_parse(text) : NULL;
		w[i].answer = i ? xcalloc(1, sizeof *a) : a;
		if (i)
			answer_open(w[i].answer, &a->q);
		if (pthread_create(&w[i].thread, NULL, run, &w[i]) != 0)
			die("a thread cannot be made");
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned i = 0; i < threads; i++)
		collect(&w[i], a, e, !i);
	good = !work.stop && answer_stitch(a, false) && answer_exact(a);
	if (good)
		format_unused(opt);
	else {
		struct question q = a->q;

		answer_free(a);
		answer_open(a, &q);
	}
	free(w);
	free(work.part);
	return good;
}
