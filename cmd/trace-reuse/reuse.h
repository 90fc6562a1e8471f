/* reuse.h - reuse distances of blocks or other keys, by group: how many references an LRU cache of each size
 * would miss.
 *
 * An event is a reference to each block that its bytes addr to addr + size touch, in their order. An event
 * without bytes touches nothing, except if addr is an address of memory (written in hex), which a reference of
 * unknown length touches as well. The distance of a reference is the number of distinct keys since the previous
 * reference to its key, including the key: 1 if it is referenced again at once. The first reference to a key is
 * cold. A cache of s keys misses the cold references, and references with a distance above s. The reuse time is
 * the number of references since the previous one to the key, including this one.
 *
 * If there are more keys than the limit, a group continues with a sample: the keys whose fixed hash begins with
 * `level` bits 0, one of 2^level. Each of their references stands for 2^level references, and their distances
 * are multiplied by 2^level (Waldspurger, Park, Garthwaite, Ahmad: "Efficient MRC construction with SHARDS",
 * FAST 2015, where the rate falls key by key and not by halves). */
#ifndef SPOOR_REUSE_H
#define SPOOR_REUSE_H

#include "input/cache.h"
#include "trace-reuse/lru.h"
#include "stats/query_result.h"

enum reuse_way {
	REUSE_READ, /* every reference that is not a write */
	REUSE_WRITE,
	REUSE_WAYS,
	/* added to a way, in the questions to a curve of objects with sizes: bytes in place of references */
	REUSE_BYTES = 4
};

/* Policies: what an LRU stack knows; the same, but an object keeps the size with which it entered; the best. */
enum reuse_policy {
	REUSE_LRU,
	REUSE_LRU_ENTRY,
	REUSE_OPT
};

/* Spaces of values of -K: whole numbers from 0, whole numbers below 0, texts. */
enum {
	REUSE_WHOLE,
	REUSE_BELOW,
	REUSE_TEXT
};

/* Options. */
struct reuse_question {
	const char *groups; /* -g, or NULL */
	const char *value;  /* -K: the referenced value; NULL: blocks */
	const char
	    *weight; /* --weight: how many references an event stands for; NULL: one */
	const char *before; /* -k: the key of prev; NULL: loc */
	/* The values of -K are objects that have the sizes of the events. References are counted by the first of
	 * these ascending distances that is not less than theirs. */
	bool objects;
	const uint64_t *edge;
	size_t nedges;
	uint64_t block; /* bytes of a block */
	uint32_t most;	/* limit of the keys of a group; 0: none */
	/* limit of all keys if all are kept; 0: depends on the events */
	uint32_t all;
	unsigned level; /* level at the beginning */
	uint64_t seed;	/* of the hash that selects keys */
	/* if not REUSE_LRU, `times` is true, and all keys are kept */
	enum reuse_policy policy;
	bool flat;	    /* no distances */
	bool times;	    /* compute reuse times */
	bool counts;	    /* count the references of each key */
	const char *window; /* -w: sums of each window of time; NULL: none */
};

/* Numbers of references by reuse time: one interval for each time below 128, then 64 intervals per octave. */
struct reuse_times {
	struct reuse_time {
		/* number of references, and the sum of their times */
		uint64_t count, low, high;
	} * v;
	size_t cap;
};
/* Returns the smallest time of interval i. */
uint64_t reuse_edge(size_t i);
/* Adds n references with this reuse time, each of which stands for 2^level references. */
void reuse_time_add(struct reuse_times *t, uint64_t time, unsigned level, uint64_t n);

/* Numbers of references by distance, counted while the sample was 1 in 2^level keys. A page has the counts of REUSE_PAGE
 * distances in the sample, so that a single great distance needs little memory. */
#define REUSE_PAGE 256
struct reuse_page {
	uint64_t *n;	/* NULL: all are 0 */
	uint64_t above; /* after curve_settle(): references at distances of later pages */
};
struct reuse_level {
	struct reuse_page *page[REUSE_WAYS];
	size_t cap[REUSE_WAYS];
	uint64_t cold[REUSE_WAYS];
};

