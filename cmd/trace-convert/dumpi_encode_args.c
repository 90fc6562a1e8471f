/* dumpi_encode_args.c - how the arguments of events become arguments of DUMPI records.
 *
 * A type of event is compiled to steps, one for each argument in the table of calls: which argument of the
 * event it is, and its form in the file. Steps are for one layout. */
#include <stdlib.h>
#include <string.h>

#include "trace-convert/dumpi_encode.h"
#include "event/value.h"

static const char no_value[] = "an argument is no value of its type";
static const char damaged[] = "an argument is damaged";
static const char uneven[] = "lists that belong together are not equally long";
static const char too_long[] = "the record would be too long";

static const char *const status_part[] = {".bytes", ".source", ".cancelled", ".error",
					  ".tag"};
static const uint8_t status_width[] = {4, 4, 1, 1, 4};

/* Returns the argument of the event called a->name followed by `behind`, or NULL. */
static const struct arg *
event_arg(const struct type *ty, const struct dumpi_arg *a, const char *behind)
{
	char name[sizeof a->name + 16];

	strcpy(name, a->name);
	strcat(name, behind);
	return arg_named(ty, name);
}

static bool
has_status(const struct type *ty, const struct dumpi_arg *a)
{
	for (unsigned i = 0; i < 5; i++)
		if (event_arg(ty, a, status_part[i]))
			return true;
	return false;
}

void
dumpi_out_plan(struct encode *e, const struct type *ty, void *plan)
{
	struct dumpi_out_plan *pl = plan;
	unsigned call = 0;

	while (call < DUMPI_CALLS && strcmp(dumpi_calls[call].name, ty->event) != 0)
		call++;
	/* These three have no records. */
	pl->call =
	    call == 128 || call == 290 || call == DUMPI_END ? DUMPI_CALLS : (uint16_t)call;
	if (pl->call == DUMPI_CALLS)
		return;
	for (unsigned i = 0; i < dumpi_calls[call].nargs; i++) {
		const struct dumpi_arg *a = &dumpi_calls[call].arg[i];

		if (a->shape != SHAPE_STATUS)
			continue;
		pl->has_status = true;
		pl->gives_status |= has_status(ty, a);
	}
	pl->cpu = field_find("arg.cpu", &e->s->head, ty);
	pl->cpudur = field_find("arg.cpudur", &e->s->head, ty);
	pl->labels = UINT32_MAX;
}

/* Returns the value for an argument that the event lacks: the usual one, the one for nothing, or 0. */
static uint64_t
default_of(const struct dumpi_type *t)
{
	for (uint32_t i = 0; i < t->labels.n; i++) {
		const char *name = t->labels.v[i].name;
		size_t n = strlen(name);

		if (!strcmp(name, "MPI_COMM_WORLD") || !strcmp(name, "MPI_BYTE") ||
		    (n > 5 && !strcmp(name + n - 5, "_NULL") && strcmp(t->name, "comm") &&
		     strcmp(t->name, "datatype")))
			return (uint64_t)t->labels.v[i].value;
	}
	return 0;
}

/* Returns whether argument i of a call is a count that follows from the bytes of the event. */
static bool
counts_bytes(const struct dumpi_call *k, unsigned i, const struct type *ty)
{
	const struct dumpi_bytes *b = k->bytes;

	for (unsigned n = 0; n < k->nbytes; n++)
		if (b[n].count == (int)i && !b[n].where && !b[n].all && ty->may & HAS_SIZE)
			return !event_arg(ty, &k->arg[b[n].datatype], "");
	return false;
}

