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
/* Limit of the sums of sizes and weights. */
#define SUM_MOST (UINT64_MAX / 4)
/* Limit of references that wait for the end of the inputs: 1 GiB with the heap. */
/* Bound: trace-reuse | references of --policy opt, lru-entry | blocks of all events | 134217728 | --policy: more than */
#define NEXT_MOST (1u << 27)
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

	if (x->values) {
		x->value = exprs_parse(x->values, PARSE_LIST, NULL);
		if (q->before)
			exprs_key(x->value, exprs_key_parse(q->before));
	}
	if (q->objects)
		x->size = xcalloc(BATCH, sizeof *x->size);
	if (q->weight)
		x->weight = xcalloc(BATCH, sizeof *x->weight);
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
	struct buf b = {0}, values = {0};
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
	if (q->value)
		buf_str(&values, q->value);
	if (q->value && q->weight)
		buf_byte(&values, ',');
	if (q->weight)
		buf_str(&values, q->weight);
	if (values.n)
		buf_byte(&values, '\0');
	x->values = (char *)values.p;
	reuse_begin(x);
	if (x->value &&
	    exprs_tree(x->value)->nlets != (size_t) !!q->value + (size_t) !!q->weight)
		die("%s: give one value", !q->weight ? "-K"
					  : q->value ? "-K and --weight"
						     : "--weight");
}

/* Returns a fixed hash of a key. */
static inline uint64_t
hash_of(const struct reuse *x, uint32_t space, uint64_t block)
{
	if (unlikely(x->q.value && space == REUSE_TEXT))
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
		    x->q.value ? "keys to keep: raise --keys N"
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

/* Counts a reference to an object with a size, and `again` further references that follow it. */
static void
refer_object(struct reuse *x, struct curve *c, const struct ref *r, uint64_t again)
{
	uint64_t size = x->size[r->event], was = size,
		 d = lru_weigh(&c->lru, r->space, r->block, size, &was);

	c->changed += (uint64_t)(was != size) << c->level;
	reuse_count_object(c, r->way, d, size, 1);
	if (again)
		reuse_count_object(c, r->way, size, size, again);
	if (d == LRU_NEW)
		keep_key(x, c);
}

/* Counts `again` references to the key on top of the stack. */
static void
refer_again(const struct reuse *x, struct curve *c, const struct ref *r, uint64_t again)
{
	uint32_t *count = x->q.counts ? &c->lru.count[c->lru.top] : NULL;

	*reuse_count_of(&c->at[c->level], r->way, 1) += again;
	if (x->q.times)
		reuse_time_add(&c->times, 1, c->level, again);
	if (count)
		*count =
		    again > UINT32_MAX - *count ? UINT32_MAX : *count + (uint32_t)again;
}

/* Notes a reference for reuse_simulate(), and counts it if it is cold; counts `again` further references. */
static void
refer_later(struct reuse *x, struct curve *c, const struct ref *r, uint64_t again)
{
	uint64_t since = 0, size = x->size ? x->size[r->event] : 0;
	bool known = lru_touch(&c->lru, r->space, r->block, c->nnext, &since) != 0;

	if (++x->held > NEXT_MOST)
		die("%s: --policy: more than %u references: use -e, or a larger "
		    "--unit",
		    x->reading->name, NEXT_MOST);
	if (known)
		c->next[since] |= (uint32_t)c->nnext;
	*PUSH(c->next, c->nnext, c->next_cap) = r->way == REUSE_WRITE ? REUSE_WRITES : 0;
	if (x->size)
		*PUSH(c->object, c->nobjects, c->object_cap) = size;
	if (again)
		reuse_count_object(c, r->way, 1, 0, again);
	if (known)
		return;
	reuse_count_object(c, r->way, LRU_NEW, size, 1);
	keep_key(x, c);
}

/* Touches a key, and counts the result. */
static inline void
refer(struct reuse *x, const struct ref *r)
{
	struct curve *c = &x->curve[r->group];
	uint64_t since = 0, d, again = x->weight ? x->weight[r->event] - 1 : 0;

	/* The sample may have become smaller since the reference was added. */
	if (unlikely(c->level != r->level) && left_out(x, c, r))
		return;
	if (x->q.policy != REUSE_LRU) {
		refer_later(x, c, r, again);
		return;
	}
	if (x->size) {
		refer_object(x, c, r, again);
		return;
	}
	d = lru_touch(&c->lru, r->space, r->block, r->now, &since);
	if (unlikely(x->note))
		take_note(&x->note[r->event], d, since, r->now);
	if (r->window) {
		struct reuse_window *w = &c->window[r->window - 1];

		w->cold += (uint64_t)!d << c->level;
		w->keys += (uint64_t)(since <= w->since) << c->level;
	}
	if (x->q.times && d)
		reuse_time_add(&c->times, r->now - again - since, c->level, 1);
	if (unlikely(again))
		refer_again(x, c, r, again);
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
	uint64_t times = x->weight ? x->weight[r->event] : 1,
		 n = (c->references[r->way] += times) + c->references[!r->way];

	if (x->size)
		c->every.bytes[r->way] += times * x->size[r->event];
	if (likely(!x->note))
		r->now = n;
	if (unlikely(r->window))
		c->window[r->window - 1].references += times;
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

/* Sets the weight and the size of event j, whose record is r. Returns false if there is no reference to add. */
static bool
weigh(struct reuse *x, const struct curve *c, const struct rec *r, uint32_t j)
{
	uint64_t times = 1, size = x->q.value ? 1 : BLOCKS_MOST;

	if (x->weight) {
		struct val v = vec_val(exprs_vec(x->value, x->q.value != NULL), j);

		v = val_number(&v);
		if (v.kind != VAL_WHOLE || v.n.hi) {
			x->unknown++;
			return false;
		}
		x->weight[j] = times = v.n.lo;
	}
	if (x->size) {
		if (!(r->has & HAS_SIZE)) {
			x->unknown++;
			return false;
		}
		x->size[j] = size = r->size;
	}
	if (times &&
	    (times > SUM_MOST / (size + !size) ||
	     times * size > SUM_MOST - curve_references(c, REUSE_WAYS | REUSE_BYTES) ||
	     times > SUM_MOST - curve_references(c, REUSE_WAYS))) {
		x->beyond++;
		return false;
	}
	return times != 0;
}

/* Adds the references of the events pick[0..n) of a batch. */
static void
add_events(struct reuse *x, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	uint64_t unit = x->q.value ? 1 : source_addr_bytes(s, b);
	const struct stats *st = &x->ids.st[0];
	const struct vec *v = x->q.value ? exprs_vec(x->value, 0) : NULL;
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
		bool any;

		if (x->q.window)
			ref.window = window_at(x, &x->curve[ref.group], st->pane[id[i]]);
		x->curve[ref.group].events++;
		x->events++;
		if (v)
			any = value_at(x, v, s->head.clock, i, &ref);
		else {
			ref.space = reuse_space(x, id[i]);
			any = r->has & HAS_ADDR && (r->has & HAS_SIZE || ty->addr_hex);
		}
		if (!any)
			x->without++;
		else if ((x->weight || x->size) && !weigh(x, &x->curve[ref.group], r, i))
			continue;
		else if (v)
			reuse_add_one(x, &ref);
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
	free(x->size);
	free(x->weight);
	free(x->values);
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
