/*
 * reuse.h - reuse distances of blocks or other keys, by group: how many references an LRU
 * memory of each size would miss.
 *
 * An event is a reference to each block that its bytes addr to addr + size touch, in their
 * order. An event without bytes touches nothing, except if addr is an address of memory
 * (written in hex), which a reference of unknown length touches as well. The distance of a
 * reference is the number of distinct keys since the previous reference to its key,
 * including the key: 1 if it is referenced again at once. The first reference to a key is
 * cold. A memory of s keys misses the cold references, and those with a distance above s.
 * The reuse time is the number of references since the previous one to the key, including
 * this one.
 *
 * If there are more keys than the limit, a group goes on with a sample: the keys whose
 * fixed hash begins with `level` bits 0, one of 2^level. Each of their references stands
 * for 2^level references, and their distances are multiplied by 2^level (Waldspurger, Park,
 * Garthwaite, Ahmad: "Efficient MRC construction with SHARDS", FAST 2015, where the rate
 * falls key by key and not by halves).
 */
#ifndef SPOOR_REUSE_H
#define SPOOR_REUSE_H

#include "input/cache.h"
#include "trace-reuse/lru.h"
#include "stats/query_result.h"

enum reuse_way {
	REUSE_READ, /* every reference that is not a write */
	REUSE_WRITE,
	REUSE_WAYS
};

/* The spaces of values of -K. */
enum {
	REUSE_WHOLE,
	REUSE_BELOW,
	REUSE_TEXT
};

/* The options of the question. */
struct reuse_question {
	const char *groups; /* -g, or NULL */
	const char *value;  /* -K: the key; NULL: blocks */
	const char *before; /* -k: the key of prev; NULL: loc */
	uint64_t block;	    /* bytes */
	uint32_t most;	    /* limit of the keys of a group; 0 = none */
	uint32_t all;	    /* if all are kept: how many there may be; 0 = by the events */
	unsigned level;	    /* at the beginning */
	uint64_t seed;	    /* of the hash that chooses keys */
	bool flat;	    /* no distances */
	bool times;	    /* compute reuse times */
	bool counts;	    /* count the references of each key */
	const char *window; /* -w: sums of each window of time; NULL: none */
};

/* Numbers of references by reuse time: each below 128 by itself, then 64 intervals an octave. */
struct reuse_times {
	struct reuse_time {
		uint64_t count, low, high; /* references, the sum of their times */
	} * v;
	size_t cap;
};
/* Returns the smallest time of interval i. */
uint64_t reuse_edge(size_t i);
/* Adds a reference of this reuse time, which stands for 2^level references. */
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
	/* Within the window: references, distinct keys, and cold: keys never seen
	 * before. */
	uint64_t references, keys, cold;
};

/* The keys that a thread found in a part of the inputs, of one group: in the order of their
 * first references, and in the order of their last references. */
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

/* The values of an event, over all its blocks: the greatest distance, and the longest time
 * since the previous reference. */
struct reuse_note {
	uint64_t distance, since;
	bool any,
	    cold; /* the event is a reference; one of its blocks is cold, or has no known reuse time */
};