/* Plans a number that the event does not have. */
static void
missing_step(struct dumpi_step *st, const struct dumpi_call *k, unsigned i,
	     const struct type *ty)
{
	st->code = STEP_CONST;
	st->value = default_of(k->arg[i].type);
	if ((int)i == k->peer && (st->arg[0] = arg_named(ty, "peer")) != NULL)
		st->code = STEP_VALUE;
	else if ((int)i == k->commrank)
		st->code = STEP_RANK;
	else if (counts_bytes(k, i, ty))
		st->code = STEP_SIZE;
	for (unsigned n = 0; n < k->nargs && st->code == STEP_CONST; n++)
		if (k->arg[n].len == (int)i && k->arg[n].shape != SHAPE_STR &&
		    (st->arg[0] = event_arg(
			 ty, &k->arg[n], k->arg[n].shape == SHAPE_STATUS ? ".bytes" : "")))
			st->code = STEP_COUNT;
}

/* Returns whether the event has a's elements as integers of that width. */
static bool
lies(const struct arg *a, unsigned width)
{
	return a && a->array && kind_is_int(a->kind) && kind_width(a->kind) == width;
}

/* Plans argument i, if it has that shape. */
static void
make_step(struct dumpi_step *st, const struct dumpi_call *k, unsigned i, unsigned shape,
	  const struct type *ty)
{
	static const uint8_t code[] = {
	    [SHAPE_ONE] = STEP_VALUE,	    [SHAPE_ARRAY] = STEP_ARRAY,
	    [SHAPE_ROWS] = STEP_ROWS,	    [SHAPE_STR] = STEP_STR,
	    [SHAPE_STRS] = STEP_STRS,	    [SHAPE_STRARRAY] = STEP_STRARRAY,
	    [SHAPE_STRROWS] = STEP_STRROWS,
	};
	const struct dumpi_arg *a = &k->arg[i];
	const struct arg *from;

	memset(st, 0, sizeof *st);
	st->number = (uint8_t)i;
	st->width = a->type->width;
	st->shift = (uint8_t)(64 - 8 * st->width);
	if (shape == SHAPE_STATUS) {
		st->code = STEP_STATUS;
		for (unsigned n = 0; n < 5; n++)
			if (lies(st->arg[n] = event_arg(ty, a, status_part[n]),
				 status_width[n]))
				st->lies |= (uint8_t)(1u << n);
		return;
	}
	st->code = code[shape];
	st->arg[0] = from = event_arg(ty, a, "");
	if (shape == SHAPE_ROWS || shape == SHAPE_STRROWS)
		st->arg[1] = event_arg(ty, a, ".len");
	st->lies = (uint8_t)(lies(from, st->width) | lies(st->arg[1], 4) << 1);
	if (shape != SHAPE_ONE)
		return;
	if (!from)
		missing_step(st, k, i, ty);
	else if (!from->array && !a->cond &&
		 (from->kind == a->type->kind || (st->width == 8 && from->kind == K_X64))) {
		st->code = STEP_INT;
		st->off = from->off;
	}
}

/* Returns the last argument of that name: arguments of the call precede the counters. */
static const struct arg *
counter_arg(const struct type *ty, const char *name)
{
	for (uint32_t i = ty->nargs; i-- > 0;)
		if (!strcmp(ty->args[i].name, name))
			return &ty->args[i];
	return NULL;
}

/* Finds the arguments of the event that are counters, by the names of the counters of rank k. */
static void
find_counters(struct encode *e, struct dumpi_out_plan *pl, const struct out_rank *k,
	      const struct type *ty)
{
	const struct dumpi_sections sec = {
	    .raw = {[SEC_LABELS] = *dumpi_out_section(k, SEC_LABELS)}};
	char name[DUMPI_COUNTER];

	pl->labels = k->labels;
	pl->nperf = 0;
	if (!pl->perf)
		pl->perf =
		    arena_get(&e->plan_cache.mem, sizeof *pl->perf * (ty->nargs + 2));
	while (pl->nperf < 255 && 2 * pl->nperf < ty->nargs) {
		dumpi_counter_name(&sec, pl->nperf, name);
		if (!(pl->perf[2 * pl->nperf] = counter_arg(ty, name)))
			break;
		strcat(name, ".out");
		pl->perf[2 * pl->nperf++ + 1] = counter_arg(ty, name);
	}
}

