/* in.c - the one reader of bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/in.h"

static void
in_alloc(struct in *in, size_t cap)
{
	uint8_t *old = in->buf ? in->buf - IN_MARGIN : NULL;
	size_t at = in->buf ? (size_t)(in->p - in->buf) : 0;
	size_t n = in->buf ? in_left(in) : 0;

	in->buf = (uint8_t *)xrealloc(old, cap + 2 * IN_MARGIN, 1) + IN_MARGIN;
	in->cap = cap;
	in->p = in->buf + at;
	in->end = in->p + n;
	if (!old)
		memset(in->buf - IN_MARGIN, 0, IN_MARGIN);
	memset(in->buf + cap, 0, IN_MARGIN);
}

bool
in_open(struct in *in, const char *path)
{
	struct stat st;
	const char *most;

	memset(in, 0, sizeof *in);
	in->left = UINT64_MAX;
	if (!strcmp(path, "-")) {
		in->fd = 0;
		in->name = "<stdin>";
	} else {
		in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		in->name = path;
		if (in->fd < 0)
			return false;
	}
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		in_close(in);
		errno = EISDIR;
		return false;
	}
	most = getenv("SPOOR_READ");
	in->most = most ? strtoul(most, NULL, 10) : 0;
	in_alloc(in, IN_SIZE);
	return true;
}

void
in_memory(struct in *in, const char *name, const void *p, size_t n)
{
	memset(in, 0, sizeof *in);
	in->fd = -1;
	in->name = name;
	in_alloc(in, n); /* exactly, so that a sanitizer sees what reads too far */
	if (n)
		memcpy(in->buf, p, n);
	in->end = in->buf + n;
	in->eof = true;
}

void
in_close(struct in *in)
{
	if (in->fd > 0)
		close(in->fd);
	if (in->buf)
		free(in->buf - IN_MARGIN);
	in->buf = NULL;
	in->fd = -1;
}

bool
in_more(struct in *in)
{
	size_t n = in_left(in), room;
	ssize_t got;

	if (in->eof)
		return false;
	if (in->p != in->buf) {
		in->base += (uint64_t)(in->p - in->buf);
		memmove(in->buf, in->p, n);
		in->p = in->buf;
		in->end = in->buf + n;
	}
	if (n == in->cap) {
		if (n >= IN_LONGEST)
			return false;
		in_alloc(in, in->cap * 2);
	}
	room = in->cap - n;
	if (room > in->left)
		room = (size_t)in->left;
	if (in->most && room > in->most)
		room = in->most;
	do
		got = room ? read(in->fd, in->end, room) : 0;
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		in->eof = true;
		in->err = got < 0 ? errno : 0;
		return false;
	}
	in->end += got;
	if (in->left != UINT64_MAX)
		in->left -= (uint64_t)got;
	return true;
}

bool
in_need(struct in *in, size_t n)
{
	while (in_left(in) < n)
		if (!in_more(in))
			return false;
	return true;
}

uint64_t
in_skip(struct in *in, uint64_t n)
{
	uint64_t done = 0;

	while (done < n) {
		uint64_t k = in_left(in);

		if (!k) {
			if (!in_more(in))
				break;
			continue;
		}
		if (k > n - done)
			k = n - done;
		in->p += k;
		done += k;
	}
	return done;
}

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
