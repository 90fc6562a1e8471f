/* mem.c - arena, string table, growing bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/mem.h"

/* Bytes of the first chunk of an arena, and the limit to which chunks double. The first is small because a run can
 * have thousands of inputs, each with several arenas. */
#define CHUNK_FIRST 512
#define CHUNK (16 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* size of the next chunk, unless a larger one is needed */
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
		struct arena_chunk *c = xmalloc(sizeof *c + size);

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
	struct arena_chunk *c, *next;

	for (c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	memset(a, 0, sizeof *a);
}

static bool
strtab_seek(const struct strtab *t, const void *p, size_t n, uint32_t hash, uint32_t *id)
{
	for (size_t at = hash; slots_next(&t->index, hash, &at, id);)
		if (t->v[*id].len == n && !memcmp(t->v[*id].s, p, n))
			return true;
	return false;
}

uint32_t
strtab_id(struct strtab *t, const void *p, size_t n)
{
	uint32_t hash = hash_bytes(p, n), id;

	if (strtab_seek(t, p, n, hash, &id))
		return id;
	GROW(t->v, t->cap, t->n + 1);
	t->v[t->n] = (struct str){arena_str(&t->mem, p, n), (uint32_t)n};
	t->bytes += n;
	slots_add(&t->index, hash, t->n);
	return t->n++;
}

bool
strtab_find(const struct strtab *t, const void *p, size_t n, uint32_t *id)
{
	uint32_t found;

	if (!t->n || !strtab_seek(t, p, n, hash_bytes(p, n), &found))
		return false;
	*id = found;
	return true;
}

void
strtab_free(struct strtab *t)
{
	free(t->v);
	slots_free(&t->index);
	arena_free(&t->mem);
	memset(t, 0, sizeof *t);
}

uint8_t *
buf_room(struct buf *b, size_t n)
{
	if (n > SIZE_MAX - b->n)
		die("out of memory");
	/* buf_room(b, 0) must not return NULL either. */
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

	if (n) /* p may be NULL if n is 0 */
		memcpy(to, p, n);
	b->n += n;
}

void
buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

/* Returns true if a shell takes all bytes of a word as they are. */
static bool
is_plain(const char *s)
{
	return *s && !s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-")];
}

/* Returns true if put_shown changes no byte of s. */
static bool
is_shown(const char *s)
{
	size_t n = strlen(s);
	struct buf b = {0};
	bool same;

	buf_to(&b, (uint8_t *)put_shown((char *)buf_room(&b, 4 * n + 1), s, n));
	same = b.n == n;
	buf_free(&b);
	return same;
}

void
buf_word(struct buf *b, const char *s)
{
	bool plain = is_plain(s), shown = is_shown(s);

	if (!plain)
		buf_str(b, shown ? "'" : "$'");
	for (; *s; s++)
		if (*s == '\'')
			buf_str(b, shown ? "'\\''" : "\\'");
		else if (!shown && (*s < ' ' || *s > '~' || *s == '\\')) {
			uint8_t c = (uint8_t)*s;
			const char octal[] = {'\\', (char)('0' + (c >> 6)),
					      (char)('0' + (c >> 3 & 7)),
					      (char)('0' + (c & 7))};

			buf_add(b, octal, sizeof octal);
		} else
			buf_byte(b, *s);
	if (!plain)
		buf_byte(b, '\'');
}

void
buf_free(struct buf *b)
{
	free(b->p);
	memset(b, 0, sizeof *b);
}

int
u64_ascending(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

int
u64_descending(const void *x, const void *y)
{
	return u64_ascending(y, x);
}
