/* chunk.h - a file in parts that hold whole records: --chunk K/N, and threads. */
#ifndef SPOOR_CHUNK_H
#define SPOOR_CHUNK_H

#include "input/source.h"

/*
 * Restricts a source that has just been opened to the bytes of its slice (slice.h), if they can be found, and to part
 * K/N of them (--chunk). The parts 1..N of a file together have every record once. Returns false, with a message, if
 * a part is asked for and the input is no regular file or its format cannot be cut.
 */
bool chunk_cut(struct source *s);
/* Restricts a source to the bytes [begin, end) of its file, which must begin with a record; end UINT64_MAX means the
 * end of the file. The source may be one like another (read_options.like), or may have been read before. Returns
 * false, with a message, if the file cannot be read. */
bool chunk_move(struct source *s, uint64_t begin, uint64_t end);
/*
 * Returns the offset of the first record that begins at or after `at` in the file fd of `size` bytes. A record of
 * grain 1 is a line; otherwise records have `grain` bytes. Returns UINT64_MAX with errno set if the file cannot be
 * read.
 */
uint64_t chunk_align(int fd, unsigned grain, uint64_t at, uint64_t size);
/* Returns size * k / n without overflow: the end of part k of n of `size` bytes or other units. */
uint64_t chunk_share(uint64_t size, unsigned k, unsigned n);

#endif
