/* outfiles.c - many files that grow at the same time: see outfiles.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/die.h"
#include "base/outdir.h"
#include "base/outfiles.h"

/* Descriptors that are kept, where a process may have many, and elsewhere: a reader takes
 * what there is but for a few. Other files are opened for each write. */
#define OPEN_MOST 1024
#define OPEN_LEAST 24
#define MANY (1u << 14)
#define HELD_MOST (6u << 20) /* bytes of buffers that grow */
#define ROOM_LEAST (2 * OUTFILES_ROOM)
#define ROOM_MOST (64u << 10) /* of one buffer */

/* How many files stay open. */
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
	f->v = grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = (struct outfiles_file){.name = xstrdup(name), .fd = -1};
	return f->n++;
}

static void
write_all(const struct outfiles_file *to, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t k = write(to->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			die("%s: write:", to->name);
		p += k;
		n -= (size_t)k;
	}
}

/* Writes what waits, and the n bytes at p. A file that is not made yet is made. */
static void
flush(struct outfiles *f, struct outfiles_file *to, const void *p, size_t n)
{
	if (to->fd < 0) {
		to->fd = outdir_file(f->dir, to->name);
		if (to->fd < 0)
			die("%s:", to->name);
		f->open++;
	}
	write_all(to, to->buf, (size_t)(to->p - to->buf));
	write_all(to, p, n);
	to->p = to->buf;
	if (f->open <= f->most)
		return;
	if (close(to->fd) < 0)
		die("%s: close:", to->name);
	to->fd = -1;
	f->open--;
}

void
outfiles_make_room(struct outfiles *f, struct outfiles_file *to)
{
	size_t used = (size_t)(to->p - to->buf), cap = (size_t)(to->lim - to->buf);
	size_t more = cap ? cap : ROOM_LEAST;

	if (cap && (cap >= ROOM_MOST || f->held + more > HELD_MOST)) {
		flush(f, to, NULL, 0);
		return;
	}
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
	memcpy(outfiles_room(f, to), p, n);
	to->p += n;
}

void
outfiles_close(struct outfiles *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct outfiles_file *to = &f->v[i];

		if (to->fd < 0 || to->p > to->buf)
			flush(f, to, NULL, 0);
		if (to->fd >= 0 && close(to->fd) < 0)
			die("%s: close:", to->name);
		to->fd = -1;
	}
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
