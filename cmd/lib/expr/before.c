/*
 * before.c - remembers values of previous events, by key: for prev, nth and total.
 *
 * The slot of a key is found once for each event, and for prev the previous event with that key. Remembered values
 * are in arrays by slot. A key takes 9 bytes for each value of prev (13 for texts), 4 bytes in common, 8 for nth,
 * a struct val for each sum, and its text.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "expr/engine.h"

static void
forget_prev(struct prev *p, uint32_t nslots)
{
	for (size_t i = BATCH; i < (size_t)BATCH + nslots; i++)
		if (p->kind[i] == VAL_TEXT)
			free(p->held[i].s);
	FREE(p->held);
	FREE(p->kind);
	FREE(p->len);
	p->held_cap = p->kind_cap = p->len_cap = 0;
	p->alike = VAL_NONE;
}

/* Forgets all keys, because another input begins, or a stream of the input whose times have another clock. */
static void
before_forget(struct engine *g)
{
	struct before *m = &g->before;

	for (size_t i = 0; i < g->nprevs; i++)
		forget_prev(&g->prevs[i], m->nslots);
	strtab_free(&m->names);
	FREE(m->last);
	FREE(m->nth);
	FREE(m->sums);
	m->last_cap = m->nth_cap = m->sums_cap = 0;
	m->nslots = 0;
	cache_forget(&m->loc_cache);
}

void
before_free(struct engine *g)
{
	struct before *m = &g->before;

	before_forget(g);
	free(m->by_loc);
	exprs_free(m->keys);
	buf_free(&m->key);
}

/* Returns the slot of a key of n bytes, which is added if it is new. */
static uint32_t
key_slot(struct engine *g, const void *key, size_t n)
{
	struct before *m = &g->before;
	uint32_t slot = strtab_id(&m->names, key, n);
	size_t slots = (size_t)slot + 1;

	if (slot < m->nslots)
		return slot;
	m->nslots = slot + 1;
	for (size_t i = 0; i < g->nprevs; i++) {
		struct prev *p = &g->prevs[i];

		GROW(p->held, p->held_cap, BATCH + slots);
		GROW(p->kind, p->kind_cap, BATCH + slots);
		p->kind[BATCH + slot] = VAL_NONE;
		p->alike = VAL_NONE;
	}
	GROW(m->last, m->last_cap, slots);
	m->last[slot] = BATCH + slot;
	if (g->tree->nth)
		GROW(m->nth, m->nth_cap, slots);
	GROW(m->sums, m->sums_cap, slots * g->tree->ntotals);
	return slot;
}

static void
slots_by_loc(struct engine *g)
{
	struct before *m = &g->before;
	const uint8_t *base = g->b->base + offsetof(struct rec, loc);
	const uint32_t *off = g->b->off, *at = g->all.at, n = g->all.n;
	uint32_t *known, *to = m->slot;

	known = CACHE(m->by_loc, m->loc_cache, g->s, g->s->t.str.n);
	for (uint32_t j = 0; j < n; j++) {
		uint32_t loc = ld32(base + off[at[j]]), slot = known[loc];

		if (unlikely(!slot)) {
			const struct str *s = &g->s->t.str.v[loc];

			slot = known[loc] = key_slot(g, s->s, s->len) + 1;
		}
		to[j] = slot - 1;
	}
}

/* Finds the previous event with the same key for each event of the run, so that this is not searched for each
 * value. */
static void
link_events(struct before *m, uint32_t n)
{
	uint32_t *last = m->last, *from = m->from, *ends = m->ends;
	const uint32_t *slot = m->slot;

	for (uint32_t j = 0; j < n; j++) {
		from[j] = last[slot[j]];
		last[slot[j]] = j;
	}
	m->nends = 0;
	if (m->nslots < n) {
		for (uint32_t i = 0; i < m->nslots; i++) {
			ends[m->nends] = last[i];
			m->nends += last[i] < BATCH;
			last[i] = BATCH + i;
		}
		return;
	}
	for (uint32_t j = 0; j < n; j++) {
		last[slot[j]] = BATCH + slot[j];
		ends[j] = j;
	}
	m->nends = n;
}

