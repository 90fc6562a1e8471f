/* outfiles.c - many files that grow at the same time: see outfiles.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/die.h"
#include "outfiles/outfiles.h"
#include "base/atomic_file.h"

/* Limit of descriptors that stay open: OPEN_MOST if the process may have MANY, else OPEN_LEAST, because a reader
 * takes almost all of the few. Other files are opened for each write. */
#define OPEN_MOST 1024
#define OPEN_LEAST 24
#define MANY (1u << 14)
#define HELD_MOST (6u << 20) /* bytes of all buffers at which they stop growing */
#define ROOM_LEAST (2 * OUTFILES_ROOM)
#define ROOM_MOST (64u << 10) /* greatest bytes of one buffer */

/* Returns the number of files that may stay open. Raises the limit of the process if it may. */
static size_t
open_most(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_max < MANY)
		return OPEN_LEAST;
	if (r.rlim_cur < MANY) {
		r.rlim_cur = r.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &r) < 0)
			return OPEN_LEAST;
	}
	return OPEN_MOST;
}

size_t
outfiles_add(struct outfiles *f, const char *name)
{
	if (!f->most)
		f->most = open_most();
	*PUSH(f->v, f->n, f->cap) = (struct outfiles_file){.name = xstrdup(name), .fd = -1};
	return f->n - 1;
}

static _Noreturn void
fail(const struct outfiles *f, const struct outfiles_file *to, const char *what)
{
	die("%s%s%s%s:", f->where ? f->where : "", f->where ? "/" : "", to->name, what);
}

static void
write_all(const struct outfiles *f, const struct outfiles_file *to, const uint8_t *p,
	  size_t n)
{
	while (n) {
		ssize_t k = write(to->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			fail(f, to, ": write");
		p += k;
		n -= (size_t)k;
	}
}

static void
close_one(struct outfiles *f, struct outfiles_file *to)
{
	if (close(to->fd) < 0)
		fail(f, to, ": close");
	to->fd = -1;
	f->open--;
}

/* Writes the buffer, then the n bytes at p. Creates the file if it is not yet open. */
static void
flush(struct outfiles *f, struct outfiles_file *to, const void *p, size_t n)
{
	if (to->fd < 0) {
		to->fd = atomic_add_file(f->dir, to->name);
		if (to->fd < 0)
			fail(f, to, "");
		to->made = true;
		f->open++;
	}
	write_all(f, to, to->buf, (size_t)(to->p - to->buf));
	write_all(f, to, p, n);
	to->p = to->buf;
	if (f->open > f->most)
		close_one(f, to);
}

/* Writes the buffer and frees it. */
static void
shed(struct outfiles *f, struct outfiles_file *to)
{
	if (to->p > to->buf)
		flush(f, to, NULL, 0);
	f->held -= (size_t)(to->lim - to->buf);
	free(to->buf);
	to->p = to->lim = to->buf = NULL;
}

void
outfiles_make_room(struct outfiles *f, struct outfiles_file *to)
{
	size_t cap = (size_t)(to->lim - to->buf), used, more;

	if (cap && (cap >= ROOM_MOST || cap * f->n >= HELD_MOST / 2)) {
		flush(f, to, NULL, 0);
		return;
	}
	/* Files that were added early, and may be idle, hold more than their part of the memory: free all buffers. */
	for (size_t i = 0; cap && f->held + cap > HELD_MOST && i < f->n; i++)
		shed(f, &f->v[i]);
	used = (size_t)(to->p - to->buf);
	cap = (size_t)(to->lim - to->buf);
	more = cap ? cap : ROOM_LEAST;
	to->buf = xrealloc(to->buf, cap + more, 1);
	to->p = to->buf + used;
	to->lim = to->buf + cap + more;
	f->held += more;
}

void
outfiles_bytes(struct outfiles *f, size_t file, const void *p, size_t n)
{
	struct outfiles_file *to = &f->v[file];

	if (n > OUTFILES_ROOM) {
		flush(f, to, p, n);
		return;
	}
	if (n)
		memcpy(outfiles_room(f, to), p, n);
	to->p += n;
}

void
outfiles_end(struct outfiles *f, size_t file)
{
	struct outfiles_file *to = &f->v[file];

	if (!to->made)
		flush(f, to, NULL, 0);
	shed(f, to);
	if (to->fd >= 0)
		close_one(f, to);
}

void
outfiles_close(struct outfiles *f)
{
	for (size_t i = 0; i < f->n; i++)
		outfiles_end(f, i);
	outfiles_free(f);
}

void
outfiles_free(struct outfiles *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->v[i].fd >= 0)
			close(f->v[i].fd);
		free(f->v[i].buf);
		free(f->v[i].name);
	}
	free(f->v);
	*f = (struct outfiles){0};
}
