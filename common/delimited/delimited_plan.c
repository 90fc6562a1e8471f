/* delimited_plan.c - plans the fast path for a layout, and keeps the names that it knows. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "delimited/delimited_json.h"
#include "delimited/delimited_line.h"
#include "event/value.h"

#define KNOWN_FIRST 64 /* places in the table of names: at first, and the limit */
#define KNOWN_MOST 16384

/* ---- names ---- */

static void
known_start(struct delimited_known *k)
{
	k->size = KNOWN_FIRST;
	k->v = xcalloc(KNOWN_FIRST, sizeof *k->v);
}

static void
known_forget(struct delimited_known *k)
{
	if (k->v)
		memset(k->v, 0, k->size * sizeof *k->v);
	strtab_free(&k->longer);
}

static void
known_free(struct delimited_known *k)
{
	free(k->v);
	free(k->longer_id);
	strtab_free(&k->longer);
}

/* Adds the name to the table k, with the number id. */
static void
learn(struct delimited_known *k, struct span name, uint32_t id)
{
	uint64_t key[2];
	struct delimited_name *slot, *other;
	uint32_t i;

	if (delimited_known(k, name.p, name.n, false))
		return;
	if (name.n > FAST_KEY) {
		if (k->longer.n >= KNOWN_MOST)
			return;
		i = strtab_id(&k->longer, name.p, name.n);
		GROW(k->longer_id, k->longer_cap, i + 1u);
		k->longer_id[i] = id + 1;
		return;
	}
	slot = delimited_slot(k, name.p, name.n, key);
	other = &k->v[(slot - k->v) ^ 1];
	if (slot->id && other->id && k->size < KNOWN_MOST) {
		/* Growing drops the names; the slow path teaches them again. */
		k->size *= 4;
		free(k->v);
		k->v = xcalloc(k->size, sizeof *k->v);
		slot = delimited_slot(k, name.p, name.n, key);
	} else if (slot->id && !other->id)
		slot = other;
	*slot = (struct delimited_name){{key[0], key[1]}, (uint32_t)name.n, id + 1};
}

/* Sets *name to the bytes that the fast path compares for the columns from..last; it removes quotes around a
 * single column. Returns false if the bytes are not the value, for instance because of quotes inside. */
static bool
seen(const struct delimited *c, int from, int last, struct span *name)
{
	const struct delimited_cell *a, *z;

	if (from < 0 || last >= (int)c->n)
		return false;
	a = &c->cell[from];
	z = &c->cell[last];
	if (!a->raw.p || !z->raw.p)
		return false;
	*name = (struct span){a->raw.p, (size_t)(z->raw.p + z->raw.n - a->raw.p)};
	if (!c->l->sep || c->l->json || !memchr(name->p, '"', name->n))
		return true;
	/* The fast path does not read quotes inside a column. */
	if (from != last || *name->p != '"' || a->text.p != a->raw.p + 1)
		return false;
	*name = a->text;
	return true;
}

void
delimited_meet(struct delimited *c, uint32_t loc)
{
	struct delimited_fast *f = &c->fast;
	struct span name;

	if (f->object && !f->learned)
		return;
	/* The fast path does not read lines with another number of columns. */
	if (f->exact && c->n != f->want)
		return;
	if (seen(c, f->event, f->event, &name))
		learn(&f->events, name, c->event);
	if (seen(c, f->loc, f->loc_last, &name))
		learn(&f->locs, name, loc);
	for (unsigned i = 0, k = 0; i < c->l->nfields; i++) {
		struct delimited_fast_arg *a = &f->arg[k];

		if (c->field[i].what != C_ARG)
			continue;
		k++;
		if (!a->mapped || !c->arg[i].p || !seen(c, a->col, a->col, &name))
			continue;
		c->name.n = 0;
		value_str(&c->name, c->arg[i].p, c->arg[i].n);
		learn(&a->known, name, strtab_id(&f->texts, c->name.p, c->name.n));
	}
}

void
delimited_forget(struct delimited_fast *f)
{
	known_forget(&f->locs);
	known_forget(&f->events);
	for (unsigned i = 0; i < FAST_ARGS; i++)
		known_forget(&f->arg[i].known);
	strtab_free(&f->texts);
	f->loc_id = 0;
	FREE(f->type);
	f->types = 0;
}

void
delimited_piece(struct delimited *c, const uint8_t *line, const uint8_t *p, bool text,
		int cell)
{
	struct delimited_fast *f = &c->fast;
	struct delimited_object *o = &f->object[f->objects];
	size_t from = o->n ? o->end : 0, to = (size_t)(p - line);

	if (o->n >= FAST_PIECES || from > to || to >= sizeof o->bytes)
		o->n = FAST_PIECES + 1;
	else {
		memcpy(o->bytes + from, line + from, to - from);
		o->piece[o->n++] = (struct delimited_piece){
		    (uint16_t)from, (uint16_t)(to - from),
		    (uint8_t)(cell < 0 || cell > FAST_COLUMNS ? FAST_COLUMNS : cell), text};
		/* The columns of loc are compared as one name, from the first one to the last, so they must be
		 * adjacent. */
		if (cell > f->loc && cell <= f->loc_last &&
		    (o->n == 1 || o->piece[o->n - 2].col + 1 != cell))
			o->n = FAST_PIECES + 1;
	}
}

