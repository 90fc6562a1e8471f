/*
 * tracks.h - where events that last are drawn: a process, a thread of it, and as many lanes
 * as events overlap there.
 *
 * The parts of loc but the last are the process; without any it is the trace's format. What
 * is drawn in a lane nests: an event that overlaps another one goes to the next lane.
 */
#ifndef SPOOR_TRACKS_H
#define SPOOR_TRACKS_H

#include "input/cached_text.h"
#include "input/cache.h"
#include "input/source.h"

/* Events that overlap in one place at most. */
/* Bound: trace-export perfetto | events at a time in one place | events that overlap | 1024 | events overlap in one place */
#define LANES_MOST 1024

struct track_lane {
	uint32_t id;   /* from 1, of no other lane */
	uint32_t tid;  /* of no other lane of the process; see tracks_pid */
	int64_t begin; /* of the event put there last */
	/* The words of the writer for a moment, and for what lasts. */
	struct cached_text moment, slice;
	/* Ends of those that are open; the innermost is the last. */
	int64_t *end;
	uint32_t n;
	size_t cap;
};

/* A thread: a place that events name. */
struct track_place {
	uint32_t process; /* from 1 */
	const char *name;
	bool inner; /* loc has parts before it */
	bool
	    alone; /* there are none, or it is a rank: for Paraver it is a process of its own */
	struct track_lane *lane;
	uint32_t lanes;
	size_t cap;
};

/* Functions that are called as soon as something is known; each may be NULL. Names are as a stream has them. */
struct track_writer {
	void (*process)(void *arg, uint32_t process, const char *name);
	/* The n-th lane of a place, from 0. */
	void (*lane)(void *arg, const struct track_place *p, uint32_t n);
	/* Appends a text of a lane: of what lasts, or of a moment. */
	void (*text)(void *arg, const struct track_place *p, const struct track_lane *l,
		     bool lasts, struct buf *to);
	/* The innermost event that is open in a lane ends. */
	void (*end)(void *arg, const struct track_lane *l, int64_t time);
	void *arg;
};

/*
 * The number of a process that viewers show, and of a thread: they show threads in the order of
 * numbers. So that of a thread is its own, where it has one: of rank 3 it is 3. Only 0 is not a
 * thread for them; it gets the number of its process, and is shown first. Numbers that have been
 * made up are above those of Linux.
 */
#define TID_MOST (1u << 22)
static inline uint32_t
tracks_pid(uint32_t process)
{
	return TID_MOST + process;
}

/* Zero it, set the writer. */
struct tracks {
	struct track_writer to;
	struct strtab processes, places; /* by name */
	struct track_place *place;
	size_t cap;
	uint32_t *at; /* by number of loc: its place, and 1 */
	struct cache at_cache;
	uint32_t ids; /* given out */
	/* By process: its threads, where they are counted, since the first has no number. */
	uint32_t *counted;
	size_t counted_cap;
	struct buf name, text;
	struct arena mem; /* of the texts of lanes */
};

/* To be called for each batch, before the others. */
void tracks_bind(struct tracks *t, const struct source *s);
/* The place of a loc that has none yet. */
struct track_place *tracks_new_place(struct tracks *t, const struct source *s,
				     uint32_t loc);
/* The place of a loc, the number of a string. Good until the next call. */
static inline struct track_place *
tracks_place(struct tracks *t, const struct source *s, uint32_t loc)
{
	uint32_t n = loc < t->at_cache.cap ? t->at[loc] : 0;

	return likely(n) ? &t->place[n - 1] : tracks_new_place(t, s, loc);
}
/*
 * The lane of an event from `begin` to `end` (not before it). It stays open there until a later
 * one begins behind its end. NULL if too many overlap.
 */
struct track_lane *tracks_lane(struct tracks *t, struct track_place *p, int64_t begin,
			       int64_t end);
/* Ends all that is open. */
void tracks_end(struct tracks *t);
/* Frees. */
void tracks_close(struct tracks *t);

#endif
