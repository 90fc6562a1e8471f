/* darshan.h - the counters of Darshan's POSIX module for each file, with Darshan's names, as
 * darshan-runtime/lib/darshan-posix.c counts them. A process is a node, and the log of a file is the whole
 * trace. Counters that a trace cannot have are left out (seeks, stats, mmaps, syncs, renames, times of opens
 * and closes). */
#ifndef SPOOR_DARSHAN_H
#define SPOOR_DARSHAN_H

#include "trace-access/access.h"
#include "number/wide.h"

#define DARSHAN_SIZES 10
/* Limit of different values of a file that are counted, and number of values that are written. */
#define DARSHAN_VALUES 32
#define DARSHAN_COMMON 4

struct darshan_values {
	struct darshan_value {
		uint64_t v, n;
	} * v;
	size_t n, cap;
};

struct darshan {
	/* Index 0: reads, 1: writes. */
	uint64_t requests[2], bytes[2], max_byte[2], consecutive[2], sequential[2];
	uint64_t sizes[2][DARSHAN_SIZES];
	uint64_t switches, mem_not_aligned, file_not_aligned;
	struct darshan_values strides, accesses;
	/* Times: begin of the first request, end of the last one; sum; longest request, and its size. */
	bool any[2], timed[2]; /* timed: some request had a dur */
	int64_t first[2], last[2];
	uint64_t time[2], longest[2], longest_size[2];
};

/* Notes that the node of a flow opens its file: the flow then has no last byte. */
void darshan_open(struct access *x, uint32_t file, uint32_t flow);
/* Nodes of a file: fastest and slowest in requests, and sums for variances. */
struct darshan_ranks {
	uint32_t n, fastest, slowest; /* numbers of flows */
	struct wide time, square_time, bytes, square_bytes;
};
/* Returns the nodes of all files, by file. The caller frees the result. */
struct darshan_ranks *darshan_ranks(const struct access *x);
/* Adds the counters of another file. */
void darshan_add(const struct access *x, struct darshan *to, const struct darshan *from);
/* Frees what d holds. */
void darshan_clear(struct darshan *d);
/* Sorts the values: the most frequent first, of equal ones the greater. Value 0 does not count. */
void darshan_settle(struct darshan_values *v);

#endif
