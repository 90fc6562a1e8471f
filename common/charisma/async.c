/*
 * async.c - finds the end of an asynchronous request.
 *
 * The end is a record of its own, later in the file. Events stay in the file's order, and none is held back: a
 * scout reads ahead, at most `window` requests, in the bytes that are read already or are read for it, and notes
 * ends. The reader asks for one request after the other, in the order in which the scout saw them.
 */
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"

/* Limit of requests, of applications with the same async_id, that are compared with one end. */
#define APPS_MOST 64
/* First and largest size of the table of clients whose application the scout has noted. */
#define MEMBERS_FIRST 256
#define MEMBERS_MOST (1u << 18)

/* Bytes to read ahead: the buffer grows to at most twice AHEAD_USUAL, or for a longer window to nearly all that it
 * can have. */
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
	free(a->member);
}

static struct async_request *
ring_at(const struct async *a, uint64_t number)
{
	return &a->ring[number & (a->cap - 1)];
}

/* Returns the bucket of requests with this key. Requests of all applications share buckets by async_id alone,
 * because an end need not name the application. */
static uint64_t *
bucket_of(const struct async *a, bool app, uint64_t id, uint64_t async)
{
	return &a->bucket[state_hash(app, app ? 0 : id, async) & (a->cap - 1)];
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

/* Removes the outstanding request with this key from its bucket and returns it, or NULL if there is none. If
 * `no_app` is not NULL, and no request has exactly this application, returns a request with the same async_id if
 * its application or `id` is *no_app. Requests with numbers below head were handed out already, so the list is cut
 * there. */
static struct async_request *
unlink_request(struct async *a, bool app, uint64_t id, uint64_t async,
	       const uint64_t *no_app)
{
	uint64_t *b = a->cap ? bucket_of(a, app, id, async) : NULL, *other = NULL;
	unsigned n = 0;

	for (; b && *b > a->head && n < APPS_MOST; b = &ring_at(a, *b - 1)->next) {
		struct async_request *r = ring_at(a, *b - 1);

		n += app;
		if (r->async != async || r->app != app)
			continue;
		if (r->id == id) {
			other = b;
			break;
		}
		if (!other && no_app && (r->id == *no_app || id == *no_app))
			other = b;
	}
	if (b && *b && *b <= a->head)
		*b = 0;
	if (other && *other) {
		struct async_request *r = ring_at(a, *other - 1);

		*other = r->next;
		r->linked = false;
		return r;
	}
	return NULL;
}

/* Returns the place of a client in the table, or a free place for it. */
static struct scouted_client *
member_at(const struct async *a, uint64_t client)
{
	uint64_t i = state_hash(OF_CLIENT, client, 0) & (a->members - 1);

	while (a->member[i].place && a->member[i].client != client)
		i = (i + 1) & (a->members - 1);
	return &a->member[i];
}

/* Makes room in the table of members. Drops those before the reader's place `here`: the reader knows them itself. */
static void
members_grow(struct async *a, uint64_t here)
{
	struct scouted_client *old = a->member;
	uint64_t n = a->members, kept = 0;

	for (uint64_t i = 0; i < n; i++)
		kept += old[i].place > here;
	kept = kept < MEMBERS_MOST / 2 ? kept : 0;
	for (a->members = MEMBERS_FIRST; a->members < 4 * kept;)
		a->members *= 2;
	a->member = xcalloc(a->members, sizeof *a->member);
	a->nmembers = kept;
	for (uint64_t i = 0; i < n && kept; i++)
		if (old[i].place > here)
			*member_at(a, old[i].client) = old[i];
	free(old);
}

/* Notes that a client belongs to an application from the scout's place on. */
static void
saw_member(struct async *a, uint64_t client, uint64_t app, uint64_t here)
{
	struct scouted_client *m;

	if (2 * a->nmembers >= a->members)
		members_grow(a, here);
	m = member_at(a, client);
	a->nmembers += !m->place;
	*m = (struct scouted_client){client, app, a->pos + 1};
}

/* Notes the clients of a load or a join: they belong to its application from here on. */
static void
saw_members(struct charisma *c, const uint8_t *p, const struct charisma_plan *pl,
	    uint64_t n, uint64_t here)
{
	const struct layout_record *r = pl->rec;
	struct load_spec client;
	uint64_t app;

	if (pl->app.from.none)
		return;
	app = field_num(c, &pl->app, p, p);
	if (r->kind == KIND_JOIN && pl->has_client)
		saw_member(&c->async, field_num(c, &pl->client, p, p), app, here);
	if (r->kind != KIND_APP_LOAD || !r->repeat)
		return;
	client = layout_load_of(&c->l, &r->field[r->nfields - 1], 0, c->big);
	for (uint64_t i = 0; i < n; i++)
		saw_member(&c->async, load_num(p + i * r->element, &client, c->big), app,
			   here);
}

/* Returns the application of a request: the record's, or the one that its first client belongs to; NO_APP if both
 * are unknown. */
static uint64_t
app_of(const struct charisma *c, const uint8_t *p, const struct charisma_plan *pl,
       uint64_t n)
{
	const struct async *a = &c->async;
	const uint8_t *e = element_of(pl, p, 0);
	uint64_t app = pl->app.from.none ? c->no_app : field_num(c, &pl->app, p, e), client;
	const struct scouted_client *m;

	if (app != c->no_app || !n || pl->client.from.none)
		return app;
	client = field_num(c, &pl->client, p, e);
	m = a->members ? member_at(a, client) : NULL;
	if (m && m->place)
		return m->app;
	state_app_of(&c->state, client, &app);
	return app;
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
saw_request(struct charisma *c, const uint8_t *p, const struct charisma_plan *pl,
	    uint64_t n)
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
	/* A client's request has one element, which names the client. */
	if (r.app)
		r.id = app_of(c, p, pl, n);
	else
		r.id = n && !pl->client.from.none ? field_num(c, &pl->client, p, e)
						  : c->no_client;
	if (a->tail - a->head == a->cap)
		ring_grow(a);
	/* An older request with the same async_id. */
	unlink_request(a, r.app, r.id, r.async, NULL);
	*ring_at(a, a->tail) = r;
	link_request(a, a->tail++);
}

static void
saw_end(struct charisma *c, const uint8_t *p, const struct charisma_plan *pl)
{
	uint64_t client =
	    pl->client.from.none ? c->no_client : field_num(c, &pl->client, p, p);
	bool app = client == c->no_client;
	uint64_t id = !app		  ? client
		      : pl->app.from.none ? c->no_app
					  : field_num(c, &pl->app, p, p);
	struct async_request *r = unlink_request(
	    &c->async, app, id, field_num(c, &pl->async, p, p), app ? &c->no_app : NULL);

	if (r) {
		r->done = true;
		r->end = field_num(c, &pl->time, p, p);
	}
}

enum scouted {
	STEPPED,    /* went one record further, or is stuck */
	STEP_SHORT, /* more bytes must be read first */
	STEP_FAR,
};

/* Moves the scout one record further, unless the record ends after the offset `most`. The limit is an offset, so
 * that the result does not depend on how much was read. */
static enum scouted
step(struct source *s, uint64_t here, uint64_t most)
{
	struct charisma *c = s->state;
	struct async *a = &c->async;
	const uint8_t *p = s->in.p + (a->pos - in_offset(&s->in, s->in.p));
	size_t left = (size_t)(s->in.end - p);
	const struct charisma_plan *pl;
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
		/* After another header record, times have another meaning. */
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
		else if (pl->rec->kind == KIND_JOIN || pl->rec->kind == KIND_APP_LOAD)
			saw_members(c, p, pl, n, here);
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
		if (a->nmembers)
			members_grow(a, UINT64_MAX);
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
		switch (step(s, here, here + a->ahead)) {
		case STEPPED: break;
		case STEP_SHORT: return ASYNC_MORE;
		case STEP_FAR: return ASYNC_NONE;
		}
	}
}
