/* kept.c - see kept.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "input/kept.h"

struct kept_text
kept_copy(struct arena *mem, const struct buf *b)
{
	uint8_t *p = arena_get(mem, b->n + KEPT_FAST);

	if (b->n)
		memcpy(p, b->p, b->n);
	memset(p + b->n, 0, KEPT_FAST);
	return (struct kept_text){p, (uint32_t)b->n};
}

void
kept_bind(struct cached_texts *k, const struct source *s)
{
	CACHE(k->v, k->cache, s, s->t.str.n);
}

struct kept_text
kept_set(struct cached_texts *k, uint32_t id, const struct buf *b)
{
	return k->v[id] = kept_copy(&k->cache.mem, b);
}

void
kept_free(struct cached_texts *k)
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
