/* stats_hist.c - see stats_hist.h: counters by code; then exact counts in one block of memory, or buckets. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "stats/stats_hist.h"

#define CODE_SLOTS (2 * HIST_CODES)

/* All distinct values, in order of arrival. */
struct codes {
	uint64_t value[HIST_CODES];
	uint16_t slot[CODE_SLOTS]; /* code + 1, by hash; 0 = free */
	uint16_t order[HIST_CODES];
	uint32_t n, sorted; /* number of codes that `order` sorts */
};

#define NO_CODE UINT32_MAX

/* With more groups than this, the caches do not hold them: groups are prefetched, AHEAD at a time. */
#define GROUPS_NEAR 1000
#define AHEAD 64

static uint32_t
hash(uint64_t v, unsigned shift)
{
	return (uint32_t)(v * hash_key[1] >> shift);
}

/* Returns the smallest power of two that is at least n. */
static uint32_t
power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* Adds to the upper half of a counter of 32 bits. */

static void
add_wraps(struct hist *h, uint32_t index, uint64_t times)
{
	uint32_t piece = index / HIST_CHUNK;
	size_t cap = h->nwraps;

	if (!times)
		return;
	GROW(h->wrap, cap, piece + 1);
	h->nwraps = (uint32_t)cap;
	if (!h->wrap[piece])
		h->wrap[piece] = xcalloc(HIST_CHUNK, sizeof **h->wrap);
	h->wrap[piece][index % HIST_CHUNK] += (uint32_t)times;
}

static void
free_wraps(struct hist *h)
{
	for (uint32_t i = 0; i < h->nwraps; i++)
		free(h->wrap[i]);
	free(h->wrap);
}

static uint64_t
full_count(const struct hist *h, uint32_t index, uint32_t low)
{
	uint32_t piece = index / HIST_CHUNK;

	if (piece >= h->nwraps || !h->wrap[piece])
		return low;
	return (uint64_t)h->wrap[piece][index % HIST_CHUNK] << 32 | low;
}

static void
bump(struct hist *h, uint32_t *counter, uint32_t index, uint64_t times)
{
	uint64_t sum = (uint64_t)*counter + (uint32_t)times;

	*counter = (uint32_t)sum;
	add_wraps(h, index, (sum >> 32) + (times >> 32));
}

/* Buckets. */

/* Returns the limits of a bucket, with count 0. */
static struct bucket
bounds(uint32_t index, unsigned bits)
{
	unsigned e = index >> bits;
	uint64_t low;

	if (e < 2)
		return (struct bucket){index, index, 0};
	e--;
	low = (uint64_t)(index - (e << bits)) << e;
	return (struct bucket){low, low + ((1ull << e) - 1), 0};
}

static void
bump_bucket(struct hist *h, uint32_t index, uint64_t times)
{
	uint32_t **c = &h->chunk[index / HIST_CHUNK];

	if (!*c)
		*c = xcalloc(HIST_CHUNK, sizeof **c);
	bump(h, &(*c)[index % HIST_CHUNK], index, times);
}

/* Converts entries, or an empty histogram, to buckets. */
static void
to_buckets(struct hist *h, unsigned bits)
{
	struct hist old = *h;

	if (h->buckets)
		return;
	*h = (struct hist){.buckets = true, .cap = ((65 - bits) << bits) / HIST_CHUNK + 1};
	h->chunk = xcalloc(h->cap, sizeof *h->chunk);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.entry[i].count)
			bump_bucket(h, hist_index(old.entry[i].value, bits),
				    old.entry[i].count);
	free(old.entry);
}

/* Values with their counts. */

/* Returns the entry of a value, or a free one. There is always one. */
static struct hist_entry *
hist_find(const struct hist *h, uint64_t v)
{
	uint32_t i = hash(v, h->shift);

	while (h->entry[i].count && h->entry[i].value != v)
		i = (i + 1) & (h->cap - 1);
	return &h->entry[i];
}

static void
resize_entries(struct hist *h, uint32_t cap)
{
	struct hist old = *h;

	h->cap = cap;
	h->shift = (uint8_t)(64 - trailing_zeros64(cap));
	h->entry = xcalloc(cap, sizeof *h->entry);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.entry[i].count)
			*hist_find(h, old.entry[i].value) = old.entry[i];
	free(old.entry);
}