void
before_slots(struct engine *g)
{
	struct before *m = &g->before;

	if (m->input != g->s->id || m->clock != g->s->head.clock) {
		before_forget(g);
		m->input = g->s->id;
		m->clock = g->s->head.clock;
		if (m->one) {
			key_slot(g, "", 0);
			memset(m->slot, 0, sizeof m->slot);
		}
	}
	if (m->keys) {
		exprs_run(m->keys, g->s, g->b, g->all.at, g->all.n);
		for (uint32_t j = 0; j < g->all.n; j++) {
			exprs_key_put(&m->key, m->keys, g->env.clock, j);
			m->slot[j] = key_slot(g, m->key.p, m->key.n);
		}
	} else if (!m->one)
		slots_by_loc(g);
	if (g->nprevs)
		link_events(m, g->all.n);
}

struct val
before_get(struct engine *g, size_t i, uint32_t j)
{
	const struct prev *p = &g->prevs[i];
	size_t at = (size_t)BATCH + g->before.slot[j];
	const union held *h = &p->held[at];
	struct val v = {.kind = p->kind[at]};

	switch (v.kind) {
	case VAL_REAL: v.r = h->r; break;
	case VAL_TEXT:
		v.s = arena_str(&g->mem, h->s, p->len[at]);
		v.len = p->len[at];
		break;
	default:
		v.n.lo = (uint64_t)h->n;
		v.n.hi = v.kind & HELD_BIG ? (int32_t)p->len[at] : h->n < 0 ? -1 : 0;
		v.kind &= (uint8_t)~HELD_BIG;
		break;
	}
	return v;
}

void
before_set(struct engine *g, size_t i, uint32_t j, const struct val *v)
{
	struct prev *p = &g->prevs[i];
	size_t at = (size_t)BATCH + g->before.slot[j];
	union held *h = &p->held[at];
	uint8_t kind = v->kind;
	uint32_t len = 0;

	if (p->kind[at] == VAL_TEXT)
		free(h->s);
	if (kind == VAL_REAL)
		h->r = v->r;
	else if (kind == VAL_TEXT) {
		len = (uint32_t)v->len;
		h->s = xmalloc(v->len + 1);
		memcpy(h->s, v->s, v->len + 1);
	} else {
		h->n = (int64_t)v->n.lo;
		if (!i128_is_i64(v->n)) {
			len = (uint32_t)v->n.hi;
			kind |= HELD_BIG;
		}
	}
	if (kind == VAL_TEXT || kind & HELD_BIG) {
		GROW(p->len, p->len_cap, at + 1);
		p->len[at] = len;
	}
	p->alike = kind == p->alike ? kind : VAL_NONE;
	p->kind[at] = kind;
}

/* Computes prev if all previous values are present integers of the same kind as the values `now`. */
static void
prev_alike(const struct before *m, struct prev *p, const struct vec *now, uint32_t n,
	   struct vreg *to)
{
	union held *held = p->held;
	const uint32_t *from = m->from;
	int64_t *had = to->n;

	memcpy(held, now->n, n * sizeof *held);
	for (uint32_t j = 0; j < n; j++)
		had[j] = held[from[j]].n;
	for (uint32_t k = 0; k < m->nends; k++)
		held[BATCH + m->slot[m->ends[k]]] = held[m->ends[k]];
	to->v.all = true;
}

/* Computes prev for integers of one kind, some of which are absent. Returns false, with nothing done, if a
 * previous value has another kind. */
static bool
prev_ints(const struct before *m, struct prev *p, const struct vec *now, uint32_t n,
	  struct vreg *to)
{
	union held *held = p->held;
	uint8_t *kind = p->kind, *there = to->there, same = now->kind, other = 0;
	const uint32_t *from = m->from;

