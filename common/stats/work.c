/* work.c - threads that take parts of files from a list. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pack.h"
#include "base/progress.h"
#include "input/trace.h"
#include "stats/first.h"
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
	const struct work_kind *kind;
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
	void *sums; /* of the first, what all are merged into */
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
	const struct work_kind *kind = w->work->kind;
	struct read_options opt = *w->work->opt;
	uint32_t room[BATCH], n;
	const uint32_t *pick;
	struct source s;

	opt.quiet = true;
	opt.chunk = p->chunk;
	opt.chunks = p->chunks;
	if (!source_open(&s, &opt, &p->path, 1)) {
		stop(w->work);
		return;
	}
	while (!stopped(w->work) && source_next(&s, b)) {
		expr_choose(w->expr, &s, b, room, &pick, &n);
		kind->add(w->sums, &s, b, pick, n);
		if (s.trouble || !kind->exact(w->sums))
			break;
	}
	source_end(&s);
	if (s.trouble || !kind->exact(w->sums))
		stop(w->work);
	if (kind->done)
		kind->done(w->sums, &s);
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
add_file(struct work *work, const char *path, unsigned threads, uint64_t *bytes)
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
	if (s.fmt->grain) {
		uint64_t most = (uint64_t)st.st_size / worth() + 1;

		n = threads * PARTS;
		n = n > most ? (unsigned)most : n;
	}
	source_close(&s);
	for (unsigned k = 1; k <= n; k++) {
		*PUSH(work->part, work->nparts, work->cap) =
		    (struct piece){path, n > 1 ? k : 0, n > 1 ? n : 0};
	}
	*bytes += (uint64_t)st.st_size;
	return !many;
}

/* Cuts the inputs into parts. False where one thread does as well, or must do it. */
static bool
cut_inputs(struct work *work, char *const *paths, size_t n, unsigned threads)
{
	const struct read_options *opt = work->opt;
	uint64_t bytes = 0;

	if (threads < 2 || !n || opt->chunks || opt->merge || opt->strict)
		return false;
	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(paths[i], "-") || !add_file(work, paths[i], threads, &bytes))
			return false;
	return bytes >= worth() && work->nparts >= 2;
}

/* What a worker found out goes to the first's, unless there was trouble. */
static void
collect(struct worker *w, void *first, struct expr *e)
{
	const struct work_kind *kind = w->work->kind;

	if (w->sums != first && !w->work->stop)
		kind->merge(first, w->sums);
	if (e && !w->work->stop)
		expr_merge(e, w->expr);
	if (w->sums != first)
		kind->free(w->sums);
	expr_free(w->expr);
}

bool
work_run(const struct work_kind *kind, void *first, const struct read_options *opt,
	 char *const *paths, size_t n, unsigned threads, struct expr *e, const char *text,
	 bool *began)
{
	struct work work = {
	    .kind = kind, .opt = opt, .lock = PTHREAD_MUTEX_INITIALIZER, .expr = text};
	struct worker *w;

	*began = !expr_in_order(e) && cut_inputs(&work, paths, n, threads);
	if (!*began) {
		free(work.part);
		return false;
	}
	threads = work.nparts < threads ? (unsigned)work.nparts : threads;
	w = xcalloc(threads, sizeof *w);
	for (unsigned i = 0; i < threads; i++) {
		w[i].work = &work;
		w[i].expr = expr_parse(text);
		w[i].sums = i ? kind->open(first) : first;
		if (pthread_create(&w[i].thread, NULL, run, &w[i]) != 0)
			die("a thread cannot be made");
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(w[i].thread, NULL);
	for (unsigned i = 0; i < threads; i++)
		collect(&w[i], first, e);
	free(w);
	free(work.part);
	return !work.stop;
}

/* Answers. */

static void *
open_answer(const void *like)
{
	struct answer *a = xcalloc(1, sizeof *a);

	answer_open(a, &((const struct answer *)like)->q);
	return a;
}

static void
add_answer(void *a, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	answer_add(a, s, b, pick, n);
}

static bool
answer_is_exact(const void *a)
{
	return answer_exact(a);
}

static void
end_answer(void *a, struct source *s)
{
	answer_done(a, s);
}

static void
merge_answer(void *to, const void *from)
{
	answer_merge(to, from);
}

static void
free_answer(void *a)
{
	answer_free(a);
	free(a);
}

/* False, with an empty answer, where one thread must read all, or does as well. */
static bool
in_threads(struct answer *a, const struct read_options *opt, char *const *paths, size_t n,
	   unsigned threads, struct expr *e, const char *text)
{
	static const struct work_kind kind = {open_answer, add_answer,	 answer_is_exact,
					      end_answer,  merge_answer, free_answer};
	bool began;

	if (answer_in_order(a))
		return false;
	/* What is beyond the counters of top depends on the order. */
	for (size_t i = 0; i < a->ntables; i++)
		if (a->spec[i].ordered)
			return false;
	if (work_run(&kind, a, opt, paths, n, threads, e, text, &began) &&
	    answer_stitch(a, false) && answer_exact(a)) {
		format_unused(opt);
		return true;
	}
	if (began)
		answer_reset(a);
	return false;
}

/* What one thread fills. */
struct pass {
	struct answer *answer;
	struct expr *expr;
};

static bool
add_batch(void *arg, struct source *s, const struct batch *b)
{
	const struct pass *p = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	expr_choose(p->expr, s, b, room, &pick, &n);
	answer_add(p->answer, s, b, pick, n);
	return true;
}

static void
end_input(void *arg, struct source *s)
{
	answer_done(((const struct pass *)arg)->answer, s);
}

int
work_count(struct answer *a, struct read_options *read, char *const *paths, size_t n,
	   unsigned threads, struct expr *e, const char *text)
{
	struct pass pass = {a, e};
	char *first;

	read->need = answer_need(a) | expr_need(e);
	if (read->chunks && answer_in_order(a))
		read->need = NEED_ALL; /* whole events pass from part to part */
	read->need_of = a->q.report ? extra_need : NULL;
	read->twice = a->q.from && !strcmp(a->q.from, SPEC_FIRST);
	if (read->twice && (first = first_time(read, paths, n, text, a->q.before))) {
		a->q.from = a->own[0] = first;
		answer_reset(a);
	}
	if (in_threads(a, read, paths, n, threads, e, text))
		return ST_OK;
	return trace_each(read, paths, n,
			  &(struct consumer){add_batch, NULL, end_input, &pass});
}
