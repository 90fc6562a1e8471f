/* laplace.h - options of the Laplace readers, and Laplace's binary and text records of references. */
#ifndef SPOOR_LAPLACE_H
#define SPOOR_LAPLACE_H

#include "base/bytes.h"
#include "event/schema.h"
#include "input/source.h"

#define LAPLACE_RECORD 18

/* The fields of a binary record. */
extern const struct schema laplace_schema;

/* One memory reference. */
struct reference {
	uint8_t type;  /* letter: r, w or i; any printable one is accepted */
	uint64_t time; /* the processor's cycle counter */
	uint8_t length;
	uint32_t space; /* virtual address space */
	uint32_t addr;
};

/* Returns true if a reference may have this type. */
static inline bool
laplace_letter(uint8_t type)
{
	return type > ' ' && type <= '~';
}

/* Returns the time of the record at p, in the given byte order. The two functions after it do the same for the
 * address space and the address. */
static inline uint64_t
laplace_time(const uint8_t *p, bool big)
{
	return big ? be64(p + 1) : le64(p + 1);
}

static inline uint32_t
laplace_space(const uint8_t *p, bool big)
{
	return big ? be32(p + 10) : le32(p + 10);
}

static inline uint32_t
laplace_addr(const uint8_t *p, bool big)
{
	return big ? be32(p + 14) : le32(p + 14);
}

/* Stores *r as a record, big-endian or little-endian. */
static inline void
laplace_store(uint8_t to[LAPLACE_RECORD], const struct reference *r, bool big)
{
	bool swap = big != HOST_BIG;

	to[0] = r->type;
	st64(to + 1, swap ? swap64(r->time) : r->time);
	to[9] = r->length;
	st32(to + 10, swap ? swap32(r->space) : r->space);
	st32(to + 14, swap ? swap32(r->addr) : r->addr);
}

/* Returns how many of the records 1 to n-1 at p are not earlier than the record before, read
 * as big-endian or little-endian. */
size_t laplace_forward(const uint8_t *p, size_t n, bool big);

/* A cursor over the blank-separated words of a line. */
struct laplace_words {
	const uint8_t *p, *end;
};

/* Returns the next word of the line, or an empty word at the end of the line, and moves the cursor after it. */
struct span laplace_word(struct laplace_words *w);
/* Reads a hexadecimal number into *v. Returns NULL, or the error in static memory. */
const char *laplace_hex(struct span word, uint64_t *v);
/* Returns true if the line [p, end) ends a trace: `c`, then dashes and blanks only. */
bool laplace_is_end(const uint8_t *p, const uint8_t *end);

/* The column or argument that a field of a text record becomes. */
enum laplace_place {
	P_LOC,
	P_ADDR,
	P_SIZE,
	P_ARG,
	P_REST, /* an argument: the rest of the line */
};

#define LAPLACE_FIELDS 8

/* A compiled row of the text's schema: the fields after the timestamp. */
struct laplace_row {
	uint8_t tag;	   /* first byte of the line; 0 = a reference */
	const char *event; /* name for messages; "a reference" for a reference */
	unsigned n;
	struct laplace_field {
		enum laplace_place place;
		unsigned kind; /* type of the value, enum kind */
		struct word name;
	} field[LAPLACE_FIELDS];
};

/* Compiles a schema row into *k. */
void laplace_compile(struct laplace_row *k, const struct schema_row *row);

enum laplace_order {
	ORDER_FIND,
	ORDER_LITTLE,
	ORDER_BIG
};

extern const struct format fmt_laplace, fmt_laplace_text;
extern const struct sniffer sniff_laplace, sniff_laplace_text;

/* Options of fmt_laplace. */
struct laplace_options {
	int64_t order; /* enum laplace_order */
};

/* Options of fmt_laplace_text. */
struct laplace_text_options {
	/* Every line is a reference, even if its letter is a kernel tag. The decoder that converts only references
	 * sets this. */
	bool references;
};

/*
 * Writes all records of a source of fmt_laplace as canonical text:
 * `r 123456789abcdef0 4 9f8e7 9a8b7c6d`, hex without leading zeros; with `pad`, every
 * number in its full width. A record whose type cannot be printed is reported and skipped.
 */
void laplace_to_text(struct source *s, struct out *o, bool pad);

/* Returns the whole records in the buffer of s, a source of fmt_laplace, and sets *n to
 * their number. Reads more input if the buffer holds no whole record. Returns NULL at the
 * end, after an error message if the last record is incomplete. The caller must advance
 * s->in.p past the records that it used. */
const uint8_t *laplace_block(struct source *s, size_t *n);
/* Returns true if the records of s, a source of fmt_laplace, are big-endian. */
bool laplace_is_big(const struct source *s);
/* Reads up to `most` further lines of reference text and stores them as records at `to`.
 * Returns how many it stored; 0 at the end. All of them come from consecutive lines, and
 * *first is the number of the first line: a line that is not a reference is reported, and
 * ends the run. */
size_t laplace_read_lines(struct source *s, uint8_t *to, size_t most, bool big,
			  uint64_t *first);
/* Reports a record whose type is not a printable letter, at the offset or line `place`. */
void laplace_bad_type(struct source *s, uint64_t place, uint8_t type);

/* Reports that the clock goes back, at the offset or line `place`. Does nothing if *said is true; sets *said. */
void laplace_clock_back(struct source *s, uint64_t place, bool *said);

#endif
