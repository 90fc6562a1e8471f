/*
 * maker.c - turns the arguments of DUMPI records into arguments of events.
 *
 * A maker is built for each call and variant of its records (cpu times, statuses, root's arguments, counters) when
 * the first such record comes: the struct type, and a short program that copies the arguments. The records were
 * parsed before, so the program checks nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi/make.h"

enum op_code {
	OP_1,
	OP_2,
	OP_4,
	OP_8,
	OP_ARRAY1,
	OP_ARRAY2,
	OP_ARRAY4,
	OP_ROWS,
	OP_STR,
	OP_STRS, /* x: offset of their number */
	OP_STRARRAY,
	OP_STRROWS,
	OP_STATUS,  /* x: bytes of a status */
	OP_RUN,	    /* consecutive numbers: n moves from move x on */
	OP_PEER,    /* x: offset of the rank */
	OP_STARTED, /* peer and communicator of a started request */
	OP_RECV,
	OP_GPEER,
	OP_CPU,
	OP_PERF,
	OP_NAME,
};

#define NAME_MOST 32
_Static_assert(DUMPI_COUNTER >= 4 * NAME_MOST, "the longest name of a counter");

void
dumpi_makers_free(struct dumpi *c)
{
	struct dumpi_maker *m, *next;

	for (unsigned l = 0; l < DUMPI_LAYOUTS; l++) {
		for (unsigned i = 0; c->maker[l] && i < DUMPI_CALLS * MAKE_VARIANTS; i++)
			free(c->maker[l][i]);
		FREE(c->maker[l]);
	}
	for (m = c->perf; m; m = next) {
		next = m->next;
		free(m);
	}
	c->perf = NULL;
}

struct dumpi_address *
dumpi_address_find(const struct dumpi_rank *r, uint64_t address)
{
	size_t lo = 0, hi = r->naddress;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->address[mid].address < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->naddress && r->address[lo].address == address ? &r->address[lo]
								     : NULL;
}

/* A type under construction: its arguments, and the names that were made for it. */
struct draft {
	struct arg *arg;
	char (*name)[4 * NAME_MOST];
	uint32_t n;
	/* The first argument that each step of the program fills. */
	uint32_t first[DUMPI_OPS];
};

static void
draft(struct draft *d, uint8_t kind, bool array, const struct labels *labels, const char *a,
      const char *b)
{
	snprintf(d->name[d->n], sizeof d->name[d->n], "%s%s", a, b);
	d->arg[d->n] = (struct arg){d->name[d->n], kind, array, 0, labels, NULL};
	d->n++;
}

/* Drafts the arguments of an event for the argument a. Returns the step of the program that fills them. */
static enum op_code
draft_arg(struct draft *d, const struct dumpi_layout *l, unsigned call,
	  const struct dumpi_arg *a)
{
	const struct labels *labels = a->type->labels.n ? &a->type->labels : NULL;
	/* Call > 290: the number is an address. */
	uint8_t kind = call > 290 ? K_X64 : a->type->kind;

	switch (dumpi_shape_in(l, a)) {
	case SHAPE_ONE:
		draft(d, kind, false, labels, a->name, "");
		return a->type->width == 1   ? OP_1
		       : a->type->width == 2 ? OP_2
		       : a->type->width == 4 ? OP_4
					     : OP_8;
	case SHAPE_ARRAY:
		draft(d, kind, true, labels, a->name, "");
		return a->type->width == 1   ? OP_ARRAY1
		       : a->type->width == 2 ? OP_ARRAY2
					     : OP_ARRAY4;
	case SHAPE_ROWS:
		draft(d, kind, true, labels, a->name, "");
		draft(d, K_U32, true, NULL, a->name, ".len");
		return OP_ROWS;
	case SHAPE_STR: draft(d, K_STR, false, NULL, a->name, ""); return OP_STR;
	case SHAPE_STRS: draft(d, K_STR, true, NULL, a->name, ""); return OP_STRS;
	case SHAPE_STRARRAY: draft(d, K_STR, true, NULL, a->name, ""); return OP_STRARRAY;
	case SHAPE_STRROWS:
		draft(d, K_STR, true, NULL, a->name, "");
		draft(d, K_U32, true, NULL, a->name, ".len");
		return OP_STRROWS;
	}
	draft(d, K_I32, true, NULL, a->name, ".bytes");
	draft(d, K_I32, true, NULL, a->name, ".source");
	draft(d, K_I8, true, NULL, a->name, ".cancelled");
	draft(d, K_I8, true, NULL, a->name, ".error");
	if (l->status == 14)
		draft(d, K_I32, true, NULL, a->name, ".tag");
	return OP_STATUS;
}