void
delimited_learn(struct delimited *c, const uint8_t *p, const uint8_t *end)
{
	struct delimited_fast *f = &c->fast;
	struct delimited_object *o = &f->object[f->objects];
	struct delimited_split s;
	struct masks m;

	masks_here(p, '"', &m);
	f->learned = delimited_objects(f, p, m, masks_here, &s) != 0;
	if (f->learned || f->objects == FAST_OBJECTS)
		return;
	delimited_piece(c, p, end, false, -1);
	if (o->n > FAST_PIECES)
		return;
	/* Keep the object only if reading the line by it gives the same cells. */
	f->objects++;
	f->learned = delimited_objects(f, p, m, masks_here, &s) == (unsigned)(end - p) + 1;
	for (unsigned i = 0; i < c->n; i++)
		f->learned &= s.to[i] - s.at[i] == (int)c->cell[i].raw.n &&
			      (!c->cell[i].raw.p || c->cell[i].raw.p == p + s.at[i]);
	f->objects -= !f->learned;
}

void
delimited_plan_free(struct delimited_fast *f)
{
	free(f->object);
	delimited_forget(f);
	known_free(&f->locs);
	known_free(&f->events);
	for (unsigned i = 0; i < FAST_ARGS; i++)
		known_free(&f->arg[i].known);
}

/* ---- the plan ---- */

/* Returns the number of digits that fit in a number that the consumer does not need, so that the fast path need
 * not convert the number. Returns 0 if the consumer needs it. */
