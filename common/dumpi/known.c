/* known.c - datatypes that the records so far have made, and the bytes that calls move. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "dumpi/dumpi_trace.h"

#define NULL_DATATYPE 1
#define LOWER_BOUND 20 /* MPI_LB and MPI_UB have a size of 0, although the table does not */
#define UPPER_BOUND 21

uint32_t
dumpi_sizeof_far(const struct dumpi_known *w, uint16_t datatype)
{
	const uint32_t *size = dumpi_handle(&w->sizes, datatype, sizeof *size);

	return size ? *size : DUMPI_NO_SIZE;
}

/* Notes the size of a datatype. The size of a built-in datatype does not change once it is known. */
static void
type_is(struct dumpi_known *w, uint16_t datatype, uint32_t size)
{
	static const uint32_t none = DUMPI_NO_SIZE;
	bool known = dumpi_sizeof(w, datatype) != DUMPI_NO_SIZE;
	uint32_t *v;

	if (known ? datatype < DUMPI_BUILTIN : size == DUMPI_NO_SIZE)
		return;
	if ((v = dumpi_handle_place(w, &w->sizes, datatype, &none, sizeof none)) != NULL)
		*v = size;
}

void
dumpi_known_open(struct dumpi_known *w, int64_t rank, uint32_t ranks, const uint8_t *sizes,
		 size_t n, const uint32_t *builtin, size_t *room)
{
	memset(w, 0, sizeof *w);
	w->room = room;
	w->id_mask = UINT16_MAX;
	/* Near the golden ratio, so that consecutive numbers, which are usual for pending requests, are far apart. */
	w->factor = 0x9e300001 | (uint32_t)(hash_key[0] >> 45);
	w->mix = (uint16_t)(hash_key[1] >> 16);
	for (size_t i = n < 65536 ? n : 65536; i-- > 0;) {
		uint32_t v = be32(sizes + 4 * i);

		if (v && v <= INT32_MAX)
			type_is(w, (uint16_t)i, v);
	}
	for (uint16_t i = DUMPI_BUILTIN; builtin && i-- > 0;)
		type_is(w, i, builtin[i]);
	dumpi_comms_open(w, rank, ranks);
}

void
dumpi_known_close(struct dumpi_known *w)
{
	*w->room += w->took;
	free(w->sizes.v);
	free(w->sizes.page);
	free(w->sizes.far);
	free(w->comms.v);
	free(w->comms.page);
	free(w->comms.far);
	free(w->groups.v);
	free(w->groups.page);
	free(w->groups.far);
	free(w->slot);
	free(w->init);
}

/* Adds the bytes of n elements of a datatype to *sum. Returns false if its size is unknown. */
static bool
add_elements(struct dumpi_known *w, struct dumpi_moves *m, uint64_t *sum, uint32_t n,
	     uint16_t datatype)
{
	uint32_t size = dumpi_sizeof(w, datatype);
	uint64_t bytes;

	if (!n || datatype == LOWER_BOUND || datatype == UPPER_BOUND)
		return true;
	if (size == DUMPI_NO_SIZE) {
		m->lacking |= datatype < DUMPI_BUILTIN && datatype > NULL_DATATYPE;
		return false;
	}
	bytes = (uint64_t)n * size;
	if (n > INT32_MAX || bytes > UINT64_MAX - *sum)
		return false;
	*sum += bytes;
	return true;
}

/* Stores in *bytes the sum of counts times datatypes: a number or an array, times one datatype or an array of as
 * many. If `only` is not -1, uses only this element of arrays. Returns false if a size is unknown. */
static bool
pair_bytes(struct dumpi_known *w, struct dumpi_moves *m, const struct dumpi_call *k,
	   const uint8_t *const *arg, int ncount, int ntype, int64_t only, uint64_t *bytes)
{
	const uint8_t *count = arg[ncount], *type = arg[ntype];
	bool many = k->arg[ncount].shape == SHAPE_ARRAY,
	     types = k->arg[ntype].shape == SHAPE_ARRAY;
	uint32_t n = many ? be32(count) : 1, i = only > 0 ? (uint32_t)only : 0;

	*bytes = 0;
	if ((types && be32(type) != n) || only >= n)
		return false;
	n = only >= 0 ? i + 1 : n;
	count += many ? 4 : 0;
	type += types ? 4 : 0;
	for (; i < n; i++)
		if (!add_elements(w, m, bytes, be32(count + 4 * (size_t)i),
				  be16(type + (types ? 2 * (size_t)i : 0))))
			return false;
	return true;
}

