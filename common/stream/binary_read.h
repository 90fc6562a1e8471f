/* binary_read.h - shared by the files that read the binary stream. */
#ifndef SPOOR_BINARY_READ_H
#define SPOOR_BINARY_READ_H

#include "stream/binary.h"

#define CUT_OFF "offset %llu: the stream was cut off: it has no END block"

/* The check of one argument in a record. */
struct check {
	uint32_t off;
	/* Bytes of an element of the argument's part. 0: the argument is the number of a string. */
	uint32_t width;
	bool strings; /* the elements are strings, or numbers of strings (symbols) */
	bool symbols;
};

/* The checks of a type: n consecutive struct check from `first` on, and limits for every record of the type. */
struct checks {
	uint32_t first, n;
	uint32_t fixed, must, may_not;
};

struct binary {
	const uint8_t *rec, *end; /* next records of the DATA block */
	uint32_t records;
	/* Bytes from s->in.p to the end of a DATA block that is longer than the buffer; else 0. */
	uint64_t left;
	bool cut;   /* the input ends inside the block */
	bool ended; /* an END was read, and no HEAD since */
	bool headed;
	uint64_t blocks, events;
	/* With a slice: the index, if there is one, and its next entry. */
	struct index_entry *index;
	size_t nindex, entry;
	uint64_t type_bytes;   /* bytes of TYPE blocks since the last HEAD */
	struct checks *checks; /* by type */
	struct check *check;
	uint32_t nchecks; /* since the last HEAD: fewer than TYPE_BYTES_MOST / 16 */
	size_t checks_cap, check_cap;
};

/* Skips the blocks that cannot have an event of the slice (slice.h), if the input is a regular file; does nothing
 * for a pipe or standard input (binary_index.c). s->in must be at the start of a block. The index is read after
 * the first HEAD. */
void binary_skip(struct source *s);

/* Reads one block of s, [p, end). After a DATA block, x->rec and x->end delimit its records. Returns NULL, or the
 * error in static memory. */
const char *binary_block(struct source *s, const uint8_t *p, const uint8_t *end);
/* Reads a DATA block, [p, end). Returns NULL, or the error in static memory. */
const char *binary_data(struct binary *x, const uint8_t *p, const uint8_t *end);

#endif
