/* first.c - the earliest event of all inputs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/put.h"
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
	uint32_t pick[BATCH], n = e ? expr_run(e, s, b, pick) : b->n;
	uint64_t flip = time_flip(s->head.clock);

	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r =
		    (const struct rec *)(const void *)(b->base + b->off[e ? pick[i] : i]);

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

bool
first_time(const struct read_options *opt, char *const *paths, size_t n, struct expr *e,
	   struct buf *to)
{
	struct read_options quiet = *opt;
	struct batch *b = xcalloc(1, sizeof *b);
	struct first f = {.any = false};
	struct source s;

	quiet.quiet = true;
	quiet.need = NEED_TIME | (e ? expr_need(e) : 0);
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
		if (!source_open(&s, &quiet, (const char *const *)paths + i, n - i)) {
			s.npaths = 1;
			continue;
		}
		while (source_next(&s, b))
			add_batch(&f, &s, b, e);
		source_close(&s);
	}
	if (f.any)
		buf_to(to, value_put(buf_room(to, 64 + PUT_SLACK),
				     time_between(f.clock, 0, f.time)));
	buf_add(to, "", 1);
	buf_free(&b->own);
	free(b);
	return f.any;
}