/* Returns true for MPI_IN_PLACE, which is stored as a count of 0 and MPI_DATATYPE_NULL. */
static bool
in_place(const struct dumpi_call *k, const uint8_t *const *arg, int ncount, int ntype)
{
	const uint8_t *count = arg[ncount], *type = arg[ntype];
	uint32_t n;

	if (k->arg[ntype].shape != SHAPE_ARRAY) {
		if (be16(type) != NULL_DATATYPE)
			return false;
		/* An array of counts then has undefined values. */
		return k->arg[ncount].shape == SHAPE_ARRAY || !be32(count);
	}
	n = be32(type);
	for (uint32_t i = 0; i < n; i++)
		if (be16(type + 4 + 2 * (size_t)i) != NULL_DATATYPE)
			return false;
	return n != 0;
}

/* Adds up the bytes in n statuses. Returns false if one is negative. */
static bool
status_bytes(const uint8_t *p, uint32_t n, unsigned width, uint64_t *bytes)
{
	for (*bytes = 0; n; n--, p += width) {
		if ((int32_t)be32(p + 4) < 0)
			continue; /* the source was MPI_PROC_NULL */
		if (be32(p) > INT32_MAX)
			return false;
		*bytes += be32(p);
	}
	return true;
}

/* Returns true if a rule applies at this rank, which has the rank c->rank. */
static bool
holds(enum dumpi_where where, const struct dumpi_comm *c, const struct dumpi_call *k,
      const uint8_t *const *arg)
{
	switch (where) {
	case WHERE_ROOT: return c->rank >= 0 && c->rank == (int32_t)be32(arg[k->root]);
	case WHERE_OTHERS: return c->rank >= 0 && c->rank != (int32_t)be32(arg[k->root]);
	case WHERE_NOT_FIRST: return c->rank > 0;
	default: return true;
	}
}

/* Stores in *bytes the bytes of a call by its n rules: the first one that applies counts. Returns false if none
 * does, or a size is unknown. */
static bool
rules_bytes(struct dumpi_known *w, const struct dumpi_layout *l, const struct dumpi_call *k,
	    const struct dumpi_bytes *b, unsigned n, const uint8_t *const *arg,
	    struct dumpi_moves *m, uint64_t *bytes)
{
	struct dumpi_comm c = {-1, -1, false};
	bool null = false;

	if (k->comm >= 0)
		c = dumpi_comm_of(w, be16(arg[k->comm]));
	for (*bytes = 0; n; n--, b++) {
		const uint8_t *status = b->status >= 0 ? arg[b->status] : NULL;

		if (!holds((enum dumpi_where)b->where, &c, k, arg) ||
		    (b->flag >= 0 && !be32(arg[b->flag])))
			continue;
		if (b->status >= 0) {
			if (!status || !be32(status))
				continue;
			return status_bytes(status + 4, be32(status), l->status, bytes);
		}
		if (!arg[b->count] || !arg[b->datatype])
			continue;
		if (in_place(k, arg, b->count, b->datatype)) {
			null = true;
			continue;
		}
		if ((b->own && c.rank < 0) || (b->all && c.size < 0) ||
		    !pair_bytes(w, m, k, arg, b->count, b->datatype, b->own ? c.rank : -1,
				bytes))
			return false;
		return !b->all || times64(*bytes, (uint32_t)c.size, bytes);
	}
	return null;
}

/* Stores in *n the number of elements of MPI_Type_create_darray that belong to this rank. Returns false if the
 * arguments are not valid. */
static bool
darray_elements(const uint8_t *const *arg, uint64_t *n)
{
	uint32_t ndims = be32(arg[2]), size = be32(arg[0]), rank = be32(arg[1]);

	/* gsizes, distribs (one byte each), dargs, psizes */
	for (unsigned i = 3; i <= 6; i++)
		if (be32(arg[i]) != ndims)
			return false;
	*n = 1;
	for (uint32_t i = 0; i < ndims; i++) {
		uint64_t whole = be32(arg[3] + 4 + 4 * (size_t)i), here;
		uint32_t darg = be32(arg[5] + 4 + 4 * (size_t)i),
			 procs = be32(arg[6] + 4 + 4 * (size_t)i), at;
		unsigned how = arg[4][4 + i];

		/* The grid of processes is in row-major order. */
		if (!procs || size % procs || whole > INT32_MAX)
			return false;
		size /= procs;
		at = size ? rank / size % procs : 0;
		/* Blocks of darg elements in turn; -1 = the default size. */
		if (how == 1 || how == 2) {
			uint64_t block = darg && darg <= INT32_MAX ? darg
					 : how == 2		   ? 1
						    : (whole + procs - 1) / procs,
				 round, rest;

			if (!block)
				return *n = 0, true;
			round = whole / (block * procs);
			rest = whole % (block * procs);
			here = round * block;
			if (rest > at * block)
				here +=
				    rest - at * block < block ? rest - at * block : block;
		} else {
			here = whole;
		}
		if (!times64(*n, here, n))
			return false;
	}
	return true;
}

