/* slice_find.c - finds a slice in a file whose times are in order, by binary search. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/chunk.h"
#include "input/slice.h"

/* The search ends when so many bytes are left: they are read in less than a millisecond. */
#define NEAR (64u * 1024)
/* The order of times is checked in so many bytes before and after the slice, */
#define AROUND (1u << 20)
/* and at so many places of the whole file. */
#define PLACES 32

/* A second reader of a file, which jumps in the file. */
struct probe {
	struct source s;
	struct batch b;
	uint64_t size, flip;
};

/* Returns the offset of the first record that begins at or after byte `at`. */
static uint64_t
record_at(const struct probe *p, uint64_t at)
{
	return chunk_align(p->s.in.fd, format_cutting(p->s.fmt)->cut_unit, at, p->size);
}

/* Moves the reader to byte `at`, where a record begins. Returns false if lseek fails. */
static bool
go_to(struct probe *p, uint64_t at)
{
	struct in *in = &p->s.in;

	if (lseek(in->fd, (off_t)at, SEEK_SET) < 0)
		return false;
	in->p = in->end = in->buf;
	in->base = at;
	in->eof = false;
	p->s.part.begin = at;
	/* Stops readers from looking back, or taking the line for a header. */
	p->s.line = 1;
	p->s.stop = false;
	return true;
}

/* Returns the time of the first event at or after byte `at`, or UINT64_MAX if there is none. */
static uint64_t
time_at(struct probe *p, uint64_t at)
{
	if (!go_to(p, at) || !source_next(&p->s, &p->b))
		return UINT64_MAX;
	return (uint64_t)batch_rec(&p->b, 0)->time ^ p->flip;
}

/* Returns true if the events in the bytes [from, to) are in order, with times from least to most. */
static bool
ordered(struct probe *p, uint64_t from, uint64_t to, uint64_t least, uint64_t most)
{
	struct in *in = &p->s.in;
	uint64_t last = least;
	bool good;

	if (from >= to)
		return true;
	good = go_to(p, from);
	in->left = to - from;
	while (good && source_next(&p->s, &p->b))
		for (uint32_t i = 0; i < p->b.n; i++) {
			uint64_t v = (uint64_t)batch_rec(&p->b, i)->time ^ p->flip;

			good &= v >= last && v <= most;
			last = v;
		}
	in->left = UINT64_MAX;
	return good;
}

/* Returns true if the times at PLACES places of the file are in order, and none is less than `first`. */
static bool
spread_ordered(struct probe *p, uint64_t first)
{
	for (uint64_t i = 1; i < PLACES; i++) {
		uint64_t v = time_at(p, record_at(p, p->size / PLACES * i));

		if (v < first)
			return false;
		first = v;
	}
	return true;
}

/* Finds the bytes [at[0], at[1]) in which the first event of time t or later begins; `first` is the time of the
 * file's first event. Returns false if times are not in order. */
static bool
search(struct probe *p, uint64_t first, uint64_t t, uint64_t at[2])
{
	uint64_t time[2] = {first, UINT64_MAX};

	at[0] = 0;
	at[1] = p->size;
	while (at[1] - at[0] > NEAR) {
		uint64_t mid = record_at(p, at[0] + (at[1] - at[0]) / 2), v;

		/* A long line, or a read error, which the reader of s reports. */
		if (mid >= at[1])
			break;
		v = time_at(p, mid);
		/* UINT64_MAX: no event follows. If that is an error, the reader of s reports it. */
		if (v != UINT64_MAX && (v < time[0] || v > time[1]))
			return false;
		at[v >= t] = mid;
		time[v >= t] = v;
	}
	return true;
}

static bool
probe_find(struct probe *p, uint64_t *begin, uint64_t *end)
{
	uint64_t first, from[2], to[2], least = p->s.slice.least, most = p->s.slice.most;

	first = (uint64_t)batch_rec(&p->b, 0)->time ^ p->flip;
	if (!spread_ordered(p, first) || !search(p, first, least, from) ||
	    !search(p, first, most == UINT64_MAX ? most : most + 1, to))
		return false;
	*begin = from[0];
	*end = most == UINT64_MAX || to[1] >= p->size ? UINT64_MAX : to[1];
	/* Check the times of events near the slice that will not be read. */
	return (!*begin || ordered(p, record_at(p, *begin > AROUND ? *begin - AROUND : 0),
				   *begin, 0, least - !!least)) &&
	       (*end == UINT64_MAX ||
		ordered(p, *end,
			record_at(p, p->size - *end > AROUND ? *end + AROUND : p->size),
			most + 1, UINT64_MAX));
}

bool
slice_find(struct source *s, uint64_t *begin, uint64_t *end)
{
	struct read_options opt = *s->opt;
	struct probe *p = xcalloc(1, sizeof *p);
	uint64_t from = 0, to = UINT64_MAX;
	struct stat st;
	bool good = true;

	opt.chunks = 0;
	opt.slice = NULL;
	opt.follow = false;
	opt.quiet = true;
	opt.strict = false;
	opt.need = NEED_TIME;
	opt.need_of = NULL;
	opt.room = NEAR;
	opt.head_done = NULL;
	if (source_start(&p->s, &opt, &s->name, 1)) {
		p->flip = time_flip(p->s.head.clock);
		if (fstat(p->s.in.fd, &st) == 0 && source_next(&p->s, &p->b) &&
		    slice_ready(&p->s, s->opt->slice)) {
			p->size = (uint64_t)st.st_size;
			good = probe_find(p, &from, &to);
		}
		source_close(&p->s);
	}
	buf_free(&p->b.own);
	free(p);
	*begin = good ? from : 0;
	*end = good ? to : UINT64_MAX;
	return good;
}
