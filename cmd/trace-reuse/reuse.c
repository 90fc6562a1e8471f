/* reuse.c - makes references from events, and touches the stack of their group: see reuse.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "trace-reuse/reuse.h"
#include "work/work.h"
#include "view/traits.h"
#include "view/view_request.h"

/* Blocks with one number differ in different spaces: files if the trace has files, else places. */
#define SPACE "file|loc"
/* Limit of blocks of one event: more are assumed to be an error in the input. */
/* Bound: trace-reuse | blocks of one event | its size | 1048576 | touch more than */
#define BLOCKS_MOST (1u << 20)
/* References between the prefetch of a place and its use. */
#define AHEAD 12
#define REFS 4096
/* Limit of keys in parts that a thread holds: 8 MiB. */
#define HELD_MOST (1u << 19)
/* Samples with this many keys or fewer are not halved. */
#define LEAST_SAMPLE 256

struct ref {
	uint64_t block, now;
	uint32_t space, group;
	uint32_t window; /* number + 1 of the window in the curve; 0: none */
	uint32_t event;	 /* number of the event in the batch */
	uint8_t way, level;
};

/* Initializes what depends on the question, except its groups. */
void
reuse_begin(struct reuse *x)
{
	const struct reuse_question *q = &x->q;

	if (q->value) {
		x->value = exprs_parse(q->value, PARSE_LIST, NULL);
		if (exprs_tree(x->value)->nlets != 1)
			die("-K: give one value as the key");
		if (q->before)
			exprs_key(x->value, exprs_key_parse(q->before));
	}
	GROW(x->space, x->space_cap, REUSE_TEXT + 1);
	for (uint64_t i = 0; i <= REUSE_TEXT; i++)
		x->space[i] = mix64(i + 1 + q->seed);
	x->shift = q->block & (q->block - 1) ? -1 : (int)trailing_zeros64(q->block);
	x->ref = xcalloc(REFS, sizeof *x->ref);
	x->thin_at = reuse_room(x);
}

void
reuse_open(struct reuse *x, const struct reuse_question *q)
{
	struct buf b = {0};
	struct query ask = {
	    .aggs = "count", .window = q->window, .bits = SPEC_BITS, .before = q->before};

	memset(x, 0, sizeof *x);
	x->q = *q;
	if (q->groups)
		buf_str(&b, q->groups);
	if (q->groups && !q->value)
		buf_byte(&b, ',');
	if (!q->value)
		buf_str(&b, SPACE);
	buf_byte(&b, '\0');
	/* The buffer is x's now. */
	x->keys = (char *)b.p;
	ask.keys = b.n > 1 ? x->keys : NULL;
	result_open(&x->ids, &ask);
	reuse_begin(x);
}

/* Returns a fixed hash of a key. */
static inline uint64_t
hash_of(const struct reuse *x, uint32_t space, uint64_t block)
{
	if (unlikely(x->value && space == REUSE_TEXT))
		block = hash64(x->texts.v[block].s, x->texts.v[block].len);
	return mix64(block ^ x->space[space]);
}

struct sample_filter {
	const struct reuse *x;
	unsigned level;
};

static bool
stays(const void *arg, const struct lru_key *k)
{
	const struct sample_filter *a = arg;

	return !(hash_of(a->x, k->space, k->block) >> (64 - a->level));
}

/* Halves the sample of a group. */
static void
halve(struct reuse *x, struct curve *c)
{
	c->level++;
	x->kept -= c->lru.n;
	lru_keep(&c->lru, stays, &(struct sample_filter){x, c->level});
	x->kept += c->lru.n;
	GROW(c->at, c->at_cap, c->level + 1);
}

