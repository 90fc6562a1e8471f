/*
 * oracle.c - requests to a cache as libCacheSim's oracleGeneral: records of 24 bytes with the
 * number of the request that accesses the same object next, for algorithms that know the
 * future.
 *
 * That number is known at the end only. So records wait in a temporary file, which is then
 * read backwards: a table has for each object its last access. The table has one size; where
 * there are more objects than it takes, each of several readings looks at a part of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/in.h"
#include "base/sandbox.h"
#include "export/pages.h"

#define RECORD 24
#define PER_CHUNK 8192
#define TABLE (1u << 19)       /* objects; a quarter of it stays free */
#define ADDR_MOST (1ull << 40) /* of an object: its loc stands above */
#define LOC_MOST ((1u << 24) - 1)

/* Records in the file. Of what is read backwards only the objects are read, and the next
 * accesses written. */
struct chunk {
	uint64_t rest[PER_CHUNK]; /* time, and size above it */
	uint64_t next[PER_CHUNK];
	uint64_t object[PER_CHUNK];
};

struct oracle {
	struct tally tally;
	uint64_t split;
	bool no_next;
	int fd;
	uint64_t n;	     /* records */
	struct chunk *chunk; /* the one at hand: the last ones are not in the file */
};

/* The object's last access that was seen, and 1; 0: the slot is free. */
struct slot {
	uint64_t object, access;
};

static void
begin(struct sink *k, struct read_options *opt)
{
	struct oracle *x = tally_open(k, opt, sizeof *x);

	x->split = k->opt.export->split;
	if (!x->split)
		x->tally.block = 1;
	x->no_next = k->opt.export->no_next;
	x->fd = -1;
	x->chunk = xcalloc(1, sizeof *x->chunk);
	opt->own_temporaries += !x->no_next;
}

static _Noreturn void
no_file(void)
{
	die("oracle: a temporary file for requests:");
}

static void
write_at(int fd, const void *from, size_t n, uint64_t at)
{
	int err;

	if (out_at(fd, from, n, at, &err) == n)
		return;
	errno = err;
	no_file();
}

static void
read_at(int fd, void *p, size_t n, uint64_t at)
{
	int err;

	if (in_at(fd, p, n, at, &err) == n)
		return;
	errno = err ? err : EIO;
	no_file();
}

static INLINE void
put_record(struct out *o, uint64_t rest, uint64_t object, uint64_t next)
{
	uint8_t *p = out_room(o);
	uint32_t time = (uint32_t)rest, size = (uint32_t)(rest >> 32);

	st32(p, HOST_BIG ? swap32(time) : time);
	st64(p + 4, HOST_BIG ? swap64(object) : object);
	st32(p + 12, HOST_BIG ? swap32(size) : size);
	st64(p + 16, HOST_BIG ? swap64(next) : next);
	o->p = p + RECORD;
}

/* What has collected goes to the file. */
static void
spill(struct oracle *x)
{
	struct chunk *c = x->chunk;
	uint64_t at = (x->n - 1) / PER_CHUNK * sizeof *c;

	if (x->fd < 0 && (x->fd = sandbox_temporary()) < 0)
		no_file();
	write_at(x->fd, c->rest, sizeof c->rest, at);
	write_at(x->fd, c->object, sizeof c->object, at + offsetof(struct chunk, object));
}

/* A request for each page. */
static INLINE void
put_pages(struct oracle *x, struct out *o, const struct pages *g, uint64_t loc,
	  uint64_t time)
{
	uint64_t rest = time | g->size << 32;

	for (uint64_t page = g->first; page < g->first + g->n; page++) {
		if (x->no_next) {
			put_record(o, rest, loc << 40 | page, UINT64_MAX);
			continue;
		}
		x->chunk->rest[x->n % PER_CHUNK] = rest;
		x->chunk->object[x->n % PER_CHUNK] = loc << 40 | page;
		if (++x->n % PER_CHUNK == 0)
			spill(x);
	}
}

