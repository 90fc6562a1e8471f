/*
 * ovni_plan.c - makes records of events.
 *
 * ovni_record is the definition: any event, any payload, either byte order. The facts that are the same for all
 * events that begin with the same four bytes are kept in a plan. If such events differ only in 16 bytes of
 * payload, the fast path in take.c uses the plan.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define PLAN_BITS 11

/* Number of types that the records of one plan can have: by how many arguments are in the
 * payload, whether bytes are left over, and which labels the record has. */
#define VARIANTS ((OVNI_ARGS + 1) * 2 * 4)

/* The properties that decide a record's type, in addition to model, category and value. */
struct ovni_shape {
	bool jumbo, rest;
	uint8_t labels; /* bit 0: title, bit 1: label */
	unsigned nargs;
	const struct ovni_counters *counters; /* NULL if the event has no counters */
};

/* Returns a value for `fast` in a slot that the fast path must not use: four bytes with
 * flags that no event has. If a damaged stream contains them, they hash to another slot. */
static uint32_t
no_plan(const struct ovni *o, size_t slot)
{
	uint32_t none = OVNI_NONE;

	return (size_t)(ovni_plan_slot(o, none) - o->plan) == slot ? none - 1 : none;
}

static void
plans_room(struct ovni *o, unsigned bits)
{
	struct ovni_plan *old = o->plan;
	size_t n = old ? (size_t)1 << o->plan_bits : 0;

	o->plan = xaligned(sizeof *o->plan << bits);
	memset(o->plan, 0, sizeof *o->plan << bits);
	o->plan_bits = bits;
	for (size_t i = 0; i < (size_t)1 << bits; i++) {
		o->plan[i].fast = no_plan(o, i);
		o->plan[i].key = OVNI_NONE;
	}
	for (size_t i = 0; i < n; i++) {
		struct ovni_plan *p;
		size_t at;

		if (old[i].key == OVNI_NONE)
			continue;
		p = (struct ovni_plan *)(uintptr_t)ovni_plan_slot(o, old[i].key);
		for (at = (size_t)(p - o->plan); o->plan[at].key != OVNI_NONE;)
			at = (at + 1) & (((size_t)1 << bits) - 1);
		o->plan[at] = old[i];
		if (old[i].fast != old[i].key)
			o->plan[at].fast = no_plan(o, at);
	}
	free(old);
}

void
ovni_plans_reset(struct ovni *o)
{
	FREE(o->plan);
	o->nplans = 0;
	o->nvariants = 0;
	o->proto.n = 0;
	plans_room(o, PLAN_BITS);
}

/* Writes the three bytes of MCV to `to`, with \xHH for a byte that is not printable ASCII. Returns the length. */
static size_t
put_mcv(char *to, const uint8_t *mcv)
{
	size_t n = 0;

	for (int i = 0; i < 3; i++) {
		if (mcv[i] > ' ' && mcv[i] < 127 && mcv[i] != '\\') {
			to[n++] = (char)mcv[i];
			continue;
		}
		memcpy(to + n, "\\x", 2);
		memcpy(to + n + 2, put_hex2[mcv[i]], 2);
		n += 4;
	}
	return n;
}

static void
ovni_add_arg(struct type *ty, struct arg *arg, const char *name, enum kind kind)
{
	arg[ty->nargs].name = name;
	arg[ty->nargs++].kind = (uint8_t)kind;
}

static uint32_t
make_type(struct source *s, const uint8_t *mcv, const struct ovni_shape *sh)
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(mcv);
	uint32_t most = OVNI_ARGS + 8 + (sh->counters ? sh->counters->n : 0), number;
	struct arg *arg = xcalloc(most, sizeof *arg);
	char name[16];
	struct type ty = {.event = name, .args = arg};

	ty.event_len = (uint32_t)put_mcv(name, mcv);
	ty.must = sh->jumbo ? HAS_SIZE : 0;
	if (o->opt.names && e) {
		arg[0].text = e->name;
		ovni_add_arg(&ty, arg, "name", K_CONST);
	}
	for (unsigned i = 0; i < sh->nargs; i++) {
		if (sh->counters)
			ovni_add_arg(&ty, arg, sh->counters->name[i], K_I64);
		else
			ovni_add_arg(&ty, arg, e->arg[i].name, e->arg[i].kind);
	}
	if (sh->rest)
		ovni_add_arg(&ty, arg, e ? "rest" : "payload", K_BYTES);
	if (sh->labels & 1)
		ovni_add_arg(&ty, arg, "title", K_SYM);
	if (sh->labels & 2)
		ovni_add_arg(&ty, arg, "label", K_SYM);
	number = type_add(&s->t, &ty);
	free(arg);
	return number;
}

