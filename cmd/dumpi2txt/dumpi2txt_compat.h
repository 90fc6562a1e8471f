/* dumpi2txt_compat.h - shared by the parts of dumpi_compat(). */
#ifndef SPOOR_DUMPI_COMPAT_H
#define SPOOR_DUMPI_COMPAT_H

#include <string.h>

#include "base/out.h"
#include "base/put.h"
#include "dumpi/dumpi_trace.h"

#define LIT 64
#define NAMED 64 /* values whose text is cached */

/* How a value is written. */
enum write {
	W_END, /* the last literal: no value follows */
	W_I32,
	W_I64,
	W_HANDLE, /* 1 or 2 bytes: "9 (MPI_INT)" */
	W_RANK,	  /* 4 bytes; some numbers have names */
	W_REQUEST,
	W_FUNCTION,
	W_STR,
	W_NUMBERS, /* an array */
	W_ROWS,
	W_STRS,
	W_STRARRAY,
	W_STRROWS,
	W_STATUS,
	W_PADDED, /* an array of which only the first element is stored */
};

/* Texts such as "9 (MPI_INT)" for small values of one type. */
struct texts {
	struct {
		uint8_t text[48];
		uint32_t n; /* 0: too long, or not yet made */
	} v[NAMED];
};

/* A literal, and the value after it. */
struct compat_seg {
	uint8_t lit[LIT + 16];
	uint32_t n;
	uint8_t write, arg;
	bool many;    /* status[] */
	int8_t count; /* argument whose number of elements is printed; -1: none */
	const struct dumpi_type *type;
	struct texts *texts;
};

/* Returns the name of a value as dumpi2ascii prints it. A value below the first value with a name gets the type's
 * `below`; any other value without a name gets `above`; NULL if t lacks this text. t must have names. The text is
 * constant and stays valid. (compat_file.c) */
const char *dumpi_word(const struct dumpi_type *t, int64_t v);
/* Writes what dumpi2ascii prints before the calls of a file. dumpi_compat_sections() writes what it prints
 * after them. (compat_file.c) */
void dumpi_compat_header(struct out *o, const struct dumpi_rank *r);
void dumpi_compat_sections(struct out *o, const struct dumpi_rank *r);
/* Writes the value of g at p and returns a position with new room, as compat_room does. At most a literal may have
 * been written since the last compat_room. Writes nothing for W_END, W_I32, W_HANDLE and W_REQUEST, which the caller
 * writes. `a` is the argument in the file, whole, or NULL if it is not stored; `len` is its number of elements as MPI
 * counts them. (compat_value.c) */
uint8_t *dumpi_compat_value(struct out *o, const struct dumpi_rank *r, uint8_t *p,
			    const struct compat_seg *g, const uint8_t *a, uint32_t len);

/* Makes room for OUT_SLACK bytes in the output after the text up to p, which is kept. Returns the position for the next
 * text. */
static inline uint8_t *
compat_room(struct out *o, uint8_t *p)
{
	o->p = p;
	return out_room(o);
}

/* Writes s at p without its NUL; returns the end of the text. */
static inline uint8_t *
put_word(uint8_t *p, const char *s)
{
	size_t n = strlen(s);

	memcpy(p, s, n);
	return p + n;
}

/* Writes a length or value as C's %d prints it; returns the end of the text. */
static inline uint8_t *
put_int(uint8_t *p, uint32_t v)
{
	return put_i32(p, (int32_t)v);
}

#endif
