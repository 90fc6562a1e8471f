/* tuning.h - the values that `--tune NAME=VALUE` of every program sets; no page documents it. Tests set them, so
 * that a small input uses code that only a large input or another machine would use. trace-report sets `size` and
 * `file` for the programs that it starts, so that all of them read the same bytes. */
#ifndef SPOOR_TUNING_H
#define SPOOR_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values. A member that is 0 or NULL changes nothing. */
struct tuning {
	/* The fastest way to read lines that may be used: slow, plain, sse2 or avx2 (masks.h). */
	const char *simd;
	uint64_t read; /* limit of the bytes of one read(2) */
	uint64_t wait; /* bytes of events that wait in memory (pair_wait.h) */
	/* Size in bytes from which several threads read a file (threads.h). */
	uint64_t worth;
	/* Files of which only the first `bytes` bytes are read: "size=DEVICE:INODE:BYTES" adds one. */
	struct tuning_size {
		uint64_t device, inode, bytes;
	} * size;
	size_t nsizes, size_cap;
	/* Files that are read through an open copy, the descriptor fd: "file=FD:PATH" adds one. */
	struct tuning_file {
		const char *path;
		int fd;
	} * file;
	size_t nfiles, file_cap;
};
extern struct tuning tuning;

/* Sets the member that `text`, "NAME=VALUE", names. `text` must stay valid until the program ends. Returns false if
 * there is no such member. The value is not checked: strtoull(3) reads a number, and other text counts as 0. */
bool tuning_set(const char *text);
/* Returns the number of bytes of the file that are read, or UINT64_MAX if all are read. */
uint64_t tuning_size(uint64_t device, uint64_t inode);
/* Returns the descriptor of the open copy of the file `path`, or -1 if there is none. The caller must not close it. */
int tuning_file(const char *path);

#endif
