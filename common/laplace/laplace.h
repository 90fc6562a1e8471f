/* laplace.h - options, and Laplace's own text and binary records of references. */
#ifndef SPOOR_LAPLACE_H
#define SPOOR_LAPLACE_H

#include "input/source.h"

#define LAPLACE_RECORD 18

/* One memory reference. */
struct reference {
	uint8_t type;  /* a letter: r, w, i; any printable one is let through */
	uint64_t time; /* the processor's cycle counter */
	uint8_t length;
	uint32_t space; /* virtual address space */
	uint32_t addr;
};

enum laplace_order {
	ORDER_FIND,
	ORDER_LITTLE,
	ORDER_BIG
};

/* Options of fmt_laplace and fmt_laplace_text. */
struct laplace_options {
	enum laplace_order order;
	/* Text: every line is a reference, also where its letter is a kernel tag. */
	bool references;
};

/*
 * The whole records in the buffer of s, a source of fmt_laplace: gives their place, and
 * their number in *n; NULL at the end. The caller moves s->in.p behind those that it took.
 */
const uint8_t *laplace_block(struct source *s, size_t *n);

/*
 * Writes the n records at p as canonical text: `r 123456789abcdef0 4 9f8e7 9a8b7c6d`, hex
 * without leading zeros; with `pad`, every number in its full width. A record of s whose
 * type cannot be printed is reported and skipped.
 */
void laplace_put_text(struct source *s, struct out *o, const uint8_t *p, size_t n,
		      bool pad);

/* Parses the line [p, end) of reference text, without its newline, into *r. Gives NULL, or
 * the reason why it is none. */
const char *laplace_parse(const uint8_t *p, const uint8_t *end, struct reference *r);
/* Writes *r as a record of a file, big-endian if `big`. */
void laplace_store(uint8_t to[LAPLACE_RECORD], const struct reference *r, bool big);

/* Reports once per input that the clock goes back, at the offset or line `place`; *said
 * remembers it. */
void laplace_clock_back(struct source *s, uint64_t place, bool *said);

#endif
