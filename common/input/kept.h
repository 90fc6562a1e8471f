/* kept.h - texts that are made once and copied often: what a target writes of each location,
 * symbol, lane or type. */
#ifndef SPOOR_KEPT_H
#define SPOOR_KEPT_H

#include "base/bytes.h"
#include "base/out.h"
#include "input/cache.h"

/* A text of so many bytes is copied without a loop; each is followed by as many. */
#define KEPT_FAST 32
/* One of up to so many has room where a line has, among others. */
#define KEPT_ROOM (OUT_SLACK / 4)

struct kept_text {
	const uint8_t *p; /* NULL: not made yet */
	uint32_t n;
};

/* By number of a string. Zeroed struct = empty. */
struct kept {
	struct kept_text *v;
	struct cache cache; /* its mem: of the texts */
};

/* A copy of the bytes in the arena, with what follows it. */
struct kept_text kept_copy(struct arena *mem, const struct buf *b);
/* To be called for each batch: forgets all where the strings have new numbers. */
void kept_bind(struct kept *k, const struct source *s);
/* Sets and gives the text of string `id`. */
struct kept_text kept_set(struct kept *k, uint32_t id, const struct buf *b);
/* Frees. */
void kept_free(struct kept *k);

/* b = a text as a stream shows it, without its escapes, and a NUL behind. */
void text_raw(struct buf *b, const char *p, size_t n);
/* Writes a text at p, a place of out_room; gives the place behind. There is room if the text
 * is longer than KEPT_ROOM, and else as much less as it is long. */
static INLINE uint8_t *
kept_put(struct out *o, uint8_t *p, const struct kept_text *t)
{
	copy16s(p, t->p, KEPT_FAST);
	if (likely(t->n <= KEPT_FAST))
		return p + t->n;
	if (unlikely(t->n > KEPT_ROOM))
		return out_bytes_at(o, p, t->p, t->n);
	copy16s(p + KEPT_FAST, t->p + KEPT_FAST, t->n - KEPT_FAST);
	return p + t->n;
}

#endif
