/*
 * known.h - the datatypes, communicators and requests of a rank, as its records so far define them, and the bytes
 * that a call moves.
 *
 * The last record that made a handle defines it, so all records must be taken in the order of their file. A rank
 * needs some hundred bytes, and 16 to 32 more for each pending request; all ranks of a trace together have
 * DUMPI_KNOWN bytes.
 */
#ifndef SPOOR_DUMPI_KNOWN_H
#define SPOOR_DUMPI_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

#define DUMPI_KNOWN (16u * 1024 * 1024)
/* Number of built-in datatypes; larger numbers are the program's own. */
#define DUMPI_BUILTIN 28
#define DUMPI_NO_SIZE UINT32_MAX /* unknown size of a datatype */
#define DUMPI_NULL_REQUEST 1

/* The effect of a call on the handles. */
enum dumpi_does {
	DOES_NOTHING,
	DOES_SEND,	/* makes a request that sends */
	DOES_RECV,	/* makes a request that receives */
	DOES_OTHER,	/* makes another request */
	DOES_INIT,	/* makes a persistent request that sends */
	DOES_INIT_RECV, /* makes a persistent request that receives */
	DOES_START,	/* starts persistent requests */
	DOES_COMPLETE,	/* completes requests: Wait, Test and their variants */
	DOES_FREE,	/* frees a request */
	DOES_CANCEL,	/* cancels a request */
	DOES_TYPE,	/* makes a datatype, or returns the size of one */
	DOES_COMM,	/* makes a communicator, or returns a property of one */
	DOES_GROUP,	/* makes a group, or returns a property of one */
	/* Has arguments with the size of its communicator or this rank in it. */
	DOES_COLLECT,
};

/* A communicator, or a group, which is never an intercommunicator. */
struct dumpi_comm {
	int32_t size, rank; /* -1 = unknown */
	/* An intercommunicator: `size` is the size of the remote group, `rank` is unknown. */
	bool inter;
};

/* Consecutive requests with the same id and kind, or one persistent request. */
struct dumpi_request {
	/* Number of requests; for a persistent one its index in `init`; 0 = free slot. */
	uint32_t n;
	uint16_t id;
	uint8_t kind; /* enum dumpi_does */
	bool mark;    /* cancelled; for a persistent request: started */
};

/* The arguments of a persistent request. */
struct dumpi_init {
	uint64_t bytes;
	int32_t peer;
	uint16_t comm;
	bool told;     /* the bytes are known */
	uint32_t next; /* next free element, if this one is free */
};

/* Handles of DUMPI_NEAR or more are rare, and may be any number: they are stored in pages. */
#define DUMPI_NEAR 512
#define DUMPI_PAGE 32

struct dumpi_handles {
	void *v; /* elements with numbers below DUMPI_NEAR */
	size_t n;
	uint16_t *page; /* number of the page, from 1, by number / DUMPI_PAGE; 0 = none */
	void *far;
	size_t nfar; /* number of elements in the pages */
};

struct dumpi_known {
	struct dumpi_handles sizes, comms,
	    groups; /* elements: uint32_t sizes of datatypes; struct dumpi_comm */
	/* Hash table by id, at most half full; equal ids are in the order of their calls. */
	struct dumpi_request *slot;
	struct dumpi_init *init; /* elements from 1 on */
	size_t nslots, ninits;
	/* used: slots in use; away: how many of them are not in the home slot of their id. */
	uint32_t used, away;
	uint32_t free_init;
	uint32_t factor; /* secret, as is mix: both determine the home slots */
	uint16_t mix;
	unsigned shift;
	uint16_t id_mask; /* bits of a request's number that matter */
	int64_t rank;	  /* rank in MPI_COMM_WORLD, -1 = unknown */
	/* Bytes that all ranks may still allocate; `took`: bytes of this rank. */
	size_t *room;
	size_t took;
	bool full;		   /* an allocation was refused */
	struct dumpi_peers *peers; /* communicators of all ranks, or NULL */
	uint32_t proc;		   /* number of this rank in `peers` */
};

/* The bytes that a call moves. */
struct dumpi_moves {
	bool size_told, recv_told;
	uint64_t size; /* bytes sent; for a call that only receives, bytes received */
	/* Bytes received by a call that also sends. For Start: bytes of the started receives. For calls that make
	 * a persistent request: bytes of each start. */
	uint64_t recv;
	/* Set by calls of Start only: */
	bool same; /* all started requests have this peer and communicator */
	int32_t peer;
	uint16_t comm;
	bool lacking; /* the size of a built-in datatype is unknown */
};

/* The bytes received by the requests that a call completes. */
struct dumpi_received {
	uint64_t bytes;
	/* some: there was a receive; untold: the bytes of one are unknown */
	bool some, untold;
};

struct dumpi_call;
struct dumpi_layout;
struct dumpi_peers;

/*
 * Initializes w for the rank with that number (-1: unknown) among `ranks` ranks of MPI_COMM_WORLD (0: unknown).
 * `sizes` has the sizes in bytes of n datatypes, big-endian, 0 = unknown. `builtin` has the sizes of the built-in
 * datatypes that `sizes` lacks, DUMPI_NO_SIZE = unknown; it may be NULL. *room is the number of bytes that all ranks
 * may still take. The caller must call dumpi_known_close.
 */
void dumpi_known_open(struct dumpi_known *w, int64_t rank, uint32_t ranks,
		      const uint8_t *sizes, size_t n, const uint32_t *builtin,
		      size_t *room);
/* Frees all memory of w, and adds it to *room again. */
void dumpi_known_close(struct dumpi_known *w);

/* Returns the size in bytes of a datatype whose number is at least DUMPI_NEAR, or DUMPI_NO_SIZE. */
uint32_t dumpi_sizeof_far(const struct dumpi_known *w, uint16_t datatype);

