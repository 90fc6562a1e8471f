/*
 * charisma_state.h - finds the file of a descriptor by the opens before.
 *
 * A descriptor belongs to a client or to an application as a whole. Clients belong to applications (APP_LOAD,
 * CLIENT_JOIN), so a client may use a descriptor that its application opened, or one that it inherited: another
 * client of the application had it open when this one joined. Memory grows with the number of open files, up to a
 * limit. At the limit, clients and applications that have left are dropped, with the files that they left open. If
 * that is not enough, everything is dropped, and counted.
 */
#ifndef SPOOR_CHARISMA_STATE_H
#define SPOOR_CHARISMA_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/slots.h"

#define NO_INDEX UINT32_MAX

/* The holder of a descriptor. */
enum holder {
	OF_CLIENT,
	OF_APP,
	OF_PEERS, /* not a descriptor, but a list of descriptors of an application's clients */
};

struct descriptor {
	uint64_t id; /* number of the client or application */
	uint64_t fd;
	uint64_t file;
	/* The steps of the state at which it was opened and closed; closed is 0 while it is open. A closed
	 * descriptor is kept for clients that inherited it. */
	uint64_t opened, closed;
	char *name;
	uint32_t len;
	uint32_t sym; /* number of the name in the tables of `epoch` */
	unsigned epoch;
	uint32_t prev, next; /* list of the owner's descriptors */
	/* For a client with an application: `newer` and `older` link the descriptors with the same number of the
	 * application's clients; `peers` is the OF_PEERS descriptor with this list. In an OF_PEERS descriptor,
	 * `newer` is the newest of the list. */
	uint32_t newer, older, peers;
	uint32_t owner;
	uint8_t of; /* enum holder */
};

struct owner {
	uint64_t id, app; /* app: the client's application, if has_app */
	uint32_t first;	  /* first of its descriptors */
	/* For an application, the number of its loads; for a client, the number of the load that it
	 * belongs to. */
	uint32_t loads;
	bool is_app, has_app, left;
	/* step at which the client joined; for an application, the step at which its last client joined */
	uint64_t joined;
};

struct charisma_state {
	struct descriptor *desc;
	struct owner *owner;
	uint32_t ndesc, nowner; /* used places, including those on the free list */
	uint32_t free;		/* list of free descriptors, by `next` */
	size_t desc_cap, owner_cap;
	/* Indexes of desc by descriptor, and of owner by number. */
	struct slots by_fd, by_id;
	uint32_t change; /* changes whenever a descriptor may have lost its file; never 0 */
	uint64_t step;	 /* number of opens, closes and joins so far */
	uint64_t bytes;	 /* bytes of memory for open files */
	/* How often everything was dropped, to stay within the limit of memory. */
	uint64_t forgot;
};

/* Initializes st: no file is open. */
void state_init(struct charisma_state *st);
/* Frees all memory of st. */
void state_free(struct charisma_state *st);

/* Notes that the client `id` or, with `app`, the application `id` opens `file` as descriptor fd. Copies the file's
 * name, of len bytes. */
void state_open(struct charisma_state *st, bool app, uint64_t id, uint64_t fd,
		uint64_t file, const void *name, size_t len);
/* Closes a descriptor. The caller must not use d after this. */
void state_close(struct charisma_state *st, struct descriptor *d);
/* Notes that the client belongs to the application `app` from now on. If it belonged to another one
 * before, its descriptors are closed. */
void state_join(struct charisma_state *st, uint64_t client, uint64_t app);
/* Notes that the application `app` starts. An earlier application may have had its number. */
void state_load(struct charisma_state *st, uint64_t app);
/* Notes that the client or application `id` has left. Late records of it still find its files, until memory
 * is needed or the number is used again. */
void state_leave(struct charisma_state *st, bool app, uint64_t id);

/* Stores in *app the application that the client's load or join names. Returns false if there was neither. */
bool state_app_of(const struct charisma_state *st, uint64_t client, uint64_t *app);
/*
 * Returns the descriptor fd that a request means, or NULL: the application's if `app`, else the
 * client's. The application is *app_id (NULL: the one of the client's load or join), the
 * client is *client (NULL: none). A client without such a descriptor of its own uses its
 * application's, or else the one that it inherited, which becomes its own. The result is valid until the next call that
 * changes st.
 */
struct descriptor *state_resolve(struct charisma_state *st, bool app,
				 const uint64_t *client, uint64_t fd,
				 const uint64_t *app_id);

/* Returns the hash of a descriptor for by_fd. */
static inline uint32_t
state_hash(unsigned of, uint64_t id, uint64_t fd)
{
	return hash_slot(hash_add(hash_add(of, id), fd));
}

/* Returns the descriptor fd that the holder `id` itself has, or NULL. */
static inline struct descriptor *
state_find(const struct charisma_state *st, enum holder of, uint64_t id, uint64_t fd)
{
	uint32_t hash = state_hash(of, id, fd), i;

	for (size_t at = hash; slots_next(&st->by_fd, hash, &at, &i);) {
		struct descriptor *d = &st->desc[i];

		if (d->id == id && d->fd == fd && d->of == of)
			return d;
	}
	return NULL;
}

#endif
