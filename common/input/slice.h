/*
 * slice.h - --from and --to: of an input only the events of a stretch of time.
 *
 * All events pass slice_keep, so what comes out is what `time >= FROM and time < TO` selects.
 * Where a format's events stand in order of time, and the input is a regular file, chunk.c has
 * slice_find search it by halves, and what lies outside is not read.
 */
#ifndef SPOOR_SLICE_H
#define SPOOR_SLICE_H

#include "base/num.h"
#include "input/source.h"

/* One end of the stretch. */
struct slice_time {
	bool set;
	const char *text; /* as it was typed */
	bool date;	  /* `ns` since 1970; else `num`, in seconds or ticks */
	bool back;	  /* end-TIME: `num` before the end */
	uint64_t ns;
	/* The greatest time of the inputs, as times compare: inputs_end sets it. */
	uint64_t end;
	struct num num;
};

struct head;
/* *v = the time in the clock of h, as times compare (unsigned); *all: it is greater than every time of the clock. NULL,
 * or why this clock has no such time. */
const char *slice_clock(const struct head *h, const struct slice_time *t, uint64_t *v,
			bool *all);

struct time_slice {
	struct slice_time from, to; /* events from `from` on, and before `to` */
	bool ended;		    /* inputs_end has found the end */
	bool last;		    /* inputs_end reads, for source.slice.last alone */
};

/* Takes a time as it is typed: a number of seconds or ticks, with a unit of time if there is
 * one; or a date, YYYY-MM-DD, with Thh:mm, :ss, a fraction and a zone behind it or not. NULL, or
 * what is expected. */
const char *slice_time(struct slice_time *t, const char *text);

/* Sets s->least and s->most for the head of s. False, with a message, where its
 * clock has no such times; s->stop is set then. */
bool slice_ready(struct source *s, const struct time_slice *slice);
/* Of the events pick[0..n) of b, a batch of s, or its first n if *pick is NULL: those of the slice, in
 * `room`, which *pick is then. Gives how many they are. */
uint32_t slice_pick(struct source *s, const struct time_slice *slice, const struct batch *b,
		    uint32_t room[BATCH], const uint32_t **pick, uint32_t n);
/* Leaves of the batch only the events of the slice. False as slice_ready. */
bool slice_keep(struct source *s, const struct time_slice *slice, struct batch *b);

/*
 * Searches the regular file of s, whose format says that events are in order: the slice lies in
 * the bytes [*begin, *end), which begin at a record; *end is UINT64_MAX where it may be the end
 * of the file. False where the order does not hold at the places looked at.
 */
bool slice_find(struct source *s, uint64_t *begin, uint64_t *end);

#endif
