/*
 * dumpi_make.c - events of DUMPI records.
 *
 * A maker, one for each call and variant of its record (cpu times, statuses, root's
 * arguments, counters), is built when the first such record is seen: the struct type, and a
 * short program that copies the arguments. What it reads has been walked over before, so it
 * checks nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumpi_make.h"

enum op {
	OP_1,
	OP_2,
	OP_4,
	OP_8,
	OP_ARRAY1,
	OP_ARRAY2,
	OP_ARRAY4,
	OP_ROWS,
	OP_STR,
	OP_STRS, /* x: place of their number */
	OP_STRARRAY,
	OP_STRROWS,
	OP_STATUS, /* x: bytes of one */
	OP_PEER,   /* x: place of the rank */
	OP_CPU,
	OP_PERF,
	OP_NAME,
};

enum {
	HAS_CPU = 1,
	HAS_STATUS = 2,
	HAS_MORE = 4, /* the arguments that only root has; the name of a function */
	VARIANTS = 8,
};

#define NAME_MOST 32
#define OPS (DUMPI_ARGS + 4)

struct dumpi_maker {
	uint32_t type, fixed;
	unsigned nops;
	bool peer_status;  /* the peer is the status's source, where there is one */
	int32_t peer_flag; /* and where this number is not 0; -1 = always */
	struct {
		uint8_t code;
		uint16_t dst, x;
	} op[OPS];
	/* Of records with counters only. */
	struct dumpi_maker *next;
	uint32_t key, labels;
	uint8_t nperf;
};

void
dumpi_makers_free(struct dumpi *c)
{
	struct dumpi_maker *m, *next;

	for (unsigned l = 0; l < DUMPI_LAYOUTS; l++) {
		for (unsigned i = 0; c->maker[l] && i < DUMPI_CALLS * VARIANTS; i++)
			free(c->maker[l][i]);
		free(c->maker[l]);
		c->maker[l] = NULL;
	}
	for (m = c->perf; m; m = next) {
		next = m->next;
		free(m);
	}
	c->perf = NULL;
}

void
dumpi_epoch(struct source *s, struct dumpi *c)
{
	tables_reset(&s->t);
	dumpi_makers_free(c);
	memset(c->bare, 0, sizeof c->bare);
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		memset(r->loc, 0, sizeof r->loc);
		r->labels = r->sec.raw[SEC_LABELS].n
				? strtab_id(&s->t.str, r->sec.raw[SEC_LABELS].p,
					    r->sec.raw[SEC_LABELS].n)
				: 0;
		for (size_t k = 0; k < r->naddress; k++)
			r->address[k].sym = 0;
	}
}

/* The location of a thread that is not in its slot. */
static COLD uint32_t
loc_of(struct source *s, const struct dumpi *c, struct dumpi_rank *r, uint32_t thread)
{
	char text[48];
	int n = r->number < 0 ? snprintf(text, sizeof text, "-")
			      : snprintf(text, sizeof text, "%lld", (long long)r->number);

	if (c->threads || thread)
		n += snprintf(text + n, sizeof text - (size_t)n, "/%u", (unsigned)thread);
	r->loc[thread & 7].thread = thread;
	r->loc[thread & 7].loc = strtab_id(&s->t.str, text, (size_t)n);
	return r->loc[thread & 7].loc;
}

static const struct dumpi_address *
address_find(const struct dumpi_rank *r, uint64_t address)
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
};

static void
draft(struct draft *d, uint8_t kind, bool array, const struct labels *labels, const char *a,
      const char *b)
{
	snprintf(d->name[d->n], sizeof d->name[d->n], "%s%s", a, b);
	d->arg[d->n] = (struct arg){d->name[d->n], kind, array, 0, labels, NULL};
	d->n++;
}

