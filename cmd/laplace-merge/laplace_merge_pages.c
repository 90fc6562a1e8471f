/* laplace_merge_pages.c - canonical page numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/put.h"
#include "event/event.h"
#include "laplace-merge/laplace_merge_pages.h"

/* A page's row in the table of pages. */
struct page_info {
	uint64_t time;
	uint64_t index; /* index of the page in its space or object, or in the kernel */
	uint64_t of;	/* the space, or the number of the object */
	uint32_t name;
	uint32_t kind; /* enum region_kind */
};

/* Keys of hash tables: of an object, and of a region. */
struct object_key {
	uint64_t kind, id[3];
};
struct region_key {
	uint64_t delta;
	uint32_t object, name;
	uint32_t kind, frame;
};

static uint32_t
object(struct canon *p, const struct object_key *key)
{
	uint32_t n = strtab_id(&p->objects, key, sizeof *key);

	GROW(p->object_name, p->namecap, (size_t)n + 1);
	return n;
}

uint32_t
canon_file(struct canon *p, uint64_t major, uint64_t minor, uint64_t inode)
{
	return object(p, &(struct object_key){REGION_FILE, {major, minor, inode}});
}

uint32_t
canon_shm(struct canon *p, uint64_t id)
{
	return object(p, &(struct object_key){REGION_SHM, {id, 0, 0}});
}

void
canon_name(struct canon *p, uint32_t file, const void *name, size_t n)
{
	p->object_name[file] = strtab_id(&p->names, name, n);
}

static uint32_t
region_of(struct canon *p, enum region_kind kind, uint32_t object, uint64_t delta,
	  bool frame)
{
	struct region_key key = {
	    delta, object, kind == REGION_FILE ? p->object_name[object] : 0, kind, frame};
	uint32_t n = strtab_id(&p->regions, &key, sizeof key) + REGION_FILE;

	if (n >= TREE_REGIONS)
		die("there are too many different mappings");
	GROW(p->region, p->regioncap, (size_t)n + 1);
	p->region[n] = (struct region){kind, object, key.name, delta, frame};
	return n;
}

uint32_t
canon_region(struct canon *p, enum region_kind kind, uint32_t object, uint64_t address,
	     uint64_t offset)
{
	return region_of(p, kind, object, offset - address, false);
}

uint32_t
canon_region_name(const struct canon *p, const struct region *r)
{
	return r->name || r->kind != REGION_FILE ? r->name : p->object_name[r->object];
}

/* Returns the next number, and keeps its row for the table. */
static uint32_t
new_number(struct canon *p, struct page_info info)
{
	if (p->n == UINT32_MAX)
		die("there are more than %u pages", UINT32_MAX);
	if (p->keep) {
		GROW(p->info, p->infocap, (size_t)p->n + 1);
		p->info[p->n] = info;
	}
	return p->n++;
}

/* Returns the slot of a page of an object, or the free slot for it. There must be a free slot. */
static struct page_slot *
page_slot_find(const struct canon *p, uint32_t object, uint64_t index)
{
	uint32_t at = hash_slot(hash_add(hash_add(0, object), index));

	for (;; at++) {
		struct page_slot *s = &p->slot[at & (p->slots - 1)];

		if (!s->number || (s->index == index && s->object == object))
			return s;
	}
}

static COLD void
grow_slots(struct canon *p)
{
	struct page_slot *old = p->slot;
	size_t n = p->slots;

	p->slots = n ? n * 2 : 1024;
	p->slot = xcalloc(p->slots, sizeof *p->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i].number)
			*page_slot_find(p, old[i].object, old[i].index) = old[i];
	free(old);
}

/* Returns the number of a page of an object, which never changes. */
static uint32_t
of_object(struct canon *p, const struct region *r, uint64_t index, uint64_t time)
{
	struct page_slot *s;

	if (unlikely(p->used + 1 > p->slots / 4 * 3))
		grow_slots(p);
	s = page_slot_find(p, r->object, index);
	if (!s->number) {
		*s = (struct page_slot){
		    index, r->object,
		    new_number(p, (struct page_info){time, index, r->object,
						     canon_region_name(p, r), r->kind}) +
			1};
		p->used++;
	}
	return s->number - 1;
}

/* Returns the frame of the kernel's page vpn < TREE_PAGES. */
static struct page_frame *
frame_at(struct canon *p, uint32_t vpn)
{
	struct page_frame **part = &p->frame[vpn >> 10];

	if (!*part)
		*part = xcalloc(1024, sizeof **part);
	return &(*part)[vpn & 1023];
}

