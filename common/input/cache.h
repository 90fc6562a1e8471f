/*
 * cache.h - keeps what a caller computes once for each type, or for each string, of a source: an array
 * with the number of the type or string as its index. A zero element was not computed yet.
 *
 * The cache becomes empty when types and strings get new numbers, and when the source has another head.
 */
#ifndef SPOOR_CACHE_H
#define SPOOR_CACHE_H

#include <stdlib.h>
#include <string.h>

#include "input/source.h"

#define CACHE_MOST (2u << 20)

/* The state of a cache whose array is x; it is called x_cache. Zeroed struct = empty. */
struct cache {
	size_t cap;		     /* elements of the array */
	unsigned epoch, head_serial; /* of the source, when the elements were computed */
	uint32_t known;		     /* cache_next: elements that were visited */
	struct arena mem; /* memory of the elements, if the caller takes it from here */
};

/* Returns true if the elements belong to the current types, strings and head of s. */
static inline bool
cache_holds(const struct cache *m, const struct source *s)
{
	return m->epoch == s->t.epoch && m->head_serial == s->head_serial;
}

/* Does the work of CACHE. */
static inline void *
cache_room(void *v, struct cache *m, const struct source *s, size_t want, size_t size)
{
	if (unlikely(!cache_holds(m, s))) {
		m->epoch = s->t.epoch;
		m->head_serial = s->head_serial;
		m->known = 0;
		arena_free(&m->mem);
		if (m->cap)
			memset(v, 0, m->cap * size);
	}
	return unlikely(want > m->cap) ? grow(v, &m->cap, want, size) : v;
}

/* Makes the next CACHE empty the cache. */
static inline void
cache_forget(struct cache *m)
{
	m->epoch = 0;
}

/* Makes the next CACHE empty the cache if its elements have more than CACHE_MOST bytes in `mem`. */
static inline void
cache_bound(struct cache *m)
{
	if (unlikely(m->mem.bytes > CACHE_MOST))
		cache_forget(m);
}

/* Frees the array v and the memory of its elements. */
static inline void
cache_free(void *v, struct cache *m)
{
	free(v);
	arena_free(&m->mem);
}

/* Makes room for `want` elements in the array v, and empties it if it belongs to earlier types, strings or heads of
 * s. New elements are zero. Dies without memory. */
#define CACHE(v, m, s, want) ((v) = cache_room((v), &(m), (s), (want), sizeof *(v)))

/* Stores in *i the next of n elements that was not visited yet. Returns false if all were. */
static inline bool
cache_next(struct cache *m, uint32_t n, uint32_t *i)
{
	if (likely(m->known >= n))
		return false;
	*i = m->known++;
	return true;
}

#endif