/* Counts a value: in its entry, or in its bucket if there are buckets or no room for another entry. */
static void
add_entry(struct hist *h, uint64_t v, uint64_t times, unsigned bits)
{
	struct hist_entry *e = h->cap && !h->buckets ? hist_find(h, v) : NULL;

	if (e && e->count) {
		e->count += times;
		return;
	}
	if (h->buckets || h->n == HIST_EXACT) {
		to_buckets(h, bits);
		bump_bucket(h, hist_index(v, bits), times);
		return;
	}
	if (4 * h->n >= 3 * h->cap) {
		resize_entries(h, h->cap ? h->cap * 2 : 4);
		e = hist_find(h, v);
	}
	*e = (struct hist_entry){v, times};
	h->n++;
}

/* Codes. */

/* Returns the code of a value, which gets one if it is new; NO_CODE if there are no more. */
static INLINE uint32_t
code_of(struct codes *c, uint64_t v)
{
	uint32_t i = hash(v, 64 - 11), code;

	_Static_assert(CODE_SLOTS == 1 << 11, "the hash has as many bits");
	for (; (code = c->slot[i]); i = (i + 1) & (CODE_SLOTS - 1))
		if (likely(c->value[code - 1] == v))
			return code - 1;
	if (c->n == HIST_CODES)
		return NO_CODE;
	c->value[c->n] = v;
	c->slot[i] = (uint16_t)++c->n;
	return c->n - 1;
}

/* Converts a group's counters to entries. */
static void
to_entries(const struct codes *codes, struct hist *h, unsigned bits)
{
	struct hist old = *h;

	*h = (struct hist){.entry = NULL};
	for (uint32_t i = 0; i < old.coded; i++) {
		uint64_t n = full_count(&old, i, old.counter[i]);

		if (n)
			add_entry(h, codes->value[i], n, bits);
	}
	free(old.counter);
	free_wraps(&old);
}

/* Converts a group's entries to counters, with room for all codes. */
static void
to_counters(struct codes *codes, struct hist *h)
{
	struct hist old = *h;

	*h = (struct hist){.coded = power_of_two(codes->n)};
	h->counter = xcalloc(h->coded, sizeof *h->counter);
	for (uint32_t i = 0; i < old.cap; i++) {
		const struct hist_entry *e = &old.entry[i];

		if (e->count) {
			uint32_t code = code_of(codes, e->value);

			bump(h, &h->counter[code], code, e->count);
		}
	}
	free(old.entry);
}

/* Converts all groups to entries, because there are more values than codes. */
static void
give_up_codes(struct hists *all, unsigned bits)
{
	all->many = true;
	for (size_t g = 0; g < all->cap; g++)
		if (all->hist[g].coded)
			to_entries(all->codes, &all->hist[g], bits);
	FREE(all->codes);
}

/* Makes room in a group for one more value or code, in the smaller of the two forms. */
static void
hist_grow(struct hists *all, struct hist *h, uint32_t code, unsigned bits)
{
	uint32_t used = 0;

	if (!h->coded) {
		uint32_t cap = h->cap ? h->cap * 2 : 4;

		if (4 * h->n >= 3 * h->cap &&
		    cap * sizeof *h->entry >=
			power_of_two(all->codes->n) * sizeof *h->counter)
			to_counters(all->codes, h);
		return;
	}
	for (uint32_t i = 0; i < h->coded; i++)
		used += h->counter[i] != 0;
	if (power_of_two(2 * used) * sizeof *h->entry <
	    power_of_two(code + 1) * sizeof *h->counter) {
		to_entries(all->codes, h, bits);
	} else {
		uint32_t old = h->coded;

		h->coded = power_of_two(code + 1);
		h->counter = xrealloc(h->counter, h->coded, sizeof *h->counter);
		memset(h->counter + old, 0, (h->coded - old) * sizeof *h->counter);
	}
}

void
hists_room(struct hists *all, size_t n)
{
	GROW(all->hist, all->cap, n);
	if (!all->many && !all->codes)
		all->codes = xcalloc(1, sizeof *all->codes);
}

