/*
 * derive_type.c - the types of derived events.
 *
 * Each native type becomes one derived type for every combination of kinds of values. As long as one is enough,
 * derived types have the numbers of the native ones, so that appending an argument and dropping it again gives the
 * same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/derive_type.h"

/* Limits of the bytes of types and strings: beyond ANEW_BYTES they start anew before a batch; beyond MOST_BYTES,
 * in the middle of a batch, an event that needs another type is lost. */
#define ANEW_BYTES (16u << 20)
#define MOST_BYTES (64u << 20)
/* Types that may never come are made in advance up to this many bytes. */
#define FILL_BYTES (1u << 20)

const uint8_t derive_bits[FIELD_COLUMNS + 1] = {
    [FIELD_ADDR] = HAS_ADDR, [FIELD_SIZE] = HAS_SIZE, [FIELD_DUR] = HAS_DUR};

void
derive_check_column(const struct expr_tree *t, const struct expr_let *l,
		    enum field_kind column)
{
	bool time = column == FIELD_TIME || column == FIELD_DUR;
	uint8_t measure;

	if (column == FIELD_END)
		expr_die(t, l->at, "end is time + dur: set dur");
	if (l->root == NO_NODE) {
		if (column == FIELD_TIME || column == FIELD_EVENT)
			expr_die(t, l->at, "cannot drop %s: every event needs it", l->name);
		return;
	}
	measure = t->nodes[l->root].measure;
	if (column == FIELD_LOC || column == FIELD_EVENT || measure == M_PLAIN)
		return;
	if (time && measure != M_TIME)
		expr_die(t, l->at, "%s must be a time, but this value is none", l->name);
	if (!time && measure != M_NUMBER)
		expr_die(t, l->at, "%s must be a number, but this value is none", l->name);
}

static size_t
bytes(const struct derive *d)
{
	size_t own = d->own ? d->t.str.bytes + d->t.str.n * sizeof *d->t.str.v : 0;

	return own + d->t.bytes + d->plan_bytes + d->keys.bytes + d->made.bytes +
	       (d->keys.n + d->made.n) * sizeof *d->keys.v;
}

/* Frees the derived types and plans. */
static void
forget_types(struct derive *d)
{
	if (!d->own) /* the strings belong to the source */
		memset(&d->t.str, 0, sizeof d->t.str);
	tables_free(&d->t);
	arena_free(&d->mem);
	strtab_free(&d->keys);
	strtab_free(&d->made);
	d->plan_bytes = 0;
	d->filled = 0;
}

void
derive_forget(struct derive *d)
{
	forget_types(d);
	strtab_free(&d->given);
	if (d->given_cap)
		memset(d->given_n, 0, d->given_cap * sizeof *d->given_n);
	d->looked = 0;
}

static void
anew(struct derive *d, const struct source *s)
{
	if (d->epoch == s->t.epoch)
		forget_types(d);
	else
		derive_forget(d);
	tables_reset(&d->t);
	if (!d->own)
		strtab_free(&d->t.str);
	if (d->last_cap)
		memset(d->last, 0, d->last_cap * sizeof *d->last);
	d->epoch = s->t.epoch;
}

/* Takes the metadata of s, and replaces the pairs that derive_meta has set. */
static void
take_meta(struct derive *d, const struct source *s)
{
	size_t n = 0;

	GROW(d->meta, d->meta_cap, s->head.nmeta + d->nset);
	for (size_t i = 0; i < s->head.nmeta; i++) {
		size_t k = 0;

		while (k < d->nset && strcmp(s->head.meta[i].key, d->set[k].key))
			k++;
		if (k == d->nset)
			d->meta[n++] = s->head.meta[i];
	}
	for (size_t k = 0; k < d->nset; k++)
		if (*d->set[k].value)
			d->meta[n++] = d->set[k];
	d->head.meta = d->meta;
	d->head.nmeta = n;
}

