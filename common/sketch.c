/* sketch.c - HyperLogLog and Space-Saving. */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "sketch.h"

uint64_t
hash64(const void *v, size_t n)
{
	const uint8_t *p = v;
	uint64_t h = 0x9E3779B97F4A7C15u ^ n, w;

	for (; n >= 8; p += 8, n -= 8) {
		w = 0;
		for (int i = 7; i >= 0; i--)
			w = w << 8 | p[i];
		h = mix64(h ^ w);
	}
	for (w = 0; n; n--)
		w = w << 8 | p[n - 1];
	return mix64(h ^ w ^ 0x5bd1e995u);
}

/* Sets. */

#define REGISTERS (1u << SET_BITS)

void
set_add_register(struct set *s, uint32_t index, unsigned rank)
{
	if (!s->reg) {
		uint64_t *old = s->hash;
		uint32_t cap = s->cap;

		s->reg = xcalloc(REGISTERS, 1);
		s->hash = NULL;
		s->cap = s->n = 0;
		for (uint32_t i = 0; i < cap; i++)
			if (old[i])
				set_add(s, old[i]);
		free(old);
	}
	if (index < REGISTERS && s->reg[index] < rank)
		s->reg[index] = (uint8_t)rank;
}

static bool
insert(struct set *s, uint64_t hash)
{
	uint32_t i = (uint32_t)hash & (s->cap - 1);

	for (; s->hash[i]; i = (i + 1) & (s->cap - 1))
		if (s->hash[i] == hash)
			return false;
	s->hash[i] = hash;
	s->n++;
	return true;
}

void
set_add(struct set *s, uint64_t hash)
{
	uint64_t *old;
	uint32_t cap;

	if (s->reg) {
		uint32_t index = (uint32_t)(hash >> (64 - SET_BITS));
		unsigned rank =
		    (unsigned)__builtin_clzll(hash << SET_BITS | 1ull << (SET_BITS - 1)) +
		    1;

		if (s->reg[index] < rank)
			s->reg[index] = (uint8_t)rank;
		return;
	}
	hash += !hash;
	if (2 * s->n >= s->cap && s->cap < 2 * SET_EXACT) {
		old = s->hash;
		cap = s->cap;
		s->cap = cap ? cap * 2 : 8;
		s->hash = xcalloc(s->cap, sizeof *s->hash);
		s->n = 0;
		for (uint32_t i = 0; i < cap; i++)
			if (old[i])
				insert(s, old[i]);
		free(old);
	}
	if (insert(s, hash) && s->n > SET_EXACT)
		set_add_register(s, 0, 0);
}

void
set_merge(struct set *s, const struct set *from)
{
	if (from->reg)
		for (uint32_t i = 0; i < REGISTERS; i++)
			set_add_register(s, i, from->reg[i]);
	for (uint32_t i = 0; from->hash && i < from->cap; i++)
		if (from->hash[i])
			set_add(s, from->hash[i]);
}

/* sigma of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017. */
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

	if (!s->reg)
		return s->n;
	for (uint32_t i = 0; i < REGISTERS; i++)
		count[s->reg[i] < 65 ? s->reg[i] : 65]++;
	for (unsigned k = 65; k >= 1; k--)
		z = 0.5 * (z + count[k]);
	if (count[0] < REGISTERS)
		z += m * sigma(count[0] / m);
	/* 1 / (2 ln 2) */
	return (uint64_t)(0.7213475204444817 * m * m / z + 0.5);
}

void
set_free(struct set *s)
{
	free(s->hash);
	free(s->reg);
	memset(s, 0, sizeof *s);
}

/* Pages. */

#define RANGE_MOST (1u << 20)

