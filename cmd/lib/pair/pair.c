/*
 * pair.c - the engine: takes events and gives pairs.
 *
 * Expressions, or the types of events if the format defines the pairs, decide which events of a batch begin or end
 * something. All other events are dropped. A begin is held as it came, but with its type and strings in the
 * engine's own tables, because the tables of the input may start anew while it waits.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "event/value.h"
#include "input/fault.h"
#include "pair/pairing.h"

/* Limits of the bytes of names, and of the types, in the engine's tables. Beyond, the tables start anew with those
 * in use. */
/* Bound: trace-pair | events that wait in memory | events after an open one | 64 MiB | - */
#define WAIT_MOST (64u << 20) /* bytes of events that wait in memory */
/* Bound: trace-pair | names | names of events, places and texts | 8 MiB | while events wait in a file */
#define NAMES_MOST (8u << 20)
#define TYPES_MOST 8192

struct pairing *
pairing_new(const struct pair_options *o, const struct pair_sink *to)
{
	struct pairing *x = xcalloc(1, sizeof *x);

	x->opt = *o;
	x->to = *to;
	x->names_most = NAMES_MOST;
	x->types_most = TYPES_MOST;
	pair_rules_start(&x->rules, &x->opt);
	/* In a single queue, a later begin has a later end, so pairs do not nest. */
	pairs_start(&x->p, o->by_end, o->queue, o->self && !(o->queue && o->begin.n == 1),
		    WAIT_MOST);
	tables_reset(&x->out.t);
	pair_types_start(&x->t, &x->out);
	x->t.name = x->rules.name;
	return x;
}

unsigned
pairing_need(const struct pairing *x)
{
	return pair_rules_need(&x->rules);
}

/* Passes the complete events to the sink. */
static void
pair_flush(struct pairing *x)
{
	while (wait_next(&x->p.n.w, &x->batch))
		x->to.put(x->to.arg, &x->out, &x->batch);
}

static inline uint64_t
clock_of(const struct pairing *x, int64_t time)
{
	return (uint64_t)time ^ time_flip(x->out.head.clock);
}

/* Copies a record of s to r, with the engine's numbers of types and strings. */
static inline void
hold(struct pairing *x, const struct source *s, struct rec *r, const struct rec *from,
     uint32_t held)
{
	wait_copy(r, from);
	import_rec(&x->t.import, &s->t, &s->t.type[from->type], r, held);
}

/* Adds an event that is complete as it is. */
static void
add_alone(struct pairing *x, const struct source *s, const struct rec *e, unsigned flags)
{
	uint32_t held = pair_types_held(&x->t, s, e->type);
	const struct made_type *m =
	    pair_types_made(&x->t, &x->out, NULL, NULL, held, NULL, 0, flags);
	struct rec *r = wait_add(&x->p.n.w, e->len + m->delta);

	hold(x, s, r, e, held);
	pair_types_fill(&x->t, m, r, held, NULL, NULL);
}

/* Gives an end without a partner, unless they are dropped. */
static void
lone_end(struct pairing *x, const struct source *s, const struct rec *e)
{
	x->alone[1]++;
	if (!x->opt.drop)
		add_alone(x, s, e, x->opt.keep ? 0 : MADE_END);
}

/* Gives a begin without an end, or drops it. */
static void
lone_begin(struct pairing *x, uint32_t open)
{
	struct rec *r = wait_rec(&x->p.n.w, open);
	uint32_t held = r->type & ~RECORD_OPEN;
	const struct made_type *m;

	x->alone[0]++;
	if (x->opt.drop) {
		wait_drop(&x->p.n.w, open);
		return;
	}
	m = pair_types_made(&x->t, &x->out, NULL, NULL, held, NULL, 0,
			    x->opt.keep ? 0 : MADE_BEGIN);
	r = wait_grow(&x->p.n.w, open, r->len + m->delta);
	pair_types_fill(&x->t, m, r, held, NULL, NULL);
	wait_done(&x->p.n.w, open);
}

