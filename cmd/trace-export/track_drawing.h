/* track_drawing.h - events as slices, instants and counters over time, for the targets perfetto, chrome and
 * paraver: when and where an event is drawn, and the values of -C. */
#ifndef SPOOR_TRACK_DRAWING_H
#define SPOOR_TRACK_DRAWING_H

#include "view/field.h"
#include "trace-export/tally.h"
#include "trace-export/tracks.h"
#include "cells/values.h"
#include "view/traits.h"

/* Writes value i of -C, named `label`, at a time, for the process of a place. `text` is a number as in JSON;
 * `whole`: it is a signed 64-bit integer. */
typedef void draw_counter(void *arg, const struct track_place *place, size_t i,
			  const char *label, int64_t time, const char *text, bool whole);

struct track_drawing {
	struct tracks tracks;
	struct tally tally;
	bool headed;	      /* for the writer: the head is written */
	bool begun;	      /* there was an event */
	bool no_browser;      /* do not warn that a browser cannot show so many events */
	int64_t shift;	      /* added to all times, so that none is below 0 */
	uint64_t most;	      /* times from 0 to here fit with `shift` */
	struct values values; /* values of -C */
	draw_counter *counter;
	void *arg;
	struct buf text;
};

/* Begins a drawing, for a form's `begin`. `arg` is the first argument of `counter`. */
void drawing_begin(struct track_drawing *d, struct sink *k, struct read_options *opt,
		   const struct track_writer *to, draw_counter *counter, void *arg);
/* Notes the source, and computes -C, before the events pick[0..n) of a batch; if pick is NULL, before its first
 * n. */
void drawing_bind(struct track_drawing *d, struct source *s, const struct batch *b,
		  const uint32_t *pick, uint32_t n);
/* Places any event, for drawing_event(). drawing_counters() writes the values of -C of event j, for
 * drawing_done(). */
enum skip drawing_any(struct track_drawing *d, const struct source *s, const struct rec *r,
		      int64_t *begin, int64_t *end, struct track_place **place,
		      const struct track_lane **lane);
void drawing_counters(struct track_drawing *d, const struct source *s, const struct rec *r,
		      uint32_t j);

/* Sets when r begins and ends, and its lane. An event without a dur ends as it begins, and is in the first
 * lane. Returns SKIPS, or why r is not drawn. */
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

/* Looks at the events before they are selected: form.see, for a state that begins with a struct track_drawing. */
void drawing_see(struct sink *k, struct source *s, const struct batch *b);

/* Returns the name for events of a type: of the state that they are or enter, by its longer name, if the format
 * has states; else of the event. Valid as long as the type and `room`. */
const char *drawing_name(const struct source *s, const struct type *ty,
			 char room[STATE_ROOM]);

/* Calls `add` for each field of an event that is not drawn: the columns addr and size, and all arguments. */
#define DRAWING_COLUMNS 2
void drawing_fields(const struct source *s, const struct type *ty,
		    void (*add)(void *arg, const char *name, const struct field *f),
		    void *arg);

/* Counts an event after it was drawn, or why not. It was number `at` of the batch, and number j of the selected
 * events. */
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

/* Reports what was left out, and frees what d holds. Returns ST_TROUBLE if an event was left out. */
int drawing_close(struct track_drawing *d, const struct sink *k);

#endif
