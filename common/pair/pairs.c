/* pairs.c - open records by key, and in chains. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "pair/pairs.h"

uint64_t
pair_key_bytes(uint64_t h, const void *v, size_t n)
{
	const uint8_t *p = v;
	uint64_t last = 0;

	h = pair_key(h, n);
	for (; n >= 8; n -= 8, p += 8)
		h = pair_key(h, ld64(p));
	if (n)
		memcpy(&last, p, n);
	return pair_key(h, last);
}

void
pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit)
{
	memset(p, 0, sizeof *p);
	wait_start(&p->w, by_end, limit);
	p->queue = queue;
	p->nested = nested;
}

void
pairs_free(struct pairs *p)
{
	wait_free(&p->w);
	free(p->match.slot);
	free(p->chain.slot);
	free(p->newest);
	free(p->nest);
}

static inline uint64_t
key_of(const struct pairs *p, const struct pair_table *t, uint32_t open)
{
	return t == &p->chain ? p->nest[open].chain : p->w.open[open].key;
}

/* The slot of a key, or the free one where it would be. */
static inline struct pair_slot *
find(const struct pairs *p, const struct pair_table *t, uint64_t key)
{
	uint32_t tag = (uint32_t)(key >> 32);

	for (uint32_t i = tag;; i++) {
		struct pair_slot *s = &t->slot[i & t->mask];

		if (!s->open || (s->tag == tag && key_of(p, t, s->open - 1) == key))
			return s;
	}
}

static COLD void
more_slots(struct pair_table *t)
{
	struct pair_slot *old = t->slot;
	size_t n = old ? (size_t)t->mask + 1 : 0;

	t->mask = n ? (uint32_t)(2 * n - 1) : 63;
	t->slot = xcalloc((size_t)t->mask + 1, sizeof *t->slot);
	for (size_t i = 0; i < n; i++) {
		uint32_t at = old[i].tag;

		if (!old[i].open)
			continue;
		while (t->slot[at & t->mask].open)
			at++;
		t->slot[at & t->mask] = old[i];
	}
	free(old);
}

/* The slot of a key that is to be set; a new one has open = 0. */
static inline struct pair_slot *
slot_for(const struct pairs *p, struct pair_table *t, uint64_t key)
{
	if (unlikely(t->used >= t->mask / 4 * 3))
		more_slots(t);
	return find(p, t, key);
}

static inline void
slot_set(struct pair_table *t, struct pair_slot *s, uint64_t key, uint32_t open)
{
	t->used += !s->open;
	s->tag = (uint32_t)(key >> 32);
	s->open = open + 1;
}

/* The slot is free: those behind it that could lie here move up. */
static inline void
slot_free(struct pair_table *t, struct pair_slot *s)
{
	uint32_t hole = (uint32_t)(s - t->slot), i = hole;

	for (;;) {
		const struct pair_slot *k;

		i = (i + 1) & t->mask;
		k = &t->slot[i];
		if (!k->open)
			break;
		if (((i - k->tag) & t->mask) < ((i - hole) & t->mask))
			continue;
		t->slot[hole] = *k;
		hole = i;
	}
	t->slot[hole].open = 0;
	t->used--;
}

uint32_t
pairs_begin(struct pairs *p, uint64_t key, uint32_t room)
{
	uint32_t open = wait_open(&p->w, room), was;
	struct open *o = &p->w.open[open];
	struct pair_slot *s;

	o->key = key;
	o->next = WAIT_NONE;
	s = slot_for(p, &p->match, key);
	was = s->open - 1;
	p->found = NULL;
	if (p->queue) {
		p->newest = grow(p->newest, &p->newestcap, open + 1, sizeof *p->newest);
		if (s->open) {
			p->w.open[p->newest[was]].next = open;
			p->newest[was] = open;
			return open;
		}
		p->newest[open] = open;
	} else if (s->open) {
		o->next = was;
	}
	slot_set(&p->match, s, key, open);
	return open;
}

void
pairs_push(struct pairs *p, uint32_t *last, uint32_t open, uint64_t time, uint64_t counted)
{
	struct nest *n;

	if (unlikely(open >= p->nestcap))
		p->nest = grow(p->nest, &p->nestcap, open + 1, sizeof *p->nest);
	n = &p->nest[open];
	n->begin = n->upto = time;
	n->counted = counted;
	n->inner = n->inner_counted = 0;
	n->below = *last - 1;
	n->above = WAIT_NONE;
	if (*last)
		p->nest[n->below].above = open;
	*last = open + 1;
}

void
pairs_pull(struct pairs *p, uint32_t *last, uint32_t open)
{
	const struct nest *n = &p->nest[open];

	if (n->below != WAIT_NONE)
		p->nest[n->below].above = n->above;
	if (n->above != WAIT_NONE)
		p->nest[n->above].below = n->below;
	else
		*last = n->below + 1;
}

void
pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time, uint64_t counted)
{
	struct pair_slot *s = slot_for(p, &p->chain, chain);
	bool new = !s->open;

	pairs_push(p, &s->open, open, time, counted);
	p->nest[open].chain = chain;
	s->tag = (uint32_t)(chain >> 32);
	p->chain.used += new;
}

uint32_t
pairs_find(struct pairs *p, uint64_t key)
{
	if (unlikely(!p->match.mask))
		return WAIT_NONE;
	p->found = find(p, &p->match, key);
	return p->found->open - 1;
}

void
pairs_take(struct pairs *p, uint32_t open)
{
	const struct open *o = &p->w.open[open];
	struct pair_slot *s = p->found;

	if (!s || s->open != open + 1)
		s = find(p, &p->match, o->key);
	p->found = NULL;
	if (o->next == WAIT_NONE)
		slot_free(&p->match, s);
	else {
		if (p->queue)
			p->newest[o->next] = p->newest[open];
		slot_set(&p->match, s, o->key, o->next);
	}
	if (p->nested) {
		s = find(p, &p->chain, p->nest[open].chain);
		pairs_pull(p, &s->open, open);
		if (!s->open)
			slot_free(&p->chain, s);
	}
}

static inline uint64_t
since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct lasting
pairs_lasted(struct pairs *p, uint32_t open, uint64_t time, uint64_t counted)
{
	const struct nest *n = &p->nest[open];
	struct lasting l = {.dur = since(n->begin, time)};
	uint64_t all = since(n->counted, counted);

	l.self = since(n->inner, l.dur);
	l.counted = since(n->inner_counted, all);
	if (n->below != WAIT_NONE) {
		struct nest *around = &p->nest[n->below];
		uint64_t from = n->begin > around->upto ? n->begin : around->upto;

		around->inner += since(from, time);
		around->inner_counted += all;
		around->upto = time > around->upto ? time : around->upto;
	}
	return l;
}

void
pairs_forget(struct pairs *p)
{
	struct pair_table *all[2] = {&p->match, &p->chain};

	p->found = NULL;
	for (int i = 0; i < 2; i++) {
		if (all[i]->slot)
			memset(all[i]->slot, 0,
			       ((size_t)all[i]->mask + 1) * sizeof *all[i]->slot);
		all[i]->used = 0;
	}
}
