/* first.c - the earliest of the first events of all inputs. */
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

/* Of the next events of s; false where it has none that counts. */
static bool
add_batch(struct first *f, struct source *s, const struct batch *b, struct expr *e)
{
	uint32_t pick[BATCH], n = e ? expr_run(e, s, b, pick) : b->n;
	uint64_t flip = time_flip(s->head.clock);
	const struct rec *r;

	if (!n)
		return false;
	r = (const struct rec *)(const void *)(b->base + b->off[e ? pick[0] : 0]);
	if (!f->any || (f->clock == s->head.clock &&
			((uint64_t)r->time ^ flip) < ((uint64_t)f->time ^ flip)))
		*f = (struct first){true, s->head.clock, r->time};
	return true;
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

bool
first_time(const struct read_options *opt, char *const *paths, size_t n, const char *text,
	   struct buf *to)
{
	struct read_options quiet = *opt;
	struct batch *b = xcalloc(1, sizeof *b);
	struct expr *e = text ? expr_parse(text) : NULL;
	struct first f = {.any = false};
	struct source s;
	bool alone = n < 2;

	quiet.quiet = true;
	inputs_begin(opt, (const char *const *)paths, n);
	for (size_t i = 0; i < n; i += s.npaths) {
		s.npaths = 1;
		if (!is_file(paths[i])) {
			if (n > 1)
				die("%s: --from-first reads several inputs twice, which "
				    "must be files; --from has a time instead",
				    paths[i]);
			break;
		}
		if (!source_open(&s, &quiet, (const char *const *)paths + i, n - i)) {
			s.npaths = 1;
			continue;
		}
		alone = !i && s.npaths == n && !s.fmt->grain;
		while (!alone && source_next(&s, b) && !add_batch(&f, &s, b, e))
			;
		source_close(&s);
	}
	if (f.any)
		buf_to(to, value_put(buf_room(to, 64 + PUT_SLACK),
				     time_between(f.clock, 0, f.time)));
	buf_add(to, "", 1);
	buf_free(&b->own);
	free(b);
	if (e)
		expr_free(e);
	return f.any;
}