static void
put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
    uint32_t n)
{
	struct oracle *x = k->state;
	struct tally *t = &x->tally;

	tally_bind(t, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		uint32_t loc = tally_loc(t, s, r, LOC_MOST);
		struct request q;
		struct pages g;

		if (unlikely(loc == LOC_NONE)) {
			tally_skip(t, SKIP_LOC);
			continue;
		}
		if (!tally_request(t, r, &q))
			continue;
		q.time /= 1000000000;
		if (unlikely(!pages_of(&g, r, &q, x->split) || g.first + g.n > ADDR_MOST ||
			     g.size > UINT32_MAX || q.time > UINT32_MAX)) {
			tally_skip(t, SKIP_LARGE);
			continue;
		}
		put_pages(x, &k->out, &g, loc, q.time);
		tally_event(t, r);
	}
	if (k->out.line)
		out_flush(&k->out);
}

/* Sets the next accesses of the first n records of c, of which the first has the number
 * `first`, for the objects whose hash has these low bits. False where the table is full. */
static bool
set_next(struct slot *table, size_t *used, struct chunk *c, size_t n, uint64_t first,
	 uint64_t mask, uint64_t bits)
{
	while (n--) {
		uint64_t object = c->object[n], h = hash_add(1, object);
		uint32_t at;

		if ((h & mask) != bits)
			continue;
		at = hash_slot(hash_add(h, 1)) & (TABLE - 1);
		while (table[at].access && table[at].object != object)
			at = (at + 1) & (TABLE - 1);
		c->next[n] = table[at].access - 1;
		*used += !table[at].access;
		table[at] = (struct slot){object, first + n + 1};
		if (*used > TABLE / 4 * 3)
			return false;
	}
	return true;
}

/* One reading, backwards. False where the table is too small: what was set is right. */
static bool
read_back(struct oracle *x, struct slot *table, uint64_t mask, uint64_t bits)
{
	struct chunk *c = x->chunk;
	size_t used = 0, n = (size_t)((x->n - 1) % PER_CHUNK + 1);

	memset(table, 0, TABLE * sizeof *table);
	for (uint64_t i = (x->n - 1) / PER_CHUNK + 1; i--; n = PER_CHUNK) {
		uint64_t at = i * sizeof *c, next = at + offsetof(struct chunk, next);

		/* All of them are set where there is one part. */
		if (mask)
			read_at(x->fd, c->next, sizeof c->next, next);
		read_at(x->fd, c->object, sizeof c->object,
			at + offsetof(struct chunk, object));
		if (!set_next(table, &used, c, n, i * PER_CHUNK, mask, bits))
			return false;
		write_at(x->fd, c->next, sizeof c->next, next);
	}
	return true;
}

/* The records with their next accesses to the output. */
static void
put_all(struct oracle *x, struct out *o)
{
	struct slot *table = xcalloc(TABLE, sizeof *table);
	struct chunk *c = x->chunk;
	uint64_t mask = 0, bits = 0;

	while (bits <= mask)
		if (read_back(x, table, mask, bits))
			bits++;
		else {
			/* Of twice as many parts each before this one is done. */
			mask = mask << 1 | 1;
			bits = 0;
		}
	for (uint64_t i = 0; i < x->n; i++) {
		size_t k = (size_t)(i % PER_CHUNK);

		if (!k)
			read_at(x->fd, c, sizeof *c, i / PER_CHUNK * sizeof *c);
		put_record(o, c->rest[k], c->object[k], c->next[k]);
	}
	free(table);
}

static int
close_oracle(struct sink *k)
{
	struct oracle *x = k->state;

	if (x->n % PER_CHUNK)
		spill(x);
	if (x->n)
		put_all(x, &k->out);
	if (x->fd >= 0)
		close(x->fd);
	free(x->chunk);
	return tally_form_close(k);
}

static const struct form form = {
    .binary = true, .begin = begin, .put = put, .close = close_oracle};

const struct target target_oracle = {
    .name = "oracle",
    .about =
	"requests to a cache with the next access of each: libCacheSim's oracleGeneral",
    .takes = TAKES(BLOCK) | TAKES(SPLIT) | TAKES(NO_NEXT),
    .carries = NEED_TIME | NEED_LOC | NEED_ADDR | NEED_SIZE,
    .needs = HAS_ADDR | HAS_SIZE,
    .ops = OP_READ | OP_WRITE | OP_FETCH,
    .timed = true,
    .form = &form,
};