struct reuse {
	struct reuse_question q;
	/* Groups: all that -g gives, and the space of blocks, are the keys of a table. */
	struct query_result ids;
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
	/* reuse_parts.c: what is read is a part; those that were; and some stack was too large. */
	bool in_part, full;
	bool
	    partial; /* parts are kept as they are, for other processes; see reuse_partial.c */
	char *more; /* the question without its groups, as text */
	struct reuse_part *part;
	size_t nparts, part_cap;
	struct strtab part_files,
	    part_keys; /* reuse_partial.c: of parts; their file, begin and group */
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

/* Returns the space of blocks that the row `id` of the table belongs to: a number in the
 * table's texts. */
static inline uint32_t
reuse_space(const struct reuse *x, uint32_t id)
{
	const struct stats *st = &x->ids.st[0];

	return st->key[(id + (size_t)1) * st->spec->nkeys - 1];
}

/* Starts x; dies if the question is wrong. The texts of q must live as long as x.
 * reuse_free frees x. */
void reuse_open(struct reuse *x, const struct reuse_question *q);
/* Returns true if the events must be read in order, by one thread. */
bool reuse_in_order(const struct reuse *x);
/* Reads the inputs as work_read does; e was parsed from `text`, and may be NULL. Returns
 * ST_OK or ST_TROUBLE. */
int reuse_read(struct reuse *x, struct read_options *read, char *const *paths, size_t n,
	       struct expr *e, const char *text);
/*
 * Reads the inputs and writes their events, as `write` says, in place of a table. An event
 * of references without cold blocks gets the arguments reuse and since: the distance and
 * the reuse time. Returns the exit status.
 */
struct write_options;
int reuse_annotate(struct reuse *x, const struct write_options *write,
		   struct read_options *read, char *const *paths, size_t n, struct expr *e);
/* Writes the result as a partial result, in place of reuse_put. `status` is the status of
 * the reading. */
void reuse_partial(struct reuse *x, const struct expr *e, int status, struct out *o);
/*
 * Reads partial results, in place of reuse_open and reuse_read, and adds them: the files
 * paths[0..n), or standard input if n is 0. The question is taken from the first one.
 * `again`: the sum becomes a partial result again. Several files are added in the order of
 * their names. Returns ST_OK or ST_TROUBLE.
 */
int reuse_partials(struct reuse *x, char *const *paths, size_t n, bool again);
/* Reports fields that no event had, and events that were not counted. Call it at the end.
 * Returns ST_OK or ST_TROUBLE. */
int reuse_check(struct reuse *x);
/* Frees all memory of x. */
void reuse_free(void *reuse);

/* reuse.c, for annotate.c and reuse_parts.c: takes events of a batch; says what readers must fill in. */
void reuse_begin(struct reuse *x);
void reuse_add(void *reuse, struct source *s, const struct batch *b, const uint32_t *pick,
	       uint32_t n);
unsigned reuse_need(const struct reuse *x);
/* curve.c: reuse_ids numbers the new groups and spaces of the table; reuse_count adds a
 * reference with the distance d (0: none) to its curve. */
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
/* reuse_parts.c: the functions of work.h. */
void reuse_part_begin(void *reuse);
void reuse_part_end(void *reuse, struct source *s);
void reuse_merge(void *reuse, const void *from);
bool reuse_stitch(void *reuse, bool say);

/* curve.c: return counts of references. `way` is one of enum reuse_way, or REUSE_WAYS for
 * all. */
uint64_t curve_references(const struct curve *c, unsigned way);
/* Prepares the curve for fast queries. No reference may be added afterwards. */
void curve_settle(struct curve *c);
/* Returns the number of cold references; an estimate if the curve is sampled. */
uint64_t curve_cold(const struct curve *c, unsigned way);
/* Returns the number of references that are not cold and have a distance above `size`; an
 * estimate if the curve is sampled. */
uint64_t curve_beyond(const struct curve *c, unsigned way, uint64_t size);
/* Returns the smallest size that at least `part` in 1000 of the references that are not
 * cold have at most as distance (1000: the greatest distance). Returns 0 if there are
 * none. */
uint64_t curve_size(const struct curve *c, unsigned part);
/* Estimates curve_beyond of all ways from the reuse times alone (Hu et al.: "Kinetic
 * modeling of data eviction in cache", USENIX ATC 2016). Sizes must not fall from call to
 * call with one `aet`, which is zeroed at first. */
struct aet {
	size_t i;
	uint64_t size,
	    before; /* the size that the times up to interval i are right for, and beyond */
};
uint64_t curve_beyond_aet(const struct curve *c, struct aet *a, uint64_t size);
/* Fills *tails with the times from each key's last reference to the end. */
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