const struct out_steps *
dumpi_out_steps(struct encode *e, struct dumpi_out_plan *pl, const struct out_rank *k,
		uint32_t type)
{
	const struct dumpi_call *call = &dumpi_calls[pl->call];
	const struct type *ty = &e->s->t.type[type];
	struct out_steps *s = pl->of[k->layout->index];

	if (pl->labels != k->labels)
		find_counters(e, pl, k, ty);
	if (s)
		return s;
	pl->of[k->layout->index] = s = arena_get(&e->plan_cache.mem, sizeof *s);
	s->n = 0;
	for (unsigned i = 0; i < call->nargs; i++) {
		int shape = dumpi_shape_in(k->layout, &call->arg[i]);

		if (shape < 0 || (shape == SHAPE_STATUS && !pl->gives_status))
			continue;
		make_step(&s->step[s->n++], call, i, (unsigned)shape, ty);
	}
	return s;
}

/* Returns whether v is a value of the type; a value below 0 only if the type is signed. */
static bool
in_range(const struct dumpi_type *t, uint64_t v, bool neg)
{
	bool sign = t->kind >= K_I8 && t->kind <= K_I64;
	unsigned bits = 8u * t->width - sign;

	if (t->width == 8) /* or an address */
		return true;
	return neg ? sign && ~v >> bits == 0 : v >> bits == 0;
}

/* Sets *v to the value of type t in a text: a number, or a name. Returns false if there is none. */
static bool
value_of_text(const struct dumpi_type *t, const char *p, size_t n, uint64_t *v)
{
	bool neg;

	for (uint32_t i = 0; i < t->labels.n; i++) {
		const struct label *l = &t->labels.v[i];

		if (!strncmp(l->name, p, n) && !l->name[n]) {
			*v = (uint64_t)l->value;
			return true;
		}
	}
	return encode_whole(p, n, false, v, &neg) && in_range(t, *v, neg);
}

/* Returns the text of an argument, "" if a is NULL, valid until the next call. */
static const struct buf *
arg_text(struct encode *e, const struct rec *r, const struct arg *a)
{
	struct buf *b = &((struct dumpi_out *)e->state)->text;

	b->n = 0;
	buf_room(b, 1);
	if (a)
		value_arg(b, &e->s->t, r, a);
	return b;
}

/* Sets *v to the value of an argument as type t has it. Returns false if it has none. */
static bool
arg_value(struct encode *e, const struct rec *r, const struct arg *a,
	  const struct dumpi_type *t, uint64_t *v)
{
	const struct buf *b;

	if (kind_is_int(a->kind) && !a->array && !a->labels) {
		*v = value_int((const uint8_t *)r + a->off, a->kind);
		return in_range(t, *v,
				a->kind >= K_I8 && a->kind <= K_I64 && (int64_t)*v < 0);
	}
	b = arg_text(e, r, a);
	return value_of_text(t, (const char *)b->p, b->n, v);
}

/* Elements of an argument, in the machine's byte order. */
struct element_run {
	const uint8_t *p;
	uint32_t n;
};

/* Makes elements of `width` bytes from the text of a, in tmp. Returns NULL, or why it cannot. */
static const char *
run_of_text(struct encode *e, const struct rec *r, const struct arg *a,
	    const struct dumpi_type *t, unsigned width, unsigned tmp,
	    struct element_run *run)
{
	const struct buf *b = arg_text(e, r, a);
	struct buf *to = &((struct dumpi_out *)e->state)->tmp[tmp];
	struct dumpi_type of = *t;
	const char *p, *end, *comma;
	uint64_t v;

