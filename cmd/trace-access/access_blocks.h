/*
 * access_blocks.h - a row for each block that was touched.
 *
* If there are more blocks than `keys` a sample is kept: those whose fixed hash begins with `level` bits 0, one
 * of 2^level (as in reuse.h). What is counted of a block is right from its first reference on.
 */
#ifndef SPOOR_BLOCKS_H
#define SPOOR_BLOCKS_H

#include "trace-access/access.h"

/* The kinds of a reference to a block that was referenced before, by this reference and the one before. */
enum after {
	AFTER_RAR, /* a read after a read */
	AFTER_RAW, /* after a write */
	AFTER_WAR, /* a write after a read */
	AFTER_WAW,
	AFTERS
};

struct access_block {
	uint64_t number, count[2]; /* references that read, that write */
	int64_t last;		   /* the time of the last */
	uint32_t file;
	uint32_t node : 31, wrote : 1; /* the node, or MANY; what the last was */
};
#define MANY 0x7fffffffu

struct blocks {
	struct access_block *v; /* open addressing; no count: free */
	size_t n;
	unsigned bits, level;
	struct spread
	    after;     /* each time counted for the share of blocks that was kept then */
	uint64_t back; /* times went back */
};

/* A request references each block that its bytes touch. False where they are too many. */
bool blocks_request(struct access *x, const struct access_request *r);
void blocks_finish(struct access *x);
void blocks_free(struct access *x);
/* The counts of references of all blocks that were touched, the greatest first: those that read,
 * those that write, or (way 2) both; of those in the sample. *n of them; to be freed. */
uint64_t *blocks_counts(const struct blocks *b, unsigned way, size_t *n);

#endif
