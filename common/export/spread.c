/* spread.c - see spread.h */
#include <errno.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/in.h"
#include "base/out.h"
#include "export/spread.h"

_Noreturn void
spread_no_file(void)
{
	die("oracle: a temporary file for requests:");
}

void
spread_write(int fd, const void *from, size_t n, uint64_t at)
{
	int err;

	if (out_at(fd, from, n, at, &err) == n)
		return;
	errno = err;
	spread_no_file();
}

void
spread_read(int fd, void *to, size_t n, uint64_t at)
{
	int err;

	if (in_at(fd, to, n, at, &err) == n)
		return;
	errno = err ? err : EIO;
	spread_no_file();
}

void
spread_open(struct spread *s, uint32_t parts, int fd, uint64_t *end)
{
	s->fd = fd;
	s->end = end;
	s->part = xcalloc(parts, sizeof *s->part);
}

void
spread_close(struct spread *s)
{
	free(s->part);
}

void
spread_flush(struct spread *s, uint32_t part)
{
	struct spread_chunk *c = &s->part[part];

	c->n = s->n[part];
	spread_write(s->fd, c, sizeof *c, *s->end);
	c->before = *s->end + 1;
	s->written[part] += c->n;
	s->n[part] = 0;
	*s->end += sizeof *c;
}

const struct spread_chunk *
spread_back(struct spread *s, uint32_t part, const struct spread_chunk *c)
{
	if (!c) {
		s->part[part].n = s->n[part];
		return &s->part[part];
	}
	if (!c->before)
		return NULL;
	spread_read(s->fd, &s->read, sizeof s->read, c->before - 1);
	return &s->read;
}
