/*
 * ovni_plan.c - records out of events.
 *
 * ovni_record is the definition: any event, any payload, either byte order. What is always
 * the same about the events that begin with the same four bytes is kept in a plan, and
 * where nothing varies but 16 bytes of payload, the fast path in fmt_ovni.c follows the
 * plan.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "ovni/ovni_trace.h"

#define PLAN_BITS 11

/* What may differ between records of one plan: how many arguments the payload reached to,
 * whether bytes were left over, and what -D knows. */
enum state {
	PLAIN,
	TIMED, /* has a duration */
	OPEN,  /* open=1 */
	STATES
};
#define VARIANTS ((OVNI_ARGS + 1) * 2 * STATES)

/* What `fast` is in a slot that the fast path shall not follow: four bytes with flags that
 * no event has, and which lead to another slot, should they lie in a stream all the same.
 */
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
	free(o->plan);
	o->plan = NULL;
	o->nplans = 0;
	o->nvariants = 0;
	o->proto.n = 0;
	plans_room(o, PLAN_BITS);
}

/* MCV as it is written: what is not printable ASCII as \xHH. */
static size_t
put_mcv(char *to, const uint8_t *mcv)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0;

	for (int i = 0; i < 3; i++) {
		if (mcv[i] > ' ' && mcv[i] < 127 && mcv[i] != '\\') {
			to[n++] = (char)mcv[i];
			continue;
		}
		to[n++] = '\\';
		to[n++] = 'x';
		to[n++] = hex[mcv[i] >> 4];
		to[n++] = hex[mcv[i] & 15];
	}
	return n;
}

static uint32_t
make_type(struct source *s, const uint8_t *mcv, bool jumbo, unsigned nargs, bool rest,
	  enum state state)
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(mcv);
	struct arg arg[OVNI_ARGS + 3];
	char name[16];
	struct type ty = {.event = name, .args = arg};
	uint32_t n = 0;

	memset(arg, 0, sizeof arg);
	ty.event_len = (uint32_t)put_mcv(name, mcv);
	ty.must = (uint8_t)((jumbo ? HAS_SIZE : 0) | (state == TIMED ? HAS_DUR : 0));
	if (o->opt.names && e) {
		arg[n].name = "name";
		arg[n].kind = K_CONST;
		arg[n++].text = e->name;
	}
	for (unsigned i = 0; i < nargs; i++) {
		arg[n].name = e->arg[i].name;
		arg[n++].kind = (uint8_t)e->arg[i].kind;
	}
	if (rest) {
		arg[n].name = e ? "rest" : "payload";
		arg[n++].kind = K_BYTES;
	}
	if (state == OPEN) {
		arg[n].name = "open";
		arg[n++].kind = K_U8;
	}
	ty.nargs = n;
	return type_add(&s->t, &ty);
}

/* Bytes of an integer in the payload. */
static size_t
width(enum kind k)
{
	return kind_width(k);
}

/* Arguments that n bytes of fixed-width payload reach to, and where they end. */
static unsigned
reach(const struct ovni_event *e, size_t n, size_t *end)
{
	unsigned i;

	*end = 0;
	for (i = 0; e && i < e->nargs; i++) {
		if (e->arg[i].kind == K_STR || *end + width(e->arg[i].kind) > n)
			break;
		*end += width(e->arg[i].kind);
	}
	return i;
}

