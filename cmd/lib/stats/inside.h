/* inside.h - how a table counts events: what its files have of one another. */
#ifndef SPOOR_STATS_INSIDE_H
#define SPOOR_STATS_INSIDE_H

#include "stats/stats.h"

/*
* The states of one group in the input at hand: enters that wait for a leave; and, if only a part
 * of a file is read, leaves whose enters lie before it.
 */
struct states {
	unsigned source; /* the input, by its number; 0 = none */
	uint32_t n, nleaves;
	uint64_t deeper; /* enters that are open, but not kept */
	int64_t *enter, *leave;
	size_t enter_cap, leave_cap;
};

/* Events of a source: n records at base + off[i], each in the group g[i]; where windows and
 * chains are, whole[i] is that of the keys alone. */
struct events {
	const uint8_t *base;
	const uint32_t *off, *g, *whole;
	uint32_t n;
};

/* The i-th of them. */
static inline const struct rec *
event_at(struct events e, uint32_t i)
{
	return (const struct rec *)(const void *)(e.base + e.off[i]);
}

/* Returns whether an event is a request: it has a place and a length. */
static inline bool
is_request(const struct rec *r)
{
	return (r->has & (HAS_ADDR | HAS_SIZE)) == (HAS_ADDR | HAS_SIZE);
}

/* group.c: opens what knows the keys, behind the columns; frees it; looks up what the
 * keys are in a source, whose tables may be `anew`. */
void keyed_open(struct stats *st);
void keyed_free(struct stats *st);
void keyed_bind(struct stats *st, const struct source *s, bool anew);
/* The groups of events of s into g[0..n). With windows and chains, those of the keys alone into
 * whole[0..n). */
void stats_groups(struct stats *st, const struct source *s, struct events e, uint32_t *g,
		  uint32_t *whole);
/* Returns the length of a pane in the units of the clock. */
uint64_t pane_length(const struct stats *st);
/* stats_spread.c: makes and counts the groups of the panes that events cover after the one in which they begin, which is that
 * of e.g. Returns false, with st->mixed set, if they are too many; dies where the source is not quiet. */
bool spread_groups(struct stats *st, const struct source *s, struct events e);
/* Returns whether a table has more groups or covered panes than --spread makes. */
bool spread_beyond(const struct stats *st);
/* Divides the values of column c, of events that cover several panes, over their groups. Returns the other events, which
 * stand in off and g. */
struct events spread_column(struct stats *st, const struct source *s, size_t c,
			    struct events e, uint32_t off[BATCH], uint32_t g[BATCH]);
/* chain.c: columns whose values depend on the event before. Counts n records of s, at
 * base + off[i], in column c. */
void chain_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Adds to a COL_SEQUENTIAL whether requests begin where the one before ended. */
void requests_add(struct stats *st, size_t c, struct events e);
/* The time from `before` to `now`, with its sign. */
struct class_value time_between(enum clock clock, int64_t before, int64_t now);
/*
 * Columns of kind COL_INSIDE. Where a part of a file ends, each enter and
 * each leave that wait for another part become a segment, whose first is a leave's time and
 * whose last is an enter's; the other one is NO_TIME.
 */
#define NO_TIME INT64_MIN
void states_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Notes that the coming events are of s. */
void stats_source(struct stats *st, const struct source *s);
/* Adds a segment: the first and last event of a group in a part of a file. */
static inline void
segment_add(struct stats *st, const struct segment *s)
{
	*PUSH(st->segment, st->nsegments, st->segment_cap) = *s;
}
/* Groups, or files, have new numbers: to[g]; UINT32_MAX: it is gone, and its segments are. */
static inline void
segments_move(struct stats *st, const uint32_t *to)
{
	size_t n = 0;

	for (size_t i = 0; i < st->nsegments; i++) {
		struct segment s = st->segment[i];

		s.group = to[s.group];
		if (s.group != UINT32_MAX)
			st->segment[n++] = s;
	}
	st->nsegments = n;
}
/* Adds a part of a file to those that were read. */
static inline void
cover_add(struct stats *st, const struct cover *c)
{
	*PUSH(st->cover, st->ncovers, st->cover_cap) = *c;
}

/* stats_made.c: values of a computed field, by its name. */
static inline bool
is_made(const char *name)
{
	return *name == *COMPUTED;
}
/* The text of the i-th event's value, whose record is r, into st->scratch. False where it is
 * absent. */
bool made_text(struct stats *st, const struct source *s, const struct rec *r,
	       const char *name, uint32_t i);
/* Those of all n events as integers; there[]: 1 or 0; *time: they are times. False where they
 * are not all integers of one kind. */
bool made_ints(const struct stats *st, const char *name, uint32_t n, uint64_t *v,
	       uint8_t *there, bool *time);

/* stats_value.c: the columns. */
/* Frees the memory that groups `from` to `to` - 1 of a column have of their own. */
void column_clear(struct stats_column *c, size_t from, size_t to);
/* Counts n records of s, at base + off[i], in column c: each in its group g[i]. */
void column_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Gives the value of the i-th event in column c as a number, or as class TEXTS; returns false if it has none. */
bool column_number(struct stats *st, const struct source *s, const struct rec *r,
		   uint32_t i, size_t c, struct class_value *v);
/* numbers.c: whether all g[0..n), n > 0, are the same group. */
bool one_group(const uint32_t *g, uint32_t n);
/* Columns of kind COL_ENTER and COL_EVENT; the latter need no records. */
void column_marks(struct stats *st, size_t c, struct events e);
/* stats_blocks.c: columns of kind COL_UNALIGNED and COL_PAGES. */
void column_blocks(struct stats *st, size_t c, struct events e);
/* Counts the magnitudes v[i] of one class in column c, each in its group g[i], i < n. */
void column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		   const uint64_t *v, uint32_t n);
/* Adds a single value v of group g. Its place in the input: begin is the part's first
 * byte, seq the event's number in the part, from 1. */
void column_one(struct stats *st, size_t c, uint32_t g, struct class_value v,
		uint64_t begin, uint64_t seq);
/* stats_pages.c: from now on the sets of pages of a column keep at most `keep` words each. The limit never
 * rises. */
void column_keep(struct stats_column *col, uint32_t keep);
/* Returns the array of the pages of column c, with room for all groups. */
struct page_set *column_pages(struct stats *st, size_t c);

#endif
