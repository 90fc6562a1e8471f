/*
 * dumpi_ranks.c - the files of a trace's ranks: which of a command line's paths they are,
 * and reading ten thousand of them at once.
 *
 * A rank has a small buffer and no descriptor of its own where there are too many ranks for
 * that: its file is opened for every piece that is read. All buffers together take some 32
 * MiB.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumpi/dumpi.h"

#define ROOM_ALL (32u * 1024 * 1024)
#define ROOM_LEAST 4096
/* Descriptors that are left to the rest of the program. */
#define FDS_SPARE 24
/* A .meta file names at most so many ranks; missing ones are told one by one up to a limit.
 */
#define RANKS_MOST (1u << 20)
#define MISSING_SAID 10

int64_t
dumpi_rank_of(const char *path)
{
	size_t n = strlen(path), i;
	int64_t v = 0;

	if (n < 4 || strcmp(path + n - 4, ".bin") != 0)
		return -1;
	for (i = n - 4; i && isdigit((unsigned char)path[i - 1]); i--)
		;
	if (i == n - 4 || !i || path[i - 1] != '-' || n - 4 - i > 9)
		return -1;
	for (; i < n - 4; i++)
		v = v * 10 + (path[i] - '0');
	return v;
}

static void
own_room(struct in *in, size_t cap)
{
	uint8_t *old = in->buf ? in->buf - IN_MARGIN : NULL;
	size_t n = in->buf ? in_left(in) : 0;

	if (in->buf && in->p != in->buf) {
		in->base += (uint64_t)(in->p - in->buf);
		memmove(in->buf, in->p, n);
	}
	if (cap != in->cap) {
		in->buf = (uint8_t *)xrealloc(old, cap + 2 * IN_MARGIN, 1) + IN_MARGIN;
		in->cap = cap;
		memset(in->buf + cap, 0, IN_MARGIN);
		if (!old)
			memset(in->buf - IN_MARGIN, 0, IN_MARGIN);
	}
	in->p = in->buf;
	in->end = in->buf + n;
}

bool
dumpi_more(struct source *s, struct dumpi_rank *r)
{
	struct in *in = r->in;
	size_t cap = r->room;
	int fd = r->file.fd;
	size_t got = 0;

	if (in == &s->in)
		return in_more(in);
	if (in->eof)
		return false;
	while (cap <= in_left(in))
		cap *= 2;
	own_room(in, cap);
	if (fd < 0)
		fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		in->err = errno;
	else
		got =
		    in_at(fd, in->end, cap - in_left(in), in->base + in_left(in), &in->err);
	if (in->err)
		source_trouble_in(s, r->name, "%s", strerror(in->err));
	in->end += got;
	in->eof = got == 0 || in->err;
	if (fd >= 0 && r->file.fd < 0)
		close(fd);
	return got > 0;
}

void
dumpi_rank_close(struct dumpi_rank *r)
{
	if (r->in == &r->own) {
		if (r->file.fd >= 0)
			close(r->file.fd);
		if (r->own.buf)
			free(r->own.buf - IN_MARGIN);
		free((char *)(uintptr_t)r->name);
	}
	free(r->address);
	dumpi_sections_free(&r->sec);
}

/* A regular file: 1 where it begins with the magic, 0 where not, -1 with errno set where it
 * cannot be read. */
static int
look(const char *path, uint64_t *size)
{
	struct stat st;
	char first[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), is, err;
	size_t n = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -1;
	is = fstat(fd, &st);
	if (is == 0 && S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		while (n < 8 && got != 0 && is == 0) {
			got = read(fd, first + n, 8 - n);
			n += got > 0 ? (size_t)got : 0;
			is = got < 0 && errno != EINTR ? -1 : 0;
		}
		is = is < 0 ? -1 : n == 8 && !memcmp(first, DUMPI_MAGIC, 8);
	}
	err = errno;
	close(fd);
	errno = err;
	return is;
}

/* The text of a .meta file. NULL where the path is none; with errno set, not 0, where it
 * cannot be read. */
static char *
meta_text(const char *path)
{
	size_t n = strlen(path), got;
	char *text;
	FILE *f;
	int err;

	errno = 0;
	if (n < 5 || strcmp(path + n - 5, ".meta") != 0 || !(f = fopen(path, "re")))
		return NULL;
	text = xcalloc(1, 8192);
	got = fread(text, 1, 8191, f);
	err = ferror(f) ? errno : 0;
	fclose(f);
	if (!err && strlen(text) == got && strstr(text, "numprocs="))
		return text;
	free(text);
	errno = err;
	return NULL;
}

bool
dumpi_takes(const char *path)
{
	char *text = meta_text(path);

	free(text);
	return text != NULL;
}

