/*
 * peers.c - what all ranks of a run together tell of its communicators: who the peer of a call is in the
 * world, how many processes take part in a collective. A rank numbers communicators for itself, and only
 * all ranks tell who the members are. So a run is read twice: first a look at the calls that make communicators.
 */
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"

/* Bound: dumpi | communicators and groups of all ranks | calls that make them | 8 MiB, at least 8 KiB for each rank | too many pending requests */
#define LOOK_MOST (8u << 20)
#define LOOK_EACH 8192

/* How many records of a call a rank has, as its footer says. */
static uint32_t
footer_records(const struct dumpi_rank *r, unsigned call)
{
	const uint8_t *p = r->sec.raw[SEC_FOOTER].p + 8 + 4 * (size_t)call;
	uint32_t called = be32(p), ignored = be32(p + 4 * (size_t)DUMPI_COUNTED);

	return called < ignored ? 0 : called - ignored;
}

/* Returns false if the footers show that no rank makes a communicator or a group of which only others tell the
 * members. */
static bool
needed(const struct dumpi *c)
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

/* The look at all ranks, each of which may take the same share of LOOK_MOST. Records beyond those that its footer
 * counts are not looked for: that it is wrong is reported when the rank is read. */
static void
look(struct dumpi_peers *x, struct source *all, const struct dumpi *c)
{
	struct comms *to = &x->comms;
	struct calls calls = {0};
	struct call call = {0};
	struct batch b = {0};
	size_t share = LOOK_MOST / (c->nranks + 1);

	share = share > LOOK_EACH ? share : LOOK_EACH;
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &((struct dumpi *)all->state)->rank[i];

		r->layout = c->rank[i].layout;
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
	const struct dumpi *c = s->state, *looks;
	struct dumpi_peers *x;
	char loc[DUMPI_RANK_TEXT + 1];
	struct source all;

	if (!c->gpeer && (c->nranks < 2 || !needed(c)))
		return NULL;
	x = xcalloc(1, sizeof *x);
	if (source_open(&all, &opt, s->paths, s->npaths)) {
		comms_head(&x->comms, &all.head);
		looks = all.state;
		if (looks->nranks == c->nranks)
			look(x, &all, c);
		source_close(&all);
	}
	comms_end(&x->comms);
	comms_again(&x->comms);
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		loc[dumpi_rank_text(loc, &c->jobs, r)] = '\0';
		if (r->tells) {
			r->tells->proc = comms_proc(&x->comms, loc, c->jobs.n > 1);
			r->tells->peers = x;
		}
	}
	return x;
}

void
dumpi_peers_close(struct dumpi_peers *x)
{
	if (!x)
		return;
	comms_free(&x->comms);
	free(x);
}
