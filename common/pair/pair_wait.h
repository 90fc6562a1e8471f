/*
 * pair_wait.h - records that wait for their end, and those that wait for them.
 *
 * Each record has a number, from 0 on. An open one is complete later than others that come
 * behind it; it stays in memory. Complete records are given in the order of their numbers,
 * or, with by_end, in the order in which they were completed. In order of number, what
 * waits beyond a limit goes to a temporary file.
 *
 * An open record takes its own bytes, 24 of struct open, and 4 to 20 for its place in the
 * order.
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
	uint64_t key;  /* the owner's; first: see pair_keys */
	uint64_t tag;  /* number of the record, times 256, and the class of its place */
	uint32_t at;   /* of the record: see wait_at */
	uint32_t next; /* the owner's; of a free one, the next free one */
};

/* A record that was completed when later ones were in the file. */
struct wait_late {
	uint64_t number;
	uint32_t at;
};

/* An open record that is older than all in the window. */
struct wait_old {
	uint64_t number; /* of the open one, as long as it is open */
	uint32_t open;
};

/* Records in the temporary file, in the order of their numbers. */
struct wait_run {
	uint64_t at, end;    /* offsets of what was not yet read */
	uint64_t number;     /* of its next record; UINT64_MAX where there is none */
	struct buf held;     /* bytes from there on */
	size_t used, length; /* of these: given; of the next record */
};

/* Sizes of places: 8 to 512 bytes, and powers of two. */
#define WAIT_CLASSES 96

struct wait {
	bool by_end;
	uint64_t most; /* the limit, or tuning.wait */
	/* Places of records; free[class]: those that can be used again. */
	uint8_t *mem;
	size_t n, cap,
	    lost; /* bytes: given out once, all, of places too small for any use */
	struct wait_free {
		uint32_t *v;
		size_t n, cap;
	} free[WAIT_CLASSES];
	struct open *open;
	size_t opencap;
	uint32_t opens, open_used, open_free; /* in use, made once, first of those free */
	/* The window, behind all that are in the file. */
	uint32_t *entry; /* place of a complete record; or WAIT_OPEN and a handle */
	size_t entrycap, head, entries;
	uint64_t base;		       /* number of entry[0] */
	uint64_t held;		       /* bytes of complete records in memory */
	uint32_t given[BATCH], ngiven; /* places of the records that were given last */

	int fd;
	uint64_t written;
	bool filed; /* there are records in the file, or some older than the window */
	struct wait_run *run; /* [0] is of the windows, the others of late ones */
	size_t nruns, runcap;
	struct wait_late *late; /* a heap, the smallest number first */
	size_t nlate, latecap;
	struct wait_old *old; /* in order */
	size_t nold, oldcap, old_at;
	struct buf out; /* records of the file that are given; bytes to be written */
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

/* Prefetches into the cache what wait_done will need of an open record. The handle may be
 * one that is no longer open. */
static inline void
wait_fetch(const struct wait *w, uint32_t open)
{
	uint64_t i = (w->open[open].tag >> 8) - w->base;

	touch(wait_rec(w, open));
	touch((const uint8_t *)wait_rec(w, open) + REC_HEAD - 1);
	if (i < w->entries)
		touch(&w->entry[i]);
}

/* Returns whether a record can be opened: there is a limit of 3 GiB. */
static inline bool
wait_room(const struct wait *w)
{
	return w->n < 3ull << 30;
}

/* The functions from here to wait_grow serve only wait_add, wait_open, wait_done and
 * wait_grow. */
static inline unsigned
wait_class(uint32_t len)
{
	return len <= 512 ? (len + 7) / 8 : 64 + 55 - leading_zeros64(len - 1);
}

static inline size_t
wait_size(unsigned class)
{
	return class <= 64 ? 8 * class : (size_t)512 << (class - 64);
}

/* Returns a new place, behind all others. */
uint32_t wait_new_place(struct wait *w, unsigned class);
/* Stores a completed record whose number is lower than numbers already in the file. */
void wait_late_add(struct wait *w, uint64_t number, uint32_t at) COLD;

static inline uint32_t
wait_place(struct wait *w, unsigned class)
{
	struct wait_free *f = &w->free[class];

	return likely(f->n) ? f->v[--f->n] : wait_new_place(w, class);
}

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

/* Completes an open record, which must be filled in. The handle is invalid afterwards. */
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
/* Makes the place of an open record `room` bytes. The bytes of the record stay, but may move; those behind
 * its length, up to `room`, are zeros, so that the padding between arguments is. */
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
/* Removes an open record, which will not be given. The handle is invalid afterwards. */
void wait_drop(struct wait *w, uint32_t open);
/* Returns the handles of all open records in the order of their numbers, and sets *n to how
 * many there are. The caller frees the array. */
uint32_t *wait_opens(const struct wait *w, uint32_t *n);
/* Puts the next complete records into b. They are valid until the next call of any function
 * here. Returns false if none can be given yet. */
bool wait_next(struct wait *w, struct batch *b);
/* Returns whether nothing is held: no open record, and none to be given. */
bool wait_empty(const struct wait *w);
/* Calls fn for each record in memory except the last that were given. fn may replace the
 * record, in the same memory. */
void wait_each(struct wait *w, void (*fn)(void *arg, struct rec *r), void *arg);

#endif