void
hists_add_times(struct hists *all, uint32_t group, uint64_t v, uint64_t times,
		unsigned bits)
{
	struct hist *h = &all->hist[group];

	if (!times)
		return;
	if (!all->many) {
		uint32_t code = code_of(all->codes, v);

		if (code == NO_CODE)
			give_up_codes(all, bits);
		else {
			if (code >= h->coded)
				hist_grow(all, h, code, bits);
			if (code < h->coded) {
				bump(h, &h->counter[code], code, times);
				return;
			}
		}
	}
	add_entry(h, v, times, bits);
}

void
hists_add_bucket(struct hists *all, uint32_t group, uint32_t index, uint64_t times,
		 unsigned bits)
{
	struct hist *h = &all->hist[group];

	/* A group with buckets had too many values for codes. */
	if (!all->many)
		give_up_codes(all, bits);
	to_buckets(h, bits);
	if (index / HIST_CHUNK < h->cap)
		bump_bucket(h, index, times);
}

/* Counts values whose codes are known. */
static void
add_coded(struct hists *all, const uint32_t *group, const uint64_t *v, const uint16_t *code,
	  uint32_t n, unsigned bits)
{
	struct hist *hist = all->hist;

	if (all->cap > GROUPS_NEAR)
		for (uint32_t i = 0; i < n; i++) {
			const struct hist *h = &hist[group[i]];

			/* A new group has no counters yet. */
			prefetch(code[i] < h->coded ? (const void *)&h->counter[code[i]]
						    : (const void *)h);
		}
	for (uint32_t i = 0; i < n; i++) {
		struct hist *h = &hist[group[i]];

		if (unlikely(code[i] >= h->coded))
			hists_add_times(all, group[i], v[i], 1, bits);
		else if (unlikely(!++h->counter[code[i]]))
			add_wraps(h, code[i], 1);
	}
}

/* Prefetches what add_by_value will read first. */
static void
fetch_by_value(const struct hist *h, uint64_t v, unsigned bits)
{
	if (h->buckets)
		prefetch(&h->chunk[hist_index(v, bits) / HIST_CHUNK]);
	else if (h->cap)
		prefetch(&h->entry[hash(v, h->shift)]);
}

static INLINE void
add_by_value(struct hists *all, uint32_t group, uint64_t v, unsigned bits)
{
	struct hist *h = &all->hist[group];

	if (likely(h->buckets)) {
		uint32_t i = hist_index(v, bits), *c = h->chunk[i / HIST_CHUNK];

		if (likely(c && ++c[i % HIST_CHUNK]))
			return;
		if (c) {
			add_wraps(h, i, 1);
			return;
		}
	} else if (likely(h->cap)) {
		uint32_t i = hash(v, h->shift);

		for (; h->entry[i].count; i = (i + 1) & (h->cap - 1)) {
			if (likely(h->entry[i].value == v)) {
				h->entry[i].count++;
				return;
			}
		}
	}
	hists_add_times(all, group, v, 1, bits);
}

void
hists_add(struct hists *all, const uint32_t *group, const uint64_t *v, uint32_t n,
	  unsigned bits)
{
	bool far = all->cap > GROUPS_NEAR;
	uint16_t code[AHEAD];

	for (uint32_t m; n; group += m, v += m, n -= m) {
		m = n < AHEAD ? n : AHEAD;
		if (far)
			for (uint32_t i = 0; i < m; i++)
				prefetch(&all->hist[group[i]]);
		if (!all->many) {
			uint32_t none = 0;

			for (uint32_t i = 0; i < m; i++) {
				uint32_t c = code_of(all->codes, v[i]);

				code[i] = (uint16_t)c;
				none |= c;
			}
			if (likely(none != NO_CODE)) {
				add_coded(all, group, v, code, m, bits);
				continue;
			}
			give_up_codes(all, bits);
		}
		if (far)
			for (uint32_t i = 0; i < m; i++)
				fetch_by_value(&all->hist[group[i]], v[i], bits);
		for (uint32_t i = 0; i < m; i++)
			add_by_value(all, group[i], v[i], bits);
	}
}

