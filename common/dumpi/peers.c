/*
 * peers.c - what all ranks of a run together tell of its communicators: who the peer of a call is in the
 * world, how many processes take part in a collective. A rank numbers communicators for itself, and only
 * all ranks tell who the members are. So a run is read twice: first a look at the calls that make communicators.
 */
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"
#include "mpi/comms.h"

/* Bound: dumpi | communicators and groups of all ranks | calls that make them | 8 MiB, at least 8 KiB for each rank | too many pending requests */
#define LOOK_MOST (8u << 20)
#define LOOK_EACH 8192

struct dumpi_peers {
	struct comms comms;
	bool full; /* there are more than were noted */
};

/* How many records of a call a rank has, as its footer says. */
static uint32_t
footer_records(const struct dumpi_rank *r, unsigned call)
{
	const uint8_t *p = r->sec.raw[SEC_FOOTER].p + 8 + 4 * (size_t)call;
	uint32_t called = be32(p), ignored = be32(p + 4 * (size_t)DUMPI_COUNTED);

	return called < ignored ? 0 : called - ignored;
}

bool
dumpi_peers_any(const struct dumpi *c)
{
	/* Comm_split, Cart_sub, Intercomm_create and merge; Group_union, intersection, difference. */
	static const uint8_t calls[] = {86, 111, 91, 92, 73, 74, 75};

	for (size_t i = 0; i < c->nranks; i++) {
		const struct dumpi_rank *r = &c->rank[i];

		if (!r->tells)
			continue;
		if (!r->sec.raw[SEC_FOOTER].n)
			return true;
		for (size_t k = 0; k < sizeof calls; k++)
			if (footer_records(r, calls[k]))
				return true;
	}
	return false;
}

/* The look at all ranks. Each rank may take the same share of LOOK_MOST. Records beyond those that the footer counts are not looked for: that it is wrong is
 * reported when the rank is read. */
static void
look(struct dumpi_peers *x, struct source *all, const struct source *s)
{
	struct comms *to = &x->comms;
	struct calls calls = {0};
	struct call call = {0};
	struct batch b = {0};
	size_t n = dumpi_nranks(all),
	       share = LOOK_MOST / n > LOOK_EACH ? LOOK_MOST / n : LOOK_EACH;

	for (size_t i = 0; i < n; i++) {
		struct dumpi_rank *r = dumpi_rank(all, i);

		r->layout = dumpi_rank(s, i)->layout;
		r->left = UINT64_MAX;
		if (!r->sec.raw[SEC_FOOTER].n)
			continue;
		r->left = 0;
		for (unsigned k = 0; k < DUMPI_COUNTED - 1; k++)
			r->left += dumpi_wanted(k) ? footer_records(r, k) : 0;
	}
	while (source_next(all, &b))
		for (uint32_t i = 0; i < b.n; i++) {
			const struct rec *r = batch_rec(&b, i);

			enum call_kind kind = calls_kind(&calls, all, r);
			bool tells = kind == CALL_COMM_RANK || kind == CALL_COMM_SIZE;

			if (!comms_asks(kind))
				continue;
			if (!tells && to->mem.bytes / (all->part.stream + 1) > share) {
				x->full = true;
				continue;
			}
			calls_read(&calls, all, r, &call);
			comms_call(to, comms_at(to, all, r), &call);
		}
	buf_free(&b.own);
	calls_free(&calls);
	call_free(&call);
}

struct dumpi_peers *
dumpi_peers_open(const struct source *s)
{
	struct dumpi_options o = {.serial = true, .rank = -1, .look = true};
	struct format_values values = {.fmt = &fmt_dumpi, .options = &o};
	struct read_options opt = {.only = &fmt_dumpi,
				   .need = NEED_LOC | NEED_ARGS,
				   .quiet = true,
				   .values = &values};
	const struct dumpi_jobs *jobs = dumpi_jobs(s);
	struct dumpi_peers *x = xcalloc(1, sizeof *x);
	char loc[DUMPI_RANK_TEXT + 1];
	struct source all;

	if (source_open(&all, &opt, s->paths, s->npaths)) {
		comms_head(&x->comms, &all.head);
		if (dumpi_nranks(&all) == dumpi_nranks(s))
			look(x, &all, s);
		source_close(&all);
	}
	comms_end(&x->comms);
	comms_again(&x->comms);
	for (size_t i = 0; i < dumpi_nranks(s); i++) {
		struct dumpi_rank *r = dumpi_rank(s, i);

		loc[dumpi_rank_text(loc, jobs, r)] = '\0';
		if (r->tells) {
			r->tells->proc = comms_proc(&x->comms, loc, jobs->n > 1);
			r->tells->peers = x;
		}
	}
	return x;
}

void
dumpi_peers_made(struct dumpi_known *w, uint16_t comm)
{
	comms_pass(&w->peers->comms, w->proc, (int16_t)comm);
}

/* The communicator of that number, or NULL. */
static struct comm *
comm_now(struct dumpi_known *w, uint16_t comm)
{
	struct promise *p = comms_of(&w->peers->comms, w->proc, (int16_t)comm);
	struct comm *c = p ? p->comm : NULL;

	w->full |= !c && w->peers->full;
	return c;
}

void
dumpi_peers_comm(struct dumpi_known *w, uint16_t comm, struct dumpi_comm *is)
{
	const struct comms *x = &w->peers->comms;
	const struct comm *c = comm_now(w, comm);
	uint32_t place;

	if (!c || c->doubtful)
		return;
	place = comm == COMM_WORLD ? x->proc[w->proc].rank : comm_place(x, c, w->proc);
	if (place >= comm_size(x, c))
		return;
	if (c->local < c->n) {
		is->inter = true;
		is->rank = -1;
		if (is->size < 0)
			is->size = (int32_t)(place < c->local ? c->n - c->local : c->local);
	} else if (!is->inter) {
		if (is->size < 0)
			is->size = (int32_t)comm_size(x, c);
		if (is->rank < 0 && !c->reordered)
			is->rank = (int32_t)place;
	}
}

uint32_t
dumpi_peers_rank(struct dumpi_known *w, uint16_t comm, uint32_t peer)
{
	struct comms *x = &w->peers->comms;
	struct comm *c = comm_now(w, comm);
	uint32_t to = c ? comm_peer(x, c, w->proc, (int32_t)peer) : NO_PROC;

	return to == NO_PROC ? NO_PROC : x->proc[to].rank;
}

void
dumpi_peers_close(struct dumpi_peers *x)
{
	if (!x)
		return;
	comms_free(&x->comms);
	free(x);
}
