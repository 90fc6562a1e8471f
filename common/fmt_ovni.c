/*
 * fmt_ovni.c - ovni: streams of events of the threads of a parallel program.
 *
 *	stream	[ 'o' 'v' 'n' 'i'  u32 version ]  events
 *	event	u8 flags  u8 model  u8 category  u8 value  u64 clock  payload
 *	flags	low nibble n: n + 1 bytes of payload, none where n is 0;
 *		0x10, jumbo: n is 3, and the payload is a u32 and so many bytes of data
 *
 * Byte order is the writer's; nothing is aligned, and there is no end. Source: the trace
 * specification of libovni, version 1, and what its releases wrote.
 *
 * All streams of all paths are one trace, merged by corrected clock; of equal clocks the
 * stream whose path is less comes first.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"
#include "ovni_trace.h"
#include "put.h"
#include "sandbox.h"

#define PLANS_MOST 8192	       /* event kinds of one epoch: some MB of tables */
#define AREA_MOST (1u << 20)   /* bytes of records that are made ahead */
#define META_MOST (256u << 10) /* bytes of metadata in a header */
/* A native event as it stood lies behind its record, behind its length. */
#define RAW_HEAD 8
#define AHEAD 8		/* inputs that are fetched into the cache before their turn */
#define RECORD_MOST 128 /* of the fast path, and what it stores beyond */

/* Every event of the beginning is a likely one, in either byte order. */
static int
ovni_sniff(const uint8_t *p, size_t n, bool whole)
{
	unsigned events = 0, known = 0;
	uint64_t last[2] = {0, 0};
	bool order[2] = {true, true};

	if (n >= 8 && !memcmp(p, "ovni", 4))
		return (p[4] == 1 && !p[7]) || (p[7] == 1 && !p[4]) ? 100 : 60;
	for (; n >= OVNI_EVENT && events < 64; events++) {
		uint64_t clock[2] = {ld64(p + 4), swap64(ld64(p + 4))};
		unsigned nibble = *p & 15;
		size_t size = OVNI_EVENT + (nibble ? nibble + 1 : 0);

		if (*p & OVNI_RESERVED || !strchr("O6VTMDKP", p[1]) || !p[1])
			return 0;
		for (int i = 0; i < 2; i++) {
			order[i] &= clock[i] >= last[i] && clock[i] >> 62 == 0;
			last[i] = clock[i];
		}
		known += ovni_event(p + 1) != NULL;
		if (!order[0] && !order[1])
			return 0;
		if (*p & OVNI_JUMBO) {
			if (nibble != 3 || n < 16)
				return 0;
			if (!known)
				return 0;
			break; /* its data may lie anywhere */
		}
		if (size > n)
			break;
		p += size;
		n -= size;
	}
	if (known == 0 || known < events / 2)
		return 0;
	return events > 3 ? 60 : whole || n >= OVNI_EVENT ? 45 : 0;
}

/* Whether a file that stands behind another on the command line is of the same trace. */
static bool
also(const struct source *s, const char *path)
{
	uint8_t p[512];
	struct stat st;
	size_t n = 0;
	FILE *f;

	if (!strcmp(path, "-"))
		return false;
	if (s->opt->only || ovni_takes(path))
		return true;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || !(f = fopen(path, "rb")))
		return false;
	n = fread(p, 1, sizeof p, f);
	fclose(f);
	return ovni_sniff(p, n, n < sizeof p) > 0;
}

/* The input that is open already: a pipe, standard input, memory. */
static void
add_input(struct source *s)
{
	struct ovni *o = s->state;
	struct ovni_stream *st;
	struct stat sb;

	o->st = grow(o->st, &o->cap, o->n + 1, sizeof *o->st);
	st = &o->st[o->n++];
	st->path = st->shown = s->name;
	st->fd = -1;
	if (s->in.fd >= 0 && fstat(s->in.fd, &sb) == 0 && S_ISREG(sb.st_mode)) {
		off_t at = lseek(s->in.fd, 0, SEEK_CUR);

		st->fd = s->in.fd;
		st->keep_fd = true;
		st->start = (uint64_t)at - in_left(&s->in);
		return;
	}
	/* Both the byte order and the first clock are in the first bytes. */
	in_need(&s->in, 2048);
	st->in = &s->in;
	st->keep_fd = true;
	if (!s->in.eof && (o->merged || o->opt.pairs) && !ovni_spool(s, st))
		source_trouble(s,
			       "no temporary file: unordered regions stay where they lie");
}

