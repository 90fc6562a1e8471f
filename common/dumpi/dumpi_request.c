/*
 * dumpi_request.c - the pending requests of a rank. The bytes that Wait and Test complete are counted for these
 * calls, and only there.
 *
 * MPI libraries give the same id to all sends that complete at once. So each id has a queue, and a completion
 * takes the oldest request. Consecutive requests of one kind are counted, not stored one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "dumpi/dumpi_trace.h"

#define SLOTS_LEAST 16
/* Limit of the changes of kind within one id. No library uses an id for different kinds. */
#define RUNS_MOST 64

void *
dumpi_known_grow(struct dumpi_known *w, void *p, size_t *n, size_t want, size_t width)
{
	size_t more = (want - *n) * width;

	if (more > *w->room) {
		w->full = true;
		return NULL;
	}
	*w->room -= more;
	w->took += more;
	*n = want;
	return xrealloc(p, want, width);
}

void *
dumpi_handle(const struct dumpi_handles *h, uint16_t number, size_t width)
{
	size_t page;

	if (number < DUMPI_NEAR)
		return number < h->n ? (uint8_t *)h->v + number * width : NULL;
	page = h->page ? h->page[number / DUMPI_PAGE] : 0;
	return page ? (uint8_t *)h->far +
			  ((page - 1) * DUMPI_PAGE + number % DUMPI_PAGE) * width
		    : NULL;
}

void *
dumpi_handle_place(struct dumpi_known *w, struct dumpi_handles *h, uint16_t number,
		   const void *none, size_t width)
{
	bool near = number < DUMPI_NEAR;
	size_t *n = near ? &h->n : &h->nfar, was = *n, pages = 0, want;
	void *v = dumpi_handle(h, number, width);

	if (v)
		return v;
	if (!near && !h->page) {
		h->page =
		    dumpi_known_grow(w, NULL, &pages, 65536 / DUMPI_PAGE, sizeof *h->page);
		if (!h->page)
			return NULL;
		memset(h->page, 0, pages * sizeof *h->page);
	}
	want = number < 2 * was ? 2 * was : number + (size_t)1;
	want = near ? (want < DUMPI_NEAR ? want : DUMPI_NEAR) : was + DUMPI_PAGE;
	v = dumpi_known_grow(w, near ? h->v : h->far, n, want, width);
	if (!v)
		return NULL;
	for (size_t i = was; i < *n; i++)
		memcpy((uint8_t *)v + i * width, none, width);
	if (near) {
		h->v = v;
	} else {
		h->far = v;
		h->page[number / DUMPI_PAGE] = (uint16_t)(*n / DUMPI_PAGE);
	}
	return dumpi_handle(h, number, width);
}

static inline bool
persistent(const struct dumpi_request *q)
{
	return q->kind >= DOES_INIT;
}

static inline size_t
request_slot(const struct dumpi_known *w, uint16_t id)
{
	return (size_t)(dumpi_request_home(w, id) - w->slot);
}

/* Makes room for one more slot. Returns false if the memory limit is reached. */
static bool
grow_slots(struct dumpi_known *w)
{
	struct dumpi_request *old = w->slot;
	size_t n = 0, was = w->nslots, from = 0;

	if (2 * ((size_t)w->used + 1) <= w->nslots)
		return true;
	w->slot =
	    dumpi_known_grow(w, NULL, &n, was ? 2 * was : SLOTS_LEAST, sizeof *w->slot);
	if (!w->slot) {
		w->slot = old;
		return false;
	}
	memset(w->slot, 0, n * sizeof *w->slot);
	w->nslots = n;
	w->used = w->away = 0;
	for (w->shift = 32; n > 1; n /= 2)
		w->shift--;
	/* Begin after a free slot, so that equal ids keep their order. */
	while (was && old[from].n)
		from++;
	for (size_t i = 0; i < was; i++) {
		const struct dumpi_request *q = &old[(from + i) & (was - 1)];
		size_t at = request_slot(w, q->id);

		if (!q->n)
			continue;
		w->away += w->slot[at].n != 0;
		while (w->slot[at].n)
			at = (at + 1) & (w->nslots - 1);
		w->slot[at] = *q;
		w->used++;
	}
	*w->room += was * sizeof *old;
	w->took -= was * sizeof *old;
	free(old);
	return true;
}

