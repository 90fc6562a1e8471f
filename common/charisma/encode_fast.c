/*
 * encode_fast.c - the quick way for the commonest record, a request of a client.
 *
 * A step becomes a move of a number. Nearly all are of a number of 8 or 4 bytes that is the
 * same in both records: these need no look at what they are.
 */
#include <string.h>

#include "charisma/encode.h"

/* Makes the move of a step, and gives its kind. */
static enum moves
make_move(struct move *m, const struct charisma_step *s)
{
	unsigned bits = 64u - s->to.shift;
	bool from_signed = s->field.sign, to_signed = s->class == CLASS_SIGNED;

	*m = (struct move){.from = s->field.off,
			   .to = s->to.off,
			   .shift = s->field.shift,
			   .bytes = (uint8_t)(bits / 8),
			   .sign = s->field.sign ? 1ull << 63 >> s->field.shift : 0};
	if (from_signed && to_signed) {
		m->bias = 1ull << (bits - 1);
		m->over = bits == 64 ? 0 : ~0ull << bits;
	} else if (from_signed && bits == 64)
		m->over = 1ull << 63;
	else
		m->over = bits == 64 && !to_signed ? 0 : ~0ull << (bits - to_signed);
	if (bits == 64 && !m->shift && !m->over)
		return MOVE_8;
	return bits == 32 && m->shift == 32 && from_signed == to_signed ? MOVE_4 : MOVE_ANY;
}

/* Whether the quick way knows the step; a constant one goes into the blank record. */
static bool
is_quick(const struct encode *e, struct shape *sh, const struct charisma_step *s,
	 uint64_t op)
{
	const struct charisma_out *c = e->state;
	struct quick *q = &sh->quick;

	if (s->to.rotate)
		return false;
	switch (s->from) {
	case FROM_NUMBER: q->has |= s->field.bit; return true;
	case FROM_TIME: q->start = s->to.off; return !s->to.shift;
	case FROM_END: q->end = s->to.off; return !s->to.shift;
	case FROM_CLIENT:
		q->client = s->to.off;
		q->over = ~0ull << (32 - (s->class == CLASS_SIGNED));
		return s->to.shift == 32;
	case FROM_OPERATION: return charisma_store(sh->blank, &s->to, op, c->big);
	case FROM_APP: return charisma_store(sh->blank, &s->to, c->no_app, c->big);
	default: return false;
	}
}

void
charisma_out_quick(struct encode *e, const struct out_plan *pl, struct shape *sh)
{
	uint64_t op = (pl->op_is & ~(uint64_t)2) | (pl->write ? 2 : 0);
	struct quick *q = &sh->quick;
	struct move m;
	uint32_t n = 0;

	if (!sh->rec || !sh->client || pl->op_is == UINT64_MAX || pl->request.kind ||
	    sh->bytes + 8 > OUT_SLACK || e->s->head.clock != CLOCK_NS)
		return;
	q->has = HAS_ADDR;
	q->start = q->end = q->client = sh->bytes; /* behind the record: nowhere */
	q->ended = !(op & 1);
	q->move = arena_get(&e->mem, (sh->nsteps + 1) * sizeof *q->move);
	for (uint32_t i = 0; i < sh->nsteps; i++)
		if (!is_quick(e, sh, &sh->step[i], op))
			return;
	for (enum moves kind = 0; kind < MOVES; kind++)
		for (uint32_t i = 0; i < sh->nsteps; i++) {
			const struct charisma_step *s = &sh->step[i];

			if (s->from != FROM_NUMBER || make_move(&m, s) != kind)
				continue;
			q->move[n++] = m;
			q->n[kind]++;
		}
	q->usable = true;
}

/* ns in the unit, rounded to the nearest: ns and num below 2^52. */
static INLINE uint64_t
ticks_of(uint64_t num, double inverse, uint64_t ns)
{
	uint64_t x = ns + num / 2, ticks, rest;

	ticks = (uint64_t)(int64_t)((double)(int64_t)x * inverse);
	rest = x - ticks * num;
	/* By one too many, or too few. */
	ticks -= rest >> 63;
	return ticks + (!(rest >> 63) && rest >= num);
}

/* All moves, in one byte order. False where a number does not fit. */
static INLINE bool
move_all(const struct quick *q, const uint8_t *r, uint8_t *p, bool swap)
{
	const struct move *m = q->move, *end;
	uint64_t bad = 0, v;
	uint32_t w;

	for (end = m + q->n[MOVE_8]; m < end; m++) {
		v = ld64(r + m->from);
		st64(p + m->to, swap ? swap64(v) : v);
	}
	for (end = m + q->n[MOVE_4]; m < end; m++) {
		w = ld32(r + m->from);
		st32(p + m->to, swap ? swap32(w) : w);
	}
	for (end = m + q->n[MOVE_ANY]; m < end; m++) {
		struct load to = {.off = m->to, .shift = (uint8_t)(64 - 8 * m->bytes)};

		v = ld64(r + m->from);
		v = (HOST_BIG ? v : v << m->shift) >> m->shift;
		v = (v ^ m->sign) - m->sign;
		bad |= (v + m->bias) & m->over;
		charisma_store(p, &to, v << to.shift >> to.shift, swap != HOST_BIG);
	}
	return !bad;
}

/* charisma_out_fast, in one byte order. */
static INLINE uint32_t
run(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t i, uint32_t n,
    bool swap)
{
	const struct charisma_out *c = e->state;
	const uint64_t num = c->clock.num, zero = c->clock.zero, first = (uint64_t)c->first;
	const double inverse = c->inverse;

	for (; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct shape *sh =
		    &((struct out_plan *)encode_plan(e, r->type))->of[0];
		const struct quick *q = &sh->quick;
		const struct encode_place *at = encode_place(e, r->loc);
		uint64_t since = (uint64_t)r->time - first, dur = (uint64_t)r->dur, start,
			 stop;
		uint8_t *p;

		if (unlikely(!q->usable || (since | dur) >> 52 ||
			     at->kind != PLACE_NUMBER || at->number & q->over ||
			     (r->has & q->has) != q->has))
			break;
		p = out_room(e->out);
		copy16s(p, sh->blank, sh->bytes);
		start = zero + ticks_of(num, inverse, since);
		stop = q->ended ? start + ticks_of(num, inverse, dur) : 0;
		st64(p + q->start, swap ? swap64(start) : start);
		st64(p + q->end, swap ? swap64(stop) : stop);
		st32(p + q->client,
		     swap ? swap32((uint32_t)at->number) : (uint32_t)at->number);
		if (unlikely(!move_all(q, (const uint8_t *)r, p, swap)))
			break;
		e->out->p = p + sh->bytes;
	}
	return i;
}

uint32_t
charisma_out_fast(struct encode *e, const struct batch *b, const uint32_t *pick, uint32_t i,
		  uint32_t n)
{
	const struct charisma_out *c = e->state;
	const struct charisma_clock *k = &c->clock;

	if (!c->begun || c->many || k->num >> 52 || k->den != 1 || k->zero >> 62 || k->bias)
		return i;
	return c->big != HOST_BIG ? run(e, b, pick, i, n, true)
				  : run(e, b, pick, i, n, false);
}
