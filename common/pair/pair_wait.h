/*
 * pair_wait.h - records that wait for their end, and the records that wait for them.
 *
 * Each record has a number, counted from 0. An open record stays in memory; it becomes complete later than
 * records that come after it. Complete records are given in the order of their numbers or, with by_end, in the
 * order in which they were completed. In the order of numbers, records beyond a limit wait in a temporary file.
 *
 * An open record takes its own bytes, 24 of struct open, and 4 to 20 for its position in the order.
 */
#ifndef SPOOR_WAIT_H
#define SPOOR_WAIT_H

#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/die.h"
#include "event/event.h"

#define WAIT_NONE UINT32_MAX /* no open record */

/* An open record. Its handle is its number in wait.open. */
struct open {
	uint64_t key;  /* key of the caller; must be the first member (pair_keys) */
	uint64_t tag;  /* number of the record times 256, plus the class of its place */
	uint32_t at;   /* place of the record (wait_at) */
	uint32_t next; /* for the caller; in a free struct, the next free one */
};

/* A record that was completed after later records had gone to the file. */
struct wait_late {
	uint64_t number;
	uint32_t at;
};

/* An open record that is older than all records in the window. */
struct wait_old {
	uint64_t number; /* number of the record; stale if the handle has another */
	uint32_t open;
};

/* A run of records in the temporary file, in the order of their numbers. */
struct wait_run {
	uint64_t at, end; /* offsets of the bytes that were not read yet */
	uint64_t number;  /* number of the next record; UINT64_MAX = none */
	struct buf held;  /* bytes that were read before `at` */
	/* Bytes of `held` that were given; length of the next record. */
	size_t used, length;
};

/* Classes of places by size: 8 to 512 bytes, then powers of two. */
#define WAIT_CLASSES 96

struct wait {
	bool by_end;
	uint64_t most; /* limit of complete records in bytes, or tuning.wait */
	/* Memory of the records' places. free[class] are places that can be reused. */
	uint8_t *mem;
	size_t n, cap,
	    lost; /* bytes: used so far; allocated; lost in places too small to use */
	struct wait_free {
		uint32_t *v;
		size_t n, cap;
	} free[WAIT_CLASSES];
	struct open *open;
	size_t opencap;
	/* Number in use; number ever used; first free one. */
	uint32_t opens, open_used, open_free;
	/* The window: the records after all records in the file. */
	uint32_t *entry; /* place of a complete record, or WAIT_OPEN and a handle */
	size_t entrycap, head, entries;
	uint64_t base;		       /* number of entry[0] */
	uint64_t held;		       /* bytes of complete records in memory */
	uint32_t given[BATCH], ngiven; /* places of the records that were given last */

	int fd;
	uint64_t written;
	bool filed; /* the file has records, or there are open records before the window */
	struct wait_run *run; /* [0] is a run of window records, the others of late ones */
	size_t nruns, runcap;
	struct wait_late *late; /* heap, smallest number first */
	size_t nlate, latecap;
	struct wait_old *old; /* sorted by number */
	size_t nold, oldcap, old_at;
	struct buf out; /* records that were read from the file, or bytes to write */
};

#define WAIT_OPEN 0x80000000u
#define WAIT_GONE 0x7fffffffu

/* Initializes w. `limit` is how many bytes of complete records may wait in memory. */
void wait_start(struct wait *w, bool by_end, uint64_t limit);
/* Frees all memory of w, and closes its temporary file. */
void wait_free(struct wait *w);

/* Returns the record at a place. */
static inline struct rec *
wait_at(const struct wait *w, uint32_t at)
{
	return (struct rec *)(void *)(w->mem + (size_t)at * 8);
}

/* Returns the record of an open handle. */
static inline struct rec *
wait_rec(const struct wait *w, uint32_t open)
{
	return wait_at(w, w->open[open].at);
}

/* Prefetches what wait_done needs of an open record into the cache. The handle may be one that is no longer open. */
static inline void
wait_fetch(const struct wait *w, uint32_t open)
{
	uint64_t i = (w->open[open].tag >> 8) - w->base;

	touch(wait_rec(w, open));
	touch((const uint8_t *)wait_rec(w, open) + REC_HEAD - 1);
	if (i < w->entries)
		touch(&w->entry[i]);
}

/* Returns true if another record can be opened: records should take 3 GiB at most. A caller asks before wait_open; at
 * 4 GiB wait_open and wait_add die. */
static inline bool
wait_room(const struct wait *w)
{
	return w->n < 3ull << 30;
}

/* Returns the class of places that hold `len` bytes. Functions from here to wait_grow are internal, except
 * wait_add, wait_open, wait_done and wait_grow. */
static inline unsigned
wait_class(uint32_t len)
{
	return len <= 512 ? (len + 7) / 8 : 64 + 55 - leading_zeros64(len - 1);
}

/* Returns the bytes of a place of a class. */
static inline size_t
wait_size(unsigned class)
{
	return class <= 64 ? 8 * class : (size_t)512 << (class - 64);
}

/* Returns a new place after all others. Dies without memory. */
uint32_t wait_new_place(struct wait *w, unsigned class);
/* Stores a completed record whose number is lower than numbers already in the file. */
void wait_late_add(struct wait *w, uint64_t number, uint32_t at) COLD;

