/* cached_text.h - texts that are made once and copied often, such as what a target writes for each location,
 * symbol, lane or type. */
#ifndef SPOOR_CACHED_TEXT_H
#define SPOOR_CACHED_TEXT_H

#include "base/bytes.h"
#include "base/out.h"
#include "input/cache.h"

/* A text of at most so many bytes is copied without a loop. As many readable bytes follow each text. */
#define CACHED_TEXT_FAST 32
/* A text of at most so many bytes fits into the room that a line has for all its texts. */
#define CACHED_TEXT_ROOM (OUT_SLACK / 4)

struct cached_text {
	const uint8_t *p; /* NULL = not made yet */
	uint32_t n;
};

/* Texts by number of a string. Zeroed struct = empty. */
struct text_cache {
	struct cached_text *v;
	struct cache cache; /* its `mem` holds the texts */
};

/* Returns a copy of b in the arena, with CACHED_TEXT_FAST readable bytes after it. Dies without memory. */
struct cached_text cached_text_copy(struct arena *mem, const struct buf *b);
/* Empties k if the strings of s have new numbers. Must be called for each batch. */
void cached_text_bind(struct text_cache *k, const struct source *s);
/* Sets the text of string `id` to a copy of b, and returns it. Dies without memory. */
struct cached_text cached_text_set(struct text_cache *k, uint32_t id, const struct buf *b);
/* Frees all memory of k. */
void cached_text_free(struct text_cache *k);

/* Sets b to the n bytes at p, a value of a stream, without their escapes. A NUL follows, which b->n does not
 * count. The value `""` becomes the empty string. */
void text_raw(struct buf *b, const char *p, size_t n);
/* Writes the text at p, a place of out_room. Returns the place after the text. A text longer than CACHED_TEXT_ROOM flushes the
 * buffer, so all of out_room is free again; a shorter one takes its length from the room. */
static INLINE uint8_t *
cached_text_put(struct out *o, uint8_t *p, const struct cached_text *t)
{
	copy16s(p, t->p, CACHED_TEXT_FAST);
	if (likely(t->n <= CACHED_TEXT_FAST))
		return p + t->n;
	if (unlikely(t->n > CACHED_TEXT_ROOM))
		return out_bytes_at(o, p, t->p, t->n);
	copy16s(p + CACHED_TEXT_FAST, t->p + CACHED_TEXT_FAST, t->n - CACHED_TEXT_FAST);
	return p + t->n;
}

#endif
