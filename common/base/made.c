/* made.c - see made.h. */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/made.h"
#include "base/mem.h"

/* Limits of the number of files and directories made, and of the bytes of all their names. */
#define MADE_MOST (1u << 22)
#define MADE_BYTES (256u << 20)
#ifndef O_PATH
#define O_PATH O_RDONLY /* enough to open a directory */
#endif

/* Returns true if a name stays within the directory. */
static bool
is_inside(const char *name)
{
	for (;; name++) {
		size_t n = strcspn(name, "/");

		if (!n || (n == 1 && *name == '.') || (n == 2 && !memcmp(name, "..", 2)))
			return false;
		name += n;
		if (!*name)
			return true;
	}
}

/* Returns true if the helper has made something of that name. */
static bool
has_made(const struct made_files *m, const char *name)
{
	uint32_t hash = hash_bytes(name, strlen(name)), i;

	for (size_t at = hash; slots_next(&m->index, hash, &at, &i);)
		if (!strcmp(m->name[i], name))
			return true;
	return false;
}

/* Adds a name before its file is made, so that made_remove removes the file even if the process fails in between.
 * Returns false with errno set if there are too many. */
static bool
made_add(struct made_files *m, const char *name)
{
	if (m->n >= MADE_MOST || m->bytes + strlen(name) > MADE_BYTES) {
		errno = ENOSPC;
		return false;
	}
	*PUSH(m->name, m->n, m->cap) = xstrdup(name);
	return true;
}

/* Ends what made_add began: keeps the name if the file was made, otherwise removes it. errno stays. */
static void
noted(struct made_files *m, bool made)
{
	const char *name = m->name[m->n - 1];

	if (!made) {
		free(m->name[--m->n]);
		return;
	}
	m->bytes += strlen(name);
	slots_add(&m->index, hash_bytes(name, strlen(name)), (uint32_t)m->n - 1);
}

/* Opens the directory `last` below the directory `in`, and makes it if the helper has not. `name` is its path from
 * the top. Follows no link. Returns -1 with errno set if it fails. */
static int
make_directory(struct made_files *m, int in, const char *name, const char *last)
{
	if (!has_made(m, name)) {
		bool made;

		if (!made_add(m, name))
			return -1;
		made = mkdirat(in, last, 0777) == 0;
		noted(m, made);
		if (!made)
			return -1;
	}
	return openat(in, last, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Makes the file `last` below the directory `in`, or opens it at its end if the helper has made it before. `name`
 * is its path from the top. Returns -1 with errno set if it fails. */
static int
make_last(struct made_files *m, int in, const char *name, const char *last)
{
	struct stat st;
	int fd;

	if (!has_made(m, name)) {
		if (!made_add(m, name))
			return -1;
		fd = openat(in, last, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		noted(m, fd >= 0);
		return fd;
	}
	fd = openat(in, last, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 &&
	    (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || lseek(fd, 0, SEEK_END) < 0)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

int
made_file(struct made_files *m, int dir, char *name)
{
	char *last = name, *slash;
	int in = dir, fd = -1, err;

	if (!is_inside(name)) {
		errno = EINVAL;
		return -1;
	}
	for (; in >= 0 && (slash = strchr(last, '/')); last = slash + 1) {
		int below;

		*slash = '\0';
		below = make_directory(m, in, name, last);
		err = errno;
		*slash = '/';
		if (in != dir)
			close(in);
		errno = err;
		in = below;
	}
	if (in >= 0)
		fd = make_last(m, in, name, last);
	err = errno;
	if (in >= 0 && in != dir)
		close(in);
	errno = err;
	return fd;
}

void
made_remove(struct made_files *m, int dir)
{
	while (m->n) {
		const char *name = m->name[--m->n];

		if (unlinkat(dir, name, 0) < 0)
			unlinkat(dir, name, AT_REMOVEDIR);
	}
}
