/* in.c - the one reader of bytes. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/follow.h"
#include "base/in.h"
#include "base/tuning.h"
#include "base/unpack.h"

#define UNPACK_WAIT 200 /* ms without a byte, after which the decompressor may have ended */

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

/* Reads from here on the output of a decompressor of the file. The n bytes at `first` were read from the file
 * already. Changes nothing if the decompressor is not installed. */
static void
unpack(struct in *in, const struct pack *k, const uint8_t *first, size_t n)
{
	struct unpack *u = xcalloc(1, sizeof *u);
	int fd = unpack_open(u, k, in->fd, first, n, false);

	if (fd < 0 && !*u->said) {
		free(u);
		return;
	}
	if (in->fd > 0)
		close(in->fd);
	in->fd = fd;
	in->unpack = u;
	if (fd < 0) {
		in->err = EIO;
		in->eof = true;
	}
#ifdef F_SETPIPE_SZ
	/* out.c has the reason. With many open pipes, the system would refuse the last ones. */
	else if (in->cap == IN_SIZE)
		fcntl(fd, F_SETPIPE_SZ, 1 << 20);
#endif
}

/* Reads the first bytes of a pipe, only as many as needed to know if it is compressed, and starts the decompressor
 * if it is. */
static void
begin_pipe(struct in *in)
{
	const struct pack *k = NULL;
	bool more = true;
	ssize_t got = 1;
	size_t room;

	in->fresh = false;
	while (more && got > 0) {
		room = PACK_MAGIC - in_left(in);
		if (in->most && room > in->most)
			room = in->most;
		do
			got = read(in->fd, in->end, room);
		while (got < 0 && errno == EINTR);
		if (got > 0)
			in->end += got;
		k = pack_of(in->p, in_left(in), &more);
	}
	in->eof = got == 0;
	if (!k)
		return;
	unpack(in, k, in->p, in_left(in));
	if (in->unpack)
		in->end = in->p;
}

bool
in_open(struct in *in, const char *path)
{
	return in_open_room(in, path, 0);
}

bool
in_open_room(struct in *in, const char *path, size_t room)
{
	struct stat st;
	const struct pack *k;
	char name[32];
	int copy = -1;
	off_t at;

	memset(in, 0, sizeof *in);
	in->left = in->limit = UINT64_MAX;
	if (!strcmp(path, "-")) {
		in->fd = 0;
		in->name = "<stdin>";
	} else {
		copy = tuning_file(path);
		snprintf(name, sizeof name, "/dev/fd/%d", copy);
		in->fd = open(copy < 0 ? path : name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		in->name = path;
		if (in->fd < 0)
			return false;
	}
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		in_close(in);
		errno = EISDIR;
		return false;
	}
	in->most = (size_t)tuning.read;
	in_alloc(in, room ? room : IN_SIZE);
	at = lseek(in->fd, 0, SEEK_CUR);
	in->fresh = at < 0;
	if (!in->fresh && tuning.nsizes && fstat(in->fd, &st) == 0) {
		uint64_t bytes = tuning_size((uint64_t)st.st_dev, (uint64_t)st.st_ino);

		if (bytes != UINT64_MAX)
			in->limit = bytes > (uint64_t)at ? bytes - (uint64_t)at : 0;
	}
	k = in->fd && !in->fresh ? pack_archive(path) : NULL;
	if (!in->fresh && copy < 0 && (k || (k = pack_of_file(in->fd))))
		unpack(in, k, NULL, 0);
	return true;
}

void
in_memory(struct in *in, const char *name, const void *p, size_t n)
{
	memset(in, 0, sizeof *in);
	in->fd = -1;
	in->name = name;
	in_alloc(in, n); /* exactly n, so that a sanitizer sees a read beyond the end */
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
	if (in->unpack)
		unpack_end(in->unpack, true);
	FREE(in->unpack);
	if (in->buf)
		free(in->buf - IN_MARGIN);
	in->buf = NULL;
	in->fd = -1;
}

