/* binary_read.h - shared by the files that read the binary stream. */
#ifndef SPOOR_BINARY_READ_H
#define SPOOR_BINARY_READ_H

#include "stream/binary.h"

#define CUT_OFF "offset %llu: the stream was cut off: it has no END block"

/* What a record of a type must hold for one of its arguments. */
struct check {
	uint32_t off;
	/* Bytes of an element of its part; 0: it is the number of a string. */
	uint32_t width;
	bool strings; /* the elements are strings, or numbers of strings: */
	bool symbols;
};

/* Of a type: these checks, one behind the other, and what all of it must keep to. */
struct checks {
	uint32_t first, n;
	uint32_t fixed, must, may_not;
};

struct binary {
	const uint8_t *rec, *end; /* the records of the DATA block that are still to come */
	uint32_t records;
	/* Of a DATA block that is longer than the buffer: its bytes from s->in.p on. Else 0. */
	uint64_t left;
	bool cut;   /* the block ends early: with the input */
	bool ended; /* END was seen, and nothing since */
	bool headed;
	uint64_t blocks, events;
	/* Of a slice: the index, where there is one, and the entry that is next; the HEAD's place. */
	struct index_entry *index;
	size_t nindex, entry;
	uint64_t type_bytes;   /* of TYPE blocks, since the numbers began */
	struct checks *checks; /* by type */
	struct check *check;
	uint32_t nchecks; /* since the numbers began: fewer than TYPE_BYTES_MOST / 16 */
	size_t checks_cap, check_cap;
};

/* binary_index.c: of a slice (slice.h) of a regular file, where s->in stands at a block in a stream:
 * goes on behind blocks that have no event of it. The index is looked for when the first HEAD has been
 * read. */
void binary_skip(struct source *s);

/* Takes in one block of s, [p, end): of a DATA block, where its records are. NULL, or what is
 * wrong with it. */
const char *binary_block(struct source *s, const uint8_t *p, const uint8_t *end);
/* The same of a DATA block. */
const char *binary_data(struct binary *x, const uint8_t *p, const uint8_t *end);

#endif