	of.width = (uint8_t)width;
	of.kind = width == t->width ? t->kind : width == 1 ? K_I8 : K_I32;
	to->n = 0;
	buf_room(to, 8);
	p = (const char *)b->p;
	for (end = p + b->n; p < end; p = comma + 1) {
		comma = memchr(p, ',', (size_t)(end - p));
		comma = comma ? comma : end;
		if (!value_of_text(&of, p, (size_t)(comma - p), &v) ||
		    (comma + 1 == end && *comma == ','))
			return no_value;
		v = HOST_BIG ? v << (64 - 8 * width) : v;
		buf_add(to, &v, width);
	}
	*run = (struct element_run){to->p, (uint32_t)(to->n / width)};
	return NULL;
}

/* Finds the elements of argument i of a step, in the event if they have the right form there. Returns NULL, or
 * what is wrong. */
static INLINE const char *
run_of(struct encode *e, const struct rec *r, const struct dumpi_step *st, unsigned i,
       const struct dumpi_type *t, unsigned width, struct element_run *run)
{
	const struct arg *a = st->arg[i];
	struct part part;

	if (unlikely(!(st->lies >> i & 1)))
		return run_of_text(e, r, a, t, width, i, run);
	memcpy(&part, (const uint8_t *)r + a->off, sizeof part);
	if (unlikely(part.off > r->len || (uint64_t)part.n * width > r->len - part.off))
		return damaged;
	*run = (struct element_run){(const uint8_t *)r + part.off, part.n};
	return NULL;
}

/* Returns room for n bytes, and for anything that follows. */
static inline uint8_t *
rank_room(struct out_rank *k, size_t n)
{
	struct buf *b = &k->waits;

	if (unlikely(b->cap - b->n < n + DUMPI_OUT_ROOM))
		buf_room(b, n + DUMPI_OUT_ROOM);
	return b->p + b->n;
}

static void
put_run(struct out_rank *k, const struct element_run *run, unsigned width)
{
	uint8_t *p = dumpi_big32(rank_room(k, 4 + (size_t)run->n * width), run->n);

	for (uint32_t i = 0; i < run->n; i++) {
		const uint8_t *q = run->p + (size_t)i * width;

		if (width == 4)
			p = dumpi_big32(p, ld32(q));
		else if (width == 2)
			p = big16(p, ld16(q));
		else
			*p++ = *q;
	}
	buf_to(&k->waits, p);
}

static const char *
put_rows(struct encode *e, struct out_rank *k, const struct rec *r,
	 const struct dumpi_step *st, const struct dumpi_type *t)
{
	struct element_run all = {0}, each = {0}, row;
	const char *why = NULL;

	if (st->arg[0])
		why = run_of(e, r, st, 0, t, t->width, &all);
	if (!why && st->arg[1])
		why = run_of(e, r, st, 1, t, 4, &each);
	if (why)
		return why;
	buf_to(&k->waits, dumpi_big32(rank_room(k, 4), each.n));
	for (row.p = all.p; each.n; each.n--, each.p += 4) {
		row.n = ld32(each.p);
		if (row.n > all.n)
			return uneven;
		put_run(k, &row, t->width);
		row.p += (size_t)row.n * t->width;
		all.n -= row.n;
	}
	return all.n ? uneven : NULL;
}

