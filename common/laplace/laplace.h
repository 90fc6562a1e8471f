/* laplace.h - Laplace's reference records, binary and text, beside the event stream. */
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

/* Options of fmt_laplace and fmt_laplace_text. */
struct laplace_options {
	enum laplace_order order;
	/* Text: every line is a reference, also where its letter is a kernel tag. */
	bool references;
};

/*
 * The records in the buffer of a source of fmt_laplace, as they lie: gives their place, and
 * their number in *n; NULL at the end. To be taken from s->in.p by the caller.
 */
const uint8_t *laplace_block(struct source *s, size_t *n);

/*
 * Writes n records as canonical text: `r 123456789abcdef0 4 9f8e7 9a8b7c6d`, hex without
 * leading zeros; with `pad`, every number in its full width. A record whose type cannot be
 * printed is reported and skipped.
 */
void laplace_put_text(struct source *s, struct out *o, const uint8_t *p, size_t n,
		      bool pad);

/* One line of reference text without its newline. NULL, or what is wrong. */
const char *laplace_parse(const uint8_t *p, const uint8_t *end, struct reference *r);
/* A record as it lies in a file of that order. */
void laplace_store(uint8_t to[LAPLACE_RECORD], const struct reference *r, bool big);

/* Notes once per input that the clock goes back; `place` is an offset or a line. */
void laplace_clock_back(struct source *s, uint64_t place, bool *said);

#endif