/* Gives all open begins; they have no end. */
static void
give_up(struct pairing *x)
{
	uint32_t n, *v = wait_opens(&x->p.n.w, &n);

	pairs_forget(&x->p);
	for (uint32_t i = 0; i < n; i++) {
		lone_begin(x, v[i]);
		if (i % 4096 == 4095)
			pair_flush(x);
	}
	free(v);
	pair_flush(x);
}

/* Returns the key of records of a rule. */
static inline uint64_t
rule_key(uint64_t key, unsigned rule)
{
	return key + rule * 0x9e3779b97f4a7c15u;
}

typedef bool act_fn(struct pairing *x, const struct source *s, const struct rec *e,
		    unsigned rule, uint64_t key);

static INLINE bool
begin(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
      uint64_t key)
{
	uint32_t held = pair_types_held(&x->t, s, e->type), open;
	struct rec *r;

	if (unlikely(!wait_room(&x->p.n.w)))
		die("%s: more than 3 GiB of begins wait for their ends", s->name);
	open = pairs_begin(&x->p, rule_key(key, rule), e->len + x->t.type[held].room);
	r = wait_rec(&x->p.n.w, open);
	hold(x, s, r, e, held);
	if (x->p.nested)
		pairs_nest(&x->p, open, key, clock_of(x, e->time));
	r->type |= RECORD_OPEN;
	return true;
}

/* Gives up a begin that will have no end. */
static bool
drop(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
     uint64_t key)
{
	struct pair_slot slot;
	uint32_t open = pairs_find(&x->p, rule_key(key, rule), &slot);

	(void)s;
	(void)e;
	if (open != WAIT_NONE) {
		pairs_take(&x->p, open, slot);
		lone_begin(x, open);
	}
	return true;
}

/* Adds arguments to a begin, of a held type, that its pair has in addition: from the end and from the engine.
 * Returns the record, which may have moved. */
static struct rec *
widen(struct pairing *x, const struct source *s, uint32_t open, const struct made_type *m,
      uint32_t held, const struct rec *e)
{
	struct held_type *h = &x->t.type[held];
	struct rec *r = wait_rec(&x->p.n.w, open);
	uint32_t len = pair_types_length(m, r, e), more;

	if (len > r->len) {
		more = len - r->len;
		h->room = more < 512 && more > h->room ? more : h->room;
		r = wait_grow(&x->p.n.w, open, len);
	}
	r->type = held;
	pair_types_fill(&x->t, m, r, held, s, e);
	return r;
}

/* Joins an end with its begin. Returns false if it has no partner. */
static INLINE bool
pair_end(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
	 uint64_t key)
{
	struct pair_slot slot;
	uint32_t open = pairs_find(&x->p, rule_key(key, rule), &slot), held;
	uint64_t time = clock_of(x, e->time), from;
	struct lasting l = {0};
	const struct made_type *m;
	struct rec *r;

	if (open == WAIT_NONE)
		return false;
	r = wait_rec(&x->p.n.w, open);
	held = r->type & ~RECORD_OPEN;
	if (e->has & HAS_DUR)
		time = clock_of(x, time_plus(x->out.head.clock, e->time, e->dur));
	if (x->p.nested)
		l = pairs_lasted(&x->p, open, time);
	pairs_take(&x->p, open, slot);
	m = pair_types_made(&x->t, &x->out, s, r, held, e, rule,
			    MADE_PAIR | (x->opt.self ? MADE_SELF : 0));
	if (likely(!m->n && !m->delta))
		r->type = m->type;
	else
		r = widen(x, s, open, m, held, e);
	from = clock_of(x, r->time);
	r->has |= HAS_DUR;
	r->dur = (int64_t)(time > from ? time - from : 0);
	if (m->self)
		st64((uint8_t *)r + m->self, x->p.nested ? l.self : (uint64_t)r->dur);
	wait_done(&x->p.n.w, open);
	return true;
}

