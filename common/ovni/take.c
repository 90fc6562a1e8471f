/*
 * take.c - makes records of a cursor's events.
 *
 * take_slow is the definition. Faster loops handle events of known shape that are whole in memory and in order.
 */
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define AREA_MOST (1u << 20) /* limit of the bytes of records that one input makes ahead */
/* Limit of a record of the fast path, with the bytes that it stores too much. */
#define RECORD_MOST 128
#define PIECE 2048 /* number of records for which room is made at a time */

uint64_t
ovni_head(struct source *s, struct ovni_cursor *c)
{
	struct ovni_frame f;

	if (!ovni_settle(s, c, &f))
		return MERGE_END;
	ovni_refill(s, c);
	return ovni_key(c, f.clock);
}

/* Appends the native event to the record, for NEED_RAW; if the event is not whole in
 * memory, its place in the file (struct ovni_long). */
static void
add_raw(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f)
{
	struct ovni *o = s->state;
	struct ovni_long far;
	const void *from = f->cut ? (const void *)&far : f->p;
	size_t n = f->cut ? sizeof far : (size_t)f->size;
	uint8_t *p;

	memset(&far, 0, sizeof far);
	far.flags = OVNI_RESERVED;
	far.stream = (uint32_t)(c->st - o->st);
	far.at = ovni_offset(c);
	far.size = f->size;
	if (f->cut && c->st->in) { /* a pipe or memory, whose bytes cannot be read again */
		fault(s, NULL, COST_EVENT, c->st->path, ovni_offset(c),
		      "too long to be copied");
		n = 0;
	}
	p = buf_room(&o->m.area, MERGE_RAW + n + REC_SLACK);
	st64(p, n);
	memcpy(p + MERGE_RAW, from, n);
	o->m.area.n += merge_raw_size(n);
}

/* Takes the event that ovni_settle has found, of any shape. */
static void
take_slow(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f)
{
	struct ovni *o = s->state;
	uint64_t key = f->clock + c->add;
	uint32_t off;

	if (unlikely((key | f->clock) >= OVNI_KEYS)) {
		if (!c->st->high_said)
			fault(s, "ovni-clock-wild", COST_STATUS, c->st->path,
			      ovni_offset(c),
			      "the clock %llu is 2^63 or more: the event gets the greatest "
			      "time (said once a stream)",
			      (unsigned long long)f->clock);
		c->st->high_said = true;
		key = OVNI_KEYS - 1;
	} else if (key >= c->last)
		c->last = key;
	else if (!c->region && !c->st->back_said) {
		c->st->back_said = true;
		fault(s, "ovni-clock-back", COST_STATUS, c->st->path, ovni_offset(c),
		      "the clock goes back here (said once a stream)");
	}
	if (f->p[1] == 'O' && f->p[2] == 'U' && !c->in_run)
		c->region = f->p[3] == '[' || (c->region && f->p[3] != ']');
	if (o->types_only)
		merge_add(&o->m, c->last, ovni_plan_of(s, ld32(f->p))->proto);
	else {
		off = ovni_record(s, c, f, key);
		if (o->need & NEED_RAW)
			add_raw(s, c, f);
		merge_add(&o->m, c->last, off);
	}
	ovni_pass(s, c, f);
}

/* Takes events on the fast path: events of known shape, as long as they are in order, have keys less than `below`,
 * and are whole in memory. All others are left to take_slow. The plan has the size of an event too, but the place
 * of the next event must be known early: waiting for the plan takes as long as the rest of the loop. */
static INLINE void
take_fast(struct ovni *o, struct ovni_cursor *c, uint64_t below, uint32_t most, bool raw)
{
	const uint8_t *p = c->p, *fast = c->fast;
	uint64_t last = c->last, add = c->add, origin = o->origin, base = o->m.base;
	uint32_t loc = c->loc, n = o->m.nentries, end = n + most, stream = c->stream;
	uint64_t *entry = o->m.entry;
	const struct ovni_plan *plan = o->plan;
	uint32_t factor = ovni_factor(), shift = 32 - o->plan_bits;
	uint8_t *area = o->m.area.p;
	size_t at = o->m.area.n;

	while (p < fast && n < end) {
		uint32_t head = ld32(p);
		uint64_t key = ld64(p + 4) + add;
		const struct ovni_plan *pl = plan + (head * factor >> shift);
		struct rec *r;

		/* One comparison for "not before the last" and "less than below", which is at most OVNI_KEYS. */
		if (unlikely(key - last >= below - last))
			break;
		if (unlikely(pl->fast != head) && !(pl = ovni_fast_plan(o, head)))
			break;
		r = (struct rec *)(void *)(area + at);
		r->len = pl->len;
		r->type = pl->type;
		r->loc = loc;
		r->has = 0;
		r->time = (int64_t)(key - origin);
		r->addr = 0;
		r->size = 0;
		r->dur = stream;
		st64(r + 1, pl->part);
		st64((uint8_t *)r + pl->to, ld64(p + 12) & pl->mask[0]);
		st64((uint8_t *)r + pl->to + 8, ld64(p + 20) & pl->mask[1]);
		entry[n++] = (key - base) << 32 | at;
		at += pl->len;
		if (raw) {
			st64(area + at, pl->size);
			memcpy(area + at + MERGE_RAW, p, 32);
			at += merge_raw_size(pl->size);
		}
		last = key;
		p += ovni_size(head);
	}
	c->p = p;
	c->last = last;
	o->m.area.n = at;
	o->m.nentries = n;
}

