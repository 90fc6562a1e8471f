/* hist.c - exact counts in one block of memory, then counters in pieces. */
#include <stdlib.h>
#include <string.h>

#include "hist.h"

struct hist_wrap {
	uint32_t index; /* of the bucket */
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
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.entry[i].count)
			bump_bucket(h, hist_index(old.entry[i].value, bits),
				    old.entry[i].count);
	free(old.entry);
}

/* The place of a value: its entry, or a free one. */
static struct hist_entry *
find(const struct hist *h, uint64_t v)
{
	uint32_t i = (uint32_t)(v * 0x9E3779B97F4A7C15u >> h->shift);

	while (h->entry[i].count && h->entry[i].value != v)
		i = (i + 1) & (h->cap - 1);
	return &h->entry[i];
}

static void
grow_exact(struct hist *h)
{
	struct hist old = *h;

	h->cap = old.cap ? old.cap * 2 : 4;
	h->shift = 64 - (unsigned)__builtin_ctz(h->cap);
	h->entry = xcalloc(h->cap, sizeof *h->entry);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.entry[i].count)
			*find(h, old.entry[i].value) = old.entry[i];
	free(old.entry);
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
	if (!times)
		return;
	if (!h->chunk) {
		struct hist_entry *e = h->cap ? find(h, v) : NULL;

		if (e && e->count) {
			e->count += times;
			return;
		}
		if (h->n < HIST_EXACT) {
			if (4 * h->n >= 3 * h->cap) {
				grow_exact(h);
				e = find(h, v);
			}
			*e = (struct hist_entry){v, times};
			h->n++;
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
		for (uint32_t i = 0; i < from->cap; i++)
			hist_add_slow(h, from->entry[i].value, from->entry[i].count, bits);
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

/* A heap sort by value: few of them, and qsort's calls would cost four times that. */
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

struct bucket *
hist_buckets(const struct hist *h, unsigned bits, size_t *n)
{
	struct bucket *v;
	size_t k = 0, cap = 0;

	if (!h->chunk) {
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
	free(h->entry);
	free(h->wrap);
	memset(h, 0, sizeof *h);
}