/* Ends all begins of the key that have the same time, for a rule with `all`. Returns false if there is none. */
static COLD bool
end_all(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
	uint64_t key)
{
	struct pair_slot slot;
	uint32_t open = pairs_find(&x->p, rule_key(key, rule), &slot);
	int64_t time = open == WAIT_NONE ? 0 : wait_rec(&x->p.n.w, open)->time;
	bool any = false;

	while (open != WAIT_NONE && wait_rec(&x->p.n.w, open)->time == time) {
		any = pair_end(x, s, e, rule, key);
		open = pairs_find(&x->p, rule_key(key, rule), &slot);
	}
	return any;
}

/* Calls fn by rule k; if the rule has a list, for each element that the event names. Returns false if the event
 * ends something that has not begun. */
static bool
act(struct pairing *x, struct source *s, const struct rec *r, bool ends, unsigned k,
    uint64_t key, act_fn *fn)
{
	const struct pair_rule *rule = &x->rules.rule[k];
	struct span rest, e;
	struct buf list = {0};
	bool any = false, all = true;

	if (!rule->list)
		return (rule->all && fn == pair_end ? end_all : fn)(x, s, r, k, key);
	pair_rules_list(rule, s, r, ends, &list);
	rest = (struct span){list.p, list.n};
	while (pair_rules_element(&rest, &e)) {
		if (rule->nothing && e.n == strlen(rule->nothing) &&
		    !memcmp(e.p, rule->nothing, e.n))
			continue;
		if (fn(x, s, r, k, pair_key(key, keys_text(e.p, e.n))))
			any = true;
		else
			all = false;
	}
	buf_free(&list);
	return any || all;
}

/* Does what the j-th picked event does, by those rules that are in the set `rules`. */
static void
on_event(struct pairing *x, struct source *s, const struct rec *r, uint32_t j,
	 uint32_t rules)
{
	const struct pair_does *does = pair_rules_does(&x->rules, j, r->type);
	uint32_t begins = does->by[PAIR_BEGINS] & rules;
	uint32_t ends = does->by[PAIR_ENDS] & rules;
	uint32_t drops = does->by[PAIR_DROPS] & rules;
	uint64_t key = x->key[j];
	bool is_end = does->by[PAIR_ENDS] != 0, paired = !ends || begins;

	for (; ends; ends &= ends - 1)
		paired |= act(x, s, r, is_end, trailing_zeros64(ends), key, pair_end);
	if (!paired)
		lone_end(x, s, r);
	for (; drops; drops &= drops - 1)
		act(x, s, r, is_end, trailing_zeros64(drops), key, drop);
	for (; begins; begins &= begins - 1)
		act(x, s, r, is_end, trailing_zeros64(begins), key, begin);
}

/* Prefetches what the events need, because a million begins are not in the processor's cache. */
static void
fetch(const struct pairing *x, const struct batch *b, uint32_t n)
{
	uint64_t key[BATCH];
	bool ends[BATCH];

	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, x->rules.pick[j]);
		const struct pair_does *d = pair_rules_does(&x->rules, j, r->type);
		uint64_t rules = d->by[PAIR_BEGINS] | d->by[PAIR_ENDS];

		ends[j] = d->by[PAIR_ENDS] != 0;
		key[j] = rule_key(x->key[j], trailing_zeros64(rules));
	}
	pairs_fetch(&x->p, key, ends, n);
}

