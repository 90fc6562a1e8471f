/*
 * expr_before.c - what is remembered of the events before, by key: for prev, nth and total.
 *
 * A key's slot is found once for an event; what is remembered lies in arrays by slot. A key
 * takes 16 bytes for each value before, 8 for nth, a struct val for each sum, and its text.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/engine.h"

/* Forgets all keys: another input begins, or a stream within it whose times are of another
 * clock. */
static void
forget(struct before *m, size_t nprevs)
{
	for (size_t i = 0; i < m->nslots * nprevs; i++)
		if (m->held[i].kind == VAL_TEXT)
			free(m->held[i].u.s);
	strtab_free(&m->names);
	free(m->held);
	free(m->nth);
	free(m->sums);
	m->held = NULL;
	m->nth = NULL;
	m->sums = NULL;
	m->held_cap = m->nth_cap = m->sums_cap = 0;
	m->nslots = 0;
	if (m->by_loc)
		memset(m->by_loc, 0, m->loc_cap * sizeof *m->by_loc);
}

void
before_free(struct before *m, size_t nprevs)
{
	forget(m, nprevs);
	free(m->by_loc);
	exprs_free(m->keys);
	buf_free(&m->key);
}

/* The slot of a key of n bytes. */
static uint32_t
slot_of(struct engine *g, const void *key, size_t n)
{
	struct before *m = &g->before;
	uint32_t slot = strtab_id(&m->names, key, n);
	size_t slots = (size_t)slot + 1;

	if (slot < m->nslots)
		return slot;
	m->nslots = slot + 1;
	m->held = grow(m->held, &m->held_cap, slots * g->nprevs, sizeof *m->held);
	if (g->tree->nth)
		m->nth = grow(m->nth, &m->nth_cap, slots, sizeof *m->nth);
	m->sums = grow(m->sums, &m->sums_cap, slots * g->tree->ntotals, sizeof *m->sums);
	return slot;
}

static uint32_t
new_loc(struct engine *g, uint32_t loc)
{
	struct before *m = &g->before;
	const struct str *s = &g->s->t.str.v[loc];
	uint32_t slot = slot_of(g, s->s, s->len);

	m->by_loc = grow(m->by_loc, &m->loc_cap, (size_t)loc + 1, sizeof *m->by_loc);
	m->by_loc[loc] = slot + 1;
	return slot;
}

static void
slots_by_loc(struct engine *g)
{
	struct before *m = &g->before;

	if (m->epoch != g->s->t.epoch && m->by_loc)
		memset(m->by_loc, 0, m->loc_cap * sizeof *m->by_loc);
	m->epoch = g->s->t.epoch;
	for (uint32_t j = 0; j < g->all.n; j++) {
		uint32_t loc = batch_rec(g->b, g->all.at[j])->loc;

		m->slot[j] = likely(loc < m->loc_cap && m->by_loc[loc]) ? m->by_loc[loc] - 1
									: new_loc(g, loc);
	}
}

/* The key is the texts of its values, each with its length; what is absent has none. */
static void
slots_by_keys(struct engine *g)
{
	struct before *m = &g->before;
	size_t nkeys = exprs_tree(m->keys)->nlets;

	exprs_run(m->keys, g->s, g->b, g->all.at, g->all.n);
	for (uint32_t j = 0; j < g->all.n; j++) {
		m->key.n = 0;
		buf_room(&m->key, 1);
		for (size_t i = 0; i < nkeys; i++) {
			struct val v = vec_val(exprs_vec(m->keys, i), j);
			size_t at = m->key.n;
			uint32_t n;

			buf_add(&m->key, "\0\0\0", 4);
			if (v.kind == VAL_NONE)
				continue;
			val_put(&m->key, &g->env, &v);
			n = (uint32_t)(m->key.n - at - 3);
			memcpy(m->key.p + at, &n, sizeof n);
		}
		m->slot[j] = slot_of(g, m->key.p, m->key.n);
	}
}

void
before_slots(struct engine *g)
{
	struct before *m = &g->before;

	if (m->input != g->s->id || m->clock != g->s->head.clock) {
		forget(m, g->nprevs);
		m->input = g->s->id;
		m->clock = g->s->head.clock;
		if (m->one) {
			slot_of(g, "", 0);
			memset(m->slot, 0, sizeof m->slot);
		}
	}
	if (m->keys)
		slots_by_keys(g);
	else if (!m->one)
		slots_by_loc(g);
}

static struct held *
held_of(struct engine *g, size_t i, uint32_t j)
{
	return &g->before.held[g->before.slot[j] * g->nprevs + i];
}

