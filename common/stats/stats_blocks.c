/* stats_blocks.c - the units of bytes that requests touch: pages, or of another length. */
#include "base/compiler.h"
#include "stats/stats.h"

/* Bytes that are counted as one; shift: the power of two that they are, or -1. */
struct block {
	uint64_t bytes;
	int shift;
};

static INLINE uint64_t
unit_of(const struct block *u, uint64_t v)
{
	return likely(u->shift >= 0) ? v >> u->shift : v / u->bytes;
}

/* The number of the unit that a byte is in, and the byte's place in it. */
static COLD uint64_t
far_unit(const struct block *u, uint64_t low, uint64_t high, uint64_t number[2])
{
	struct wide v = wide_words((const uint64_t[]){low, high}, 2),
		    by = wide_u64(u->bytes), rest;
	uint64_t place;

	v = wide_div(&v, &by, &rest);
	wide_to_words(&v, number, 2);
	wide_to_words(&rest, &place, 1);
	return place;
}

static INLINE bool
is_unaligned(const struct block *u, const struct extent *x)
{
	uint64_t number[2];

	if (likely(u->shift >= 0))
		return ((x->begin | x->end) & (u->bytes - 1)) != 0;
	if (likely(!(x->begin_high | x->end_high)))
		return x->begin % u->bytes || x->end % u->bytes;
	return far_unit(u, x->begin, x->begin_high, number) ||
	       far_unit(u, x->end, x->end_high, number);
}

/* Whose pages they are. */
static uint64_t
seed_of(const struct stats *st, uint32_t g)
{
	const struct str *s = &st->text.v[st->key[(size_t)g * st->spec->nkeys]];

	return hash64(s->s, s->len);
}

/* Pages from number high * 2^64 + low on, and so many more, which all have this `high`. Those
 * from 2^64 on have a place by hash: it is that of others as rarely as any two hashes are the
 * same. */
static void
add_far(struct pages_queue *q, struct pages *p, uint64_t high, uint64_t low, uint64_t more,
	uint32_t keep)
{
	uint64_t first = low + (high ? mix64(high) << 6 : 0), last = first + more;

	if (last < first)
		pages_add(q, p, 0, last, keep);
	pages_add(q, p, first, last < first ? UINT64_MAX : last, keep);
}

/* The pages of a request that ends beyond 2^64 bytes. */
static COLD void
far_pages(struct pages_queue *q, struct pages *p, const struct block *u, struct extent x,
	  uint64_t size, uint32_t keep)
{
	uint64_t number[2], place = far_unit(u, x.begin, x.begin_high, number);
	uint64_t low = number[0], high = number[1], more = (size - 1) / u->bytes;

	if (!size)
		return;
	/* Its last byte is behind the first by less than a unit, and so many. */
	more += (size - 1) % u->bytes >= u->bytes - place;
	if (low + more < low) {
		add_far(q, p, high + 1, 0, low + more, keep);
		more = UINT64_MAX - low;
	}
	add_far(q, p, high, low, more, keep);
}

void
column_blocks(struct stats *st, size_t c, const uint8_t *base, const uint32_t *off,
	      uint32_t n, const uint32_t *g)
{
	uint64_t v[BATCH];
	struct pages_queue queue;
	bool pages = st->spec->col[c].kind == COL_PAGES;
	uint64_t bytes = st->spec->col[c].div ? st->spec->col[c].div : 4096;
	const struct block unit = {bytes,
				   bytes & (bytes - 1) ? -1 : (int)trailing_zeros64(bytes)};
	uint32_t to[BATCH], k = 0, keep;

	column_room(st, c);
	keep = st->col[c].keep;
	queue.n = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = (const struct rec *)(const void *)(base + off[i]);
		struct extent x = extent_of(st, r);
		struct pages *p;

		if ((r->has & (HAS_ADDR | HAS_SIZE)) != (HAS_ADDR | HAS_SIZE))
			continue;
		if (!pages) {
			to[k] = g[i];
			v[k++] = is_unaligned(&unit, &x);
			continue;
		}
		p = &st->col[c].pages[g[i]];
		if (unlikely(!p->cap) && st->spec->nkeys)
			p->seed = seed_of(st, g[i]);
		if (unlikely(x.begin_high | x.end_high))
			far_pages(&queue, p, &unit, x, r->size, keep);
		else if (x.end > x.begin)
			pages_add(&queue, p, unit_of(&unit, x.begin),
				  unit_of(&unit, x.end - 1), keep);
	}
	pages_flush(&queue, keep);
	column_values(st, c, INT_POS, to, v, k);
}
