/* seek.h - near-sequential streams, and distances between requests. */
#ifndef SPOOR_SEEK_H
#define SPOOR_SEEK_H

#include "trace-access/access.h"

/* Distances by powers of two: bin SEEK_ZERO for 0; below and above it bins [2^k, 2^(k+1)) for negative and
 * positive distances. */
#define SEEK_BINS 129
#define SEEK_ZERO 64

struct seek_stream {
	uint64_t end, requests, bytes;
	uint64_t used; /* number of its last request in the file */
};

/* Streams and seeks of one file. */
struct seek {
	struct seek_stream *stream; /* streams that may continue */
	uint64_t *end;		    /* ends of the last requests, in a ring */
	size_t stream_cap, end_cap;
	uint32_t nstreams, nends, next;
	uint64_t requests, sequential;
	/* Streams of two or more requests, and their requests and bytes. */
	uint64_t streams, in_streams, stream_bytes, longest;
};

struct seeks {
	struct seek *v; /* by file */
	size_t cap;
	/* Distances in all files: from the previous request; from the nearest of the last requests. */
	uint64_t distance[SEEK_BINS], nearest[SEEK_BINS];
	uint64_t n; /* requests after the first one of a file */
};

/* Ends the streams that may continue. */
void seek_finish(struct access *x);

#endif
