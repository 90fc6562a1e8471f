/* tally.h - counts what becomes of a target's events: written, written in part, or not written. For targets
 * that take requests to a store (a disk, a file, a memory), it also makes the requests. */
#ifndef SPOOR_TALLY_H
#define SPOOR_TALLY_H

#include "expr/exprs.h"
#include "trace-export/export.h"
#include "input/cache.h"

/* Reasons why an event is not written. */
enum skip {
	SKIP_OP,     /* not a request that the target takes */
	SKIP_ADDR,   /* no addr */
	SKIP_SIZE,   /* no size */
	SKIP_EMPTY,  /* size is 0 */
	SKIP_OBJECT, /* -K has no value */
	SKIP_CLOCK,  /* the clock has no unit */
	SKIP_BEFORE, /* time below 0 */
	SKIP_LARGE,  /* a number is too large for the target */
	SKIP_LOC,    /* loc is not a number, or too large */
	SKIP_FILES,  /* there are too many locs */
	SKIP_BACK,   /* dur below 0 */
	SKIP_LANES,  /* too many events overlap */
	SKIP_TYPES,  /* too many kinds of event */
	SKIPS	     /* number of reasons; also: the event is written */
};

#define HAS_LOC (HAS_ALL + 1)

struct tally_type {
	uint64_t n; /* events written */
	uint32_t *name, nnames;
	uint16_t op;   /* enum op, enum more_op; 0: the target does not take it */
	uint8_t needs; /* HAS_* that a request must have */
	uint64_t size_least, size_most;
	/* Bytes of a unit of addr, 0 if unknown, and the largest addr that fits. */
	uint64_t unit, addr_most;
};

/* Counts of events. Zero it, set the target, and what it carries. */
struct tally {
	const struct target *target;
	unsigned carries, needs; /* from the target; options may change them */
	struct exprs *object;	 /* list of -K, with one expression; NULL without -K */
	const char *asked;	 /* text of -K */
	struct arena texts;	 /* memory of its values, until the next tally_objects() */

	/* Events written, by rec.has, and HAS_LOC if they have a loc. */
	uint64_t had[2 * HAS_LOC];
	uint64_t skipped[SKIPS]; /* events not written, by reason */
	uint64_t late;		 /* events with a time before the previous event */
	uint64_t rounded;	 /* events whose addr or size was rounded to sectors */
	struct tally_type *type; /* by number of the type */
	struct cache type_cache;
	struct strtab names; /* names of arguments that are left out */
	uint64_t *count;     /* number of events with each of these arguments */
	size_t count_cap;
	uint32_t *loc; /* by number of a string: 0 (new), LOC_NONE, or a number + 1 */
	struct cache loc_cache;
	uint64_t block; /* --addr-unit; 1 if addr is copied in whatever unit */
	/* Facts of the current head. */
	const struct source *source;
	const char *requests; /* source_requests() of the last input that has some */
	uint64_t unit;	      /* bytes of a unit of addr; 0 if unknown */
	int64_t least;	      /* smallest time */
	int64_t last;	      /* last time written */
	bool ticks;
	/* For a part of the input, see form.join: the first time written, or INT64_MAX; and whether the part
	 * must be read again, after the events before it. */
	bool piece, again;
	int64_t first;
};

/* Operations that are neither reads nor writes; the numbers continue enum op. OP_ADD and greater are about the
 * file itself. */
enum more_op {
	OP_TRIM = 8,
	OP_SYNC = 16,
	OP_DATASYNC = 32,
	OP_ADD = 64,
	OP_OPEN = 128,
	OP_CLOSE = 256,
};

/* A request for the bytes addr to addr + size, which are below 2^63 unless the target is `wide`. */
struct export_request {
	uint64_t time; /* in ns */
	uint64_t addr, size;
	uint16_t op; /* enum op, enum more_op */
};

/* Notes the source of a batch. Must be called before the events of each batch. */
void tally_bind(struct tally *t, const struct source *s);
/* Counts r as written. */
static inline void
tally_event(struct tally *t, const struct rec *r)
{
	t->had[(r->has & HAS_ALL) | (r->loc ? HAS_LOC : 0)]++;
	t->type[r->type].n++;
}
/* Counts an event as not written. */
static inline void
tally_skip(struct tally *t, enum skip why)
{
	t->skipped[why]++;
}
/* Reports what was left out and not written, and frees what t holds. Returns ST_TROUBLE if an event was not written, or
 * was changed. */
