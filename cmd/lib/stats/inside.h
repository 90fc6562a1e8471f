/* inside.h - how a table counts events: functions that its files share. */
#ifndef SPOOR_STATS_INSIDE_H
#define SPOOR_STATS_INSIDE_H

#include "stats/stats.h"

/* The states of a group in the current input: enters that wait for a leave; and, if only a part of a file is read,
 * leaves whose enters are before the part. */
struct states {
	unsigned source; /* number of the input; 0 = none */
	uint32_t n, nleaves;
	uint64_t deeper; /* number of open enters that were not kept */
	int64_t *enter, *leave;
	size_t enter_cap, leave_cap;
};

/* Events of a source: n records at base + off[i], each in group g[i]. With windows and chains, whole[i] is the
 * group of the keys without the window. */
struct events {
	const uint8_t *base;
	const uint32_t *off, *g, *whole;
	uint32_t n;
};

/* Returns the i-th event. */
static inline const struct rec *
event_at(struct events e, uint32_t i)
{
	return (const struct rec *)(const void *)(e.base + e.off[i]);
}

/* Returns true if an event is a request: it has addr and size. */
static inline bool
is_request(const struct rec *r)
{
	return (r->has & (HAS_ADDR | HAS_SIZE)) == (HAS_ADDR | HAS_SIZE);
}

/* Prepares the keys of a table, after its columns; keyed_free frees them; keyed_bind looks up the keys in a
 * source, whose tables are new if `anew`. In group.c. */
void keyed_open(struct stats *st);
void keyed_free(struct stats *st);
void keyed_bind(struct stats *st, const struct source *s, bool anew);
/* Stores in g[i] the number of the group of event i of e, which are events of s. With windows and chains, also stores
 * in whole[i] the number of the group that has the keys of the event and no window. Each array has room for e.n
 * numbers. */
void stats_groups(struct stats *st, const struct source *s, struct events e, uint32_t *g,
		  uint32_t *whole);
/* Returns the length of a pane in the units of the clock. */
uint64_t pane_length(const struct stats *st);
/* Makes and counts the groups of all panes that events cover after their first pane, whose group is in e.g.
 * Returns false, with st->mixed set, if there are too many; dies instead unless the source is quiet. In
 * stats_spread.c. */
bool spread_groups(struct stats *st, const struct source *s, struct events e);
/* Counts the events in progress in column c, which has ACC_DEPTH. Dies if there are too many. depth_free frees
 * st->depth. In stats_depth.c. */
void depth_add(struct stats *st, size_t c, struct events e);
void depth_free(struct stats *st);
/* Returns true if an event has a duration. */
bool depth_durations(const struct stats *st);
/* Returns the time, in ns or ticks, that depth and busy are divided by: the length of a window, or the time from
 * the first begin to the last end of all events. Returns 0 if no event has a duration. */
uint64_t depth_length(const struct stats *st);
/* Returns true if a table has more groups or covered panes than --spread permits. */
bool spread_beyond(const struct stats *st);
/* Divides the values in column c of events that cover several panes over their groups. Returns the other events,
 * in off and g. */
struct events spread_column(struct stats *st, const struct source *s, size_t c,
			    struct events e, uint32_t off[BATCH], uint32_t g[BATCH]);
/* Counts n records of s, at base + off[i], in column c, whose values depend on the previous event. In chain.c. */
void chain_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Counts in a COL_SEQUENTIAL whether requests begin where the previous one ended. */
void requests_add(struct stats *st, size_t c, struct events e);
/* Returns the time from `before` to `now`, with its sign. */
struct class_value time_between(enum clock clock, int64_t before, int64_t now);
/* Counts events in a column of kind COL_INSIDE. At the end of a part of a file, each enter and each leave that
 * waits for another part becomes a segment: a leave's time is its `first`, an enter's its `last`; the other member
 * is NO_TIME. */
#define NO_TIME INT64_MIN
void states_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Notes that the next events are of s. */
void stats_source(struct stats *st, const struct source *s);
/* Adds a segment: the first and last event of a group in a part of a file. */
static inline void
segment_add(struct stats *st, const struct segment *s)
{
	*PUSH(st->segment, st->nsegments, st->segment_cap) = *s;
}
/* Renumbers the groups of segments to to[g]. Drops the segments of groups with to[g] = UINT32_MAX. */
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
/* Adds a part of a file to the parts that were read. */
static inline void
cover_add(struct stats *st, const struct cover *c)
{
	*PUSH(st->cover, st->ncovers, st->cover_cap) = *c;
}

/* Returns true if the name is a computed field. The functions below, in stats_made.c, find its values. */
static inline bool
is_made(const char *name)
{
	return *name == *COMPUTED;
}
/* Writes the text of the value for the i-th event, whose record is r, to st->scratch. Returns false if it is
 * absent. */
bool made_text(struct stats *st, const struct source *s, const struct rec *r,
	       const char *name, uint32_t i);
/* Stores the values of all n events as integers; there[i] is 1 or 0; *time: they are times. Returns false if they
 * are not all integers of one kind. */
bool made_ints(const struct stats *st, const char *name, uint32_t n, uint64_t *v,
	       uint8_t *there, bool *time);

/* stats_value.c: counts values in columns. */
/* Frees the memory that the elements of groups `from` to `to` - 1 of a column hold. */
void column_clear(struct stats_column *c, size_t from, size_t to);
/* Counts n records of s, at base + off[i], in column c, each in its group g[i]. */
void column_add(struct stats *st, const struct source *s, size_t c, struct events e);
/* Stores the value of the i-th event in column c in *v, as a number or with class TEXTS. Returns false if there is
 * none. */
bool column_number(struct stats *st, const struct source *s, const struct rec *r,
		   uint32_t i, size_t c, struct class_value *v);
/* Returns true if all g[0..n), n > 0, are equal. In numbers.c. */
bool one_group(const uint32_t *g, uint32_t n);
/* Counts events in a column of kind COL_ENTER or COL_EVENT; the latter need no records. */
void column_marks(struct stats *st, size_t c, struct events e);
/* Counts requests in a column of kind COL_UNALIGNED or COL_PAGES. In stats_blocks.c. */
void column_blocks(struct stats *st, size_t c, struct events e);
/* Counts the magnitudes v[i] of one class in column c, each in its group g[i], i < n. */
void column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		   const uint64_t *v, uint32_t n);
/* Adds a single value v to group g. Its position in the input: `begin` is the first byte of the part, `seq` the
 * number of the event in the part, from 1. */
void column_one(struct stats *st, size_t c, uint32_t g, struct class_value v,
		uint64_t begin, uint64_t seq);
/* Limits the sets of pages of a column to `keep` words each. The limit never rises. In stats_pages.c. */
void column_keep(struct stats_column *col, uint32_t keep);
/* Returns the array of the sets of pages of column c, with room for all groups; it is valid until the next call for c. */
struct page_set *column_pages(struct stats *st, size_t c);

#endif
