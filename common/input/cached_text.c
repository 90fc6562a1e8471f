/* cached_text.c - implements cached_text.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "input/cached_text.h"

struct cached_text
cached_text_copy(struct arena *mem, const struct buf *b)
{
	uint8_t *p = arena_get(mem, b->n + CACHED_TEXT_FAST);

	if (b->n)
		memcpy(p, b->p, b->n);
	memset(p + b->n, 0, CACHED_TEXT_FAST);
	return (struct cached_text){p, (uint32_t)b->n};
}

void
cached_text_bind(struct text_cache *k, const struct source *s)
{
	CACHE(k->v, k->cache, s, s->t.str.n);
}

struct cached_text
cached_text_set(struct text_cache *k, uint32_t id, const struct buf *b)
{
	return k->v[id] = cached_text_copy(&k->cache.mem, b);
}

void
cached_text_free(struct text_cache *k)
{
	cache_free(k->v, &k->cache);
}

void
text_raw(struct buf *b, const char *p, size_t n)
{
	b->n = 0;
	buf_room(b, n + 1);
	if (n != 2 || memcmp(p, "\"\"", 2) != 0)
		b->n = unescape(b->p, p, n);
	b->p[b->n] = '\0';
}
