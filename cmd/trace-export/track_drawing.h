/*
 * track_drawing.h - events as slices, moments and counters over time: what Perfetto's own form and
 * Chrome's have in common. When an event is drawn, and where; the values of -C.
 */
#ifndef SPOOR_TRACK_DRAWING_H
#define SPOOR_TRACK_DRAWING_H

#include "view/field.h"
#include "trace-export/tally.h"
#include "trace-export/tracks.h"
#include "cells/values.h"
#include "view/traits.h"

/*
 * Writes a value of -C, the i-th of the list, which is so called: at a time, in the process
 * of a place. `text` is a number as JSON writes it; `whole`: one of 64 bits with a sign.
 */
typedef void draw_counter(void *arg, const struct track_place *place, size_t i,
			  const char *label, int64_t time, const char *text, bool whole);

struct track_drawing {
	struct tracks tracks;
	struct tally tally;
	bool headed;	      /* the writer's own: the head has been written */
	bool begun;	      /* there was an event */
	bool no_browser;      /* how many it shows is of no interest */
	int64_t shift;	      /* added to all times, so that none is below 0 */
	uint64_t most;	      /* times from 0 to here are known to fit then */
	struct values values; /* of -C */
	draw_counter *counter;
	void *arg;
	struct buf text;
};

/* Begins, for a form's `begin`. What `counter` gets first is `arg`. */
void drawing_begin(struct track_drawing *d, struct sink *k, struct read_options *opt,
		   const struct track_writer *to, draw_counter *counter, void *arg);
/* Before the events pick[0..n) of a batch, or its first n where pick is NULL. */
void drawing_bind(struct track_drawing *d, struct source *s, const struct batch *b,
		  const uint32_t *pick, uint32_t n);
/* For drawing_event and drawing_done: all cases. */
enum skip drawing_any(struct track_drawing *d, const struct source *s, const struct rec *r,
		      int64_t *begin, int64_t *end, struct track_place **place,
		      const struct track_lane **lane);
void drawing_counters(struct track_drawing *d, const struct source *s, const struct rec *r,
		      uint32_t j);

/*
 * When r begins and ends, and where. One without a dur ends as it begins; it is in the first
 * lane. SKIPS, or why it is not drawn.
 */
static INLINE enum skip
drawing_event(struct track_drawing *d, const struct source *s, const struct rec *r,
	      int64_t *begin, int64_t *end, struct track_place **place,
	      const struct track_lane **lane)
{
	if ((uint64_t)r->time > d->most || r->has & HAS_DUR)
		return drawing_any(d, s, r, begin, end, place, lane);
	*begin = *end = r->time + d->shift;
	*place = tracks_place(&d->tracks, s, r->loc);
	*lane = (*place)->lane;
	return SKIPS;
}

/* A form's see, whose state begins with a struct track_drawing. */
void drawing_see(struct sink *k, struct source *s, const struct batch *b);

/* Returns the name of events of a type: that of the state that they are or enter, by its longer name, if
 * the format has one. Good as long as the type, and `room`. */
const char *drawing_name(const struct source *s, const struct type *ty,
			 char room[STATE_ROOM]);

/* Calls `add` for each field that stands beside an event of a type: of columns addr and size, and all
 * arguments. */
#define DRAWING_COLUMNS 2
void drawing_fields(const struct source *s, const struct type *ty,
		    void (*add)(void *arg, const char *name, const struct field *f),
		    void *arg);

/* After each event, the j-th of those that are written and number `at` of the batch: what
 * became of it. */
static INLINE void
drawing_done(struct track_drawing *d, const struct source *s, const struct rec *r,
	     enum skip skip, uint32_t at, uint32_t j)
{
	if (unlikely(skip != SKIPS)) {
		tally_skip(&d->tally, skip);
		return;
	}
	tally_event(&d->tally, r);
	if (unlikely(d->values.list && !d->values.refused))
		drawing_counters(d, s, r, values_at(&d->values, at, j));
}

/* Says what was left out, and frees. Gives ST_TROUBLE where an event was. */
int drawing_close(struct track_drawing *d, const struct sink *k);

#endif
