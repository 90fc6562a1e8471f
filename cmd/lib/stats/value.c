/* value.c - the values of a batch into the columns of their groups. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stats/inside.h"

static INLINE void
tally_add(struct tally *a, uint64_t v)
{
	a->n++;
	a->lo += v;
	a->hi += a->lo < v;
	if (unlikely(~v > a->not_min))
		a->not_min = ~v;
	if (unlikely(v > a->max))
		a->max = v;
}

/* Many values of one group: kept in registers. */
static void
tally_run(struct tally *a, const uint64_t *v, uint32_t n)
{
	struct tally t = *a;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t x = v[i], not_x = ~x;

		t.lo += x;
		t.hi += t.lo < x;
		t.not_min = not_x > t.not_min ? not_x : t.not_min;
		t.max = x > t.max ? x : t.max;
	}
	t.n += n;
	*a = t;
}

/* Few groups, many values: four tallies each, as one would wait for itself. */
#define GROUPS_FEW 8
#define MARK_GROUPS 64

static void
tally_few(struct tally *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
	  uint32_t n)
{
	struct tally part[4][GROUPS_FEW];

	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			part[i][k] =
			    (struct tally){.not_min = num[k].not_min, .max = num[k].max};
	for (uint32_t i = 0; i < n; i++)
		tally_add(&part[i % 4][g[i]], v[i]);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			tally_merge(&num[k], &part[i][k]);
}

