/* laplace_merge_tree.h - the pages of one address space: the region and the number of each of its 2^20 pages.
 *
 * A tree has three levels, as page tables do. A part with one region and without numbers is one slot, however
 * large it is. If one space is a copy of another, they share parts, and a part is copied only when one of them
 * changes it. So mapping, unmapping or copying a range takes the same few steps, whatever its size, and memory
 * grows with the pages that were touched: about ten bytes for a page among others, and 1.5 KiB for a single
 * one. */
#ifndef SPOOR_LAPLACE_TREE_H
#define SPOOR_LAPLACE_TREE_H

#include <stddef.h>
#include <stdint.h>

#define TREE_PAGES (1u << 20) /* 4 KiB each, in 32 bits */

struct tree_inner;
struct tree_leaf;

/* Parts of all trees, which refer to each other by number. A zeroed struct has none. */
struct trees {
	struct tree_inner *inner;
	struct tree_leaf *leaf;
	size_t inner_cap, leaf_cap;
	uint32_t ninner, nleaf;		/* parts in use, or free */
	uint32_t free_inner, free_leaf; /* first free part + 1; 0: none */
};

/* A tree: the region of all pages, or a part. 0 is a tree of pages without region or number. */
typedef uint32_t tree;

#define TREE_REGIONS (1u << 31) /* limit of regions */

/* The region and the number of a page. */
struct tree_page {
	uint32_t region; /* 0: none */
	uint32_t number; /* from 1; 0: none */
};

/* Returns the region and number of the page vpn < TREE_PAGES. */
struct tree_page tree_get(const struct trees *t, tree root, uint32_t vpn);
/* Sets the number of a page, from 1. Returns the new tree, which replaces `root`. */
tree tree_number(struct trees *t, tree root, uint32_t vpn, uint32_t number);
/* Copies the pages [from, to) of `other`, with regions and numbers, to `root`. `other` may
 * be a region, which is a tree without numbers. to <= TREE_PAGES. Returns the new tree,
 * which replaces `root`. */
tree tree_set(struct trees *t, tree root, tree other, uint32_t from, uint32_t to);
/* Drops a tree; parts that other trees share remain. */
void tree_drop(struct trees *t, tree root);
/* Frees all trees. */
void trees_free(struct trees *t);

#endif
