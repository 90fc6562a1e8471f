/*
 * tally.h - what became of the events that a target was given: those that it writes, what
 * of them it leaves out, and those that it cannot write. For targets that take requests to
 * a store (a disk, a file, a memory), it also makes these.
 */
#ifndef SPOOR_TALLY_H
#define SPOOR_TALLY_H

#include "expr/exprs.h"
#include "trace-export/export.h"
#include "input/cache.h"

/* Why an event is not written. */
enum skip {
	SKIP_OP,     /* it is no such request */
	SKIP_ADDR,   /* it has no addr */
	SKIP_SIZE,   /* it has no size */
	SKIP_EMPTY,  /* its size is 0 */
	SKIP_OBJECT, /* -K has no value */
	SKIP_CLOCK,  /* the clock has no unit */
	SKIP_BEFORE, /* its time is below 0 */
	SKIP_LARGE,  /* a number does not fit the target's */
	SKIP_LOC,    /* its loc is no number, or one too large */
	SKIP_FILES,  /* there are too many locs */
	SKIP_BACK,   /* its dur is below 0 */
	SKIP_LANES,  /* too many overlap */
	SKIP_TYPES,  /* there are too many kinds of event */
	SKIPS	     /* it is written */
};

#define HAS_LOC (HAS_ALL + 1)

struct tally_type {
	uint64_t n; /* events written */
	uint32_t *name, nnames;
	uint16_t op;   /* enum op, enum more_op; 0: none that the target takes */
	uint8_t needs; /* HAS_* that a request must have */
	uint64_t size_least, size_most;
	/* Bytes of the unit of addr, 0 if unknown, and the largest addr that fits. */
	uint64_t unit, addr_most;
};

/* Zero it, set the target, and what it carries. */
struct tally {
	const struct target *target;
	unsigned carries, needs; /* as the target's; options may change them */
	struct exprs *object; /* the list of -K, which has one value; NULL: there is none */
	const char *asked;    /* its text */
	struct arena texts;   /* of its values, until the next tally_objects */

	/* Events written, by rec.has, and HAS_LOC where they have a loc. */
	uint64_t had[2 * HAS_LOC];
	uint64_t skipped[SKIPS]; /* events not written */
	uint64_t late;		 /* events with a time before that of the event before */
	uint64_t rounded;	 /* events whose addr or size became whole sectors */
	struct tally_type *type; /* by number */
	struct cache type_cache;
	struct strtab names; /* of arguments that are left out */
	uint64_t *count;     /* of each, in how many events */
	size_t count_cap;
	uint32_t *loc; /* by number of a string: LOC_NEW, LOC_NONE, or a number + 1 */
	struct cache loc_cache;
	uint64_t block; /* --addr-unit; 1 where addr stands as it is, whatever it counts */
	/* The facts of the head at hand. */
	const struct source *source;
	const char *requests; /* source_requests, of the last input that has some */
	uint64_t unit;	      /* of addr in bytes; 0 if unknown */
	int64_t least;	      /* time */
	int64_t last;	      /* time written */
	bool ticks;
	/* It is a piece's, see form.join: the time written first, INT64_MAX where none is, and
	 * whether it must be read again, as a part of the whole. */
	bool piece, again;
	int64_t first;
};

/* Requests that are neither reads nor writes; the numbers continue enum op. From OP_ADD on they concern the file itself. */
enum more_op {
	OP_TRIM = 8,
	OP_SYNC = 16,
	OP_DATASYNC = 32,
	OP_ADD = 64,
	OP_OPEN = 128,
	OP_CLOSE = 256,
};

/* A request: bytes addr to addr + size of something, below 2^63 unless the target is `wide`. */
struct export_request {
	uint64_t time; /* ns */
	uint64_t addr, size;
	uint16_t op; /* enum op, enum more_op */
};

/* To be called for each batch, before its events are looked at. */
void tally_bind(struct tally *t, const struct source *s);
/* r is written. */
static inline void
tally_event(struct tally *t, const struct rec *r)
{
	t->had[(r->has & HAS_ALL) | (r->loc ? HAS_LOC : 0)]++;
	t->type[r->type].n++;
}
/* r is not written. */
static inline void
tally_skip(struct tally *t, enum skip why)
{
	t->skipped[why]++;
}
/* At the end, once: says what was left out, and what was not written. Frees. Gives
 * ST_TROUBLE where an event was not written as it is. */
int tally_close(struct tally *t);

/*
 * Computes the objects of -K, where it is given, of the events pick[0..n) of a batch of s (pick NULL: the first n).
 * Returns false, after a message, if that cannot be done.
 */
static inline bool
tally_objects(struct tally *t, struct source *s, const struct batch *b,
	      const uint32_t *pick, uint32_t n)
{
	arena_free(&t->texts);
	return !t->object || exprs_run(t->object, s, b, pick, n);
}
/* Sets *v to the object of the j-th of them, if -K is given. Returns false, and counts the event as not written, if it
 * has none. */
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

/* A form's join, where the state holds nothing else that is to be added up. */
bool tally_join(struct sink *k, struct sink *piece);
/* For a form's begin: sets sink.state to `size` zeroed bytes that begin with a struct tally, set
 * for the target. Gives them. */
void *tally_open(struct sink *k, struct read_options *opt, size_t size);
/* A form's close, where the state holds nothing else that is to be freed. */
int tally_form_close(struct sink *k);

/* Returns whether r is a request, if its time is one. */
static INLINE bool
tally_fits(const struct tally *t, const struct rec *r)
{
	const struct tally_type *ty = &t->type[r->type];

	return !(ty->needs & ~r->has) && ty->op && r->addr <= ty->addr_most &&
	       r->size >= ty->size_least && r->size <= ty->size_most;
}
/* For tally_request: whether r is one all the same, the first of a piece. */
COLD bool tally_first(struct tally *t, const struct rec *r);
/* Counts r, which is no request, as skipped. */
COLD void tally_refuse(struct tally *t, const struct rec *r);
/* Returns the time of a request whose own is before that of the request before. */
COLD uint64_t tally_late(struct tally *t);
/* The request that r is in *q. False where it is none: it is counted as skipped. */
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
/* For tally_loc: the number of a new loc. */
COLD uint32_t tally_new_loc(struct tally *t, const struct source *s, uint32_t loc);
/* The number that r's loc is, which may be in hex; 0 where it has none. LOC_NONE where it is
 * no number, or one above `most`. */
static INLINE uint32_t
tally_loc(struct tally *t, const struct source *s, const struct rec *r, uint32_t most)
{
	uint32_t n = t->loc[r->loc];

	if (unlikely(!n))
		n = tally_new_loc(t, s, r->loc);
	return likely(n <= most) ? n - 1 : n == most + 1 ? most : LOC_NONE;
}

#define SECTOR 512
/* The sectors of a request, from the one where it begins. What is no whole number of them is
 * counted. */
static INLINE void
tally_sectors(struct tally *t, const struct export_request *q, uint64_t *first, uint64_t *n)
{
	*first = q->addr / SECTOR;
	*n = (q->addr % SECTOR + q->size + SECTOR - 1) / SECTOR;
	t->rounded += ((q->addr | q->size) & (SECTOR - 1)) != 0;
}

#endif
