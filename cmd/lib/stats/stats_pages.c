/* stats_pages.c - sets of words of pages, then a bottom-k sample of them: see stats_pages.h. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "stats/accumulator.h"

static void pages_trim(struct page_set *p, uint32_t keep);

/* Adds the pages `bits` of the word with this hash. */
static void
pages_add_word(struct page_set *p, uint64_t hash, uint64_t bits, uint32_t keep)
{
	uint32_t i;

	if (hash > ~p->beyond || !bits)
		return;
	if (p->cap) {
		for (i = hash_slot(hash_slot(hash)) & (p->cap - 1); p->word[i].bits;
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
	else {
		struct page_word *old = p->word;
		uint32_t cap = p->cap;

		p->cap = cap ? cap * 2 : 8;
		p->word = xcalloc(p->cap, sizeof *p->word);
		p->n = 0;
		for (i = 0; i < cap; i++)
			pages_add_word(p, old[i].hash, old[i].bits, keep);
		free(old);
	}
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
pages_add_range(struct pages_queue *q, struct page_set *p, uint64_t first, uint64_t last,
		uint32_t keep)
{
	if (last - first >= PAGES_RANGE)
		last = first + PAGES_RANGE - 1;
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
				prefetch(
				    &p->word[hash_slot(hash_slot(hash)) & (p->cap - 1)]);
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

	/* The integer nearest to 100 / sqrt(keep). */
	while ((2 * e + 1) * (2 * e + 1) * keep < 40000)
		e++;
	return e;
}

/* Returns the k-th smallest of v[0..n), k from 0, by Hoare's selection; changes the order. */
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

/* Reduces a set to at most `keep` words. Call it before p->word is read. */
static void
pages_trim(struct page_set *p, uint32_t keep)
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

static void
pages_merge(struct page_set *p, const struct page_set *from, uint32_t keep)
{
	if (from->sampled && (!p->sampled || from->beyond > p->beyond)) {
		struct page_set old = *p;

		/* The other set does not hold pages above its limit. */
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
pages_count(struct page_set *p, uint32_t keep)
{
	uint64_t bits = 0;

	pages_trim(p, keep);
	for (uint32_t i = 0; i < p->cap; i++)
		bits += count_ones64(p->word[i].bits);
	if (!p->sampled || p->n < 2)
		return bits;
	/* n - 1 words are below the limit, which is the share limit / 2^64 of all hashes. */
	return (uint64_t)((double)bits / p->n * (p->n - 1) * 18446744073709551616.0 /
			      (double)~p->beyond +
			  0.5);
}

static void
pages_free(void *pages)
{
	struct page_set *p = pages;

	free(p->word);
	memset(p, 0, sizeof *p);
}

void
column_keep(struct stats_column *col, uint32_t keep)
{
	if (col->keep && keep >= col->keep)
		return;
	for (uint32_t g = 0; g < col->kept[KEPT_PAGES][0].cap; g++)
		pages_trim(column_kept(col, KEPT_PAGES, 0, g, sizeof(struct page_set)),
			   keep);
	col->keep = keep;
}

struct page_set *
column_pages(struct stats *st, size_t c)
{
	uint32_t n = st->ngroups;

	/* Sets are limited together only if groups are. */
	column_keep(&st->col[c], pages_keep(st->spec->groups_most ? n : 1));
	return column_room(&st->col[c], KEPT_PAGES, 0, n, sizeof(struct page_set));
}

static int
word_cmp(const void *x, const void *y)
{
	const struct page_word *a = x, *b = y;

	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static void
write_pages(struct parts_writer *w, const struct place *of)
{
	struct page_set *p = of->element;
	uint64_t c = of->c;
	struct page_word *v = xcalloc(p->n, sizeof *v);
	size_t n = 0;

	pages_trim(p, of->col->keep);
	for (uint32_t i = 0; i < p->cap; i++)
		if (p->word[i].bits)
			v[n++] = p->word[i];
	qsort(v, n, sizeof *v, word_cmp);
	for (size_t i = 0; i < n; i++)
		parts_line(w, "%u pages %u\t%u", c, (uint64_t)v[i].hash,
			   (uint64_t)v[i].bits);
	if (p->sampled)
		parts_line(w, "%u limit\t%u", c, (uint64_t)~p->beyond);
	free(v);
}

static void
read_pages(const struct partial_reader *r, const struct place *to)
{
	struct page_set *p = to->element;
	struct page_set other = {.sampled = true};

	column_pages(to->st, to->c);
	if (*r->word[1] == 'p') {
		pages_add_word(p, partial_at(r, 2), partial_value(r), to->col->keep);
		return;
	}
	other.beyond = ~partial_value(r);
	pages_merge(p, &other, to->col->keep);
}

static void
pages_merge_places(const struct place *to, const struct place *from)
{
	pages_merge(to->element, from->element, to->col->keep);
}

static bool
exact(const void *element)
{
	return !((const struct page_set *)element)->sampled;
}

const struct accumulator acc_pages = {sizeof(struct page_set),	   1,
				      .merge = pages_merge_places, .clear = pages_free,
				      .write = write_pages,	   .read = read_pages,
				      .lines = {"pages", "limit"}, .exact = exact};