/* Returns the length of the string at p, up to a NUL or to the end. *used is the length with the NUL. */
static size_t
string(const uint8_t *p, size_t n, size_t *used)
{
	const uint8_t *nul = memchr(p, '\0', n);

	*used = nul ? (size_t)(nul - p) + 1 : n;
	return nul ? (size_t)(nul - p) : n;
}

/* Returns the number of arguments in a payload of n bytes, and in *end the end of their bytes. If data is NULL,
 * not all of the payload is in memory, and a string is not an argument. */
static unsigned
decode(const struct ovni_event *e, const uint8_t *data, size_t n, size_t *end)
{
	unsigned i;

	*end = 0;
	for (i = 0; e && i < e->nargs; i++) {
		size_t used = kind_width(e->arg[i].kind);

		if (e->arg[i].kind == K_STR) {
			if (*end >= n || !data)
				break;
			string(data + *end, n - *end, &used);
		} else if (n - *end < used)
			break;
		*end += used;
	}
	return i;
}

/* Returns true if the payload has the same layout in records of a type as in the event. */
static bool
agrees(const struct type *ty, unsigned nargs)
{
	size_t at = 0;

	for (uint32_t i = 0; i < ty->nargs && nargs; i++) {
		if (ty->args[i].kind == K_CONST)
			continue;
		if (ty->args[i].off != REC_HEAD + at)
			return false;
		at += kind_width(ty->args[i].kind);
		nargs--;
	}
	return true;
}

/* Lets the fast path follow the plan, if record and payload agree byte for byte. */
static void
make_fast(struct source *s, struct ovni_plan *p, const struct ovni_event *e)
{
	struct ovni *o = s->state;
	size_t n = p->size - OVNI_EVENT, end;
	unsigned nargs = decode(e, NULL, n, &end);
	struct ovni_shape sh = {.nargs = nargs, .rest = n > end};
	const struct type *ty;
	uint8_t mcv[4];

	memcpy(mcv, &p->key, 4);
	p->type = make_type(s, mcv + 1, &sh);
	ty = &s->t.type[p->type];
	p->len = ty->fixed;
	p->to = REC_HEAD;
	if (!agrees(ty, nargs))
		return;
	if (n > end) {
		struct part part = {REC_HEAD + sizeof part, (uint32_t)n};

		if (nargs || (e && e->nargs))
			return; /* arguments and a rest: leave it to the slow path */
		memcpy(&p->part, &part, sizeof part);
		p->to = part.off;
		p->len = part.off + (((uint32_t)n + 7) & ~7u);
	}
	for (int i = 0; i < 2; i++) {
		size_t bytes = n > 8 * (size_t)i ? n - 8 * (size_t)i : 0;

		p->mask[i] = bytes >= 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
	}
	/* The fast path cannot be used if the event has labels or counters from the metadata, if it begins or ends
	 * a region, or if it may not be an event. */
	if (!(e && e->labelled == OVNI_MARK && o->names->marks) &&
	    !(e && e->counters && o->names->counters) &&
	    !(mcv[1] == 'O' && mcv[2] == 'U') && ovni_printable(mcv))
		p->fast = p->key;
}

/* Reports once that two releases gave these letters to different events, if the trace may be from either. */
static void
hint_release(struct source *s, const uint8_t mcv[3])
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(mcv);
	char old[SCHEMA_NAME];

	if (!ovni_old_name(mcv, old) || !o->maybe_old || o->opt.old)
		return;
	o->maybe_old = false; /* report it once */
	ovni_remark(s, NULL, s->name,
		    "%.3s is %s in release 1.0.0, but %s in later ones, as read here: set "
		    "-O release=1.0 for the first",
		    (const char *)mcv, old, e ? e->name : "no known event");
}