void
pages_add_word(struct pages *p, uint64_t hash, uint64_t bits)
{
	uint32_t i, cap;
	struct page_word *old;

	if ((p->sampled && hash > p->limit) || !bits)
		return;
	if (p->cap) {
		for (i = (uint32_t)hash & (p->cap - 1); p->word[i].bits;
		     i = (i + 1) & (p->cap - 1)) {
			if (p->word[i].hash == hash) {
				p->word[i].bits |= bits;
				return;
			}
		}
		if (4 * p->n < 3 * p->cap) {
			p->word[i] = (struct page_word){hash, bits};
			p->n++;
			return;
		}
	}
	if (p->n > PAGES_EXACT) {
		pages_trim(p);
	} else {
		old = p->word;
		cap = p->cap;
		p->cap = cap ? cap * 2 : 8;
		p->word = xcalloc(p->cap, sizeof *p->word);
		p->n = 0;
		for (i = 0; i < cap; i++)
			pages_add_word(p, old[i].hash, old[i].bits);
		free(old);
	}
	pages_add_word(p, hash, bits);
}

void
pages_add(struct pages *p, uint64_t first, uint64_t last)
{
	if (last - first >= RANGE_MOST)
		last = first + RANGE_MOST - 1;
	for (;;) {
		uint64_t word = first >> 6, end = word << 6 | 63;
		uint64_t bits = UINT64_MAX << (first & 63);

		if (last < end)
			bits &= UINT64_MAX >> (63 - (last & 63));
		pages_add_word(p, mix64(word), bits);
		if (last <= end)
			return;
		first = end + 1;
	}
}

static int
word_cmp(const void *x, const void *y)
{
	const struct page_word *a = x, *b = y;

	/* Free ones behind all others. */
	if (!a->bits != !b->bits)
		return a->bits ? -1 : 1;
	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

void
pages_trim(struct pages *p)
{
	struct page_word *all = p->word;
	uint32_t n = p->n;

	if (n <= PAGES_EXACT)
		return;
	qsort(all, p->cap, sizeof *all, word_cmp);
	p->word = xcalloc(p->cap, sizeof *p->word);
	p->n = 0;
	p->sampled = true;
	p->limit = all[PAGES_EXACT - 1].hash;
	for (uint32_t i = 0; i < PAGES_EXACT; i++)
		pages_add_word(p, all[i].hash, all[i].bits);
	free(all);
}

void
pages_merge(struct pages *p, const struct pages *from)
{
	if (from->sampled && (!p->sampled || from->limit < p->limit)) {
		struct pages old = *p;

		/* What is above the other's limit is not known of the other. */
		memset(p, 0, sizeof *p);
		p->sampled = true;
		p->limit = from->limit;
		for (uint32_t i = 0; i < old.cap; i++)
			pages_add_word(p, old.word[i].hash, old.word[i].bits);
		free(old.word);
	}
	for (uint32_t i = 0; i < from->cap; i++)
		pages_add_word(p, from->word[i].hash, from->word[i].bits);
}

uint64_t
pages_count(struct pages *p)
{
	uint64_t bits = 0;

	pages_trim(p);
	for (uint32_t i = 0; i < p->cap; i++)
		bits += (uint64_t)__builtin_popcountll(p->word[i].bits);
	if (!p->sampled || p->n < 2)
		return bits;
	/* n - 1 words lie below the limit, which is the share limit / 2^64 of all hashes.
	 */
	return (uint64_t)((double)bits / p->n * (p->n - 1) * 18446744073709551616.0 /
			      (double)p->limit +
			  0.5);
}

void
pages_free(struct pages *p)
{
	free(p->word);
	memset(p, 0, sizeof *p);
}

/* Values as they are shown. */

struct datum
datum_copy(const struct datum *d)
{
	struct datum c = *d;

	if (d->text) {
		c.text = xmalloc((size_t)d->v + 1);
		memcpy(c.text, d->text, (size_t)d->v);
		c.text[d->v] = '\0';
	}
	return c;
}

bool
datum_same(const struct datum *a, const struct datum *b)
{
	return a->class == b->class && a->v == b->v &&
	       (!a->text || !memcmp(a->text, b->text, (size_t)a->v));
}

void
datum_free(struct datum *d)
{
	free(d->text);
	d->text = NULL;
}

static int
datum_cmp(const struct datum *a, const struct datum *b)
{
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->text)
		return strcmp(a->text, b->text);
	return a->v < b->v ? -1 : a->v > b->v;
}

