/* track_drawing.c - see track_drawing.h */
#include "base/die.h"
#include "cells/row_writer.h"
#include "trace-export/track_drawing.h"
#include "view/traits.h"

/* Limit of events that Perfetto's UI shows in 4 GB of a browser. */
#define SHOWN_MOST 5000000

void
drawing_begin(struct track_drawing *d, struct sink *k, struct read_options *opt,
	      const struct track_writer *to, draw_counter *counter, void *arg)
{
	const struct export_options *e = export_asked(k);

	d->tally.target = e->target;
	d->tally.carries = e->target->carries;
	d->tracks.to = *to;
	d->counter = counter;
	d->arg = arg;
	if (e->counters)
		values_begin(&d->values, exprs_parse(e->counters, PARSE_LIST, NULL),
			     e->cells.keys, opt);
}

void
drawing_bind(struct track_drawing *d, struct source *s, const struct batch *b,
	     const uint32_t *pick, uint32_t n)
{
	tracks_bind(&d->tracks, s);
	tally_bind(&d->tally, s);
	values_put(&d->values, s, b, pick, n);
}

void
drawing_see(struct sink *k, struct source *s, const struct batch *b)
{
	struct track_drawing *d = k->state;

	values_see(&d->values, s, b);
}

const char *
drawing_name(const struct source *s, const struct type *ty, char room[STATE_ROOM])
{
	return source_state(s, ty, room) ? room : ty->event;
}

void
drawing_fields(const struct source *s, const struct type *ty,
	       void (*add)(void *arg, const char *name, const struct field *f), void *arg)
{
	static const char *const columns[DRAWING_COLUMNS] = {"addr", "size"};

	for (unsigned i = 0; i < DRAWING_COLUMNS; i++) {
		struct field f = field_find(columns[i], &s->head, ty);

		if (f.kind != FIELD_NONE)
			add(arg, columns[i], &f);
	}
	type_args(ty, add, arg);
}

/* Sets *begin and *end of r. Returns SKIPS, or why r is not written. The first event has the smallest time,
 * which may be negative: all times are shifted by it. */
static enum skip
times_of(struct track_drawing *d, const struct head *h, const struct rec *r, int64_t *begin,
	 int64_t *end)
{
	if (h->clock == CLOCK_TICKS && r->time < 0)
		return SKIP_LARGE;
	if (unlikely(!d->begun) && r->time < 0 && r->time != INT64_MIN)
		d->shift = -r->time;
	d->begun = true;
	d->most = (uint64_t)(INT64_MAX - d->shift);
	if (r->time > INT64_MAX - d->shift)
		return SKIP_LARGE;
	*begin = *end = r->time + d->shift;
	if (*begin < 0)
		return SKIP_BEFORE;
	if (!(r->has & HAS_DUR))
		return SKIPS;
	if (r->dur < 0)
		return SKIP_BACK;
	if (r->dur > INT64_MAX - *begin)
		return SKIP_LARGE;
	*end = *begin + r->dur;
	return SKIPS;
}

enum skip
drawing_any(struct track_drawing *d, const struct source *s, const struct rec *r,
	    int64_t *begin, int64_t *end, struct track_place **place,
	    const struct track_lane **lane)
{
	enum skip skip = times_of(d, &s->head, r, begin, end);

	if (unlikely(skip != SKIPS))
		return skip;
	*place = tracks_place(&d->tracks, s, r->loc);
	*lane = r->has & HAS_DUR ? tracks_lane(&d->tracks, *place, *begin, *end)
				 : &(*place)->lane[0];
	return likely(*lane) ? SKIPS : SKIP_LANES;
}

/* Writes the values of -C of an event, number j of the selected events. */
void
drawing_counters(struct track_drawing *d, const struct source *s, const struct rec *r,
		 uint32_t j)
{
	const struct expr_tree *tree = exprs_tree(d->values.list);
	const struct track_place *place = tracks_place(&d->tracks, s, r->loc);
	struct val_env env = {.clock = s->head.clock};

	for (size_t i = 0; i < tree->nlets; i++) {
		struct val v = vec_val(exprs_vec(d->values.list, i), j);

		v = val_number(&v);
		if (v.kind == VAL_NONE || v.kind == VAL_TEXT)
			continue;
		d->text.n = 0;
		val_put(&d->text, &env, &v);
		buf_byte(&d->text, '\0');
		d->counter(d->arg, place, i, tree->lets[i].label, r->time + d->shift,
			   (const char *)d->text.p,
			   v.kind == VAL_WHOLE && i128_is_i64(v.n));
	}
}

int
drawing_close(struct track_drawing *d, const struct sink *k)
{
	uint64_t written = 0;
	int status;

	for (size_t i = 0; i < 2 * HAS_LOC; i++)
		written += d->tally.had[i];
	if (written > SHOWN_MOST && !d->no_browser)
		warn("%llu events are more than the UI of Perfetto shows in a browser; "
		     "trace-filter selects some",
		     (unsigned long long)written);
	status = tally_close(&d->tally);
	if (values_close(&d->values, k) != ST_OK)
		status = ST_TROUBLE;
	tracks_close(&d->tracks);
	buf_free(&d->text);
	return status;
}
