/* bins.c - bins that fold: see bins.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-plot/bins.h"

static size_t
bin_row(const struct bins *b, int64_t i)
{
	return ((uint64_t)i & (b->n - 1)) * (size_t)b->stride;
}

/* Moves the sums to new memory: rows of `stride` slots for n bins. */
static void
lay_out(struct bins *b, uint32_t n, uint32_t stride)
{
	struct bins old = *b;

	b->n = n;
	b->stride = stride;
	b->v = xcalloc((size_t)n * stride, sizeof *b->v);
	if (b->lasting)
		b->change = xcalloc((size_t)n * stride, sizeof *b->change);
	EACH_BIN (&old, i) {
		memcpy(bins_at(b, i), bins_at(&old, i), old.nslots * sizeof *b->v);
		if (b->lasting)
			memcpy(b->change + bin_row(b, i), old.change + bin_row(&old, i),
			       old.nslots * sizeof *b->change);
	}
	free(old.v);
	free(old.change);
}

static size_t
slot_bytes(const struct bins *b)
{
	return sizeof *b->v + (b->lasting ? sizeof *b->change : 0);
}

/* Returns the room for n slots: a power of two, or above 64 a multiple of 64. */
static uint32_t
stride_of(const struct bins *b, uint32_t n)
{
	uint32_t stride = b->stride ? b->stride : 1;

	while (stride < n)
		stride += stride < 64 ? stride : 64;
	return stride;
}

static uint32_t
least_rows(const struct bins *b)
{
	return b->fixed ? b->fixed : BINS_LEAST;
}

bool
bins_fit(const struct bins *b, uint32_t n)
{
	return least_rows(b) * slot_bytes(b) * stride_of(b, n) <= b->bytes;
}

bool
bins_slots(struct bins *b, uint32_t n)
{
	uint32_t rows = b->most ? b->most : BINS_MOST, stride = stride_of(b, n);

	if (!bins_fit(b, n))
		return false;
	rows = b->n ? b->n : rows;
	/* Fixed bins need no more room than their number. */
	while (rows / 2 >= least_rows(b) &&
	       (b->fixed || rows * slot_bytes(b) * stride > b->bytes))
		rows /= 2;
	while (b->any && bins_used(b) > rows)
		bins_fold(b);
	if (stride != b->stride || rows != b->n)
		lay_out(b, rows, stride);
	b->nslots = n > b->nslots ? n : b->nslots;
	return true;
}

void
bins_settle(struct bins *b)
{
	uint32_t *depth;

	if (!b->open)
		return;
	b->open = false;
	depth = xcalloc(b->nslots, sizeof *depth);
	EACH_BIN (b, i) {
		uint64_t *v = bins_at(b, i);
		uint32_t *change = b->change + bin_row(b, i);

		for (uint32_t s = 0; s < b->nslots; s++) {
			depth[s] += change[s];
			v[s] += (uint64_t)(int64_t)(int32_t)depth[s] << b->k;
		}
		memset(change, 0, b->nslots * sizeof *change);
	}
	free(depth);
}

/* Returns x + y, at most UINT64_MAX; modulo 2^64 if bins are `lasting`, since time is also taken back, and a
 * sum may be below 0 meanwhile. */
static inline uint64_t
sum_of(const struct bins *b, uint64_t x, uint64_t y)
{
	return x + y < x && !b->lasting ? UINT64_MAX : x + y;
}

int64_t
bins_low(const struct bins *b, int64_t i)
{
	int64_t width;

	if (!b->widths)
		return (int64_t)((uint64_t)i << b->k);
	width = (int64_t)b->widths[b->k];
	if (b->zero)
		return (int64_t)((uint64_t)b->zero + (uint64_t)i * (uint64_t)width);
	return i < INT64_MIN / width ? INT64_MIN : i * width;
}

int64_t
bins_near(struct bins *b, int64_t x)
{
	uint64_t width = bins_width(b), room;

	b->near_bin = bins_index(b, x);
	b->near = bins_low(b, b->near_bin);
	/* The lowest and the highest bin may reach beyond 64 bits. */
	room = (uint64_t)INT64_MAX - (uint64_t)b->near + 1;
	b->near_width = b->near == INT64_MIN && !b->zero ? 0 : width < room ? width : room;
	return b->near_bin;
}