/* Frees the slot q, and moves later slots into the hole if the search for them would end there. */
static void
take_out(struct dumpi_known *w, struct dumpi_request *q)
{
	size_t mask = w->nslots - 1, hole = (size_t)(q - w->slot);

	w->used--;
	w->away -= request_slot(w, q->id) != hole;
	for (size_t i = (hole + 1) & mask; w->slot[i].n; i = (i + 1) & mask) {
		size_t home = request_slot(w, w->slot[i].id);

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			w->slot[hole] = w->slot[i];
			w->away -= home == hole;
			hole = i;
		}
	}
	w->slot[hole].n = 0;
}

/* Returns the oldest active request with that id; if there is none, the oldest inactive persistent one, or NULL. */
static struct dumpi_request *
oldest(const struct dumpi_known *w, uint16_t id)
{
	struct dumpi_request *idle = NULL, *q;

	if (!w->nslots)
		return NULL;
	for (size_t i = request_slot(w, id); (q = &w->slot[i])->n;
	     i = (i + 1) & (w->nslots - 1)) {
		if (q->id != id)
			continue;
		if (!persistent(q) || q->mark)
			return q;
		idle = idle ? idle : q;
	}
	return idle;
}

bool
dumpi_request_add(struct dumpi_known *w, uint16_t id, uint8_t kind, uint32_t n)
{
	struct dumpi_request *last = NULL, *q;
	unsigned runs = 0;

	if (!grow_slots(w))
		return false;
	for (size_t i = request_slot(w, id); (q = &w->slot[i])->n;
	     i = (i + 1) & (w->nslots - 1))
		if (q->id == id) {
			last = q;
			runs++;
		}
	if (last && kind < DOES_INIT && last->kind == kind && last->n < UINT32_MAX) {
		last->n++;
		return true;
	}
	if (runs == RUNS_MOST) {
		w->full = true;
		return false;
	}
	*q = (struct dumpi_request){n, id, kind, false};
	w->used++;
	w->away += q != dumpi_request_home(w, id);
	return true;
}

/* Returns the id of the request at p, or DUMPI_NULL_REQUEST. */
static inline uint16_t
id_of(const struct dumpi_known *w, const uint8_t *p)
{
	return (uint16_t)(be32(p) & w->id_mask);
}

static void
init_new(struct dumpi_known *w, const struct dumpi_call *k, const uint8_t *const *arg,
	 const struct dumpi_moves *m)
{
	uint32_t at = w->free_init;

	if (id_of(w, arg[5]) == DUMPI_NULL_REQUEST)
		return;
	if (!at) {
		size_t n = w->ninits, was = n ? n : 1;
		struct dumpi_init *v =
		    dumpi_known_grow(w, w->init, &n, was * 2, sizeof *w->init);

		if (!v)
			return;
		w->init = v;
		w->ninits = n;
		for (at = (uint32_t)n; at-- > was;) {
			v[at].next = w->free_init;
			w->free_init = at;
		}
		at = w->free_init;
	}
	if (!dumpi_request_add(w, id_of(w, arg[5]), k->does, at))
		return;
	w->free_init = w->init[at].next;
	w->init[at] = (struct dumpi_init){m->size, (int32_t)be32(arg[k->peer]),
					  be16(arg[4]), m->size_told, 0};
}

static void
start_requests(struct dumpi_known *w, const uint8_t *ids, uint32_t n, struct dumpi_moves *m)
{
	bool told[2] = {true, true};
	uint64_t bytes[2] = {0, 0};
	uint32_t count[2] = {0, 0};
	bool same[2] = {true, true};
	const struct dumpi_init *of[2] = {NULL, NULL};

	for (; n; n--, ids += 4) {
		struct dumpi_request *q = oldest(w, id_of(w, ids));
		const struct dumpi_init *p;
		unsigned in;

		if (!q || !persistent(q))
			continue;
		q->mark = true;
		p = &w->init[q->n];
		in = q->kind == DOES_INIT_RECV;
		told[in] &= p->told && p->bytes <= UINT64_MAX - bytes[in];
		bytes[in] += p->bytes;
		same[in] &=
		    !count[in] || (of[in]->peer == p->peer && of[in]->comm == p->comm);
		of[in] = p;
		count[in]++;
	}
	m->size_told = count[0] && told[0];
	m->size = bytes[0];
	m->recv_told = count[1] && told[1];
	m->recv = bytes[1];
	n = !count[0]; /* if there are sends, the peer is their peer */
	if (count[n] && same[n]) {
		m->same = true;
		m->comm = of[n]->comm;
		/* The -1 of a receive is MPI_ANY_SOURCE; the -1 of a send is MPICH's MPI_PROC_NULL. */
		m->peer = n || of[n]->peer >= 0 ? of[n]->peer : -2;
	}
}

