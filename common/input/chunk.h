/* chunk.h - a file in parts that hold whole records: --chunk K/N, and threads. */
#ifndef SPOOR_CHUNK_H
#define SPOOR_CHUNK_H

#include "input/source.h"

/*
 * Restricts a source that has just been opened to its part. All parts 1..N of a file
 * together hold every record once. False, with a message, where the input is no regular
 * file or its format cannot be cut.
 */
bool chunk_cut(struct source *s);
/* Where part k of n ends in `size` bytes, or things: no product of two large numbers. */
uint64_t chunk_share(uint64_t size, unsigned k, unsigned n);
/* Lines of the file before the part, less those of its header that were read with it. */
uint64_t chunk_line(struct source *s);

#endif
