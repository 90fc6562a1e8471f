/* in_at.c - reads bytes at any offset of a file. */
#include <errno.h>
#include <unistd.h>

#include "base/in.h"

size_t
in_at(int fd, void *to, size_t n, uint64_t at, int *err)
{
	size_t done = 0;

	*err = 0;
	while (done < n) {
		ssize_t got = pread(fd, (uint8_t *)to + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			*err = errno;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}
