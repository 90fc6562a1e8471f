/* charisma_state.c - descriptors and their owners: two pools with a hash over each. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "charisma/charisma_state.h"

#define SLOTS_FIRST 256
/* What is known at a time: clients and applications, and bytes of open files with their
 * names. Eight times the clients that a record can name; 40,000 files and more. */
#define OWNERS_MOST (8u << 16)
#define OPEN_MOST (20u << 20)
/* What an open file takes besides its name: its place in a pool that grows by doubling, two
 * in the hash, and what the allocator keeps for itself. */
#define OPEN_EACH (2 * sizeof(struct descriptor) + 48)

static uint32_t
owner_hash(bool app, uint64_t id)
{
	return state_hash(app, id, 0);
}

static void
slots_reset(struct slots *s, uint32_t n)
{
	free(s->v);
	s->v = xcalloc(n, sizeof *s->v);
	s->mask = n - 1;
}

static void
slots_add(struct slots *s, uint32_t hash, uint32_t index)
{
	uint32_t i = hash & s->mask;

	while (s->v[i])
		i = (i + 1) & s->mask;
	s->v[i] = index + 1;
}

void
state_init(struct charisma_state *st)
{
	memset(st, 0, sizeof *st);
	st->free = NO_INDEX;
	st->change = 1;
	slots_reset(&st->by_fd, SLOTS_FIRST);
	slots_reset(&st->by_id, SLOTS_FIRST);
}

void
state_free(struct charisma_state *st)
{
	for (uint32_t i = 0; i < st->ndesc; i++)
		free(st->desc[i].name);
	free(st->desc);
	free(st->owner);
	free(st->by_fd.v);
	free(st->by_id.v);
	memset(st, 0, sizeof *st);
}

static struct owner *
owner_find(const struct charisma_state *st, bool app, uint64_t id)
{
	uint32_t i = owner_hash(app, id) & st->by_id.mask;

	for (; st->by_id.v[i]; i = (i + 1) & st->by_id.mask) {
		struct owner *o = &st->owner[st->by_id.v[i] - 1];

		if (o->id == id && o->is_app == app)
			return o;
	}
	return NULL;
}

/* Takes a descriptor out of the hash: what follows it in its run moves up. */
static void
unhash(struct charisma_state *st, const struct descriptor *d)
{
	struct slots *s = &st->by_fd;
	uint32_t index = (uint32_t)(d - st->desc), i, k;

	i = state_hash(d->app, d->id, d->fd) & s->mask;
	while (s->v[i] != index + 1)
		i = (i + 1) & s->mask;
	for (k = (i + 1) & s->mask; s->v[k]; k = (k + 1) & s->mask) {
		const struct descriptor *e = &st->desc[s->v[k] - 1];
		uint32_t home = state_hash(e->app, e->id, e->fd) & s->mask;

		if (((k - home) & s->mask) >= ((k - i) & s->mask)) {
			s->v[i] = s->v[k];
			i = k;
		}
	}
	s->v[i] = 0;
}

void
state_close(struct charisma_state *st, struct descriptor *d)
{
	uint32_t index = (uint32_t)(d - st->desc);

	/* Every end of a mapping comes through here: a new one of the same key too. */
	st->change += st->change == UINT32_MAX ? 2 : 1;
	unhash(st, d);
	if (d->prev != NO_INDEX)
		st->desc[d->prev].next = d->next;
	else
		st->owner[d->owner].first = d->next;
	if (d->next != NO_INDEX)
		st->desc[d->next].prev = d->prev;
	st->bytes -= OPEN_EACH + d->len;
	free(d->name);
	d->name = NULL;
	d->next = st->free;
	st->free = index;
}

static void
close_all(struct charisma_state *st, struct owner *o)
{
	while (o->first != NO_INDEX)
		state_close(st, &st->desc[o->first]);
}

static bool
gone(const struct charisma_state *st, const struct owner *o)
{
	const struct owner *app = o->has_app ? owner_find(st, true, o->app) : NULL;

	return o->left || (app && (app->left || app->loads != o->loads));
}

/*
 * Makes room for one more owner: first those that are gone go, with all they left open.
 * The pool doubles when half of it is alive, so a sweep is paid by as many joins.
 */
static void
owners_sweep(struct charisma_state *st)
{
	uint32_t k = 0, n = st->by_id.mask + 1;

	for (uint32_t i = 0; i < st->nowner; i++)
		if (gone(st, &st->owner[i])) {
			close_all(st, &st->owner[i]);
			if (!st->owner[i].is_app)
				st->owner[i].left = true;
		}
	for (uint32_t i = 0; i < st->nowner; i++) {
		if (st->owner[i].left)
			continue;
		st->owner[k] = st->owner[i];
		for (uint32_t d = st->owner[k].first; d != NO_INDEX; d = st->desc[d].next)
			st->desc[d].owner = k;
		k++;
	}
	st->nowner = k;
	slots_reset(&st->by_id, k > n / 4 ? n * 2 : n);
	for (uint32_t i = 0; i < k; i++)
		slots_add(&st->by_id, owner_hash(st->owner[i].is_app, st->owner[i].id), i);
}

