/* mem.h - containers: memory that is freed all at once, a table of strings, a buffer of bytes that grows. */
#ifndef SPOOR_MEM_H
#define SPOOR_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slots.h"

/* An arena: memory that is only freed as a whole. Zeroed struct = empty. */
struct arena {
	struct arena_chunk *chunks;
	uint8_t *p, *end;
	size_t bytes; /* bytes of all chunks */
};

/* Returns n bytes, 8-byte aligned, not cleared. Dies without memory. */
void *arena_get(struct arena *a, size_t n);
/* Returns n bytes, 8-byte aligned, all zero. Dies without memory. */
void *arena_zeros(struct arena *a, size_t n);
/* Returns a copy of the n bytes at s, with a NUL after them. Dies without memory. */
char *arena_str(struct arena *a, const char *s, size_t n);
/* Frees all memory of the arena, which is empty then. */
void arena_free(struct arena *a);

/* A table of different strings with numbers from 0. Zeroed struct = empty. */
struct str {
	const char *s; /* ends with a NUL */
	uint32_t len;
};

struct strtab {
	struct str *v;
	uint32_t n;
	size_t cap;
	struct slots index;
	size_t bytes; /* sum of the lengths of all strings */
	struct arena mem;
};

/* Returns the number of the string p[0..n), which is copied into the table if it is new. Numbers count from 0. Dies
 * without memory. */
uint32_t strtab_id(struct strtab *t, const void *p, size_t n);
/* Stores the number of the string p[0..n) in *id. Returns false if the string is not in the table. */
bool strtab_find(const struct strtab *t, const void *p, size_t n, uint32_t *id);
/* Frees all memory of the table, which is empty then. */
void strtab_free(struct strtab *t);

/* A buffer of bytes that grows. Zeroed struct = empty. */
struct buf {
	uint8_t *p;
	size_t n, cap;
};

/* Makes room for n bytes after the b->n bytes, and returns the place of the new ones. b->n stays; b->p may move. Dies
 * without memory. */
uint8_t *buf_room(struct buf *b, size_t n);
/*
 * Sets b->n so that the bytes end at `end`, which a put_* at buf_room returned. (C
 * does not say whether `put(buf_room(b, n)) - b->p` reads b->p before buf_room moves it.)
 */
void buf_to(struct buf *b, const uint8_t *end);
/* Appends the n bytes at p. Dies without memory. */
void buf_add(struct buf *b, const void *p, size_t n);
/* Appends the C string s without its NUL. Dies without memory. */
void buf_str(struct buf *b, const char *s);
/* Appends s as one word of a shell, in quotes if needed. A word that put_shown would change is written as $'\ooo'. */
void buf_word(struct buf *b, const char *s);
/* Frees the bytes; the buffer is empty then. */
void buf_free(struct buf *b);

/* Appends one byte. */
static inline void
buf_byte(struct buf *b, char c)
{
	if (b->n == b->cap)
		buf_room(b, 1);
	b->p[b->n++] = (uint8_t)c;
}

/* Compares two uint64_t for qsort. */
int u64_ascending(const void *x, const void *y);
int u64_descending(const void *x, const void *y);

#endif