static const char *
put_statuses(struct encode *e, struct out_rank *k, const struct rec *r,
	     const struct dumpi_step *st, const struct dumpi_type *t)
{
	static const uint8_t zeros[4];
	unsigned width = k->layout->status, nparts = width == 14 ? 5 : 4;
	struct element_run run[5] = {{0}};
	uint32_t n = 0, step[5] = {0};
	const char *why;
	uint8_t *p;

	for (unsigned i = 0; i < nparts; i++) {
		run[i].p = zeros;
		if (!st->arg[i])
			continue;
		why = run_of(e, r, st, i, t, status_width[i], &run[i]);
		if (why)
			return why;
		if (n && run[i].n != n)
			return uneven;
		n = run[i].n;
		step[i] = status_width[i];
	}
	for (unsigned i = 0; i < nparts; i++)
		if (st->arg[i] && run[i].n != n)
			return uneven;
	p = dumpi_big32(rank_room(k, 4 + (size_t)n * width), n);
	for (uint32_t i = 0; i < n; i++, p += width) {
		dumpi_big32(p, ld32(run[0].p + (size_t)i * step[0]));
		dumpi_big32(p + 4, ld32(run[1].p + (size_t)i * step[1]));
		p[8] = run[2].p[(size_t)i * step[2]];
		p[9] = run[3].p[(size_t)i * step[3]];
		if (nparts == 5)
			dumpi_big32(p + 10, ld32(run[4].p + (size_t)i * step[4]));
	}
	buf_to(&k->waits, p);
	return NULL;
}

static const char *
encode_string(struct encode *e, struct out_rank *k, const struct rec *r,
	      const struct dumpi_step *st)
{
	struct span text = {0};
	uint8_t *p;

	if (st->arg[0] && !encode_text(e, r, st->arg[0], &text))
		return damaged;
	if (text.n > DUMPI_LONGEST)
		return too_long;
	p = dumpi_big32(rank_room(k, 4 + text.n), (uint32_t)text.n);
	if (text.n)
		memcpy(p, text.p, text.n);
	buf_to(&k->waits, p + text.n);
	return NULL;
}

/* Appends the next of the strings in [p, end), which commas separate. Returns the start of the rest, or NULL
 * after the last. */
static const uint8_t *
put_next_string(struct out_rank *k, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *comma = memchr(p, ',', (size_t)(end - p));
	size_t n = (size_t)((comma ? comma : end) - p);
	uint8_t *to = rank_room(k, 4 + n);
	size_t len = n == 2 && !memcmp(p, "\"\"", 2) ? 0 : unescape(to + 4, p, n);

	buf_to(&k->waits, dumpi_big32(to, (uint32_t)len) + len);
	return comma ? comma + 1 : NULL;
}

/* Appends arrays of strings, or of arrays of strings. Returns NULL, or what is wrong. */
static const char *
put_strings(struct encode *e, struct out_rank *k, const struct rec *r,
	    const struct dumpi_step *st, uint64_t argc)
{
	const struct buf *b;
	const uint8_t *p, *end;
	struct element_run each = {0};
	const char *why;
	uint32_t n, rows;

	if (st->code == STEP_STRROWS && st->arg[1] &&
	    (why = run_of(e, r, st, 1, dumpi_type_named("i32", 3), 4, &each)))
		return why;
	b = arg_text(e, r, st->arg[0]);
	end = b->p + b->n;
	p = b->n ? b->p : NULL;
	for (n = 0; n < b->n && st->code != STEP_STRROWS; n++)
		argc -= st->code == STEP_STRS && b->p[n] == ',';
	if (st->code == STEP_STRS && argc != (b->n ? 1 : 0))
		return "argc is not the number of strings";
	rows = st->code == STEP_STRROWS ? each.n : 1;
	if (st->code == STEP_STRROWS)
		buf_to(&k->waits, dumpi_big32(rank_room(k, 4), rows));
	for (uint32_t i = 0; i < rows; i++) {
		size_t at = k->waits.n;
		uint32_t most =
		    st->code == STEP_STRROWS ? ld32(each.p + 4 * (size_t)i) : UINT32_MAX;

		if (st->code != STEP_STRS)
			buf_to(&k->waits, rank_room(k, 4) + 4);
		for (n = 0; p && n < most; n++)
			p = put_next_string(k, p, end);
		if (most != UINT32_MAX && n != most)
			return uneven;
		if (st->code != STEP_STRS)
			dumpi_big32(k->waits.p + at, n);
	}
	return p ? uneven : NULL;
}

