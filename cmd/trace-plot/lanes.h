/*
 * lanes.h - locations as at most 64 rows of a picture, in their natural order: where there are
 * more, neighbours share a row. None is dropped. Which names share one hangs on the names alone, not on
 * the order of events.
 */
#ifndef SPOOR_LANES_H
#define SPOOR_LANES_H

#include "trace-plot/plot_names.h"

/* Bound: trace-plot | lanes | places | 64 | - */
#define LANES_MOST 64u
/* Lanes that `room` may ask for. */
#define LANES_ROOM 1024u

/* A range of locations. */
struct lane {
	uint32_t first, last; /* numbers of names */
	uint32_t n;	      /* how many there are */
	uint32_t row;	      /* its place in a table that stays as long as the lane */
};

/* Zero it, and set `room`, `shared`, `join` and `arg`. */
struct lanes {
	uint32_t room; /* that many lanes are kept apart; rows are 0 to room */
	struct lane lane[LANES_ROOM + 1]; /* in natural order */
	uint32_t n;
	/* 0: each name has a lane. Else names share one whose bits agree, except for so many of
	 * the last (lanes.c). */
	uint32_t coarse;
	uint32_t *of; /* by number of a name: row + 1 */
	size_t cap;
	uint32_t free[LANES_ROOM + 1], nfree, nrows; /* rows that no lane has */
	bool twos;    /* rows are of 2^k neighbours; else of as few as can be */
	bool *shared; /* set where names share a lane before lanes_fit */
	/* Row i becomes part of row to[i], or stays where that is i. */
	void (*join)(void *arg, const uint32_t *to);
	void *arg;
};

/* The row of name `id` of `names`, which is new, or may be. Rows of other names may change. */
uint32_t lanes_new(struct lanes *l, const struct names *names, uint32_t id);
static inline uint32_t
lanes_row(struct lanes *l, const struct names *names, uint32_t id)
{
	return likely(id < l->cap && l->of[id]) ? l->of[id] - 1 : lanes_new(l, names, id);
}
/* Joins the lanes whose names agree the most, of which there are at least two. */
void lanes_coarsen(struct lanes *l, const struct names *names);
/* Groups the lanes into at most `most` rows, each of as many neighbours, the last of the rest. A lane that has
 * several names is not divided, so that rows may then differ. Writes the rows to row[0..result), and the
 * row of lane i to of[i]. */
uint32_t lanes_group(const struct lanes *l, uint32_t most, struct lane *row, uint32_t *of);
/* Joins the lanes of each of these rows. */
void lanes_fit(struct lanes *l, uint32_t most);
/* How many locations n lanes have. */
uint32_t lanes_places(const struct lane *lane, uint32_t n);
/* Appends a lane's name: "rank 3", "0–15"; of several, the first and the last. Where the name is a
 * number, `place`, or `places`, stands before it if it is not empty. */
void lanes_name(const struct lane *l, const struct names *names, const char *place,
		const char *places, struct buf *text);
/* Appends it for a table: a name, or the first and the last: "0..15". */
void lanes_put(const struct lane *l, const struct names *names, struct buf *b);
void lanes_free(struct lanes *l);

#endif
