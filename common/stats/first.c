/* first.c - the earliest event of all inputs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/put.h"
#include "expr/expr.h"
#include "input/trace.h"
#include "stats/first.h"
#include "stats/stats.h"

/* The earliest so far. */
struct first {
	bool any;
	enum clock clock;
	int64_t time;
};

static void
add_batch(struct first *f, struct source *s, const struct batch *b, struct expr *e)
{
	uint32_t room[BATCH], n;
	uint64_t flip = time_flip(s->head.clock);
	const uint32_t *pick;

	expr_choose(e, s, b, room, &pick, &n);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);

		if (!f->any || (f->clock == s->head.clock &&
				((uint64_t)r->time ^ flip) < ((uint64_t)f->time ^ flip)))
			*f = (struct first){true, s->head.clock, r->time};
	}
}

/* Whether the file can be read again. */
static bool
is_file(const char *path)
{
	struct stat st;

	/* What cannot be found is reported when it is read. */
	return strcmp(path, "-") != 0 &&
	       (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

struct wanted {
	struct first *first;
	struct expr *expr;
};

/* Of inputs in order of time: nothing behind the first event counts. */
static bool
take_first(void *arg, struct source *s, const struct batch *b)
{
	const struct wanted *w = arg;

	add_batch(w->first, s, b, w->expr);
	return !w->first->any;
}

char *
first_time(const struct read_options *opt, char *const *paths, size_t n, const char *text,
	   const char *key)
{
	struct expr *e = expr_parse(text);
	struct read_options quiet = *opt;
	struct batch *b = xcalloc(1, sizeof *b);
	struct first f = {.any = false};
	struct buf to = {0};
	struct source s;

	expr_key(e, key);
	quiet.quiet = true;
	quiet.need = NEED_TIME | expr_need(e);
	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i += s.npaths) {
		s.npaths = 1;
		if (!is_file(paths[i])) {
			if (n > 1)
				die("%s: --from-first reads several inputs twice, which "
				    "must be files then; --origin takes a time",
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
			add_batch(&f, &s, b, e);
		source_close(&s);
	}
	if (opt->merge && n && is_file(paths[0]))
		trace_each(
		    &quiet, paths, n,
		    &(struct consumer){take_first, NULL, NULL, &(struct wanted){&f, e}});
	if (f.any) {
		buf_to(&to, value_put(buf_room(&to, 64 + PUT_SLACK),
				      time_between(f.clock, 0, f.time)));
		buf_byte(&to, '\0');
	}
	buf_free(&b->own);
	free(b);
	expr_free(e);
	return (char *)to.p;
}
