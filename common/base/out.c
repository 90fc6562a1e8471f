/* out.c - buffered output: short writes, full disks, files that appear complete or not at all. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/pack.h"
#include "base/put.h"
#include "base/atomic_file.h"

/* A pipe takes so many bytes in one write without mixing them with bytes of other writers (PIPE_BUF), on systems
 * where PIPE_BUF is larger than the 512 that POSIX requires. */
#define LINES_MOST 4096

/* Starts a compressor that writes the file. From here on the output goes to the compressor. */
static void
begin_pack(struct out *o, const struct pack *k)
{
	int ends[2], err;

	if (pipe(ends) < 0)
		die("%s: pipe:", o->path);
	for (size_t i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	o->pack = xmalloc(sizeof *o->pack);
	err = filter_start(o->pack, k, "-c", ends[0], o->fd);
	if (err) {
		errno = err;
		die("%s: %s, which compresses it:", o->path, k->program);
	}
	close(ends[0]);
	close(o->fd);
	o->fd = ends[1];
	/* The compressor's own message has the reason if it ends early. */
	signal(SIGPIPE, SIG_IGN);
}

/* Waits for the compressor. Returns its error in static memory, "" if there is none. */
static const char *
end_pack(struct out *o)
{
	static char said[PACK_SAID];

	filter_end(o->pack, false, said);
	FREE(o->pack);
	return said;
}

bool
out_open(struct out *o, const char *path)
{
	const struct pack *k = path ? pack_named(path) : NULL;
	struct atomic_file *file = NULL;
	int fd = path ? atomic_open(path, false, &file) : 1;
	struct stat st;

	if (fd < 0)
		return false;
	out_memory(o, NULL);
	o->fd = fd;
	o->file = file;
	o->path = path ? xstrdup(path) : NULL;
	if (k)
		begin_pack(o, k);
	o->line = o->tty = isatty(o->fd);
#ifdef F_SETPIPE_SZ
	/* A pipe of 1 MiB instead of 64 KiB makes writing four times as fast when the reader runs on another core,
	 * because both sleep less often. If the system refuses, nothing is lost. */
	if (fstat(o->fd, &st) == 0 && S_ISFIFO(st.st_mode))
		fcntl(o->fd, F_SETPIPE_SZ, 1 << 20);
#else
	(void)st;
#endif
	return true;
}

void
out_memory(struct out *o, struct buf *to)
{
	memset(o, 0, sizeof *o);
	put_init();
	o->memory = to;
	o->buf = xmalloc(OUT_SIZE + OUT_SLACK + PUT_SLACK);
	o->p = o->buf;
	o->lim = o->buf + OUT_SIZE;
}

void
out_open_in(struct out *o, struct atomic_file *d, const char *name)
{
	int fd = atomic_add_file(d, name);

	if (fd < 0)
		die("%s:", name);
	out_memory(o, NULL);
	o->fd = fd;
	o->path = xstrdup(name);
}

void
out_memory_close(struct out *o)
{
	free(o->buf);
	memset(o, 0, sizeof *o);
}

static const char *
out_name(const struct out *o)
{
	return o->path ? o->path : "<stdout>";
}

static void
write_raw(struct out *o, const uint8_t *p, size_t n)
{
	if (o->memory) {
		buf_add(o->memory, p, n);
		return;
	}
	while (n) {
		ssize_t k = write(o->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && o->pack && errno == EPIPE)
			die("%s: %s", o->path, end_pack(o));
		if (k < 0) /* stop at once: the rest of a long run is not wanted */
			die("%s: write:", out_name(o));
		p += k;
		n -= (size_t)k;
		o->total += (uint64_t)k;
	}
}

/* Writes to a terminal: printable characters, tabs and newlines stay, each other byte becomes \xHH. */
static void
write_shown(struct out *o, const uint8_t *p, size_t n)
{
	uint8_t text[4 * 1024], *to = text;
	size_t k;

	for (; n; p += k, n -= k) {
		if (*p == '\t' || *p == '\n') {
			*to++ = *p;
			k = 1;
		} else {
			for (k = 1; k < n && k < 200 && p[k] != '\t' && p[k] != '\n'; k++)
				;
			/* Do not cut a character in two. */
			if (k == 200)
				while (k > 196 && k < n && p[k] >> 6 == 2)
					k--;
			to = (uint8_t *)put_shown((char *)to, p, k);
		}
		if (to > text + sizeof text - 4 * 200 || n == k) {
			write_raw(o, text, (size_t)(to - text));
			to = text;
		}
	}
}

static void
write_all(struct out *o, const uint8_t *p, size_t n)
{
	(o->tty ? write_shown : write_raw)(o, p, n);
}

/*
 * Writes whole lines, at most LINES_MOST bytes at a time, or one line that is longer. So the output of another
 * process to the same pipe never splits a line. Returns the number of bytes written; bytes after the last newline
 * stay.
 */
static size_t
write_lines(struct out *o, const uint8_t *from, size_t n)
{
	const uint8_t *p = from, *end = from + n, *stop;

	for (; p < end; p = stop) {
		stop = end - p > LINES_MOST ? p + LINES_MOST : end;
		while (stop > p && stop[-1] != '\n')
			stop--;
		if (stop == p && end - p > LINES_MOST) {
			stop = memchr(p + LINES_MOST, '\n', (size_t)(end - p) - LINES_MOST);
			stop = stop ? stop + 1 : p;
		}
		if (stop == p)
			break;
		write_all(o, p, (size_t)(stop - p));
	}
	return (size_t)(p - from);
}

/* Writes the full pages, or with o->line the full lines, and moves the remaining bytes to the front. */
void
out_spill(struct out *o)
{
	size_t n = (size_t)(o->p - o->buf), whole = n < OUT_SIZE ? n : OUT_SIZE, done = 0;

	if (o->line) {
		done = write_lines(o, o->buf, n);
		whole = n - done < OUT_SIZE ? done : n;
	}
	write_all(o, o->buf + done, whole - done);
	memmove(o->buf, o->buf + whole, n - whole);
	o->p = o->buf + (n - whole);
}

void
out_flush(struct out *o)
{
	size_t n = (size_t)(o->p - o->buf), done = o->line ? write_lines(o, o->buf, n) : 0;

	write_all(o, o->buf + done, n - done);
	o->p = o->buf;
}

void
out_bytes(struct out *o, const void *v, size_t n)
{
	const uint8_t *p = v;

	if (n >= OUT_SIZE / 4 && !o->line) {
		/* Do not use the buffer: copying would cost as much as writing. */
		out_flush(o);
		write_all(o, p, n);
		return;
	}
	while (n > 0) {
		uint8_t *q = out_room(o);
		size_t k = n < OUT_SLACK ? n : OUT_SLACK;

		memcpy(q, p, k);
		o->p = q + k;
		p += k;
		n -= k;
	}
}

uint8_t *
out_bytes_at(struct out *o, uint8_t *p, const void *s, size_t n)
{
	o->p = p;
	out_bytes(o, s, n);
	return out_room(o);
}

void
out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

int
out_close(struct out *o, int status)
{
	const char *said;

	if (o->file && status == ST_TROUBLE)
		warn("%s: not written because of errors; use > %s to keep an incomplete "
		     "file",
		     o->path, o->path);
	out_flush(o);
	/* A network file system reports a full disk here and nowhere else. */
	if (close(o->fd) < 0) {
		warn("%s: close:", out_name(o));
		status = ST_TROUBLE;
	}
	if (o->pack && *(said = end_pack(o))) {
		warn("%s: %s", o->path, said);
		status = ST_TROUBLE;
	}
	if (o->file && !atomic_close(o->file, status != ST_TROUBLE)) {
		warn("%s: rename:", o->path);
		status = ST_TROUBLE;
	}
	free(o->buf);
	free(o->path);
	memset(o, 0, sizeof *o);
	return status;
}

size_t
out_at(int fd, const void *from, size_t n, uint64_t at, int *err)
{
	const uint8_t *p = from;
	size_t done = 0;

	*err = 0;
	while (done < n) {
		ssize_t k = pwrite(fd, p + done, n - done, (off_t)(at + done));

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			*err = k < 0 ? errno : EIO;
			break;
		}
		done += (size_t)k;
	}
	return done;
}
