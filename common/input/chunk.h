/* chunk.h - a file in parts that hold whole records: --chunk K/N, and threads. */
#ifndef SPOOR_CHUNK_H
#define SPOOR_CHUNK_H

#include "input/source.h"

/*
 * Restricts a source that has just been opened to the part that its options name (--chunk), and
 * to where the slice lies (slice.h), of which it is a part then. The parts 1..N of a file together
 * hold every record once. False, with a message, if the input is no regular file or its format
 * cannot be cut.
 */
bool chunk_cut(struct source *s);
/* Restricts a source, one like another (read_options.like) or one that has begun to be read, to
 * bytes [begin, end) of its file, which begin with a record; end UINT64_MAX: to the end. False,
 * with a message, where the file cannot be read. */
bool chunk_move(struct source *s, uint64_t begin, uint64_t end);
/*
 * The first record of the file fd, of so many bytes, at or behind an offset: for grain 1, which
 * are lines, behind the newline before it. UINT64_MAX with errno set where it cannot be read.
 */
uint64_t chunk_align(int fd, unsigned grain, uint64_t at, uint64_t size);
/* size * k / n: where part k of n ends in `size` bytes (or things), without overflow. */
uint64_t chunk_share(uint64_t size, unsigned k, unsigned n);

#endif
