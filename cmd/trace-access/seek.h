/* seek.h - near-sequential streams, and how far requests are from those before. */
#ifndef SPOOR_SEEK_H
#define SPOOR_SEEK_H

#include "trace-access/access.h"

/* Distances by powers of two: 0; then, each below 0 and above it, [2^k, 2^(k+1)). */
#define SEEK_BINS 129
#define SEEK_ZERO 64

struct seek_stream {
	uint64_t end, requests, bytes;
	uint64_t used; /* number of its last request in the file */
};

/* The seeks of one file. */
struct seek {
	struct seek_stream *stream; /* those that may go on */
	uint64_t *end;		    /* of the last requests, in a ring */
	size_t stream_cap, end_cap;
	uint32_t nstreams, nends, next;
	uint64_t requests, sequential;
	/* Streams of two requests or more, with their requests and bytes. */
	uint64_t streams, in_streams, stream_bytes, longest;
};

struct seeks {
	struct seek *v; /* by file */
	size_t cap;
	/* Distances of all files: from the request before; from the nearest of the last ones. */
	uint64_t distance[SEEK_BINS], nearest[SEEK_BINS];
	uint64_t n; /* requests that have one before */
};

/* Ends the streams that may go on. */
void seek_finish(struct access *x);

#endif
