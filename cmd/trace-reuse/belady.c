/* belady.c - misses of the best policy: see reuse.h.
 *
 * Each size is a cache of its own: a heap of the next references to the keys that it has. The stack of Mattson et al.
 * knows all sizes at once, but a reference may move all its keys: for 3 million references to 590000 keys of a Zipf-like
 * trace, each moved 2000 keys on average, and all took 25 s, where 20 sizes one after another took 2 s. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-reuse/reuse.h"

/* No next reference. */
#define NEVER (REUSE_WRITES - 1)

struct belady {
	const struct curve *c;
	uint8_t *warm;	 /* by reference: not the first one to its key */
	uint8_t *cached; /* by reference: its key is in the cache, and is needed for it */
	uint32_t *
	    heap; /* next references to cached keys, the last one first; and references before now */
	size_t n, cap;
	uint64_t farthest; /* smallest size that misses only cold references */
};

/* Returns the number of the next reference to the key of reference i. */
static uint32_t
next_of(const struct curve *c, size_t i)
{
	uint32_t next = c->next[i] % REUSE_WRITES;

	return next ? next : NEVER;
}

static void
sink(struct belady *b, size_t i, uint32_t v)
{
	for (size_t child; (child = 2 * i + 1) < b->n; i = child) {
		child += child + 1 < b->n && b->heap[child] < b->heap[child + 1];
		if (b->heap[child] <= v)
			break;
		b->heap[i] = b->heap[child];
	}
	b->heap[i] = v;
}

static void
push(struct belady *b, uint32_t v)
{
	size_t i = b->n;

	*PUSH(b->heap, b->n, b->cap) = v;
	for (; i && b->heap[(i - 1) / 2] < v; i = (i - 1) / 2)
		b->heap[i] = b->heap[(i - 1) / 2];
	b->heap[i] = v;
}

/* Drops references before `now`. */
static void
prune(struct belady *b, uint32_t now)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->heap[i] > now)
			b->heap[n++] = b->heap[i];
	b->n = n;
	for (size_t i = n / 2; i--;)
		sink(b, i, b->heap[i]);
}

/* Sets missed[] to the references that are not cold and that a cache of `size` keys, at least 1, misses. */
static void
run_cache(struct belady *b, uint64_t size, uint64_t missed[REUSE_WAYS])
{
	uint64_t keys = 0;

	memset(b->cached, 0, b->c->nnext);
	memset(missed, 0, REUSE_WAYS * sizeof *missed);
	b->n = 0;
	for (size_t i = 0; i < b->c->nnext; i++) {
		uint32_t next = next_of(b->c, i);

		if (!b->cached[i]) {
			missed[b->c->next[i] / REUSE_WRITES] += b->warm[i];
			if (keys < size)
				keys++;
			else {
				/* Entries before now are less than all others. */
				uint32_t last = b->heap[0];

				if (last < NEVER)
					b->cached[last] = false;
				b->n--;
				if (b->n)
					sink(b, 0, b->heap[b->n]);
			}
		}
		if (next < NEVER)
			b->cached[next] = true;
		push(b, next);
		if (b->n > 2 * size + 1000)
			prune(b, (uint32_t)i);
	}
}

/* Sets what does not depend on the size, and counts all references in `before`, by way. */
static void
begin(struct belady *b, uint64_t before[REUSE_WAYS])
{
	const struct curve *c = b->c;
	uint64_t live = 0, most = 0;

	for (size_t i = 0; i < c->nnext; i++) {
		uint32_t next = next_of(c, i);

		before[c->next[i] / REUSE_WRITES] += b->warm[i];
		live -= b->warm[i];
		/* The key of this reference, and all others that are needed again. */
		most = live + 1 > most ? live + 1 : most;
		if (next < NEVER) {
			b->warm[next] = true;
			live++;
		}
	}
	b->farthest = before[REUSE_READ] + before[REUSE_WRITE] ? most : 0;
}

void
reuse_belady(struct curve *c)
{
	struct belady b = {.c = c};
	uint64_t before[REUSE_WAYS] = {0}, missed[REUSE_WAYS];

	b.warm = xcalloc(c->nnext + 1, 1);
	b.cached = xcalloc(c->nnext + 1, 1);
	begin(&b, before);
	/* A weight may have made hits already. */
	c->farthest = b.farthest > c->farthest ? b.farthest : c->farthest;
	for (size_t i = 0; before[REUSE_READ] + before[REUSE_WRITE]; i++) {
		memcpy(missed, before, sizeof missed);
		if (i == c->nedges || c->edge[i] >= b.farthest)
			memset(missed, 0, sizeof missed);
		else if (c->edge[i])
			run_cache(&b, c->edge[i], missed);
		GROW(c->sum, c->sum_cap, i + 1);
		for (unsigned way = 0; way < REUSE_WAYS; way++)
			c->sum[i].references[way] += before[way] - missed[way];
		memcpy(before, missed, sizeof before);
	}
	free(b.warm);
	free(b.cached);
	free(b.heap);
}