void
in_shut(struct in *in)
{
	struct stat st;

	if (in->fd <= 0 || fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	in->device = (uint64_t)st.st_dev;
	in->inode = (uint64_t)st.st_ino;
	in->shut = true;
	close(in->fd);
	in->fd = -1;
}

/* Reads at most n bytes after those already read, from a file that is shut. Returns -1 with errno set if it cannot
 * be opened or another file has its name. */
static ssize_t
read_shut(struct in *in, size_t n)
{
	int fd = open(in->name, O_RDONLY | O_CLOEXEC | O_NOCTTY), err = 0;
	struct stat st;
	ssize_t got = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) != 0 || (uint64_t)st.st_dev != in->device ||
	    (uint64_t)st.st_ino != in->inode)
		errno = ESTALE;
	else
		got = pread(fd, in->end, n, (off_t)in_offset(in, in->end));
	err = errno;
	close(fd);
	errno = err;
	return got;
}

/* Waits at the end of a file that is followed. Returns true if the caller should read again. */
static bool
waited(struct in *in)
{
	off_t at = lseek(in->fd, 0, SEEK_CUR);
	enum follow how;

	if (!in->follow || in->unpack || at < 0)
		return false;
	how = follow_wait(in->fd, in->name, (uint64_t)at);
	in->replaced = how == FOLLOW_REPLACED;
	return how != FOLLOW_REPLACED;
}

void
in_have(struct in *in, size_t n)
{
	struct stat st;

	while (in_left(in) < n &&
	       (!in->follow || in->unpack || fstat(in->fd, &st) != 0 ||
		!S_ISREG(st.st_mode) || st.st_size > lseek(in->fd, 0, SEEK_CUR)))
		if (!in_more(in))
			return;
}

/* Reads from a decompressor. Its output ends at the end of the pipe. If a child of the decompressor still holds
 * the pipe open, it ends when no more bytes come. */
static ssize_t
read_unpacked(struct in *in, size_t room)
{
	struct pollfd p = {.fd = in->fd, .events = POLLIN};
	int n = poll(&p, 1, UNPACK_WAIT);

	if (n == 0 && unpack_ended(in->unpack) && poll(&p, 1, 0) == 0)
		return 0;
	if (n == 0)
		errno = EINTR; /* the caller tries again */
	return n > 0 ? read(in->fd, in->end, room) : -1;
}

/* Reads up to `room` bytes. Returns the number of bytes, 0 at the end, -1 with errno set. */
static ssize_t
read_room(struct in *in, size_t room)
{
	ssize_t got;

	do {
		in->over |= in->follow && follow_over();
		if (in->over)
			return 0;
		got = !room	   ? 0
		      : in->shut   ? read_shut(in, room)
		      : in->unpack ? read_unpacked(in, room)
				   : read(in->fd, in->end, room);
	} while ((got < 0 && errno == EINTR) || (!got && room && waited(in)));
	return got;
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
	if (in->limit != UINT64_MAX && !in->unpack) {
		uint64_t at = in_offset(in, in->end);
		uint64_t most = at < in->limit ? in->limit - at : 0;

		room = room < most ? room : (size_t)most;
	}
	if (in->most && room > in->most)
		room = in->most;
	if (in->fresh)
		begin_pipe(in);
	if (in->eof || in_left(in) > n)
		return in_left(in) > n;
	got = read_room(in, room);
	if (got <= 0) {
		in->eof = true;
		in->err = got < 0 ? errno : 0;
		if (!got && room && in->unpack) {
			unpack_end(in->unpack, false);
			in->err = *in->unpack->said ? EIO : 0;
		}
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

const char *
in_why(const struct in *in)
{
	return in->unpack && *in->unpack->said ? in->unpack->said : strerror(in->err);
}

void
in_finish(struct in *in)
{
	while (in->unpack && !in->eof) {
		in->p = in->end;
		in_more(in);
	}
}

/* Skips n bytes of a regular file, more than are unread in the buffer, by moving its offset. Returns n, or 0 if
 * the bytes must be read instead. */
static uint64_t
jump(struct in *in, uint64_t n)
{
	uint64_t to = in_offset(in, in->p) + n, more = n - in_left(in);
	struct stat st;
	off_t at;

	if (in->unpack || in->shut || in->eof || in->left != UINT64_MAX || in->fd < 0 ||
	    fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	at = lseek(in->fd, 0, SEEK_CUR);
	if (at < 0 || at > st.st_size || more > (uint64_t)(st.st_size - at) ||
	    lseek(in->fd, (off_t)more, SEEK_CUR) < 0)
		return 0;
	in->p = in->end = in->buf;
	in->base = to;
	return n;
}

uint64_t
in_skip(struct in *in, uint64_t n)
{
	uint64_t done = 0;

	if (n > in_left(in) + in->cap)
		done = jump(in, n);
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