/* Stores in *n how often a datatype contains the elements that pair_bytes counts. Returns false if the arguments
 * are not valid. */
static bool
type_times(const struct dumpi_call *k, const uint8_t *const *arg, uint64_t *n)
{
	*n = 1;
	switch (dumpi_number(k)) {
	case 36: /* vector, hvector, indexed_block: blocklength */
	case 37:
	case 219:
	case 220: *n = be32(arg[1]); return *n <= INT32_MAX;
	case 217: return darray_elements(arg, n);
	case 223: /* subarray */
		for (uint32_t i = 0; i < be32(arg[2]); i++) {
			uint32_t v = be32(arg[2] + 4 + 4 * (size_t)i);

			if (v > INT32_MAX || !times64(*n, v, n))
				return false;
		}
	}
	return true;
}

/* Notes the size of a datatype that the call makes, or that Type_size returns. A call that makes a datatype has it as
 * the last argument. */
static void
take_type(struct dumpi_known *w, const struct dumpi_call *k, const uint8_t *const *arg)
{
	/* The arguments with the old datatype and with its count; -1 = the count is one. */
	static const struct {
		int8_t count, old;
	} of[] = {
	    [35] = {0, 1},  [36] = {0, 3},   [37] = {0, 3},   [38] = {1, 3},
	    [39] = {1, 3},  [40] = {1, 3},   [178] = {-1, 0}, [217] = {-1, 8},
	    [218] = {1, 3}, [219] = {0, 3},  [220] = {0, 3},  [221] = {-1, 0},
	    [222] = {1, 3}, [223] = {-1, 5},
	};
	unsigned call = dumpi_number(k);
	uint64_t bytes = 0, times = 1;
	/* Unknown sizes in datatypes are not counted as calls without a size. */
	struct dumpi_moves none = {0};
	bool told;

	if (call == 43 || call == 186) { /* Type_size, Type_match_size */
		uint32_t size = be32(arg[1]);

		if (size <= INT32_MAX)
			type_is(w, be16(arg[call == 43 ? 0 : 2]), size);
		return;
	}
	if (of[call].count < 0)
		told = add_elements(w, &none, &bytes, 1, be16(arg[of[call].old]));
	else
		told =
		    pair_bytes(w, &none, k, arg, of[call].count, of[call].old, -1, &bytes);
	told = told && type_times(k, arg, &times) && times64(bytes, times, &bytes) &&
	       bytes < DUMPI_NO_SIZE;
	if (be16(arg[k->nargs - 1]) >= DUMPI_BUILTIN)
		type_is(w, be16(arg[k->nargs - 1]), told ? (uint32_t)bytes : DUMPI_NO_SIZE);
}

void
dumpi_moves(struct dumpi_known *w, const struct dumpi_layout *l, const struct dumpi_call *k,
	    const uint8_t *const *arg, struct dumpi_moves *m)
{
	memset(m, 0, sizeof *m);
	if (k->does >= DOES_COMM)
		dumpi_comms(w, k, arg);
	if (k->nbytes)
		m->size_told = rules_bytes(w, l, k, k->bytes, k->nbytes, arg, m, &m->size);
	if (k->nrecv)
		m->recv_told = rules_bytes(w, l, k, k->recv, k->nrecv, arg, m, &m->recv);
	/* For a source, only -2 and below is surely MPI_PROC_NULL; -1 may be MPI_ANY_SOURCE. */
	if (k->peer >= 0 && k->nbytes && (int32_t)be32(arg[k->peer]) < (k->from ? -1 : 0)) {
		m->size_told = true;
		m->size = 0;
	}
	if (k->nrecv && k->source >= 0 && (int32_t)be32(arg[k->source]) < -1) {
		m->recv_told = true;
		m->recv = 0;
	}
	if (m->size_told)
		m->lacking &= k->nrecv && !m->recv_told;
	switch (k->does) {
	case DOES_NOTHING:
	case DOES_COMM:
	case DOES_GROUP:
	case DOES_COLLECT: return;
	case DOES_TYPE: take_type(w, k, arg); return;
	case DOES_SEND:
	case DOES_RECV: dumpi_request_new(w, be32(arg[5]), k->does); return;
	case DOES_OTHER: dumpi_request_new(w, be32(arg[0]), k->does); return;
	default: dumpi_requests(w, l, k, arg, m);
	}
}
