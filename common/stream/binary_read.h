/* binary_read.h - shared by the files that read the binary stream. */
#ifndef SPOOR_BINARY_READ_H
#define SPOOR_BINARY_READ_H

#include "stream/binary.h"

#define CUT_OFF "offset %llu: the stream was cut off: it has no END block"

/* The check of one argument in a record. */
struct check {
	uint32_t off;
	/* Bytes of an element of the argument's part. 0: the argument is the number of a
	 * string. */
	uint32_t width;
	bool strings; /* the elements are strings, or */
	bool symbols;
};

/* The checks of a type: n consecutive struct check from `first` on, and the limits that
 * every record of it must keep. */
struct checks {
	uint32_t first, n;
	uint32_t fixed, must, may_not;
};

struct binary {
	const uint8_t *rec, *end; /* the records of the DATA block that are still to come */
	uint32_t records;
	/* Bytes from s->in.p on that are left of a DATA block longer than the buffer; else
	 * 0. */
	uint64_t left;
	bool cut;   /* the input ends within the block */
	bool ended; /* END was seen, and nothing since */
	bool headed;
	uint64_t blocks, events;
	/* With a slice: the index, if there is one, the next entry of it, and the place of
	 * the HEAD. */
	struct index_entry *index;
	size_t nindex, entry;
	uint64_t type_bytes;   /* of TYPE blocks, since the numbers began */
	struct checks *checks; /* by type */
	struct check *check;
	uint32_t nchecks; /* since the numbers began: fewer than TYPE_BYTES_MOST / 16 */
	size_t checks_cap, check_cap;
};

/* binary_index.c: skips the blocks that cannot hold an event of the slice (slice.h), if the
 * input is a regular file; does nothing for a pipe or standard input. s->in must be at the
 * start of a block. The index is read when the first HEAD has been read. */
void binary_skip(struct source *s);

/* Takes in one block of s, [p, end); after a DATA block, x->rec and x->end delimit its
 * records. Returns NULL, or an error message. */
const char *binary_block(struct source *s, const uint8_t *p, const uint8_t *end);
/* Takes in a DATA block, [p, end). Returns NULL, or an error message. */
const char *binary_data(struct binary *x, const uint8_t *p, const uint8_t *end);

#endif