/* Keeps memory within its bound: what is gone goes, and where that is not half of it, all.
 */
static void
make_room(struct charisma_state *st)
{
	uint64_t forgot = st->forgot;
	uint32_t change = st->change;

	if (st->nowner < OWNERS_MOST && st->bytes < OPEN_MOST)
		return;
	owners_sweep(st);
	if (st->nowner < OWNERS_MOST / 2 && st->bytes < OPEN_MOST / 2)
		return;
	state_free(st);
	state_init(st);
	st->change = change == UINT32_MAX ? 1 : change + 1;
	st->forgot = forgot + 1;
}

static struct owner *
owner_of(struct charisma_state *st, bool app, uint64_t id)
{
	struct owner *o = owner_find(st, app, id);

	if (o)
		return o;
	if (st->nowner > st->by_id.mask / 2)
		owners_sweep(st);
	st->owner = grow(st->owner, &st->owner_cap, st->nowner + 1, sizeof *st->owner);
	o = &st->owner[st->nowner];
	memset(o, 0, sizeof *o);
	o->id = id;
	o->is_app = app;
	o->first = NO_INDEX;
	slots_add(&st->by_id, owner_hash(app, id), st->nowner++);
	return o;
}

void
state_join(struct charisma_state *st, uint64_t client, uint64_t app)
{
	struct owner *o;
	const struct owner *a;

	make_room(st);
	o = owner_of(st, false, client);
	a = owner_find(st, true, app);
	if (o->left || (o->has_app && o->app != app))
		close_all(st, o);
	o->left = false;
	o->has_app = true;
	o->app = app;
	o->loads = a ? a->loads : 0;
}

void
state_load(struct charisma_state *st, uint64_t app)
{
	struct owner *o;

	make_room(st);
	o = owner_of(st, true, app);
	if (o->left)
		close_all(st, o);
	o->left = false;
	o->loads++;
}

void
state_leave(struct charisma_state *st, bool app, uint64_t id)
{
	struct owner *o = owner_find(st, app, id);

	if (o)
		o->left = true;
}

static void
descriptors_grow(struct charisma_state *st)
{
	uint32_t n = st->by_fd.mask + 1;

	owners_sweep(st);
	/* Places that are not on the free list are alive. */
	slots_reset(&st->by_fd, n * 2);
	for (uint32_t i = 0; i < st->ndesc; i++) {
		const struct descriptor *d = &st->desc[i];

		if (d->name)
			slots_add(&st->by_fd, state_hash(d->app, d->id, d->fd), i);
	}
}

void
state_open(struct charisma_state *st, bool app, uint64_t id, uint64_t fd, uint64_t file,
	   const void *name, size_t len)
{
	struct descriptor *d;
	uint32_t index;
	struct owner *o;

	make_room(st);
	d = state_find(st, app, id, fd);
	if (d)
		state_close(st, d);
	if (st->free == NO_INDEX && st->ndesc > st->by_fd.mask / 2)
		descriptors_grow(st);
	o = owner_of(st, app, id);
	if (st->free != NO_INDEX) {
		index = st->free;
		st->free = st->desc[index].next;
	} else {
		st->desc = grow(st->desc, &st->desc_cap, st->ndesc + 1, sizeof *st->desc);
		index = st->ndesc++;
	}
	d = &st->desc[index];
	memset(d, 0, sizeof *d);
	d->app = app;
	d->id = id;
	d->fd = fd;
	d->file = file;
	d->name = xmalloc(len + 1);
	memcpy(d->name, name, len);
	d->len = (uint32_t)len;
	st->bytes += OPEN_EACH + len;
	d->owner = (uint32_t)(o - st->owner);
	d->prev = NO_INDEX;
	d->next = o->first;
	if (o->first != NO_INDEX)
		st->desc[o->first].prev = index;
	o->first = index;
	slots_add(&st->by_fd, state_hash(app, id, fd), index);
}

struct descriptor *
state_resolve(struct charisma_state *st, bool app, uint64_t id, uint64_t fd,
	      const uint64_t *app_id)
{
	struct descriptor *d = state_find(st, app, id, fd);
	struct owner *o;

	if (d || app)
		return d;
	if (app_id)
		return state_find(st, true, *app_id, fd);
	o = owner_find(st, false, id);
	return o && o->has_app ? state_find(st, true, o->app, fd) : NULL;
}