/* Values that are 0 or 1: nobody asks for their least and greatest. */
static void
tally_marks(struct tally *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
	    uint32_t n)
{
	uint16_t part[MARK_GROUPS][2] = {{0}};

	if (ngroups > MARK_GROUPS) {
		for (uint32_t i = 0; i < n; i++) {
			num[g[i]].n++;
			num[g[i]].lo += v[i];
		}
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		part[g[i]][v[i]]++;
	for (uint32_t k = 0; k < ngroups; k++) {
		num[k].n += (uint32_t)part[k][0] + part[k][1];
		num[k].lo += part[k][1];
	}
}

bool
one_group(const uint32_t *g, uint32_t n)
{
	uint32_t differ = 0;

	if (g[0] != g[n - 1])
		return false;
	for (uint32_t i = 1; i < n; i++)
		differ |= g[i] ^ g[0];
	return !differ;
}

static void
square_add(struct square *s, uint64_t v)
{
	uint64_t lo, hi;

	mul64(v, v, &lo, &hi);
	s->w[0] += lo;
	hi += s->w[0] < lo; /* at most 2^64 - 2 before */
	s->w[1] += hi;
	s->w[2] += s->w[1] < hi;
}

/* Returns the number of the interval of a magnitude by powers of two: 0 of 0, else POWER_ONE and
 * the binary exponent. A value in parts of 10^-9 has that of the value itself. */
static uint64_t
power_of(uint64_t v, bool nano)
{
	unsigned down = 0;

	if (!v)
		return 0;
	if (nano && v < 1000000000) {
		while (v << down < 1000000000)
			down++;
		return POWER_ONE - down;
	}
	return POWER_ONE + 63 - leading_zeros64(nano ? v / 1000000000 : v);
}

void
column_values(struct stats *st, size_t c, unsigned class, const uint32_t *g,
	      const uint64_t *v, uint32_t n)
{
	const struct col *spec = &st->spec->col[c];
	struct column *col = &st->col[c];
	uint64_t divided[BATCH];

	if (!n)
		return;
	if (spec->acc & ACC_NUM) {
		struct tally *num = GROW(col->num[class], col->num_cap[class], st->ngroups);

		if (spec->kind >= COL_MARKS)
			tally_marks(num, st->ngroups, g, v, n);
		else if (one_group(g, n))
			tally_run(&num[g[0]], v, n);
		else if (st->ngroups <= GROUPS_FEW && n >= BATCH / 4)
			tally_few(num, st->ngroups, g, v, n);
		else
			for (uint32_t i = 0; i < n; i++)
				tally_add(&num[g[i]], v[i]);
	}
	if (class == TEXTS)
		return;
	if (spec->acc & ACC_SQUARE) {
		struct square *square =
		    GROW(col->square[class], col->square_cap[class], st->ngroups);

		for (uint32_t i = 0; i < n; i++)
			square_add(&square[g[i]], v[i]);
	}
	if (spec->acc & ACC_HIST) {
		if (spec->powers) {
			bool nano = class >= NANO_POS && !spec->time;

			for (uint32_t i = 0; i < n; i++)
				divided[i] = power_of(v[i], nano);
			v = divided;
			/* Fractions and whole numbers have one scale. */
			class = spec->time ? class : class % 2;
		} else if (spec->div) {
			/* Values become numbers of intervals: hist(size,1K). */
			uint64_t by = spec->div;

			if (class >= NANO_POS && !spec->div_time)
				by = by > UINT64_MAX / 1000000000 ? UINT64_MAX
								  : by * 1000000000;
			for (uint32_t i = 0; i < n; i++)
				/* Down, also below zero: -1 is in the interval that ends at 0. */
				divided[i] = v[i] / by + (class % 2 && v[i] % by != 0);
			v = divided;
		}
		hists_room(&col->hist[class], st->ngroups);
		hists_add(&col->hist[class], g, v, n, spec_bits(st->spec, c));
	}
}

void
column_count(struct column *col, unsigned class, uint32_t ngroups, const uint32_t *g,
	     const uint64_t *v, uint32_t n)
{
	if (!n)
		return;
	GROW(col->num[class], col->num_cap[class], ngroups);
	for (uint32_t i = 0; i < n; i++)
		tally_add(&col->num[class][g[i]], v[i]);
	hists_room(&col->hist[class], ngroups);
	hists_add(&col->hist[class], g, v, n, SPEC_BITS);
}

/* Of a number that is not below 0, by its enum kind. */
static const uint8_t class_of[K_KINDS] = {
    [K_X32] = INT_HEX, [K_X64] = INT_HEX, [K_NS] = NANO_POS};

/* The value of the i-th event; false when it has none. One that is not kept as a whole number
 * or time is a text, in st->scratch. */
static bool
value_of(struct stats *st, const struct source *s, const struct rec *r, uint32_t i,
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

/* Files in the order of their names, then parts, then events. */
bool
end_before(const struct strtab *files, uint32_t file, uint64_t begin, uint64_t seq,
	   const struct end *e)
{
	if (file != e->file)
		return strcmp(files->v[file].s, files->v[e->file].s) < 0;
	return begin != e->begin ? begin < e->begin : seq < e->seq;
}

static void
end_set(struct end *e, uint32_t file, uint64_t begin, uint64_t seq, const struct datum *d)
{
	datum_free(&e->datum);
	*e = (struct end){true, file, begin, seq, datum_copy(d)};
}

/* A value as such: for distinct, top, mode, first, last. */
static void
add_datum(struct stats *st, size_t c, uint32_t g, uint64_t begin, uint64_t seq,
	  const struct datum *d)
{
	struct column *col = &st->col[c];
	unsigned acc = st->spec->col[c].acc;

	if (acc & ACC_SET)
		set_add(&col->set[g], d);
	if (acc & ACC_TOP)
		top_add(&col->top[g], d, 1, 0);
	if (acc & ACC_ENDS) {
		struct ends *e = &col->ends[g];

		if (!e->first.any ||
		    end_before(&st->files, st->file, begin, seq, &e->first))
			end_set(&e->first, st->file, begin, seq, d);
		if (!e->last.any || !end_before(&st->files, st->file, begin, seq, &e->last))
			end_set(&e->last, st->file, begin, seq, d);
	}
}

void
column_keep(struct column *col, uint32_t keep)
{
	if (col->keep && keep >= col->keep)
		return;
	for (size_t g = 0; g < col->pages_cap; g++)
		pages_trim(&col->pages[g], keep);
	col->keep = keep;
}

/* Room for all groups. */
void
column_room(struct stats *st, size_t c)
{
	struct column *col = &st->col[c];
	unsigned acc = st->spec->col[c].acc;
	uint32_t n = st->ngroups;

	if (acc & ACC_SET)
		GROW(col->set, col->set_cap, n);
	if (acc & ACC_PAGES) {
		GROW(col->pages, col->pages_cap, n);
		/* Only where groups are bounded the sets are bounded together. */
		column_keep(col, pages_keep(st->spec->groups_most ? n : 1));
	}
	if (acc & ACC_TOP) {
		size_t from = col->top_cap;

		GROW(col->top, col->top_cap, n);
		for (; from < col->top_cap; from++)
			col->top[from].cap = TOP_CAP(st->spec->top);
	}
	if (acc & ACC_ENDS)
		GROW(col->ends, col->ends_cap, n);
}

void
column_one(struct stats *st, size_t c, uint32_t g, struct value v, uint64_t begin,
	   uint64_t seq)
{
	struct datum d = {.class = (uint8_t)v.class, .v = v.v};

	column_values(st, c, v.class, &g, &v.v, 1);
	column_room(st, c);
	add_datum(st, c, g, begin, seq, &d);
}

static void
add_data(struct stats *st, const struct source *s, size_t c, struct events e)
{
	/* The column of names is that for all types; d is that of type `named`. */
	bool names = st->view.name[c].same.kind == FIELD_EVENT;
	uint32_t named = UINT32_MAX;
	struct datum d;

	column_room(st, c);
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);

		if (!names || r->type != named) {
			if (!value_of(st, s, r, i, c, &d))
				continue;
			if (d.class == TEXTS)
				d = datum_of_text(d.text, (size_t)d.v);
			named = r->type;
		}
		add_datum(st, c, e.g[i], s->begin, ++st->seq, &d);
	}
}