/* Takes the head of s, with the metadata that derive_meta has set. Keeps what field.c computed from the head, if
 * the head is the same. */
static void
take_head(struct derive *d, const struct source *s)
{
	/* the head that was handed out, which field.c may have extended */
	struct head own = d->src.head;

	d->head = s->head;
	if (d->nset)
		take_meta(d, s);
	if (d->head_serial == s->head_serial && d->meta_of == s->head.meta &&
	    own.meta == d->head.meta) {
		d->head.places = own.places;
		d->head.nplaces = own.nplaces;
		d->head.seen = own.seen;
		return;
	}
	free(own.places);
	d->head.places = NULL;
	d->head.nplaces = d->head.seen = 0;
	d->head_serial = s->head_serial;
	d->meta_of = s->head.meta;
}

/* Examines new native types: how many earlier ones are equal, and whether one has a symbol that a value replaces
 * or drops. */
static void
look_at_types(struct derive *d, const struct source *s)
{
	GROW(d->same, d->same_cap, s->t.ntypes);
	for (; d->looked < s->t.ntypes; d->looked++) {
		const struct type *ty = &s->t.type[d->looked];
		uint32_t id;

		d->key.n = 0;
		type_key(&d->key, ty);
		id = strtab_id(&d->given, d->key.p, d->key.n);
		GROW(d->given_n, d->given_cap, id + 1);
		d->same[d->looked] = d->given_n[id]++;
		for (uint32_t i = 0; i < ty->nargs; i++)
			for (size_t k = 0; ty->args[i].kind == K_SYM && k < d->n; k++)
				d->drops |= !strcmp(ty->args[i].name, d->value[k].name);
	}
}

void
derive_begin(struct derive *d, const struct source *s)
{
	if (d->epoch != s->t.epoch || bytes(d) > ANEW_BYTES)
		anew(d, s);
	look_at_types(d, s);
	if (!d->own && (d->loc < d->n || d->drops)) {
		anew(d, s);
		d->own = true;
		strtab_id(&d->t.str, "-", 1);
	}
	take_head(d, s);
	if (!d->own)
		d->t.str = s->t.str;
	else
		import_from(&d->import, &s->t);
	GROW(d->last, d->last_cap, s->t.ntypes);
}

static struct arg_slot *
add_slot(struct derive *d, size_t *n)
{
	GROW(d->slots, d->slot_cap, *n + 1);
	memset(&d->slots[*n], 0, sizeof *d->slots);
	return &d->slots[(*n)++];
}

/* Adds a value to the arguments in d->slots: it replaces an argument, is appended, or drops one. */
static void
set_slot(struct derive *d, size_t *n, size_t value, uint8_t shape)
{
	struct arg_slot *to = NULL;

	for (size_t i = 0; i < *n; i++) {
		struct arg_slot *l = &d->slots[i];

		if (l->gone || strcmp(l->arg.name, d->value[value].name) != 0)
			continue;
		if (shape == SHAPE_NONE)
			l->gone = true;
		else if (!to)
			to = l;
	}
	if (shape == SHAPE_NONE)
		return;
	if (!to)
		to = add_slot(d, n);
	*to = (struct arg_slot){.arg = {.name = d->value[value].name, .kind = shape},
				.value = value};
}

/* Fills d->slots with the arguments of a new type. Returns the number of slots. */
static size_t
fill_slots(struct derive *d, const struct type *ty, const uint8_t *shapes)
{
	size_t n = 0;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		struct arg_slot *l = add_slot(d, &n);

		l->arg = ty->args[i];
		l->from = &ty->args[i];
	}
	for (size_t i = 0; i < d->n; i++)
		if (!d->value[i].column)
			set_slot(d, &n, i, shapes[i]);
	return n;
}

/* Sets the columns that records of the type may have, and must have. */
static void
set_columns(const struct derive *d, struct type *ty)
{
	ty->may |= ty->must;
	for (size_t i = 0; i < d->n; i++) {
		uint8_t bit = derive_bits[d->value[i].column];

		ty->must &= (uint8_t)~bit;
		if (d->value[i].dropped)
			ty->may &= (uint8_t)~bit;
		else
			ty->may |= bit;
	}
}

