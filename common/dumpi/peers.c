/* peers.c - the communicators of a run, from the records of all ranks together: the rank of a call's peer in
 * MPI_COMM_WORLD, and the number of processes in a collective. Each rank numbers communicators for itself, and
 * only the records of all ranks show the members. So a run is read twice: first only the calls that make
 * communicators. */
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"

/* Bound: dumpi | communicators and groups of all ranks | calls that make them | 8 MiB, at least 8 KiB for each rank | too many pending requests */
#define LOOK_MOST (8u << 20)
#define LOOK_EACH 8192

/* Returns the number of records of a call in a rank, according to its footer. */
static uint32_t
footer_records(const struct dumpi_rank *r, unsigned call)
{
	const uint8_t *p = r->sec.raw[SEC_FOOTER].p + 8 + 4 * (size_t)call;
	uint32_t called = be32(p), ignored = be32(p + 4 * (size_t)DUMPI_COUNTED);

	return called < ignored ? 0 : called - ignored;
}

/* Returns false if the footers show that no rank makes a communicator or group whose members only other ranks'
 * records show. */
static bool
needed(const struct dumpi *c)
{
	/* Comm_split, Cart_sub, Intercomm_create, Intercomm_merge; Group_union, Group_intersection,
	 * Group_difference. */
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

/* The calls that make or describe a communicator or a group, and the meanings of their arguments in stored order;
 * 0 = not used here. */
static const struct {
	enum call_kind kind;
	uint8_t arg[7]; /* enum call_arg */
} looked[DUMPI_CALLS] = {
    [72] = {CALL_GROUP_OF, {ARG_COMM, ARG_NEW_GROUP}},
    [73] = {CALL_UNION, {ARG_GROUP, ARG_GROUP2, ARG_NEW_GROUP}},
    [74] = {CALL_INTERSECTION, {ARG_GROUP, ARG_GROUP2, ARG_NEW_GROUP}},
    [75] = {CALL_DIFFERENCE, {ARG_GROUP, ARG_GROUP2, ARG_NEW_GROUP}},
    [76] = {CALL_INCL, {ARG_GROUP, 0, ARG_RANKS, ARG_NEW_GROUP}},
    [77] = {CALL_EXCL, {ARG_GROUP, 0, ARG_RANKS, ARG_NEW_GROUP}},
    [78] = {CALL_RANGE_INCL, {ARG_GROUP, 0, ARG_RANKS, ARG_NEW_GROUP}},
    [79] = {CALL_RANGE_EXCL, {ARG_GROUP, 0, ARG_RANKS, ARG_NEW_GROUP}},
    [81] = {CALL_COMM_SIZE, {ARG_COMM, ARG_RANK}},
    [82] = {CALL_COMM_RANK, {ARG_COMM, ARG_RANK}},
    [84] = {CALL_DUP, {ARG_COMM, ARG_NEW_COMM}},
    [85] = {CALL_CREATE, {ARG_COMM, ARG_GROUP, ARG_NEW_COMM}},
    [86] = {CALL_SPLIT, {ARG_COMM, ARG_COLOR, ARG_KEY, ARG_NEW_COMM}},
    [90] = {CALL_GROUP_OF_REMOTE, {ARG_COMM, ARG_NEW_GROUP}},
    [91] = {CALL_INTERCOMM,
	    {ARG_COMM, ARG_LOCAL_LEADER, ARG_REMOTE_COMM, ARG_REMOTE_LEADER, ARG_TAG,
	     ARG_NEW_COMM}},
    [92] = {CALL_MERGE, {ARG_COMM, ARG_HIGH, ARG_NEW_COMM}},
    [99] = {CALL_CART, {ARG_COMM, 0, ARG_DIMS, 0, ARG_REORDER, ARG_NEW_COMM}},
    [101] = {CALL_GRAPH, {0, ARG_COMM, ARG_NODES, 0, 0, ARG_REORDER, ARG_NEW_COMM}},
    [111] = {CALL_CART_SUB, {0, ARG_COMM, ARG_DIMS, ARG_NEW_COMM}},
    /* Comm_accept, Comm_connect, Comm_get_parent, Comm_join, Comm_spawn, Comm_spawn_multiple. */
    [130] = {CALL_FOREIGN, {0, 0, 0, 0, ARG_NEW_COMM}},
    [131] = {CALL_FOREIGN, {0, 0, 0, 0, ARG_NEW_COMM}},
    [133] = {CALL_FOREIGN, {ARG_NEW_COMM}},
    [134] = {CALL_FOREIGN, {0, ARG_NEW_COMM}},
    [135] = {CALL_FOREIGN, {0, 0, 0, ARG_NEW_COMM}},
    [136] = {CALL_FOREIGN, {0, 0, 0, 0, ARG_NEW_COMM}},
};

/* Reads the argument a, which is described by `as` and stored at p, into *to. */
static void
read_arg(struct call *to, enum call_arg a, const struct dumpi_arg *as, const uint8_t *p)
{
	struct call_list *l;
	uint32_t n, each;

	to->has |= 1ull << a;
	if (a < ARG_NUMBERS) {
		to->number[a] = as->type->width == 2 ? (int16_t)be16(p) : (int32_t)be32(p);
		return;
	}
	l = &to->list[a - ARG_NUMBERS];
	for (n = be32(p), p += 4; n; n--) {
		each = as->shape == SHAPE_ROWS ? be32(p) : 1;
		for (p += as->shape == SHAPE_ROWS ? 4 : 0; each; each--, p += 4)
			*PUSH(l->v, l->n, l->cap) = (int32_t)be32(p);
	}
}

/* Reads the record of a call at p into *to. v is from dumpi_parse, or NULL if base is from dumpi_quick. */
static void
read_call(struct call *to, const struct dumpi_layout *l, unsigned call, const uint8_t *p,
	  const uint8_t *const *base, const struct dumpi_view *v)
{
	const struct dumpi_plan *pl = dumpi_plan_of(l, call, p[2]);
	const struct dumpi_call *k = &dumpi_calls[call];

	to->kind = looked[call].kind;
	to->has = 0;
	for (unsigned i = 0; i < ARG_ALL - ARG_NUMBERS; i++)
		to->list[i].n = 0;
	for (unsigned i = 0; i < k->nargs && i < sizeof looked->arg; i++) {
		const uint8_t *arg = v ? v->arg[i] : dumpi_arg_at(pl, base, i);

		if (looked[call].arg[i] && arg)
			read_arg(to, looked[call].arg[i], &k->arg[i], arg);
	}
}

/* Returns the number of records of a rank to look for. Records beyond the footer's counts are not searched: a
 * wrong footer is reported when the rank is read. */
static uint64_t
wanted(const struct dumpi_rank *r)
{
	uint64_t n = 0;

	if (!r->sec.raw[SEC_FOOTER].n)
		return UINT64_MAX;
	for (unsigned k = 0; k < DUMPI_COUNTED - 1; k++)
		n += looked[k].kind ? footer_records(r, k) : 0;
	return n;
}

/* Takes the calls about communicators of rank r of `all`, which is the process proc. Groups and communicators that
 * calls make may take `most` bytes. */
static void
look_for_peer(struct dumpi_peers *x, struct source *all, struct dumpi_rank *r,
	      uint32_t proc, size_t most)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p;
	uint64_t left = wanted(r);
	struct call call = {0};
	struct dumpi_view v;
	size_t len;
	bool quick;

	for (; left && (p = dumpi_next(all, r, &v, base, &quick, &len, false)) != NULL;
	     r->in->p += len) {
		unsigned number = quick ? be16(p) : v.call;
		enum call_kind kind = looked[number].kind;

		if (!kind)
			continue;
		left--;
		if (kind != CALL_COMM_RANK && kind != CALL_COMM_SIZE &&
		    x->comms.mem.bytes > most) {
			x->full = true;
			continue;
		}
		read_call(&call, r->layout, number, p, base, quick ? NULL : &v);
		x->comms.events++;
		comms_call(&x->comms, proc, &call);
	}
	call_free(&call);
}

