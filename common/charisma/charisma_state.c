/* charisma_state.c - descriptors and their owners: two pools with a hash over each. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "charisma/charisma_state.h"

/* Limits of memory: of clients and applications, and of bytes for open files with their names. They allow eight
 * times the clients that a record can name, and at least 40,000 files. */
/* Bound: charisma | clients and applications | joins and loads | 524288 | too many clients or open files */
#define OWNERS_MOST (8u << 16)
/* Bound: charisma | open files and their names | opens | 20 MiB | too many clients or open files */
#define OPEN_MOST (20u << 20)
/* Bytes of an open file in addition to its name: its place in an array that grows by doubling, two places in the
 * hash, and the overhead of the allocator. */
#define OPEN_EACH (2 * sizeof(struct descriptor) + 48)
/* The number of clients of an application among which the owner of an inherited descriptor is searched. If
 * more of them have that number open, the owner stays unknown. */
#define PEERS_MOST 64

void
state_init(struct charisma_state *st)
{
	memset(st, 0, sizeof *st);
	st->free = NO_INDEX;
	st->change = 1;
}

void
state_free(struct charisma_state *st)
{
	for (uint32_t i = 0; i < st->ndesc; i++)
		free(st->desc[i].name);
	free(st->desc);
	free(st->owner);
	slots_free(&st->by_fd);
	slots_free(&st->by_id);
	memset(st, 0, sizeof *st);
}

static struct owner *
owner_find(const struct charisma_state *st, bool app, uint64_t id)
{
	uint32_t hash = state_hash(app, id, 0), i;

	for (size_t at = hash; slots_next(&st->by_id, hash, &at, &i);)
		if (st->owner[i].id == id && st->owner[i].is_app == app)
			return &st->owner[i];
	return NULL;
}

static void
unhash(struct charisma_state *st, const struct descriptor *d)
{
	slots_drop(&st->by_fd, state_hash(d->of, d->id, d->fd), (uint32_t)(d - st->desc));
}

/* Frees a descriptor, which must have been removed from the hash. */
static void
release(struct charisma_state *st, struct descriptor *d)
{
	uint32_t index = (uint32_t)(d - st->desc);
	struct descriptor *peers = d->peers != NO_INDEX ? &st->desc[d->peers] : NULL;

	if (d->prev != NO_INDEX)
		st->desc[d->prev].next = d->next;
	else
		st->owner[d->owner].first = d->next;
	if (d->next != NO_INDEX)
		st->desc[d->next].prev = d->prev;
	if (peers) {
		if (d->newer != NO_INDEX)
			st->desc[d->newer].older = d->older;
		else
			peers->newer = d->older;
		if (d->older != NO_INDEX)
			st->desc[d->older].newer = d->newer;
	}
	st->bytes -= OPEN_EACH + d->len;
	FREE(d->name);
	d->next = st->free;
	st->free = index;
	if (peers && peers->newer == NO_INDEX) {
		unhash(st, peers);
		release(st, peers);
	}
}

/* Removes an open descriptor from the hash, and counts the change, so that cached lookups are no longer used. */
static void
unmap(struct charisma_state *st, struct descriptor *d)
{
	st->change += st->change == UINT32_MAX ? 2 : 1;
	unhash(st, d);
}

void
state_close(struct charisma_state *st, struct descriptor *d)
{
	const struct owner *app =
	    d->peers != NO_INDEX ? &st->owner[st->desc[d->peers].owner] : NULL;

	unmap(st, d);
	d->closed = ++st->step;
	/* If a client has joined the application since the descriptor was opened, it has inherited the descriptor:
	 * keep it. */
	if (!app || app->joined <= d->opened)
		release(st, d);
}

static void
close_all(struct charisma_state *st, struct owner *o)
{
	while (o->first != NO_INDEX) {
		struct descriptor *d = &st->desc[o->first];

		/* The list of peers ends: its descriptors belong to no list from now on. */
		if (d->of == OF_PEERS)
			for (uint32_t i = d->newer; i != NO_INDEX; i = st->desc[i].older)
				st->desc[i].peers = NO_INDEX;
		if (!d->closed)
			unmap(st, d);
		release(st, d);
	}
}

/* Removes clients and applications that have left, with all their descriptors, and closed descriptors that are
 * kept only for clients that inherited them. */
static void
owners_sweep(struct charisma_state *st)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < st->nowner; i++) {
		struct owner *o = &st->owner[i];
		const struct owner *app = o->has_app ? owner_find(st, true, o->app) : NULL;

		if (!o->left && !(app && (app->left || app->loads != o->loads)))
			continue;
		close_all(st, o);
		if (!o->is_app)
			o->left = true;
	}
	for (uint32_t i = 0; i < st->ndesc; i++)
		if (st->desc[i].name && st->desc[i].closed)
			release(st, &st->desc[i]);
	for (uint32_t i = 0; i < st->nowner; i++) {
		if (st->owner[i].left)
			continue;
		st->owner[k] = st->owner[i];
		for (uint32_t d = st->owner[k].first; d != NO_INDEX; d = st->desc[d].next)
			st->desc[d].owner = k;
		k++;
	}
	st->nowner = k;
	slots_free(&st->by_id);
	for (uint32_t i = 0; i < k; i++)
		slots_add(&st->by_id, state_hash(st->owner[i].is_app, st->owner[i].id, 0),
			  i);
}

/* Keeps memory within its limits: frees the state of clients that have left, or everything if that frees less than
 * half. */
static void
drop_closed(struct charisma_state *st)
{
	uint64_t forgot = st->forgot, step = st->step;
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
	st->step = step;
}