static COLD struct ovni_plan *
make_ovni_plan(struct source *s, uint32_t key)
{
	struct ovni *o = s->state;
	struct ovni_plan *p;
	struct rec *r;
	uint32_t len;
	uint8_t b[4];
	size_t at;

	/* Keep at least seven of eight slots free, so that few plans share one. */
	if (8 * (o->nplans + 1) > 1u << o->plan_bits)
		plans_room(o, o->plan_bits + 2);
	at = (size_t)(ovni_plan_slot(o, key) - o->plan);
	while (o->plan[at].key != OVNI_NONE)
		at = (at + 1) & (((size_t)1 << o->plan_bits) - 1);
	p = &o->plan[at];
	o->nplans++;
	memcpy(b, &key, 4);
	p->key = key;
	p->size = ovni_size(*b);
	p->variant = (uint32_t)o->nvariants;
	hint_release(s, b + 1);
	if (*b & OVNI_JUMBO)
		p->type = make_type(s, b + 1, &(struct ovni_shape){.jumbo = true});
	else
		make_fast(s, p, ovni_event(b + 1));
	/* Make a record of the type without arguments. */
	len = s->t.type[p->type].fixed;
	r = (struct rec *)(void *)buf_room(&o->proto, len + REC_SLACK);
	memset(r, 0, len + REC_SLACK);
	r->len = len;
	r->type = p->type;
	p->proto = (uint32_t)o->proto.n;
	o->proto.n += len;
	if (o->types_only && !(*b & OVNI_JUMBO) && !(b[1] == 'O' && b[2] == 'U') &&
	    ovni_printable(b))
		p->fast = key; /* the payload does not matter */
	if (p->fast != key) {
		GROW(o->variant, o->variantcap, o->nvariants + VARIANTS);
		memset(o->variant + o->nvariants, 0, VARIANTS * sizeof *o->variant);
		o->nvariants += VARIANTS;
	}
	return p;
}

const struct ovni_plan *
ovni_plan_of(struct source *s, uint32_t key)
{
	struct ovni *o = s->state;
	const struct ovni_plan *end = o->plan + ((size_t)1 << o->plan_bits), *p;

	for (p = ovni_plan_slot(o, key); p->key != OVNI_NONE;) {
		if (p->key == key)
			return p;
		if (++p == end)
			p = o->plan;
	}
	return make_ovni_plan(s, key);
}

const struct ovni_plan *
ovni_fast_plan(const struct ovni *o, uint32_t key)
{
	const struct ovni_plan *end = o->plan + ((size_t)1 << o->plan_bits), *p;

	/* Four bytes of a damaged stream may be equal to the markers of unused slots. */
	if (key == OVNI_NONE || key == OVNI_NONE - 1)
		return NULL;
	for (p = ovni_plan_slot(o, key); p->key != OVNI_NONE;) {
		if (p->fast == key)
			return p;
		if (++p == end)
			p = o->plan;
	}
	return NULL;
}

static void
add_part(struct buf *b, size_t at, const struct arg *a, const void *p, size_t n)
{
	size_t len = (n + 7) & ~(size_t)7;
	uint8_t *to = buf_room(b, len + REC_SLACK);
	struct rec *r = (struct rec *)(void *)(b->p + at);
	struct part part = {r->len, (uint32_t)n};

	memcpy((uint8_t *)r + a->off, &part, sizeof part);
	if (len)
		memset(to + len - 8, 0, 8);
	if (n)
		memcpy(to, p, n);
	r->len += (uint32_t)len;
	b->n += len;
}

/* Returns the type of an event's records, made if it is new. */
static uint32_t
plan_type_of(struct source *s, const struct ovni_frame *f, const struct ovni_plan *plan,
	     const struct ovni_shape *sh, struct ovni_counters *counters)
{
	struct ovni *o = s->state;
	uint32_t *v;

	if (counters) {
		if (counters->epoch != s->t.epoch + 1)
			memset(counters->type, 0,
			       2 * (counters->n + 1) * sizeof *counters->type);
		counters->epoch = s->t.epoch + 1;
		v = &counters->type[2 * sh->nargs + sh->rest];
	} else if (plan->fast == plan->key) {
		return plan->type;
	} else {
		v = &o->variant[plan->variant + (sh->nargs * 2 + sh->rest) * 4 +
				sh->labels];
	}
	if (!*v) {
		/* counts, so that tables stay within their limit */
		o->nplans += counters != NULL;
		*v = make_type(s, f->p + 1, sh) + 1;
	}
	return *v - 1;
}

