/*
 * runs.c - sorts the runs of all streams by the key of their first event.
 *
 * A trace may have any number of regions, so their runs are sorted externally: when there are too many in memory,
 * they are sorted and go to a temporary file as a chunk; at the end all chunks are merged, with some runs of each
 * in memory. The last chunk, which is usually the only one, stays in memory.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/out.h"
#include "base/sandbox.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

int
ovni_run_order(const void *a, const void *b)
{
	const struct ovni_run *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int
by_key(const void *a, const void *b)
{
	const struct ovni_run *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return ovni_run_order(a, b);
}

/* Writes the runs in memory to the temporary file, as a sorted chunk. Returns false, with
 * errno set, if this fails. */
static bool
write_chunk(struct ovni_runs *r)
{
	size_t n = r->n * sizeof *r->held;
	int err;

	if (r->fd < 0 && (r->fd = sandbox_temporary()) < 0)
		return false;
	qsort(r->held, r->n, sizeof *r->held, by_key);
	if (out_at(r->fd, r->held, n, r->written, &err) < n) {
		errno = err;
		return false;
	}
	*PUSH(r->chunk, r->nchunks, r->chunkcap) =
	    (struct ovni_chunk){.from = r->written, .left = r->n};
	r->written += n;
	r->n = 0;
	return true;
}

bool
ovni_runs_room(struct source *s, struct ovni_runs *r, const struct ovni_stream *st,
	       size_t n)
{
	if (r->n + n <= OVNI_RUNS)
		return true;
	if (!r->failed && write_chunk(r))
		return true;
	if (!r->failed)
		fault(s, NULL, COST_STATUS, st->path, NOWHERE,
		      "cannot write the temporary file of unordered regions: %s; the next "
		      "ones are not sorted",
		      strerror(errno));
	r->failed = true;
	return false;
}

void
ovni_runs_add(struct ovni_runs *r, struct ovni_run run)
{
	struct ovni_run *to = PUSH(r->held, r->n, r->cap);

	/* Zero the padding, because it may be written to a file. */
	memset(to, 0, sizeof *to);
	to->key = run.key;
	to->stream = run.stream;
	to->behind = run.behind;
	to->from = run.from;
	to->to = run.to;
}

/* Reads the next runs of a chunk of which none are in memory. At the end of the chunk there are none. */
static void
refill(struct source *s, struct ovni_runs *r, struct ovni_chunk *c, size_t room)
{
	size_t n = c->left < room ? (size_t)c->left : room, bytes = n * sizeof *c->v;
	int err = 0;

	c->at = c->n = 0;
	if (!n)
		return;
	if (in_at(r->fd, c->v, bytes, c->from, &err) < bytes) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "cannot read the temporary file of unordered regions: %s: some "
		      "events are lost",
		      err ? strerror(err) : "the file is cut off");
		c->left = 0;
		return;
	}
	c->n = n;
	c->left -= n;
	c->from += bytes;
}

static bool
before(const struct ovni_chunk *a, const struct ovni_chunk *b)
{
	if (a->at == a->n || b->at == b->n)
		return a->at < a->n;
	return by_key(&a->v[a->at], &b->v[b->at]) < 0;
}

/* Moves the chunk at i down to its place in the heap. */
static void
sift(struct ovni_runs *r, size_t i)
{
	struct ovni_chunk c = r->chunk[i];

	for (size_t k; (k = 2 * i + 1) < r->nchunks; i = k) {
		k += k + 1 < r->nchunks && before(&r->chunk[k + 1], &r->chunk[k]);
		if (!before(&r->chunk[k], &c))
			break;
		r->chunk[i] = r->chunk[k];
	}
	r->chunk[i] = c;
}

/* Returns the number of runs of each chunk that are in memory: all together as many as were held. */
static size_t
chunk_room(const struct ovni_runs *r)
{
	size_t n = OVNI_RUNS / r->nchunks;

	return n ? n : 1;
}

void
ovni_runs_start(struct source *s, struct ovni_runs *r)
{
	size_t files = r->nchunks, room;

	if (r->n)
		qsort(r->held, r->n, sizeof *r->held, by_key);
	*PUSH(r->chunk, r->nchunks, r->chunkcap) =
	    (struct ovni_chunk){.v = r->held, .n = r->n};
	room = chunk_room(r);
	if (files)
		r->room = xmalloc(files * room * sizeof *r->room);
	for (size_t i = 0; i < files; i++) {
		r->chunk[i].v = r->room + i * room;
		refill(s, r, &r->chunk[i], room);
	}
	for (size_t i = r->nchunks / 2 + 1; i--;)
		sift(r, i);
}

uint64_t
ovni_runs_key(const struct ovni_runs *r)
{
	const struct ovni_chunk *c = r->chunk;

	return r->nchunks && c->at < c->n ? c->v[c->at].key : MERGE_END;
}

struct ovni_run
ovni_runs_next(struct source *s, struct ovni_runs *r)
{
	struct ovni_chunk *c = r->chunk;
	struct ovni_run run = c->v[c->at++];

	if (c->at == c->n)
		refill(s, r, c, chunk_room(r));
	sift(r, 0);
	return run;
}

void
ovni_runs_clear(struct ovni_runs *r)
{
	FREE(r->room);
	r->n = r->nchunks = 0;
	r->written = 0;
}

void
ovni_runs_free(struct ovni_runs *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->held);
	free(r->room);
	free(r->chunk);
}
