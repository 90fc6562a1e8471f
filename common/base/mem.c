/* mem.c - arena, string table, growing bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/mem.h"

/* Bytes of the first chunk of an arena, and of one at most: each is twice the one before. Of
 * thousands of inputs each has some arenas. */
#define CHUNK_FIRST 512
#define CHUNK (16 * 1024)

struct chunk {
	struct chunk *next;
	size_t size; /* that the next one has, if it need not be larger */
	uint64_t data[];
};

void *
arena_get(struct arena *a, size_t n)
{
	void *p;

	n = (n + 7) & ~(size_t)7;
	if (!a->p || n > (size_t)(a->end - a->p)) {
		size_t usual = a->chunks ? a->chunks->size : CHUNK_FIRST;
		size_t size = n > usual ? n : usual;
		struct chunk *c = xmalloc(sizeof *c + size);

		c->next = a->chunks;
		c->size = usual < CHUNK ? 2 * usual : CHUNK;
		a->chunks = c;
		a->bytes += size;
		a->p = (uint8_t *)c->data;
		a->end = a->p + size;
	}
	p = a->p;
	a->p += n;
	return p;
}

void *
arena_zeros(struct arena *a, size_t n)
{
	return memset(arena_get(a, n), 0, n);
}

char *
arena_str(struct arena *a, const char *s, size_t n)
{
	char *p = arena_get(a, n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

void
arena_free(struct arena *a)
{
	struct chunk *c, *next;

	for (c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	memset(a, 0, sizeof *a);
}

static uint32_t *
slot_of(const struct strtab *t, const void *p, size_t n, uint32_t hash)
{
	uint32_t mask = t->nslots - 1, i = hash & mask;

	for (; t->slots[i]; i = (i + 1) & mask) {
		const struct str *s = &t->v[t->slots[i] - 1];

		if (s->hash == hash && s->len == n && !memcmp(s->s, p, n))
			break;
	}
	return &t->slots[i];
}

static void
rehash(struct strtab *t)
{
	uint32_t i, k, mask;

	t->nslots = t->nslots ? t->nslots * 2 : 64;
	free(t->slots);
	t->slots = xcalloc(t->nslots, sizeof *t->slots);
	mask = t->nslots - 1;
	for (k = 0; k < t->n; k++) {
		for (i = t->v[k].hash & mask; t->slots[i]; i = (i + 1) & mask)
			;
		t->slots[i] = k + 1;
	}
}

uint32_t
strtab_id(struct strtab *t, const void *p, size_t n)
{
	uint32_t hash = hash_bytes(p, n), *slot;

	if (t->n * 2 >= t->nslots)
		rehash(t);
	slot = slot_of(t, p, n, hash);
	if (*slot)
		return *slot - 1;
	GROW(t->v, t->cap, t->n + 1);
	t->v[t->n] = (struct str){arena_str(&t->mem, p, n), (uint32_t)n, hash};
	t->bytes += n;
	*slot = ++t->n;
	return t->n - 1;
}

bool
strtab_find(const struct strtab *t, const void *p, size_t n, uint32_t *id)
{
	uint32_t *slot;

	if (!t->n)
		return false;
	slot = slot_of(t, p, n, hash_bytes(p, n));
	if (*slot)
		*id = *slot - 1;
	return *slot != 0;
}

void
strtab_free(struct strtab *t)
{
	free(t->v);
	free(t->slots);
	arena_free(&t->mem);
	memset(t, 0, sizeof *t);
}

uint8_t *
buf_room(struct buf *b, size_t n)
{
	if (n > SIZE_MAX - b->n)
		die("out of memory");
	/* Never NULL, also for nothing. */
	GROW(b->p, b->cap, b->n + (n ? n : 1));
	return b->p + b->n;
}

void
buf_to(struct buf *b, const uint8_t *end)
{
	b->n = (size_t)(end - b->p);
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	uint8_t *to = buf_room(b, n);

	if (n) /* p may be NULL: of an empty buffer */
		memcpy(to, p, n);
	b->n += n;
}

void
buf_free(struct buf *b)
{
	free(b->p);
	memset(b, 0, sizeof *b);
}