/* Handles the n picked events of a batch by the rules from options. */
static void
by_given(struct pairing *x, struct source *s, const struct batch *b, uint32_t n)
{
	const struct pair_rules *rules = &x->rules;

	keys_bind(&x->rules.keys[0], s);
	keys_of(&x->rules.keys[0], s, b, rules->pick, n, x->key);
	if (pairs_many(&x->p))
		fetch(x, b, n);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, rules->pick[j]);
		const struct pair_does *does = pair_rules_does(rules, j, r->type);
		uint32_t begins = does->by[PAIR_BEGINS], ends = does->by[PAIR_ENDS];

		if (unlikely(!does->one))
			on_event(x, s, r, j, UINT32_MAX);
		else if (begins)
			begin(x, s, r, trailing_zeros64(begins), x->key[j]);
		else if (!pair_end(x, s, r, trailing_zeros64(ends), x->key[j]))
			lone_end(x, s, r);
	}
}

/* Handles the n picked events of a batch if each rule has its own keys. */
static void
by_rule(struct pairing *x, struct source *s, const struct batch *b, uint32_t n)
{
	struct pair_rules *rules = &x->rules;

	for (unsigned k = 0; k < rules->n; k++)
		keys_bind(rules->rule[k].keys, s);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, rules->pick[j]);
		const struct pair_does *does = pair_rules_does(rules, j, r->type);
		uint64_t all =
		    does->by[PAIR_BEGINS] | does->by[PAIR_ENDS] | does->by[PAIR_DROPS];

		for (; all; all &= all - 1) {
			unsigned k = trailing_zeros64(all);

			keys_of(rules->rule[k].keys, s, b, &rules->pick[j], 1, &x->key[j]);
			on_event(x, s, r, j, 1u << k);
		}
	}
}

/* Gives an event unchanged: a state that already has its duration, or an event without an effect. */
static void
as_it_came(struct pairing *x, struct source *s, const struct rec *e)
{
	bool open = !x->opt.keep && arg_named(&s->t.type[e->type], "open") != NULL;

	x->alone[0] += open;
	if (!open || !x->opt.drop)
		add_alone(x, s, e, open ? MADE_BEGIN : 0);
}

/* Returns `key` with the values of those arguments added that are keys of the event's row. */
static COLD uint64_t
row_key(const struct source *s, const struct rec *r, const char *fields, uint64_t key)
{
	const struct type *ty = &s->t.type[r->type];
	struct buf text = {0};
	struct schema_field f;

	while (schema_field(&fields, &f))
		for (uint32_t i = 0; i < ty->nargs; i++) {
			if (!word_is(f.notes, "key") || !word_is(f.name, ty->args[i].name))
				continue;
			text.n = 0;
			value_arg(&text, &s->t, r, &ty->args[i]);
			key = pair_key(key, keys_text(text.p, text.n));
		}
	buf_free(&text);
	return key;
}

/* Handles the n picked events of a batch by the rows of the schema. */
static void
by_row(struct pairing *x, struct source *s, const struct batch *b, uint32_t n)
{
	keys_bind(&x->rules.keys[0], s);
	keys_of(&x->rules.keys[0], s, b, x->rules.pick, n, x->key);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, x->rules.pick[j]);
		struct row_role role = x->rules.role[r->type].row;
		unsigned rule = PAIR_RULES + role.state;
		uint64_t key = x->key[j];

		if (unlikely(role.fields))
			key = row_key(s, r, role.fields, key);
		if (!role.state ||
		    (role.begins && (r->has & HAS_DUR ||
				     arg_named(&s->t.type[r->type], "open") != NULL))) {
			as_it_came(x, s, r);
			continue;
		}
		if (role.ends && !pair_end(x, s, r, rule, key) && !role.point)
			lone_end(x, s, r);
		if (x->opt.keep && role.point && !role.begins)
			as_it_came(x, s, r);
		if (role.begins)
			begin(x, s, r, rule, key);
	}
}

static size_t
table_bytes(const struct pairing *x)
{
	const struct tables *t = &x->out.t;

	return t->bytes + t->str.bytes + 64 * (size_t)t->str.n + x->t.held.bytes;
}