int tally_close(struct tally *t);

/* Computes the objects of -K, if it is given, for the events pick[0..n) of a batch of s (pick NULL: the first
 * n). Returns false, after a message, if it cannot. */
static inline bool
tally_objects(struct tally *t, struct source *s, const struct batch *b,
	      const uint32_t *pick, uint32_t n)
{
	arena_free(&t->texts);
	return !t->object || exprs_run(t->object, s, b, pick, n);
}
/* Sets *v to the object of event j, if -K is given. Returns false, and counts the event as not written, if the
 * event has no object. */
static inline bool
tally_object(struct tally *t, uint32_t j, struct val *v)
{
	if (likely(!t->object))
		return true;
	*v = vec_val(exprs_vec(t->object, 0), j);
	if (v->kind == VAL_NONE)
		tally_skip(t, SKIP_OBJECT);
	return v->kind != VAL_NONE;
}

/* Adds the counts of a part, which become 0: a form's join, if the state has no other counts. Returns false, without a
 * change, if one thread must write the part again: its times go back, or it needs earlier events. */
bool tally_join(struct sink *k, struct sink *piece);
/* Sets sink.state to `size` zeroed bytes that begin with a struct tally, for the target, and returns it.
 * tally_close frees what the struct tally holds, and the form frees the bytes. Dies if -K is wrong, or needs previous
 * events with --chunk. For a form's begin. */
void *tally_open(struct sink *k, struct read_options *opt, size_t size);
/* Closes as tally_close does, returns its status, and frees the state: a form's close, if the state has nothing else to
 * free. */
int tally_form_close(struct sink *k);

/* Returns whether r is a request, apart from its time. */
static INLINE bool
tally_fits(const struct tally *t, const struct rec *r)
{
	const struct tally_type *ty = &t->type[r->type];

	return !(ty->needs & ~r->has) && ty->op && r->addr <= ty->addr_most &&
	       r->size >= ty->size_least && r->size <= ty->size_most;
}
/* Returns whether r is the first request of a part, which tally_fits() and t->least reject. For tally_request(). */
COLD bool tally_first(struct tally *t, const struct rec *r);
/* Counts r as not written, with the reason. */
COLD void tally_refuse(struct tally *t, const struct rec *r);
/* Returns the time for a request that is earlier than the previous one. */
COLD uint64_t tally_late(struct tally *t);
/* Sets *q to the request of r. Returns false, and counts r as not written, if it is not a request. */
static INLINE bool
tally_request(struct tally *t, const struct rec *r, struct export_request *q)
{
	const struct tally_type *ty = &t->type[r->type];

	if (unlikely(!tally_fits(t, r) || r->time < t->least) && !tally_first(t, r)) {
		tally_refuse(t, r);
		return false;
	}
	q->op = ty->op;
	q->addr = r->addr * ty->unit;
	q->size = r->size;
	q->time = (uint64_t)r->time;
	if (unlikely(r->time < t->last) && t->target->timed)
		q->time = tally_late(t);
	else
		t->last = r->time;
	return true;
}

#define LOC_NONE UINT32_MAX
/* Returns the number of a new loc, for tally_loc(). */
COLD uint32_t tally_new_loc(struct tally *t, const struct source *s, uint32_t loc);
/* Returns the number in r's loc, decimal or hex, 0 if it has none; LOC_NONE if the loc is not a number, or
 * above `most`. */
static INLINE uint32_t
tally_loc(struct tally *t, const struct source *s, const struct rec *r, uint32_t most)
{
	uint32_t n = t->loc[r->loc];

	if (unlikely(!n))
		n = tally_new_loc(t, s, r->loc);
	return likely(n <= most) ? n - 1 : n == most + 1 ? most : LOC_NONE;
}

#define SECTOR 512
/* Sets *first and *n to the sectors that a request touches. Counts requests that are not whole sectors. */
static INLINE void
tally_sectors(struct tally *t, const struct export_request *q, uint64_t *first, uint64_t *n)
{
	*first = q->addr / SECTOR;
	*n = (q->addr % SECTOR + q->size + SECTOR - 1) / SECTOR;
	t->rounded += ((q->addr | q->size) & (SECTOR - 1)) != 0;
}

#endif