/* References to objects with sizes, and the sizes of these objects. */
struct reuse_sum {
	uint64_t references[REUSE_WAYS], bytes[REUSE_WAYS];
};

struct reuse_window {
	int64_t number;
	uint64_t since; /* number of references before the window */
	/* Within the window: references, distinct keys, and cold references: keys never seen before. */
	uint64_t references, keys, cold;
};

/* Keys that a thread found in a part of the inputs, in one group: in the order of their first references, and
 * in the order of their last references. */
struct reuse_key {
	uint64_t block;
	uint32_t space, way; /* way: of a first reference */
	uint64_t place;	     /* index in its list, in a partial result */
};
struct reuse_part {
	const char *file;
	uint64_t begin; /* offset of its first byte */
	uint32_t group;
	struct reuse_key *first, *last;
	size_t nfirst, nlast, first_cap, last_cap;
};

struct reuse_counted {
	uint32_t group, way;
	uint64_t distance, n;
};

/* An LRU stack, and the counts of its references. */
struct curve {
	struct lru lru;
	unsigned level;
	/* including references outside of the sample */
	uint64_t events, references[REUSE_WAYS];
	struct reuse_level *at; /* by level */
	size_t at_cap;
	struct reuse_times times;    /* of references that are not cold */
	struct reuse_window *window; /* in order of time */
	size_t nwindows, window_cap;
	struct reuse_key *first; /* first references in the current part */
	size_t nfirst, first_cap;
	/* For objects: by edge; cold references; all references. The sums of a sample are multiplied by 2^level. */
	struct reuse_sum *sum, never, every;
	size_t sum_cap;
	const uint64_t *edge; /* of the question */
	size_t nedges;
	/* For policies but LRU: the number of the next reference to the same key, or 0, by reference; and
	 * REUSE_WRITES for writes. For objects also their sizes, by reference. */
	uint32_t *next;
	uint64_t *object;
	size_t nnext, next_cap, nobjects, object_cap;
	/* Smallest distance above 0, greatest distance, greatest object; references that changed a size. */
	uint64_t nearest, farthest, largest, changed;
};

#define REUSE_WRITES (1u << 31)

/* Values of an event, over all its blocks: greatest distance, and longest time since the previous reference. */
struct reuse_note {
	uint64_t distance, since;
	/* any: the event is a reference; cold: one of its blocks is cold, or has no known reuse time */
	bool any, cold;
};

/* Limit of blocks of one event: more are assumed to be an error in the input. */
/* Bound: trace-reuse | blocks of one event | its size | 1048576 | touch more than */
#define BLOCKS_MOST (1u << 20)

struct reuse {
	struct reuse_question q;
	/* Table whose keys are the values of -g, and the space of blocks. */
	struct query_result ids;
	char *keys;	 /* text of its keys */
	uint32_t *group; /* curve of each group of `ids` */
	uint64_t *space; /* fixed hash of a space, by number of its name */
	size_t group_cap, space_cap;
	uint32_t nids;
	struct strtab groups; /* numbers of the values of -g */
	/* a block has 2^shift bytes; -1: its size is not a power of two */
	int shift;
	char *values;	     /* text of `value` */
	struct exprs *value; /* -K and --weight, if they are given */
	struct strtab texts; /* values of -K that are not whole numbers */
	struct arena mem;
	struct curve *curve; /* by group */
	size_t ncurves, curve_cap;
	uint8_t *way; /* by type of event: enum reuse_way */
	struct cache way_cache;
	struct ref *ref; /* references of the current batch */
	uint32_t nrefs;
	uint64_t *size;	  /* by event of the batch, for objects */
	uint64_t *weight; /* by event of the batch, for --weight */
	/* for annotate.c: values of the events of a batch, or NULL */
	struct reuse_note *note;
	/* reuse_parts.c: the input is read as a part; some stack became too large. */
	bool in_part, full;
	bool partial; /* keep parts for other processes: reuse_partial.c */
	char *more;   /* the question without its groups, as text */
	struct reuse_part *part;
	size_t nparts, part_cap;
	/* for reuse_partial.c: names of files; file, begin and group of each part */
	struct strtab part_files, part_keys;
	struct reuse_counted *counted; /* references by distance, from partial results */
	size_t ncounted, counted_cap;
	uint64_t
	    held; /* number of keys in parts, or of references in `next` of all curves */
	/* Number of keys in all stacks; number of keys at which samples become smaller; number of events. */
	uint64_t kept, thin_at, events;
	const struct source *reading;
	char *const *paths;
	size_t npaths;
	/* Events without addr; events without a size or weight; events with too many blocks, or beyond 2^64 bytes; events in an earlier window
	 * than the previous event. */
	uint64_t without, unknown, beyond, back;
	const char *advice; /* source_requests() of an input that has some */
};

