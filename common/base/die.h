/* die.h - messages to the user, exit statuses, and memory. */
#ifndef SPOOR_DIE_H
#define SPOOR_DIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* Exit statuses, the same for every program. */
enum status {
	ST_OK = 0,
	ST_NONE = 1, /* nothing matched, or a difference: grep's and cmp's sense */
	ST_TROUBLE = 2,
};

/*
 * First call of every program. Takes the program's name for messages from the last part of
 * argv0, chooses the key of hash tables, and opens descriptors 0 to 2 if they are closed,
 * so that no trace becomes standard output. Dies if that fails.
 */
void prog_start(const char *argv0);
/* The name that prog_start took. */
const char *prog_name(void);

/*
 * "prog: text" on standard error, one line: bytes that could control a terminal or begin
 * another line are written as \xHH. A format that ends with ':' gets strerror(errno)
 * appended.
 */
void warn(const char *fmt, ...) PRINTF(1, 2) COLD;
/* How many messages of warn were printed. The next n are not: where inputs are read a second time, n are those of
 * the first time; of harnesses that feed a million broken inputs, UINT_MAX are all. */
unsigned warn_said(void);
void warn_skip(unsigned n);
/* The same of what is no fault: how far a run is. */
void warn_progress(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Prints the message as warn does, then exits with ST_TROUBLE. */
_Noreturn void die(const char *fmt, ...) PRINTF(1, 2) COLD;
/* The same of a line of the input `name`. */
_Noreturn void die_at(const char *name, uint64_t line, const char *fmt, ...)
    PRINTF(3, 4) COLD;

/* The same, with the lines `below` printed under the message. They are printed as they
 * stand: the caller has made them safe by put_shown. */
_Noreturn void die_below(const char *below, const char *fmt, ...) PRINTF(2, 3) COLD;

/* How many of the n > 0 bytes at p are a character of UTF-8, and its number in *c; 0 where
 * they begin with none (*c is then of no use). */
size_t utf8_char(const uint8_t *p, size_t n, uint32_t *c);
/*
 * Writes n bytes of p to `to` as a terminal may show them: printable characters of UTF-8
 * stay, each other byte becomes \xHH. Writes at most 4 n bytes; gives the place behind.
 */
char *put_shown(char *to, const void *p, size_t n);
/* n bytes of p for a message, written to `to`, which it gives back: in quotes, cut after
 * some 40 bytes, unprintable ones as \xHH. */
const char *quoted(char to[static 64], const void *p, size_t n);

/* malloc, calloc and realloc that die without memory, also if n * size overflows. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
/* Frees the memory at v, and sets v to NULL. */
#define FREE(v) (free(v), (v) = NULL)
/* n bytes that begin at a cache line. free releases them. Dies without memory. */
void *xaligned(size_t n);
/* A copy of s, to be freed. Dies without memory. */
char *xstrdup(const char *s);
/* The same of the n bytes at s. */
char *xstrndup(const char *s, size_t n);

/*
 * Makes room for at least `want` elements of `size` bytes in the array v (NULL = none yet),
 * which has room for *cap. Doubles *cap as needed, never shrinks. Gives the array, perhaps
 * moved; new elements are zero. Dies without memory.
 */
void *grow(void *v, size_t *cap, size_t want, size_t size);
/* The same where most arrays have one element: from 1 on, not from 16. */
void *grow_small(void *v, size_t *cap, size_t want, size_t size);
/* The same of the array v with its size_t cap; and the place of one more element behind n,
 * which is counted. */
#define GROW(v, cap, want) ((v) = grow((v), &(cap), (want), sizeof *(v)))
#define GROW_SMALL(v, cap, want) ((v) = grow_small((v), &(cap), (want), sizeof *(v)))
#define PUSH(v, n, cap) (GROW(v, cap, (n) + 1), &(v)[(n)++])

#endif