uint32_t
canon_touch(struct canon *p, tree *root, uint64_t space, uint32_t vpn, uint64_t time,
	    bool kernel, uint32_t *region)
{
	static const struct region own = {.kind = REGION_KERNEL, .object = UINT32_MAX};
	struct tree_page page = tree_get(&p->trees, *root, vpn);
	const struct region *r;
	struct page_frame *f;
	uint32_t n;

	*region = page.region;
	if (kernel && !page.number && page.region == REGION_NONE) {
		f = frame_at(p, vpn);
		*region = f->region ? f->region : REGION_KERNEL;
		r = f->region ? &p->region[f->region] : &own;
		if (!f->number)
			f->number = of_object(p, r, f->region ? f->index : vpn, time) + 1;
		return f->number - 1;
	}
	if (page.number)
		return page.number - 1;
	if (page.region < REGION_FILE)
		n = new_number(p, (struct page_info){time, vpn, space, 0, REGION_ANON});
	else {
		r = &p->region[page.region];
		n = of_object(p, r, (((uint64_t)vpn << PAGE_BITS) + r->delta) >> PAGE_BITS,
			      time);
	}
	*root = tree_number(&p->trees, *root, vpn, n + 1);
	return n;
}

void
canon_bind(struct canon *p, uint64_t address, uint32_t file, uint64_t offset)
{
	if (address >> PAGE_BITS < TREE_PAGES)
		*frame_at(p, (uint32_t)(address >> PAGE_BITS)) = (struct page_frame){
		    region_of(p, REGION_FILE, file, 0, true), 0, offset >> PAGE_BITS};
}

void
canon_unbind(struct canon *p, uint64_t address)
{
	if (address >> PAGE_BITS < TREE_PAGES)
		*frame_at(p, (uint32_t)(address >> PAGE_BITS)) = (struct page_frame){0};
}

void
canon_copy(struct canon *p, tree *root, uint64_t space, uint64_t address, uint64_t time)
{
	uint64_t vpn = address >> PAGE_BITS;
	uint32_t n = new_number(p, (struct page_info){time, vpn, space, 0, REGION_ANON});

	/* No reference has an address beyond 32 bits. */
	if (vpn < TREE_PAGES)
		*root = tree_number(&p->trees, *root, (uint32_t)vpn, n + 1);
}

/* Writes the name of a page, in hex: space:vpn, major:minor:inode:index, shm:index or
 * kernel:index. Returns the end of the text. */
static uint8_t *
put_what(const struct canon *p, uint8_t *to, const struct page_info *i)
{
	struct object_key key = {0, {i->of, 0, 0}};
	int ids = i->kind == REGION_FILE ? 3 : 1;

	if (i->kind == REGION_FILE || i->kind == REGION_SHM)
		memcpy(&key, p->objects.v[i->of].s, sizeof key);
	if (i->kind == REGION_KERNEL)
		to = (uint8_t *)memcpy(to, "kernel:", 7) + 7;
	for (int k = 0; k < ids && i->kind != REGION_KERNEL; k++) {
		to = put_hex(to, key.id[k]);
		*to++ = ':';
	}
	return put_hex(to, i->index);
}

void
canon_table(const struct canon *p, struct out *o)
{
	static const char *const kinds[] = {"anon", "anon", "kernel", "file", "shm"};
	struct buf name = {0};

	for (uint32_t n = 0; n < p->n; n++) {
		const struct page_info *i = &p->info[n];
		uint8_t *to = put_u32(out_room(o), n);
		size_t kind = strlen(kinds[i->kind]);

		*to++ = '\t';
		to = (uint8_t *)memcpy(to, kinds[i->kind], kind) + kind;
		*to++ = '\t';
		to = put_what(p, to, i);
		*to++ = '\t';
		to = put_u64(to, i->time);
		*to++ = '\t';
		o->p = to;
		if (i->name) {
			const struct str *s = &p->names.v[i->name];

			to = buf_room(&name, 4 * (size_t)s->len);
			out_bytes(o, name.p, (size_t)(put_escaped(to, s->s, s->len) - to));
		} else
			out_bytes(o, "-", 1);
		out_bytes(o, "\n", 1);
	}
	buf_free(&name);
}

void
canon_free(struct canon *p)
{
	trees_free(&p->trees);
	strtab_free(&p->objects);
	strtab_free(&p->names);
	strtab_free(&p->regions);
	free(p->region);
	free(p->slot);
	free(p->object_name);
	for (size_t i = 0; i < 1024; i++)
		free(p->frame[i]);
	free(p->info);
	memset(p, 0, sizeof *p);
}
