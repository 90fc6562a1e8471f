/* binary.h - the binary stream: records in blocks. spoor-stream(5) is its specification. */
#ifndef SPOOR_BINARY_H
#define SPOOR_BINARY_H

#include "input/source.h"

/* Kinds of block: four letters, in the order of the bytes of the file. */
#define BLOCK_KIND(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define BLOCK_HEAD BLOCK_KIND('H', 'E', 'A', 'D')
#define BLOCK_STR BLOCK_KIND('S', 'T', 'R', ' ')
#define BLOCK_TYPE BLOCK_KIND('T', 'Y', 'P', 'E')
#define BLOCK_DATA BLOCK_KIND('D', 'A', 'T', 'A')
#define BLOCK_LOST BLOCK_KIND('L', 'O', 'S', 'T')
#define BLOCK_INDEX BLOCK_KIND('I', 'N', 'D', 'X')
#define BLOCK_END BLOCK_KIND('E', 'N', 'D', ' ')

#define BINARY_MAGIC "SPOOR\r\n\x1a"
#define BINARY_VERSION 1
/* Limit of the bytes of a DATA block, except one with a single longer record. */
#define BINARY_BLOCK (128 * 1024)
#define DATA_HEAD 32 /* kind, bytes, records, 0, smallest time, greatest time */

/* A stream with at least INDEX_FROM DATA blocks has an index of them before its END block, which has the length of
 * the index. An entry is for the blocks from the end of the previous entry up to `end`. */
#define INDEX_FROM 64
#define INDEX_MOST 16384 /* limit of the entries; beyond it each two entries become one */
#define INDEX_ENTRY 40	 /* bytes of an entry */
struct index_entry {
	uint64_t end; /* offset from the HEAD */
	/* Times as unsigned numbers (time_flip); UINT64_MAX and 0 if there is no DATA block. */
	uint64_t tmin, tmax;
	uint64_t events;
	uint32_t blocks; /* number of blocks of all kinds */
	/* Number of blocks that a reader needs in any case: all except DATA. */
	uint32_t names;
};

/* A writer of binary streams. Zero it, set `out` and `absolute`, then put batches. binary_free frees it. */
struct binary_writer {
	struct out *out;
	bool absolute;	/* -A: the origin is added to times, and the stream's origin is 0 */
	uint8_t *block; /* the current DATA block */
	size_t n, cap;
	uint32_t records;
	uint64_t tmin, tmax;
	bool open; /* a HEAD was written, but not its END */
	unsigned epoch, head_serial;
	uint32_t nstr, ntypes;	/* numbers below these are written already, or are in: */
	struct buf strs, types; /* blocks to be written before the current DATA block */
	uint32_t strings;	/* number of strings in the current STR block */
	size_t strings_at;	/* offset of the current STR block in `strs` */
	/* By type: the offset of the only argument that is the number of a string; SYMS_MANY if there are several,
	 * or an array; 0 if there is none. */
	uint32_t *syms;
	size_t syms_cap;
	uint64_t blocks, events, bytes, data_blocks; /* counts since the HEAD */
	uint64_t flip;
	struct index_entry *index;
	size_t nindex, index_cap;
	struct index_entry now; /* the current entry of the index */
	uint64_t indexed;	/* blocks up to this number are in the index */
	/* Number of DATA blocks in the current entry; limit of each entry. */
	uint32_t in_entry, per;
	struct buf scratch;
};

/* Writes the events pick[0..n) of b, a batch of s, or its first n events if pick is NULL. Writes the head of s
 * first if it is new. */
void binary_put(struct binary_writer *w, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* Writes the head of s, even if no event follows. */
void binary_head(struct binary_writer *w, struct source *s);
/* Ends the stream: writes a LOST block with the number of lost events and the reason, if error is not NULL, then
 * END. */
void binary_finish(struct binary_writer *w, uint64_t lost, const char *error);
/* Frees the memory of w. The output stays open. */
void binary_free(struct binary_writer *w);

#endif