/* Returns the number of a rank's process in x. */
static uint32_t
proc_of(struct dumpi_peers *x, const struct dumpi *c, const struct dumpi_rank *r)
{
	char loc[DUMPI_RANK_TEXT + 1];

	loc[dumpi_rank_text(loc, &c->jobs, r)] = '\0';
	return comms_proc(&x->comms, loc, c->jobs.n > 1);
}

struct dumpi_peers *
dumpi_peers_open(const struct source *s)
{
	struct dumpi_options o = {.serial = true, .rank = -1, .look = true};
	struct format_values values = {.fmt = &fmt_dumpi, .options = &o};
	struct read_options opt = {.only = &fmt_dumpi, .quiet = true, .values = &values};
	const struct dumpi *c = s->state;
	size_t share = LOOK_MOST / (c->nranks + 1);
	struct dumpi_peers *x;
	struct dumpi *looks;
	struct source all;

	if (!c->gpeer && (c->nranks < 2 || !needed(c)))
		return NULL;
	x = xcalloc(1, sizeof *x);
	if (source_open(&all, &opt, s->paths, s->npaths)) {
		comms_head(&x->comms, &all.head);
		looks = all.state;
		share = share > LOOK_EACH ? share : LOOK_EACH;
		for (size_t i = 0; i < c->nranks && looks->nranks == c->nranks; i++) {
			looks->rank[i].layout = c->rank[i].layout;
			look_for_peer(x, &all, &looks->rank[i], proc_of(x, c, &c->rank[i]),
				      share * (i + 1));
		}
		source_close(&all);
	}
	comms_end(&x->comms);
	comms_again(&x->comms);
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		if (r->tells) {
			r->tells->proc = proc_of(x, c, r);
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
