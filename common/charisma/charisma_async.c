/*
 * charisma_async.c - when did an asynchronous request end?
 *
 * Its end is a record of its own, further down. Events stay in the file's order, so
 * nothing is held back: a scout runs ahead over the bytes that are read already or are
 * read for it, at most `window` requests, and notes ends. The reader asks for one request
 * after the other, in the order in which the scout saw them.
 */
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma.h"

/* The buffer grows to twice this at most; a longer window may have nearly all of it. */
#define AHEAD_USUAL (4u * 1024 * 1024)
#define AHEAD_MOST (IN_LONGEST - 1024 * 1024)
#define RING_FIRST 256

void
async_init(struct async *a, uint32_t window)
{
	memset(a, 0, sizeof *a);
	a->window = window;
	a->ahead = window > CHARISMA_WINDOW ? AHEAD_MOST : 2 * AHEAD_USUAL - IN_SIZE;
}

void
async_free(struct async *a)
{
	free(a->ring);
	free(a->bucket);
}

static struct async_request *
ring_at(const struct async *a, uint64_t number)
{
	return &a->ring[number & (a->cap - 1)];
}

static uint64_t *
bucket_of(const struct async *a, bool app, uint64_t id, uint64_t async)
{
	return &a->bucket[state_hash(app, id, async) & (a->cap - 1)];
}

static void
link_request(struct async *a, uint64_t number)
{
	struct async_request *r = ring_at(a, number);
	uint64_t *b = bucket_of(a, r->app, r->id, r->async);

	r->next = *b;
	r->linked = true;
	*b = number + 1;
}

/* Takes the outstanding request of that key out of its bucket; NULL where there is none.
 * Numbers below head are of requests that were handed out: the rest of the list is old. */
static struct async_request *
unlink_request(struct async *a, bool app, uint64_t id, uint64_t async)
{
	uint64_t *b = a->cap ? bucket_of(a, app, id, async) : NULL;

	for (; b && *b > a->head; b = &ring_at(a, *b - 1)->next) {
		struct async_request *r = ring_at(a, *b - 1);

		if (r->async == async && r->id == id && r->app == app) {
			*b = r->next;
			r->linked = false;
			return r;
		}
	}
	if (b && *b)
		*b = 0;
	return NULL;
}

static void
ring_grow(struct async *a)
{
	uint64_t cap = a->cap ? a->cap * 2 : RING_FIRST;
	struct async_request *ring = xcalloc(cap, sizeof *ring);

	for (uint64_t i = a->head; i < a->tail; i++)
		ring[i & (cap - 1)] = *ring_at(a, i);
	free(a->ring);
	free(a->bucket);
	a->ring = ring;
	a->bucket = xcalloc(cap, sizeof *a->bucket);
	a->cap = cap;
	for (uint64_t i = a->head; i < a->tail; i++)
		if (ring_at(a, i)->linked)
			link_request(a, i);
}

static void
saw_request(struct charisma *c, const uint8_t *p, const struct plan *pl, uint64_t n)
{
	struct async *a = &c->async;
	const uint8_t *e = element_of(pl, p, 0);
	struct async_request r = {.place = a->pos};
	uint64_t op = field_num(c, &pl->op, p, e);

	a->requests += n ? n : 1;
	r.ordinal = a->requests;
	if (!(op & 1))
		return;
	r.async = field_num(c, &pl->async, p, e);
	r.app = !(op & 4);
	/* A client's request names its client in its one element. */
	if (r.app)
		r.id = pl->app.from.none ? c->no_app : field_num(c, &pl->app, p, e);
	else
		r.id = n && !pl->client.from.none ? field_num(c, &pl->client, p, e)
						  : c->no_client;
	if (a->tail - a->head == a->cap)
		ring_grow(a);
	unlink_request(a, r.app, r.id, r.async); /* its number is used again */
	*ring_at(a, a->tail) = r;
	link_request(a, a->tail++);
}

static void
saw_end(struct charisma *c, const uint8_t *p, const struct plan *pl)
{
	uint64_t client =
	    pl->client.from.none ? c->no_client : field_num(c, &pl->client, p, p);
	bool app = client == c->no_client;
	uint64_t id = !app		  ? client
		      : pl->app.from.none ? c->no_app
					  : field_num(c, &pl->app, p, p);
	struct async_request *r =
	    unlink_request(&c->async, app, id, field_num(c, &pl->async, p, p));

	if (r) {
		r->done = true;
		r->end = field_num(c, &pl->time, p, p);
	}
}

enum scouted {
	STEPPED,    /* or stuck */
	STEP_SHORT, /* bytes are needed that are not there */
	STEP_FAR,
};

/* One record further, if it ends before `most`: by its place, not by what was read. */
static enum scouted
step(struct source *s, uint64_t most)
{
	struct charisma *c = s->state;
	struct async *a = &c->async;
	const uint8_t *p = s->in.p + (a->pos - in_offset(&s->in, s->in.p));
	size_t left = (size_t)(s->in.end - p);
	const struct plan *pl;
	uint64_t n, bytes;

	switch (charisma_measure(c, p, left, &pl, &n, &bytes)) {
	case MEASURED:
	case MEASURE_MORE: break;
	default: a->stuck = true; return STEPPED;
	}
	if (a->pos + bytes > most)
		return STEP_FAR;
	if (bytes > left) {
		a->stuck = s->in.eof;
		return s->in.eof ? STEPPED : STEP_SHORT;
	}
	if (pl) {
		/* Behind another header record times mean something else. */
		if (pl->rec->kind == KIND_HEADER) {
			a->stuck = true;
			return STEPPED;
		}
		if (pl->rec->kind == KIND_RW && !pl->async.from.none)
			saw_request(c, p, pl, n);
		else if (pl->rec->kind == KIND_RW)
			a->requests += n ? n : 1;
		else if (pl->rec->kind == KIND_ASYNC_END && !pl->async.from.none)
			saw_end(c, p, pl);
	}
	a->pos += bytes;
	return STEPPED;
}

enum async_answer
async_find(struct source *s, uint64_t *end)
{
	struct charisma *c = s->state;
	struct async *a = &c->async;
	uint64_t here = in_offset(&s->in, s->in.p);

	while (a->head < a->tail && ring_at(a, a->head)->place < here)
		a->head++;
	if (a->head == a->tail && a->pos <= here) {
		a->pos = here;
		a->requests = 0;
		a->stuck = false;
	}
	for (;;) {
		const struct async_request *r =
		    a->head < a->tail ? ring_at(a, a->head) : NULL;

		if (r &&
		    (r->place != here || r->done || a->requests - r->ordinal > a->window)) {
			*end = r->end;
			return r->place == here && r->done ? ASYNC_DONE : ASYNC_NONE;
		}
		if (a->stuck)
			return ASYNC_NONE;
		switch (step(s, here + a->ahead)) {
		case STEPPED: break;
		case STEP_SHORT: return ASYNC_MORE;
		case STEP_FAR: return ASYNC_NONE;
		}
	}
}