/* Takes a record of the call k with the arguments arg (NULL: not stored) in the layout l. Notes the handles that it
 * defines, and writes to *m the bytes that it moves. All records of the rank must pass here in order. */
void dumpi_moves(struct dumpi_known *w, const struct dumpi_layout *l,
		 const struct dumpi_call *k, const uint8_t *const *arg,
		 struct dumpi_moves *m);

/* Initializes the communicators of w (comm.c). Called by dumpi_known_open. */
void dumpi_comms_open(struct dumpi_known *w, int64_t rank, uint32_t ranks);
/* Returns the size of a communicator and this rank in it, as far as they are known. */
struct dumpi_comm dumpi_comm_of(struct dumpi_known *w, uint16_t comm);
/* Takes a record, as dumpi_moves does, of a call whose `does` is DOES_COMM, DOES_GROUP or DOES_COLLECT. */
void dumpi_comms(struct dumpi_known *w, const struct dumpi_call *k,
		 const uint8_t *const *arg);

/* Grows the array p of *n elements of `width` bytes to at least `want` elements (dumpi_request.c). Returns the
 * array, which may have moved, or NULL if *w->room is too small; p is then unchanged. New elements are not
 * cleared. */
void *dumpi_known_grow(struct dumpi_known *w, void *p, size_t *n, size_t want,
		       size_t width);
/* Adds a pending request; n is as in struct dumpi_request. Returns false if *w->room is too small. */
bool dumpi_request_add(struct dumpi_known *w, uint16_t id, uint8_t kind, uint32_t n);
/* Returns the element with that number, of `width` bytes, or NULL if there is none. */
void *dumpi_handle(const struct dumpi_handles *h, uint16_t number, size_t width);
/* Returns the element with that number, to be changed, and adds it if needed. New elements are copies of `none`.
 * Returns NULL if *w->room is too small. */
void *dumpi_handle_place(struct dumpi_known *w, struct dumpi_handles *h, uint16_t number,
			 const void *none, size_t width);
#define DUMPI_CANCELLED 0x80u
/* Removes the oldest request with that id, which must not be DUMPI_NULL_REQUEST. Returns its kind, with
 * DUMPI_CANCELLED if it was cancelled, or 0 if there is none. A persistent request is not removed; it becomes
 * inactive. */
unsigned dumpi_request_take(struct dumpi_known *w, uint16_t id);
/* Takes a record, as dumpi_moves does, of a call that completes, starts, frees or cancels requests, or makes a
 * persistent one; for the latter, *m is then what one start moves. */
void dumpi_requests(struct dumpi_known *w, const struct dumpi_layout *l,
		    const struct dumpi_call *k, const uint8_t *const *arg,
		    struct dumpi_moves *m);

/* Returns the slot in which the search for a request begins. */
static inline struct dumpi_request *
dumpi_request_home(const struct dumpi_known *w, uint16_t id)
{
	return &w->slot[((uint32_t)(id ^ w->mix) * w->factor) >> w->shift];
}

/* Adds a request of `kind` DOES_SEND, DOES_RECV or DOES_OTHER. */
static inline void
dumpi_request_new(struct dumpi_known *w, uint32_t request, uint8_t kind)
{
	uint16_t id = (uint16_t)(request & w->id_mask);

	if (id == DUMPI_NULL_REQUEST)
		return;
	if (2 * ((size_t)w->used + 1) <= w->nslots && !dumpi_request_home(w, id)->n) {
		*dumpi_request_home(w, id) = (struct dumpi_request){1, id, kind, false};
		w->used++;
		return;
	}
	dumpi_request_add(w, id, kind, 1);
}

/* Completes a request: removes it and returns its kind, with DUMPI_CANCELLED if it was
 * cancelled. Returns 0 if no request with that number is pending. */
static INLINE unsigned
dumpi_request_done(struct dumpi_known *w, uint32_t request)
{
	uint16_t id = (uint16_t)(request & w->id_mask);
	struct dumpi_request *q;

	if (id == DUMPI_NULL_REQUEST || !w->used)
		return 0;
	q = dumpi_request_home(w, id);
	/* Fast path: the request is alone in its home slot, and no slot depends on it. */
	if (q->id == id && q->n == 1 && q->kind < DOES_INIT && !q->mark && !w->away) {
		q->n = 0;
		w->used--;
		return q->kind;
	}
	return dumpi_request_take(w, id);
}

/* Completes the request at p and adds the bytes that it received to *got. `status` may be NULL: the bytes are then
 * unknown. */
static INLINE void
dumpi_receive(struct dumpi_known *w, const uint8_t *p, const uint8_t *status,
	      struct dumpi_received *got)
{
	unsigned done = dumpi_request_done(w, be32(p)), kind = done & ~DUMPI_CANCELLED;
	uint32_t bytes;

	if (kind != DOES_RECV && kind != DOES_INIT_RECV)
		return;
	got->some = true;
	if (!status) {
		got->untold = true;
		return;
	}
	if ((done & DUMPI_CANCELLED && status[8]) || (int32_t)be32(status + 4) < 0)
		return; /* no bytes came, or the source was MPI_PROC_NULL */
	bytes = be32(status);
	got->untold |= bytes > INT32_MAX;
	got->bytes += bytes;
}

/* Returns the size of a datatype in bytes, or DUMPI_NO_SIZE. */
static inline uint32_t
dumpi_sizeof(const struct dumpi_known *w, uint16_t datatype)
{
	return datatype < w->sizes.n   ? ((const uint32_t *)w->sizes.v)[datatype]
	       : datatype < DUMPI_NEAR ? DUMPI_NO_SIZE
				       : dumpi_sizeof_far(w, datatype);
}

#endif
