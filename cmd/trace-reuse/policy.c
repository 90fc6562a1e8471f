/* policy.c - misses of the policies that are not computed from distances: see reuse.h.
 *
 * Each size is a cache of its own, which runs over all references. For the best policy it is a heap of the next
 * references to the keys that it has. The stack of Mattson et al. knows all sizes at once, but a reference may move all
 * its keys: for 3 million references to 590000 keys of a Zipf-like trace, each moved 2000 keys on average, and all took
 * 25 s, where 20 sizes one after another took 2 s. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-reuse/reuse.h"

/* No next reference. */
#define NEVER (REUSE_WRITES - 1)

struct simulation {
	struct curve *c;
	uint8_t *warm;	 /* by reference: not the first one to its key */
	uint8_t *cached; /* by reference: its key is in the cache, and is needed for it */
	uint8_t *stays;	 /* by reference: its key is in the cache after it */
	/* by reference: the size with which its object entered; the greatest size of its object up to it */
	uint64_t *entered, *most;
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
sink(struct simulation *b, size_t i, uint32_t v)
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
push(struct simulation *b, uint32_t v)
{
	size_t i = b->n;

	*PUSH(b->heap, b->n, b->cap) = v;
	for (; i && b->heap[(i - 1) / 2] < v; i = (i - 1) / 2)
		b->heap[i] = b->heap[(i - 1) / 2];
	b->heap[i] = v;
}

/* Drops references before `now`. */
static void
prune(struct simulation *b, uint32_t now)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->heap[i] > now)
			b->heap[n++] = b->heap[i];
	b->n = n;
	for (size_t i = n / 2; i--;)
		sink(b, i, b->heap[i]);
}

/* Sets missed to the references that are not cold and that a cache of `size` keys, at least 1, misses. */
static void
run_best(struct simulation *b, uint64_t size, struct reuse_sum *missed)
{
	uint64_t keys = 0;

	memset(b->cached, 0, b->c->nnext);
	memset(missed, 0, sizeof *missed);
	b->n = 0;
	for (size_t i = 0; i < b->c->nnext; i++) {
		uint32_t next = next_of(b->c, i);

		if (!b->cached[i]) {
			missed->references[b->c->next[i] / REUSE_WRITES] += b->warm[i];
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

/* Removes the object that was used longest ago; references before *oldest have none. `now` is the current reference. */
static void
evict(struct simulation *b, size_t now, size_t *oldest, uint64_t *used)
{
	uint32_t next;

	/* An object that was referenced again since is found at that reference. */
	while (!b->stays[*oldest] || next_of(b->c, *oldest) <= now)
		++*oldest;
	next = next_of(b->c, *oldest);
	if (next < NEVER)
		b->cached[next] = false;
	*used -= b->entered[*oldest];
	b->stays[(*oldest)++] = false;
}

/* Sets missed to the references that are not cold and that an LRU cache of `size` bytes misses, where an object keeps
 * the size with which it entered, and one that is larger than the cache does not enter. */
static void
run_entries(struct simulation *b, uint64_t size, struct reuse_sum *missed)
{
	const struct curve *c = b->c;
	uint64_t used = 0;
	size_t oldest = 0;

	memset(b->cached, 0, c->nnext);
	memset(missed, 0, sizeof *missed);
	for (size_t i = 0; i < c->nnext; i++) {
		uint32_t next = next_of(c, i);

		b->stays[i] = true;
		if (!b->cached[i]) {
			unsigned way = c->next[i] / REUSE_WRITES;

			missed->references[way] += b->warm[i];
			missed->bytes[way] += b->warm[i] ? c->object[i] : 0;
			b->entered[i] = c->object[i];
			b->stays[i] = c->object[i] <= size;
			used += b->stays[i] ? c->object[i] : 0;
			while (used > size)
				evict(b, i, &oldest, &used);
		}
		if (next < NEVER && b->stays[i]) {
			b->cached[next] = true;
			b->entered[next] = b->entered[i];
		}
	}
}

/* Sets what does not depend on the size, and counts all references that are not cold in `before`. */
static void
begin(struct simulation *b, struct reuse_sum *before)
{
	struct curve *c = b->c;
	uint64_t live = 0, most = 0, bytes = 0;

	for (size_t i = 0; i < c->nnext; i++) {
		uint32_t next = next_of(c, i);
		unsigned way = c->next[i] / REUSE_WRITES;

		before->references[way] += b->warm[i];
		live -= b->warm[i];
		/* The key of this reference, and all others that are needed again. */
		most = live + 1 > most ? live + 1 : most;
		if (b->most) {
			before->bytes[way] += b->warm[i] ? c->object[i] : 0;
			if (b->most[i] < c->object[i])
				b->most[i] = c->object[i];
			bytes += next == NEVER ? b->most[i] : 0;
		}
		if (next < NEVER) {
			b->warm[next] = true;
			live++;
			if (b->most) {
				b->most[next] = b->most[i];
				c->changed += c->object[next] != c->object[i];
			}
		}
	}
	if (before->references[REUSE_READ] + before->references[REUSE_WRITE])
		b->farthest = b->most ? bytes : most;
}

void
reuse_simulate(struct curve *c)
{
	struct simulation b = {.c = c};
	struct reuse_sum before = {0}, missed;

	b.warm = xcalloc(c->nnext + 1, 1);
	b.cached = xcalloc(c->nnext + 1, 1);
	if (c->object) {
		b.stays = xcalloc(c->nnext + 1, 1);
		b.entered = xcalloc(c->nnext + 1, sizeof *b.entered);
		b.most = xcalloc(c->nnext + 1, sizeof *b.most);
	}
	begin(&b, &before);
	/* A weight may have made hits already. */
	c->farthest = b.farthest > c->farthest ? b.farthest : c->farthest;
	for (size_t i = 0; i <= c->nedges && c->nnext; i++) {
		missed = before;
		if (i == c->nedges || c->edge[i] >= b.farthest)
			memset(&missed, 0, sizeof missed);
		else if (c->object)
			run_entries(&b, c->edge[i], &missed);
		else if (c->edge[i])
			run_best(&b, c->edge[i], &missed);
		GROW(c->sum, c->sum_cap, i + 1);
		/* Entries may make a larger cache miss more: such a sum wraps around, and those of all edges do not. */
		for (unsigned way = 0; way < REUSE_WAYS; way++) {
			c->sum[i].references[way] +=
			    before.references[way] - missed.references[way];
			c->sum[i].bytes[way] += before.bytes[way] - missed.bytes[way];
		}
		before = missed;
	}
	free(b.warm);
	free(b.cached);
	free(b.stays);
	free(b.entered);
	free(b.most);
	free(b.heap);
}