static struct owner *
owner_of(struct charisma_state *st, bool app, uint64_t id)
{
	struct owner *o = owner_find(st, app, id);

	if (o)
		return o;
	slots_add(&st->by_id, state_hash(app, id, 0), st->nowner);
	o = PUSH(st->owner, st->nowner, st->owner_cap);
	*o = (struct owner){.id = id, .first = NO_INDEX, .is_app = app};
	return o;
}

void
state_join(struct charisma_state *st, uint64_t client, uint64_t app)
{
	struct owner *o, *a;

	drop_closed(st);
	owner_of(st, true, app);
	o = owner_of(st, false, client);
	a = owner_find(st, true, app);
	if (o->left || (o->has_app && (o->app != app || o->loads != a->loads)))
		close_all(st, o);
	o->left = false;
	o->has_app = true;
	o->app = app;
	o->loads = a->loads;
	o->joined = a->joined = ++st->step;
}

void
state_load(struct charisma_state *st, uint64_t app)
{
	struct owner *o;

	drop_closed(st);
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

/* Makes a new descriptor of an owner. Copies the name. Returns its number. */
static uint32_t
descriptor_new(struct charisma_state *st, enum holder of, uint64_t id, uint64_t fd,
	       const void *name, size_t len)
{
	struct owner *o = owner_of(st, of != OF_CLIENT, id);
	struct descriptor *d;
	uint32_t index = st->free;

	if (index != NO_INDEX) {
		st->free = st->desc[index].next;
	} else {
		GROW(st->desc, st->desc_cap, st->ndesc + 1);
		index = st->ndesc++;
	}
	d = &st->desc[index];
	*d = (struct descriptor){.id = id,
				 .fd = fd,
				 .of = (uint8_t)of,
				 .len = (uint32_t)len,
				 .owner = (uint32_t)(o - st->owner),
				 .prev = NO_INDEX,
				 .next = o->first,
				 .newer = NO_INDEX,
				 .older = NO_INDEX,
				 .peers = NO_INDEX};
	d->name = xstrndup(name, len);
	d->opened = ++st->step;
	st->bytes += OPEN_EACH + len;
	if (o->first != NO_INDEX)
		st->desc[o->first].prev = index;
	o->first = index;
	slots_add(&st->by_fd, state_hash(of, id, fd), index);
	return index;
}

/* Adds a client's descriptor to the list of its application's clients that have the same fd open. */
static void
add_peer(struct charisma_state *st, uint32_t index, uint64_t app)
{
	uint64_t fd = st->desc[index].fd;
	const struct descriptor *known = state_find(st, OF_PEERS, app, fd);
	uint32_t peers = known ? (uint32_t)(known - st->desc)
			       : descriptor_new(st, OF_PEERS, app, fd, "", 0);
	struct descriptor *d = &st->desc[index];

	d->peers = peers;
	d->older = st->desc[peers].newer;
	if (d->older != NO_INDEX)
		st->desc[d->older].newer = index;
	st->desc[peers].newer = index;
}

void
state_open(struct charisma_state *st, bool app, uint64_t id, uint64_t fd, uint64_t file,
	   const void *name, size_t len)
{
	struct descriptor *d;
	uint32_t index;
	uint64_t of;

	drop_closed(st);
	d = state_find(st, app, id, fd);
	if (d)
		state_close(st, d);
	index = descriptor_new(st, app ? OF_APP : OF_CLIENT, id, fd, name, len);
	st->desc[index].file = file;
	if (!app && state_app_of(st, id, &of))
		add_peer(st, index, of);
}

bool
state_app_of(const struct charisma_state *st, uint64_t client, uint64_t *app)
{
	const struct owner *o = owner_find(st, false, client);

	if (o && o->has_app)
		*app = o->app;
	return o && o->has_app;
}

/* Returns the descriptor fd that a client inherited from the client that forked it, as a new one of its own. Other
 * clients of its application must have had fd open when it joined, all for the same file. Returns NULL otherwise. */
static struct descriptor *
inherit(struct charisma_state *st, uint64_t client, uint64_t fd)
{
	const struct owner *o = owner_find(st, false, client);
	const struct descriptor *peers =
	    o && o->has_app ? state_find(st, OF_PEERS, o->app, fd) : NULL;
	const struct descriptor *found = NULL;
	unsigned n = 0;
	struct buf name = {0};

	for (uint32_t i = peers ? peers->newer : NO_INDEX; i != NO_INDEX;
	     i = st->desc[i].older) {
		const struct descriptor *d = &st->desc[i];

		if (n++ == PEERS_MOST)
			return NULL;
		if (d->opened > o->joined || (d->closed && d->closed < o->joined) ||
		    d->id == client)
			continue;
		if (found && found->file != d->file)
			return NULL;
		found = d;
	}
	if (!found)
		return NULL;
	/* copy the name: state_open may move or free `found` */
	buf_add(&name, found->name, found->len);
	state_open(st, false, client, fd, found->file, name.p, name.n);
	buf_free(&name);
	return state_find(st, OF_CLIENT, client, fd);
}

struct descriptor *
state_resolve(struct charisma_state *st, bool app, const uint64_t *client, uint64_t fd,
	      const uint64_t *app_id)
{
	struct descriptor *d =
	    !app && client ? state_find(st, OF_CLIENT, *client, fd) : NULL;
	uint64_t of;

	if (!d && app_id)
		d = state_find(st, OF_APP, *app_id, fd);
	else if (!d && client && state_app_of(st, *client, &of))
		d = state_find(st, OF_APP, of, fd);
	return d || app || !client ? d : inherit(st, *client, fd);
}