static void
find_all(struct source *s)
{
	struct ovni *o = s->state;
	size_t n = 1;

	while (n < s->npaths && also(s, s->paths[n]))
		n++;
	s->npaths = n;
	if (s->in.buf) {
		struct stat sb;

		if (!strcmp(s->paths[0], "-") || s->in.fd < 0 || fstat(s->in.fd, &sb) < 0 ||
		    !S_ISREG(sb.st_mode)) {
			add_input(s);
			s->npaths = 1;
			return;
		}
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = o->n;

		ovni_find(s, s->paths[i]);
		if (o->n == from)
			source_trouble(s, "no ovni stream in it");
	}
	ovni_sort(o);
}

/* A part of a location: escaped, and its slashes too, for they tell the parts apart. */
static void
put_part(struct buf *b, const char *p)
{
	if (!p)
		p = "-";
	for (; *p; p++) {
		uint8_t *q = buf_room(b, 4);

		if (*p == '/') {
			memcpy(q, "\\x2f", 4);
			b->n += 4;
		} else
			b->n += (size_t)(put_escaped(q, p, 1) - q);
	}
}

/* The numbers of all locations, in the same order in every epoch. */
static void
number_locs(struct source *s)
{
	struct ovni *o = s->state;
	struct buf b = {0};

	for (size_t i = 0; i < o->n; i++) {
		struct ovni_stream *st = &o->st[i];

		b.n = 0;
		if (o->opt.paths)
			buf_to(&b, put_escaped(buf_room(&b, 4 * strlen(st->shown)),
					       st->shown, strlen(st->shown)));
		else if (st->loom || st->pid || st->tid) {
			put_part(&b, st->loom);
			buf_add(&b, "/", 1);
			put_part(&b, st->pid);
			buf_add(&b, "/", 1);
			put_part(&b, st->tid);
		}
		st->loc = b.n ? strtab_id(&s->t.str, b.p, b.n) : 0;
	}
	buf_free(&b);
}

/* The key of a stream's first event; UINT64_MAX where there is none. */
static uint64_t
first_key(struct source *s, struct ovni_stream *st)
{
	struct ovni *o = s->state;
	struct ovni_cursor *c;
	struct ovni_frame f;
	uint64_t key = UINT64_MAX;
	uint8_t p[OVNI_EVENT];

	if (st->failed ||
	    ovni_read(s, st, p, sizeof p, st->header ? OVNI_HEADER : 0) < sizeof p)
		return key;
	if ((!(*p & OVNI_RESERVED) && ovni_printable(p)) || (st->in && !st->in->eof)) {
		key = ld64(p + 4);
		return (st->swap ? swap64(key) : key) + st->add;
	}
	/* It begins with damage. */
	c = ovni_cursor_new(o, st, 0, UINT64_MAX);
	c->quiet = true;
	if (ovni_settle(s, c, &f))
		key = f.clock + st->add;
	ovni_cursor_free(c);
	return key;
}

/* The clocks are moved so that none is before 0; time 0 is the least first clock. */
static void
set_clocks(struct source *s)
{
	struct ovni *o = s->state;

	o->least_offset = 0;
	for (size_t i = 0; i < o->n; i++)
		if (o->st[i].offset < o->least_offset)
			o->least_offset = o->st[i].offset;
	for (size_t i = 0; i < o->n; i++)
		o->st[i].add = (uint64_t)(o->st[i].offset - o->least_offset);
	o->origin = UINT64_MAX;
	for (size_t i = 0; i < o->n; i++) {
		uint64_t key = first_key(s, &o->st[i]);

		o->origin = key < o->origin ? key : o->origin;
	}
	if (o->origin == UINT64_MAX)
		o->origin = 0;
	s->head.origin = (int64_t)(o->origin + (uint64_t)o->least_offset);
}

