/* count.c - fills an answer from traces: finds where its windows begin, and what each thread counts. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/put.h"
#include "input/trace.h"
#include "stats/inside.h"
#include "stats/query_result.h"
#include "work/work.h"

/* The earliest time so far of the events that an expression is true for. */
struct first {
	struct expr *expr;
	bool any;
	enum clock clock;
	int64_t time;
};

static void
count_batch(struct first *f, struct source *s, const struct batch *b)
{
	uint32_t room[BATCH], n;
	uint64_t flip = time_flip(s->head.clock);
	const uint32_t *pick;

	expr_choose(f->expr, s, b, room, &pick, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);

		if (!f->any || (f->clock == s->head.clock &&
				((uint64_t)r->time ^ flip) < ((uint64_t)f->time ^ flip)))
			*f = (struct first){f->expr, true, s->head.clock, r->time};
	}
}

/* Returns true if the file can be read again. */
static bool
is_file(const char *path)
{
	struct stat st;

	/* A missing file is reported when it is read. */
	return strcmp(path, "-") != 0 &&
	       (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Takes the first matching event of inputs in order of time. Returns false, to stop, when it is found. */
static bool
take_first(void *arg, struct source *s, const struct batch *b)
{
	struct first *f = arg;

	count_batch(f, s, b);
	return !f->any;
}

/* Reads the files paths[0..n) for the earliest time of the events that the expression `text` is true for (with the
 * key of expr_key), or of all events if it is NULL. Returns the time in the form of spec_from; NULL if there is
 * none, or if the only input is a pipe, which is not read. Dies if one of several inputs is no file. opt->rereads
 * must be set. */
static const char *
first_time(const struct read_options *opt, char *const *paths, size_t n, const char *text,
	   const char *key)
{
	struct expr *e = expr_parse(text);
	struct read_options quiet = *opt;
	struct batch *b = xcalloc(1, sizeof *b);
	struct first f = {.expr = e};
	static uint8_t to[64 + PUT_SLACK];
	struct source s;

	expr_key(e, key);
	quiet.quiet = true;
	quiet.need = NEED_TIME | expr_need(e);
	inputs_last_time(opt, paths, n);
	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i += s.npaths) {
		s.npaths = 1;
		if (!is_file(paths[i])) {
			if (n > 1)
				die("%s: --from-first reads several inputs twice: use "
				    "files, or --origin TIME",
				    paths[i]);
			break;
		}
		if (opt->merge)
			continue;
		if (!source_open(&s, &quiet, (const char *const *)paths + i, n - i)) {
			s.npaths = 1;
			continue;
		}
		while (source_next(&s, b))
			count_batch(&f, &s, b);
		source_close(&s);
	}
	if (opt->merge && n && is_file(paths[0]))
		trace_each(&quiet, paths, n,
			   &(struct consumer){.batch = take_first, .arg = &f});
	if (f.any)
		*value_put(to, time_between(f.clock, 0, f.time)) = '\0';
	buf_free(&b->own);
	free(b);
	expr_free(e);
	return f.any ? (const char *)to : NULL;
}

static void
open_answer(void *answer, const void *like)
{
	struct query q = ((const struct query_result *)like)->q;

	result_open(answer, &q);
}

int
result_read(struct query_result *a, struct read_options *read, char *const *paths, size_t n,
	    struct expr *e, const char *text)
{
	static const struct work_kind kind = {sizeof *a,     open_answer, result_add,
					      result_exact,  result_done, result_merge,
					      result_stitch, result_free, NULL};
	const char *first;
	bool apart = !result_in_order(a);
	int status;

	read->need = result_need(a) | expr_need(e);
	read->need_of = a->q.report ? queries_need : NULL;
	read->rereads = a->q.from && !strcmp(a->q.from, SPEC_FIRST);
	if (read->rereads && (first = first_time(read, paths, n, text, a->q.before))) {
		a->q.from = first;
		result_free(a);
		open_answer(a, a);
	}
	/* Which values top has no counters for depends on the order of events; depth needs all events. */
	for (size_t i = 0; i < a->ntables; i++)
		apart &= !a->spec[i].ordered;
	status = work_read(&kind, a, read, paths, n, apart, e, text);
	for (size_t i = 0; i < a->ntables; i++)
		if (a->st[i].spec)
			stats_finish(&a->st[i]);
	return status;
}