static uint8_t
idle(const struct source *s, const struct delimited_field *f)
{
	static const unsigned need[] = {[C_TIME] = NEED_TIME,
					[C_END] = NEED_TIME,
					[C_ADDR] = NEED_ADDR,
					[C_SIZE] = NEED_SIZE,
					[C_DUR] = NEED_DUR | NEED_TIME};
	const struct delimited *c = s->state;
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

/* Returns the index of column `at` in a line of n columns, from 0. `at` counts from 1, or from the end of the line
 * if it is negative. The result is negative if there is no such column. */
static int
column(int at, unsigned n)
{
	return at < 0 ? (int)n + at : at - 1;
}

bool
delimited_counts(const struct delimited *c)
{
	bool counts = c->l->most != 0;

	for (unsigned i = 0; i < c->l->nfields; i++)
		counts |=
		    c->field[i].ref[REF_AT].at < 0 || c->field[i].ref[REF_WHEN].at < 0;
	return counts || c->record < 0;
}

/* Returns true if the fast path can read the field v from column `col`. */
static bool
can(const struct delimited_field *v, int col)
{
	bool text = v->as == AS_TEXT, arg = v->what == C_ARG;

	if (v->as == AS_ISO || v->as == AS_LINE || v->point || v->either ||
	    v->ref[REF_LESS].at || col >= FAST_COLUMNS)
		return false;
	if (!text)
		return !v->rest;
	return arg ? !(v->rest && v->npairs) : !v->rest && !v->ref[REF_WHEN].at;
}

static struct delimited_op
make_op(const struct source *s, const struct delimited_field *v, int col, unsigned arg)
{
	const struct delimited *c = s->state;
	bool time = v->as == AS_TIME;

	return (struct delimited_op){
	    .col = (uint8_t)col,
	    .absent = v->absent,
	    .has = v->what == C_ADDR   ? HAS_ADDR
		   : v->what == C_SIZE ? HAS_SIZE
		   : v->what == C_DUR  ? HAS_DUR
				       : 0,
	    .point = (uint8_t)(!time	     ? '0'
			       : c->l->comma ? ','
					     : '.'),
	    .hex = v->as == AS_HEX,
	    .what = v->what == C_END   ? C_TIME
		    : v->what == C_ARG ? (uint8_t)(C_ARG + arg)
				       : v->what,
	    .unit = v->unit,
	    .idle = idle(s, v),
	    .most = (time && v->what > C_END ? INT64_MAX : UINT64_MAX) / v->unit - 1,
	};
}

/* Adds an argument to the fast path; col < 0 means that no line has it. Returns false if there are too many. */
static bool
delimited_add_arg(struct delimited_fast *f, const struct delimited_field *v, int col,
		  const struct delimited_when *when, unsigned *optional)
{
	struct delimited_fast_arg *a = &f->arg[f->nargs];

	if (f->nargs == FAST_ARGS)
		return false;
	f->nargs++;
	a->text = v->as == AS_TEXT;
	a->rest = v->rest;
	a->mapped = v->npairs != 0;
	a->absent = v->absent;
	a->when = *when;
	a->gone = col < 0;
	a->col = (uint8_t)(a->gone ? 0 : col);
	a->optional = v->absent ? 1u << (*optional)++ : 0;
	f->absent |= a->gone ? a->optional : 0;
	if (a->mapped)
		known_start(&a->known);
	return true;
}

/* Plans a location in a column. Returns false unless it is next to the previous one: the columns of loc are
 * compared as one name. */
static bool
add_loc(struct delimited_fast *f, int col)
{
	bool next = f->loc < 0 || col == f->loc_last + 1;

	f->loc = f->loc < 0 ? col : f->loc;
	f->loc_last = col;
	return next;
}

/* Plans the field v. Returns false if the fast path cannot read it. */
static bool
add_field(const struct source *s, struct delimited_fast *f, const struct delimited_field *v,
	  unsigned n, unsigned *optional)
{
	int at = v->ref[REF_AT].at, asks = v->ref[REF_WHEN].at, col = column(at, n),
	    when = asks ? column(asks, n) : -1;
	/* If all lines have n columns, a column after them is always missing. */
	bool gone = f->exact && v->absent &&
		    (col < 0 || col >= (int)n || (asks && (when < 0 || when >= (int)n)));
	unsigned arg = f->nargs;
	struct delimited_when cond = {(uint8_t)(when + 1), v->is};

	if (!at)
		return v->what == C_EVENT;
	/* A missing member of an object has no column number to compare. */
	if (f->object && asks)
		return false;
	if (!gone && (col < 0 || (f->exact && col >= (int)n) || !can(v, col)))
		return false;
	if (v->what == C_ARG && !delimited_add_arg(f, v, gone ? -1 : col, &cond, optional))
		return false;
	if (gone)
		return v->what != C_EVENT && v->what != C_LOC;
	if (v->what == C_LOC)
		return add_loc(f, col);
	if (v->what == C_EVENT)
		f->event = col;
	if (v->as == AS_TEXT)
		return true;
	if (f->nops == FAST_COLUMNS)
		return false;
	f->op[f->nops] = make_op(s, v, col, arg);
	f->op[f->nops++].when = cond;
	return true;
}

/* Plans to check the column that has a number in each record, unless another field reads it. Returns false if the
 * fast path cannot check it. */
static bool
add_record(const struct delimited *c, struct delimited_fast *f, unsigned n)
{
	int col = column(c->record, n);

	if (!c->record)
		return true;
	if (c->record_if)
		return false;
	if (col < 0 || col >= FAST_COLUMNS || f->nops == FAST_COLUMNS)
		return false;
	for (unsigned i = 0; i < f->nops; i++)
		if (f->op[i].col == col && !f->op[i].absent && !f->op[i].hex)
			return true;
	f->op[f->nops++] = (struct delimited_op){.col = (uint8_t)col,
						 .point = c->l->comma ? ',' : '.',
						 .what = FAST_CHECK,
						 .unit = 1,
						 .most = UINT64_MAX - 1};
	return true;
}

/* Lists in f->text the columns whose quotes must be checked first: columns without a number, and columns of
 * conditions. */
static void
find_texts(struct delimited_fast *f)
{
	uint32_t texts = UINT32_MAX;

	for (unsigned i = 0; i < f->nops; i++)
		texts &= ~(1u << f->op[i].col);
	for (unsigned i = 0; i < f->nops; i++)
		texts |= f->op[i].when.col ? 1u << (f->op[i].when.col - 1) : 0;
	for (unsigned i = 0; i < f->nargs; i++)
		texts |= f->arg[i].when.col && !f->arg[i].gone
			     ? 1u << (f->arg[i].when.col - 1)
			     : 0;
	for (unsigned i = 0; f->sep && i < f->want && i < FAST_COLUMNS; i++)
		if (texts >> i & 1)
			f->text[f->ntexts++] = (uint8_t)i;
}

void
delimited_plan(struct source *s, unsigned n)
{
	struct delimited *c = s->state;
	struct delimited_fast *f = &c->fast;
	unsigned optional = 0;

	known_start(&f->locs);
	known_start(&f->events);
	f->planned = true;
	f->loc = f->loc_last = f->event = -1;
	f->sep = c->l->json ? '"' : c->l->sep;
	f->exact = n != 0;
	f->want = n ? n : c->want;
	f->base = c->l->base;
	f->skip = c->l->skip;
	f->nskips = c->l->nskips;
	f->args = s->need & NEED_ARGS;
	if (c->l->json)
		f->object = xcalloc(FAST_OBJECTS + 1, sizeof *f->object);
	f->off = f->want > FAST_COLUMNS || c->l->nforms || c->l->bytes ||
		 (c->l->others && f->args) || c->l->stream || (c->json && c->json->array);
	for (unsigned i = 0; i < f->nskips; i++)
		f->off |= f->skip[i].n > 64;
	for (unsigned i = 0; i < c->l->nfields && !f->off; i++)
		f->off = !add_field(s, f, &c->field[i], n, &optional);
	f->off = f->off || !add_record(c, f, n);
	if (f->off)
		FREE(f->object);
	find_texts(f);
	f->args &= f->nargs != 0;
	f->common = f->sep && !f->exact && !f->nargs && !f->nskips;
	for (unsigned i = 0; i < f->nops; i++)
		f->common &= !f->op[i].hex && !f->op[i].when.col;
	f->t = &s->t;
}
