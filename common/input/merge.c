/* merge.c - implements merge.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "input/merge.h"

#define INPUT_BITS 5
/* Distance from the tree's base at which all keys become equal for the tree: 9 years in ns. */
#define FAR (1ull << (63 - INPUT_BITS))
#define FAR_NODE (FAR << INPUT_BITS)

/* If the stretches are shorter than this on average, windows are faster than the tree, in which each stretch is a
 * mispredicted branch. After TRY_AGAIN windows, the tree is tried again. */
#define SHORT 6
#define TRY_AGAIN 64

/* A window grows if it gives fewer than `few` events, and shrinks if it gives more than twice as many: 1,000 to
 * 12,000 records fit into the second-level cache. With many inputs it is faster to take some events of each at a
 * time. */
#define FEW 1024
#define FEW_OF_EACH 6
#define FEW_MOST (MERGE_WINDOW * 3 / 8)
#define WINDOW_FIRST (1ull << 14)
#define WINDOW_MOST (1ull << 31) /* so that key - base fits in 32 bits */
#define RADIX 11

void
merge_changed(struct merge *m)
{
	m->built = false;
}

void
merge_free(struct merge *m)
{
	free(m->entry);
	free(m->other);
	buf_free(&m->area);
	buf_free(&m->spare);
	memset(m, 0, sizeof *m);
}

static inline uint64_t
node_of(const struct merge *m, uint32_t i)
{
	uint64_t far;

	if (i >= m->n || m->head[i] == MERGE_END)
		return UINT64_MAX;
	far = m->head[i] - m->base;
	return (far < FAR ? far : FAR) << INPUT_BITS | i;
}

static void
build_tree(struct merge *m)
{
	uint64_t winner[2 * MERGE_TREE] = {0};
	uint32_t leaves = 2;

	while (leaves < m->n)
		leaves *= 2;
	m->leaves = leaves;
	m->base = MERGE_END;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->head[i] < m->base)
			m->base = m->head[i];
	for (uint32_t i = 0; i < leaves; i++)
		winner[leaves + i] = node_of(m, i);
	for (uint32_t k = leaves - 1; k; k--) {
		uint64_t a = winner[2 * k], b = winner[2 * k + 1];

		winner[k] = a < b ? a : b;
		m->tree[k] = a < b ? b : a;
	}
	m->tree[0] = winner[1];
	m->built = true;
}

/* Makes the next events ready by the tree: the winner gives events until the best loser that it met comes before
 * it. Returns false if there are none below the limit. */
static bool
tree_next(struct merge *m)
{
	uint32_t takes = 0;

	GROW(m->entry, m->cap, MERGE_RUN);
	m->nentries = m->at = 0;
	m->full = false;
	if (!m->built)
		build_tree(m);
	while (m->nentries < MERGE_RUN && !m->full) {
		uint64_t node = m->tree[0], second = UINT64_MAX, below;
		uint32_t i = node & (MERGE_TREE - 1), k;

		if (node == UINT64_MAX || m->head[i] >= m->limit)
			break;
		if (node >= FAR_NODE) {
			build_tree(m);
			continue;
		}
		for (k = (m->leaves + i) / 2; k; k /= 2)
			second = m->tree[k] < second ? m->tree[k] : second;
		if (second >= FAR_NODE)
			below = MERGE_END - m->base > FAR ? m->base + FAR : MERGE_END;
		else /* of equal keys, the key of the earlier input comes first */
			below = m->base + (second >> INPUT_BITS) +
				(i < (second & (MERGE_TREE - 1)));
		takes++;
		m->take(m->ctx, i, below < m->limit ? below : m->limit,
			MERGE_RUN - m->nentries);
		node = node_of(m, i);
		for (k = (m->leaves + i) / 2; k; k /= 2) {
			uint64_t loser = m->tree[k];

			m->tree[k] = loser > node ? loser : node;
			node = loser > node ? node : loser;
		}
		m->tree[0] = node;
	}
	m->ready = m->nentries;
	if (m->ready < SHORT * takes)
		m->windows = TRY_AGAIN;
	return m->ready > 0;
}

/* Sorts the entries by key. The sort is stable, and offsets ascend in the order that equal keys must have. */
static void
sort_entries(struct merge *m, uint64_t width)
{
	uint32_t n = m->nentries, count[1 << RADIX];
	unsigned bits = width > 1 ? 64 - leading_zeros64(width - 1) : 0;

	GROW(m->other, m->othercap, n);
	for (unsigned shift = 0; shift < bits; shift += RADIX) {
		const uint64_t *from = m->entry;
		uint64_t *to = m->other;
		uint32_t sum = 0;
		size_t cap = m->cap;

		memset(count, 0, sizeof count);
		for (uint32_t i = 0; i < n; i++)
			count[from[i] >> (32 + shift) & ((1 << RADIX) - 1)]++;
		for (uint32_t i = 0; i < 1 << RADIX; i++) {
			uint32_t c = count[i];

			count[i] = sum;
			sum += c;
		}
		for (uint32_t i = 0; i < n; i++)
			to[count[from[i] >> (32 + shift) & ((1 << RADIX) - 1)]++] = from[i];
		m->other = m->entry;
		m->entry = to;
		m->cap = m->othercap;
		m->othercap = cap;
	}
}

