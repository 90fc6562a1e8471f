/* stats_value.c - counts the values of a batch in the columns of their groups. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stats/accumulator.h"

void
column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
	      const uint64_t *v, uint32_t n)
{
	for (unsigned acc = n ? st->spec->col[c].acc : 0; acc; acc &= acc - 1) {
		const struct accumulator *a = accumulators[trailing_zeros64(acc)];

		/* Only accumulators with an array for texts count texts. */
		if (a->add && (class != TEXTS || a->arrays == CLASSES))
			a->add(st, c, class, g, v, n);
	}
}

/* The class of a number that is not negative, by its enum kind. */
static const uint8_t class_of[K_KINDS] = {
    [K_X32] = INT_HEX, [K_X64] = INT_HEX, [K_NS] = NANO_POS};

/* Sets *d to the value of the i-th event. Returns false if it has none. A value that the record does not hold as a
 * whole number or time is a text, in st->scratch. */
static bool
event_value(struct stats *st, const struct source *s, const struct rec *r, uint32_t i,
	    size_t c, struct datum *d)
{
	const char *name = st->spec->col[c].name;
	const struct field *f = view_field(&st->view, r->type, c);
	uint64_t v;

	if (f->load == LOAD_INT || f->load == LOAD_END) {
		if (!field_load(f, r, &v))
			return false;
		*d = (struct datum){.class = class_of[f->number], .v = v};
		if (f->sign && (int64_t)v < 0) {
			d->class ++;
			d->v = 0 - v;
		}
		return true;
	}
	st->scratch.n = 0;
	if (is_made(name) ? !made_text(st, s, r, name, i)
			  : !field_text(&st->scratch, &s->head, &s->t, r, f))
		return false;
	*d = (struct datum){TEXTS, st->scratch.n, (char *)st->scratch.p};
	return true;
}

bool
column_number(struct stats *st, const struct source *s, const struct rec *r, uint32_t i,
	      size_t c, struct class_value *v)
{
	struct datum d;

	if ((!is_made(st->spec->col[c].name) &&
	     view_field(&st->view, r->type, c)->load == LOAD_NONE) ||
	    !event_value(st, s, r, i, c, &d))
		return false;
	if (d.class == TEXTS)
		d.class = (uint8_t)class_of_text(d.text, (size_t)d.v, &d.v);
	*v = (struct class_value){d.class == INT_HEX ? INT_POS : d.class, d.v};
	return true;
}

/* Makes room for all groups in the accumulators of column c that take values of any kind. Returns these
 * accumulators. */
static unsigned
taking_room(struct stats *st, size_t c)
{
	unsigned acc = accumulators_taking(st->spec->col[c].acc);

	for (unsigned rest = acc; rest; rest &= rest - 1) {
		unsigned i = trailing_zeros64(rest);

		column_room(&st->col[c], i, 0, st->ngroups, accumulators[i]->size);
	}
	return acc;
}

/* Counts a value in the accumulators that take values of any kind. */
static INLINE void
take_value(struct stats *st, size_t c, unsigned acc, uint32_t g,
	   const struct end_value *value)
{
	for (; acc; acc &= acc - 1) {
		unsigned kept = trailing_zeros64(acc);
		const struct accumulator *a = accumulators[kept];

		a->take(st, (uint8_t *)st->col[c].kept[kept][0].v + g * a->size, value);
	}
}

void
column_one(struct stats *st, size_t c, uint32_t g, struct class_value v, uint64_t begin,
	   uint64_t seq)
{
	struct end_value e = {
	    true, st->file, begin, seq, {.class = (uint8_t)v.class, .v = v.v}};

	column_values(st, c, v.class, &g, &v.v, 1);
	take_value(st, c, taking_room(st, c), g, &e);
}

/* Returns true if each group has a single value of column c, because the column is a key, and only the set of
 * values is kept. */
static bool
one_value(const struct spec *spec, size_t c)
{
	for (size_t k = 0; k < spec->nkeys; k++)
		if (!strcmp(spec->key[k], spec->col[c].name))
			return spec->col[c].acc == ACC_SET;
	return false;
}

