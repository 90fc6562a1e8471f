/*
 * darshan.h - the counters of Darshan's POSIX module, of each file, under their own names: as
 * darshan-runtime/lib/darshan-posix.c counts them, where a process is a node, and what its log has of
 * a file is all of the trace. What a trace does not tell is left out (seeks, stats, mmaps, syncs,
 * renames, time of opens and closes).
 */
#ifndef SPOOR_DARSHAN_H
#define SPOOR_DARSHAN_H

#include "trace-access/access.h"
#include "number/wide.h"

#define DARSHAN_SIZES 10
/* Different values of a file that are counted, and those that are written. */
#define DARSHAN_VALUES 32
#define DARSHAN_COMMON 4

struct darshan_values {
	struct darshan_value {
		uint64_t v, n;
	} * v;
	size_t n, cap;
};

struct darshan {
	/* By 0 = read, 1 = written. */
	uint64_t requests[2], bytes[2], max_byte[2], consecutive[2], sequential[2];
	uint64_t sizes[2][DARSHAN_SIZES];
	uint64_t switches, mem_not_aligned, file_not_aligned;
	struct darshan_values strides, accesses;
	/* Times: of the first request's begin, of the last one's end; in requests; the longest, and
	 * its size. */
	bool any[2], timed[2]; /* some had a dur */
	int64_t first[2], last[2];
	uint64_t time[2], longest[2], longest_size[2];
};

/* The node of a flow opens its file: it has no last byte then. */
void darshan_open(struct access *x, uint32_t file, uint32_t flow);
/* The nodes of a file: the one whose requests took least, or most, time, and the variance of all. */
struct darshan_ranks {
	uint32_t n, fastest, slowest; /* flows */
	struct wide time, square_time, bytes, square_bytes;
};
/* Those of all files, by file; to be freed. */
struct darshan_ranks *darshan_ranks(const struct access *x);
/* Adds what was counted of another file. */
void darshan_add(const struct access *x, struct darshan *to, const struct darshan *from);
/* Frees what d holds. */
void darshan_clear(struct darshan *d);
/* Brings the most frequent values to the front, the greater first of those as frequent; 0 is none. */
void darshan_settle(struct darshan_values *v);

#endif
