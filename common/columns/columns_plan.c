/* columns_plan.c - what the fast path has to do with a line, and the names that it knows. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "columns/columns.h"

#define KNOWN_FIRST 64 /* names at first, and at most */
#define KNOWN_MOST 16384

void
columns_learn(struct columns_known *k, struct span name, uint32_t id)
{
	uint64_t key[2];
	struct columns_name *slot, *other;

	if (name.n > FAST_KEY || columns_known(k, name.p, name.n))
		return;
	slot = columns_slot(k, name.p, name.n, key);
	other = &k->v[(slot - k->v) ^ 1];
	if (slot->id && other->id && k->size < KNOWN_MOST) {
		/* What it knew it meets again. */
		k->size *= 4;
		free(k->v);
		k->v = xcalloc(k->size, sizeof *k->v);
		slot = columns_slot(k, name.p, name.n, key);
	} else if (slot->id && !other->id)
		slot = other;
	*slot = (struct columns_name){{key[0], key[1]}, (uint32_t)name.n, id + 1};
}

void
columns_forget(struct columns_known *k)
{
	memset(k->v, 0, k->size * sizeof *k->v);
}

/* Digits of a number that nobody needs, which make it not too great; 0 if somebody does. */
static uint8_t
idle(const struct source *s, const struct columns_field *f)
{
	static const unsigned need[] = {[C_TIME] = NEED_TIME,
					[C_END] = NEED_TIME,
					[C_ADDR] = NEED_ADDR,
					[C_SIZE] = NEED_SIZE,
					[C_DUR] = NEED_DUR | NEED_TIME};
	const struct columns *c = s->state;
	uint64_t left = INT64_MAX / f->unit;
	uint8_t n = 0;

	if (f->what == C_ARG || s->need & need[f->what] || (f->what <= C_END && c->l->base))
		return 0;
	while (left >= 10) {
		left /= 10;
		n++;
	}
	return n;
}

static struct columns_op
make_op(const struct source *s, const struct columns_field *v)
{
	return (struct columns_op){
	    .col = (uint8_t)(v->at - 1),
	    .absent = v->absent,
	    .has = v->what == C_ADDR   ? HAS_ADDR
		   : v->what == C_SIZE ? HAS_SIZE
		   : v->what == C_DUR  ? HAS_DUR
				       : 0,
	    .time = v->as == AS_TIME,
	    .what = v->what == C_END ? C_TIME : v->what,
	    .unit = v->unit,
	    .idle = idle(s, v),
	    .most =
		(v->as == AS_TIME && v->what > C_END ? INT64_MAX : UINT64_MAX) / v->unit -
		1,
	};
}

/* Whether a field is more than the fast path can do. */
static bool
beyond(const struct source *s, const struct columns_field *v)
{
	return (v->at <= 0 && !v->constant.p) || v->rest || v->when || v->as == AS_HEX ||
	       v->as == AS_ISO || (v->what == C_ARG && s->need & NEED_ARGS);
}

void
columns_plan(struct source *s)
{
	struct columns *c = s->state;
	struct columns_fast *f = &c->fast;
	bool record = !c->record;
	uint32_t text = UINT32_MAX;
	int loc = -1;

	f->locs.size = f->events.size = KNOWN_FIRST;
	f->locs.v = xcalloc(KNOWN_FIRST, sizeof *f->locs.v);
	f->events.v = xcalloc(KNOWN_FIRST, sizeof *f->events.v);
	f->off = !c->l->sep || c->want > FAST_COLUMNS || c->l->nskips || c->l->most;
	f->loc = f->loc_last = f->event = -1;
	f->sep = c->l->sep;
	f->want = c->want;
	f->base = c->l->base;
	for (unsigned i = 0; i < c->l->nfields; i++) {
		const struct columns_field *v = &c->field[i];
		int col = v->at - 1;

		f->off |= f->nops == FAST_COLUMNS || beyond(s, v);
		if (v->what == C_LOC) {
			f->off |= loc >= 0 && col != loc + 1;
			f->loc = f->loc < 0 ? col : f->loc;
			f->loc_last = loc = col;
		} else if (v->what == C_EVENT && v->at)
			f->event = col;
		if (v->as == AS_TEXT || f->off) {
			/* Whether a name of an argument is known only the slow path sees. */
			f->off |= v->what == C_ARG && v->npairs;
			continue;
		}
		record |= v->at == c->record && !v->absent;
		text &= ~(1u << col);
		f->op[f->nops++] = make_op(s, v);
	}
	for (unsigned i = 0; i < c->want && i < FAST_COLUMNS; i++)
		if (text >> i & 1)
			f->text[f->ntexts++] = (uint8_t)i;
	f->off |= !record;
}