static void
raise_limit(struct ovni *o)
{
	struct rlimit r;

	o->open_most = 200;
	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return;
	if (r.rlim_cur < r.rlim_max && r.rlim_cur < o->n + 64) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
		getrlimit(RLIMIT_NOFILE, &r);
	}
	o->open_most = r.rlim_cur > 64 ? (size_t)r.rlim_cur - 48 : 8;
}

struct collect {
	struct source *s;
	size_t bytes;
};

static void
to_head(void *arg, const char *key, const char *value)
{
	struct collect *c = arg;

	c->bytes += strlen(key) + strlen(value);
	if (c->bytes <= META_MOST)
		head_meta(&c->s->head, &c->s->meta, key, value);
}

void
ovni_meta(struct source *s, ovni_meta_fn *fn, void *arg)
{
	const struct ovni *o = s->state;

	ovni_load_meta(s, fn, arg);
	for (size_t i = 0; i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];
		char key[1200], value[32];

		if (!st->offset || !st->loom)
			continue;
		if (i && o->st[i - 1].loom && !strcmp(o->st[i - 1].loom, st->loom))
			continue;
		snprintf(key, sizeof key, "%.1000s:clock_offset", st->loom);
		snprintf(value, sizeof value, "%lld", (long long)st->offset);
		fn(arg, key, value);
	}
}