/* Integers v[0..k) of groups g; `negative`: all of them or-ed, 0 where none has a sign. */
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

/* The values of a computed field where they are integers; else false. */
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
	uint32_t g2[BATCH], at = f->off, bit = f->bit, k = 0;

	if (f->load == LOAD_NONE && !made)
		return;
	if (st->spec->col[c].acc & (ACC_SET | ACC_TOP | ACC_ENDS))
		add_data(st, s, c, e);
	if (!(st->spec->col[c].acc & (ACC_NUM | ACC_SQUARE | ACC_HIST)))
		return;
	if (made && add_made(st, s, c, e.n, e.g))
		return;
	if ((f->load != LOAD_INT || f->shift) && f->load != LOAD_END) {
		for (uint32_t i = 0; i < e.n; i++) {
			const struct rec *r = event_at(e, i);
			struct datum d;

			if ((!made &&
			     view_field(&st->view, r->type, c)->load == LOAD_NONE) ||
			    !value_of(st, s, r, i, c, &d))
				continue;
			if (d.class == TEXTS)
				d.class = (uint8_t)class_of_text(d.text, (size_t)d.v, &d.v);
			column_values(st, c, d.class == INT_HEX ? INT_POS : d.class,
				      &e.g[i], &d.v, 1);
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
	struct column *col = &st->col[c];
	struct tally *num = GROW(col->num[INT_POS], col->num_cap[INT_POS], st->ngroups);

	if (st->spec->col[c].kind == COL_EVENT) {
		for (uint32_t i = 0; i < e.n; i++)
			num[e.g[i]].n++;
		return;
	}
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		int way = st->way[r->type];

		num[e.g[i]].n += way != 0;
		num[e.g[i]].lo += way > 0;
	}
}

void
column_clear(struct column *c, size_t g)
{
	for (unsigned k = 0; k < TEXTS; k++)
		if (g < c->hist[k].cap)
			hist_free(&c->hist[k].hist[g]);
	if (g < c->set_cap)
		set_free(&c->set[g]);
	if (g < c->top_cap)
		top_free(&c->top[g]);
	if (g < c->ends_cap) {
		datum_free(&c->ends[g].first.datum);
		datum_free(&c->ends[g].last.datum);
	}
	if (g < c->pages_cap)
		pages_free(&c->pages[g]);
	if (g < c->states_cap) {
		free(c->states[g].enter);
		free(c->states[g].leave);
		c->states[g] = (struct states){0};
	}
}

void
column_free(struct column *c)
{
	size_t n = c->set_cap;

	n = c->top_cap > n ? c->top_cap : n;
	n = c->ends_cap > n ? c->ends_cap : n;
	n = c->pages_cap > n ? c->pages_cap : n;
	n = c->states_cap > n ? c->states_cap : n;
	for (size_t g = 0; g < n; g++)
		column_clear(c, g);
	for (unsigned k = 0; k < CLASSES; k++)
		free(c->num[k]);
	for (unsigned k = 0; k < TEXTS; k++) {
		hists_free(&c->hist[k]);
		free(c->square[k]);
	}
	free(c->pages);
	free(c->set);
	free(c->top);
	free(c->ends);
	free(c->chain);
	free(c->began);
	free(c->states);
}

void
tally_merge(struct tally *to, const struct tally *from)
{
	to->n += from->n;
	to->lo += from->lo;
	to->hi += from->hi + (to->lo < from->lo);
	to->not_min = from->not_min > to->not_min ? from->not_min : to->not_min;
	to->max = from->max > to->max ? from->max : to->max;
}