	for (uint32_t j = 0; j < n; j++)
		kind[j] = now->all || now->there[j] ? same : VAL_NONE;
	for (uint32_t j = 0; j < n; j++) {
		uint8_t had = kind[from[j]];

		there[j] = had != VAL_NONE;
		other |= (had ^ same) & (uint8_t)-there[j];
	}
	if (other)
		return false;
	memcpy(held, now->n, n * sizeof *held);
	for (uint32_t j = 0; j < n; j++)
		to->n[j] = there[j] ? held[from[j]].n : 0;
	for (uint32_t k = 0; k < m->nends; k++) {
		uint32_t at = m->ends[k], slot = BATCH + m->slot[at];

		held[slot] = held[at];
		kind[slot] = kind[at];
	}
	to->v.all = !memchr(there, 0, n);
	if (m->nslots && m->nslots <= n &&
	    !memcmp(kind + BATCH, kind + BATCH + 1, m->nslots - 1))
		p->alike = kind[BATCH];
	return true;
}

void
before_prev(struct engine *g, size_t i, const struct vreg *now)
{
	struct prev *p = &g->prevs[i];
	struct vreg *to = &p->vreg;
	const struct vec *v = &now->v;
	uint32_t n = g->all.n;

	if (!now->constant && v->kind != VAL_NONE && v->kind <= VAL_DECIMAL) {
		vreg_room(to);
		to->v.kind = v->kind;
		if (v->all && p->alike == v->kind) {
			prev_alike(&g->before, p, v, n, to);
			return;
		}
		if (prev_ints(&g->before, p, v, n, to))
			return;
	}
	vreg_begin(to, n);
	for (uint32_t j = 0; j < n; j++) {
		struct val had = before_get(g, i, j), next = vreg_val(now, j);

		vreg_put(to, n, j, &had);
		before_set(g, i, j, &next);
	}
	vreg_end(to, n);
}

void
before_nth(struct engine *g)
{
	struct before *m = &g->before;

	vreg_room(&g->nth);
	g->nth.v.kind = VAL_WHOLE;
	g->nth.v.all = true;
	for (uint32_t j = 0; j < g->all.n; j++)
		g->nth.n[j] = (int64_t)++m->nth[m->slot[j]];
}

/* The kind of a sum that no number can hold: it stays absent from then on. */
#define SUM_LOST VAL_KINDS

struct val
before_add(struct engine *g, size_t i, uint32_t j, const struct val *v)
{
	struct before *m = &g->before;
	struct val *sum = &m->sums[m->slot[j] * g->tree->ntotals + i];
	const struct val zero = val_i64(0);

	if (sum->kind == VAL_NONE && v->kind != VAL_TEXT)
		*sum = v->kind == VAL_DECIMAL ? val_arith(&g->env, VAL_ADD, &zero, v) : *v;
	else if (sum->kind != SUM_LOST && v->kind != VAL_NONE && v->kind != VAL_TEXT) {
		*sum = val_arith(&g->env, VAL_ADD, sum, v);
		if (sum->kind == VAL_NONE)
			sum->kind = SUM_LOST;
	}
	if (sum->kind == SUM_LOST)
		return (struct val){.kind = VAL_NONE};
	return eval_fit(g, g->totals[i].node, *sum);
}

/* Adds an integer to a sum of integers. Returns false if the sum does not fit 64 bits. */
static bool
add_int(struct val *sum, int64_t x)
{
	uint64_t lo = sum->n.lo + (uint64_t)x;

	sum->n.hi += (lo < (uint64_t)x) - (x < 0);
	sum->n.lo = lo;
	return i128_is_i64(sum->n);
}

void
before_total(struct engine *g, size_t i, const struct vreg *of)
{
	struct before *m = &g->before;
	struct vreg *to = &g->totals[i].vreg;
	const struct vec *v = &of->v;
	bool ints = !of->constant && (v->kind == VAL_WHOLE || v->kind == VAL_TIME);
	uint32_t n = g->all.n;

	vreg_begin(to, n);
	for (uint32_t j = 0; j < n; j++) {
		struct val *sum = &m->sums[m->slot[j] * g->tree->ntotals + i];
		struct val x;

		if (ints && sum->kind == v->kind) {
			if (add_int(sum, v->all || v->there[j] ? v->n[j] : 0)) {
				vreg_put(to, n, j, sum);
				continue;
			}
			x = eval_fit(g, g->totals[i].node, *sum);
		} else {
			x = vreg_val(of, j);
			x = before_add(g, i, j, &x);
		}
		vreg_put(to, n, j, &x);
	}
	vreg_end(to, n);
}
