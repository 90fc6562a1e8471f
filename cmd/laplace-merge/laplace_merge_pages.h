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

/* A region. A region that has only a kind has the number of its kind. Regions with equal members are one
 * region, so that memory grows with the number of different mappings. */
struct region {
	enum region_kind kind;
	uint32_t object; /* number of the file or of the shared memory */
	uint32_t name;	 /* number of the file's name; 0: none */
	uint64_t delta;	 /* offset in the object at address 0, modulo 2^64 */
	bool frame;	 /* not mapped, but in a frame of the kernel's memory */
};

/* A page of a file in a frame of the kernel's memory. */
struct page_frame {
	uint32_t region; /* 0: none, the page is the kernel's own */
	uint32_t number; /* from 1; 0: not yet touched */
	uint64_t index;	 /* index of the page in the file */
};

struct page_slot {
	uint64_t index;	 /* index of the page in the object */
	uint32_t object; /* number of the object, or UINT32_MAX: the kernel */
	uint32_t number; /* number of the page, from 1; 0: the slot is free */
};

struct canon {
	struct trees trees;
	struct strtab objects; /* by struct object_key */
	struct strtab names;
	struct strtab regions; /* by struct region_key */
	struct region *region;
	size_t regioncap;
	/* Pages of objects: a hash table whose size is a power of two. */
	struct page_slot *slot;
	size_t slots, used;
	uint32_t *object_name; /* by object: its last name; 0: none */
	size_t namecap;
	/* for the pages of 32-bit addresses, 1024 in each */
	struct page_frame *frame[1024];
	uint32_t n; /* numbers so far */
	/* For the table, if it is written: */
	bool keep;
	struct page_info *info;
	size_t infocap;
};

/* Returns the number of an object: a file by its device and inode. canon_shm() returns the number of shared
 * memory by its id. New objects are added. */
uint32_t canon_file(struct canon *p, uint64_t major, uint64_t minor, uint64_t inode);
uint32_t canon_shm(struct canon *p, uint64_t id);
/* Sets the name of a file from now on. */
void canon_name(struct canon *p, uint32_t file, const void *name, size_t n);
/* Returns the region of an object whose byte `offset` is at `address`. The region of a file keeps the file's
 * current name. */
uint32_t canon_region(struct canon *p, enum region_kind kind, uint32_t object,
		      uint64_t address, uint64_t offset);

/* Returns the name of a region's file: the name when it was mapped, or, if it had none then, the current one.
 * The result is a number in the names; 0: none. */
uint32_t canon_region_name(const struct canon *p, const struct region *r);

/* Binds the kernel's page at an address to the page of the file at `offset`; canon_unbind() ends this. */
void canon_bind(struct canon *p, uint64_t address, uint32_t file, uint64_t offset);
void canon_unbind(struct canon *p, uint64_t address);

/* Touches a page at `time`, at address vpn << 12 in a space whose tree is *root, and returns the page's number.
 * If `kernel`, an address at which nothing is mapped belongs to the kernel, in every space. Sets *region to the
 * region of the page. */
uint32_t canon_touch(struct canon *p, tree *root, uint64_t space, uint32_t vpn,
		     uint64_t time, bool kernel, uint32_t *region);
/* Gives the page of an address, which was copied on a write at `time`, a number of its own. */
void canon_copy(struct canon *p, tree *root, uint64_t space, uint64_t address,
		uint64_t time);

/* Writes the table of all pages, a line each: number, kind, place, time of the first touch, name. p->keep must
 * have been set from the start. */
void canon_table(const struct canon *p, struct out *o);
/* Frees what p holds; p is then empty. */
void canon_free(struct canon *p);

#endif
