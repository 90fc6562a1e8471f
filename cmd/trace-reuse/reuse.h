/*
 * reuse.h - reuse distances of blocks or other keys, by group: how many references an LRU memory of
 * each size would miss.
 *
 * An event is a reference to each block that its bytes addr to addr + size touch, in their order; an
 * event without bytes touches nothing, but where addr is a memory's (written in hex), which a
 * reference of no known length touches as well. The distance of a reference is the number of distinct
 * keys referenced since its key was the last time, with that key: 1 where it is referenced again at
 * once. The first reference to a key is cold. A memory of s keys misses what is cold, and what has
 * a distance above s. The reuse time is the number of references since, with this one.
 *
 * With more keys than are to be kept, a group goes on with a sample: the keys whose fixed hash begins
 * with `level` bits 0, one of 2^level. Each of their references stands for 2^level, and their
 * distances are times 2^level (Waldspurger, Park, Garthwaite, Ahmad: "Efficient MRC construction with
 * SHARDS", FAST 2015, where the rate falls key by key and not by halves).
 */
#ifndef SPOOR_REUSE_H
#define SPOOR_REUSE_H

#include "input/cache.h"
#include "trace-reuse/lru.h"
#include "stats/answer.h"

enum reuse_way {
	REUSE_READ, /* and what is no write */
	REUSE_WRITE,
	REUSE_WAYS
};

/* The spaces of values of -K. */
enum {
	REUSE_WHOLE,
	REUSE_BELOW,
	REUSE_TEXT
};

/* What is asked. */
struct reuse_question {
	const char *groups; /* -g, or NULL */
	const char *value;  /* -K: the key; NULL: blocks */
	const char *before; /* -k: the key of prev; NULL: loc */
	uint64_t block;	    /* bytes */
	uint32_t most;	    /* keys of a group that are kept; 0 = all */
	uint32_t all;	/* where all are kept: how many there may be; 0 = by the events */
	unsigned level; /* at the beginning */
	uint64_t seed;	/* of the hash that chooses keys */
	bool flat;	/* no distances */
	bool times;	/* reuse times are */
	bool counts;	/* references of each key are */
	const char *window; /* -w: sums of each window of time; NULL: none */
};

/* Numbers of references by reuse time: each below 128 by itself, then 64 intervals an octave. */
struct reuse_times {
	struct reuse_time {
		uint64_t count, low, high; /* references, the sum of their times */
	} * v;
	size_t cap;
};
/* The least time of interval i. */
uint64_t reuse_edge(size_t i);
/* Adds a reference of that time, which stands for 2^level. */
void reuse_time_add(struct reuse_times *t, uint64_t time, unsigned level);

/* References by distance, while keys were one of 2^level. A page has the counts of REUSE_PAGE distances in
 * the sample, so that a great distance alone costs little. */
#define REUSE_PAGE 256
struct reuse_page {
	uint64_t *n;	/* NULL: all are 0 */
	uint64_t above; /* with curve_settle: references at distances of later pages */
};
struct reuse_level {
	struct reuse_page *page[REUSE_WAYS];
	size_t cap[REUSE_WAYS];
	uint64_t cold[REUSE_WAYS];
};

struct reuse_window {
	int64_t number;
	uint64_t since; /* references before it */
	/* In it; keys: distinct ones; cold: those never seen before. */
	uint64_t references, keys, cold;
};

/* What a thread has found in a part of the inputs, of one group: the keys as they were referenced first,
 * and in the order of their last references. */
struct reuse_key {
	uint64_t block;
	uint32_t space, way; /* of a first reference */
	uint64_t place;	     /* in its list, in a partial */
};
struct reuse_part {
	const char *file;
	uint64_t begin; /* its first byte */
	uint32_t group;
	struct reuse_key *first, *last;
	size_t nfirst, nlast, first_cap, last_cap;
};

struct reuse_counted {
	uint32_t group, way;
	uint64_t distance, n;
};

