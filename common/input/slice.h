/*
 * slice.h - --from and --to: only the events of an input in a slice of time.
 *
 * All events pass slice_keep, so the result is always what `time >= FROM and time < TO` selects.
 * If a format's events are in order of time, and the input is a regular file, chunk.c calls
 * slice_find, a binary search, and the bytes outside of the slice are not read.
 */
#ifndef SPOOR_SLICE_H
#define SPOOR_SLICE_H

#include "base/num.h"
#include "input/source.h"

/* One end of the slice. */
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
/* Converts t to the clock of h. *v is the time as an unsigned number in the order of times. *all says whether t is
 * greater than every time of the clock; then *v is the greatest time. If t is less than every time, *v is 0. Returns
 * NULL, or the error in static memory if this clock has no such time. */
const char *slice_clock(const struct head *h, const struct slice_time *t, uint64_t *v,
			bool *all);

struct time_slice {
	struct slice_time from, to; /* events from `from` on, and before `to` */
	bool ended;		    /* inputs_end has found the end */
	bool last;		    /* inputs_end reads, for source.slice.last alone */
};

/* Parses a time as the user types it into *t: a number of seconds or ticks, which may have a unit of time; or a date,
 * YYYY-MM-DD, which may go on with Thh:mm, :ss, a fraction and a zone. `text` must stay. Returns NULL, or the error
 * in static memory. */
const char *slice_time(struct slice_time *t, const char *text);

/* Sets s->slice.least and s->slice.most for the head of s. Returns false, with a message, and sets s->stop if the
 * clock has no such times. */
bool slice_ready(struct source *s, const struct time_slice *slice);
/* Selects the events of the slice among those numbered (*pick)[0..n) of b, a batch of s; *pick NULL means the first
 * n. Writes their numbers to `room`, and sets *pick to `room`. Returns how many there are: 0 after an error of
 * slice_ready. */
uint32_t slice_pick(struct source *s, const struct time_slice *slice, const struct batch *b,
		    uint32_t room[BATCH], const uint32_t **pick, uint32_t n);
/* Removes the events outside of the slice from the batch b of s. Returns false after an error of slice_ready. */
bool slice_keep(struct source *s, const struct time_slice *slice, struct batch *b);

/*
 * Searches the regular file of s, whose format guarantees the order of times, for the slice: it lies within
 * the bytes [*begin, *end), which begin at a record. *end is UINT64_MAX if the slice may reach the end
 * of the file. Returns false, and the whole file in *begin and *end, if times that it has seen are not in order. If the
 * file cannot be read, returns true and the whole file, without a message: reading s reports the error. The file is
 * opened once more, so s->in does not change.
 */
bool slice_find(struct source *s, uint64_t *begin, uint64_t *end);

#endif