/* Halves the samples of the largest groups, until there is room again. */
static COLD void
thin(struct reuse *x)
{
	uint64_t room = reuse_room(x);
	uint32_t most = UINT32_MAX;

	while (x->kept > room / 4 * 3 && most > LEAST_SAMPLE) {
		most = 0;
		for (uint32_t g = 0; g < x->ncurves; g++)
			if (x->curve[g].lru.n > most && x->curve[g].level < 63)
				most = x->curve[g].lru.n;
		for (uint32_t g = 0; g < x->ncurves; g++)
			if (x->curve[g].lru.n > LEAST_SAMPLE &&
			    x->curve[g].lru.n > most / 2 && x->curve[g].level < 63)
				halve(x, &x->curve[g]);
	}
	x->thin_at = x->kept + x->kept / 4 > room ? x->kept + x->kept / 4 : room;
}

/* Counts a new key of c. Dies if all keys are kept and there are too many; otherwise makes samples smaller. */
static COLD void
keep_key(struct reuse *x, struct curve *c)
{
	x->kept++;
	if (!x->q.most && x->kept > reuse_room(x))
		die("%s: more than %llu %s", x->reading->name,
		    (unsigned long long)reuse_room(x),
		    x->value ? "keys to keep: raise --keys N"
			     : "blocks to keep: raise --keys N, or use a larger --unit");
	if (!x->q.most)
		return;
	while (c->lru.n > x->q.most && c->level < 63)
		halve(x, c);
	if (x->kept > x->thin_at)
		thin(x);
}

/* Returns the number, from 1, of the window for an event's references: the window of its time, or a later one
 * if times go back. */
static uint32_t
window_at(struct reuse *x, struct curve *c, int64_t number)
{
	const struct reuse_window *last = c->nwindows ? &c->window[c->nwindows - 1] : NULL;

	if (last && last->number >= number)
		x->back += last->number > number;
	else
		*PUSH(c->window, c->nwindows, c->window_cap) = (struct reuse_window){
		    .number = number, .since = curve_references(c, REUSE_WAYS)};
	return (uint32_t)c->nwindows;
}

/* Adds a reference to the note of its event. */
static void
take_note(struct reuse_note *note, uint64_t d, uint64_t since, uint64_t now)
{
	note->any = true;
	note->cold |= !d || now < since;
	note->distance = d > note->distance ? d : note->distance;
	note->since = now - since > note->since ? now - since : note->since;
}

static inline bool
left_out(const struct reuse *x, const struct curve *c, const struct ref *r)
{
	return hash_of(x, r->space, r->block) >> (64 - c->level) != 0;
}

/* Touches a key, and counts the result. */
static inline void
refer(struct reuse *x, const struct ref *r)
{
	struct curve *c = &x->curve[r->group];
	uint64_t since = 0, d;

	/* The sample may have become smaller since the reference was added. */
	if (unlikely(c->level != r->level) && left_out(x, c, r))
		return;
	d = lru_touch(&c->lru, r->space, r->block, r->now, &since);
	if (unlikely(x->note))
		take_note(&x->note[r->event], d, since, r->now);
	if (r->window) {
		struct reuse_window *w = &c->window[r->window - 1];

		w->cold += (uint64_t)!d << c->level;
		w->keys += (uint64_t)(since <= w->since) << c->level;
	}
	if (x->q.times && d)
		reuse_time_add(&c->times, r->now - since, c->level);
	if (!d && x->in_part) {
		*PUSH(c->first, c->nfirst, c->first_cap) =
		    (struct reuse_key){r->block, r->space, r->way, 0};
		x->full |= (++x->held > HELD_MOST && !x->partial) ||
			   (x->q.most && c->lru.n > x->q.most);
		if (x->partial && !x->q.most)
			keep_key(x, c);
		return;
	}
	reuse_count(c, r->way, d);
	if (unlikely(!d))
		keep_key(x, c);
}

static void
flush(struct reuse *x)
{
	for (uint32_t i = 0; i < x->nrefs; i++) {
		const struct ref *r = &x->ref[i];

		if (i + AHEAD < x->nrefs)
			lru_soon(&x->curve[r[AHEAD].group].lru, r[AHEAD].space,
				 r[AHEAD].block);
		refer(x, r);
	}
	x->nrefs = 0;
}

