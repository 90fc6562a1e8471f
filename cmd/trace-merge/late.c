/* late.c - reports the late events of each input: see merging.h. */
#include "merge/lateness.h"
#include "trace-merge/merging.h"

/* Consumer of lateness_tell(). */
struct tell {
	struct lateness late; /* of the current input */
	bool any;
};

static bool
tell_batch(void *arg, struct source *s, const struct batch *b)
{
	struct tell *t = arg;
	uint64_t flip = time_flip(s->head.clock);

	for (uint32_t i = 0; i < b->n; i++)
		lateness_add(&t->late, (uint64_t)batch_rec(b, i)->time ^ flip);
	return true;
}

/* Reports the late events of an input, or of one stream in it. */
static void
tell_end(void *arg, struct source *s)
{
	struct tell *t = arg;
	struct lateness *l = &t->late;
	char by[32];

	if (l->late) {
		t->any = true;
		lateness_text(by, s->head.clock, l->by);
		warn("%s: event %llu: out of order, %llu more, up to %s late", s->name,
		     (unsigned long long)l->first, (unsigned long long)l->late - 1, by);
	}
	lateness_free(l);
}

int
lateness_tell(const struct read_options *opt, char *const *paths, size_t n)
{
	struct read_options read = *opt;
	struct tell t = {.any = false};
	int status;

	read.need = NEED_TIME | NEED_ORDER;
	read.head_done = tell_end;
	read.head_arg = &t;
	status =
	    trace_each(&read, paths, n,
		       &(struct consumer){.batch = tell_batch, .end = tell_end, .arg = &t});
	return status == ST_OK && t.any ? ST_NONE : status;
}