/* Sets *n to the number of elements of an argument. Returns false if the event is damaged. */
static bool
count_of(struct encode *e, const struct rec *r, const struct arg *a, uint64_t *n)
{
	const struct buf *b;
	const uint8_t *p;
	uint32_t elements;

	if (a->array) {
		if (!rec_span(r, a, &p, &elements))
			return false;
		*n = elements;
		return true;
	}
	b = arg_text(e, r, a);
	*n = b->n > 0;
	for (size_t i = 0; i < b->n; i++)
		*n += b->p[i] == ',';
	return true;
}

/* Sets *v to the number of a step. Returns false if there is none. */
static bool
step_value(struct encode *e, const struct out_rank *k, const struct rec *r,
	   const struct dumpi_step *st, const struct dumpi_type *t, uint64_t *v)
{
	switch (st->code) {
	case STEP_VALUE: return arg_value(e, r, st->arg[0], t, v);
	case STEP_CONST: *v = st->value; return true;
	case STEP_COUNT: return count_of(e, r, st->arg[0], v) && in_range(t, *v, false);
	case STEP_RANK: *v = k->number < 0 ? 0 : (uint64_t)k->number; return true;
	default: *v = r->size; return in_range(t, *v, false);
	}
}

/* Appends a step that is not a number. Returns NULL, or what is wrong. */
static const char *
put_other(struct encode *e, struct out_rank *k, const struct rec *r,
	  const struct dumpi_step *st, const struct dumpi_arg *a, uint64_t argc)
{
	struct element_run run = {0};
	const char *why;

	switch (st->code) {
	case STEP_ARRAY:
		if (st->arg[0] && (why = run_of(e, r, st, 0, a->type, st->width, &run)))
			return why;
		put_run(k, &run, st->width);
		return NULL;
	case STEP_ROWS: return put_rows(e, k, r, st, a->type);
	case STEP_STR: return encode_string(e, k, r, st);
	case STEP_STATUS: return put_statuses(e, k, r, st, a->type);
	default: return put_strings(e, k, r, st, argc);
	}
}

const char *
dumpi_out_args(struct encode *e, const struct dumpi_out_plan *pl,
	       const struct out_steps *steps, struct out_rank *k, const struct rec *r)
{
	const struct dumpi_call *call = &dumpi_calls[pl->call];
	const struct dumpi_step *st = steps->step, *end = st + steps->n;
	uint64_t value[DUMPI_ARGS], v;
	size_t start = k->waits.n;
	uint8_t *p = k->waits.p + start;
	const char *why;

	for (; st < end; st++) {
		const struct dumpi_arg *a;

		if (likely(st->code == STEP_INT)) {
			v = ld64((const uint8_t *)r + st->off);
			v = HOST_BIG ? v >> st->shift << st->shift : v << st->shift;
			value[st->number] = v;
			big64(p, v);
			p += st->width;
			continue;
		}
		a = &call->arg[st->number];
		if (a->cond && value[call->cond_a] != value[call->cond_b])
			continue;
		if (st->code > STEP_RANK) {
			/* Counts of strings are 4 bytes wide. */
			v = st->code == STEP_STRS ? value[a->len] >> 32 : 0;
			buf_to(&k->waits, p);
			if ((why = put_other(e, k, r, st, a, v)) != NULL)
				return why;
			p = k->waits.p + k->waits.n;
			if (a->shape >= SHAPE_STRS && a->shape <= SHAPE_STRROWS &&
			    k->waits.n - start > DUMPI_STRINGS - DUMPI_QUICK)
				return too_long;
			continue;
		}
		if (!step_value(e, k, r, st, a->type, &v))
			return no_value;
		value[st->number] = v << st->shift;
		big64(p, v << st->shift);
		p += st->width;
	}
	buf_to(&k->waits, p);
	return k->waits.n - start > DUMPI_LONGEST - DUMPI_QUICK ? too_long : NULL;
}
