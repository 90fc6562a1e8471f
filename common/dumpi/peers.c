/*
 * peers.c - what all ranks of a run together tell of its communicators: who the peer of a call is in the
 * world, how many processes take part in a collective. A rank numbers communicators for itself, and only
 * all ranks tell who the members are. So a run is read twice: first a look at the calls that make communicators.
 */
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"
#include "mpi/comms.h"

struct dumpi_peers {
	struct comms comms;
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
	for (size_t i = 0; i < c->nranks; i++) {
		const struct dumpi_rank *r = &c->rank[i];

		if (!r->tells)
			continue;
		if (!r->sec.raw[SEC_FOOTER].n)
			return true;
		for (unsigned call = 0; call < DUMPI_COUNTED - 1; call++)
			/* Comm_size and its like make none. */
			if (dumpi_calls[call].does == DOES_COMM &&
			    dumpi_calls[call].newcomm != dumpi_calls[call].comm &&
			    footer_records(r, call))
				return true;
	}
	return false;
}

/* The look at all ranks. Records beyond those that the footer counts are not looked for: that it is wrong is
 * reported when the rank is read. */
static void
look(struct comms *x, struct source *all, const struct source *s)
{
	struct calls calls = {0};
	struct call call = {0};
	struct batch b = {0};

	for (size_t i = 0; i < dumpi_nranks(all); i++) {
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

			if (!comms_asks(calls_kind(&calls, all, r)))
				continue;
			calls_read(&calls, all, r, &call);
			comms_call(x, comms_at(x, all, r), &call);
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
			look(&x->comms, &all, s);
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
dumpi_peers_made(struct dumpi_peers *x, uint32_t proc, uint16_t comm)
{
	comms_pass(&x->comms, proc, (int16_t)comm);
}

void
dumpi_peers_comm(struct dumpi_peers *x, uint32_t proc, uint16_t comm, struct dumpi_comm *is)
{
	struct promise *p = comms_of(&x->comms, proc, (int16_t)comm);
	const struct comm *c = p ? p->comm : NULL;
	uint32_t place;

	if (!c || c->doubtful)
		return;
	place = comm == COMM_WORLD ? x->comms.proc[proc].rank
				   : comm_place(&x->comms, c, proc);
	if (place >= comm_size(&x->comms, c))
		return;
	if (c->local < c->n) {
		is->inter = true;
		is->rank = -1;
		if (is->size < 0)
			is->size = (int32_t)(place < c->local ? c->n - c->local : c->local);
	} else if (!is->inter) {
		if (is->size < 0)
			is->size = (int32_t)comm_size(&x->comms, c);
		if (is->rank < 0 && !c->reordered)
			is->rank = (int32_t)place;
	}
}

uint32_t
dumpi_peers_rank(struct dumpi_peers *x, uint32_t proc, uint16_t comm, uint32_t peer)
{
	struct promise *p = comms_of(&x->comms, proc, (int16_t)comm);
	uint32_t to = p && p->comm
			  ? comm_peer(&x->comms, p->comm, proc, (int32_t)peer)
			  : NO_PROC;

	return to == NO_PROC ? NO_PROC : x->comms.proc[to].rank;
}

void
dumpi_peers_close(struct dumpi_peers *x)
{
	if (!x)
		return;
	comms_free(&x->comms);
	free(x);
}
