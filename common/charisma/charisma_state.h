/*
 * charisma_state.h - which file a descriptor means, told by the opens before.
 *
 * A descriptor belongs to a client or to an application as a whole. Clients belong to
 * applications (APP_LOAD, CLIENT_JOIN), so a client may use a descriptor that its
 * application opened. Memory grows with what is open, up to a bound; what an application
 * left open goes when it has exited and the room is wanted. Beyond the bound all that is
 * known is forgotten, and counted.
 */
#ifndef SPOOR_CHARISMA_STATE_H
#define SPOOR_CHARISMA_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define NO_INDEX UINT32_MAX

struct descriptor {
	uint64_t id; /* of the client or the application */
	uint64_t fd;
	uint64_t file;
	char *name;
	uint32_t len;
	uint32_t sym; /* the name in the tables of `epoch` */
	unsigned epoch;
	uint32_t prev, next; /* of the same owner */
	uint32_t owner;
	bool app;
};

struct owner {
	uint64_t id, app; /* app: of a client, when has_app */
	uint32_t first;	  /* its descriptors */
	/* Of an application: how often it was loaded; of a client: which of these loads it
	 * belongs to. */
	uint32_t loads;
	bool is_app, has_app, left;
};

/* Indices into a pool by the hash of a key. */
struct slots {
	uint32_t *v; /* index + 1, 0 = free */
	uint32_t mask;
};

struct charisma_state {
	struct descriptor *desc;
	struct owner *owner;
	uint32_t ndesc, nowner; /* used places, those on the free list included */
	uint32_t free;		/* list of free descriptors, by `next` */
	size_t desc_cap, owner_cap;
	struct slots by_fd, by_id;
	uint32_t change; /* another number, never 0, after whatever may end a mapping */
	uint64_t bytes;	 /* of open files */
	uint64_t forgot; /* how often all was forgotten, to stay within memory's bound */
};

/* Nothing is open. state_free gives back all memory. */
void state_init(struct charisma_state *st);
void state_free(struct charisma_state *st);

/* A client or an application opens a file. The name is copied. */
void state_open(struct charisma_state *st, bool app, uint64_t id, uint64_t fd,
		uint64_t file, const void *name, size_t len);
/* The descriptor is closed: d is free from here on. */
void state_close(struct charisma_state *st, struct descriptor *d);
/* A client is of that application from here on; it starts without descriptors where it
 * was of another one before. */
void state_join(struct charisma_state *st, uint64_t client, uint64_t app);
/* An application starts: its number may have been another one's. */
void state_load(struct charisma_state *st, uint64_t app);
/* A client or an application is gone. Records of it that were logged late still find its
 * files for a while. */
void state_leave(struct charisma_state *st, bool app, uint64_t id);

/*
 * The descriptor of a client's or an application's request, or NULL. A client that has no
 * such descriptor itself may have its application's: *app_id of the record where it tells
 * (NULL: not), else as its join told.
 */
struct descriptor *state_resolve(struct charisma_state *st, bool app, uint64_t id,
				 uint64_t fd, const uint64_t *app_id);

static inline uint32_t
state_hash(bool app, uint64_t id, uint64_t fd)
{
	return hash_slot(hash_add(hash_add(app, id), fd));
}

/* Exactly that descriptor, or NULL. */
static inline struct descriptor *
state_find(const struct charisma_state *st, bool app, uint64_t id, uint64_t fd)
{
	uint32_t i = state_hash(app, id, fd) & st->by_fd.mask;

	for (; st->by_fd.v[i]; i = (i + 1) & st->by_fd.mask) {
		struct descriptor *d = &st->desc[st->by_fd.v[i] - 1];

		if (d->id == id && d->fd == fd && d->app == app)
			return d;
	}
	return NULL;
}

#endif