/* The value of a key in a .meta file, up to the line's end. */
static char *
meta_value(const char *text, const char *key)
{
	size_t n = strlen(key), len;
	const char *p = text;
	char *v;

	while (p && (strncmp(p, key, n) != 0 || p[n] != '=')) {
		p = strchr(p, '\n');
		p += p != NULL;
	}
	if (!p)
		return NULL;
	p += n + 1;
	len = strcspn(p, "\r\n");
	v = xcalloc(1, len + 1);
	memcpy(v, p, len);
	return v;
}

struct list {
	struct dumpi_rank *v;
	size_t n, cap;
};

static void
add(struct list *l, const char *path, uint64_t size, int64_t number)
{
	struct dumpi_rank *r;

	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	r = &l->v[l->n++];
	memset(r, 0, sizeof *r);
	r->name = xstrdup(path);
	r->file.fd = -1;
	r->file.size = size;
	r->number = number;
}

/*
 * The files of a .meta's ranks lie beside it, under its own name or the one in it. A rank
 * whose file is missing is a warning.
 */
static void
add_meta(struct source *s, struct list *l, const char *path, const char *text)
{
	char *count = meta_value(text, "numprocs"),
	     *prefix = meta_value(text, "fileprefix");
	unsigned long ranks = count ? strtoul(count, NULL, 10) : 0, missing = 0;
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash + 1 - path) : 0, own = (int)strlen(path) - 5;
	size_t room = strlen(path) + (prefix ? strlen(prefix) : 0) + 32;
	char *name = xmalloc(room);

	if (ranks > RANKS_MOST) {
		warn("%s: numprocs=%s: taken as %u", path, count, RANKS_MOST);
		ranks = RANKS_MOST;
	}
	for (unsigned long i = 0; i < ranks; i++) {
		uint64_t size = 0;
		int is;

		snprintf(name, room, "%.*s-%04lu.bin", own, path, i);
		is = look(name, &size);
		if (is < 0 && errno == ENOENT && prefix && !strchr(prefix, '/')) {
			snprintf(name, room, "%.*s%s-%04lu.bin", dir, path, prefix, i);
			is = look(name, &size);
		}
		if (is > 0)
			add(l, name, size, (int64_t)i);
		else if (is < 0 && errno != ENOENT)
			source_trouble_in(s, name, "%s", strerror(errno));
		else if (missing++ < MISSING_SAID)
			warn("%s: rank %lu: %s: %s", path, i, name,
			     is < 0 ? strerror(errno) : "not a DUMPI file");
	}
	if (missing > MISSING_SAID)
		warn("%s: %lu more ranks are missing", path, missing - MISSING_SAID);
	free(name);
	free(prefix);
	free(count);
}

/* Gives each rank a buffer, and a descriptor where there are enough of them. */
static void
share_out(struct list *l)
{
	size_t room = ROOM_ALL / (l->n ? l->n : 1);
	struct rlimit lim = {0, 0};
	bool keep = getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur > l->n + FDS_SPARE;

	room = room > IN_SIZE ? IN_SIZE : room < ROOM_LEAST ? ROOM_LEAST : room;
	room &= ~(size_t)(ROOM_LEAST - 1);
	for (size_t i = 0; i < l->n; i++) {
		struct dumpi_rank *r = &l->v[i];

		r->in = &r->own;
		r->own.fd = -1;
		r->own.name = r->name;
		r->room = room;
		if (keep)
			r->file.fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	}
}

size_t
dumpi_ranks_open(struct source *s, struct dumpi_rank **ranks, size_t *n)
{
	struct list l = {0};
	size_t taken;

	for (taken = 0; taken < s->npaths; taken++) {
		const char *path = s->paths[taken];
		char *text = meta_text(path);
		uint64_t size;
		int is;

		if (text) {
			add_meta(s, &l, path, text);
			free(text);
			continue;
		}
		if (errno) {
			source_trouble_in(s, path, "%s", strerror(errno));
			continue;
		}
		/* A pipe, or another format: a trace of its own. */
		is = strcmp(path, "-") ? look(path, &size) : 0;
		if (is < 0) {
			source_trouble_in(s, path, "%s", strerror(errno));
			continue;
		}
		if (!is)
			break;
		add(&l, path, size, dumpi_rank_of(path));
	}
	/* One file that the source has open already is read as it is. */
	if (s->in.buf && l.n <= 1) {
		for (size_t i = 0; i < l.n; i++)
			free((char *)(uintptr_t)l.v[i].name);
		free(l.v);
		*ranks = NULL;
		*n = 0;
		return 0;
	}
	share_out(&l);
	*ranks = l.v;
	*n = l.n;
	return taken;
}
