/* oracle.c - requests to a cache as libCacheSim's oracleGeneral: records of 24 bytes with the number, from 1,
 * of the next request for the same object, for algorithms that know the future.
 *
 * The number is known only at the end. So records wait in a temporary file, which is then read backwards, with
 * a table of the last access to each object. If there are more objects than the table holds, the remaining
 * accesses are divided into parts by object, each small enough for a table; and the numbers found are divided
 * among the requests, part by part. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/in.h"
#include "base/sandbox.h"
#include "trace-export/export_pages.h"
#include "view/view_request.h"

#define RECORD 24
#define PER_CHUNK 8192
#define TABLE (1u << 19) /* slots for objects; a quarter stays free */
#define AHEAD 8		 /* accesses whose slot is prefetched */
#define PER_PART 8192	 /* accesses in a part of the objects, if there are many */
#define ADDR_BITS 40	 /* bits of addr in an object that also has a loc, above them */
#define LOC_MOST ((1u << 24) - 1)

/* Numbers that are divided among many parts and wait in a file, each part separately: so distant places in
 * memory come together in little memory. */
#define SPREAD_PARTS 1024 /* limit: each part takes 16 KiB of memory */
#define SPREAD_PER_CHUNK 1023

/* Some numbers of a part, each with its place. */
struct spread_chunk {
	uint64_t
	    before; /* offset of the previous chunk of the part in the file + 1; 0: none */
	uint64_t n;
	struct spread_entry {
		uint64_t value, place;
	} v[SPREAD_PER_CHUNK];
};

struct partition_file {
	int fd;
	uint64_t *end; /* end of the file, which several may share */
	struct spread_chunk *part, read;
	uint32_t n[SPREAD_PARTS];	/* numbers in part[] */
	uint64_t written[SPREAD_PARTS]; /* numbers of the part in the file */
};

static _Noreturn void
spread_no_file(void)
{
	die("oracle: cannot use a temporary file for requests:");
}

/* Writes exactly n bytes to a temporary file, or dies. spread_read() reads them. */
static void
spread_write(int fd, const void *from, size_t n, uint64_t at)
{
	int err;

	if (out_at(fd, from, n, at, &err) == n)
		return;
	errno = err;
	spread_no_file();
}

static void
spread_read(int fd, void *to, size_t n, uint64_t at)
{
	int err;

	if (in_at(fd, to, n, at, &err) == n)
		return;
	errno = err ? err : EIO;
	spread_no_file();
}

/* Writes the chunk of a part to the file, and empties it. */
static COLD void
spread_flush(struct partition_file *s, uint32_t part)
{
	struct spread_chunk *c = &s->part[part];

	c->n = s->n[part];
	spread_write(s->fd, c, sizeof *c, *s->end);
	c->before = *s->end + 1;
	s->written[part] += c->n;
	s->n[part] = 0;
	*s->end += sizeof *c;
}

static INLINE void
spread_add(struct partition_file *s, uint32_t part, uint64_t value, uint64_t place)
{
	struct spread_entry *to;

	if (unlikely(s->n[part] == SPREAD_PER_CHUNK))
		spread_flush(s, part);
	to = &s->part[part].v[s->n[part]++];
	*to = (struct spread_entry){value, place};
	/* The other parts use all of the cache before the next number comes here. */
	prefetch(to + 4);
}

/* Returns the last chunk of a part if c is NULL, else the one before c; NULL if there is none. Valid until the
 * next call. */
static const struct spread_chunk *
spread_back(struct partition_file *s, uint32_t part, const struct spread_chunk *c)
{
	if (!c) {
		s->part[part].n = s->n[part];
		return &s->part[part];
	}
	if (!c->before)
		return NULL;
	spread_read(s->fd, &s->read, sizeof s->read, c->before - 1);
	return &s->read;
}

/* Records in the file. When the file is read backwards, only the objects are read, and the next accesses are
 * written. The first two are adjacent. */
struct oracle_chunk {
	uint64_t rest[PER_CHUNK]; /* time; size in the upper 32 bits */
	uint64_t next[PER_CHUNK];
	uint64_t object[PER_CHUNK];
};

struct oracle {
	struct tally tally;
	uint64_t split;
	bool no_next;
	/* placed: some loc is not 0; wide: some addr leaves no room for a loc */
	bool placed, wide;
	int fd;
	uint64_t n; /* number of records */
	/* current chunk; the last records are not in the file */
	struct oracle_chunk *chunk;
};

