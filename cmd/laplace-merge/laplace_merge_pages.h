/*
 * laplace_merge_pages.h - canonical page numbers. Each page has one number, wherever it is mapped.
 * Numbers count from 0 in the order in which pages are first touched.
 *
 * A page of a file or of shared memory has one number in the whole trace, and so has a page
 * of the kernel. A page of anonymous memory has one number until it is unmapped.
 */
#ifndef SPOOR_LAPLACE_PAGES_H
#define SPOOR_LAPLACE_PAGES_H

#include "base/mem.h"
#include "base/out.h"
#include "laplace-merge/laplace_merge_tree.h"

#define PAGE_BITS 12

enum region_kind {
	REGION_NONE, /* outside of all regions */
	REGION_ANON,
	REGION_KERNEL,
	REGION_FILE,
	REGION_SHM
};

/* A region. A region that has only a kind has the number of its kind. Regions with equal
 * members are one region, so that memory grows with the number of different mappings. */
struct region {
	enum region_kind kind;
	uint32_t object; /* of a file or of shared memory: its number */
	uint32_t name;	 /* of a file: its number among the names; 0 = none */
	uint64_t delta;	 /* the offset in the object of address 0, modulo 2^64 */
	bool frame;	 /* not mapped, but in a frame of the kernel's memory */
};

/* A page of a file in a frame of the kernel's memory. */
struct page_frame {
	uint32_t region; /* 0 = there is none: the page is the kernel's own */
	uint32_t number; /* from 1; 0 = not yet touched */
	uint64_t index;	 /* of the page in the file */
};

struct page_slot {
	uint64_t index;	 /* in the object */
	uint32_t object; /* its number, or UINT32_MAX: the kernel */
	uint32_t number; /* of the page, from 1; 0 = free */
};

struct canon {
	struct trees trees;
	struct strtab objects; /* by bytes that say what it is */
	struct strtab names;
	struct strtab regions; /* by all that they are */
	struct region *region;
	size_t regioncap;
	/* Pages of objects: a hash table of so many places, a power of two. */
	struct page_slot *slot;
	size_t slots, used;
	uint32_t *object_name; /* by object: what it was last called; 0 = never */
	size_t namecap;
	struct page_frame *frame[1024]; /* of the pages of 32-bit addresses, 1024 each */
	uint32_t n;			/* numbers so far */
	/* For the table, if there is to be one: */
	bool keep;
	struct page_info *info;
	size_t infocap;
};

/* Return the number of an object: a file by its device and inode, or shared memory by its
 * id. A new object is added. */
uint32_t canon_file(struct canon *p, uint64_t major, uint64_t minor, uint64_t inode);
uint32_t canon_shm(struct canon *p, uint64_t id);
/* Sets the name of a file from now on. */
void canon_name(struct canon *p, uint32_t file, const void *name, size_t n);
/* Returns the region of an object whose byte `offset` lies at `address`. The region of a
 * file keeps the file's name of this moment. */
uint32_t canon_region(struct canon *p, enum region_kind kind, uint32_t object,
		      uint64_t address, uint64_t offset);

/* Returns the name of a region's file: the name when it was mapped, or if it had none then,
 * the present one. The result is a number in the names, 0 = none. */
uint32_t canon_region_name(const struct canon *p, const struct region *r);

/* Binds the kernel's page at an address to the page of the file at `offset`; canon_unbind
 * ends this. */
void canon_bind(struct canon *p, uint64_t address, uint32_t file, uint64_t offset);
void canon_unbind(struct canon *p, uint64_t address);

/* Touches a page at `time`, at address vpn << 12 in a space whose tree is *root, and
 * returns the page's number. An address at which nothing is mapped belongs to the kernel,
 * in every space, if `kernel` is true. Sets *region to the region that the page lies in. */
uint32_t canon_touch(struct canon *p, tree *root, uint64_t space, uint32_t vpn,
		     uint64_t time, bool kernel, uint32_t *region);
/* Gives the page of an address, which was copied on a write at `time`, a number of its
 * own. */
void canon_copy(struct canon *p, tree *root, uint64_t space, uint64_t address,
		uint64_t time);

/* Writes the table of all numbers, a line each: number, kind, which page it is, when it was
 * first touched, name. p->keep must have been set from the start. */
void canon_table(const struct canon *p, struct out *o);
/* Frees all. */
void canon_free(struct canon *p);

#endif
