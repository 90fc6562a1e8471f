/* laplace_merge_tree.c - see laplace_merge_tree.h. Functions recurse at most three levels. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "laplace-merge/laplace_merge_tree.h"

#define LEAF_BITS 6
#define INNER_BITS 7
#define LEAF_SLOTS (1u << LEAF_BITS)
#define INNER_SLOTS (1u << INNER_BITS)
#define CHILD TREE_REGIONS /* flag in a slot: the number of a part, not of a region */
#define HEIGHT 3	   /* height of the root: inner, inner, leaf */

struct tree_inner {
	uint32_t refs; /* slots that refer to it; if free: the next free one + 1 */
	uint32_t slot[INNER_SLOTS]; /* region of all pages below, or CHILD + part */
};

struct tree_leaf {
	uint32_t refs;
	struct tree_page page[LEAF_SLOTS];
};

/* Returns log2 of the number of pages in a part of that height. */
static unsigned
bits(int height)
{
	return LEAF_BITS + (unsigned)(height - 1) * INNER_BITS;
}

static bool
is_part(uint32_t slot)
{
	return slot & CHILD;
}

static uint32_t
part_of(uint32_t slot)
{
	return slot & ~CHILD;
}

/* Adds a reference to the part in a slot, and returns the slot. */
static uint32_t
share(struct trees *t, uint32_t slot, int height)
{
	if (is_part(slot) && height == 1)
		t->leaf[part_of(slot)].refs++;
	else if (is_part(slot))
		t->inner[part_of(slot)].refs++;
	return slot;
}

static void
drop(struct trees *t, uint32_t slot, int height)
{
	uint32_t n = part_of(slot);

	if (!is_part(slot))
		return;
	if (height == 1) {
		if (--t->leaf[n].refs)
			return;
		t->leaf[n].refs = t->free_leaf;
		t->free_leaf = n + 1;
		return;
	}
	if (--t->inner[n].refs)
		return;
	for (uint32_t i = 0; i < INNER_SLOTS; i++)
		drop(t, t->inner[n].slot[i], height - 1);
	t->inner[n].refs = t->free_inner;
	t->free_inner = n + 1;
}

/* Returns a part that only this slot refers to, with the contents of the slot. */
static uint32_t
own_leaf(struct trees *t, uint32_t slot)
{
	uint32_t n;

	if (is_part(slot) && t->leaf[part_of(slot)].refs == 1)
		return part_of(slot);
	n = t->free_leaf;
	if (n)
		t->free_leaf = t->leaf[--n].refs;
	else if (t->nleaf == CHILD)
		die("too many pages are mapped");
	else {
		n = t->nleaf++;
		GROW(t->leaf, t->leaf_cap, (size_t)n + 1);
	}
	if (is_part(slot)) {
		t->leaf[n] = t->leaf[part_of(slot)];
		t->leaf[part_of(slot)].refs--;
	} else
		for (uint32_t i = 0; i < LEAF_SLOTS; i++)
			t->leaf[n].page[i] = (struct tree_page){slot, 0};
	t->leaf[n].refs = 1;
	return n;
}

static uint32_t
own_inner(struct trees *t, uint32_t slot, int height)
{
	uint32_t n;

	if (is_part(slot) && t->inner[part_of(slot)].refs == 1)
		return part_of(slot);
	n = t->free_inner;
	if (n)
		t->free_inner = t->inner[--n].refs;
	else if (t->ninner == CHILD)
		die("too many pages are mapped");
	else {
		n = t->ninner++;
		GROW(t->inner, t->inner_cap, (size_t)n + 1);
	}
	if (is_part(slot)) {
		t->inner[n] = t->inner[part_of(slot)];
		t->inner[part_of(slot)].refs--;
		for (uint32_t i = 0; i < INNER_SLOTS; i++)
			share(t, t->inner[n].slot[i], height - 1);
	} else
		for (uint32_t i = 0; i < INNER_SLOTS; i++)
			t->inner[n].slot[i] = slot;
	t->inner[n].refs = 1;
	return n;
}

/* Replaces the pages [from, to) of a slot by the pages of `other` at the same places; without numbers if
 * `other` is a region. Returns the new slot. */
static uint32_t
replace(struct trees *t, uint32_t slot, uint32_t other, int height, uint32_t from,
	uint32_t to)
{
	uint32_t n, below;

	if (from >= to || slot == other)
		return slot;
	if (from == 0 && to == 1u << bits(height)) {
		share(t, other, height);
		drop(t, slot, height);
		return other;
	}
	if (height == 1) {
		n = own_leaf(t, slot);
		for (uint32_t i = from; i < to; i++)
			t->leaf[n].page[i] = is_part(other)
						 ? t->leaf[part_of(other)].page[i]
						 : (struct tree_page){other, 0};
		return CHILD | n;
	}
	n = own_inner(t, slot, height);
	below = 1u << bits(height - 1);
	for (uint32_t i = from / below; i < INNER_SLOTS && i * below < to; i++) {
		uint32_t first = i * below, last = first + below;
		uint32_t child = is_part(other) ? t->inner[part_of(other)].slot[i] : other;

		child = replace(t, t->inner[n].slot[i], child, height - 1,
				from > first ? from - first : 0,
				(to < last ? to : last) - first);
		t->inner[n].slot[i] = child;
	}
	return CHILD | n;
}

struct tree_page
tree_get(const struct trees *t, tree root, uint32_t vpn)
{
	for (int height = HEIGHT; is_part(root); height--) {
		if (height == 1)
			return t->leaf[part_of(root)].page[vpn & (LEAF_SLOTS - 1)];
		root = t->inner[part_of(root)]
			   .slot[vpn >> bits(height - 1) & (INNER_SLOTS - 1)];
	}
	return (struct tree_page){root, 0};
}

static uint32_t
set_number(struct trees *t, uint32_t slot, int height, uint32_t vpn, uint32_t number)
{
	uint32_t n, i, child;

	if (height == 1) {
		n = own_leaf(t, slot);
		t->leaf[n].page[vpn & (LEAF_SLOTS - 1)].number = number;
		return CHILD | n;
	}
	n = own_inner(t, slot, height);
	i = vpn >> bits(height - 1) & (INNER_SLOTS - 1);
	child = set_number(t, t->inner[n].slot[i], height - 1, vpn, number);
	t->inner[n].slot[i] = child;
	return CHILD | n;
}

tree
tree_number(struct trees *t, tree root, uint32_t vpn, uint32_t number)
{
	return set_number(t, root, HEIGHT, vpn, number);
}

tree
tree_set(struct trees *t, tree root, tree other, uint32_t from, uint32_t to)
{
	return replace(t, root, other, HEIGHT, from, to);
}

void
tree_drop(struct trees *t, tree root)
{
	drop(t, root, HEIGHT);
}

void
trees_free(struct trees *t)
{
	free(t->inner);
	free(t->leaf);
	memset(t, 0, sizeof *t);
}
