/* stats_blocks.c - the units of bytes that requests touch: pages, or units of another length. */
#include "base/compiler.h"
#include "stats/inside.h"

/* Returns the number of the unit that contains byte v. `bytes` is the length of a unit; `shift` its logarithm if
 * it is a power of two, else -1. */
static INLINE uint64_t
unit_of(uint64_t bytes, int shift, uint64_t v)
{
	return likely(shift >= 0) ? v >> shift : v / bytes;
}

/* Finds the number of the unit that contains a byte, in two words. Returns the offset of the byte in it. */
static COLD uint64_t
far_unit(uint64_t bytes, uint64_t low, uint64_t high, uint64_t number[2])
{
	struct wide v = wide_words((const uint64_t[]){low, high}, 2), by = wide_u64(bytes),
		    rest;
	uint64_t place;

	v = wide_div(&v, &by, &rest);
	wide_to_words(&v, number, 2);
	wide_to_words(&rest, &place, 1);
	return place;
}

static COLD bool
far_unaligned(uint64_t bytes, struct extent x)
{
	uint64_t number[2];

	return far_unit(bytes, x.begin, x.begin_high, number) ||
	       far_unit(bytes, x.end, x.end_high, number);
}

static INLINE bool
is_unaligned(uint64_t bytes, int shift, struct extent x)
{
	if (likely(shift >= 0))
		return ((x.begin | x.end) & (bytes - 1)) != 0;
	if (unlikely(x.begin_high | x.end_high))
		return far_unaligned(bytes, x);
	return x.begin % bytes || x.end % bytes;
}

/* Returns the seed of a group's pages: the hash of its name. */
static uint64_t
seed_of(const struct stats *st, uint32_t g)
{
	char space[KEY_SPACE];
	const char *name = stats_name(st, g, space);

	return hash64(name, strlen(name));
}

/* Adds the page number high * 2^64 + low, and the `more` pages after it, all with this `high`. Pages from 2^64 on
 * are numbered by a hash, which rarely gives two pages the same number. */
static void
add_far(struct pages_queue *q, struct page_set *p, uint64_t high, uint64_t low,
	uint64_t more, uint32_t keep)
{
	uint64_t first = low + (high ? mix64(high) << 6 : 0), last = first + more;

	if (last < first)
		pages_add(q, p, 0, last, keep);
	pages_add(q, p, first, last < first ? UINT64_MAX : last, keep);
}

/* Adds the pages of a request that ends beyond 2^64 bytes. Returns false if they are too many to count all. */
static COLD bool
far_pages(struct pages_queue *q, struct page_set *p, uint64_t bytes, struct extent x,
	  uint64_t size, uint32_t keep)
{
	uint64_t number[2], place = far_unit(bytes, x.begin, x.begin_high, number);
	uint64_t low = number[0], high = number[1], more = (size - 1) / bytes, last;

	if (!size)
		return true;
	/* One page more if the rest of the size reaches into another unit. */
	more += (size - 1) % bytes >= bytes - place;
	last = more;
	if (low + more < low) {
		add_far(q, p, high + 1, 0, low + more, keep);
		more = UINT64_MAX - low;
	}
	add_far(q, p, high, low, more, keep);
	return last < PAGES_RANGE;
}

static INLINE void
add_unaligned(struct stats *st, size_t c, struct events e, uint64_t bytes, int shift)
{
	uint64_t v[BATCH];
	uint32_t to[BATCH], k = 0;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);

		if (!is_request(r))
			continue;
		to[k] = e.g[i];
		v[k++] = is_unaligned(bytes, shift, extent_of(st, r));
	}
	column_values(st, c, INT_POS, to, v, k);
}

static INLINE void
add_pages(struct stats *st, size_t c, struct events e, uint64_t bytes, int shift)
{
	struct pages_queue queue;
	uint32_t cut[BATCH], k = 0, keep;
	uint64_t one[BATCH];
	struct page_set *pages = column_pages(st, c);

	keep = st->col[c].keep;
	queue.n = 0;
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		struct extent x = extent_of(st, r);
		struct page_set *p = &pages[e.g[i]];
		bool all = true;

		if (!is_request(r))
			continue;
		if (unlikely(!p->cap) && st->spec->nkeys)
			p->seed = seed_of(st, e.g[i]);
		if (unlikely(x.begin_high | x.end_high))
			all = far_pages(&queue, p, bytes, x, r->size, keep);
		else if (x.end > x.begin) {
			uint64_t first = unit_of(bytes, shift, x.begin),
				 last = unit_of(bytes, shift, x.end - 1);

			pages_add(&queue, p, first, last, keep);
			all = last - first < PAGES_RANGE;
		}
		if (unlikely(!all)) {
			one[k] = 1;
			cut[k++] = e.g[i];
		}
	}
	pages_flush(&queue, keep);
	/* Requests whose pages were not all counted are the values of the column. */
	column_values(st, c, INT_POS, cut, one, k);
}

void
column_blocks(struct stats *st, size_t c, struct events e)
{
	uint64_t div = st->spec->col[c].div, bytes = div ? div : 4096;
	int shift = bytes & (bytes - 1) ? -1 : (int)trailing_zeros64(bytes | 1ull << 63);
	bool pages = st->spec->col[c].kind == COL_PAGES;

	/* The compiler makes separate loops for the usual unit. */
	if (bytes == 4096 && pages)
		add_pages(st, c, e, 4096, 12);
	else if (bytes == 4096)
		add_unaligned(st, c, e, 4096, 12);
	else if (pages)
		add_pages(st, c, e, bytes, shift);
	else
		add_unaligned(st, c, e, bytes, shift);
}