/* Gives a held record its numbers in the new tables. */
static void
renew(void *arg, struct rec *r)
{
	struct pairing *x = arg;
	bool open = r->type & RECORD_OPEN;
	struct import *im = open ? &x->t.import : &x->import;
	struct tables *from = open ? &x->old_held : &x->old;
	uint32_t type = r->type & ~RECORD_OPEN;

	import_rec(im, from, &from->type[type], r, import_type(im, from, type));
	if (open)
		r->type |= RECORD_OPEN;
}

/* Starts the engine's full tables anew, with only what held records name. Records in the temporary file have old
 * numbers and must leave first, so all open begins are given up then. */
static COLD void
new_tables(struct pairing *x, struct source *s)
{
	struct tables *t = &x->out.t, *held = &x->t.held;
	size_t bytes;

	if (x->p.n.w.filed) {
		if (!x->told_many)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      "names exceed %u MiB while events wait in a file: begins "
			      "that are open here stay without end",
			      (unsigned)(x->names_most >> 20));
		x->told_many = true;
		give_up(x);
	}
	/* Both imports read strings from the old tables. */
	x->old = *t;
	x->old_held = *held;
	strtab_free(&x->old_held.str);
	x->old_held.str = x->old.str;
	memset(t, 0, sizeof *t);
	memset(held, 0, sizeof *held);
	pair_types_reset(&x->t);
	tables_reset(t);
	x->import.types = x->import.strings = t;
	x->old.epoch = x->old_held.epoch = serial();
	import_from(&x->import, &x->old);
	import_from(&x->t.import, &x->old_held);
	wait_each(&x->p.n.w, renew, x);
	import_free(&x->import);
	memset(&x->import, 0, sizeof x->import);
	memset(&x->old_held.str, 0, sizeof x->old_held.str);
	tables_free(&x->old_held);
	tables_free(&x->old);
	import_from(&x->t.import, &s->t);
	bytes = table_bytes(x);
	while (x->names_most < 2 * bytes)
		x->names_most *= 2;
	while (x->types_most < 2 * ((size_t)t->ntypes + held->ntypes))
		x->types_most *= 2;
}

void
pairing_take(struct pairing *x, struct source *s, const struct batch *b)
{
	uint32_t n;

	if (x->out.head_serial != s->head_serial) {
		x->p.queue = pair_rules_head(&x->rules, s);
		pair_sink_head(&x->out, s);
	}
	import_from(&x->t.import, &s->t);
	if (table_bytes(x) > x->names_most ||
	    (size_t)x->out.t.ntypes + x->t.held.ntypes > x->types_most)
		new_tables(x, s);
	n = pair_rules_mark(&x->rules, s, b);
	if (x->rules.by_row)
		by_row(x, s, b, n);
	else if (x->rules.by_schema)
		by_rule(x, s, b, n);
	else
		by_given(x, s, b, n);
	pair_flush(x);
}

void
pairing_end(struct pairing *x, struct source *s)
{
	if (x->out.head_serial != s->head_serial)
		pair_sink_head(&x->out, s);
	give_up(x);
	if (x->p.deep)
		fault(
		    s, NULL, COST_STATUS, s->name, NOWHERE,
		    "more than 4096 pairs of one key overlap: self= of some is too great");
	x->p.deep = false;
	if (!x->opt.keep && x->alone[0] | x->alone[1])
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "%llu begin%s without an end, %llu end%s without a begin%s",
		      (unsigned long long)x->alone[0], x->alone[0] == 1 ? "" : "s",
		      (unsigned long long)x->alone[1], x->alone[1] == 1 ? "" : "s",
		      x->opt.drop ? ": dropped" : "");
	x->alone[0] = x->alone[1] = 0;
	pair_sink_end(&x->to, &x->out, s);
	pair_types_reset(&x->t);
}

int
pairing_finish(struct pairing *x)
{
	int status = pair_rules_finish(&x->rules);

	pairs_free(&x->p);
	pair_types_free(&x->t);
	tables_free(&x->out.t);
	free(x);
	return status;
}
