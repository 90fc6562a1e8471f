/*
 * slice.h - selects the events of an input in a slice of time (--from and --to).
 *
 * All events pass slice_keep, so the result is always the events for which `time >= FROM and time < TO` is true.
 * If a format's events are in order of time, and the input is a regular file, chunk.c calls slice_find, a binary
 * search, and the bytes outside of the slice are not read.
 */
#ifndef SPOOR_SLICE_H
#define SPOOR_SLICE_H

#include "base/num.h"
#include "input/source.h"

/* One end of the slice. */
struct slice_time {
	bool set;
	const char *text; /* the time as it was typed */
	/* `ns` is the time since 1970; otherwise `num` in seconds or ticks */
	bool date;
	bool back; /* end-TIME: `num` is the distance from the end */
	uint64_t ns;
	/* Greatest time of the inputs, as an unsigned number in the order of times. Set by inputs_last_time. */
	uint64_t end;
	struct num num;
};

struct head;
/* Converts t to the clock of h. Sets *v to the time as an unsigned number in the order of times. Sets *all to true
 * if t is greater than every time of the clock; *v is then the greatest time. If t is less than every time, *v is
 * 0. Returns NULL, or the error in static memory if this clock has no such time. */
const char *slice_clock(const struct head *h, const struct slice_time *t, uint64_t *v,
			bool *all);

struct time_slice {
	struct slice_time from, to; /* from `from` on, and before `to` */
	bool ended;		    /* inputs_last_time has found the last time */
	/* inputs_last_time is reading: only source_slice.last counts */
	bool last;
};

/* Parses a time as the user types it into *t: a number of seconds or ticks, with or without a unit of time; or a
 * date YYYY-MM-DD, with or without Thh:mm, :ss, a fraction and a zone. `text` must stay. Returns NULL, or the
 * error in static memory. */
const char *slice_time(struct slice_time *t, const char *text);

/* Sets s->slice.least and s->slice.most for the head of s. Returns false, with a message, and sets s->stop if the
 * clock has no such times. */
bool slice_ready(struct source *s, const struct time_slice *slice);
/* Selects the events of the slice among the events (*pick)[0..n) of b, a batch of s; among the first n if *pick is
 * NULL. Writes their numbers to `room`, and sets *pick to `room`. Returns how many there are; 0 after an error of
 * slice_ready. */
uint32_t slice_pick(struct source *s, const struct time_slice *slice, const struct batch *b,
		    uint32_t room[BATCH], const uint32_t **pick, uint32_t n);
/* Removes the events outside of the slice from the batch b of s. Returns false after an error of slice_ready. */
bool slice_keep(struct source *s, const struct time_slice *slice, struct batch *b);

/* Searches the regular file of s for the slice s->opt->slice; the format of s must guarantee the order of times. s must
 * be open; slice_ready need not have been called. Sets [*begin,
 * *end) to bytes that contain the slice and begin with a record. *end is UINT64_MAX if the slice may reach the end
 * of the file. Returns false, and the whole file in *begin and *end, if times are not in order. If the file cannot
 * be read, or the clock has no such times, returns true and the whole file, without a message: reading s reports the
 * error. The file is opened
 * once more, so s->in does not change. */
bool slice_find(struct source *s, uint64_t *begin, uint64_t *end);

#endif