/* Notes in p which arguments are copied, and the offsets of values. */
static void
note_copies(struct derive *d, struct derive_plan *p, size_t nslots)
{
	const struct type *to = &d->t.type[p->type];
	uint32_t at = 0;

	for (size_t i = 0; i < nslots; i++) {
		const struct arg_slot *l = &d->slots[i];
		const struct arg *a = &to->args[at];

		if (l->gone)
			continue;
		at++;
		if (!l->from)
			p->off[l->value] = a->off;
		else if (!p->whole || kind_is_part(a))
			p->copies[p->ncopies++] = (struct copy){l->from, a};
	}
}

static struct derive_plan
make_derive_plan(struct derive *d, const struct source *s, uint32_t type,
		 const uint8_t *shapes, const char *name, size_t n)
{
	const struct type *from = &s->t.type[type];
	size_t nslots = fill_slots(d, from, shapes);
	struct arg *args = xcalloc(nslots + 1, sizeof *args);
	struct type ty = *from;
	struct derive_plan p = {.from_fixed = from->fixed, .whole = true};
	uint32_t known, id;

	if (name) {
		ty.event = name;
		ty.event_len = (uint32_t)n;
	}
	set_columns(d, &ty);
	ty.nargs = 0;
	for (size_t i = 0; i < nslots; i++) {
		const struct arg_slot *l = &d->slots[i];

		p.whole &= i >= from->nargs || l->from == &from->args[i];
		p.whole &= !l->gone;
		if (!l->gone)
			args[ty.nargs++] = l->arg;
	}
	p.whole &= nslots >= from->nargs;
	ty.args = args;
	/* Use an equal type if there is one. The source may have several equal types, which stay separate. */
	known = d->made.n;
	d->key.n = 0;
	type_key(&d->key, &ty);
	buf_add(&d->key, &d->same[type], sizeof *d->same);
	id = strtab_id(&d->made, d->key.p, d->key.n);
	if (id == known) {
		GROW(d->made_type, d->made_cap, id + 1);
		d->made_type[id] = type_add(&d->t, &ty);
	}
	p.type = d->made_type[id];
	free(args);
	p.to_fixed = d->t.type[p.type].fixed;
	p.off = arena_zeros(&d->mem, d->n * sizeof *p.off + 1);
	p.shapes = arena_get(&d->mem, d->n + 1);
	memcpy(p.shapes, shapes, d->n);
	p.copies = arena_get(&d->mem, nslots * sizeof *p.copies + 1);
	note_copies(d, &p, nslots);
	d->plan_bytes += sizeof p + d->n * (sizeof *p.off + 1) + nslots * sizeof *p.copies;
	return p;
}

uint32_t
derive_plan(struct derive *d, const struct source *s, uint32_t type, const uint8_t *shapes,
	    const char *name, size_t n)
{
	/* Make plans for the types before it too, so that numbers stay the same: see above. */
	uint32_t first = !name && d->filled < type ? d->filled : type, id = 0, known;

	for (uint32_t i = first; i <= type; i++) {
		if (i < type && bytes(d) > FILL_BYTES)
			i = type;
		if (bytes(d) > MOST_BYTES)
			return UINT32_MAX;
		d->key.n = 0;
		buf_add(&d->key, &i, sizeof i);
		buf_add(&d->key, shapes, d->n);
		if (name)
			buf_add(&d->key, name, n);
		known = d->keys.n;
		id = strtab_id(&d->keys, d->key.p, d->key.n);
		GROW(d->plan, d->plan_cap, id + 1);
		if (id == known)
			d->plan[id] = make_derive_plan(d, s, i, shapes, name, n);
	}
	d->filled = d->filled > type ? d->filled : type + 1;
	return id;
}
