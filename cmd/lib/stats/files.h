/*
 * files.h - requests by file and node, for the report's section of files.
 *
 * Each node of each file has an entry of 72 bytes and a place in the hash table, so that a
 * million of them take 88 MiB. If there are more, half of the files are dropped, then half
 * of the rest, and so on, chosen by a hash of the file alone. The files that are left have
 * been counted from the first event on, whatever the order of events and however the input
 * was cut into parts. So merged tables equal the table of all events.
 */
#ifndef SPOOR_FILES_H
#define SPOOR_FILES_H

#include "base/slots.h"
#include "number/wide.h"
#include "event/field.h"
#include "input/cache.h"
#include "input/source.h"

/* Bound: trace-report | files of requests | files | 1048576 | - */
#define FILES_MOST (1u << 20)
#define FILES_SHIFT_MOST 64
#define NO_FILE UINT32_MAX

/* The counts of a file. Bytes are apart from the others, because they are large. */
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
	struct slots index; /* by file and node */
	unsigned shift;	    /* one file of 2^shift is kept */
	struct strtab text; /* of nodes, and of files without a number */
	/* Numbers in the source at hand. */
	uint32_t *node; /* + 1 by the number of loc */
	struct cache node_cache;
};

struct stats;
struct events;

/* Frees what f holds. */
void files_free(struct files *f);
/*
 * The number of the entry of st with these texts of a file and a node, which is made if it
 * is new. NO_FILE if the file is not among those that are kept. Numbers of other entries
 * may change.
 */
uint32_t files_find(struct stats *st, const char *file, size_t nfile, const char *node,
		    size_t nnode);
/* Counts events of s: opens, and reads and writes that have addr and
 * size. */
void files_add(struct stats *st, struct source *s, struct events e);
/* To be called when an input has ended of which only a part was read. */
void files_segments(struct stats *st, const struct source *s);
/* Counts the step from one part of a file to the next, for entry i: from `before`, the
 * address of its last request (if `higher`) or the end of it, to `now`, the address of its
 * next one. */
void files_link(struct files *f, uint32_t i, bool higher, uint64_t before, uint64_t now);
/* Keeps only one of 2^shift files. */
void files_thin(struct stats *st, unsigned shift);
/* Adds all entries of `from`. Gives for each entry of `from` its number in st, to be freed. */
uint32_t *files_merge(struct stats *st, const struct stats *from);

/* Adds high * 2^64 + low to FILE_* number `what` of entry i; gives that number. */
void files_count(struct files *f, uint32_t i, unsigned what, uint64_t low, uint64_t high);
struct wide files_counted(const struct files *f, uint32_t i, unsigned what);
/* Adds the values (is, more) to (known, *v): each ONE_* and, for one value, its magnitude.
 * Gives the new ONE_*. */
unsigned one_add(unsigned known, uint64_t *v, unsigned is, uint64_t more);

/* Appends the texts of entry i, file and node, with a blank between. */
void files_key(const struct files *f, uint32_t i, struct buf *b);
/* The numbers of all entries in the order of their files, then of their nodes;
 * to be freed. */
uint32_t *files_order(const struct files *f);
/*
 * Joins the entries of each file into one, whose `source` is then the number of nodes that
 * had requests. Nothing can be added after that. Gives for each entry whether it is still
 * there (false: it went into another one); to be freed.
 */
bool *files_join(struct files *f);

#endif