/* Returns the space of blocks of row `id` of the table, as a number in the table's texts. */
static inline uint32_t
reuse_space(const struct reuse *x, uint32_t id)
{
	const struct stats *st = &x->ids.st[0];

	return st->key[(id + (size_t)1) * st->spec->nkeys - 1];
}

/* Begins; dies if the question is wrong. The texts of q must live as long as x. The caller frees x with
 * reuse_free(). */
void reuse_open(struct reuse *x, const struct reuse_question *q);
/* Returns true if the events must be read in order, by one thread. */
bool reuse_in_order(const struct reuse *x);
/* Reads the inputs as work_read does; e was parsed from `text`, and may be NULL. Returns
 * ST_OK or ST_TROUBLE. */
int reuse_read(struct reuse *x, struct read_options *read, char *const *paths, size_t n,
	       struct expr *e, const char *text);
/* Reads the inputs and writes their events, as `write` says, instead of a table. An event that is a reference
 * without cold blocks gets the arguments reuse and since: the distance and the reuse time. Returns the exit
 * status. */
struct write_options;
int reuse_annotate(struct reuse *x, const struct write_options *write,
		   struct read_options *read, char *const *paths, size_t n, struct expr *e);
/* Writes the result as a partial result, instead of reuse_put(). `status` is the status of the reading. */
void reuse_partial(struct reuse *x, const struct expr *e, int status, struct out *o);
/* Reads partial results, instead of reuse_open() and reuse_read(), and adds them: the files paths[0..n), or
 * standard input if n is 0. The question is taken from the first one. `again`: the sum becomes a partial result
 * again. Several files are added in the order of their names. Dies if a file is malformed or answers another
 * question. Returns ST_TROUBLE, after a message, if a file notes errors, or, without `again`, if parts are missing. */
int reuse_partials(struct reuse *x, char *const *paths, size_t n, bool again);
/* Reports fields that no event had, and events that were not counted. Must be called at the end. Returns ST_OK
 * or ST_TROUBLE. */
int reuse_check(struct reuse *x);
/* Frees all memory of x. */
void reuse_free(void *reuse);

/* Sets up what depends on the question. reuse_add() takes events of a batch; reuse_need() returns what readers
 * must fill in. (reuse.c, for annotate.c and reuse_parts.c) */
void reuse_begin(struct reuse *x);
void reuse_add(void *reuse, struct source *s, const struct batch *b, const uint32_t *pick,
	       uint32_t n);
unsigned reuse_need(const struct reuse *x);
/* Numbers the new groups and spaces of the table. reuse_count() adds a reference with the distance d (0: cold)
 * to a curve; reuse_count_object() adds n references to an object, with the distance d of lru_weigh(). (curve.c) */
void reuse_ids(struct reuse *x);
void reuse_count_object(struct curve *c, unsigned way, uint64_t d, uint64_t size,
			uint64_t n);
