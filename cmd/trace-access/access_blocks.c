/* access_blocks.c - see access_blocks.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-access/access_blocks.h"
#include "base/bytes.h"
#include "base/hash.h"

/* Bound: trace-access | blocks of one request | its size | 1048576 | too many blocks */
#define BLOCKS_MOST (1u << 20)
#define FIRST_BITS 10

static inline bool
is_free(const struct access_block *k)
{
	return !k->count[0] && !k->count[1];
}

static struct access_block *
block_slot(const struct blocks *b, uint32_t file, uint64_t number)
{
	size_t mask = ((size_t)1 << b->bits) - 1;
	size_t at =
	    hash_add(hash_add(hash_add(0, file), number), number >> 32) >> (64 - b->bits);

	for (;; at++) {
		struct access_block *k = &b->v[at &= mask];

		if (is_free(k) || (k->number == number && k->file == file))
			return k;
	}
}

static bool
in_sample(const struct access *x, uint32_t file, uint64_t number)
{
	unsigned level = x->blocks->level;

	return !level || mix64(number ^ x->file[file].seed) >> (64 - level) == 0;
}

/* Moves the blocks of the sample to a table of 2^bits entries. */
static void
remake_table(struct access *x, unsigned bits)
{
	struct blocks *b = x->blocks;
	struct access_block *old = b->v;
	size_t n = old ? (size_t)1 << b->bits : 0;

	b->bits = bits;
	b->v = xcalloc((size_t)1 << bits, sizeof *b->v);
	b->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_free(&old[i]) || !in_sample(x, old[i].file, old[i].number))
			continue;
		*block_slot(b, old[i].file, old[i].number) = old[i];
		b->n++;
	}
	free(old);
}

/* Makes room for another block. Returns false if the sample became smaller and has no place for the block. */
static bool
blocks_grow(struct access *x, uint32_t file, uint64_t number)
{
	struct blocks *b = x->blocks;

	if (!b->v)
		remake_table(x, FIRST_BITS);
	while (b->n >= x->q.keys && b->level < 63) {
		b->level++;
		remake_table(x, b->bits);
	}
	if (3 * b->n >= 2 * ((size_t)1 << b->bits))
		remake_table(x, b->bits + 1);
	return in_sample(x, file, number);
}

static void
touch_block(struct access *x, const struct access_request *r, uint64_t number)
{
	struct blocks *b = x->blocks;
	struct access_block *k;

	if (b->level && !in_sample(x, r->file, number))
		return;
	k = b->v ? block_slot(b, r->file, number) : NULL;
	if (!k || is_free(k)) {
		if (!blocks_grow(x, r->file, number))
			return;
		k = block_slot(b, r->file, number);
		b->n++;
		k->number = number;
		k->file = r->file;
		k->node = r->node & MANY;
	} else {
		if (access_before(x, r->time, k->last))
			b->back++;
		else
			spread_add(&b->after, (r->write ? 2u : 0u) + k->wrote,
				   (uint64_t)r->time - (uint64_t)k->last, 1ull << b->level);
		if (k->node != r->node)
			k->node = MANY;
	}
	k->count[r->write]++;
	k->last = r->time;
	k->wrote = r->write;
}

bool
blocks_request(struct access *x, const struct access_request *r)
{
	uint64_t first = r->at / x->q.block, last;

	if (!r->size)
		return true;
	last = (r->at + (r->size - 1)) / x->q.block;
	if (last - first >= BLOCKS_MOST)
		return false;
	for (uint64_t i = first;; i++) {
		touch_block(x, r, i);
		if (i == last)
			return true;
	}
}

void
blocks_finish(struct access *x)
{
	const struct blocks *b = x->blocks;

	for (size_t i = 0; b->v && i < (size_t)1 << b->bits; i++) {
		const struct access_block *k = &b->v[i];

		if (is_free(k))
			continue;
		x->file[k->file].blocks += 1ull << b->level;
		x->file[k->file].shared_blocks += (uint64_t)(k->node == MANY) << b->level;
	}
}

uint64_t *
blocks_counts(const struct blocks *b, unsigned way, size_t *n)
{
	uint64_t *v = xcalloc(b->n + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; b->v && i < (size_t)1 << b->bits; i++) {
		const struct access_block *k = &b->v[i];
		uint64_t c = way < 2 ? k->count[way] : k->count[0] + k->count[1];

		if (c)
			v[(*n)++] = c;
	}
	qsort(v, *n, sizeof *v, u64_descending);
	return v;
}

void
blocks_free(struct access *x)
{
	if (!x->blocks)
		return;
	free(x->blocks->v);
	spread_free(&x->blocks->after);
	free(x->blocks);
}
