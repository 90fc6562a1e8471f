/* die.h - how a program speaks to its user, and the memory it asks for. */
#ifndef SPOOR_DIE_H
#define SPOOR_DIE_H

#include <stddef.h>
#include <stdint.h>

/* Exit statuses, the same for every program. */
enum status {
	ST_OK = 0,
	ST_NONE = 1, /* nothing matched, or a difference: grep's and cmp's sense */
	ST_TROUBLE = 2,
};

#if defined(__GNUC__)
#define PRINTF(a, b) __attribute__((format(printf, a, b)))
#define COLD __attribute__((cold, noinline))
#define INLINE inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#else
#define PRINTF(a, b)
#define COLD
#define INLINE inline
#define likely(x) (x)
#define unlikely(x) (x)
#endif

/*
 * Names the program for its messages (the last part of argv0), and makes sure that
 * descriptors 0 to 2 are taken, so that a trace that is opened never becomes standard
 * output.
 */
void prog_start(const char *argv0);
const char *prog_name(void);

/* "prog: text" on standard error. A format that ends with ':' gets strerror(errno)
 * appended. */
void warn(const char *fmt, ...) PRINTF(1, 2) COLD;
/* Harnesses that feed a million broken inputs want no messages. */
void warn_quiet(void);
/* The same, then exit(ST_TROUBLE). */
_Noreturn void die(const char *fmt, ...) PRINTF(1, 2) COLD;

/* malloc and friends that die when there is no memory. A product that overflows dies too.
 */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);

/*
 * Makes room for at least `want` elements in a growing array: doubles *cap, never shrinks.
 * Takes the array (or NULL), gives it back, perhaps moved; new elements are zero.
 */
void *grow(void *v, size_t *cap, size_t want, size_t size);

#endif
