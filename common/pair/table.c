/* table.c - numbers by their keys: memory. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "pair/table.h"

#define GROUPS_LEAST 16
#define AHEAD 4 /* groups whose keys are fetched before their turn */

void
pair_table_start(struct pair_table *t)
{
	/* Empty: whatever is added makes a new one first. */
	static struct pair_group none;

	*t = (struct pair_table){.group = &none};
}

void
pair_table_free(struct pair_table *t)
{
	free(t->mem);
	pair_table_start(t);
}

void
pair_table_forget(struct pair_table *t)
{
	if (t->mem)
		memset(t->group, 0, ((size_t)t->mask + 1) * sizeof *t->group);
	t->used = 0;
}

/* Makes room for more numbers. */
static COLD void
more(struct pair_table *t, struct pair_keys keys)
{
	struct pair_table old = *t;
	size_t n = old.mem ? (size_t)old.mask + 1 : 0, groups = n ? 2 * n : GROUPS_LEAST;
	uintptr_t at;

	/* No group lies in two lines of the cache. */
	t->mem = xcalloc(groups + 1, sizeof *t->group);
	at = (uintptr_t)t->mem;
	t->group = (void *)((char *)t->mem + (0 - at) % sizeof *t->group);
	t->mask = (uint32_t)(groups - 1);
	t->most = (uint32_t)(groups * PAIR_GROUP_MOST);
	t->used = 0;
	for (size_t i = 0; i < n; i++) {
		const struct pair_group *g = &old.group[i],
					*next = &old.group[i + AHEAD < n ? i + AHEAD : i];

		for (unsigned k = 0; k < PAIR_LANES; k++)
			touch((const char *)keys.base + keys.step * next->v[k]);
		for (unsigned k = 0; k < PAIR_LANES; k++)
			if (g->tags >> 8 * k & 0xff)
				pair_table_add(t, keys, pair_key_at(keys, g->v[k]),
					       g->v[k]);
	}
	free(old.mem);
}

void
pair_table_add(struct pair_table *t, struct pair_keys keys, uint64_t key, uint32_t v)
{
	struct pair_group *g;
	uint64_t i = key >> 32, lanes;
	unsigned lane;

	if (t->used == t->most)
		more(t, keys);
	t->used++;
	for (;; i++) {
		g = pair_table_group(t, i);
		lanes = pair_lanes_free(g->tags);
		if (lanes)
			break;
		if (g->tags < PAIR_PASSED_MOST)
			g->tags += PAIR_PASSED;
	}
	lane = trailing_zeros64(lanes) / 8;
	g->tags |= pair_tag(key) << 8 * lane;
	g->v[lane] = v;
}
