/* pairs.c - open records by key, and in chains. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "pair/pairs.h"

uint64_t
pair_key_bytes(uint64_t h, const void *v, size_t n)
{
	const uint8_t *p = v;
	uint64_t last = 0;

	h = pair_key(h, n);
	for (; n >= 8; n -= 8, p += 8)
		h = pair_key(h, ld64(p));
	if (n)
		memcpy(&last, p, n);
	return pair_key(h, last);
}

void
pairs_start(struct pairs *p, bool by_end, bool queue, bool nested, uint64_t limit)
{
	memset(p, 0, sizeof *p);
	wait_start(&p->w, by_end, limit);
	pair_table_start(&p->match);
	pair_table_start(&p->chain);
	p->queue = queue;
	p->nested = nested;
}

void
pairs_free(struct pairs *p)
{
	wait_free(&p->w);
	pair_table_free(&p->match);
	pair_table_free(&p->chain);
	free(p->newest);
	free(p->nest);
}

void
pairs_queue(struct pairs *p, uint32_t open, const struct pair_slot *s)
{
	uint32_t oldest = s ? s->group->v[s->lane] : open;

	p->newest = grow(p->newest, &p->newestcap, open + 1, sizeof *p->newest);
	if (s)
		p->w.open[p->newest[oldest]].next = open;
	p->newest[oldest] = open;
}

static inline struct pair_keys
chains(const struct pairs *p)
{
	return (struct pair_keys){p->nest, offsetof(struct nest, chain), sizeof *p->nest};
}

void
pairs_nest(struct pairs *p, uint32_t open, uint64_t chain, uint64_t time, uint64_t counted)
{
	struct pair_slot s;
	bool found = pair_table_find(&p->chain, chains(p), chain, &s);
	uint32_t last = found ? s.group->v[s.lane] + 1 : 0;

	pairs_push(p, &last, open, time, counted);
	p->nest[open].chain = chain;
	if (found)
		s.group->v[s.lane] = open;
	else
		pair_table_add(&p->chain, chains(p), chain, open);
}

void
pairs_unnest(struct pairs *p, uint32_t open)
{
	uint64_t chain = p->nest[open].chain;
	struct pair_slot s;
	uint32_t last;

	if (!pair_table_find(&p->chain, chains(p), chain, &s))
		return;
	last = s.group->v[s.lane] + 1;
	pairs_pull(p, &last, open);
	if (last)
		s.group->v[s.lane] = last - 1;
	else
		pair_table_drop(&p->chain, s, chain);
}

void
pairs_forget(struct pairs *p)
{
	pair_table_forget(&p->match);
	pair_table_forget(&p->chain);
}

void
pairs_fetch(const struct pairs *p, const uint64_t *key, const bool *ends, uint32_t n)
{
	uint32_t open[BATCH], m = 0;

	for (uint32_t j = 0; j < n; j++)
		touch(pair_table_group(&p->match, key[j] >> 32));
	/* By tags alone; of a few it is another one's, or in the next group. */
	for (uint32_t j = 0; j < n; j++) {
		const struct pair_group *g = pair_table_group(&p->match, key[j] >> 32);
		uint64_t lanes = pair_lanes(g->tags, pair_tag(key[j]));

		open[m] = g->v[trailing_zeros64(lanes | 1ull << 40) / 8];
		m += ends[j] & (lanes != 0);
	}
	for (uint32_t j = 0; j < m; j++)
		touch(&p->w.open[open[j]]);
	for (uint32_t j = 0; j < m; j++)
		wait_fetch(&p->w, open[j]);
}