/* The arguments of an event that one of MPI makes. Gives the program's step. */
static enum op
draft_arg(struct draft *d, const struct dumpi_layout *l, unsigned call,
	  const struct dumpi_arg *a)
{
	const struct labels *labels = a->type->labels.n ? &a->type->labels : NULL;
	unsigned shape = a->one & l->old ? (unsigned)SHAPE_ONE : a->shape;
	uint8_t kind = call > 290 ? K_X64 : a->type->kind; /* an address */

	switch (shape) {
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

/* A counter's name as the name of an argument: no blank, no '=', of bounded length. */
static void
draft_counter(struct draft *d, const struct dumpi_rank *r, uint32_t i)
{
	char name[4 * NAME_MOST], *p = name;
	struct span label;

	if (!dumpi_label(&r->sec, i, &label) || !label.n) {
		snprintf(name, sizeof name, "perf%u", (unsigned)i);
	} else {
		size_t n = label.n < NAME_MOST - 4 ? label.n : NAME_MOST - 4;

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
	draft(d, K_I64, false, NULL, name, "");
	draft(d, K_I64, false, NULL, name, ".out");
}

static struct dumpi_maker *
maker_new(struct source *s, struct dumpi_rank *r, unsigned call, unsigned variant,
	  unsigned nperf)
{
	static const struct labels *source_labels;
	const struct dumpi_layout *l = r->layout;
	const struct dumpi_plan *pl = &l->plan[(variant & HAS_STATUS) != 0][call];
	const struct dumpi_call *k = &dumpi_calls[call];
	struct dumpi_maker *m = xcalloc(1, sizeof *m);
	size_t most = DUMPI_ARGS * 5 + 8 + 2 * (size_t)nperf;
	uint32_t first[OPS]; /* argument of the type that each step fills first */
	struct draft d = {xcalloc(most, sizeof *d.arg), xcalloc(most, sizeof *d.name), 0};
	struct type ty = {.event = k->name, .event_len = (uint32_t)strlen(k->name)};

	m->peer_flag = -1;
	for (unsigned i = 0; i < k->nargs; i++) {
		const struct dumpi_arg *a = &k->arg[i];

		if ((a->only && !(l->old & a->only)) ||
		    (a->cond && !(variant & HAS_MORE)) ||
		    (a->shape == SHAPE_STATUS && !(variant & HAS_STATUS)))
			continue;
		first[m->nops] = d.n;
		m->op[m->nops].code = (uint8_t)draft_arg(&d, l, call, a);
		if (m->op[m->nops].code == OP_STRS)
			m->op[m->nops].x = pl->at[a->len].off;
		if (m->op[m->nops].code == OP_STATUS)
			m->op[m->nops].x = l->status;
		m->nops++;
	}
	if (call > 290 && variant & HAS_MORE) {
		first[m->nops] = d.n;
		m->op[m->nops++].code = OP_NAME;
		draft(&d, K_SYM, false, NULL, "name", "");
	}
	if (k->peer >= 0) {
		if (!source_labels)
			source_labels = &dumpi_type_named("source", 6)->labels;
		m->peer_status = k->peer_status >= 0 && variant & HAS_STATUS;
		if (m->peer_status && k->peer_flag >= 0)
			m->peer_flag = pl->at[k->peer_flag].off;
		first[m->nops] = d.n;
		m->op[m->nops].x = pl->at[k->peer].off;
		m->op[m->nops++].code = OP_PEER;
		draft(&d, K_I32, false,
		      strcmp(k->arg[k->peer].type->name, "i32")
			  ? &k->arg[k->peer].type->labels
			  : NULL,
		      "peer", "");
	}
	if (variant & HAS_CPU) {
		first[m->nops] = d.n;
		m->op[m->nops++].code = OP_CPU;
		draft(&d, K_NS, false, NULL, "cpu", "");
		draft(&d, K_NS, false, NULL, "cpudur", "");
	}
	if (nperf) {
		first[m->nops] = d.n;
		m->op[m->nops++].code = OP_PERF;
		for (uint32_t i = 0; i < nperf; i++)
			draft_counter(&d, r, i);
	}
	ty.may = HAS_SIZE | HAS_DUR;
	ty.nargs = d.n;
	ty.args = d.arg;
	m->type = type_add(&s->t, &ty);
	m->fixed = s->t.type[m->type].fixed;
	for (unsigned i = 0; i < m->nops; i++)
		m->op[i].dst = (uint16_t)s->t.type[m->type].args[first[i]].off;
	free(d.arg);
	free(d.name);
	return m;
}

static COLD struct dumpi_maker *
maker_perf(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
	   unsigned variant, unsigned nperf)
{
	uint32_t key = (r->layout->index * DUMPI_CALLS + call) * VARIANTS + variant;
	struct dumpi_maker **at, *m;

	for (at = &c->perf; (m = *at) != NULL; at = &m->next) {
		if (m->key != key || m->nperf != nperf || m->labels != r->labels)
			continue;
		*at = m->next; /* to the front: the next record is likely the same */
		m->next = c->perf;
		c->perf = m;
		return m;
	}
	m = maker_new(s, r, call, variant, nperf);
	m->key = key;
	m->nperf = (uint8_t)nperf;
	m->labels = r->labels;
	m->next = c->perf;
	c->perf = m;
	return m;
}

static COLD struct dumpi_maker *
maker_first(struct source *s, struct dumpi *c, struct dumpi_rank *r, unsigned call,
	    unsigned variant)
{
	struct dumpi_maker ***t = &c->maker[r->layout->index];

	if (!*t)
		*t = xcalloc((size_t)DUMPI_CALLS * VARIANTS, sizeof **t);
	return (*t)[call * VARIANTS + variant] = maker_new(s, r, call, variant, 0);
}

static COLD uint32_t
bare_type(struct source *s, struct dumpi *c, unsigned call)
{
	const char *name = dumpi_calls[call].name;
	struct type ty = {.event = name, .event_len = (uint32_t)strlen(name)};

	ty.may = HAS_SIZE | HAS_DUR;
	c->bare[call] = type_add(&s->t, &ty) + 1;
	return c->bare[call] - 1;
}

/* A variable part of `bytes` bytes begins at the record's end: notes that in the place, and
 * moves the end, which is padded with zeros. */
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

/* n strings at q as elements of an array from `at` on, their bytes at the record's end. */
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

/* n statuses into arrays of their fields. */
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
	const uint8_t *from = args + m->op[i].x;

	if (m->peer_status && status && be32(status) &&
	    (m->peer_flag < 0 || be32(args + m->peer_flag)))
		from = status + 8;
	st32(rec + m->op[i].dst, be32(from));
}

/* Runs a maker's program over the arguments at q; gives the record's length. */
static uint32_t
make_args(struct source *s, struct dumpi_rank *r, const struct dumpi_maker *m, uint8_t *rec,
	  const uint8_t *q, const uint8_t *perf, unsigned nperf)
{
	const uint8_t *args = q, *status = NULL;
	uint32_t end = m->fixed, n;

	for (unsigned i = 0; i < m->nops; i++) {
		unsigned dst = m->op[i].dst;
		struct dumpi_address *a;

		switch (m->op[i].code) {
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
		case OP_CPU:
			st64(rec + dst, (uint64_t)r->cpu_start);
			st64(rec + dst + 8, (uint64_t)r->cpu_dur);
			break;
		case OP_PERF:
			for (n = 0; n < 2 * nperf; n++)
				st64(rec + dst + 8 * (size_t)n, be64(perf + 8 * (size_t)n));
			break;
		case OP_NAME:
			a = (struct dumpi_address *)(uintptr_t)address_find(r, be64(args));
			if (!a->sym)
				a->sym = strtab_id(&s->t.str, a->name, a->n);
			st32(rec + dst, a->sym);
			break;
		}
	}
	return end;
}

/* Brings the clocks on to a record: r->key and r->dur, -1 where none is known. */
static INLINE bool
take_times(const struct dumpi *c, struct dumpi_rank *r, const uint8_t *cpu,
	   const uint8_t *wall)
{
	int64_t start;

	if (cpu) {
		dumpi_clock(&r->cpu, cpu, &start, &r->cpu_dur);
		r->cpu_start = (int64_t)((uint64_t)start +
					 (uint64_t)(int64_t)r->cpu_bias * 1000000000u);
	}
	if (likely(c->clock == CLOCK_IS_WALL) && likely(wall != NULL)) {
		dumpi_clock(&r->wall, wall, &start, &r->dur);
	} else if (c->clock == CLOCK_IS_CPU && cpu) {
		start = (int64_t)((uint64_t)r->cpu_start -
				  (uint64_t)(int64_t)r->cpu_bias * 1000000000u);
		r->dur = r->cpu_dur;
	} else {
		r->key = c->clock == CLOCK_IS_NUMBER ? (int64_t)r->records : r->last;
		return false;
	}
	r->key = (int64_t)((uint64_t)start - (uint64_t)r->shift);
	r->last = r->key;
	return true;
}

/* The bytes of a record that the interpreter took, or whose rule is not a simple one. */
static COLD bool
bytes_general(const struct dumpi_rank *r, const struct dumpi_call *k, const uint8_t *p,
	      const struct dumpi_plan *pl, const uint8_t *const *base,
	      const struct dumpi_view *v, uint64_t *bytes)
{
	const struct buf *sizes = &r->sec.raw[SEC_SIZES];
	const uint8_t *arg[DUMPI_ARGS];

	(void)p;
	for (unsigned i = 0; i < k->nargs; i++)
		arg[i] = v		    ? v->arg[i]
			 : pl->at[i].absent ? NULL
					    : base[pl->at[i].base] + pl->at[i].off;
	return dumpi_bytes(r->layout, k, arg, sizes, bytes);
}

static INLINE bool
bytes_of(const struct dumpi_rank *r, const struct dumpi_plan *pl,
	 const uint8_t *const *base, uint64_t *bytes)
{
	const struct buf *sizes = &r->sec.raw[SEC_SIZES];
	uint32_t count, size;

	if (pl->bytes >= BYTES_STATUS) {
		const uint8_t *p = base[pl->at[pl->status].base] + pl->at[pl->status].off;
		uint32_t n = be32(p);

		if (n)
			return dumpi_status_bytes(p + 4, n, r->layout->status, bytes);
		if (pl->bytes == BYTES_STATUS)
			return false;
	}
	count = be32(base[0] + pl->count);
	size = dumpi_sizeof(sizes, be16(base[0] + pl->datatype));
	*bytes = (uint64_t)count * size;
	return count <= INT32_MAX && (size || !count);
}

/* Room for the longest event that a record of so many bytes makes. */
static inline uint8_t *
room_for(struct batch *b, size_t len, unsigned fixed)
{
	size_t most = fixed + 4 * len + 64 * DUMPI_ARGS + REC_SLACK;

	if (unlikely(b->own.cap - b->own.n < most))
		buf_room(&b->own, most);
	return b->own.p + b->own.n;
}

/*
 * The record at p as the batch's next event. base: of the quick way; v: of the interpreter,
 * or NULL. timed: whether r->key and r->dur are those of a clock.
 */
static INLINE void
emit(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b,
     const uint8_t *p, size_t len, const uint8_t *const *base, const struct dumpi_view *v,
     bool timed, const bool args)
{
	unsigned need = s->opt->need, call = v ? v->call : be16(p), mask = p[2];
	const struct dumpi_plan *pl = &r->layout->plan[(mask & MASK_STATUS) != 0][call];
	const struct dumpi_call *k = &dumpi_calls[call];
	const struct dumpi_maker *m = NULL;
	uint32_t type, thread, end = REC_HEAD, has = timed ? HAS_DUR : 0;
	uint64_t bytes = 0;
	struct rec *rec;
	uint8_t *to;

	if (args) {
		unsigned variant =
		    (mask & MASK_CPU ? HAS_CPU : 0) | (mask & MASK_STATUS ? HAS_STATUS : 0);
		struct dumpi_maker **t = c->maker[r->layout->index];

		if (v && k->cond_a != k->cond_b && v->arg[k->cond_a] && v->arg[k->cond_b] &&
		    be32(v->arg[k->cond_a]) == be32(v->arg[k->cond_b]))
			variant |= HAS_MORE;
		if (call > 290 && address_find(r, be64(v ? v->args : base[0])))
			variant |= HAS_MORE;
		if (unlikely(v && v->nperf))
			m = maker_perf(s, c, r, call, variant, v->nperf);
		else if (unlikely(!t || !(m = t[call * VARIANTS + variant])))
			m = maker_first(s, c, r, call, variant);
		to = room_for(b, len, m->fixed);
		type = m->type;
	} else {
		to = room_for(b, 0, REC_HEAD);
		type = c->bare[call] ? c->bare[call] - 1 : bare_type(s, c, call);
	}
	rec = (struct rec *)(void *)to;
	if (need & NEED_SIZE && pl->bytes) {
		if (v || pl->bytes == BYTES_GENERAL)
			has |= bytes_general(r, k, p, pl, base, v, &bytes) ? HAS_SIZE : 0;
		else
			has |= bytes_of(r, pl, base, &bytes) ? HAS_SIZE : 0;
	}
	if (args) {
		for (uint32_t i = REC_HEAD; i < m->fixed; i += 8)
			st64(to + i, 0);
		end = make_args(s, r, m, to, v ? v->args : base[0], v ? v->perf : NULL,
				v ? v->nperf : 0);
	}
	rec->len = end;
	rec->type = type;
	rec->loc = 0;
	if (need & NEED_LOC) {
		thread = mask & MASK_THREAD ? be16(p + 3) : 0;
		rec->loc =
		    likely(r->loc[thread & 7].thread == thread && r->loc[thread & 7].loc)
			? r->loc[thread & 7].loc
			: loc_of(s, c, r, thread);
	}
	rec->has = has;
	rec->time = r->key;
	rec->addr = 0;
	rec->size = has & HAS_SIZE ? bytes : 0;
	rec->dur = timed ? r->dur : 0;
	b->raw[b->n] = (struct span){p, len};
	b->off[b->n++] = (uint32_t)b->own.n;
	b->own.n += end;
	r->records++;
	r->count[call]++;
}

/* The times of a record of common shape. */
static INLINE void
find_times(const uint8_t *p, const uint8_t **cpu, const uint8_t **wall)
{
	const uint8_t *q = p + 3 + (p[2] >> 5 & 2);

	*cpu = p[2] & MASK_CPU ? q : NULL;
	*wall = p[2] & MASK_WALL ? q + (p[2] & MASK_CPU) * 3 : NULL;
}

/* A record that the quick way leaves to the interpreter. False where none can be had now.
 */
static bool
fill_slow(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p;
	const bool args = s->opt->need & NEED_ARGS;
	struct dumpi_view v;
	bool quick, timed;
	size_t len;

	p = dumpi_next(s, r, &v, base, &quick, &len, s->opt->need & NEED_RAW && b->n);
	if (!p)
		return false;
	if (quick) /* it has read on */
		return true;
	timed = take_times(c, r, v.cpu, v.wall);
	if (args)
		emit(s, c, r, b, p, len, NULL, &v, timed, true);
	else
		emit(s, c, r, b, p, len, NULL, &v, timed, false);
	r->in->p += len;
	return true;
}

/* Events of one rank, until the batch is full, the body ends, or unread bytes must move. */
static INLINE void
fill(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b,
     const bool args)
{
	const bool times = args || s->opt->need & (NEED_TIME | NEED_DUR);
	struct in *in = r->in;

	while (!batch_full(b)) {
		const uint8_t *p = in->p, *base[DUMPI_PARTS + 1], *cpu, *wall;
		bool timed = false;
		size_t len;

		if (unlikely(in_left(in) <= DUMPI_QUICK || r->finalized) ||
		    (len = dumpi_quick(r->layout, p, base)) == 0) {
			if (!fill_slow(s, c, r, b))
				return;
			continue;
		}
		__builtin_prefetch(p + 512);
		if (times) {
			find_times(p, &cpu, &wall);
			timed = take_times(c, r, cpu, wall);
		}
		emit(s, c, r, b, p, len, base, NULL, timed, args);
		in->p = (uint8_t *)(uintptr_t)p + len;
	}
}

/*
 * Makes sure that the rank's next record is whole in its buffer, and takes its times:
 * r->key, r->timed. False where there is none.
 */
static bool
peek(struct source *s, struct dumpi *c, struct dumpi_rank *r)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p, *cpu, *wall;
	struct dumpi_view v;
	bool quick;
	size_t len;

	p = dumpi_next(s, r, &v, base, &quick, &len, false);
	if (!p) {
		if (r->end)
			dumpi_finish(s, r);
		return false;
	}
	cpu = v.cpu;
	wall = v.wall;
	if (quick)
		find_times(p, &cpu, &wall);
	r->timed = take_times(c, r, cpu, wall);
	return true;
}

/* The record that peek has seen, as an event. */
static void
take(struct source *s, struct dumpi *c, struct dumpi_rank *r, struct batch *b, size_t *len)
{
	const uint8_t *base[DUMPI_PARTS + 1], *p = r->in->p;
	struct dumpi_view view, *v = NULL;

	*len = in_left(r->in) > DUMPI_QUICK ? dumpi_quick(r->layout, p, base) : 0;
	if (!*len) {
		v = &view;
		dumpi_parse(r->layout, p, in_left(r->in), v);
		*len = v->len;
	}
	if (s->opt->need & NEED_ARGS)
		emit(s, c, r, b, p, *len, base, v, r->timed, true);
	else
		emit(s, c, r, b, p, *len, base, v, r->timed, false);
}

static bool
before(const struct dumpi_head *a, const struct dumpi_head *b)
{
	return a->key < b->key || (a->key == b->key && a->rank < b->rank);
}

static void
sift(struct dumpi *c, size_t i)
{
	struct dumpi_head h = c->heap[i];

	for (;;) {
		size_t k = 2 * i + 1;

		if (k + 1 < c->nheap && before(&c->heap[k + 1], &c->heap[k]))
			k++;
		if (k >= c->nheap || !before(&c->heap[k], &h))
			break;
		c->heap[i] = c->heap[k];
		i = k;
	}
	c->heap[i] = h;
}

static void
fill_heap(struct source *s, struct dumpi *c)
{
	c->heads = true;
	c->heap = xcalloc(c->nranks, sizeof *c->heap);
	for (size_t i = 0; i < c->nranks; i++) {
		struct dumpi_rank *r = &c->rank[i];

		if (!r->ended && peek(s, c, r))
			c->heap[c->nheap++] = (struct dumpi_head){r->key, (uint32_t)i};
	}
	for (size_t i = c->nheap / 2; i-- > 0;)
		sift(c, i);
}

/*
 * The ranks by time: always the record whose call began first, of those that come next in
 * their files. Native records are copied, since a rank's buffer may move.
 */
static void
merge(struct source *s, struct dumpi *c, struct batch *b)
{
	const bool keep = s->opt->need & NEED_RAW;
	size_t raw_at[BATCH], len;

	if (!c->heads)
		fill_heap(s, c);
	c->raw.n = 0;
	while (c->nheap && !batch_full(b) && !s->stop) {
		struct dumpi_rank *r = &c->rank[c->heap->rank];

		take(s, c, r, b, &len);
		if (keep) {
			raw_at[b->n - 1] = c->raw.n;
			buf_add(&c->raw, r->in->p, len);
		}
		r->in->p += len;
		if (peek(s, c, r))
			c->heap->key = r->key;
		else
			*c->heap = c->heap[--c->nheap];
		if (c->nheap)
			sift(c, 0);
	}
	for (uint32_t i = 0; keep && i < b->n; i++)
		b->raw[i].p = c->raw.p + raw_at[i];
}

bool
dumpi_batch(struct source *s, struct batch *b)
{
	struct dumpi *c = s->state;

	if (tables_full(&s->t))
		dumpi_epoch(s, c);
	batch_start(b);
	buf_room(&b->own, BATCH * 2 * REC_HEAD + REC_SLACK);
	if (c->merge) {
		merge(s, c, b);
	} else {
		while (!b->n && !s->stop && c->at < c->nranks) {
			struct dumpi_rank *r = &c->rank[c->at];

			if (s->opt->need & NEED_ARGS)
				fill(s, c, r, b, true);
			else
				fill(s, c, r, b, false);
			if (b->n || !r->ended)
				break;
			if (r->end)
				dumpi_finish(s, r);
			c->at++;
		}
	}
	b->base = b->own.p;
	return b->n > 0;
}
