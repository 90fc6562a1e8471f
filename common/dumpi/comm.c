/* comm.c - the communicators and groups of a rank: their sizes, and the ranks of this process in them, as far as
 * its records so far show them. If they do not, as after MPI_Comm_split, the records of all ranks together may. */
#include "dumpi/make.h"

#define NOBODY (-1)

static const struct dumpi_comm unknown = {NOBODY, NOBODY, false};

static struct dumpi_comm
noted(const struct dumpi_handles *h, uint16_t number)
{
	const struct dumpi_comm *c = dumpi_handle(h, number, sizeof *c);

	return c ? *c : unknown;
}

/* Returns the entry of a communicator or group, to be changed; NULL if the memory limit is reached. */
static struct dumpi_comm *
comm_note(struct dumpi_known *w, struct dumpi_handles *h, uint16_t number)
{
	return dumpi_handle_place(w, h, number, &unknown, sizeof unknown);
}

/* Notes a new communicator or group. */
static void
note_new(struct dumpi_known *w, struct dumpi_handles *h, uint16_t number,
	 struct dumpi_comm is)
{
	struct dumpi_comm *c;

	/* An unknown entry need not be stored, unless it replaces a known one. */
	if (is.size < 0 && is.rank < 0 && !is.inter && !dumpi_handle(h, number, sizeof *c))
		return;
	if ((c = comm_note(w, h, number)) != NULL)
		*c = is;
}

/* Stores in *at the size or rank that a call returned, if it is valid. */
static void
note_told(int32_t *at, const uint8_t *told)
{
	if (be32(told) <= INT32_MAX)
		*at = (int32_t)be32(told);
}

/* Returns the current communicator with that number in this rank, or NULL. */
static struct comm *
comm_now(struct dumpi_known *w, uint16_t comm)
{
	struct promise *p = comms_of(&w->peers->comms, w->proc, (int16_t)comm);
	struct comm *c = p ? p->comm : NULL;

	w->full |= !c && w->peers->full;
	return c;
}

/* Fills in the size of a communicator and the rank in it, if they are -1 and the records of all ranks together
 * show them. */
static void
all_tell(struct dumpi_known *w, uint16_t comm, struct dumpi_comm *is)
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
dumpi_comms_open(struct dumpi_known *w, int64_t rank, uint32_t ranks)
{
	struct dumpi_comm world = unknown;

	if (rank <= INT32_MAX)
		world.rank = (int32_t)rank;
	if (ranks)
		world.size = (int32_t)ranks;
	note_new(w, &w->comms, COMM_SELF, (struct dumpi_comm){1, 0, false});
	note_new(w, &w->comms, COMM_WORLD, world);
}

struct dumpi_comm
dumpi_comm_of(struct dumpi_known *w, uint16_t comm)
{
	struct dumpi_comm c = noted(&w->comms, comm);

	if (w->peers && (c.size < 0 || (c.rank < 0 && !c.inter)))
		all_tell(w, comm, &c);
	return c;
}

static struct dumpi_comm
noted_group(const struct dumpi_known *w, uint16_t group)
{
	static const struct dumpi_comm empty = {0, NOBODY, false};

	return group == GROUP_EMPTY ? empty : noted(&w->groups, group);
}

/* Returns a grid or graph of `size` processes. It has the ranks of `old`, unless `reorder` is set. */
static struct dumpi_comm
laid_out(uint64_t size, const uint8_t *reorder, struct dumpi_comm old)
{
	return (struct dumpi_comm){size <= INT32_MAX ? (int32_t)size : NOBODY,
				   be32(reorder) ? NOBODY : old.rank, false};
}

/* Notes a communicator that the call makes, or a size or rank that the call returns. */
static void
take_comm(struct dumpi_known *w, const struct dumpi_call *k, const uint8_t *const *arg)
{
	struct dumpi_comm is = unknown, *c;
	unsigned call = dumpi_number(k);
	uint64_t size = 1;

	switch (call) {
	case 81: /* Comm_size */
	case 82: /* Comm_rank */
	case 89: /* Comm_remote_size */
		if (!(c = comm_note(w, &w->comms, be16(arg[0]))))
			return;
		if (call == 82 && c->inter)
			c->rank = NOBODY;
		else if (call == 82)
			note_told(&c->rank, arg[1]);
		else if (c->inter == (call == 89))
			note_told(&c->size, arg[1]);
		return;
	case 88: /* Comm_test_inter */
		is.inter = true;
		if (be32(arg[1]) && !noted(&w->comms, be16(arg[0])).inter &&
		    be16(arg[0]) > COMM_SELF)
			note_new(w, &w->comms, be16(arg[0]), is);
		return;
	case 84: is = dumpi_comm_of(w, be16(arg[0])); break; /* Comm_dup */
	case 85:					     /* Comm_create */
		is = noted_group(w, be16(arg[1]));
		if (dumpi_comm_of(w, be16(arg[0])).inter)
			is = (struct dumpi_comm){NOBODY, NOBODY, true};
		break;
	case 99: /* Cart_create */
		for (uint32_t i = 0; i < be32(arg[2]); i++)
			if (!times64(size, be32(arg[2] + 4 + 4 * (size_t)i), &size))
				size = UINT64_MAX;
		is = laid_out(size, arg[4], dumpi_comm_of(w, be16(arg[0])));
		break;
	case 101: /* Graph_create */
		is = laid_out(be32(arg[2]), arg[5], dumpi_comm_of(w, be16(arg[1])));
		break;
	case 91: /* Intercomm_create */
	/* Comm_accept, Comm_connect, Comm_get_parent, Comm_join, Comm_spawn, Comm_spawn_multiple */
	case 130:
	case 131:
	case 133:
	case 134:
	case 135:
	case 136: is.inter = true; break;
	}
	if (be16(arg[k->newcomm]) > COMM_SELF)
		note_new(w, &w->comms, be16(arg[k->newcomm]), is);
	if (w->peers)
		comms_pass(&w->peers->comms, w->proc, (int16_t)be16(arg[k->newcomm]));
}