void reuse_count(struct curve *c, unsigned way, uint64_t d);
/* Makes the page of the counter of references with the distance d, and returns the counter. (curve.c) */
uint64_t *reuse_count_new(struct reuse_level *at, unsigned way, uint64_t d) COLD;
/* Returns the counter of references with the distance d. */
static inline uint64_t *
reuse_count_of(struct reuse_level *at, unsigned way, uint64_t d)
{
	return likely(d / REUSE_PAGE < at->cap[way] && at->page[way][d / REUSE_PAGE].n)
		   ? &at->page[way][d / REUSE_PAGE].n[d % REUSE_PAGE]
		   : reuse_count_new(at, way, d);
}
/* Sets *d to the next greater distance that has references, and returns their number, or 0 after the last. */
uint64_t reuse_next(const struct reuse_level *at, unsigned way, uint64_t *d);
/* Returns the limit of keys in all stacks together. */
uint64_t reuse_room(const struct reuse *x);
/* Counts the references of c->next by simulation. Without c->object the policy evicts the key that is needed last (Belady:
 * "A study of replacement algorithms for a virtual-storage computer", 1966), and always keeps a key that is referenced.
 * With c->object it is REUSE_LRU_ENTRY. (policy.c) */
void reuse_simulate(struct curve *c);
/* Begins a part of the inputs. reuse_part_end ends an input in it, and keeps the first and the last reference to each
 * key. (reuse_parts.c) */
void reuse_part_begin(void *reuse);
void reuse_part_end(void *reuse, struct source *s);
/* Adds the counts and parts of `from` to `reuse`; the caller frees `from`. */
void reuse_merge(void *reuse, const void *from);
/* Counts the references between parts, after all merges. Returns false if a limit of keys is exceeded, or parts do not
 * fit one another; the inputs must then be read by one thread. Prints nothing; `say` is unused. */
bool reuse_stitch(void *reuse, bool say);

/* Returns the number of references. `way` is one of enum reuse_way, or REUSE_WAYS for all; for objects, REUSE_BYTES
 * may be added. (curve.c) */
uint64_t curve_references(const struct curve *c, unsigned way);
/* Prepares the curve for fast queries. No reference may be added afterwards. */
void curve_settle(struct curve *c);
/* Returns the number of cold references; an estimate if the curve is sampled. */
uint64_t curve_cold(const struct curve *c, unsigned way);
/* Returns the number of references that are not cold. */
uint64_t curve_warm(const struct curve *c, unsigned way);
/* Returns the number of references that are not cold and have a distance above `size`; an
 * estimate if the curve is sampled. For objects `size` must be an edge, or not less than the greatest distance. */
uint64_t curve_beyond(const struct curve *c, unsigned way, uint64_t size);
/* Returns the smallest size that is at least as great as the distances of `part` in 1000 of the references that
 * are not cold (1000: the greatest distance). Returns 0 if there are none. */
uint64_t curve_size(const struct curve *c, unsigned part);
/* Returns the smallest size that the sample can answer, or 1 if all keys are kept. */
uint64_t curve_least(const struct curve *c);
/* Estimates curve_beyond of all ways from the reuse times alone (Hu et al.: "Kinetic
 * modeling of data eviction in cache", USENIX ATC 2016). Sizes must not fall from call to
 * call with one `aet`, which is zeroed at first. */
struct aet {
	size_t i;
	/* size up to which times below interval i suffice, and references beyond it */
	uint64_t size, before;
};
uint64_t curve_beyond_aet(const struct curve *c, struct aet *a, uint64_t size);
/* Adds to *tails, zeroed at first, the times from each key's last reference to the end. The caller frees tails->v with
 * free(). */
void curve_tails(const struct curve *c, struct reuse_times *tails);
/* Returns the sum, over all references, of the distinct keys among the `window` references that end with it;
 * divided by curve_references() it is the mean working set (Denning, Schwartz: "Properties of the working-set
 * model", 1972). The window must be a reuse_edge(). */
struct wide curve_working_set(const struct curve *c, const struct reuse_times *tails,
			      uint64_t window);
/* Frees what c holds. */
void curve_free(struct curve *c);

#endif
