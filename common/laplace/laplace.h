/* laplace.h - options, and Laplace's own text and binary records of references. */
#ifndef SPOOR_LAPLACE_H
#define SPOOR_LAPLACE_H

#include "event/schema.h"
#include "input/source.h"

#define LAPLACE_RECORD 18

/* What a binary record holds. */
extern const struct schema laplace_schema;

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

extern const struct format fmt_laplace, fmt_laplace_text;

/* Options of fmt_laplace. */
struct laplace_options {
	int64_t order; /* enum laplace_order */
};

/* Options of fmt_laplace_text. */
struct laplace_text_options {
	/* Every line is a reference, also where its letter is a kernel tag: so for the
	 * decoder, which turns references alone. */
	bool references;
};

/*
 * Writes all records of a source of fmt_laplace as canonical text:
 * `r 123456789abcdef0 4 9f8e7 9a8b7c6d`, hex without leading zeros; with `pad`, every
 * number in its full width. A record whose type cannot be printed is reported and skipped.
 */
void laplace_to_text(struct source *s, struct out *o, bool pad);
/* Writes all lines of reference text as records, big-endian or little-endian. What is no
 * such line is reported and skipped. */
void laplace_to_binary(struct source *s, struct out *o, bool big);

/* Parses the line [p, end) of reference text, without its newline, into *r. Gives NULL, or
 * the reason why it is none. */
const char *laplace_parse(const uint8_t *p, const uint8_t *end, struct reference *r);

/* Reports once per input that the clock goes back, at the offset or line `place`; *said
 * remembers it. */
void laplace_clock_back(struct source *s, uint64_t place, bool *said);

#endif