/* Last access to an object that was seen, + 1; 0: the slot is free. */
struct object_slot {
	uint64_t object, access;
};

static void
oracle_begin(struct sink *k, struct read_options *opt)
{
	struct oracle *x = tally_open(k, opt, sizeof *x);

	x->split = export_asked(k)->split;
	if (!x->split)
		x->tally.block = 1;
	if (x->tally.object && strcmp(x->tally.asked, "loc") != 0)
		x->tally.carries &= ~(unsigned)NEED_LOC;
	x->no_next = export_asked(k)->no_next;
	x->fd = -1;
	x->chunk = xcalloc(1, sizeof *x->chunk);
	opt->own_temporaries += !x->no_next;
}

static INLINE void
put_access(struct out *o, uint64_t rest, uint64_t object, uint64_t next)
{
	uint8_t *p = out_room(o);

	st_le32(p, (uint32_t)rest);
	st_le64(p + 4, object);
	st_le32(p + 12, (uint32_t)(rest >> 32));
	st_le64(p + 16, next);
	o->p = p + RECORD;
}

/* Returns the offset in the file of the chunk that has request i. */
static uint64_t
chunk_offset(uint64_t i)
{
	return i / PER_CHUNK * sizeof(struct oracle_chunk);
}

/* Reads the objects of the chunk that has request i. */
static void
read_objects(struct oracle *x, uint64_t i)
{
	struct oracle_chunk *c = x->chunk;

	spread_read(x->fd, c->object, sizeof c->object,
		    chunk_offset(i) + offsetof(struct oracle_chunk, object));
}

/* Writes the current chunk of requests to the file. */
static void
spill_accesses(struct oracle *x)
{
	struct oracle_chunk *c = x->chunk;
	uint64_t at = chunk_offset(x->n - 1);

	if (x->fd < 0 && (x->fd = sandbox_temporary()) < 0)
		spread_no_file();
	spread_write(x->fd, c->rest, sizeof c->rest, at);
	spread_write(x->fd, c->object, sizeof c->object,
		     at + offsetof(struct oracle_chunk, object));
}

/* Writes or keeps a request for each page. */
static INLINE void
put_pages(struct oracle *x, struct out *o, const struct page_range *g, uint64_t time)
{
	uint64_t rest = time | g->size << 32;

	for (uint64_t i = 0; i < g->n; i++) {
		if (x->no_next) {
			put_access(o, rest, g->first + i, UINT64_MAX);
			continue;
		}
		x->chunk->rest[x->n % PER_CHUNK] = rest;
		x->chunk->object[x->n % PER_CHUNK] = g->first + i;
		if (++x->n % PER_CHUNK == 0)
			spill_accesses(x);
	}
}

/* Sets g->first to the object: the value of -K of event j, or loc and addr. Returns false, and counts the event
 * as not written, if it has none. If all locs are missing or 0, addr has all 64 bits; other locs cannot occur
 * together with an addr of 2^40 or more. */
static INLINE bool
find_object(struct oracle *x, const struct source *s, const struct rec *r, uint32_t j,
	    struct page_range *g)
{
	struct val_env env = {.clock = s->head.clock, .mem = &x->tally.texts};
	uint32_t loc;
	struct val v;
	bool wide;

	if (!tally_object(&x->tally, j, &v))
		return false;
	if (x->tally.object) {
		if (!val_bits(&v, &g->first))
			g->first = val_hash(&env, &v);
		return true;
	}
	loc = tally_loc(&x->tally, s, r, LOC_MOST);
	wide = (g->first + (g->n - 1)) >> ADDR_BITS;
	if (unlikely(loc == LOC_NONE || (wide && (loc || x->placed)) || (loc && x->wide))) {
		tally_skip(&x->tally, loc == LOC_NONE ? SKIP_LOC : SKIP_LARGE);
		return false;
	}
	x->placed |= loc != 0;
	x->wide |= wide;
	g->first |= (uint64_t)loc << ADDR_BITS;
	return true;
}

static void
oracle_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct oracle *x = k->state;
	struct tally *t = &x->tally;

	tally_bind(t, s);
	if (!tally_objects(t, s, b, pick, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		struct export_request q;
		struct page_range g;

		if (!tally_request(t, r, &q))
			continue;
		q.time /= 1000000000;
		if (unlikely(!pages_of(&g, r, &q, x->split) || g.size > UINT32_MAX ||
			     q.time > UINT32_MAX)) {
			tally_skip(t, SKIP_LARGE);
			continue;
		}
		if (unlikely(!find_object(x, s, r, i, &g)))
			continue;
		put_pages(x, &k->out, &g, q.time);
		tally_event(t, r);
	}
	if (k->out.line)
		out_flush(&k->out);
}

