/*
 * peers.c - -O gpeer: who the peer of a call is in the world. A rank numbers communicators for itself, and
 * only all ranks together tell who their members are: so a run is read twice.
 */
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"
#include "event/field.h"
#include "event/value.h"
#include "input/cache.h"
#include "mpi/comms.h"

/* What a type of events becomes. */
struct widened {
	bool is;	       /* it has a peer, and a communicator */
	struct longer with;    /* the one with gpeer= */
	struct arg peer, comm; /* without names of their values */
};

struct dumpi_peers {
	struct comms comms;
	struct calls calls;
	struct call call;
	struct widened *of; /* by type */
	struct cache of_cache;
	struct buf made; /* the events of a batch */
};

struct dumpi_peers *
dumpi_peers_open(const struct source *s)
{
	struct dumpi_options o = {.serial = true, .rank = -1};
	struct format_values values = {.fmt = &fmt_dumpi, .options = &o};
	struct read_options opt = {.only = &fmt_dumpi,
				   .need = NEED_LOC | NEED_ARGS,
				   .quiet = true,
				   .values = &values};
	struct dumpi_peers *x = xcalloc(1, sizeof *x);
	struct batch b = {0};
	struct source all;

	if (!s->npaths || !strcmp(s->paths[0], "-"))
		die("gpeer: a trace is read twice: name its files");
	if (source_open(&all, &opt, s->paths, s->npaths)) {
		comms_head(&x->comms, &all.head);
		while (source_next(&all, &b)) {
			for (uint32_t i = 0; i < b.n; i++) {
				const struct rec *r = batch_rec(&b, i);

				if (!comms_asks(calls_kind(&x->calls, &all, r)))
					continue;
				calls_read(&x->calls, &all, r, &x->call);
				comms_call(&x->comms, comms_at(&x->comms, &all, r),
					   &x->call);
			}
		}
		source_close(&all);
	}
	buf_free(&b.own);
	comms_end(&x->comms);
	comms_again(&x->comms);
	return x;
}

static void
make_type(struct source *s, uint32_t type, struct widened *w)
{
	const struct type *ty = &s->t.type[type];
	const struct arg *peer = arg_named(ty, "peer"), *comm = arg_named(ty, "comm");
	const struct arg gpeer = {.name = "gpeer", .kind = K_U32};

	w->is = peer && comm;
	if (!w->is)
		return;
	w->peer = *peer;
	w->comm = *comm;
	w->peer.labels = w->comm.labels = NULL;
	w->with = type_longer(&s->t, type, &gpeer, 1, 0);
}

/* The process of a call's peer, or NO_PROC. */
static uint32_t
peer_of(struct dumpi_peers *x, uint32_t proc, const struct widened *w, const struct rec *r)
{
	struct field peer = field_of_arg(&w->peer), comm = field_of_arg(&w->comm);
	struct promise *p;
	uint64_t rank, number;

	if (!field_load(&peer, r, &rank) || !field_load(&comm, r, &number))
		return NO_PROC;
	p = comms_of(&x->comms, proc, (int64_t)number);
	return p && p->comm ? comm_peer(&x->comms, p->comm, proc, (int64_t)rank) : NO_PROC;
}

void
dumpi_peers_add(struct dumpi_peers *x, struct source *s, struct batch *b)
{
	x->made.n = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		uint32_t type = r->type, proc = comms_at(&x->comms, s, r), peer = NO_PROC,
			 new;
		struct rec *to;

		CACHE(x->of, x->of_cache, s, type + 1);
		while (cache_next(&x->of_cache, type + 1, &new))
			make_type(s, new, &x->of[new]);
		if (comms_asks(calls_kind(&x->calls, s, r))) {
			calls_read(&x->calls, s, r, &x->call);
			comms_pass(&x->comms, proc, &x->call);
		}
		if (x->of[type].is)
			peer = peer_of(x, proc, &x->of[type], r);
		to = (void *)buf_room(&x->made, r->len + 64u + REC_SLACK);
		memcpy(to, r, r->len);
		if (peer != NO_PROC)
			st32(rec_longer(&s->t, to, &x->of[type].with),
			     x->comms.proc[peer].rank);
		b->off[i] = (uint32_t)x->made.n;
		x->made.n += to->len;
	}
	b->base = x->made.p;
}

void
dumpi_peers_close(struct dumpi_peers *x)
{
	if (!x)
		return;
	comms_free(&x->comms);
	calls_free(&x->calls);
	call_free(&x->call);
	cache_free(x->of, &x->of_cache);
	buf_free(&x->made);
	free(x);
}
