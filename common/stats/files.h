/*
 * files.h - requests by file and node: what the report's section of files is made of.
 *
 * An entry of 72 bytes and a place in the hash for each node of each file, so that a
 * million of them take 80 MiB. Where there are more, half of the files go, then half of the
 * rest, and so on: which ones hangs on a hash of the file alone. All of those that are left
 * have been counted from the first event on, whatever the order, and however the input was
 * dealt out: so merged tables equal the one of all events.
 */
#ifndef SPOOR_FILES_H
#define SPOOR_FILES_H

#include "base/wide.h"
#include "event/field.h"
#include "input/source.h"

#define FILES_MOST (1u << 20)
#define FILES_SHIFT_MOST 64
#define NO_FILE UINT32_MAX

/* What is counted of a file; bytes apart from the rest, as they are large. */
enum {
	FILE_REQUESTS,
	FILE_LATER,  /* of the same node after another one */
	FILE_HIGHER, /* of these: beginning above the one before */
	FILE_BEHIND, /* of these: beginning where the one before ended */
	FILE_COUNTS,
	FILE_BYTES = FILE_COUNTS,
};

/* How many different values there were: none, one (whose magnitude is kept), or more. */
enum {
	ONE_NONE,
	ONE_POS,
	ONE_NEG,
	ONE_MANY,
};

enum {
	FILE_READ = 1,
	FILE_WRITTEN = 2,
};

/* One file, one node. */
struct file_node {
	uint64_t key;	    /* the file: its number, or that of its text */
	uint64_t last, end; /* of the last request: its address, and behind it */
	uint64_t bytes, gap, size;
	uint32_t source; /* the input of the last request; 0 = none */
	uint32_t count[FILE_COUNTS];
	uint32_t node : 24, key_is : 2, did : 2, gaps : 2, sizes : 2;
};

struct files {
	struct file_node *v;
	uint32_t n;
	size_t cap;
	/* Counts / 2^32 and bytes / 2^64, where any is that large. */
	uint32_t (*high)[FILE_BYTES + 1];
	size_t high_cap;
	uint64_t *first; /* where parts of a file are read: the address of a part's first */
	size_t first_cap;
	uint32_t *slots; /* number + 1 by hash */
	uint32_t nslots;
	unsigned shift;	    /* one file of 2^shift is kept */
	struct strtab text; /* of nodes, and of files without a number */
	/* Numbers in the source at hand. */
	unsigned epoch;
	uint32_t *node; /* + 1 by the number of loc */
	size_t node_cap;
};

struct stats;

void files_free(struct files *f);
/*
 * The entry of a file and a node by their texts, which is made when it is new; NO_FILE: it
 * is not one of those that are kept. Numbers of other entries may change.
 */
uint32_t files_find(struct stats *st, const char *file, size_t nfile, const char *node,
		    size_t nnode);
/* Adds events of a batch: opens, and reads and writes with addr and size. */
void files_add(struct stats *st, struct source *s, const uint8_t *base, const uint32_t *off,
	       uint32_t n);
/* An input has ended, of which only a part was read. */
void files_segments(struct stats *st, const struct source *s);
/* What lies between two parts: requests of one entry at `before` (higher: its address; else
 * behind it) and at `now`. */
void files_link(struct files *f, uint32_t i, bool higher, uint64_t before, uint64_t now);
/* Keeps no more than one file of 2^shift. */
void files_thin(struct stats *st, unsigned shift);
/* Adds all of `from`; gives the numbers there of entries here, to be freed. */
uint32_t *files_merge(struct stats *st, const struct stats *from);

/* The parts that merge adds: a count or the bytes; one value of those that may be one. */
void files_count(struct files *f, uint32_t i, unsigned what, uint64_t low, uint64_t high);
struct wide files_counted(const struct files *f, uint32_t i, unsigned what);
unsigned one_add(unsigned known, uint64_t *v, unsigned is, uint64_t more);

/* The texts of an entry, with a blank between. */
void files_key(const struct files *f, uint32_t i, struct buf *b);
/* Entries in the order of their files, then of their nodes; to be freed. */
uint32_t *files_order(const struct files *f);
/*
 * Makes one entry of all of a file, whose `source` is then the number of nodes that had
 * requests. Nothing can be added after that. False in an entry that went into another one:
 * by number.
 */
bool *files_join(struct files *f);

#endif