static inline void
reuse_add_one(struct reuse *x, struct ref *r)
{
	struct curve *c = &x->curve[r->group];
	uint64_t n = ++c->references[r->way] + c->references[!r->way];

	if (likely(!x->note))
		r->now = n;
	if (unlikely(r->window))
		c->window[r->window - 1].references++;
	r->level = (uint8_t)c->level;
	if (c->level && left_out(x, c, r))
		return;
	if (x->nrefs == REFS)
		flush(x);
	x->ref[x->nrefs++] = *r;
}

/* Adds references to the blocks of an event. Returns false if there are too many, or if they exceed 2^64 bytes. */
static inline bool
add_blocks(struct reuse *x, const struct rec *r, uint64_t unit, bool memory, struct ref ref)
{
	uint64_t size = r->has & HAS_SIZE ? r->size : memory, begin, last;

	size += !size && memory;
	if (!size)
		return true;
	if (r->addr > UINT64_MAX / unit || size - 1 > UINT64_MAX - r->addr * unit)
		return false;
	begin = r->addr * unit;
	last = begin + (size - 1);
	begin = x->shift < 0 ? begin / x->q.block : begin >> x->shift;
	last = x->shift < 0 ? last / x->q.block : last >> x->shift;
	if (last - begin >= BLOCKS_MOST)
		return false;
	for (;; begin++) {
		ref.block = begin;
		reuse_add_one(x, &ref);
		if (begin == last)
			return true;
	}
}

/* Sets the key of a reference to the value of -K of event j. Returns false if there is none. */
static bool
value_at(struct reuse *x, const struct vec *v, enum clock clock, uint32_t j,
	 struct ref *ref)
{
	struct val_env env = {.clock = clock, .mem = &x->mem};
	struct val y = vec_val(v, j);

	if (y.kind == VAL_NONE)
		return false;
	if (y.kind == VAL_WHOLE && i128_is_i64(y.n)) {
		ref->space = y.n.hi < 0 ? REUSE_BELOW : REUSE_WHOLE;
		ref->block = y.n.lo;
		return true;
	}
	y = val_to_text(&env, &y);
	ref->space = REUSE_TEXT;
	ref->block = strtab_id(&x->texts, y.s, y.len);
	return true;
}

/* Adds the references of the events pick[0..n) of a batch. */
static void
add_events(struct reuse *x, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	uint64_t unit = x->value ? 1 : source_addr_bytes(s, b);
	const struct stats *st = &x->ids.st[0];
	const struct vec *v = x->value ? exprs_vec(x->value, 0) : NULL;
	uint32_t id[BATCH], type;

	x->reading = s;
	x->advice = x->advice ? x->advice : source_requests(s);
	id[0] = UINT32_MAX;
	x->ids.st[0].numbers = id;
	result_add(&x->ids, s, b, pick, n);
	x->ids.st[0].numbers = NULL;
	if (id[0] == UINT32_MAX) /* a key does not apply to this input; reported already */
		return;
	reuse_ids(x);
	CACHE(x->way, x->way_cache, s, s->t.ntypes);
	while (cache_next(&x->way_cache, s->t.ntypes, &type))
		x->way[type] =
		    op_of(&s->t.type[type]) == OP_WRITE ? REUSE_WRITE : REUSE_READ;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct type *ty = &s->t.type[r->type];
		struct ref ref = {.group = x->group[id[i]],
				  .way = x->way[r->type],
				  .event = i,
				  .now = (uint64_t)r->time ^ time_flip(s->head.clock)};

		if (x->q.window)
			ref.window = window_at(x, &x->curve[ref.group], st->pane[id[i]]);
		x->curve[ref.group].events++;
		x->events++;
		if (v) {
			if (value_at(x, v, s->head.clock, i, &ref))
				reuse_add_one(x, &ref);
			else
				x->without++;
			continue;
		}
		ref.space = reuse_space(x, id[i]);
		if (!(r->has & HAS_ADDR) || !(r->has & HAS_SIZE || ty->addr_hex))
			x->without++;
		else if (!add_blocks(x, r, unit, ty->addr_hex, ref))
			x->beyond++;
	}
	flush(x);
	arena_free(&x->mem);
}

