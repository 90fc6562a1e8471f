/* hist.c - exact counts in one block of memory, then counters in pieces. */
#include <stdlib.h>
#include <string.h>

#include "hist.h"

struct hist_wrap {
	uint32_t index; /* of the entry, or of the bucket */
	uint32_t times; /* of 2^32 */
};

static uint32_t
chunks_of(unsigned bits)
{
	return ((65 - bits) << bits) / HIST_CHUNK + 1;
}

struct bucket
hist_bounds(uint32_t index, unsigned bits)
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
add_wraps(struct hist *h, uint32_t index, uint64_t times)
{
	size_t cap = h->nwraps;

	if (!times)
		return;
	for (uint32_t i = 0; i < h->nwraps; i++) {
		if (h->wrap[i].index == index) {
			h->wrap[i].times += (uint32_t)times;
			return;
		}
	}
	h->wrap = xrealloc(h->wrap, cap + 1, sizeof *h->wrap);
	h->wrap[h->nwraps++] = (struct hist_wrap){index, (uint32_t)times};
}

static uint64_t
full_count(const struct hist *h, uint32_t index, uint32_t low)
{
	for (uint32_t i = 0; i < h->nwraps; i++)
		if (h->wrap[i].index == index)
			return (uint64_t)h->wrap[i].times << 32 | low;
	return low;
}

static void
bump(struct hist *h, uint32_t *counter, uint32_t index, uint64_t times)
{
	uint64_t sum = (uint64_t)*counter + (uint32_t)times;

	*counter = (uint32_t)sum;
	add_wraps(h, index, (sum >> 32) + (times >> 32));
}

static void
bump_bucket(struct hist *h, uint32_t index, uint64_t times)
{
	uint32_t **c = &h->chunk[index / HIST_CHUNK];

	if (!*c)
		*c = xcalloc(HIST_CHUNK, sizeof **c);
	bump(h, &(*c)[index % HIST_CHUNK], index, times);
}

static void
to_buckets(struct hist *h, unsigned bits)
{
	struct hist old = *h;

	if (h->chunk)
		return;
	memset(h, 0, sizeof *h);
	h->chunk = xcalloc(chunks_of(bits), sizeof *h->chunk);
	h->cap = chunks_of(bits);
	for (uint32_t i = 0; i < old.n; i++)
		bump_bucket(h, hist_index(old.value[i], bits),
			    full_count(&old, i, old.count[i]));
	free(old.value);
	free(old.wrap);
}

static void
put_slot(struct hist *h, uint32_t entry)
{
	uint32_t i = (uint32_t)(h->value[entry] * 0x9E3779B97F4A7C15u >> h->shift);

	while (h->slot[i])
		i = (i + 1) & (2 * h->cap - 1);
	h->slot[i] = (uint16_t)(entry + 1);
}

static void
grow_exact(struct hist *h)
{
	uint32_t cap = h->cap ? h->cap * 2 : 4;
	uint64_t *old = h->value;

	/* value, count and slot in one block: 16 bytes an entry. */
	h->value = xcalloc(cap, 16);
	if (h->n) {
		memcpy(h->value, old, h->n * sizeof *old);
		memcpy(h->value + cap, h->count, h->n * sizeof *h->count);
	}
	free(old);
	h->count = (uint32_t *)(void *)(h->value + cap);
	h->slot = (uint16_t *)(void *)(h->count + cap);
	h->cap = cap;
	h->shift = 64 - (unsigned)__builtin_ctz(2 * cap);
	for (uint32_t i = 0; i < h->n; i++)
		put_slot(h, i);
}

void
hist_add_bucket(struct hist *h, uint32_t index, uint64_t times, unsigned bits)
{
	to_buckets(h, bits);
	if (index / HIST_CHUNK < h->cap)
		bump_bucket(h, index, times);
}

void
hist_add_slow(struct hist *h, uint64_t v, uint64_t times, unsigned bits)
{
	if (!h->chunk) {
		for (uint32_t i = 0; i < h->n; i++) {
			if (h->value[i] == v) {
				bump(h, &h->count[i], i, times);
				return;
			}
		}
		if (h->n < HIST_EXACT) {
			if (h->n == h->cap)
				grow_exact(h);
			h->value[h->n] = v;
			put_slot(h, h->n++);
			bump(h, &h->count[h->n - 1], h->n - 1, times);
			return;
		}
		to_buckets(h, bits);
	}
	bump_bucket(h, hist_index(v, bits), times);
}

void
hist_merge(struct hist *h, const struct hist *from, unsigned bits)
{
	if (!from->chunk) {
		for (uint32_t i = 0; i < from->n; i++)
			hist_add_slow(h, from->value[i],
				      full_count(from, i, from->count[i]), bits);
		return;
	}
	to_buckets(h, bits);
	for (uint32_t i = 0; i < from->cap; i++)
		for (uint32_t k = 0; from->chunk[i] && k < HIST_CHUNK; k++) {
			uint32_t index = i * HIST_CHUNK + k;
			uint64_t n = full_count(from, index, from->chunk[i][k]);

			if (n)
				bump_bucket(h, index, n);
		}
}

static int
bucket_cmp(const void *x, const void *y)
{
	const struct bucket *a = x, *b = y;

	return a->low < b->low ? -1 : a->low > b->low;
}

struct bucket *
hist_buckets(const struct hist *h, unsigned bits, size_t *n)
{
	struct bucket *v;
	size_t k = 0, cap = 0;

	if (!h->chunk) {
		v = xcalloc(h->n, sizeof *v);
		for (uint32_t i = 0; i < h->n; i++)
			v[k++] = (struct bucket){h->value[i], h->value[i],
						 full_count(h, i, h->count[i])};
		qsort(v, k, sizeof *v, bucket_cmp);
		*n = k;
		return v;
	}
	v = NULL;
	for (uint32_t i = 0; i < h->cap; i++) {
		if (!h->chunk[i])
			continue;
		v = grow(v, &cap, k + HIST_CHUNK, sizeof *v);
		for (uint32_t j = 0; j < HIST_CHUNK; j++) {
			uint32_t index = i * HIST_CHUNK + j;

			v[k] = hist_bounds(index, bits);
			v[k].count = full_count(h, index, h->chunk[i][j]);
			k += v[k].count != 0;
		}
	}
	*n = k;
	return v;
}

void
hist_free(struct hist *h)
{
	for (uint32_t i = 0; h->chunk && i < h->cap; i++)
		free(h->chunk[i]);
	free(h->chunk);
	free(h->value);
	free(h->wrap);
	memset(h, 0, sizeof *h);
}
