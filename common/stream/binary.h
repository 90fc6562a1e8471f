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
/* The most bytes of a DATA block, except one that holds a single longer record. */
#define BINARY_BLOCK (128 * 1024)
#define DATA_HEAD 32 /* kind, bytes, records, 0, least time, greatest time */

/*
 * A stream of INDEX_FROM or more DATA blocks has an index of them before its END block, which tells
 * how long the index is. An entry is of the blocks from the one before up to `end`.
 */
#define INDEX_FROM 64
#define INDEX_MOST 16384 /* entries; beyond, two become one */
#define INDEX_ENTRY 40	 /* bytes */
struct index_entry {
	uint64_t end; /* counted from the HEAD */
	uint64_t tmin,
	    tmax; /* as numbers that compare (time_flip); of no DATA: UINT64_MAX, 0 */
	uint64_t events;
	uint32_t blocks; /* of all kinds */
	uint32_t names; /* those among them that a reader needs in any case: all but DATA */
};

/* A writer of binary streams. Zero it, set the first two, then put batches. */
struct binary_writer {
	struct out *out;
	bool absolute;	/* -A: times with the origin added, which is 0 then */
	uint8_t *block; /* the DATA block in the making */
	size_t n, cap;
	uint32_t records;
	uint64_t tmin, tmax;
	bool open; /* a HEAD is written, its END is not */
	unsigned epoch, head_serial;
	uint32_t nstr, ntypes;	/* already written, or in these: */
	struct buf strs, types; /* blocks that go before the DATA block in the making */
	uint32_t strings;	/* in the STR block that is not closed yet, */
	size_t strings_at;	/* which begins there in `strs` */
	/* By type: whether it has arguments that are numbers of strings: the place of the
	 * only one; 1 = there are several, or arrays; 0 = there is none. */
	uint32_t *syms;
	size_t syms_cap;
	uint64_t blocks, events, bytes, data_blocks; /* since the HEAD */
	uint64_t flip;
	struct index_entry *index;
	size_t nindex, index_cap;
	struct index_entry now; /* the one in the making, */
	uint64_t indexed;	/* of blocks up to this one */
	uint32_t in_entry, per; /* DATA blocks of it; of each */
	struct buf scratch;
};

/* Writes the events pick[0..n) of b, a batch of s, or its first n if pick is NULL. A new
 * head of s goes before. */
void binary_put(struct binary_writer *w, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* Writes the head of s, also if no event follows. */
void binary_head(struct binary_writer *w, struct source *s);
/* Ends the stream: LOST with the number of lost events and the reason, if error is not
 * NULL, then END. */
void binary_finish(struct binary_writer *w, uint64_t lost, const char *error);
/* Frees; the output stays open. */
void binary_free(struct binary_writer *w);

#endif
