/* access_blocks.h - a row for each block that was touched.
 *
 * If there are more blocks than `keys` a sample is kept: the blocks whose fixed hash begins with `level` bits
 * 0, one of 2^level (as in reuse.h). Counts of a block are exact from its first reference on. */
#ifndef SPOOR_BLOCKS_H
#define SPOOR_BLOCKS_H

#include "trace-access/access.h"

/* Kinds of a reference to a block that was referenced before, by the kinds of both references. */
enum after {
	AFTER_RAR, /* a read after a read */
	AFTER_RAW, /* a read after a write */
	AFTER_WAR, /* a write after a read */
	AFTER_WAW,
	AFTERS
};

struct access_block {
	uint64_t number, count[2]; /* references that read, and references that write */
	int64_t last;		   /* time of the last reference */
	uint32_t file;
	/* node, or MANY if several; wrote: the last reference wrote */
	uint32_t node : 31, wrote : 1;
};
#define MANY 0x7fffffffu

struct blocks {
	struct access_block *v; /* open addressing; an entry without a count is free */
	size_t n;
	unsigned bits, level;
	/* times between references, each multiplied by the sampling at its time */
	struct spread after;
	uint64_t back; /* how often times went back */
};

/* Counts a reference to each block that the request touches. Returns false if there are too many. */
bool blocks_request(struct access *x, const struct access_request *r);
/* Completes the counts of blocks at the end. */
void blocks_finish(struct access *x);
/* Frees the counts of blocks. */
void blocks_free(struct access *x);
/* Returns the numbers of references of all blocks, the greatest first: of reads (way 0), writes (1) or both
 * (2). If there is a sample, only of its blocks. Sets *n to the number of blocks. The caller frees the result. */
uint64_t *blocks_counts(const struct blocks *b, unsigned way, size_t *n);

#endif
