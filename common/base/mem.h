/* mem.h - two containers: memory that is given back all at once, and a table of strings. */
#ifndef SPOOR_MEM_H
#define SPOOR_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An arena: pieces are never freed one by one. Zeroed struct = empty. */
struct arena {
	struct chunk *chunks;
	uint8_t *p, *end;
};

void *arena_get(struct arena *a,
		size_t n); /* 8-byte aligned, not cleared; dies without memory */
char *arena_str(struct arena *a, const char *s, size_t n); /* copy of n bytes and a NUL */
void arena_free(struct arena *a);

/* Strings by number, and numbers by string. Each string is kept once. Zeroed struct =
 * empty. */
struct str {
	const char *s; /* NUL-terminated besides its length */
	uint32_t len;
	uint32_t hash;
};

struct strtab {
	struct str *v;
	uint32_t n;
	size_t cap;
	uint32_t *slots; /* number + 1, 0 = free */
	uint32_t nslots;
	size_t bytes; /* of all strings */
	struct arena mem;
};

/* The number of a string, which is added when it is new. Numbers count from 0. */
uint32_t strtab_id(struct strtab *t, const void *p, size_t n);
bool strtab_find(const struct strtab *t, const void *p, size_t n, uint32_t *id);
void strtab_free(struct strtab *t);

/* Bytes that grow. Zeroed struct = empty. */
struct buf {
	uint8_t *p;
	size_t n, cap;
};

uint8_t *buf_room(struct buf *b, size_t n); /* n more bytes behind b->n; b->n stays */
/*
 * Sets b->n to where `end` lies: what a put_* at buf_room gave. (C leaves open whether b->p
 * in `put(buf_room(b, n)) - b->p` is read before buf_room moves it.)
 */
void buf_to(struct buf *b, const uint8_t *end);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_free(struct buf *b);

/* Appends one byte. */
static inline void
buf_byte(struct buf *b, char c)
{
	if (b->n == b->cap)
		buf_room(b, 1);
	b->p[b->n++] = (uint8_t)c;
}

#endif
