/*
 * resort.h - a window that puts the records of one input in order of their keys.
 *
 * The window takes somewhat more records than it holds, sorts them, and releases the first ones. So a record gets
 * to its place if at most `records` earlier records belong after it. Records with equal keys keep their order.
 */
#ifndef SPOOR_RESORT_H
#define SPOOR_RESORT_H

#include "base/bytes.h"
#include "base/mem.h"
#include "event/event.h"

struct resort_entry {
	uint64_t key;
	uint32_t off; /* offset in bytes.p */
	uint32_t len; /* length of the record */
};

/* Memory that all windows use in turn. Its owner frees it by free(v) and buf_free(&bytes). */
struct resort_spare {
	struct resort_entry *v;
	size_t cap;
	struct buf bytes;
};

struct resort {
	struct resort_spare *spare;
	/* Size of the window: `records` records; or, with by_span, all records whose key is less than `span` below
	 * the greatest key so far, and at most `records`. */
	uint64_t records, span;
	bool by_span;
	size_t most; /* most bytes of records that it holds */
	/* Bytes of released records that may stay in memory, in addition to a quarter of the bytes held. */
	size_t spare_most;
	bool over; /* a limit made the window smaller than requested */
	struct resort_entry *v;
	size_t cap;
	/* v[at..ready) may leave; v[..sorted) is sorted */
	uint32_t at, ready, sorted, n;
	uint64_t max;	/* greatest key so far */
	uint64_t floor; /* key of the last record that may leave */
	struct buf bytes;
	size_t live; /* bytes of the records v[at..n) */
};

/* Returns true if the window must take another record before resort_sort. */
static inline bool
resort_wants(const struct resort *w)
{
	return w->n - w->sorted < w->records / 4 + 64 && w->live < w->most + w->most / 4;
}

/* Makes room for n more bytes in b. Room takes no memory until it is written. */
void resort_room(struct buf *b, size_t n);

/* Adds a record of `len` bytes and returns its memory, which the caller must fill at once.
 * The key must be at least `floor`. */
static inline struct rec *
resort_add(struct resort *w, uint64_t key, uint32_t len)
{
	struct buf *b = &w->bytes;
	uint8_t *p;

	if (unlikely(b->cap - b->n < len + REC_SLACK))
		resort_room(b, len + REC_SLACK);
	p = b->p + b->n;
	if (unlikely(w->n == w->cap))
		GROW(w->v, w->cap, w->n + 1);
	w->v[w->n++] = (struct resort_entry){key, (uint32_t)w->bytes.n, len};
	w->bytes.n += len;
	w->live += len;
	w->max = key > w->max ? key : w->max;
	return (struct rec *)(void *)p;
}

/* Sorts the window, once all ready records have left, and makes the first ones ready. all: no more records will
 * come, so all become ready. */
void resort_sort(struct resort *w, bool all);

/* Returns the first record that is ready. */
static inline const struct rec *
resort_first(const struct resort *w)
{
	return (const struct rec *)(const void *)(w->bytes.p + w->v[w->at].off);
}
/* Removes the first ready record. It stays valid until the next resort_add. */
static inline void
resort_leave(struct resort *w)
{
	w->live -= w->v[w->at++].len;
}

/* Calls fn for each record, which it may change in place. */
void resort_each(struct resort *w, void (*fn)(void *arg, struct rec *r), void *arg);
/* Frees what w holds, except its spare memory. */
void resort_free(struct resort *w);

#endif