/* Sets the width of the next window by the number of events that this one took: not too few, and not so many that
 * they could not be taken at once (`whole` is false then). */
static void
adapt_window(struct merge *m, uint32_t taken, bool whole)
{
	uint32_t few = FEW_OF_EACH * m->n;

	few = few < FEW ? FEW : few < FEW_MOST ? few : FEW_MOST;
	if (!whole)
		m->window = m->window > 16 ? m->window / 16 : 1;
	else if (taken < few && m->window < WINDOW_MOST)
		m->window *= 2;
	else if (taken > 2 * few)
		m->window = m->window / 2 + 1;
}

/* Merges one window that begins at the key `low`. If the inputs have more events in the window than can be taken
 * at a time, the window ends early, at the first key of which events are missing; events taken after that key
 * wait. Returns false if no event is ready: the caller then tries a narrower window. */
static bool
window_once(struct merge *m, uint64_t low)
{
	uint64_t to = low + m->window, end;
	uint32_t waiting = merge_waiting(m), most, inputs = 0;

	if (to < low || to > m->limit)
		to = m->limit;
	if (waiting && to > m->taken_to)
		to = m->taken_to;
	/* Events that wait from an earlier window move to the front, relative to the new base. */
	for (uint32_t i = 0; i < waiting; i++)
		m->entry[i] = m->entry[m->at + i] - ((low - m->base) << 32);
	m->nentries = waiting;
	m->at = 0;
	m->base = low;
	most = waiting + MERGE_WINDOW;
	GROW(m->entry, m->cap, most);
	end = to;
	m->full = false;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->head[i] >= end)
			continue;
		inputs++;
		if (m->nentries < most && !m->full)
			m->take(m->ctx, i, end, most - m->nentries);
		if (m->head[i] < end)
			end = m->head[i];
	}
	/* If all events have one key, they are in order already. */
	if (end == low && to == low + 1)
		end = to;
	if (waiting || inputs > 1)
		sort_entries(m, waiting && m->taken_to > to ? m->taken_to - low : to - low);
	if (!waiting)
		m->taken_to = to;
	m->ready = m->nentries;
	while (m->ready && m->entry[m->ready - 1] >> 32 >= end - low)
		m->ready--;
	adapt_window(m, m->nentries - waiting, end == to);
	return m->ready > 0;
}

static bool
window_next(struct merge *m)
{
	m->built = false;
	if (!m->window)
		m->window = WINDOW_FIRST;
	for (;;) {
		uint64_t low = MERGE_END;

		for (uint32_t i = 0; i < m->n; i++)
			low = m->head[i] < low ? m->head[i] : low;
		if (merge_waiting(m)) {
			uint64_t first = m->base + (m->entry[m->at] >> 32);

			low = first < low ? first : low;
		}
		if (low >= m->limit)
			return false;
		if (window_once(m, low))
			return true;
	}
}

bool
merge_next(struct merge *m)
{
	if (m->n <= MERGE_TREE && !merge_waiting(m)) {
		if (!m->windows)
			return tree_next(m);
		m->windows--;
	}
	return window_next(m);
}

void
merge_keep(struct merge *m)
{
	struct buf to = m->spare;

	if (m->at == m->nentries) {
		m->area.n = 0;
		return;
	}
	to.n = 0;
	for (uint32_t i = m->at; i < m->nentries; i++) {
		uint32_t off = (uint32_t)m->entry[i];
		const uint8_t *p = m->area.p + off;
		size_t n = ((const struct rec *)(const void *)p)->len;

		if (m->raw)
			n += merge_raw_size((size_t)ld64(p + n));
		m->entry[i] += (uint32_t)to.n - (uint64_t)off;
		memcpy(buf_room(&to, n + REC_SLACK), p, n);
		to.n += n;
	}
	m->spare = m->area;
	m->area = to;
}

void
merge_give(struct merge *m, struct batch *b)
{
	const uint64_t *entry = m->entry + m->at;

	b->n = m->ready - m->at < BATCH ? m->ready - m->at : BATCH;
	b->base = m->area.p;
	for (uint32_t i = 0; i < b->n; i++)
		b->off[i] = (uint32_t)entry[i];
	for (uint32_t i = 0; m->raw && i < b->n; i++) {
		const uint8_t *p = b->base + b->off[i];

		p += ((const struct rec *)(const void *)p)->len;
		b->raw[i] = (struct span){p + MERGE_RAW, (size_t)ld64(p)};
	}
	m->at += b->n;
}