void
dumpi_counter_name(const struct dumpi_sections *sec, uint32_t i, char name[DUMPI_COUNTER])
{
	char *p = name;
	struct span label;
	size_t n;

	if (!dumpi_label(sec, i, &label) || !label.n) {
		snprintf(name, DUMPI_COUNTER, "perf%u", (unsigned)i);
		return;
	}
	n = label.n < NAME_MOST - 4 ? label.n : NAME_MOST - 4;
	for (size_t k = 0; k < n; k++) {
		if (label.p[k] != '=') {
			p = (char *)put_escaped((uint8_t *)p, label.p + k, 1);
			continue;
		}
		memcpy(p, "\\x3d", 4);
		p += 4;
	}
	*p = '\0';
}

/* Joins consecutive numbers into one step. Each is loaded as the 8 bytes that end with it, and stored as 8 bytes,
 * so that the bytes after it in the event are overwritten by the next step. Numbers too near to the end of the
 * fixed part keep their own step. */
static void
fuse(struct dumpi_maker *m)
{
	unsigned n = 0, moves = 0, bytes = 0;
	bool run = false;

	for (unsigned i = 0; i < m->nops; i++) {
		unsigned code = m->op[i].code, width = 1u << (code - OP_1);
		bool peer = code == OP_PEER && !m->peer_status && n == 1 && run;
		unsigned end;

		if (!(code <= OP_8 || peer) || m->op[i].dst + 8u > m->fixed) {
			m->op[n++] = m->op[i];
			run = false;
			continue;
		}
		if (!run) {
			m->op[n].code = OP_RUN;
			m->op[n].x = (uint16_t)moves;
			m->op[n].n = m->op[n].bytes = 0;
			n++;
			bytes = 0;
			run = true;
		}
		end = peer ? m->op[i].x + 4u : bytes + width;
		m->move[moves].src = (int16_t)((int)end - 8);
		m->move[moves].dst = m->op[i].dst;
		m->move[moves++].mask = UINT64_MAX >> (peer ? 32 : 64 - 8 * width);
		bytes += peer ? 0 : width;
		m->op[n - 1].n++;
		m->op[n - 1].bytes = (uint8_t)bytes;
	}
	m->nops = n;
}

/* Names of peers that are not ranks: two for destinations, two for sources. A source of -1 is MPI_ANY_SOURCE;
 * dumpi_peer turns MPI_PROC_NULL in a status into -2. */
static const struct label peer_names[] = {
    {-2, "MPI_PROC_NULL"},
    {-1, "MPI_PROC_NULL"},
    {-2, "MPI_PROC_NULL"},
    {-1, "MPI_ANY_SOURCE"},
};
static const struct labels peer_to = {peer_names, 2}, peer_from = {peer_names + 2, 2};

/* Adds the maker's next step, which fills the arguments that are drafted after this call. */
static struct dumpi_op *
step(struct dumpi_maker *m, struct draft *d, enum op_code code)
{
	d->first[m->nops] = d->n;
	m->op[m->nops].code = (uint8_t)code;
	return &m->op[m->nops++];
}

/* Drafts the arguments that are stored in such records. */
static void
draft_stored(struct dumpi_maker *m, struct draft *d, const struct dumpi_layout *l,
	     unsigned call, unsigned variant)
{
	const struct dumpi_plan *pl = dumpi_plan_of(l, call, variant & MAKE_STATUS);
	const struct dumpi_call *k = &dumpi_calls[call];

	for (unsigned i = 0; i < k->nargs; i++) {
		const struct dumpi_arg *a = &k->arg[i];
		struct dumpi_op *op;

		if (dumpi_shape_in(l, a) < 0 || (a->cond && !(variant & MAKE_MORE)) ||
		    (a->shape == SHAPE_STATUS && !(variant & MAKE_STATUS)))
			continue;
		m->strings |= a->shape >= SHAPE_STRS && a->shape <= SHAPE_STRROWS;
		op = step(m, d, OP_1);
		op->code = (uint8_t)draft_arg(d, l, call, a);
		if (op->code == OP_STRS)
			op->x = pl->at[a->len].off;
		if (op->code == OP_STATUS)
			op->x = l->status;
	}
}

