/* die.h - how a program speaks to its user, and the memory it asks for. */
#ifndef SPOOR_DIE_H
#define SPOOR_DIE_H

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
 * Names the program for its messages (the last part of argv0), chooses the key of hash
 * tables, and makes sure that descriptors 0 to 2 are taken, so that a trace that is opened
 * never becomes standard output.
 */
void prog_start(const char *argv0);
const char *prog_name(void);

/*
 * "prog: text" on standard error, one line: bytes of it that could do something to a
 * terminal, or pass for another line, are written as \xHH. A format that ends with ':' gets
 * strerror(errno) appended.
 */
void warn(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Harnesses that feed a million broken inputs want no messages. */
void warn_quiet(void);
/* The same, then exit(ST_TROUBLE). */
_Noreturn void die(const char *fmt, ...) PRINTF(1, 2) COLD;

/* The same, with lines below the message that are printed as they are: see put_shown. */
_Noreturn void die_below(const char *below, const char *fmt, ...) PRINTF(2, 3) COLD;

/* How many of the n > 0 bytes at p are a character of UTF-8, and its number in *c; 0 where
 * they begin with none (*c is then of no use). */
size_t utf8_char(const uint8_t *p, size_t n, uint32_t *c);
/*
 * n bytes as a terminal may show them: characters of UTF-8 that are only shown stay, each
 * other byte is written as \xHH. Writes at most 4 n bytes, and gives the place behind.
 */
char *put_shown(char *to, const void *p, size_t n);
/* Text of a message: n bytes in quotes, cut after some 40, unprintable ones as \xHH. */
const char *quoted(char to[static 64], const void *p, size_t n);

/* malloc and friends that die when there is no memory. A product that overflows dies too.
 */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
/* n bytes that begin at a cache line; free gives them back. */
void *xaligned(size_t n);
char *xstrdup(const char *s);

/*
 * Makes room for at least `want` elements in a growing array: doubles *cap, never shrinks.
 * Takes the array (or NULL), gives it back, perhaps moved; new elements are zero.
 */
void *grow(void *v, size_t *cap, size_t want, size_t size);

#endif