/* Space-Saving. */

static uint32_t
slots(const struct top *t)
{
	return 4 * t->room;
}

static void
put_slot(struct top *t, uint32_t e)
{
	uint32_t mask = slots(t) - 1, i = (uint32_t)t->entry[e].hash & mask;

	while (t->slot[i])
		i = (i + 1) & mask;
	t->slot[i] = (uint16_t)(e + 1);
}

/* Takes an entry's slot out; what was displaced by it moves up. */
static void
clear_slot(struct top *t, uint32_t e)
{
	uint32_t mask = slots(t) - 1, i = (uint32_t)t->entry[e].hash & mask;

	while (t->slot[i] != e + 1)
		i = (i + 1) & mask;
	t->slot[i] = 0;
	for (i = (i + 1) & mask; t->slot[i]; i = (i + 1) & mask) {
		uint32_t moved = t->slot[i] - 1u;

		t->slot[i] = 0;
		put_slot(t, moved);
	}
}

static void
grow_top(struct top *t)
{
	t->room = t->room ? t->room * 2 : 8;
	t->entry = xrealloc(t->entry, t->room, sizeof *t->entry);
	free(t->slot);
	t->slot = xcalloc(slots(t), sizeof *t->slot);
	for (uint32_t i = 0; i < t->n; i++)
		put_slot(t, i);
}

/* An entry with the least count. Counts only rise: so the search goes round. */
static uint32_t
least_entry(struct top *t)
{
	uint64_t least;

	for (;;) {
		for (uint32_t i = 0; i < t->n; i++) {
			uint32_t e = t->hand;

			t->hand = e + 1 < t->n ? e + 1 : 0;
			if (t->entry[e].count <= t->least)
				return e;
		}
		least = UINT64_MAX;
		for (uint32_t i = 0; i < t->n; i++)
			if (t->entry[i].count < least)
				least = t->entry[i].count;
		t->least = least;
	}
}

void
top_add(struct top *t, uint64_t hash, const struct datum *d, uint64_t times, uint64_t error)
{
	uint32_t mask, i, e;
	struct top_entry *x;

	if (t->room) {
		mask = slots(t) - 1;
		for (i = (uint32_t)hash & mask; t->slot[i]; i = (i + 1) & mask) {
			x = &t->entry[t->slot[i] - 1];
			if (x->hash == hash && datum_same(&x->datum, d)) {
				x->count += times;
				x->error += error;
				return;
			}
		}
	}
	if (t->n < t->cap) {
		if (t->n == t->room)
			grow_top(t);
		t->entry[t->n] = (struct top_entry){hash, times, error, datum_copy(d)};
		put_slot(t, t->n++);
		if (times < t->least)
			t->least = times;
		return;
	}
	e = least_entry(t);
	x = &t->entry[e];
	clear_slot(t, e);
	datum_free(&x->datum);
	if (x->count > t->missed)
		t->missed = x->count;
	*x = (struct top_entry){hash, x->count + times, x->count + error, datum_copy(d)};
	put_slot(t, e);
}

static int
entry_cmp(const void *x, const void *y)
{
	const struct top_entry *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return datum_cmp(&a->datum, &b->datum);
}

static void
reslot(struct top *t)
{
	memset(t->slot, 0, slots(t) * sizeof *t->slot);
	for (uint32_t i = 0; i < t->n; i++)
		put_slot(t, i);
}

void
top_sort(struct top *t)
{
	if (!t->n)
		return;
	qsort(t->entry, t->n, sizeof *t->entry, entry_cmp);
	reslot(t);
}

void
top_merge(struct top *t, const struct top *from)
{
	t->cap = t->cap ? t->cap : from->cap;
	for (uint32_t i = 0; i < from->n; i++)
		top_add(t, from->entry[i].hash, &from->entry[i].datum, from->entry[i].count,
			from->entry[i].error);
	t->missed += from->missed;
}

void
top_free(struct top *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		datum_free(&t->entry[i].datum);
	free(t->entry);
	free(t->slot);
	memset(t, 0, sizeof *t);
}
