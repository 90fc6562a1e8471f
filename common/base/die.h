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
 * Prepares the program; must be the first call. Takes the program's name for messages from the last part of
 * argv0, chooses the key of hash tables, and opens descriptors 0 to 2 on /dev/null if they are closed,
 * so that no file becomes standard output. Exits with ST_TROUBLE if that fails.
 */
void prog_start(const char *argv0);
/* Returns the name that prog_start took. */
const char *prog_name(void);

/*
 * Prints "prog: text" on standard error, as one line: bytes that could control a terminal or begin
 * another line are written as \xHH. A format that ends with ':' gets strerror(errno)
 * appended.
 */
void warn(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Returns the number of messages that warn has printed, without messages that warn_skip
 * suppressed and messages of die. */
unsigned warn_said(void);
/* Suppresses the next n messages of warn; UINT_MAX suppresses all. A second call replaces the n of the first call. A
 * program that reads its inputs twice does not repeat the messages of the first reading: n is their number. */
void warn_skip(unsigned n);
/* Prints a progress message in the form of warn. warn_said does not count it, and warn_skip does not suppress it. */
void warn_progress(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Prints the message as warn does, then exits with ST_TROUBLE. */
_Noreturn void die(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Prints the message with "name:line: " in front of it, then exits with ST_TROUBLE. */
_Noreturn void die_at(const char *name, uint64_t line, const char *fmt, ...)
    PRINTF(3, 4) COLD;

/* Prints the message and, under it, the lines `below`, then exits with ST_TROUBLE. The lines are printed without
 * change: the caller must have made them safe with put_shown, and the last one must end with a newline. `below` may be
 * NULL or empty. */
_Noreturn void die_below(const char *below, const char *fmt, ...) PRINTF(2, 3) COLD;

/* Returns the length in bytes of the UTF-8 character that the n > 0 bytes at p begin with, and stores its code point
 * in *c. Returns 0 if they begin with none; *c is then undefined. */
size_t utf8_char(const uint8_t *p, size_t n, uint32_t *c);
/*
 * Writes the n bytes at p to `to` in a form that is safe for a terminal: printable UTF-8 characters
 * stay, each other byte becomes \xHH. Writes at most 4 n bytes and no NUL. Returns the place after the last one.
 */
char *put_shown(char *to, const void *p, size_t n);
/* Writes the n bytes at p to `to` for a message: in quotes, with a NUL at the end. Quotes, backslashes and bytes other
 * than printable ASCII become \xHH. A result longer than some 44 bytes is cut, and "..." follows the quote. Returns
 * `to`. */
const char *quoted(char to[static 64], const void *p, size_t n);

/* xmalloc calls malloc, xcalloc calloc, xrealloc realloc. The memory is freed by free. They die without memory, or if n * size overflows. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
/* Frees the memory at v, and sets v to NULL. */
#define FREE(v) (free(v), (v) = NULL)
/* Returns n bytes that begin at a cache line, to be freed by free. Dies without memory. */
void *xaligned(size_t n);
/* Returns a copy of s, to be freed by free. Dies without memory. */
char *xstrdup(const char *s);
/* Returns a copy of the n bytes at s with a NUL after them, to be freed by free. Dies without memory. */
char *xstrndup(const char *s, size_t n);

/*
 * Makes room for at least `want` elements of `size` bytes in the array v (NULL = none yet), which has room for *cap.
 * If *cap is too small, it becomes 16 or is doubled until it is enough; it never shrinks. Returns the array, which may
 * have moved; new elements are zero. The array is freed by free. Dies without memory, or if want * size overflows.
 */
void *grow(void *v, size_t *cap, size_t want, size_t size);
/* Does what grow does, but begins with room for 1 element instead of 16: for many arrays that mostly have one. */
void *grow_small(void *v, size_t *cap, size_t want, size_t size);
/* GROW and GROW_SMALL call grow and grow_small for the array v with the size_t cap. PUSH makes room for one more
 * element after n, adds 1 to n, and is the address of the new element. */
#define GROW(v, cap, want) ((v) = grow((v), &(cap), (want), sizeof *(v)))
#define GROW_SMALL(v, cap, want) ((v) = grow_small((v), &(cap), (want), sizeof *(v)))
#define PUSH(v, n, cap) (GROW(v, cap, (n) + 1), &(v)[(n)++])

#endif