static int
by_key(const void *a, const void *b)
{
	const struct ovni_run *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* What an event is merged by: its clock, but never less than that of one before it, nor
 * MERGE_END. */
static inline uint64_t
key_of(const struct ovni_cursor *c, uint64_t clock)
{
	uint64_t key = clock + c->add;

	key = key > c->last ? key : c->last;
	return key < MERGE_END ? key : MERGE_END - 1;
}

/* The key of a cursor's next event; MERGE_END at its end. */
static uint64_t
head_of(struct source *s, struct ovni_cursor *c)
{
	struct ovni_frame f;

	if (!ovni_settle(s, c, &f))
		return MERGE_END;
	ovni_refill(s, c);
	return key_of(c, f.clock);
}

/* A clock that goes back outside of a region: once a stream. */
static COLD void
clock_back(struct source *s, struct ovni_cursor *c)
{
	if (c->st->back_said)
		return;
	c->st->back_said = true;
	ovni_note(s, c->st->path, ovni_offset(c),
		  "the clock goes back here (said once for each stream)");
}

/* What follows a record when native events are asked for. */
static void
add_raw(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f)
{
	struct ovni *o = s->state;
	uint64_t n = f->cut ? 0 : f->size;
	uint8_t *p = buf_room(&o->area, RAW_HEAD + (size_t)n + REC_SLACK);

	if (f->cut)
		ovni_bad(s, c->st, ovni_offset(c), "too long to be copied");
	st64(p, n);
	memcpy(p + RAW_HEAD, f->p, (size_t)n);
	o->area.n += (RAW_HEAD + (size_t)n + 7) & ~(size_t)7;
}

/* The event that ovni_settle has found, of any shape. */
static void
take_slow(struct source *s, struct ovni_cursor *c, const struct ovni_frame *f)
{
	struct ovni *o = s->state;
	uint64_t key = f->clock + c->add;
	uint32_t off;

	if (key >= c->last)
		c->last = key < MERGE_END ? key : MERGE_END - 1;
	else if (!c->region)
		clock_back(s, c);
	if (f->p[1] == 'O' && f->p[2] == 'U' && !c->from)
		c->region = f->p[3] == '[' || (c->region && f->p[3] != ']');
	if (o->types_only)
		merge_add(&o->m, c->last, ovni_plan_of(s, ld32(f->p))->proto);
	else if ((off = ovni_record(s, c, f, key)) != OVNI_NONE) {
		if (o->need & NEED_RAW)
			add_raw(s, c, f);
		merge_add(&o->m, c->last, off);
	}
	ovni_pass(s, c, f);
}

/*
 * Bytes of an event without the flag for jumbo, by its first four. The plan knows as well,
 * but where the next event begins must be known early: waiting for the plan takes as long
 * as all the rest.
 */
static inline uint32_t
normal_size(uint32_t head)
{
	uint32_t nibble = head & 15;

	return OVNI_EVENT + nibble + (nibble != 0);
}

/*
 * The fast path: events of known shape, as long as they are in order, below `below`, and
 * whole in memory. It checks no more than that, and leaves all else to take_slow.
 */
static INLINE void
take_fast(struct ovni *o, struct ovni_cursor *c, uint64_t below, uint32_t most, bool raw)
{
	const uint8_t *p = c->p, *fast = c->fast;
	uint64_t last = c->last, add = c->add, origin = o->origin, base = o->m.base;
	uint32_t loc = c->loc, n = o->m.nentries, end = n + most;
	uint64_t *entry = o->m.entry;
	const struct ovni_plan *plan = o->plan;
	unsigned shift = 32 - o->plan_bits;
	uint8_t *area = o->area.p;
	size_t at = o->area.n;

	while (p < fast && n < end) {
		uint32_t head = ld32(p);
		uint64_t key = ld64(p + 4) + add;
		const struct ovni_plan *pl = plan + (head * OVNI_HASH >> shift);
		struct rec *r;

		/* One comparison for "not before the last" and "below". */
		if (unlikely(key - last >= below - last))
			break;
		if (unlikely(pl->fast != head) && !(pl = ovni_fast_plan(o, head)))
			break;
		r = (struct rec *)(void *)(area + at);
		r->len = pl->len;
		r->type = pl->type;
		r->loc = loc;
		r->has = 0;
		r->time = (int64_t)(key - origin);
		r->addr = 0;
		r->size = 0;
		r->dur = 0;
		st64(r + 1, pl->part);
		st64((uint8_t *)r + pl->to, ld64(p + 12) & pl->mask[0]);
		st64((uint8_t *)r + pl->to + 8, ld64(p + 20) & pl->mask[1]);
		entry[n++] = (key - base) << 32 | at;
		at += pl->len;
		if (raw) {
			st64(area + at, pl->size);
			memcpy(area + at + RAW_HEAD, p, 32);
			at += (RAW_HEAD + pl->size + 7) & ~7u;
		}
		last = key;
		p += normal_size(head);
	}
	c->p = p;
	c->last = last;
	o->area.n = at;
	o->m.nentries = n;
}

/* The same where only the kind of event matters: all of one kind share a record. */
static INLINE void
take_types(struct ovni *o, struct ovni_cursor *c, uint32_t most)
{
	const uint8_t *p = c->p, *fast = c->fast;
	uint64_t last = c->last, add = c->add;
	uint32_t n = o->m.nentries, end = n + most;
	uint64_t *entry = o->m.entry;
	const struct ovni_plan *plan = o->plan;
	unsigned shift = 32 - o->plan_bits;

	while (p < fast && n < end) {
		uint32_t head = ld32(p);
		uint64_t key = ld64(p + 4) + add;
		const struct ovni_plan *pl = plan + (head * OVNI_HASH >> shift);

		if (unlikely(key < last))
			break;
		if (unlikely(pl->fast != head) && !(pl = ovni_fast_plan(o, head)))
			break;
		entry[n++] = pl->proto;
		last = key;
		p += normal_size(head);
	}
	c->p = p;
	c->last = last;
	o->m.nentries = n;
}

/* Room for n records of the fast path. */
static inline void
records_room(struct ovni *o, uint32_t n)
{
	size_t need = ((size_t)n + 2) * RECORD_MOST;

	if (unlikely(o->area.cap - o->area.n < need))
		buf_room(&o->area, need);
}

/* Takes from one cursor, as merge.h says. Gives the key of its next event. */
static uint64_t
take_from(struct source *s, struct ovni_cursor *c, uint64_t below, uint32_t most)
{
	struct ovni *o = s->state;
	uint32_t end = o->m.nentries + most;
	size_t area = o->area.n;
	struct ovni_frame f;

	records_room(o, most);
	for (;;) {
		uint64_t key;

		most = end - o->m.nentries;
		if (o->types_only)
			take_types(o, c, most);
		else if (o->need & NEED_RAW)
			take_fast(o, c, below, most, true);
		else
			take_fast(o, c, below, most, false);
		if (c->p >= c->fast && !c->eof && ovni_offset(c) < c->stop &&
		    ovni_refill(s, c))
			continue;
		/* Why it stopped, most often: enough, or another's turn. What is no event
		 * of known shape may be none at all, and its clock no clock. */
		if (likely(c->p < c->fast && ovni_fast_plan(o, ld32(c->p)))) {
			key = key_of(c, ld64(c->p + 4));
			if (key >= below || o->m.nentries == end)
				return key;
		}
		if (!ovni_settle(s, c, &f))
			return MERGE_END;
		key = key_of(c, f.clock);
		if (key >= below || o->m.nentries == end)
			return key;
		if (o->area.n - area > AREA_MOST) {
			o->m.full = true;
			return key;
		}
		take_slow(s, c, &f);
		records_room(o, end - o->m.nentries);
	}
}

static void
take(void *ctx, uint32_t input, uint64_t below, uint32_t most)
{
	struct source *s = ctx;
	struct ovni *o = s->state;

	/* The next inputs' turns come soon: of a thousand streams none is in the cache. */
	if (input + AHEAD < o->nact) {
		__builtin_prefetch(o->act[input + AHEAD]);
		__builtin_prefetch((const char *)o->act[input + AHEAD] + 64);
		__builtin_prefetch(o->act[input + AHEAD / 2]->p);
		__builtin_prefetch(o->act[input + AHEAD / 2]->p + 64);
	}
	o->head[input] = take_from(s, o->act[input], below, most);
}

/* A run's turn has come: it becomes an input, and inputs that are through go. */
static void
add_run(struct source *s, const struct ovni_run *run)
{
	struct ovni *o = s->state;
	struct ovni_stream *st = &o->st[run->stream];
	struct ovni_cursor *c = ovni_cursor_new(o, st, run->from, run->to);
	size_t n = 0, at, headcap = o->actcap;

	c->pair = run->pair;
	for (size_t i = 0; i < o->nact; i++) {
		if (o->head[i] == MERGE_END) {
			ovni_cursor_free(o->act[i]);
			continue;
		}
		o->act[n] = o->act[i];
		o->head[n++] = o->head[i];
	}
	o->act = grow(o->act, &o->actcap, n + 1, sizeof *o->act);
	o->head = grow(o->head, &headcap, n + 1, sizeof *o->head);
	for (at = n; at > 0; at--) {
		const struct ovni_cursor *before = o->act[at - 1];

		if (before->st < st || (before->st == st && before->from < c->from))
			break;
		o->act[at] = o->act[at - 1];
		o->head[at] = o->head[at - 1];
	}
	o->act[at] = c;
	o->head[at] = head_of(s, c);
	o->nact = n + 1;
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	merge_changed(&o->m);
}

/* Records that wait move to a new area, in the order in which they will be given. */
static void
keep_waiting(struct ovni *o)
{
	struct buf to = o->spare;

	to.n = 0;
	for (uint32_t i = o->m.at; i < o->m.nentries; i++) {
		uint32_t off = (uint32_t)o->m.entry[i];
		const uint8_t *p = o->area.p + off;
		size_t n = ((const struct rec *)(const void *)p)->len;

		if (o->need & NEED_RAW)
			n += (RAW_HEAD + (size_t)ld64(p + n) + 7) & ~(size_t)7;
		o->m.entry[i] += (uint32_t)to.n - (uint64_t)off;
		memcpy(buf_room(&to, n + REC_SLACK), p, n);
		to.n += n;
	}
	o->spare = o->area;
	o->area = to;
}

/* Nothing points into the tables now: where there is too much in them, they start anew. */
static void
fresh_start(struct source *s)
{
	struct ovni *o = s->state;

	o->area.n = 0;
	if (o->nplans < PLANS_MOST)
		return;
	tables_reset(&s->t);
	ovni_plans_reset(o);
	number_locs(s);
}

static bool
merged_next(struct source *s)
{
	struct ovni *o = s->state;

	for (;;) {
		if (s->stop)
			return false;
		if (merge_waiting(&o->m))
			keep_waiting(o);
		else
			fresh_start(s);
		o->m.limit = o->run_at < o->nruns ? o->run[o->run_at].key : MERGE_END;
		if (merge_next(&o->m))
			return true;
		if (o->run_at == o->nruns)
			return false;
		add_run(s, &o->run[o->run_at++]);
	}
}

/* One stream after the other. */
static bool
stream_next(struct source *s)
{
	struct ovni *o = s->state;

	fresh_start(s);
	o->m.nentries = o->m.at = 0;
	o->m.entry = grow(o->m.entry, &o->m.cap, BATCH, sizeof *o->m.entry);
	while (!o->m.nentries && o->next < o->n && !s->stop) {
		struct ovni_stream *st = &o->st[o->next];

		if (!o->nact) {
			o->act = grow(o->act, &o->actcap, 1, sizeof *o->act);
			o->act[0] = ovni_cursor_new(o, st, 0, UINT64_MAX);
			o->nact = 1;
		}
		o->m.full = false;
		if (take_from(s, o->act[0], MERGE_END, BATCH) == MERGE_END) {
			ovni_cursor_free(o->act[0]);
			o->nact = 0;
			o->next++;
		}
	}
	o->m.ready = o->m.nentries;
	return o->m.ready > 0;
}

static bool
ovni_next(struct source *s, struct batch *b)
{
	struct ovni *o = s->state;
	const uint64_t *entry;

	batch_start(b);
	while (o->m.at == o->m.ready)
		if (!(o->merged ? merged_next(s) : stream_next(s)))
			return false;
	entry = o->m.entry + o->m.at;
	b->n = o->m.ready - o->m.at < BATCH ? o->m.ready - o->m.at : BATCH;
	b->base = o->types_only ? o->proto.p : o->area.p;
	for (uint32_t i = 0; i < b->n; i++)
		b->off[i] = (uint32_t)entry[i];
	if (o->need & NEED_RAW) {
		for (uint32_t i = 0; i < b->n; i++) {
			const uint8_t *p = b->base + b->off[i];

			p += ((const struct rec *)(const void *)p)->len;
			b->raw[i] = (struct span){p + RAW_HEAD, (size_t)ld64(p)};
		}
	}
	o->m.at += b->n;
	return true;
}

static void
start_merge(struct source *s)
{
	struct ovni *o = s->state;

	/* ovnidump leaves regions where they lie, and so must what looks like it. */
	for (size_t i = 0; i < o->n && !o->opt.paths; i++)
		ovni_scan(s, i);
	if (o->nruns)
		qsort(o->run, o->nruns, sizeof *o->run, by_key);
	if (!o->merged)
		return;
	o->act = grow(o->act, &o->actcap, o->n + 1, sizeof *o->act);
	o->head = xcalloc(o->actcap, sizeof *o->head);
	for (size_t i = 0; i < o->n; i++) {
		if (o->st[i].failed)
			continue;
		o->act[o->nact] = ovni_cursor_new(o, &o->st[i], 0, UINT64_MAX);
		o->head[o->nact] = head_of(s, o->act[o->nact]);
		o->nact++;
	}
	o->m.head = o->head;
	o->m.n = (uint32_t)o->nact;
	merge_changed(&o->m);
}

static void
ovni_open(struct source *s)
{
	const struct ovni_options *own = s->opt->own;
	struct ovni *o = xcalloc(1, sizeof *o);
	struct collect c = {.s = s};

	s->state = o;
	if (own)
		o->opt = *own;
	o->need = s->opt->need;
	o->merged = o->need & NEED_ORDER && !o->opt.streams;
	o->types_only = !o->merged && !o->opt.pairs &&
			!(o->need & (NEED_TIME | NEED_LOC | NEED_SIZE | NEED_DUR |
				     NEED_ARGS | NEED_RAW));
	o->pairs_fd = -1;
	o->m.take = take;
	o->m.ctx = s;
	o->m.limit = MERGE_END;
	put_init();
	ovni_plans_reset(o);
	s->head.nlocparts = 3;
	s->head.locpart[0] = "loom";
	s->head.locpart[1] = "pid";
	s->head.locpart[2] = "tid";
	source_clock(s, CLOCK_NS);
	find_all(s);
	raise_limit(o);
	ovni_load_meta(s, NULL, NULL);
	if (!o->opt.raw_clock)
		for (size_t i = 0; i < s->npaths; i++)
			ovni_load_offsets(s, s->paths[i]);
	ovni_meta(s, to_head, &c);
	number_locs(s);
	for (size_t i = 0; i < o->n; i++)
		ovni_open_stream(s, &o->st[i]);
	set_clocks(s);
	if (o->opt.pairs) {
		o->pairs_at = xcalloc(o->n, sizeof *o->pairs_at);
		o->pairs_fd = sandbox_temporary();
		if (o->pairs_fd < 0)
			source_trouble(s, "no temporary file for durations");
	}
	if (o->merged || o->opt.pairs)
		start_merge(s);
}

static void
ovni_close(struct source *s)
{
	struct ovni *o = s->state;

	for (size_t i = 0; i < o->nact; i++)
		ovni_cursor_free(o->act[i]);
	for (size_t i = 0; i < o->n; i++)
		ovni_close_stream(o, &o->st[i]);
	if (o->pairs_fd >= 0)
		close(o->pairs_fd);
	merge_free(&o->m);
	buf_free(&o->area);
	buf_free(&o->spare);
	buf_free(&o->proto);
	free(o->act);
	free(o->head);
	free(o->run);
	free(o->pairs_at);
	free(o->plan);
	free(o->variant);
	free(o->st);
	arena_free(&o->mem);
	free(o);
}

/* A stream of its own: with a header where the input has one. */
static void
native_begin(struct source *s, struct out *out)
{
	const struct ovni *o = s->state;
	uint8_t header[OVNI_HEADER] = "ovni";
	uint32_t version = 1;

	if (!o->n)
		return;
	for (size_t i = 1; i < o->n; i++)
		if (o->st[i].swap != o->st[0].swap)
			source_trouble(s, "streams of both byte orders do not make one: "
					  "take them one by one");
	version = o->st[0].swap ? swap32(version) : version;
	memcpy(header + 4, &version, 4);
	for (size_t i = 0; i < o->n; i++) {
		if (o->st[i].header) {
			out_bytes(out, header, sizeof header);
			break;
		}
	}
}

void
ovni_put_compat(struct source *s, struct out *out, const struct rec *r, struct span raw)
{
	const struct str *path = &s->t.str.v[r->loc];
	long long clock = (long long)(r->time + s->head.origin);
	char text[32];
	int n = snprintf(text, sizeof text, "%10lld  ", clock);

	out_bytes(out, text, (size_t)n);
	out_bytes(out, s->t.type[r->type].event, s->t.type[r->type].event_len);
	out_bytes(out, "  ", 2);
	out_bytes(out, path->s, path->len);
	out_bytes(out, "  ", 2);
	for (size_t i = OVNI_EVENT; i < raw.n; i++) {
		uint8_t *p = out_room(out);

		*p = ':';
		memcpy(p + 1, put_hex2[raw.p[i]], 2);
		out->p = p + 3;
	}
	out_bytes(out, "\n", 1);
}

const struct format fmt_ovni = {
    .name = "ovni",
    .about = "ovni: events of a parallel program's threads, binary",
    .many = true,
    .temporaries = 2, /* a pipe, and durations */
    .native = true,
    .sniff = ovni_sniff,
    .takes = ovni_takes,
    .open = ovni_open,
    .next = ovni_next,
    .close = ovni_close,
    .native_begin = native_begin,
};