void
reuse_add(void *reuse, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	struct reuse *x = reuse;

	if (n && (!x->value || exprs_run(x->value, s, b, pick, n)))
		add_events(x, s, b, pick, n);
}

static bool
exact(const void *reuse)
{
	return !((const struct reuse *)reuse)->full;
}

static void
open_like(void *reuse, const void *like)
{
	const struct reuse *from = like;
	char *const *paths = from->paths;
	size_t n = from->npaths;
	struct reuse_question q = from->q;
	struct reuse *x = reuse;
	bool partial = from->partial;

	reuse_open(x, &q);
	x->paths = paths;
	x->npaths = n;
	x->partial = x->in_part = partial;
}

bool
reuse_in_order(const struct reuse *x)
{
	return result_in_order(&x->ids) || (x->value && exprs_in_order(x->value));
}

unsigned
reuse_need(const struct reuse *x)
{
	return result_need(&x->ids) | NEED_ORDER |
	       (x->value ? exprs_need(x->value) : NEED_ADDR | NEED_SIZE);
}

int
reuse_read(struct reuse *x, struct read_options *read, char *const *paths, size_t n,
	   struct expr *e, const char *text)
{
	static const struct work_kind kind = {
	    sizeof *x,	 open_like,    reuse_add,  exact,	    reuse_part_end,
	    reuse_merge, reuse_stitch, reuse_free, reuse_part_begin};

	x->paths = paths;
	x->npaths = n;
	x->in_part = x->partial;
	read->need = reuse_need(x) | expr_need(e);
	/* Times and windows depend on the place in the whole input; and a partial result of several threads
	 * would have a part for each part that a thread read. */
	return work_read(&kind, x, read, paths, n,
			 !x->partial && !x->q.times && !x->q.window && !x->q.counts &&
			     !reuse_in_order(x),
			 e, text);
}

int
reuse_check(struct reuse *x)
{
	int status = result_check(&x->ids);
	uint64_t all = 0;

	if (x->value && exprs_finish(x->value, false) != ST_OK)
		status = ST_TROUBLE;
	for (uint32_t i = 0; i < x->ncurves; i++)
		all += curve_references(&x->curve[i], REUSE_WAYS);
	if (x->without && !all && !x->value)
		warn("no event has an addr and a size: use -K to say what is referenced");
	if (x->beyond) {
		warn("%llu event%s left out: they touch more than %u blocks, or bytes "
		     "beyond 2^64",
		     (unsigned long long)x->beyond, x->beyond == 1 ? " is" : "s are",
		     BLOCKS_MOST);
		status = ST_TROUBLE;
	}
	if (x->back) {
		warn("-w: times go back: %llu reference%s counted in a later window than "
		     "%s own (--by-time orders)",
		     (unsigned long long)x->back, x->back == 1 ? " is" : "s are",
		     x->back == 1 ? "its" : "their");
		status = ST_TROUBLE;
	}
	return status;
}

void
reuse_free(void *reuse)
{
	struct reuse *x = reuse;

	for (uint32_t i = 0; i < x->ncurves; i++)
		curve_free(&x->curve[i]);
	for (size_t i = 0; i < x->nparts; i++) {
		free(x->part[i].first);
		free(x->part[i].last);
	}
	free(x->part);
	free(x->curve);
	free(x->group);
	free(x->space);
	free(x->way);
	free(x->ref);
	free(x->note);
	free(x->more);
	free(x->counted);
	strtab_free(&x->part_files);
	strtab_free(&x->part_keys);
	strtab_free(&x->groups);
	strtab_free(&x->texts);
	exprs_free(x->value);
	result_free(&x->ids);
	arena_free(&x->mem);
	free(x->keys);
}