void
hists_merge(struct hists *all, uint32_t to, const struct hists *from, uint32_t group,
	    unsigned bits)
{
	const struct hist *h = &from->hist[group];

	for (uint32_t i = 0; i < h->coded; i++)
		hists_add_times(all, to, from->codes->value[i],
				full_count(h, i, h->counter[i]), bits);
	if (h->coded)
		return;
	for (uint32_t i = 0; i < h->cap; i++) {
		if (!h->buckets) {
			hists_add_times(all, to, h->entry[i].value, h->entry[i].count,
					bits);
			continue;
		}
		for (uint32_t k = 0; h->chunk[i] && k < HIST_CHUNK; k++) {
			uint32_t index = i * HIST_CHUNK + k;
			uint64_t n = full_count(h, index, h->chunk[i][k]);

			if (n)
				hists_add_bucket(all, to, index, n, bits);
		}
	}
}

/* Sorts by `low` with heap sort; there are few, and qsort with its calls would take four times as long. */
static void
sort_buckets(struct bucket *v, size_t n)
{
	for (size_t i = n / 2, end = n; end > 1;) {
		struct bucket x;
		size_t at, child;

		if (i)
			x = v[--i];
		else {
			x = v[--end];
			v[end] = v[0];
		}
		for (at = i; (child = 2 * at + 1) < end; at = child) {
			if (child + 1 < end && v[child].low < v[child + 1].low)
				child++;
			if (v[child].low <= x.low)
				break;
			v[at] = v[child];
		}
		v[at] = x;
	}
}

/* Sorts the codes by their values, once for all groups. */
static void
sort_codes(struct codes *c)
{
	struct bucket v[HIST_CODES];

	for (uint32_t i = 0; i < c->n; i++)
		v[i] = (struct bucket){c->value[i], 0, i};
	sort_buckets(v, c->n);
	for (uint32_t i = 0; i < c->n; i++)
		c->order[i] = (uint16_t)v[i].count;
	c->sorted = c->n;
}

static struct bucket *
coded_buckets(struct codes *c, const struct hist *h, size_t *n)
{
	struct bucket *v = xcalloc(c->n, sizeof *v);
	size_t k = 0;

	if (c->sorted != c->n)
		sort_codes(c);
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t code = c->order[i];

		if (code >= h->coded)
			continue;
		v[k] = (struct bucket){c->value[code], c->value[code],
				       full_count(h, code, h->counter[code])};
		k += v[k].count != 0;
	}
	*n = k;
	return v;
}

struct bucket *
hists_buckets(const struct hists *all, uint32_t group, unsigned bits, size_t *n)
{
	const struct hist *h = &all->hist[group];
	struct bucket *v = NULL;
	size_t k = 0, cap = 0;

	if (h->coded)
		return coded_buckets(all->codes, h, n);
	if (!h->buckets) {
		v = xcalloc(h->n, sizeof *v);
		for (uint32_t i = 0; i < h->cap; i++)
			if (h->entry[i].count)
				v[k++] =
				    (struct bucket){h->entry[i].value, h->entry[i].value,
						    h->entry[i].count};
		sort_buckets(v, k);
		*n = k;
		return v;
	}
	for (uint32_t i = 0; i < h->cap; i++) {
		if (!h->chunk[i])
			continue;
		GROW(v, cap, k + HIST_CHUNK);
		for (uint32_t j = 0; j < HIST_CHUNK; j++) {
			uint32_t index = i * HIST_CHUNK + j;

			v[k] = bounds(index, bits);
			v[k].count = full_count(h, index, h->chunk[i][j]);
			k += v[k].count != 0;
		}
	}
	*n = k;
	return v;
}

void
hist_free(void *hist)
{
	struct hist *h = hist;

	for (uint32_t i = 0; h->buckets && i < h->cap; i++)
		free(h->chunk[i]);
	if (h->coded)
		free(h->counter);
	else if (h->buckets)
		free(h->chunk);
	else
		free(h->entry);
	free_wraps(h);
	memset(h, 0, sizeof *h);
}

void
hists_free(struct hists *all)
{
	for (size_t g = 0; g < all->cap; g++)
		hist_free(&all->hist[g]);
	free(all->hist);
	free(all->codes);
	memset(all, 0, sizeof *all);
}