/* Returns the group of the members of g whose ranks are listed, in that order; or, with `without`, of the members
 * that are not listed, in the order of g. With `ranges`, each item of the list is the first rank, the last one,
 * and the stride. */
static struct dumpi_comm
chosen(struct dumpi_comm g, const uint8_t *list, bool ranges, bool without)
{
	int64_t listed = 0, before = 0, at = NOBODY;
	uint32_t n = be32(list);

	for (list += 4; n; n--, list += ranges ? 16 : 4) {
		int64_t first = (int32_t)be32(list), last = first, by = 1, count, low;

		if (ranges) {
			if (be32(list) != 3)
				return unknown;
			first = (int32_t)be32(list + 4);
			last = (int32_t)be32(list + 8);
			by = (int32_t)be32(list + 12);
		}
		if (!by || (by > 0 ? last < first : last > first))
			return unknown;
		count = (last - first) / by + 1;
		low = by > 0 ? first : first + (count - 1) * by;
		if (g.rank > low) {
			int64_t less = (g.rank - low - 1) / (by > 0 ? by : -by) + 1;

			before += less < count ? less : count;
		}
		if (at < 0 && (g.rank - first) % by == 0 && (g.rank - first) / by >= 0 &&
		    (g.rank - first) / by < count)
			at = listed + (g.rank - first) / by;
		listed += count;
		if (listed > INT32_MAX)
			return unknown;
	}
	if (!without)
		return (struct dumpi_comm){(int32_t)listed,
					   g.rank < 0 ? NOBODY : (int32_t)at, false};
	return (struct dumpi_comm){
	    g.size < listed ? NOBODY : g.size - (int32_t)listed,
	    g.rank < before || at >= 0 ? NOBODY : g.rank - (int32_t)before, false};
}

/* Notes a group that the call makes, or a size or rank that the call returns. */
static void
take_group(struct dumpi_known *w, const struct dumpi_call *k, const uint8_t *const *arg)
{
	struct dumpi_comm is = unknown, *g;
	unsigned call = dumpi_number(k);
	uint16_t made = be16(arg[k->nargs - 1]);

	switch (call) {
	case 68: /* Group_size, Group_rank */
	case 69:
		if (be16(arg[0]) > GROUP_EMPTY &&
		    (g = comm_note(w, &w->groups, be16(arg[0]))) != NULL)
			note_told(call == 68 ? &g->size : &g->rank, arg[1]);
		return;
	case 72: /* Comm_group */
	case 90: /* Comm_remote_group: this process is not in it */
		is = dumpi_comm_of(w, be16(arg[0]));
		if (is.inter == (call == 72))
			is.size = NOBODY;
		if (is.inter || call == 90)
			is.rank = NOBODY;
		is.inter = false;
		break;
	case 76: /* Group_incl, Group_excl, Group_range_incl, Group_range_excl */
	case 77:
	case 78:
	case 79:
		is = chosen(noted_group(w, be16(arg[0])), arg[2], call >= 78, call & 1);
		break;
	}
	if (made > GROUP_EMPTY)
		note_new(w, &w->groups, made, is);
}

void
dumpi_comms(struct dumpi_known *w, const struct dumpi_call *k, const uint8_t *const *arg)
{
	struct dumpi_comm *c;

	if (k->does == DOES_COMM) {
		take_comm(w, k, arg);
	} else if (k->does == DOES_GROUP) {
		take_group(w, k, arg);
	} else if ((c = comm_note(w, &w->comms, be16(arg[k->comm]))) != NULL && !c->inter) {
		if (k->commrank >= 0)
			note_told(&c->rank, arg[k->commrank]);
		if (k->commsize >= 0)
			note_told(&c->size, arg[k->commsize]);
	}
}