/* Where record and payload agree, byte for byte, the fast path does. */
static void
make_fast(struct source *s, struct ovni_plan *p, const struct ovni_event *e)
{
	struct ovni *o = s->state;
	size_t n = p->size - OVNI_EVENT, end, at = 0;
	unsigned nargs = reach(e, n, &end);
	const struct type *ty;
	uint8_t mcv[4];

	memcpy(mcv, &p->key, 4);
	p->type = make_type(s, mcv + 1, false, nargs, n > end, PLAIN);
	ty = &s->t.type[p->type];
	p->len = ty->fixed;
	p->to = REC_HEAD;
	for (uint32_t i = 0; i < ty->nargs; i++) {
		if (ty->args[i].kind == K_CONST || ty->args[i].kind == K_BYTES)
			continue;
		if (ty->args[i].off != REC_HEAD + at)
			return;
		at += kind_width(ty->args[i].kind);
	}
	if (n > end) {
		struct part part = {REC_HEAD + sizeof part, (uint32_t)n};

		if (nargs || (e && e->nargs))
			return; /* arguments and more: the slow path's */
		memcpy(&p->part, &part, sizeof part);
		p->to = part.off;
		p->len = part.off + (((uint32_t)n + 7) & ~7u);
	}
	for (int i = 0; i < 2; i++) {
		size_t bytes = n > 8 * (size_t)i ? n - 8 * (size_t)i : 0;

		p->mask[i] = bytes >= 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
	}
	if (o->opt.pairs && e && e->role != OVNI_POINT)
		return;
	if (mcv[1] == 'O' && mcv[2] == 'U') /* a region begins or ends */
		return;
	if (!ovni_printable(mcv)) /* it may be no event at all */
		return;
	p->fast = p->key;
}

/* A record of the type that says no more than that. */
static void
make_proto(struct ovni *o, struct ovni_plan *p, const struct tables *t)
{
	uint32_t len = t->type[p->type].fixed;
	struct rec *r = (struct rec *)(void *)buf_room(&o->proto, len + REC_SLACK);

	memset(r, 0, len + REC_SLACK);
	r->len = len;
	r->type = p->type;
	p->proto = (uint32_t)o->proto.n;
	o->proto.n += len;
}

/* Two releases gave these letters to different events, and the trace may be of either. */
static void
hint_release(struct source *s, const uint8_t mcv[3])
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(mcv);
	const char *old = ovni_old_name(mcv);

	if (!old || !o->maybe_old || o->opt.old)
		return;
	o->maybe_old = false; /* said once */
	ovni_remark(
	    s, s->name,
	    "%.3s is %s in a trace of release 1.0.0, and %s in later ones, as it is "
	    "read here: ovni-dump --release 1.0 reads it the other way",
	    (const char *)mcv, old, e ? e->name : "no known event");
}