/* Drafts the arguments that are computed, or copied from another argument. */
static void
draft_known(struct dumpi_maker *m, struct draft *d, const struct dumpi_rank *r,
	    unsigned call, unsigned variant)
{
	const struct dumpi_plan *pl = dumpi_plan_of(r->layout, call, variant & MAKE_STATUS);
	const struct dumpi_call *k = &dumpi_calls[call];

	if (call > 290 && variant & MAKE_MORE) {
		step(m, d, OP_NAME);
		draft(d, K_SYM, false, NULL, "name", "");
	}
	if (k->peer >= 0) {
		m->peer_status = k->peer_status >= 0 && variant & MAKE_STATUS;
		if (m->peer_status && k->peer_flag >= 0)
			m->peer_flag = pl->at[k->peer_flag].off;
		step(m, d, OP_PEER)->x = pl->at[k->peer].off;
		draft(d, K_I32, false, k->from ? &peer_from : &peer_to, "peer", "");
	}
	if (k->does == DOES_START && variant & MAKE_MORE) {
		step(m, d, OP_STARTED);
		draft(d, K_I32, false, &peer_from, "peer", "");
		draft(d, K_I16, false, &dumpi_type_named("comm", 4)->labels, "comm", "");
	}
	if (variant & MAKE_RECV) {
		step(m, d, OP_RECV);
		draft(d, K_U64, false, NULL,
		      dumpi_receives(k)	      ? "recv_bytes"
		      : k->does == DOES_START ? "posted"
					      : "bytes",
		      "");
	}
	if (variant & MAKE_CPU) {
		step(m, d, OP_CPU);
		draft(d, K_NS, false, NULL, "cpu", "");
		draft(d, K_NS, false, NULL, "cpudur", "");
	}
}

static struct dumpi_maker *
maker_new(struct source *s, struct dumpi_rank *r, unsigned call, unsigned variant,
	  unsigned nperf)
{
	const struct dumpi_call *k = &dumpi_calls[call];
	struct dumpi_maker *m = xcalloc(1, sizeof *m);
	size_t most = DUMPI_ARGS * 5 + 8 + 2 * (size_t)nperf;
	struct draft d = {
	    xcalloc(most, sizeof *d.arg), xcalloc(most, sizeof *d.name), 0, {0}};
	struct type ty = {.event = k->name, .event_len = (uint32_t)strlen(k->name)};
	char name[DUMPI_COUNTER];

	m->peer_flag = -1;
	draft_stored(m, &d, r->layout, call, variant);
	draft_known(m, &d, r, call, variant);
	if (nperf)
		step(m, &d, OP_PERF);
	for (uint32_t i = 0; i < nperf; i++) {
		dumpi_counter_name(&r->sec, i, name);
		draft(&d, K_I64, false, NULL, name, "");
		draft(&d, K_I64, false, NULL, name, ".out");
	}
	if (variant & MAKE_GPEER) {
		step(m, &d, OP_GPEER);
		draft(&d, K_U32, false, NULL, "gpeer", "");
	}
	ty.may = HAS_SIZE | HAS_DUR;
	ty.nargs = d.n;
	ty.args = d.arg;
	m->type = type_add(&s->t, &ty);
	m->fixed = s->t.type[m->type].fixed;
	for (unsigned i = 0; i < m->nops; i++)
		m->op[i].dst = (uint16_t)s->t.type[m->type].args[d.first[i]].off;
	fuse(m);
	free(d.arg);
	free(d.name);
	return m;
}

COLD struct dumpi_maker *
dumpi_maker_perf(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
		 unsigned variant, unsigned nperf)
{
	uint32_t key = (r->layout->index * DUMPI_CALLS + call) * MAKE_VARIANTS + variant;
	struct dumpi_maker **at, *m;

	for (at = &c->perf; (m = *at) != NULL; at = &m->next)
		if (m->key == key && m->nperf == nperf && m->labels == r->labels)
			break;
	if (m) {
		*at = m->next;
	} else {
		m = maker_new(s, r, call, variant, nperf);
		m->key = key;
		m->nperf = (uint8_t)nperf;
		m->labels = r->labels;
	}
	m->next = c->perf; /* move it to the front: the next record probably needs it too */
	c->perf = m;
	return m;
}