static void
add_data(struct stats *st, const struct source *s, size_t c, unsigned acc, struct events e)
{
	const struct set *known =
	    one_value(st->spec, c) ? st->col[c].kept[KEPT_SET][0].v : NULL;
	/* If the column is the event's name in all types, a value is valid for all events of type `named`. */
	bool names = st->view.name[c].same.kind == FIELD_EVENT;
	uint32_t named = UINT32_MAX;
	struct end_value value = {.any = true, .file = st->file, .begin = s->part.begin};
	struct datum *d = &value.datum;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);

		if (known && known[e.g[i]].n)
			continue;
		if (!names || r->type != named) {
			if (!event_value(st, s, r, i, c, d))
				continue;
			if (d->class == TEXTS)
				*d = datum_of_text(d->text, (size_t)d->v);
			named = r->type;
		}
		value.seq = ++st->seq;
		take_value(st, c, acc, e.g[i], &value);
	}
}

/* Counts the integers v[0..k) in groups g. `negative` is the or of all; 0 if they are unsigned. */
static void
add_integers(struct stats *st, size_t c, unsigned class, const uint32_t *g,
	     const uint64_t *v, uint32_t k, uint64_t negative)
{
	if (!(negative >> 63)) {
		column_values(st, c, class, g, v, k);
		return;
	}
	for (uint32_t i = 0; i < k; i++) {
		unsigned minus = (int64_t)v[i] < 0;
		uint64_t magnitude = minus ? 0 - v[i] : v[i];

		column_values(st, c, class + minus, &g[i], &magnitude, 1);
	}
}

/* Counts the values of a computed field if they are integers; else returns false. */
static bool
add_made(struct stats *st, const struct source *s, size_t c, uint32_t n, const uint32_t *g)
{
	uint64_t v[BATCH], negative = 0;
	uint32_t to[BATCH], k = 0;
	uint8_t there[BATCH];
	bool time;

	if (!made_ints(st, st->spec->col[c].name, n, v, there, &time))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		v[k] = v[i];
		to[k] = g[i];
		negative |= there[i] ? v[i] : 0;
		k += there[i];
	}
	add_integers(st, c, time && s->head.clock == CLOCK_NS ? NANO_POS : INT_POS, to, v,
		     k, negative);
	return true;
}

void
column_add(struct stats *st, const struct source *s, size_t c, struct events e)
{
	const struct field *f = &st->view.name[c].same;
	uint64_t v[BATCH], negative = 0;
	bool made = is_made(st->spec->col[c].name);
	unsigned class = f->number == K_NS ? NANO_POS : INT_POS;
	uint32_t g2[BATCH], at = f->off, bit = f->bit, k = 0, taking;

	if (f->load == LOAD_NONE && !made)
		return;
	taking = taking_room(st, c);
	if (taking)
		add_data(st, s, c, taking, e);
	if (st->spec->col[c].acc == taking)
		return;
	if (made && add_made(st, s, c, e.n, e.g))
		return;
	if ((f->load != LOAD_INT || f->shift) && f->load != LOAD_END) {
		for (uint32_t i = 0; i < e.n; i++) {
			const struct rec *r = event_at(e, i);
			struct class_value d;

			if (column_number(st, s, r, i, c, &d))
				column_values(st, c, d.class, &e.g[i], &d.v, 1);
		}
		return;
	}
	if (!bit && f->load == LOAD_INT) {
		for (uint32_t i = 0; i < e.n; i++) {
			v[i] = ld64(e.base + e.off[i] + at);
			negative |= v[i];
		}
		k = e.n;
	} else {
		for (uint32_t i = 0; i < e.n; i++) {
			const struct rec *r = event_at(e, i);

			v[k] = f->load == LOAD_INT
				   ? ld64((const uint8_t *)r + at)
				   : (uint64_t)time_plus(s->head.clock, r->time, r->dur);
			negative |= v[k];
			g2[k] = e.g[i];
			k += !(bit & ~r->has);
		}
		e.g = g2;
	}
	add_integers(st, c, class, e.g, v, k, f->sign ? negative : 0);
}

void
column_marks(struct stats *st, size_t c, struct events e)
{
	bool all = st->spec->col[c].kind == COL_EVENT;
	uint64_t v[BATCH];
	uint32_t to[BATCH], k = 0;

	for (uint32_t i = 0; i < e.n; i++) {
		int way = all ? 0 : st->way[event_at(e, i)->type];

		v[k] = all || way > 0;
		to[k] = e.g[i];
		k += all || way;
	}
	column_values(st, c, INT_POS, to, v, k);
}

void
column_clear(struct stats_column *c, size_t from, size_t to)
{
	for (unsigned i = 0; i < KEPT_MOST; i++)
		for (unsigned k = 0; k < CLASSES; k++)
			for (size_t g = from;
			     g < to && g < c->kept[i][k].cap && accumulators[i]->clear; g++)
				accumulators[i]->clear((uint8_t *)c->kept[i][k].v +
						       g * accumulators[i]->size);
}
