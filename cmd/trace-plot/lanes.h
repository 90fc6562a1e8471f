/* lanes.h - locations as at most 64 rows of a picture, in natural order. If there are more locations,
 * neighbours share a row; none is dropped. Which names share a row depends on the names alone, not on the order
 * of events. */
#ifndef SPOOR_LANES_H
#define SPOOR_LANES_H

#include "trace-plot/plot_names.h"

/* Bound: trace-plot | lanes | places | 64 | - */
#define LANES_MOST 64u
/* Limit of lanes.room. */
#define LANES_ROOM 1024u

/* One location, or a range of neighbouring locations. */
struct lane {
	uint32_t first, last; /* numbers of the first and the last name */
	uint32_t n;	      /* number of locations */
	/* row in the kind's table; the lane keeps it as long as it exists */
	uint32_t row;
};

/* Lanes of all names. Zero it, and set `room`, `shared`, `join` and `arg`. */
struct lanes {
	uint32_t room; /* limit of lanes that are kept apart; rows are 0 to room */
	struct lane lane[LANES_ROOM + 1]; /* in natural order */
	uint32_t n;
	/* 0: each name has a lane. Else names share a lane if their first BITS_MOST + 1 - coarse bits are equal
	 * (lanes.c). */
	uint32_t coarse;
	uint32_t *of; /* row + 1, by number of the name */
	size_t cap;
	uint32_t free[LANES_ROOM + 1], nfree, nrows; /* rows without a lane */
	/* lanes_group() puts 2^k neighbours in a row; else as few as possible */
	bool twos;
	/* set to true when names begin to share a lane, but not by lanes_fit() */
	bool *shared;
	/* Adds row i to row to[i], for each i with to[i] != i. */
	void (*join)(void *arg, const uint32_t *to);
	void *arg;
};

/* Returns the row of name `id` of `names`, which may be new. Rows of other names may change. */
uint32_t lanes_new(struct lanes *l, const struct names *names, uint32_t id);
static inline uint32_t
lanes_row(struct lanes *l, const struct names *names, uint32_t id)
{
	return likely(id < l->cap && l->of[id]) ? l->of[id] - 1 : lanes_new(l, names, id);
}
/* Joins those neighbouring lanes whose names have the most bits in common. There must be at least two lanes. */
void lanes_coarsen(struct lanes *l, const struct names *names);
/* Groups the lanes into at most `most` rows with equal numbers of names; the last row has the rest. A lane with
 * several names is not divided, so that rows may differ. Writes the rows to row[0..result), and the row of lane
 * i to of[i]. */
uint32_t lanes_group(const struct lanes *l, uint32_t most, struct lane *row, uint32_t *of);
/* Joins the lanes that lanes_group(l, most) puts in one row. */
void lanes_fit(struct lanes *l, uint32_t most);
/* Returns the number of locations in n lanes. */
uint32_t lanes_places(const struct lane *lane, uint32_t n);
/* Returns a lane's name: "rank 3", "0–15"; for several locations the first and the last one. If the name is a
 * number, `place` (or `places`, for several) precedes it, unless this is empty. */
const char *lanes_name(const struct lane *l, const struct names *names, const char *place,
		       const char *places);
/* Returns a lane's name for a table: a name, or the first and the last name: "0..15". */
const char *lanes_range(const struct lane *l, const struct names *names);
/* Frees what l holds. */
void lanes_free(struct lanes *l);

#endif