COLD struct dumpi_maker *
dumpi_maker_first(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
		  unsigned variant)
{
	struct dumpi_maker ***t = &c->maker[r->layout->index];

	if (!*t)
		*t = xcalloc((size_t)DUMPI_CALLS * MAKE_VARIANTS, sizeof **t);
	return (*t)[call * MAKE_VARIANTS + variant] = maker_new(s, r, call, variant, 0);
}

/* Begins a variable part of `bytes` bytes at the record's end: writes its struct part to dst, and moves *end after
 * the part and its padding. Returns the place of the part. */
static inline uint8_t *
part_new(uint8_t *rec, unsigned dst, uint32_t *end, uint32_t n, uint32_t bytes)
{
	uint8_t *to = rec + *end;
	struct part part = {*end, n};

	memcpy(rec + dst, &part, sizeof part);
	st64(to + (bytes & ~7u), 0);
	*end += (bytes + 7) & ~7u;
	return to;
}

/* Writes n strings at q as elements of the array at `at`, and their bytes at the record's end. Returns the place
 * after the strings at q. */
static const uint8_t *
put_strings(uint8_t *rec, uint32_t at, uint32_t *end, const uint8_t *q, uint32_t n)
{
	for (; n; n--, at += sizeof(struct part)) {
		uint32_t len = be32(q);

		memcpy(part_new(rec, at, end, len, len), q + 4, len);
		q += 4 + (size_t)len;
	}
	return q;
}

static const uint8_t *
put_rows(uint8_t *rec, unsigned dst, uint32_t *end, const uint8_t *q)
{
	uint32_t rows = be32(q), total = 0;
	const uint8_t *p = q + 4;
	uint8_t *to, *lens;

	for (uint32_t i = 0; i < rows; i++) {
		total += be32(p);
		p += 4 + 4 * (size_t)be32(p);
	}
	to = part_new(rec, dst, end, total, 4 * total);
	lens = part_new(rec, dst + 8, end, rows, 4 * rows);
	p = q + 4;
	for (uint32_t i = 0; i < rows; i++, lens += 4) {
		uint32_t n = be32(p);

		st32(lens, n);
		for (p += 4; n; n--, p += 4, to += 4)
			st32(to, be32(p));
	}
	return p;
}

static const uint8_t *
put_string_rows(uint8_t *rec, unsigned dst, uint32_t *end, const uint8_t *q)
{
	uint32_t rows = be32(q), total = 0, at;
	const uint8_t *p = q + 4;
	uint8_t *lens;

	for (uint32_t i = 0; i < rows; i++) {
		uint32_t n = be32(p);

		total += n;
		for (p += 4; n; n--)
			p += 4 + (size_t)be32(p);
	}
	lens = part_new(rec, dst + 8, end, rows, 4 * rows);
	at = *end;
	part_new(rec, dst, end, total, 8 * total);
	p = q + 4;
	for (uint32_t i = 0; i < rows; i++, lens += 4) {
		uint32_t n = be32(p);

		st32(lens, n);
		p = put_strings(rec, at, end, p + 4, n);
		at += 8 * n;
	}
	return p;
}

/* Splits the statuses at q into one array for each field. Returns the place after them. */
static const uint8_t *
put_statuses(uint8_t *rec, unsigned dst, uint32_t *end, const uint8_t *q, unsigned width)
{
	uint32_t n = be32(q);
	uint8_t *bytes = part_new(rec, dst, end, n, 4 * n);
	uint8_t *source = part_new(rec, dst + 8, end, n, 4 * n);
	uint8_t *cancelled = part_new(rec, dst + 16, end, n, n);
	uint8_t *error = part_new(rec, dst + 24, end, n, n);
	uint8_t *tag = width == 14 ? part_new(rec, dst + 32, end, n, 4 * n) : NULL;

	q += 4;
	for (uint32_t i = 0; i < n; i++, q += width) {
		st32(bytes + 4 * (size_t)i, be32(q));
		st32(source + 4 * (size_t)i, be32(q + 4));
		cancelled[i] = q[8];
		error[i] = q[9];
		if (tag)
			st32(tag + 4 * (size_t)i, be32(q + 10));
	}
	return q;
}