/* Returns a free place of a class, or a new one. */
static inline uint32_t
wait_place(struct wait *w, unsigned class)
{
	struct wait_free *f = &w->free[class];

	return likely(f->n) ? f->v[--f->n] : wait_new_place(w, class);
}

/* Makes the place `at` free. */
static inline void
wait_free_place(struct wait *w, uint32_t at, unsigned class)
{
	struct wait_free *f = &w->free[class];

	if (unlikely(f->n == f->cap))
		GROW(f->v, f->cap, f->n + 1);
	f->v[f->n++] = at;
}

/* Copies a record to a place. Most records have at most 16 bytes after their head: one copy
 * of 16 bytes avoids a branch on the length. */
static inline void
wait_copy(struct rec *r, const struct rec *from)
{
	const uint8_t *p = (const uint8_t *)from;
	uint8_t *to = (uint8_t *)r;
	uint32_t len = from->len;

	memcpy(to, p, REC_HEAD);
	if (unlikely(len > REC_HEAD + 16))
		memcpy(to + REC_HEAD, p + REC_HEAD, len - REC_HEAD);
	else
		memcpy(to + len - 16, p + len - 16, 16);
}

/* Appends an entry to the window. */
static inline void
wait_entry(struct wait *w, uint32_t entry)
{
	if (unlikely(w->entries == w->entrycap))
		GROW(w->entry, w->entrycap, w->entries + 1);
	w->entry[w->entries++] = entry;
}

/* Makes a handle free. */
static inline void
wait_free_open(struct wait *w, uint32_t open)
{
	w->open[open].tag = UINT64_MAX;
	w->open[open].next = w->open_free;
	w->open_free = open;
	w->opens--;
}

/* Adds a complete record of `len` bytes. Returns its memory, which the caller must fill
 * before any other call. */
static inline struct rec *
wait_add(struct wait *w, uint32_t len)
{
	unsigned class = wait_class(len);
	uint32_t at = wait_place(w, class);

	wait_entry(w, at);
	w->held += wait_size(class);
	return wait_at(w, at);
}

/* Adds an open record, in a place of `room` bytes, and returns its handle. The caller must
 * fill the record (wait_rec). */
static INLINE uint32_t
wait_open(struct wait *w, uint32_t room)
{
	unsigned class = wait_class(room);
	uint32_t at = wait_place(w, class), i = w->open_free;
	struct open *o;

	if (i != WAIT_NONE) {
		w->open_free = w->open[i].next;
	} else {
		i = w->open_used++;
		if (i == w->opencap)
			GROW(w->open, w->opencap, i + 1);
	}
	o = &w->open[i];
	o->tag = (w->base + w->entries) << 8 | class;
	o->at = at;
	w->opens++;
	if (!w->by_end)
		wait_entry(w, WAIT_OPEN | i);
	else
		w->base++;
	return i;
}

/* Completes an open record. The caller must have filled the record. The handle is invalid afterwards. */
static INLINE void
wait_done(struct wait *w, uint32_t open)
{
	const struct open *o = &w->open[open];
	uint64_t number = o->tag >> 8;
	unsigned was = (uint8_t)o->tag, class = wait_class(wait_at(w, o->at)->len);
	size_t size = wait_size(class);

	/* The rest of the place becomes a free place of its own. */
	if (unlikely(class < was)) {
		unsigned rest = wait_class((uint32_t)(wait_size(was) - size));

		if (rest > 64)
			rest = 64;
		w->lost += wait_size(was) - size - wait_size(rest);
		wait_free_place(w, o->at + (uint32_t)(size / 8), rest);
	}
	w->held += size;
	if (w->by_end)
		wait_entry(w, o->at);
	else if (likely(number >= w->base))
		w->entry[number - w->base] = o->at;
	else
		wait_late_add(w, number, o->at);
	wait_free_open(w, open);
}

/* Moves an open record to a place of another class. */
struct rec *wait_move(struct wait *w, uint32_t open, unsigned class);
/* Makes the place of an open record at least `room` bytes, and returns the record, which may have moved. Fills the
 * bytes after the record's length with zeros, so that the padding between arguments is zero. */
static inline struct rec *
wait_grow(struct wait *w, uint32_t open, uint32_t room)
{
	unsigned class = wait_class(room);
	struct rec *r = likely(class <= (uint8_t)w->open[open].tag)
			    ? wait_rec(w, open)
			    : wait_move(w, open, class);

	if (r->len < room)
		memset((uint8_t *)r + r->len, 0, room - r->len);
	return r;
}
/* Removes an open record, which is not given. The handle is invalid afterwards. */
void wait_drop(struct wait *w, uint32_t open);
/* Returns the handles of all open records in the order of their numbers, and sets *n to how
 * many there are. The caller frees the array. */
uint32_t *wait_opens(const struct wait *w, uint32_t *n);
/* Puts the next complete records into b. They are valid until the next call of any function
 * here. Returns false if none can be given yet. Dies if the temporary file cannot be made, written or read. */
bool wait_next(struct wait *w, struct batch *b);
/* Returns true if w holds no open record and no record to be given. */
bool wait_empty(const struct wait *w);
/* Calls fn for each record in memory, except those that were given last. fn may replace the record in its memory. */
void wait_each(struct wait *w, void (*fn)(void *arg, struct rec *r), void *arg);

#endif