/* An LRU stack, and what it was found to do. */
struct curve {
	struct lru lru;
	unsigned level;
	uint64_t events, references[REUSE_WAYS]; /* those out of the sample as well */
	struct reuse_level *at;			 /* by level */
	size_t at_cap;
	struct reuse_times times;    /* of references that are not cold */
	struct reuse_window *window; /* in their order */
	size_t nwindows, window_cap;
	struct reuse_key *first; /* of the part at hand */
	size_t nfirst, first_cap;
};

/* Of the blocks of an event: the greatest distance, and the longest time since a reference. */
struct reuse_note {
	uint64_t distance, since;
	bool any,
	    cold; /* it is a reference; to some block for the first time, or of no known time */
};

struct reuse {
	struct reuse_question q;
	/* Groups: all that -g gives, and the space of blocks, are the keys of a table. */
	struct answer ids;
	char *keys;	 /* what it was asked */
	uint32_t *group; /* by its groups: the curve */
	uint64_t *space; /* the fixed hash of a space, by the number of its name */
	size_t group_cap, space_cap;
	uint32_t nids;
	struct strtab groups; /* numbers of the values of -g */
	int shift;	      /* 2^shift bytes are a block; -1: they are no such number */
	struct exprs *value;  /* of -K */
	struct strtab texts;  /* its values that are no whole numbers */
	struct arena mem;
	struct curve *curve; /* by group */
	size_t ncurves, curve_cap;
	uint8_t *way; /* by type of event: enum reuse_way */
	struct cache way_cache;
	struct ref *ref; /* of the batch at hand */
	uint32_t nrefs;
	struct reuse_note *note; /* annotate.c: what its events are; or NULL */
	/* parts.c: what is read is a part; those that were; and some stack was too large. */
	bool in_part, full;
	bool partial; /* parts are kept as they are, for other processes; see partial.c */
	char *more;   /* the question, but for its groups, as text */
	struct reuse_part *part;
	size_t nparts, part_cap;
	struct strtab part_files,
	    part_keys; /* partial.c: of parts; their file, begin and group */
	struct reuse_counted *counted; /* references by distance of partials */
	size_t ncounted, counted_cap;
	uint64_t held; /* keys in them */
	/* The keys in all stacks, the number of keys at which samples become smaller, and the events read. */
	uint64_t kept, thin_at, events;
	const struct source *reading;
	char *const *paths;
	size_t npaths;
	/* Events without an addr, and those of too many blocks or beyond 2^64 bytes; events in an earlier
	 * window than the one before. */
	uint64_t without, beyond, back;
	const char *advice; /* source_requests, of an input that has some */
};

/* Of blocks: the number in the table's texts of the space that its row `id` is of. */
static inline uint32_t
reuse_space(const struct reuse *x, uint32_t id)
{
	const struct stats *st = &x->ids.st[0];

	return st->key[(id + (size_t)1) * st->spec->nkeys - 1];
}

/* Begins; dies where the question is wrong. The texts of q must live as long. */
void reuse_open(struct reuse *x, const struct reuse_question *q);
/* Returns whether events must be looked at in order, by one thread. */
bool reuse_in_order(const struct reuse *x);
/* Reads inputs as work_read does; e is of `text`, and may be NULL. Gives ST_OK or ST_TROUBLE. */
int reuse_read(struct reuse *x, struct read_options *read, char *const *paths, size_t n,
	       struct expr *e, const char *text);
/*
 * Writes the events instead, as `write` says: with the arguments reuse and since, the distance and
 * the time, where they are references and no block is cold.
 */
struct write_options;
int reuse_annotate(struct reuse *x, const struct write_options *write,
		   struct read_options *read, char *const *paths, size_t n, struct expr *e);
