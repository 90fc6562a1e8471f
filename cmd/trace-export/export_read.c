/* export_read.c - see export_read.h.
 *
 * A target that draws states needs them as events with a duration. A reader of such a trace makes them; in a
 * stream that still has their begin and end events, the pair engine makes them. */
#include <string.h>

#include "trace-export/export_read.h"
#include "merge/merged.h"
#include "input/trace.h"
#include "pair/pair.h"
#include "view/traits.h"

/* One reading of all inputs. */
struct export_reading {
	struct event_copy *pass;
	const struct target *target;
	struct expr *expr;	/* of `pass`, or a copy for the first reading */
	bool learns;		/* it is the first of two readings */
	struct pairing *states; /* NULL: the target does not draw states */
	unsigned head_serial;	/* serial of the head that `pairs` is for */
	bool pairs;		/* the input is a stream with begin and end events */
};

static void
read_put(void *arg, struct source *s, const struct batch *b)
{
	struct export_reading *r = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	if (!expr_choose(r->expr, s, b, room, &pick, &n))
		return;
	if (r->learns) {
		r->target->learn(&r->pass->sink, s, b, pick, n);
		return;
	}
	sink_see(&r->pass->sink, s, b);
	sink_put(&r->pass->sink, s, b, pick, n);
}

static void
put_end(void *arg, struct source *s)
{
	struct export_reading *r = arg;

	if (!r->learns)
		sink_end(&r->pass->sink, s);
}

static bool
has_states(struct export_reading *r, const struct source *s)
{
	if (r->head_serial != s->head_serial)
		r->pairs = r->states && traits_source(s)->state &&
			   strcmp(s->head.format, s->fmt->name) != 0;
	r->head_serial = s->head_serial;
	return r->pairs;
}

static bool
read_take(void *arg, struct source *s, const struct batch *b)
{
	struct export_reading *r = arg;

	if (has_states(r, s))
		pairing_take(r->states, s, b);
	else
		read_put(r, s, b);
	return true;
}

static void
take_end(void *arg, struct source *s)
{
	struct export_reading *r = arg;

	if (has_states(r, s))
		pairing_end(r->states, s);
	else
		put_end(r, s);
}

/* Returns the fields that the readers must fill in. The arguments of a state distinguish it from other states. */
static unsigned
need_of(const struct source *s)
{
	return traits_source(s)->state ? NEED_ALL : 0;
}

static int
read_once(struct export_reading *r, struct read_options *opt, char *const *paths, size_t n)
{
	static const struct pair_options keep = {.keep = true};
	int status;

	if (r->target->lasts)
		r->states = pairing_new(&keep, &(struct pair_sink){read_put, put_end, r});
	opt->head_done = take_end;
	opt->head_arg = r;
	status =
	    trace_each(opt, paths, n,
		       &(struct consumer){.batch = read_take, .end = take_end, .arg = r});
	if (r->states && pairing_finish(r->states) != ST_OK)
		status = ST_TROUBLE;
	return status;
}

/* Does the first of two readings without messages; the second one reports errors. It has an expression of its
 * own, because prev, nth and total must begin anew. */
static void
learn_inputs(struct export_reading r, const struct read_options *opt, char *const *paths,
	     size_t n)
{
	struct read_options quiet = *opt;

	quiet.quiet = true;
	if (r.target->learns)
		quiet.need = r.target->learns | expr_need(r.expr);
	r.learns = true;
	r.expr = expr_parse(r.pass->test);
	expr_key(r.expr, r.pass->keys);
	read_once(&r, &quiet, paths, n);
	expr_free(r.expr);
}

int
export_read(struct event_copy *p, struct read_options *opt, char *const *paths, size_t n)
{
	struct export_reading r = {
	    .pass = p, .target = export_asked(&p->sink)->target, .expr = p->expr};

	if (r.target->lasts) {
		opt->states = true;
		/* A state that begins earlier is drawn earlier, or in another lane. */
		opt->merge = &merge_by_time.is;
		opt->need_of = need_of;
		opt->own_temporaries++;
	}
	if (r.target->learn &&
	    !(r.target->once ? r.target->once(&p->sink)
			     : export_asked(&p->sink)->cells.fields != NULL)) {
		off_t at = trace_keep(opt, paths, n);

		learn_inputs(r, opt, paths, n);
		trace_again(at);
	}
	return r.target->lasts ? read_once(&r, opt, paths, n)
			       : event_copy_read(p, opt, paths, n);
}