/* The payload of an event, as far as it is in memory. */
struct payload {
	const uint8_t *p;
	size_t n;
	size_t end; /* end of the bytes that become arguments */
	bool swap;
};

/* Sets sh->nargs, sh->rest and data->end by the length of the payload. */
static void
shape_payload(struct ovni_shape *sh, const struct ovni_event *e, const struct ovni_frame *f,
	      struct payload *data)
{
	if (sh->counters) {
		sh->nargs = f->cut			    ? 0
			    : data->n / 8 < sh->counters->n ? (unsigned)(data->n / 8)
							    : sh->counters->n;
		data->end = (size_t)8 * sh->nargs;
	} else
		sh->nargs = decode(e, f->cut ? NULL : f->data, data->n, &data->end);
	sh->rest = !f->cut && data->n > data->end;
}

/* Writes the first n arguments of the type, which come from the payload, to the record at `at`. */
static void
put_stored(struct buf *b, size_t at, const struct type *ty, uint32_t n,
	   const struct payload *d)
{
	const uint8_t *p = d->p;

	for (uint32_t i = 0; i < n; i++) {
		const struct arg *a = &ty->args[i];
		size_t used, len;

		switch (a->kind) {
		case K_CONST: break;
		case K_STR:
			len = string(p, (size_t)(d->p + d->n - p), &used);
			add_part(b, at, a, p, len);
			p += used;
			break;
		case K_BYTES: add_part(b, at, a, d->p + d->end, d->n - d->end); break;
		default:
			len = kind_width(a->kind);
			for (size_t k = 0; k < len; k++)
				b->p[at + a->off + k] = p[d->swap ? len - 1 - k : k];
			p += len;
		}
	}
}

uint32_t
ovni_record(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f,
	    uint64_t key)
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(f->p + 1);
	const struct ovni_plan *plan = ovni_plan_of(s, ld32(f->p));
	struct ovni_counters *counters = ovni_names_counters(c->st, e);
	struct ovni_shape sh = {.jumbo = f->jumbo, .counters = counters};
	uint32_t sym[2] = {0, 0}, type, stored;
	struct buf *b = &o->m.area;
	struct payload data = {f->data,
			       f->cut ? (size_t)(c->end - f->data) : (size_t)f->ndata, 0,
			       c->st->swap};
	size_t at = b->n;
	const struct type *ty;
	struct rec *r;

	if (e && e->labelled == OVNI_MARK)
		ovni_names_of(s, c->st, data.p, data.n, sym);
	sh.labels = (uint8_t)((sym[0] != 0) | (sym[1] != 0) << 1);
	shape_payload(&sh, e, f, &data);
	type = plan_type_of(s, f, plan, &sh, counters);
	ty = &s->t.type[type];
	r = (struct rec *)(void *)buf_room(b, ty->fixed + REC_SLACK);
	memset(r, 0, ty->fixed);
	r->len = ty->fixed;
	r->type = type;
	r->loc = c->loc;
	r->has = ty->must;
	r->time = (int64_t)(key - o->origin);
	r->size = f->jumbo ? f->ndata : 0;
	r->dur = c->stream;
	b->n += ty->fixed;
	/* Arguments of the payload come first, then labels. */
	stored = (o->opt.names && e) + sh.nargs + sh.rest;
	put_stored(b, at, ty, stored, &data);
	for (uint32_t i = stored; i < ty->nargs; i++) {
		uint32_t label = sym[*ty->args[i].name == 'l'] - 1;

		memcpy(b->p + at + ty->args[i].off, &label, sizeof label);
	}
	if (f->cut && o->need & NEED_ARGS)
		fault(s, NULL, COST_STATUS, c->st->path, ovni_offset(c),
		      "jumbo data of %llu bytes exceed the limit of %u, so the event has "
		      "no data",
		      (unsigned long long)f->ndata, OVNI_LONGEST);
	return (uint32_t)at;
}