static const uint8_t *
put_array(uint8_t *rec, unsigned dst, uint32_t *end, const uint8_t *q, unsigned width)
{
	uint32_t n = be32(q);
	uint8_t *to = part_new(rec, dst, end, n, n * width);

	q += 4;
	if (width == 4) {
		for (uint32_t i = 0; i < n; i++)
			st32(to + 4 * (size_t)i, be32(q + 4 * (size_t)i));
	} else if (width == 2) {
		for (uint32_t i = 0; i < n; i++)
			st16(to + 2 * (size_t)i, be16(q + 2 * (size_t)i));
	} else if (n) {
		memcpy(to, q, n);
	}
	return q + (size_t)n * width;
}

static void
put_peer(uint8_t *rec, const struct dumpi_maker *m, unsigned i, const uint8_t *args,
	 const uint8_t *status)
{
	bool by_status = m->peer_status && (m->peer_flag < 0 || be32(args + m->peer_flag));

	st32(rec + m->op[i].dst, dumpi_peer(args + m->op[i].x, by_status ? status : NULL));
}

static INLINE const uint8_t *
put_run(uint8_t *rec, const struct dumpi_maker *m, unsigned i, const uint8_t *q)
{
	const struct dumpi_move *k = &m->move[m->op[i].x], *behind = k + m->op[i].n;

	for (; k < behind; k++) {
		uint64_t v = be64(q + k->src) & k->mask;

		st64(rec + k->dst, HOST_BIG ? v << leading_zeros64(k->mask) : v);
	}
	return q + m->op[i].bytes;
}

uint32_t
dumpi_make_args(struct source *s, struct dumpi_rank *r, const struct dumpi_maker *m,
		uint8_t *rec, const uint8_t *q, const uint8_t *perf, unsigned nperf)
{
	const uint8_t *args = q, *status = NULL;
	struct dumpi_address *name;
	uint32_t end = m->fixed, n;

	for (unsigned i = 0; i < m->nops; i++) {
		unsigned dst = m->op[i].dst;

		switch (m->op[i].code) {
		case OP_RUN: q = put_run(rec, m, i, q); break;
		case OP_1: rec[dst] = *q++; break;
		case OP_2:
			st16(rec + dst, be16(q));
			q += 2;
			break;
		case OP_4:
			st32(rec + dst, be32(q));
			q += 4;
			break;
		case OP_8:
			st64(rec + dst, be64(q));
			q += 8;
			break;
		case OP_ARRAY1:
		case OP_STR: q = put_array(rec, dst, &end, q, 1); break;
		case OP_ARRAY2: q = put_array(rec, dst, &end, q, 2); break;
		case OP_ARRAY4: q = put_array(rec, dst, &end, q, 4); break;
		case OP_ROWS: q = put_rows(rec, dst, &end, q); break;
		case OP_STRS:
		case OP_STRARRAY:
			n = be32(m->op[i].code == OP_STRS ? args + m->op[i].x : q);
			q += m->op[i].code == OP_STRS ? 0 : 4;
			part_new(rec, dst, &end, n, 8 * n);
			q = put_strings(rec, end - 8 * n, &end, q, n);
			break;
		case OP_STRROWS: q = put_string_rows(rec, dst, &end, q); break;
		case OP_STATUS:
			status = q;
			q = put_statuses(rec, dst, &end, q, m->op[i].x);
			break;
		case OP_PEER: put_peer(rec, m, i, args, status); break;
		case OP_STARTED:
			st32(rec + dst, (uint32_t)r->moves.peer);
			st16(rec + dst + 4, r->moves.comm);
			break;
		case OP_RECV: st64(rec + dst, r->moves.recv); break;
		case OP_GPEER: st32(rec + dst, r->gpeer); break;
		case OP_CPU:
			st64(rec + dst, (uint64_t)r->cpu_start);
			st64(rec + dst + 8, (uint64_t)r->cpu_dur);
			break;
		case OP_PERF:
			for (n = 0; n < 16 * nperf; n += 8)
				st64(rec + dst + n, be64(perf + n));
			break;
		case OP_NAME: /* the arguments begin with the address */
			name = dumpi_address_find(r, be64(args));
			if (!name->sym)
				name->sym = strtab_id(&s->t.str, name->name, name->n);
			st32(rec + dst, name->sym);
			break;
		}
	}
	return end;
}
