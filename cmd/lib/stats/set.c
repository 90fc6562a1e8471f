/* set.c - counts distinct values: exactly, then with HyperLogLog. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "stats/accumulator.h"

#define REGISTERS (1u << SET_BITS)

static struct datum
set_value(const struct set *s, uint32_t i)
{
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what has registers makes no others */
	if (s->class[i] != TEXTS)
		return (struct datum){s->class[i], s -> v[i], NULL};
	return (struct datum){TEXTS, (uint32_t)s->v[i],
			      (char *)s->text.p + (s->v[i] >> 32)};
}

/* Returns the slot of a value: the slot that holds it, or a free one. There is always one. */
static INLINE uint16_t *
set_slot(const struct set *s, const struct datum *d)
{
	uint32_t mask = 2 * s->cap - 1, i = datum_slot(d) & mask, k;
	unsigned class = d->class;

	if (likely(class != TEXTS)) {
		for (; (k = s->slot[i]); i = (i + 1) & mask)
			if (likely(s->v[k - 1] == d->v && s->class[k - 1] == class))
				break;
		return &s->slot[i];
	}
	for (; (k = s->slot[i]); i = (i + 1) & mask) {
		uint64_t v = s->v[k - 1];

		if (s->class[k - 1] == TEXTS && (uint32_t)v == d->v &&
		    !memcmp(s->text.p + (v >> 32), d->text, (size_t)d->v))
			break;
	}
	return &s->slot[i];
}

static COLD void
set_grow(struct set *s)
{
	s->cap = s->cap ? s->cap * 2 : 4;
	s->v = xrealloc(s->v, s->cap, sizeof *s->v);
	s->class = xrealloc(s->class, s->cap, sizeof *s->class);
	free(s->slot);
	s->slot = xcalloc(2 * s->cap, sizeof *s->slot);
	for (uint32_t i = 0; i < s->n; i++) {
		struct datum d = set_value(s, i);

		*set_slot(s, &d) = (uint16_t)(i + 1);
	}
}

static void set_merge(struct set *s, const struct set *from);
static void set_free(void *set);

/* Converts a set of values, or an empty set, to registers. */
static COLD void
set_to_registers(struct set *s)
{
	struct set old = *s;

	*s = (struct set){.vreg = xcalloc(REGISTERS, 1)};
	set_merge(s, &old);
	set_free(&old);
}

static void
set_add_register(struct set *s, uint32_t index, unsigned rank)
{
	if (!s->vreg)
		set_to_registers(s);
	if (index < REGISTERS && s->vreg[index] < rank)
		s->vreg[index] = (uint8_t)rank;
}

/* Adds a new value to the free slot. Returns false if the set must change to registers. */
static COLD bool
set_keep(struct set *s, const struct datum *d, uint16_t *slot)
{
	uint64_t v = d->v;

	if (s->n == SET_EXACT)
		return false;
	if (d->class == TEXTS) {
		if (v >= SET_TEXTS - s->text.n)
			return false;
		v |= (uint64_t)s->text.n << 32;
		buf_add(&s->text, d->text, (size_t)d->v);
		buf_add(&s->text, "", 1);
	}
	s->v[s->n] = v;
	s->class[s->n] = d->class;
	*slot = (uint16_t)++s->n;
	return true;
}

static void
set_add(struct set *s, const struct datum *d)
{
	uint16_t *slot;
	uint64_t hash;

	if (!s->vreg) {
		if (s->n == s->cap && s->cap < SET_EXACT)
			set_grow(s);
		slot = set_slot(s, d);
		if (*slot || set_keep(s, d, slot))
			return;
		set_to_registers(s);
	}
	hash = datum_hash(d);
	set_add_register(s, (uint32_t)(hash >> (64 - SET_BITS)),
			 leading_zeros64(hash << SET_BITS | 1ull << (SET_BITS - 1)) + 1);
}

static void
set_merge(struct set *s, const struct set *from)
{
	for (uint32_t i = 0; from->vreg && i < REGISTERS; i++)
		set_add_register(s, i, from->vreg[i]);
	for (uint32_t i = 0; i < from->n; i++) {
		struct datum d = set_value(from, i);

		set_add(s, &d);
	}
}

/* Computes the function sigma of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017. */
static double
sigma(double x)
{
	double y = 1, z = x, last;

	do {
		x *= x;
		last = z;
		z += x * y;
		y += y;
	} while (z != last);
	return z;
}

uint64_t
set_count(const struct set *s)
{
	uint32_t count[66] = {0};
	double z = 0, m = REGISTERS;

	if (!s->vreg)
		return s->n;
	for (uint32_t i = 0; i < REGISTERS; i++)
		count[s->vreg[i] < 65 ? s->vreg[i] : 65]++;
	for (unsigned k = 65; k >= 1; k--)
		z = 0.5 * (z + count[k]);
	if (count[0] < REGISTERS)
		z += m * sigma(count[0] / m);
	/* 1 / (2 ln 2) */
	return (uint64_t)(0.7213475204444817 * m * m / z + 0.5);
}

static bool
set_exact(const void *set)
{
	return !((const struct set *)set)->vreg;
}

static void
set_free(void *set)
{
	struct set *s = set;

	free(s->v);
	free(s->slot);
	free(s->class);
	buf_free(&s->text);
	free(s->vreg);
	memset(s, 0, sizeof *s);
}

static void
set_merge_places(const struct place *to, const struct place *from)
{
	set_merge(to->element, from->element);
}

static void
set_take(const struct stats *st, void *element, const struct end_value *value)
{
	(void)st;
	set_add(element, &value->datum);
}

static int
member_cmp(const void *x, const void *y)
{
	return datum_cmp(x, y);
}

static void
set_write(struct parts_writer *w, const struct place *of)
{
	const struct set *s = of->element;
	uint64_t c = of->c;
	struct datum *v = xcalloc(s->n, sizeof *v);
	struct buf text = {0};

	for (uint32_t i = 0; s->vreg && i < 1u << SET_BITS; i++)
		if (s->vreg[i])
			parts_line(w, "%u register %u\t%u", c, (uint64_t)i,
				   (uint64_t)s->vreg[i]);
	for (uint32_t i = 0; i < s->n; i++)
		v[i] = set_value(s, i);
	qsort(v, s->n, sizeof *v, member_cmp);
	for (uint32_t i = 0; i < s->n; i++) {
		text.n = 0;
		datum_put(&text, &v[i]);
		parts_line(w, "%u member %b\t1", c, &text);
	}
	buf_free(&text);
	free(v);
}

static void
set_read(const struct partial_reader *r, const struct place *to)
{
	struct set *s = to->element;
	uint64_t index, rank;
	struct datum d;

	if (*r->word[1] == 'm') {
		d = partial_datum(r, 2);
		set_add(s, &d);
		return;
	}
	index = partial_at(r, 2);
	rank = partial_value(r);
	if (index >= REGISTERS || rank > 64)
		partial_refuse(r, "no such register");
	set_add_register(s, (uint32_t)index, (unsigned)rank);
}

const struct accumulator acc_set = {sizeof(struct set), 1,
				    .take = set_take,	.merge = set_merge_places,
				    .clear = set_free,	.write = set_write,
				    .read = set_read,	.lines = {"member", "register"},
				    .exact = set_exact};