/* Takes up to `most` events as take_fast does, if only the kind of event matters: all
 * events of one kind share a record. */
static INLINE void
take_types(struct ovni *o, struct ovni_cursor *c, uint32_t most)
{
	const uint8_t *p = c->p, *fast = c->fast;
	uint64_t last = c->last, add = c->add;
	uint32_t n = o->m.nentries, end = n + most;
	uint64_t *entry = o->m.entry;
	const struct ovni_plan *plan = o->plan;
	uint32_t factor = ovni_factor(), shift = 32 - o->plan_bits;

	while (p < fast && n < end) {
		uint32_t head = ld32(p);
		uint64_t key = ld64(p + 4) + add;
		const struct ovni_plan *pl = plan + (head * factor >> shift);

		if (unlikely(key - last >= OVNI_KEYS - last))
			break;
		if (unlikely(pl->fast != head) && !(pl = ovni_fast_plan(o, head)))
			break;
		entry[n++] = pl->proto;
		last = key;
		p += ovni_size(head);
	}
	c->p = p;
	c->last = last;
	o->m.nentries = n;
}

/* Takes up to `most` events with keys lower than `below` by the fast path, which stops at
 * an event that it cannot take. */
static INLINE void
take_known(struct source *s, struct ovni_cursor *c, uint64_t below, uint32_t most)
{
	struct ovni *o = s->state;
	size_t need = ((size_t)most + 2) * RECORD_MOST;

	if (unlikely(o->m.area.cap - o->m.area.n < need))
		buf_room(&o->m.area, need);
	if (o->types_only)
		take_types(o, c, most);
	else if (o->need & NEED_RAW)
		take_fast(o, c, below, most, true);
	else
		take_fast(o, c, below, most, false);
}

uint64_t
ovni_take(struct source *s, struct ovni_cursor *c, uint64_t below, uint32_t most)
{
	struct ovni *o = s->state;
	uint32_t end = o->m.nentries + most;
	uint64_t fast = below < OVNI_KEYS ? below : OVNI_KEYS;
	size_t area = o->m.area.n;
	struct ovni_frame f;

	/* Only at the begin of a stream can a clock be so large that its key is small. */
	while (unlikely(!c->last) && o->m.nentries < end && below &&
	       o->m.area.n - area <= AREA_MOST && ovni_settle(s, c, &f) &&
	       f.clock >= OVNI_KEYS)
		take_slow(s, c, &f);
	for (;;) {
		uint32_t piece = o->m.nentries;
		uint64_t key;

		take_known(s, c, fast, end - piece < PIECE ? end - piece : PIECE);
		/* The usual reasons to stop: enough events, or the turn of another input. An event of unknown
		 * shape may be damage, so its clock cannot be used. */
		if (likely(c->p < c->fast && ovni_fast_plan(o, ld32(c->p)))) {
			key = ovni_key(c, ld64(c->p + 4));
			if (key >= below || o->m.nentries == end)
				return key;
		}
		if (o->m.nentries == piece + PIECE)
			continue;
		if (o->m.nentries && ovni_waits(s, c))
			return 0;
		if (c->p >= c->fast && !c->eof && ovni_offset(c) < c->stop &&
		    ovni_refill(s, c))
			continue;
		if (!ovni_settle(s, c, &f))
			return MERGE_END;
		key = ovni_key(c, f.clock);
		if (key >= below || o->m.nentries == end)
			return key;
		if (o->m.area.n - area > AREA_MOST) {
			o->m.full = true;
			return key;
		}
		take_slow(s, c, &f);
	}
}
