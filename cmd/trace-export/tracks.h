/* tracks.h - where events are drawn: in a process, a thread of it, and a lane of the thread.
 *
 * The parts of loc except the last one are the process; if there is one part, the process is the trace's
 * format. Events in a lane nest: an event that overlaps another one without nesting goes to the next lane. */
#ifndef SPOOR_TRACKS_H
#define SPOOR_TRACKS_H

#include "input/cached_text.h"
#include "input/cache.h"
#include "input/source.h"

/* Limit of events that overlap in one place. */
/* Bound: trace-export perfetto | events at a time in one place | events that overlap | 1024 | events overlap in one place */
#define LANES_MOST 1024

struct track_lane {
	uint32_t id;   /* unique, from 1 */
	uint32_t tid;  /* unique in the process; see tracks_pid */
	int64_t begin; /* begin of the last event in it */
	/* Text of the writer for an instant, and for a slice. */
	struct cached_text moment, slice;
	/* Ends of the open events; the innermost is last. */
	int64_t *end;
	uint32_t n;
	size_t cap;
};

/* A thread: a place that events name. */
struct track_place {
	uint32_t process; /* from 1 */
	const char *name;
	bool inner; /* loc has parts before it */
	/* loc has no other parts, or it is a rank: for Paraver it is a process of its own */
	bool alone;
	struct track_lane *lane;
	uint32_t lanes;
	size_t cap;
};

/* Functions that tracks.c calls for new things; each may be NULL. Names have the escapes of a stream. */
struct track_writer {
	void (*process)(void *arg, uint32_t process, const char *name);
	/* A new lane of a place, number n from 0. */
	void (*lane)(void *arg, const struct track_place *p, uint32_t n);
	/* Appends the text of a lane: for a slice if `lasts`, else for an instant. */
	void (*text)(void *arg, const struct track_place *p, const struct track_lane *l,
		     bool lasts, struct buf *to);
	/* The innermost open event of a lane ends. */
	void (*end)(void *arg, const struct track_lane *l, int64_t time);
	void *arg;
};

/* Numbers of processes and threads: viewers sort threads by number, so a thread has its own number if there is
 * one, such as 3 for rank 3. Only 0 is not a thread for viewers: it gets the number of its process, and is
 * shown first. Numbers that are made up are above the numbers of Linux. */
#define TID_MOST (1u << 22)
static inline uint32_t
tracks_pid(uint32_t process)
{
	return TID_MOST + process;
}

/* All tracks. Zero it, and set `to`. */
struct tracks {
	struct track_writer to;
	struct strtab processes, places; /* by name */
	struct track_place *place;
	size_t cap;
	uint32_t *at; /* by number of loc: index of its place + 1 */
	struct cache at_cache;
	uint32_t ids; /* last id of a lane */
	/* By process: next number of a thread, if they are counted because the first has none; else UINT32_MAX. */
	uint32_t *counted;
	size_t counted_cap;
	struct buf name, text;
	struct arena mem; /* texts of lanes */
};

/* Notes the source. Must be called for each batch, before the other functions. */
void tracks_bind(struct tracks *t, const struct source *s);
/* Returns the place of a loc that is new, valid until the next call. */
struct track_place *tracks_new_place(struct tracks *t, const struct source *s,
				     uint32_t loc);
/* Returns the place of a loc, the number of a string. Valid until the next call. */
static inline struct track_place *
tracks_place(struct tracks *t, const struct source *s, uint32_t loc)
{
	uint32_t n = loc < t->at_cache.cap ? t->at[loc] : 0;

	return likely(n) ? &t->place[n - 1] : tracks_new_place(t, s, loc);
}
/* Returns the lane of an event from `begin` to `end` >= begin, or NULL if too many overlap. The event stays
 * open until a later event begins at or after its end. Events of a place should come in order of `begin`: one that is
 * earlier than the last event of a lane goes to another lane. The pointer is valid until the next call. */
struct track_lane *tracks_lane(struct tracks *t, struct track_place *p, int64_t begin,
			       int64_t end);
/* Ends all open events. */
void tracks_end(struct tracks *t);
/* Frees what t holds. */
void tracks_close(struct tracks *t);

#endif
