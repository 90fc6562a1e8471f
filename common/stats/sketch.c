/* sketch.c - HyperLogLog and Space-Saving. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "stats/sketch.h"

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

struct datum
set_value(const struct set *s, uint32_t i)
{
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what has registers makes no others */
	if (s->class[i] != TEXTS)
		return (struct datum){s->class[i], s -> v[i], NULL};
	return (struct datum){TEXTS, (uint32_t)s->v[i],
			      (char *)s->text.p + (s->v[i] >> 32)};
}

/* The slot of a value: that with its number, or a free one. There is always one. */
static INLINE uint16_t *
set_slot(const struct set *s, const struct datum *d, unsigned class, uint64_t hash)
{
	uint32_t mask = 2 * s->cap - 1, i = hash_slot(hash) & mask, k;

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

		*set_slot(s, &d, d.class, datum_hash(&d)) = (uint16_t)(i + 1);
	}
}

/* From values, or from nothing. */
static COLD void
set_to_registers(struct set *s)
{
	struct set old = *s;

	*s = (struct set){.reg = xcalloc(REGISTERS, 1)};
	set_merge(s, &old);
	set_free(&old);
}

void
set_add_register(struct set *s, uint32_t index, unsigned rank)
{
	if (!s->reg)
		set_to_registers(s);
	if (index < REGISTERS && s->reg[index] < rank)
		s->reg[index] = (uint8_t)rank;
}

/* A value that is new. False when there are to be registers. */
static COLD bool
set_keep(struct set *s, const struct datum *d, unsigned class, uint16_t *slot)
{
	uint64_t v = d->v;

	if (s->n == SET_EXACT)
		return false;
	if (class == TEXTS) {
		if (v >= SET_TEXTS - s->text.n)
			return false;
		v |= (uint64_t)s->text.n << 32;
		buf_add(&s->text, d->text, (size_t)d->v);
		buf_add(&s->text, "", 1);
	}
	s->v[s->n] = v;
	s->class[s->n] = (uint8_t) class;
	*slot = (uint16_t)++s->n;
	return true;
}

void
set_add(struct set *s, const struct datum *d, uint64_t hash)
{
	unsigned class = d->class == INT_HEX ? INT_POS : d->class, rank;
	uint32_t index = (uint32_t)(hash >> (64 - SET_BITS));
	uint16_t *slot;

	if (!s->reg) {
		if (s->n == s->cap && s->cap < SET_EXACT)
			set_grow(s);
		slot = set_slot(s, d, class, hash);
		if (*slot || set_keep(s, d, class, slot))
			return;
		set_to_registers(s);
	}
	rank = leading_zeros64(hash << SET_BITS | 1ull << (SET_BITS - 1)) + 1;
	if (s->reg[index] < rank)
		s->reg[index] = (uint8_t)rank;
}

void
set_merge(struct set *s, const struct set *from)
{
	for (uint32_t i = 0; from->reg && i < REGISTERS; i++)
		set_add_register(s, i, from->reg[i]);
	for (uint32_t i = 0; i < from->n; i++) {
		struct datum d = set_value(from, i);

		set_add(s, &d, datum_hash(&d));
	}
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
	free(s->v);
	free(s->slot);
	free(s->class);
	buf_free(&s->text);
	free(s->reg);
	memset(s, 0, sizeof *s);
}

/* Pages. */

#define RANGE_MOST (1u << 20)

static void
grow_words(struct pages *p, uint32_t keep)
{
	struct page_word *old = p->word;
	uint32_t cap = p->cap;

	p->cap = cap ? cap * 2 : 8;
	p->word = xcalloc(p->cap, sizeof *p->word);
	p->n = 0;
	for (uint32_t i = 0; i < cap; i++)
		pages_add_word(p, old[i].hash, old[i].bits, keep);
	free(old);
}