/* In place of reuse_put: writes what was found as a partial. status: of the reading. */
void reuse_partial(struct reuse *x, const struct expr *e, int status, struct out *o);
/*
 * In place of reuse_open and reuse_read: adds the partials of paths[0..n), none means standard input; the
 * first one has the question. `again`: they become a partial again. Of several files the order is
 * that of their names. ST_OK or ST_TROUBLE.
 */
int reuse_partials(struct reuse *x, char *const *paths, size_t n, bool again);
/* At the end: reports fields that no event had, and events that were left out. ST_OK or ST_TROUBLE. */
int reuse_check(struct reuse *x);
/* Frees what x holds. */
void reuse_free(void *reuse);

/* reuse.c, for annotate.c and parts.c: takes events of a batch; says what readers must fill in. */
void reuse_begin(struct reuse *x);
void reuse_add(void *reuse, struct source *s, const struct batch *b, const uint32_t *pick,
	       uint32_t n);
unsigned reuse_need(const struct reuse *x);
/* curve.c: gives new groups and spaces of the table their numbers; adds a reference whose distance was d (0: none)
 * to its curve. */
void reuse_ids(struct reuse *x);
void reuse_count(struct curve *c, unsigned way, uint64_t d);
/* curve.c: makes the page of the counter of references with the distance d, and returns the counter. */
uint64_t *reuse_count_new(struct reuse_level *at, unsigned way, uint64_t d) COLD;
/* Returns the counter of references with the distance d. */
static inline uint64_t *
reuse_count_of(struct reuse_level *at, unsigned way, uint64_t d)
{
	return likely(d / REUSE_PAGE < at->cap[way] && at->page[way][d / REUSE_PAGE].n)
		   ? &at->page[way][d / REUSE_PAGE].n[d % REUSE_PAGE]
		   : reuse_count_new(at, way, d);
}
/* Sets *d to the next greater distance that has references, and returns their number; 0 after the last. */
uint64_t reuse_next(const struct reuse_level *at, unsigned way, uint64_t *d);
/* Returns how many keys all stacks together may have. */
uint64_t reuse_room(const struct reuse *x);
/* parts.c: the functions of work.h. */
void reuse_part_begin(void *reuse);
void reuse_part_end(void *reuse, struct source *s);
void reuse_merge(void *reuse, const void *from);
bool reuse_stitch(void *reuse, bool say);

/* curve.c: a way is one of enum reuse_way, or REUSE_WAYS for all. */
uint64_t curve_references(const struct curve *c, unsigned way);
/* Makes what follows quick. No reference is added after it. */
void curve_settle(struct curve *c);
/* Estimates where the curve is sampled: first references to a key; */
uint64_t curve_cold(const struct curve *c, unsigned way);
/* references with a distance above `size` that are not cold. */
uint64_t curve_beyond(const struct curve *c, unsigned way, uint64_t size);
/* The least size that at least `part` in 1000 of the references that are not cold have a distance of
 * at most, of 1000 the greatest distance; 0 where there are none. */
uint64_t curve_size(const struct curve *c, unsigned part);
/* As curve_beyond of all ways, by reuse times alone (Hu et al.: "Kinetic modeling of data eviction in
 * cache", USENIX ATC 2016). Sizes must not fall from call to call with the same `aet`, zeros at first. */
struct aet {
	size_t i;
	uint64_t size,
	    before; /* the size that the times up to interval i are right for, and beyond */
};
uint64_t curve_beyond_aet(const struct curve *c, struct aet *a, uint64_t size);
/* The times from each key's last reference to the end. */
void curve_tails(const struct curve *c, struct reuse_times *tails);
/*
 * The sum, over all references, of the distinct keys among the `window` references that end with it: by
 * curve_references the mean working set (Denning, Schwartz: "Properties of the working-set model", 1972).
 * The window must be a reuse_edge.
 */
struct wide curve_working_set(const struct curve *c, const struct reuse_times *tails,
			      uint64_t window);
/* Frees what c holds. */
void curve_free(struct curve *c);

#endif
