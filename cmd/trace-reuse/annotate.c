/* annotate.c - writes events with their distances: see reuse.h. */
#include <stdlib.h>
#include <string.h>

#include "expr/derive.h"
#include "input/trace.h"
#include "output/sink.h"
#include "trace-reuse/reuse.h"

enum {
	REUSE,
	SINCE,
	VALUES
};

struct annotate {
	struct sink sink;
	struct reuse *x;
	struct expr *expr;
	struct derive *derive;
	/* Values of the events of the current batch. */
	int64_t number[VALUES][BATCH];
	uint8_t there[BATCH];
};

/* Makes the notes of n events the values of derived events. */
static void
as_values(struct annotate *a, uint32_t n, struct vec v[VALUES])
{
	for (uint32_t i = 0; i < n; i++) {
		const struct reuse_note *note = &a->x->note[i];

		/* Times of more than 292 years are omitted. */
		a->there[i] = note->any && !note->cold && note->since <= INT64_MAX;
		a->number[REUSE][i] = (int64_t)note->distance;
		a->number[SINCE][i] = (int64_t)note->since;
	}
	v[REUSE] =
	    (struct vec){.kind = VAL_WHOLE, .there = a->there, .n = a->number[REUSE]};
	v[SINCE] = (struct vec){.kind = VAL_TIME, .there = a->there, .n = a->number[SINCE]};
}

static bool
annotate_batch(void *arg, struct source *s, const struct batch *b)
{
	struct annotate *a = arg;
	const struct batch *out;
	const uint32_t *pick;
	uint32_t room[BATCH], n;
	struct vec v[VALUES];
	struct source *made;

	if (!expr_choose(a->expr, s, b, room, &pick, &n))
		return true;
	memset(a->x->note, 0, BATCH * sizeof *a->x->note);
	reuse_add(a->x, s, b, pick, n);
	as_values(a, n, v);
	made = derive_given(a->derive, s, b, pick, n, v, &out);
	sink_put(&a->sink, made, out, NULL, out->n);
	return true;
}

static void
annotate_end_input(void *arg, struct source *s)
{
	struct annotate *a = arg;

	result_done(&a->x->ids, s);
	sink_end(&a->sink, s);
}

int
reuse_annotate(struct reuse *x, const struct write_options *write,
	       struct read_options *read, char *const *paths, size_t n, struct expr *e)
{
	struct annotate *a = xcalloc(1, sizeof *a);
	int status;

	x->note = xcalloc(BATCH, sizeof *x->note);
	a->x = x;
	a->expr = e;
	a->derive = derive_new(
	    exprs_parse("reuse = size, since = dur", PARSE_LIST | PARSE_DEFINES, NULL));
	sink_open(&a->sink, write);
	sink_begin(&a->sink, reuse_need(x) | expr_need(e), read);
	/* No line is copied unchanged. */
	read->streams_pass = false;
	status =
	    trace_each(read, paths, n,
		       &(struct consumer){
			   .batch = annotate_batch, .end = annotate_end_input, .arg = a});
	if (expr_finish(e, false) != ST_OK || reuse_check(x) != ST_OK)
		status = ST_TROUBLE;
	status = sink_close(&a->sink, status);
	derive_free(a->derive);
	free(a);
	return status;
}
