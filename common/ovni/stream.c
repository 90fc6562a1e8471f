/* stream.c - reads the bytes of one stream, and splits them into events, around damage. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"
#include "base/sandbox.h"
#include "base/unpack.h"

/* Reading whole pages of the file to an aligned place is a quarter faster. So there is room before it for the
 * unread bytes of the previous read. */
#define PAGE 4096
#define LEFT 512
/* Bytes after the start of an event that the fast path may read, and some more. */
#define SLACK 64
/* Number of consecutive plausible events, unless the end comes first, that make a place after damage credible. */
#define CHAIN 4
#define CHAIN_BYTES (CHAIN * 28)
/* Limit of plausible jumbo data; libovni writes at most half of that. */
#define JUMBO_USUAL (4u << 20)

static void
cannot(struct source *s, struct ovni_stream *st, int err)
{
	if (!st->failed)
		fault(s, NULL, COST_STATUS, st->path, NOWHERE, "%s", strerror(err));
	st->failed = true;
}

static int
open_file(const char *path)
{
	/* O_NONBLOCK: a FIFO in a trace directory must not block. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* Returns true if a stream without a header has the other byte order than this machine. In the right order, the
 * clock does not jump. If both are possible, little-endian is assumed. */
static bool
other_order(const uint8_t *p, size_t n)
{
	unsigned good[2] = {0, 0}; /* events with a good clock: little-endian, big-endian */
	uint64_t last[2] = {0, 0};
	unsigned events = 0;
	bool big;

	while (n >= OVNI_EVENT && events < 64) {
		uint64_t clock[2] = {le64(p + 4), be64(p + 4)};
		size_t size = ovni_size(*p);

		if (*p & (OVNI_RESERVED | OVNI_JUMBO) || size > n)
			break;
		for (int i = 0; i < 2; i++) {
			/* The first clock must be less than 146 years. */
			good[i] +=
			    events ? clock[i] - last[i] < OVNI_PAUSE : clock[i] >> 62 == 0;
			last[i] = clock[i];
		}
		events++;
		p += size;
		n -= size;
	}
	/* With a single event, the smaller clock is right. */
	big = good[1] > good[0] || (events == 1 && good[0] == good[1] && last[1] < last[0]);
	return big != HOST_BIG;
}

static void
read_header(struct source *s, struct ovni_stream *st)
{
	uint8_t p[2048];
	size_t n = ovni_read(s, st, p, sizeof p, 0);
	uint32_t version;

	if (n < OVNI_HEADER || memcmp(p, "ovni", 4) != 0) {
		if (n == 0 && st->obs)
			fault(s, "ovni-header-short", COST_STATUS, st->path, 0,
			      "the file is empty, not even a header");
		st->swap = other_order(p, n);
		return;
	}
	st->header = true;
	version = ld32(p + 4);
	if ((version & 0xffff) == 0 && version) {
		st->swap = true;
		version = swap32(version);
	}
	if (version != 1)
		fault(s, "ovni-stream-version", COST_STATUS, st->path, 4,
		      "version %lu of streams is unknown", (unsigned long)version);
}

void
ovni_open_stream(struct source *s, struct ovni_stream *st)
{
	struct ovni *o = s->state;
	bool again = st->fd < 0; /* it can be opened again by its name */
	char said[PACK_SAID] = "";
	struct stat sb;
	int fd;

	if (st->in) {
		st->size = st->in->eof ? (uint64_t)(st->in->end - st->in->buf) : UINT64_MAX;
		read_header(s, st);
		return;
	}
	if (st->fd < 0)
		st->fd = open_file(st->path);
	if (st->fd < 0 || fstat(st->fd, &sb) < 0)
		cannot(s, st, errno);
	else if (!S_ISREG(sb.st_mode))
		cannot(s, st, S_ISDIR(sb.st_mode) ? EISDIR : EINVAL);
	if (st->failed)
		return;
	o->open_now += !st->keep_fd;
	fd = st->keep_fd ? st->fd : unpack_file(st->fd, said);
	if (*said && fd == st->fd) {
		fault(s, NULL, COST_STATUS, st->path, NOWHERE, "%s", said);
		st->failed = true;
		return;
	}
	if (fd != st->fd) {
		st->fd = fd;
		again = false;
		o->unpacked = true;
		if (fstat(fd, &sb) < 0) {
			cannot(s, st, errno);
			return;
		}
		if (*said)
			fault(s, NULL, COST_STATUS, st->path, NOWHERE, "%s", said);
	}
	st->size = (uint64_t)sb.st_size < st->start ? 0 : (uint64_t)sb.st_size - st->start;
	read_header(s, st);
	if (again && o->open_now > o->open_most) {
		close(st->fd);
		st->fd = -1;
		o->open_now--;
	}
}

void
ovni_close_stream(struct ovni *o, struct ovni_stream *st)
{
	if (st->fd >= 0 && !st->keep_fd) {
		close(st->fd);
		o->open_now--;
	}
	st->fd = -1;
}

size_t
ovni_read(struct source *s, struct ovni_stream *st, void *to, size_t n, uint64_t at)
{
	struct in *in = st->in;
	int fd = st->fd, err;
	size_t done;

	if (st->failed || at > INT64_MAX - st->start - n)
		return 0;
	if (in) {
		/* Only bytes in the buffer can be read: the header, before any event is taken. */
		uint64_t have = (uint64_t)(in->end - in->buf);

		if (at < in->base || at - in->base > have)
			return 0;
		n = n < have - (at - in->base) ? n : (size_t)(have - (at - in->base));
		memcpy(to, in->buf + (at - in->base), n);
		return n;
	}
	if (at >= st->size)
		return 0;
	if (n > st->size - at)
		n = (size_t)(st->size - at);
	if (fd < 0)
		fd = open_file(st->path);
	if (fd < 0)
		return cannot(s, st, errno), 0;
	done = in_at(fd, to, n, st->start + at, &err);
	if (err)
		cannot(s, st, err);
	if (fd != st->fd)
		close(fd);
	return done;
}

bool
ovni_spool(struct source *s, struct ovni_stream *st)
{
	struct in *in = st->in;
	int fd = sandbox_temporary();

	if (fd < 0)
		return false;
	do {
		while (in->p < in->end) {
			ssize_t k = write(fd, in->p, in_left(in));

			if (k < 0 && errno == EINTR)
				continue;
			if (k < 0) {
				fault(s, NULL, COST_STATUS, s->name, NOWHERE,
				      "cannot use a temporary file: %s", strerror(errno));
				in->p = in->end;
				in->eof = true;
				break;
			}
			in->p += k;
		}
	} while (in_more(in));
	st->in = NULL;
	st->fd = fd;
	st->keep_fd = false;
	return true;
}

/* Copies the place and buffer of an input that can be read only once. */
static void
stream_take(struct ovni_cursor *c, const struct in *in)
{
	c->p = in->p;
	c->end = in->end;
	c->buf = in->buf;
	c->base = in->base;
	c->eof = in->eof;
}

struct ovni_cursor *
ovni_cursor_new(struct ovni_stream *st, uint64_t from, uint64_t to)
{
	struct ovni_cursor *c = xcalloc(1, sizeof *c);

	c->st = st;
	c->add = st->add;
	c->loc = st->loc;
	c->stop = to;
	c->from = from;
	if (!from) {
		from = st->header ? OVNI_HEADER : 0;
		if (st->first_stop)
			c->stop = st->first_stop;
	}
	if (st->in) {
		stream_take(c, st->in);
		c->p = c->buf + from < c->end ? c->buf + from : c->end;
	} else {
		c->base = from;
		c->eof = st->failed;
	}
	c->fast = c->p;
	return c;
}

void
ovni_cursor_free(struct ovni_cursor *c)
{
	if (c && !c->st->in)
		free(c->buf);
	free(c);
}

static void
set_fast(struct ovni_cursor *c)
{
	size_t n = (size_t)(c->end - c->p);
	uint64_t left = c->stop - ovni_offset(c);

	n = n > SLACK && !c->st->swap && !HOST_BIG ? n - SLACK : 0;
	c->fast = c->p + (left < n ? (size_t)left : n);
}

/* Reads more bytes. Unread bytes, and c->fast, move. */
static void
more(struct source *s, struct ovni_cursor *c, size_t want)
{
	const struct ovni *o = s->state;
	size_t n = (size_t)(c->end - c->p), usual = LEFT + o->room, room, got;
	uint64_t at = ovni_offset(c) + n;
	uint64_t left = c->stop - ovni_offset(c);
	uint8_t *buf = c->buf, *to;
	struct in *in = c->st->in;
	bool small, pages;

	if (in) {
		/* a pipe, which is read once */
		if (!in->eof) {
			in->p = (uint8_t *)(uintptr_t)c->p;
			in_more(in);
		}
		stream_take(c, in);
		set_fast(c);
		return;
	}
	/* There may be many short runs at a time, so a buffer is not longer than its run. */
	small = left < usual - 2 * SLACK;
	if (small)
		usual = (size_t)left + 2 * SLACK;
	if (c->cap < want || (c->longer && n <= usual)) {
		c->cap = want > usual ? want : usual;
		c->longer = c->cap > usual;
		buf = xmalloc(c->cap + SLACK);
		memset(buf + c->cap, 0, SLACK);
	}
	pages = n <= LEFT && !c->longer && !small;
	to = buf + (pages ? LEFT : n);
	if (n)
		memmove(to - n, c->p, n);
	if (buf != c->buf)
		free(c->buf);
	room = (size_t)(buf + c->cap - to);
	if (pages)
		room -= (c->st->start + at) % PAGE;
	got = ovni_read(s, c->st, to, room, at);
	c->buf = buf;
	c->base = at - (uint64_t)(to - buf);
	c->eof = got < room;
	c->p = to - n;
	c->end = to + got;
	set_fast(c);
}

/* Reads until n bytes are in memory. Returns false if the stream has fewer. */
static inline bool
need(struct source *s, struct ovni_cursor *c, size_t n)
{
	while ((size_t)(c->end - c->p) < n && !c->eof)
		more(s, c, n);
	return (size_t)(c->end - c->p) >= n;
}

bool
ovni_waits(const struct source *s, struct ovni_cursor *c)
{
	struct in *in = c->st->in;

	if (!s->opt->follow || !in)
		return false;
	in->p = (uint8_t *)(uintptr_t)c->p;
	in_have(in, OVNI_EVENT);
	stream_take(c, in);
	set_fast(c);
	return in_left(in) < OVNI_EVENT;
}

bool
ovni_refill(struct source *s, struct ovni_cursor *c)
{
	/* A followed file hands out each event before the next one is written. */
	if (s->opt->follow)
		return false;
	need(s, c, SLACK + 1);
	set_fast(c);
	return c->p < c->fast;
}

static void
move_to(struct ovni_cursor *c, uint64_t at)
{
	uint64_t ahead = at - ovni_offset(c);

	if (ahead <= (uint64_t)(c->end - c->p)) {
		c->p += ahead;
		return;
	}
	if (c->st->in) {
		struct in *in = c->st->in;

		in->p = (uint8_t *)(uintptr_t)c->p;
		in_skip(in, ahead);
		stream_take(c, in);
		return;
	}
	c->base = at;
	c->p = c->end = c->buf;
	c->eof = false;
}

/* Returns true if the n bytes at p seem to begin with events. `whole`: the stream ends after them. */
static bool
chain(const struct ovni_cursor *c, const uint8_t *p, size_t n, bool whole)
{
	uint64_t last = c->last - c->add, clock;
	bool first = c->last == 0;

	for (unsigned i = 0; i < CHAIN; i++) {
		size_t size;

		if (n == 0)
			return i > 0 && whole;
		if (n < OVNI_EVENT || *p & OVNI_RESERVED || !ovni_printable(p))
			return false;
		size = ovni_size(*p);
		clock = ovni_u64(c->st, p + 4);
		if (first ? clock >> 62 != 0 : clock - last >= OVNI_PAUSE)
			return false;
		first = false;
		last = clock;
		if (*p & OVNI_JUMBO) {
			uint32_t data = n >= 16 ? ovni_u32(c->st, p + 12) : UINT32_MAX;

			if ((*p & 15) != 3 || data > JUMBO_USUAL)
				return false;
			if (data > n - 16)
				return !whole;
			size += data;
		}
		if (size > n)
			return false;
		p += size;
		n -= size;
	}
	return true;
}

/* Moves the cursor to the next event after damage that begins at `from`, and reports the skipped bytes with the broken
 * rule and the reason `why`. The format has no marks, so the next event is the first place where several events in a row are
 * plausible. Returns false if there is none. */
static bool
find_next(struct source *s, struct ovni_cursor *c, uint64_t from, const char *rule,
	  const char *why)
{
	bool found = false;

	for (;;) {
		size_t n;

		need(s, c, CHAIN_BYTES + 1);
		n = (size_t)(c->end - c->p);
		if (n < OVNI_EVENT)
			break;
		if (chain(c, c->p, n, c->eof)) {
			found = true;
			break;
		}
		c->p++;
	}
	if (!found)
		c->p = c->end;
	if (!c->quiet)
		fault(s, rule, COST_EVENT, c->st->path, from,
		      "%s; %llu bytes%s are skipped", why,
		      (unsigned long long)(ovni_offset(c) - from),
		      found ? "" : " up to the end");
	return found;
}

/* Skips zeros where an event should begin: the file was made longer than it was filled. Returns false if no event
 * follows. */
static bool
zeros(struct source *s, struct ovni_cursor *c)
{
	uint64_t from = ovni_offset(c);
	char why[64];

	while (need(s, c, 2) && c->p[1] == 0)
		c->p++;
	snprintf(why, sizeof why, "%llu bytes of zeros",
		 (unsigned long long)(ovni_offset(c) - from + 1));
	if (!need(s, c, 2)) {
		c->p = c->end;
		if (!c->quiet)
			fault(s, "ovni-torn", COST_EVENT, c->st->path, from,
			      "%s at the end", why);
		return false;
	}
	/* The last zero may be the flags of the next event. */
	return find_next(s, c, from, "ovni-flags", why);
}

#define WHY 96 /* room for a reason */

/* Parses the event at c->p into *f; n bytes are in memory. Returns NULL, or the error. */
static const char *
take_apart(struct source *s, struct ovni_cursor *c, size_t n, struct ovni_frame *f,
	   char why[static WHY])
{
	uint64_t at = ovni_offset(c), left = UINT64_MAX;

	f->jumbo = *c->p & OVNI_JUMBO;
	if (*c->p & OVNI_RESERVED || (f->jumbo && (*c->p & 15) != 3)) {
		snprintf(why, WHY, "flags 0x%02x: not an event", *c->p);
		return why;
	}
	f->clock = ovni_u64(c->st, c->p + 4);
	/* A clock may follow the previous one after a pause, but not after a year. */
	if (!ovni_printable(c->p) &&
	    (c->last ? f->clock - (c->last - c->add) >= OVNI_PAUSE : f->clock >> 62 != 0))
		return "these are not the letters and the clock of an event";
	f->size = ovni_size(*c->p);
	f->ndata = f->size - OVNI_EVENT;
	if (f->jumbo && n >= 16) {
		f->ndata = ovni_u32(c->st, c->p + 12);
		f->size = 16 + f->ndata;
	}
	f->cut = f->size > OVNI_LONGEST;
	if (c->st->size != UINT64_MAX)
		left = at < c->st->size ? c->st->size - at : 0;
	if ((f->jumbo && (n < 16 || f->size > left)) ||
	    (!f->cut && !need(s, c, (size_t)f->size))) {
		need(s, c, SLACK);
		left = left != UINT64_MAX ? left : (uint64_t)(c->end - c->p);
		snprintf(why, WHY, "an event of %llu bytes is incomplete: %llu are there",
			 (unsigned long long)f->size, (unsigned long long)left);
		return why;
	}
	f->p = c->p;
	f->data = c->p + (f->jumbo ? 16 : OVNI_EVENT);
	return NULL;
}

/* Returns the id of the rule that the bytes at c->p break, which are no event; n are in memory. */
static const char *
rule_of(const struct ovni_cursor *c, size_t n)
{
	if (c->st->obs && !c->st->header && !ovni_offset(c))
		return n < OVNI_HEADER ? "ovni-header-short" : "ovni-magic";
	if (n < OVNI_EVENT)
		return "ovni-torn";
	if (*c->p & OVNI_RESERVED)
		return "ovni-flags";
	if (*c->p & OVNI_JUMBO && (*c->p & 15) != 3)
		return "ovni-jumbo-nibble";
	return ovni_printable(c->p) ? "ovni-torn" : "ovni-mcv-text";
}

bool
ovni_settle(struct source *s, struct ovni_cursor *c, struct ovni_frame *f)
{
	static const uint8_t nothing[OVNI_EVENT];
	char text[WHY];

	while (!s->stop && ovni_offset(c) < c->stop) {
		uint64_t at = ovni_offset(c);
		const char *why, *rule;
		size_t n;

		need(s, c, s->opt->follow ? OVNI_EVENT : SLACK);
		/* The size of jumbo data is in the next four bytes. */
		if (s->opt->follow && c->p < c->end && *c->p & OVNI_JUMBO)
			need(s, c, 16);
		n = (size_t)(c->end - c->p);
		if (!n)
			return false;
		if (n < OVNI_EVENT) {
			if (!c->quiet)
				fault(s, rule_of(c, n), COST_EVENT, c->st->path, at,
				      "the last event is incomplete: %zu bytes of at least "
				      "%d",
				      n, OVNI_EVENT);
			c->p = c->end;
			return false;
		}
		if (!memcmp(c->p, nothing, OVNI_EVENT)) {
			if (!zeros(s, c))
				return false;
			continue;
		}
		why = take_apart(s, c, n, f, text);
		if (!why)
			return true;
		rule = rule_of(c, n);
		c->p++;
		if (!find_next(s, c, at, rule, why))
			return false;
	}
	return false;
}

void
ovni_pass(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f)
{
	uint64_t at = ovni_offset(c);

	move_to(c, at + f->size);
	if (f->cut && ovni_offset(c) < at + f->size)
		fault(s, "ovni-torn", COST_EVENT, c->st->path, at,
		      "an event of %llu bytes is incomplete", (unsigned long long)f->size);
	set_fast(c);
}