struct val
before_get(struct engine *g, size_t i, uint32_t j)
{
	const struct held *h = held_of(g, i, j);
	struct val v = {.kind = h->kind};

	switch (h->kind) {
	case VAL_REAL: v.r = h->u.r; break;
	case VAL_TEXT:
		v.s = arena_str(&g->mem, h->u.s, h->len);
		v.len = h->len;
		break;
	default:
		v.kind &= (uint8_t)~HELD_BIG;
		v.n.lo = (uint64_t)h->u.n;
		v.n.hi = h->kind & HELD_BIG ? (int32_t)h->len : h->u.n < 0 ? -1 : 0;
		break;
	}
	return v;
}

void
before_set(struct engine *g, size_t i, uint32_t j, const struct val *v)
{
	struct held *h = held_of(g, i, j);

	if (h->kind == VAL_TEXT)
		free(h->u.s);
	h->kind = v->kind;
	if (v->kind == VAL_REAL)
		h->u.r = v->r;
	else if (v->kind == VAL_TEXT) {
		h->len = (uint32_t)v->len;
		h->u.s = xmalloc(v->len + 1);
		memcpy(h->u.s, v->s, v->len + 1);
	} else {
		h->u.n = (int64_t)v->n.lo;
		if (!i128_is_i64(v->n)) {
			h->len = (uint32_t)v->n.hi;
			h->kind |= HELD_BIG;
		}
	}
}

/* The same for integers of 64 bits of one kind, up to the first event that meets, or had,
 * another. Gives its number. */
static uint32_t
prev_ints(struct engine *g, size_t i, const struct vec *now, struct reg *to)
{
	const uint32_t *slot = g->before.slot, n = g->all.n;
	struct held *held = g->before.held + i;
	const size_t step = g->nprevs;
	const int64_t *next = now->n;
	const uint8_t *next_there = now->all ? NULL : now->there, kind = now->kind;
	int64_t *had = to->n;
	uint8_t *had_there = to->there;
	uint32_t j = 0;

	to->v.kind = kind;
	for (; j < n; j++) {
		struct held *h = &held[slot[j] * step];

		if (unlikely(h->kind != kind)) {
			if (h->kind != VAL_NONE)
				break;
			h->u.n = 0;
		}
		had_there[j] = h->kind != VAL_NONE;
		had[j] = h->u.n;
		h->kind = !next_there || next_there[j] ? kind : VAL_NONE;
		h->u.n = next[j];
	}
	memset(had_there + j, 0, n - j);
	return j;
}

void
before_prev(struct engine *g, size_t i, const struct reg *now)
{
	struct reg *to = &g->prevs[i].reg;
	uint32_t j = 0, n = g->all.n;

	if (!now->constant && now->v.kind <= VAL_DECIMAL) {
		reg_room(to);
		j = prev_ints(g, i, &now->v, to);
	} else
		reg_begin(to, n);
	for (; j < n; j++) {
		struct val had = before_get(g, i, j), next = reg_val(now, j);

		reg_put(to, n, j, &had);
		before_set(g, i, j, &next);
	}
	reg_end(to, n);
}

void
before_nth(struct engine *g)
{
	struct before *m = &g->before;

	reg_room(&g->nth);
	g->nth.v.kind = VAL_WHOLE;
	g->nth.v.all = true;
	for (uint32_t j = 0; j < g->all.n; j++)
		g->nth.n[j] = (int64_t)++m->nth[m->slot[j]];
}

/* Of a sum that no number can hold: absent from then on. */
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

/* Adds an integer to a sum of integers; false if that does not fit 64 bits. */
static bool
add_int(struct val *sum, int64_t x)
{
	uint64_t lo = sum->n.lo + (uint64_t)x;

	sum->n.hi += (lo < (uint64_t)x) - (x < 0);
	sum->n.lo = lo;
	return sum->n.hi == (lo >> 63 ? -1 : 0);
}

void
before_total(struct engine *g, size_t i, const struct reg *of)
{
	struct before *m = &g->before;
	struct reg *to = &g->totals[i].reg;
	const struct vec *v = &of->v;
	bool ints = !of->constant && (v->kind == VAL_WHOLE || v->kind == VAL_TIME);
	uint32_t n = g->all.n;

	reg_begin(to, n);
	for (uint32_t j = 0; j < n; j++) {
		struct val *sum = &m->sums[m->slot[j] * g->tree->ntotals + i];
		struct val x;

		if (ints && sum->kind == v->kind) {
			if (add_int(sum, v->all || v->there[j] ? v->n[j] : 0)) {
				reg_put(to, n, j, sum);
				continue;
			}
			x = eval_fit(g, g->totals[i].node, *sum);
		} else {
			x = reg_val(of, j);
			x = before_add(g, i, j, &x);
		}
		reg_put(to, n, j, &x);
	}
	reg_end(to, n);
}
