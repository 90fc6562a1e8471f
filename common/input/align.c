/* align.c - finds the records at which the parts of a file begin (chunk.h). */
#include <errno.h>
#include <string.h>

#include "input/chunk.h"

#define PIECE (64 * 1024)

uint64_t
chunk_share(uint64_t size, unsigned k, unsigned n)
{
	return size / n * k + size % n * k / n;
}

uint64_t
chunk_align(int fd, unsigned grain, uint64_t at, uint64_t size)
{
	uint8_t buf[PIECE];
	const uint8_t *nl;
	size_t n;
	int err;

	if (at == 0 || at >= size)
		return at ? size : 0;
	if (grain > 1)
		return at / grain * grain;
	at--;
	do {
		n = in_at(fd, buf, sizeof buf, at, &err);
		nl = memchr(buf, '\n', n);
		if (nl)
			return at + (uint64_t)(nl - buf) + 1;
		at += n;
	} while (n == sizeof buf);
	errno = err;
	return err ? UINT64_MAX : size;
}