void
bins_fold(struct bins *b)
{
	struct bins old = *b;
	int64_t times = b->widths ? (int64_t)(b->widths[b->k + 1] / b->widths[b->k]) : 2;

	bins_settle(b);
	free(b->change); /* all zeros now: freed first to save memory */
	b->v = xcalloc((size_t)b->n * b->stride, sizeof *b->v);
	b->k++;
	b->lo = floor_div(b->lo, times);
	b->hi = floor_div(b->hi, times);
	b->span = (uint64_t)(b->hi - b->lo);
	b->near_width = 0;
	EACH_BIN (&old, i) {
		uint64_t *to = bins_at(b, floor_div(i, times)), *from = bins_at(&old, i);

		for (uint32_t s = 0; s < b->nslots; s++)
			to[s] = sum_of(b, to[s], from[s]);
	}
	free(old.v);
	if (b->lasting)
		b->change = xcalloc((size_t)b->n * b->stride, sizeof *b->change);
}

void
bins_reach(struct bins *b, int64_t x)
{
	if (!b->any)
		b->lo = b->hi = bins_index(b, x);
	b->any = true;
	/* Both ends may be anywhere in 64 bits: their distance has no sign. */
	for (;; bins_fold(b)) {
		int64_t i = bins_index(b, x), lo = i < b->lo ? i : b->lo,
			hi = i > b->hi ? i : b->hi;

		if ((uint64_t)hi - (uint64_t)lo < b->n) {
			b->lo = lo;
			b->hi = hi;
			b->span = (uint64_t)(hi - lo);
			return;
		}
	}
}

void
bins_cover(struct bins *b, int64_t from, int64_t to, uint32_t slot, int64_t times)
{
	int64_t i = from >> b->k, j = (to - 1) >> b->k;
	uint64_t m = (uint64_t)times, width;

	if (unlikely(!b->any || i < b->lo || j > b->hi)) { /* i <= j */
		bins_reach(b, from);
		bins_reach(b, to - 1);
		i = from >> b->k;
		j = (to - 1) >> b->k;
	}
	if (i == j) {
		bins_at(b, i)[slot] += m * ((uint64_t)to - (uint64_t)from);
		return;
	}
	b->open = true;
	width = 1ull << b->k;
	bins_at(b, i)[slot] += m * (width - ((uint64_t)from & (width - 1)));
	bins_at(b, j)[slot] += m * (((uint64_t)to - 1) % width + 1);
	b->change[bin_row(b, i + 1) + slot] += (uint32_t)m;
	b->change[bin_row(b, j) + slot] -= (uint32_t)m;
}

void
bins_move(struct bins *b, const uint32_t *to)
{
	uint64_t *sum = xcalloc(b->nslots + 1, sizeof *sum);

	bins_settle(b);
	EACH_BIN (b, i) {
		uint64_t *v = bins_at(b, i);

		for (uint32_t s = 0; s < b->nslots; s++)
			sum[to[s]] = sum_of(b, sum[to[s]], v[s]);
		memcpy(v, sum, b->nslots * sizeof *v);
		memset(sum, 0, b->nslots * sizeof *sum);
	}
	free(sum);
}

void
bins_join(struct bins *b, uint32_t slot, uint32_t to, uint32_t n)
{
	EACH_BIN (b, i) {
		uint64_t *v = bins_at(b, i);

		for (uint32_t s = 0; s < n; s++) {
			v[to + s] = sum_of(b, v[to + s], v[slot + s]);
			v[slot + s] = 0;
		}
	}
}

void
bins_merge(struct bins *to, struct bins *from, const uint32_t *map)
{
	if (!from->any)
		return;
	bins_settle(from);
	while (from->k > to->k && to->any)
		bins_fold(to);
	if (!to->any)
		to->k = from->k;
	do {
		while (from->k < to->k)
			bins_fold(from);
		bins_reach(to, bins_low(from, from->lo));
		bins_reach(to, bins_low(from, from->hi));
	} while (from->k < to->k);
	EACH_BIN (from, i) {
		const uint64_t *v = bins_at(from, i);
		uint64_t *sum = bins_at(to, i);

		for (uint32_t s = 0; s < from->nslots; s++)
			sum[map[s]] = sum_of(to, sum[map[s]], v[s]);
	}
}

void
bins_free(struct bins *b)
{
	FREE(b->v);
	FREE(b->change);
	b->any = false;
	b->n = b->nslots = b->stride = 0;
}