void
pages_add_word(struct pages *p, uint64_t hash, uint64_t bits, uint32_t keep)
{
	uint32_t i;

	if (hash > ~p->beyond || !bits)
		return;
	if (p->cap) {
		for (i = hash_slot(hash) & (p->cap - 1); p->word[i].bits;
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
	if (p->n > keep)
		pages_trim(p, keep);
	else
		grow_words(p, keep);
	pages_add_word(p, hash, bits, keep);
}

void
pages_flush(struct pages_queue *q, uint32_t keep)
{
	for (uint32_t i = 0; i < q->n; i++)
		pages_add_word(q->word[i].to, q->word[i].hash, q->word[i].bits, keep);
	q->n = 0;
}

void
pages_add_range(struct pages_queue *q, struct pages *p, uint64_t first, uint64_t last,
		uint32_t keep)
{
	if (last - first >= RANGE_MOST)
		last = first + RANGE_MOST - 1;
	for (;;) {
		uint64_t word = first >> 6, end = word << 6 | 63, hash;

		hash = mix64(word ^ p->seed);
		if (unlikely(hash <= ~p->beyond)) {
			uint64_t bits = UINT64_MAX << (first & 63);

			if (last < end)
				bits &= UINT64_MAX >> (63 - (last & 63));
			if (q->n == sizeof q->word / sizeof *q->word)
				pages_flush(q, keep);
			q->word[q->n].to = p;
			q->word[q->n].hash = hash;
			q->word[q->n++].bits = bits;
			if (p->cap)
				prefetch(&p->word[hash_slot(hash) & (p->cap - 1)]);
		}
		if (last <= end)
			return;
		first = end + 1;
	}
}

#define WORDS_ALL (1u << 18)
#define WORDS_LEAST 8

uint32_t
pages_keep(uint32_t sets)
{
	uint32_t keep = PAGES_EXACT;

	while (keep > WORDS_LEAST && (uint64_t)keep * sets > WORDS_ALL)
		keep /= 2;
	return keep;
}

unsigned
pages_error(uint32_t keep)
{
	unsigned e = 0;

	/* The nearest to 100 / sqrt(keep). */
	while ((2 * e + 1) * (2 * e + 1) * keep < 40000)
		e++;
	return e;
}

/* The k-th least, k from 0, by Hoare's selection; changes the order. */
static uint64_t
kth_least(uint64_t *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1;

	while (lo < hi) {
		uint64_t pivot = v[lo + (hi - lo) / 2];
		size_t i = lo, j = hi;

		for (;; i++, j--) {
			uint64_t x;

			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			x = v[i];
			v[i] = v[j];
			v[j] = x;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[k];
}

void
pages_trim(struct pages *p, uint32_t keep)
{
	struct page_word *old = p->word;
	uint32_t cap = p->cap, n = 0;
	uint64_t *hash;

	if (p->n <= keep)
		return;
	hash = xcalloc(p->n, sizeof *hash);
	for (uint32_t i = 0; i < cap; i++)
		if (old[i].bits)
			hash[n++] = old[i].hash;
	p->beyond = ~kth_least(hash, n, keep - 1);
	p->sampled = true;
	free(hash);
	for (p->cap = 8; p->cap < 2 * keep;)
		p->cap *= 2;
	p->word = xcalloc(p->cap, sizeof *p->word);
	p->n = 0;
	for (uint32_t i = 0; i < cap; i++)
		pages_add_word(p, old[i].hash, old[i].bits, keep);
	free(old);
}

void
pages_merge(struct pages *p, const struct pages *from, uint32_t keep)
{
	if (from->sampled && (!p->sampled || from->beyond > p->beyond)) {
		struct pages old = *p;

		/* What is above the other's limit is not known of the other. */
		memset(p, 0, sizeof *p);
		p->sampled = true;
		p->beyond = from->beyond;
		p->seed = old.seed;
		for (uint32_t i = 0; i < old.cap; i++)
			pages_add_word(p, old.word[i].hash, old.word[i].bits, keep);
		free(old.word);
	}
	for (uint32_t i = 0; i < from->cap; i++)
		pages_add_word(p, from->word[i].hash, from->word[i].bits, keep);
}

uint64_t
pages_count(struct pages *p, uint32_t keep)
{
	uint64_t bits = 0;

	pages_trim(p, keep);
	for (uint32_t i = 0; i < p->cap; i++)
		bits += count_ones64(p->word[i].bits);
	if (!p->sampled || p->n < 2)
		return bits;
	/* n - 1 words lie below the limit, which is the share limit / 2^64 of all hashes.
	 */
	return (uint64_t)((double)bits / p->n * (p->n - 1) * 18446744073709551616.0 /
			      (double)~p->beyond +
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

static bool
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

int
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
	uint32_t mask = slots(t) - 1, i = hash_slot(t->entry[e].hash) & mask;

	while (t->slot[i])
		i = (i + 1) & mask;
	t->slot[i] = (uint16_t)(e + 1);
}

/* Takes an entry's slot out; what was displaced by it moves up. */
static void
clear_slot(struct top *t, uint32_t e)
{
	uint32_t mask = slots(t) - 1, i = hash_slot(t->entry[e].hash) & mask;

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
		for (i = hash_slot(hash) & mask; t->slot[i]; i = (i + 1) & mask) {
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
