/*
 * lanes.h - locations as at most 64 rows of a picture, in their natural order: where there are
 * more, neighbours share a row. None is dropped.
 */
#ifndef SPOOR_LANES_H
#define SPOOR_LANES_H

#include "trace-plot/names.h"

/* Bound: trace-plot | lanes | places | 64 | - */
#define LANES_MOST 64u
/* Lanes that `room` may ask for. */
#define LANES_ROOM 320u

/* A range of locations. */
struct lane {
	uint32_t first, last; /* numbers of names */
	uint32_t n;	      /* how many there are */
	uint32_t row;	      /* its place in a table that stays as long as the lane */
};

/* Zero it, and set `room`, `shared`, `join` and `arg`. */
struct lanes {
	uint32_t
	    room; /* that many are kept apart until lanes_fit: the more, the more even are the groups */
	struct lane lane[LANES_ROOM]; /* in natural order */
	uint32_t n;
	uint32_t *of; /* by number of a name: row + 1 */
	size_t cap;
	uint32_t free[LANES_ROOM], nfree, nrows; /* rows that no lane has */
	bool
	    *shared; /* set where which share a row hangs on the order in which they came */
	/* Row i becomes part of row to[i], or stays where that is i. */
	void (*join)(void *arg, const uint32_t *to);
	void *arg;
};

/* The row of name `id` of `names`, which is new, or may be. */
uint32_t lanes_new(struct lanes *l, const struct names *names, uint32_t id);
static inline uint32_t
lanes_row(struct lanes *l, const struct names *names, uint32_t id)
{
	return likely(id < l->cap && l->of[id]) ? l->of[id] - 1 : lanes_new(l, names, id);
}
/* Leaves at most `most` lanes, with as many locations each as what was kept apart lets them have. */
void lanes_fit(struct lanes *l, uint32_t most);
/* How many locations have a lane. */
uint32_t lanes_places(const struct lanes *l);
/* Appends a lane's name: "rank 3", "0–15"; of several, the first and the last. Where the name is a
 * number, `place`, or `places`, stands before it if it is not empty. */
void lanes_name(const struct lane *l, const struct names *names, const char *place,
		const char *places, struct buf *text);
/* Appends it for a table: a name, or the first and the last: "0..15". */
void lanes_put(const struct lane *l, const struct names *names, struct buf *b);
void lanes_free(struct lanes *l);

#endif