/* Table of last accesses; its size is a power of two. */
struct last_access {
	struct object_slot *slot;
	uint32_t size, used;
};

static void
empty(struct last_access *t, uint64_t objects)
{
	t->used = 0;
	for (t->size = 1024; t->size < TABLE && t->size / 2 < objects;)
		t->size *= 2;
	memset(t->slot, 0, t->size * sizeof *t->slot);
}

static INLINE uint64_t
hash_of(uint64_t object)
{
	return hash_add(1, object);
}

static INLINE struct object_slot *
object_find(const struct last_access *t, uint64_t h)
{
	return &t->slot[hash_slot(hash_add(h, 1)) & (t->size - 1)];
}

/* Notes the access by request i, which comes before all requests in the table. Returns the next access to the
 * object, or UINT64_MAX. */
static INLINE uint64_t
access_of(struct last_access *t, uint64_t h, uint64_t object, uint64_t i)
{
	struct object_slot *at = object_find(t, h), *end = t->slot + t->size;
	uint64_t next;

	while (at->access && at->object != object)
		at = at + 1 < end ? at + 1 : t->slot;
	next = at->access - 1;
	t->used += !at->access;
	*at = (struct object_slot){object, i + 1};
	return next;
}

static bool
is_full(const struct last_access *t)
{
	return t->used > t->size / 4 * 3;
}

/* Reads the requests backwards, and sets their next accesses, until the table is full. Returns the number of the
 * first request whose next access is set. */
static uint64_t
read_back(struct oracle *x, struct last_access *t)
{
	struct oracle_chunk *c = x->chunk;
	uint64_t i = x->n;

	empty(t, UINT64_MAX);
	while (i && !is_full(t)) {
		uint64_t first = (i - 1) / PER_CHUNK * PER_CHUNK;

		read_objects(x, first);
		/* A request that is not set here comes before the returned one. */
		memset(c->next, 0xff, sizeof c->next);
		while (i > first && !is_full(t)) {
			uint64_t object = c->object[--i - first];

			c->next[i - first] = access_of(t, hash_of(object), object, i);
		}
		spread_write(x->fd, c->next, sizeof c->next,
			     chunk_offset(first) + offsetof(struct oracle_chunk, next));
	}
	return i;
}

/* Divides the first n requests, and then the accesses in the table, among parts by their objects. */
static void
deal(struct oracle *x, const struct last_access *t, uint64_t n,
     struct partition_file *objects, unsigned shift)
{
	struct oracle_chunk *c = x->chunk;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t object;

		if (i % PER_CHUNK == 0)
			read_objects(x, i);
		object = c->object[i % PER_CHUNK];
		spread_add(objects, (uint32_t)(hash_of(object) >> shift), object, i);
	}
	for (uint32_t k = 0; k < t->size; k++) {
		const struct object_slot *s = &t->slot[k];

		if (s->access)
			spread_add(objects, (uint32_t)(hash_of(s->object) >> shift),
				   s->object, s->access - 1);
	}
}

/* Finds the next accesses in one part of the objects, or, if `mask` is not 0, for objects whose hash has the
 * low bits `bits`; and divides them among `nexts` by request. Returns false if the table is full. */
static bool
match(struct partition_file *objects, uint32_t part, struct last_access *t, uint64_t mask,
      uint64_t bits, struct partition_file *nexts, unsigned shift)
{
	const struct spread_chunk *c = NULL;

	while ((c = spread_back(objects, part, c)))
		for (uint64_t k = c->n; k--;) {
			uint64_t object = c->v[k].value, h = hash_of(object),
				 i = c->v[k].place, next;

			if (likely(k >= AHEAD))
				prefetch(object_find(t, hash_of(c->v[k - AHEAD].value)));
			if (mask && (h & mask) != bits)
				continue;
			next = access_of(t, h, object, i);
			if (next != UINT64_MAX)
				spread_add(nexts, (uint32_t)(i >> shift), next, i);
			if (is_full(t))
				return false;
		}
	return true;
}

/* Matches all parts. If a part has too many objects, it is read several times, for some of the objects each
 * time; setting an access twice does no harm. */
