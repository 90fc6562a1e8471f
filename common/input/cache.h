/*
 * cache.h - what a caller finds out once of each type, or of each string, of a source: an array
 * by its number there, in which zeros are what was not looked at yet.
 *
 * It is void when types and strings are numbered anew, and when there is another head, which
 * it may hang on.
 */
#ifndef SPOOR_CACHE_H
#define SPOOR_CACHE_H

#include <stdlib.h>
#include <string.h>

#include "input/source.h"

#define CACHE_MOST (2u << 20)

/* Of an array x, called x_cache. Zeroed struct = nothing yet. */
struct cache {
	size_t cap;	       /* elements of the array */
	unsigned epoch, heads; /* what they hold for */
	uint32_t known;	       /* cache_next: elements that were looked at */
	struct arena mem;      /* what they point to, if the caller takes it from here */
};

/* Returns whether what is known is of the types, strings and head at hand. */
static inline bool
cache_holds(const struct cache *m, const struct source *s)
{
	return m->epoch == s->t.epoch && m->heads == s->heads;
}

static inline void *
cache_room(void *v, struct cache *m, const struct source *s, size_t want, size_t size)
{
	if (unlikely(!cache_holds(m, s))) {
		m->epoch = s->t.epoch;
		m->heads = s->heads;
		m->known = 0;
		arena_free(&m->mem);
		if (m->cap)
			memset(v, 0, m->cap * size);
	}
	return unlikely(want > m->cap) ? grow(v, &m->cap, want, size) : v;
}

/* Forgets all, from the next CACHE on. */
static inline void
cache_forget(struct cache *m)
{
	m->epoch = 0;
}

/* The same, where what hangs on the elements takes so much memory that it is rather made anew. */
static inline void
cache_bound(struct cache *m)
{
	if (unlikely(m->mem.bytes > CACHE_MOST))
		cache_forget(m);
}

/* Frees the array v, and what hangs on it. */
static inline void
cache_free(void *v, struct cache *m)
{
	free(v);
	arena_free(&m->mem);
}

/* Gives the array v room for `want` elements, which are zeros where nothing is known. */
#define CACHE(v, m, s, want) ((v) = cache_room((v), &(m), (s), (want), sizeof *(v)))

/* For who looks at all elements in turn: *i = the next one of n that was not looked at; false where
 * all were. */
static inline bool
cache_next(struct cache *m, uint32_t n, uint32_t *i)
{
	if (likely(m->known >= n))
		return false;
	*i = m->known++;
	return true;
}

#endif