static COLD struct ovni_plan *
make_plan(struct source *s, uint32_t key)
{
	struct ovni *o = s->state;
	struct ovni_plan *p;
	uint8_t b[4];
	size_t at;

	/* Few share a slot: one of sixteen, and mostly another one finds its own. */
	if (8 * (o->nplans + 1) > 1u << o->plan_bits)
		plans_room(o, o->plan_bits + 2);
	at = (size_t)(ovni_plan_slot(o, key) - o->plan);
	while (o->plan[at].key != OVNI_NONE)
		at = (at + 1) & (((size_t)1 << o->plan_bits) - 1);
	p = &o->plan[at];
	o->nplans++;
	memcpy(b, &key, 4);
	p->key = key;
	p->size = OVNI_EVENT + (*b & 15 ? (*b & 15u) + 1 : 0);
	p->variant = (uint32_t)o->nvariants;
	hint_release(s, b + 1);
	if (*b & OVNI_JUMBO) {
		p->type = make_type(s, b + 1, true, 0, false, PLAIN);
	} else
		make_fast(s, p, ovni_event(b + 1));
	make_proto(o, p, &s->t);
	if (o->types_only && !(*b & OVNI_JUMBO) && !(b[1] == 'O' && b[2] == 'U') &&
	    ovni_printable(b))
		p->fast = key; /* whatever its payload is */
	if (p->fast != key) {
		o->variant = grow(o->variant, &o->variantcap, o->nvariants + VARIANTS,
				  sizeof *o->variant);
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
	return make_plan(s, key);
}

const struct ovni_plan *
ovni_fast_plan(const struct ovni *o, uint32_t key)
{
	const struct ovni_plan *end = o->plan + ((size_t)1 << o->plan_bits), *p;

	/* Four bytes of anything: flags that no event has may look like a mark of ours. */
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

/* A string of the payload: up to a NUL, or to the end; *used counts the NUL. */
static size_t
string(const uint8_t *p, size_t n, size_t *used)
{
	const uint8_t *nul = memchr(p, '\0', n);

	*used = nul ? (size_t)(nul - p) + 1 : n;
	return nul ? (size_t)(nul - p) : n;
}

/* How far the payload goes: the number of arguments, and where the rest begins. */
static unsigned
decode(const struct ovni_event *e, const struct ovni_frame *f, size_t have, size_t *end)
{
	unsigned i;

	*end = 0;
	for (i = 0; e && i < e->nargs; i++) {
		size_t used = width(e->arg[i].kind);

		if (e->arg[i].kind == K_STR) {
			/* Of data that is not in memory no label is made. */
			if (*end >= have || f->cut)
				break;
			string(f->data + *end, have - *end, &used);
		} else if (have - *end < used)
			break;
		*end += used;
	}
	return i;
}

static uint8_t *
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
	return to;
}

static void
put_int(uint8_t *to, const uint8_t *p, size_t n, bool swap)
{
	for (size_t i = 0; i < n; i++)
		to[i] = p[swap ? n - 1 - i : i];
}

uint32_t
ovni_record(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f,
	    uint64_t key)
{
	struct ovni *o = s->state;
	const struct ovni_event *e = ovni_event(f->p + 1);
	const struct ovni_plan *plan = ovni_plan_of(s, ld32(f->p));
	struct buf *b = &o->area;
	enum state state = PLAIN;
	int64_t dur = 0;
	size_t have = f->cut ? (size_t)(c->end - f->data) : (size_t)f->ndata, end, pos = 0;
	size_t at = b->n;
	unsigned nargs;
	uint32_t v = plan->variant, type;
	const struct type *ty;
	struct rec *r;
	bool rest;

	if (o->opt.pairs && e && e->role != OVNI_POINT) {
		dur = ovni_next_pair(s, c);
		if (dur == OVNI_DROP)
			return OVNI_NONE;
		if (e->role == OVNI_ENTER)
			state = dur == OVNI_OPEN ? OPEN : TIMED;
	}
	nargs = decode(e, f, have, &end);
	rest = !f->cut && have > end;
	if (plan->fast == plan->key && state == PLAIN)
		type = plan->type;
	else {
		v += (nargs * 2 + rest) * STATES + state;
		if (!o->variant[v])
			o->variant[v] =
			    make_type(s, f->p + 1, f->jumbo, nargs, rest, state) + 1;
		type = o->variant[v] - 1;
	}
	ty = &s->t.type[type];
	r = (struct rec *)(void *)buf_room(b, ty->fixed + REC_SLACK);
	memset(r, 0, ty->fixed);
	r->len = ty->fixed;
	r->type = type;
	r->loc = c->loc;
	r->has = ty->must;
	r->time = (int64_t)(key - o->origin);
	r->size = f->jumbo ? f->ndata : 0;
	r->dur = state == TIMED ? dur : 0;
	b->n += ty->fixed;
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		uint8_t *to = b->p + at + a->off;
		size_t used, n;

		switch (a->kind) {
		case K_CONST: break;
		case K_STR:
			n = string(f->data + pos, have - pos, &used);
			add_part(b, at, a, f->data + pos, n);
			pos += used;
			break;
		case K_BYTES: add_part(b, at, a, f->data + end, have - end); break;
		default:
			if (i + 1 == ty->nargs && state == OPEN) {
				*to = 1;
				break;
			}
			n = kind_width(a->kind);
			put_int(to, f->data + pos, n, c->st->swap);
			pos += n;
		}
	}
	if (f->cut && o->need & NEED_ARGS)
		source_note_in(
		    s, c->st->path, ovni_offset(c),
		    "jumbo data of %llu bytes: more than %u are not read, the event "
		    "is given without them",
		    (unsigned long long)f->ndata, OVNI_LONGEST);
	return (uint32_t)at;
}