static void
match_all(struct partition_file *objects, uint32_t parts, struct last_access *t,
	  struct partition_file *nexts, unsigned shift)
{
	for (uint32_t part = 0; part < parts; part++) {
		uint64_t mask = 0, bits = 0;

		while (bits <= mask) {
			empty(t, objects->written[part] + objects->n[part]);
			if (match(objects, part, t, mask, bits, nexts, shift))
				bits++;
			else {
				mask = mask << 1 | 1;
				bits = 0;
			}
		}
	}
}

/* Writes the requests of a part of 2^shift, with their next accesses: from chunks that read_back() set, and
 * from `nexts`. */
static void
put_part(struct oracle *x, struct out *o, struct partition_file *nexts, uint32_t part,
	 unsigned shift, uint64_t *next, uint64_t unset)
{
	uint64_t first = (uint64_t)part << shift, n = x->n - first;
	const struct spread_chunk *dealt = NULL;
	struct oracle_chunk *c = x->chunk;

	n = n < 1ull << shift ? n : 1ull << shift;
	for (uint64_t i = 0; i < n; i += PER_CHUNK)
		if (first + i + PER_CHUNK > unset)
			spread_read(x->fd, next + i, sizeof c->next,
				    chunk_offset(first + i) +
					offsetof(struct oracle_chunk, next));
		else
			memset(next + i, 0xff, sizeof c->next);
	while (nexts && (dealt = spread_back(nexts, part, dealt)))
		for (uint64_t k = 0; k < dealt->n; k++)
			next[dealt->v[k].place - first] = dealt->v[k].value;
	for (uint64_t i = 0; i < n; i++) {
		size_t k = (size_t)(i % PER_CHUNK);

		if (!k) {
			spread_read(x->fd, c->rest, sizeof c->rest,
				    chunk_offset(first + i));
			read_objects(x, first + i);
		}
		/* libCacheSim counts requests from 1. */
		put_access(o, c->rest[k], c->object[k], next[i] + (next[i] != UINT64_MAX));
	}
}

/* Writes all records with their next accesses to the output. */
static void
put_all(struct oracle *x, struct out *o)
{
	struct last_access t = {.slot = xcalloc(TABLE, sizeof *t.slot)};
	uint64_t unset = read_back(x, &t), left = unset + t.used, *next,
		 end = chunk_offset(x->n - 1) + sizeof(struct oracle_chunk);
	struct partition_file objects = {0}, nexts = {0};
	unsigned bits = 1, shift = 16;

	while ((x->n - 1) >> shift >= SPREAD_PARTS)
		shift++;
	if (unset) {
		while (1u << bits < SPREAD_PARTS && left >> bits > PER_PART)
			bits++;
		objects = (struct partition_file){
		    .fd = x->fd,
		    .end = &end,
		    .part = xcalloc((size_t)1 << bits, sizeof *objects.part)};
		deal(x, &t, unset, &objects, 64 - bits);
		nexts = (struct partition_file){
		    .fd = x->fd,
		    .end = &end,
		    .part = xcalloc((size_t)((x->n - 1) >> shift) + 1, sizeof *nexts.part)};
		match_all(&objects, 1u << bits, &t, &nexts, shift);
		free(objects.part);
	}
	free(t.slot);
	next = xcalloc((size_t)1 << shift, sizeof *next);
	for (uint64_t part = 0; part <= (x->n - 1) >> shift; part++)
		put_part(x, o, unset ? &nexts : NULL, (uint32_t)part, shift, next, unset);
	free(nexts.part);
	free(next);
}

static int
close_oracle(struct sink *k)
{
	struct oracle *x = k->state;

	if (x->n % PER_CHUNK)
		spill_accesses(x);
	if (x->n)
		put_all(x, &k->out);
	if (x->fd >= 0)
		close(x->fd);
	free(x->chunk);
	return tally_form_close(k);
}

static const struct form form = {
    .binary = true, .begin = oracle_begin, .put = oracle_put, .close = close_oracle};

const struct target target_oracle = {
    .name = "oracle",
    .about =
	"requests to a cache with the next access of each: libCacheSim's oracleGeneral",
    .takes = TAKES(BLOCK) | TAKES(SPLIT) | TAKES(NO_NEXT) | TAKES(OBJECT),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE | OP_FETCH,
    .names = cache_operations,
    .timed = true,
    .wide = true,
    .form = &form,
};
