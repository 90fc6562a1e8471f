/* chunk.h - cuts a file into parts that hold whole records, for --chunk K/N and for threads. */
#ifndef SPOOR_CHUNK_H
#define SPOOR_CHUNK_H

#include "input/source.h"

/*
 * Restricts a source that has just been opened. With --from and --to, it is restricted to the bytes of the slice
 * (slice.h), if they can be found. With --chunk, it is then restricted to part K/N of these bytes, or of the file
 * without a slice. The parts 1..N together have every record once. Returns false, with a message, if the file cannot
 * be read, or if a part is asked for and the input is not a regular file or its format cannot be cut.
 */
bool chunk_cut(struct source *s);
/* Restricts a source to the bytes [begin, end) of its file, which must begin with a record; end UINT64_MAX means
 * the end of the file. s must be open, and stays open: only its file offset moves. s may be new or partly read. A
 * new s with read_options.opened_before takes the clock from that source. Returns false, with a message, if lseek
 * fails. */
bool chunk_move(struct source *s, uint64_t begin, uint64_t end);
/*
 * Returns the offset of a record near `at` in the file fd of `size` bytes. With grain 1 records are lines: returns the
 * first line that begins at or after `at`, or `size` if there is none. Otherwise records have `grain` bytes: returns
 * the last one that begins at or before `at`. If at >= size > 0, returns `size`. Returns UINT64_MAX with errno set if
 * the file cannot be read.
 */
uint64_t chunk_align(int fd, unsigned grain, uint64_t at, uint64_t size);
/* Returns size * k / n without overflow: the end of part k of n of `size` bytes or other units. */
uint64_t chunk_share(uint64_t size, unsigned k, unsigned n);

#endif