static void
request_forget(struct dumpi_known *w, struct dumpi_request *q)
{
	if (persistent(q)) {
		w->init[q->n].next = w->free_init;
		w->free_init = q->n;
		take_out(w, q);
	} else if (--q->n == 0) {
		take_out(w, q);
	}
}

unsigned
dumpi_request_take(struct dumpi_known *w, uint16_t id)
{
	struct dumpi_request *q = oldest(w, id);
	unsigned kind;

	if (!q)
		return 0;
	kind = q->kind;
	if (persistent(q)) {
		q->mark = false;
		return kind;
	}
	kind |= q->mark ? DUMPI_CANCELLED : 0;
	request_forget(w, q);
	return kind;
}

/* The arguments of a call that completes requests: Wait, Test and their variants. */
struct completion_args {
	const uint8_t *ids, *indices, *statuses;
	uint32_t n, nids, nstatuses;
};

/* Finds the requests that a call completes, by its arguments in the order of the table. Returns false if there are
 * none. */
static bool
completion_of(unsigned call, const uint8_t *const *arg, struct completion_args *c)
{
	static const struct {
		uint8_t flag, statuses;
	} at[] = {
	    [13] = {0, 1}, [14] = {1, 2}, [16] = {0, 3}, [17] = {3, 4},
	    [18] = {0, 2}, [19] = {2, 3}, [20] = {0, 4}, [21] = {0, 4},
	};
	const uint8_t *status = arg[at[call].statuses];
	bool one = call == 13 || call == 14, any = call == 16 || call == 17;

	c->indices = NULL;
	c->statuses = status ? status + 4 : NULL;
	c->nstatuses = status ? be32(status) : 0;
	if (at[call].flag && !be32(arg[at[call].flag]))
		return false;
	c->ids = one ? arg[0] : arg[1] + 4;
	c->n = c->nids = one ? 1 : be32(arg[1]);
	if (any) { /* one index, or MPI_UNDEFINED */
		c->indices = arg[2];
		c->n = 1;
	} else if (call == 20 || call == 21) { /* outcount may be MPI_UNDEFINED */
		c->indices = arg[3] + 4;
		c->n = be32(arg[2]);
		if (c->n > be32(arg[3]))
			return false;
	}
	return true;
}

static void
complete_all(struct dumpi_known *w, const struct dumpi_layout *l, unsigned call,
	     const uint8_t *const *arg, struct dumpi_moves *m)
{
	struct dumpi_received got = {0, false, false};
	struct completion_args c;

	if (!completion_of(call, arg, &c))
		c.n = 0;
	for (uint32_t i = 0; i < c.n; i++) {
		uint32_t k = c.indices ? be32(c.indices + 4 * (size_t)i) : i;

		if (k < c.nids)
			dumpi_receive(w, c.ids + 4 * (size_t)k,
				      i < c.nstatuses ? c.statuses + (size_t)i * l->status
						      : NULL,
				      &got);
	}
	m->size_told = got.some && !got.untold;
	m->size = got.bytes;
}

void
dumpi_requests(struct dumpi_known *w, const struct dumpi_layout *l,
	       const struct dumpi_call *k, const uint8_t *const *arg, struct dumpi_moves *m)
{
	struct dumpi_request *q;

	switch (k->does) {
	case DOES_INIT:
	case DOES_INIT_RECV:
		init_new(w, k, arg, m);
		/* The call itself moves nothing: these are the bytes of each start. */
		m->recv_told = m->size_told;
		m->recv = m->size;
		m->size_told = false;
		break;
	case DOES_START:
		if (k->nargs == 1)
			start_requests(w, arg[0], 1, m);
		else
			start_requests(w, arg[1] + 4, be32(arg[1]), m);
		break;
	case DOES_COMPLETE: complete_all(w, l, dumpi_number(k), arg, m); break;
	case DOES_FREE:
		if ((q = oldest(w, id_of(w, arg[0]))) != NULL)
			request_forget(w, q);
		break;
	case DOES_CANCEL:
		if ((q = oldest(w, id_of(w, arg[0]))) != NULL && !persistent(q))
			q->mark = true;
		break;
	}
}
