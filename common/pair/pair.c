/*
 * pair.c - the engine: events in, pairs out.
 *
 * A batch is asked for begins and ends by expressions, or by the names of its types where
 * the format says which are pairs. What is neither is not given. A begin is held as it
 * came, with its type and its strings in the engine's own tables, since those of the input
 * may start anew while it waits.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/num.h"
#include "event/schema.h"
#include "event/value.h"
#include "input/fault.h"
#include "pair/pairing.h"
#include "pair/rows.h"

/* Bytes of names in our own tables, and types; beyond, those that nobody uses any more are
 * dropped. */
#define WAIT_MOST (64u << 20) /* bytes of events that wait in memory */
#define NAMES_MOST (8u << 20)
#define TYPES_MOST 8192

struct rule {
	struct expr *begin, *end, *dropped;
	struct keys *keys;
	/* Of a format's rule: the list of what is begun or ended; which of it; both as the
	 * fields of a view, if there are any. */
	struct view *list;
	const char *nothing;
};

struct pairing {
	struct pair_options opt;
	struct pair_sink to;
	struct rule rule[PAIR_RULES];
	unsigned nrules;
	const char *name[PAIR_RULES];
	struct keys keys[PAIR_RULES]; /* [0] is everybody's where rules were given */
	const struct schema *schema;  /* whose the rules are; NULL: they were given */
	bool by_schema;
	struct row_roles rows;
	struct row_role *role; /* by type of the input */
	size_t rolecap;
	uint32_t nroles;
	unsigned role_epoch;
	bool none_said;
	struct pairs p;
	struct pair_types t;
	struct source out; /* our own: tables; all else is the input's */
	unsigned heads;	   /* of the input's head that is ours */
	size_t names_most, types_most;
	uint32_t begins[BATCH], ends[BATCH]; /* of a batch: bits of rules */
	uint32_t drops[BATCH];
	uint32_t pick[BATCH]; /* those of its events that have some */
	uint64_t key[BATCH];  /* of those */
	uint32_t at;	      /* number of the event at hand */
	uint64_t alone[2];    /* begins, ends without partner under this head */
	bool told_many;
	struct import import; /* while tables start anew */
	struct tables old;
	struct tables old_held;
	struct batch batch;
};

struct pairing *
pairing_new(const struct pair_options *o, const struct pair_sink *to)
{
	struct pairing *x = xcalloc(1, sizeof *x);

	x->opt = *o;
	x->to = *to;
	x->nrules = o->nbegin;
	x->by_schema = !o->nbegin;
	x->names_most = NAMES_MOST;
	x->types_most = TYPES_MOST;
	for (unsigned i = 0; i < x->nrules; i++) {
		x->rule[i].begin = expr_parse(o->begin[i]);
		x->rule[i].end = expr_parse(o->end[i]);
		x->rule[i].keys = &x->keys[0];
		x->name[i] = o->nnames == 1 ? o->name[0] : o->name[i];
	}
	if (!x->by_schema)
		keys_parse(&x->keys[0], o->keys ? o->keys : "loc");
	pairs_start(&x->p, o->by_end, o->queue, o->self, WAIT_MOST);
	tables_reset(&x->out.t);
	pair_types_start(&x->t, &x->out);
	x->t.name = x->name;
	return x;
}

unsigned
pairing_need(const struct pairing *x)
{
	unsigned need = NEED_TIME | NEED_DUR;

	if (x->by_schema)
		return NEED_ALL;
	need |= keys_need(&x->keys[0]);
	for (unsigned i = 0; i < x->nrules; i++)
		need |= expr_need(x->rule[i].begin) | expr_need(x->rule[i].end);
	return need;
}

static void
free_rules(struct pairing *x)
{
	for (unsigned i = 0; i < x->nrules; i++) {
		struct rule *r = &x->rule[i];

		expr_free(r->begin);
		expr_free(r->end);
		if (r->dropped)
			expr_free(r->dropped);
		if (r->list) {
			view_free(r->list);
			free(r->list);
		}
		*r = (struct rule){0};
	}
	for (unsigned i = 0; i < PAIR_RULES; i++) {
		keys_free(&x->keys[i]);
		x->keys[i] = (struct keys){0};
	}
	x->nrules = 0;
}

/* The pairs of the format that the head of s names. */
static COLD void
format_rules(struct pairing *x, struct source *s)
{
	const struct format *f = format_named(s->opt->known, s->head.format);
	const struct schema *schema = f ? f->schema : NULL;

	row_roles_set(&x->rows, schema);
	x->nroles = 0;
	if ((!schema || (!schema->npairs && !x->rows.names.n)) && !x->none_said) {
		x->none_said = true;
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      strcmp(s->head.format, "-")
			  ? "the format %s has no events that are pairs: --begin and "
			    "--end say which are"
			  : "a text stream without header%.0s does not say its format: "
			    "--begin and --end say which events are pairs",
		      s->head.format);
	}
	if (x->schema == schema)
		return;
	free_rules(x);
	x->schema = schema;
	for (size_t i = 0; schema && i < schema->npairs && i < PAIR_RULES; i++) {
		const struct schema_pair *from = &schema->pairs[i];
		struct rule *r = &x->rule[x->nrules++];

		r->begin = expr_parse(from->begin);
		r->end = expr_parse(from->end);
		r->dropped = from->dropped ? expr_parse(from->dropped) : NULL;
		r->keys = &x->keys[i];
		keys_parse(r->keys, x->opt.keys ? x->opt.keys : from->keys);
		r->nothing = from->nothing;
		if (from->each) {
			r->list = xcalloc(1, sizeof *r->list);
			view_add(r->list, from->each, strlen(from->each), true);
			view_add(r->list, from->chosen, strlen(from->chosen), true);
		}
		x->name[i] = x->opt.name[0];
	}
	if (schema && !schema->npairs)
		keys_parse(&x->keys[0], x->opt.keys ? x->opt.keys : "loc");
	x->name[0] = x->opt.name[0];
	x->p.queue = x->opt.queue || (schema && schema->queue);
}

/* Hands over what can be given. */
static void
give(struct pairing *x)
{
	while (wait_next(&x->p.w, &x->batch))
		x->to.put(x->to.arg, &x->out, &x->batch);
}

static inline uint64_t
clock_of(const struct pairing *x, int64_t time)
{
	return (uint64_t)time ^ time_flip(x->out.head.clock);
}

/* A record of s into memory of its own, with the engine's numbers. */
static inline void
hold(struct pairing *x, const struct source *s, struct rec *r, const struct rec *from,
     uint32_t held)
{
	const uint8_t *p = (const uint8_t *)from;
	uint8_t *to = (uint8_t *)r;
	uint32_t len = from->len;

	if (likely(len <= 128))
		for (uint32_t i = 0; i < len; i += 8)
			st64(to + i, ld64(p + i));
	else
		memcpy(to, p, len);
	if (unlikely(x->t.type[held].syms)) {
		import_rec(&x->t.import, &s->t, &s->t.type[from->type], r, held);
		return;
	}
	r->type = held;
	r->loc = import_str(&x->t.import, &s->t, r->loc);
}

/* What has no partner: an end, which is complete. */
static void
lone_end(struct pairing *x, const struct source *s, const struct rec *e)
{
	uint32_t held = pair_types_held(&x->t, s, e->type);
	const struct made *m;
	struct rec *r;

	x->alone[1]++;
	if (x->opt.drop)
		return;
	m = pair_types_made(&x->t, &x->out, NULL, NULL, held, NULL, 0, MADE_END);
	r = wait_add(&x->p.w, e->len + m->delta);
	hold(x, s, r, e, held);
	pair_types_fill(&x->t, m, r, held, NULL, NULL);
}

/* A begin that has no end: it is complete as it is. */
static void
lone_begin(struct pairing *x, uint32_t open)
{
	struct rec *r = wait_rec(&x->p.w, open);
	uint32_t held = r->type & ~RECORD_OPEN;
	const struct made *m;

	x->alone[0]++;
	if (x->opt.drop) {
		wait_drop(&x->p.w, open);
		return;
	}
	m = pair_types_made(&x->t, &x->out, NULL, NULL, held, NULL, 0, MADE_BEGIN);
	r = wait_grow(&x->p.w, open, r->len + m->delta);
	pair_types_fill(&x->t, m, r, held, NULL, NULL);
	wait_done(&x->p.w, open);
}

/* All begins that are open have no end. */
static void
give_up(struct pairing *x)
{
	uint32_t n, *v = wait_opens(&x->p.w, &n);

	pairs_forget(&x->p);
	for (uint32_t i = 0; i < n; i++) {
		lone_begin(x, v[i]);
		if (i % 4096 == 4095)
			give(x);
	}
	free(v);
	give(x);
}

typedef bool act_fn(struct pairing *x, const struct source *s, const struct rec *e,
		    unsigned rule, uint64_t key);

static bool
begin(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
      uint64_t key)
{
	uint32_t held = pair_types_held(&x->t, s, e->type), open;
	struct rec *r;

	if (unlikely(!wait_room(&x->p.w)))
		die("%s: more than 3 GiB of begins are open", s->name);
	open = pairs_begin(&x->p, pair_key(key, rule), e->len + x->t.type[held].room);
	r = wait_rec(&x->p.w, open);
	hold(x, s, r, e, held);
	if (x->opt.self)
		pairs_nest(&x->p, open, key, clock_of(x, e->time), 0);
	r->type |= RECORD_OPEN;
	return true;
}

/* What was begun has no end after this. */
static bool
drop(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
     uint64_t key)
{
	uint32_t open = pairs_find(&x->p, pair_key(key, rule));

	(void)s;
	(void)e;
	if (open != WAIT_NONE) {
		pairs_take(&x->p, open);
		lone_begin(x, open);
	}
	return true;
}

/* False where the end has no partner. */
static bool
end(struct pairing *x, const struct source *s, const struct rec *e, unsigned rule,
    uint64_t key)
{
	uint32_t open = pairs_find(&x->p, pair_key(key, rule)), held, len;
	uint64_t time = clock_of(x, e->time), from;
	struct lasting l = {0};
	const struct made *m;
	struct rec *r;

	if (open == WAIT_NONE)
		return false;
	r = wait_rec(&x->p.w, open);
	held = r->type & ~RECORD_OPEN;
	if (e->has & HAS_DUR)
		time = clock_of(x, time_plus(x->out.head.clock, e->time, e->dur));
	if (x->opt.self)
		l = pairs_lasted(&x->p, open, time, 0);
	pairs_take(&x->p, open);
	m = pair_types_made(&x->t, &x->out, s, r, held, e, rule,
			    MADE_PAIR | (x->opt.self ? MADE_SELF : 0));
	len = pair_types_length(&x->t, m, r, held, e);
	if (len > r->len) {
		struct held_type *h = &x->t.type[held];
		uint32_t more = len - r->len;

		h->room = more < 512 && more > h->room ? more : h->room;
		r = wait_grow(&x->p.w, open, len);
	}
	r->type = held;
	if (likely(!m->n && !m->delta))
		r->type = m->type;
	else
		pair_types_fill(&x->t, m, r, held, s, e);
	from = clock_of(x, r->time);
	r->has |= HAS_DUR;
	r->dur = (int64_t)(time > from ? time - from : 0);
	if (m->self)
		st64((uint8_t *)r + m->self, l.self);
	wait_done(&x->p.w, open);
	return true;
}

/* The next element of a text with commas between; false behind the last. */
static bool
element(struct span *rest, struct span *e)
{
	const uint8_t *comma;

	if (!rest->n)
		return false;
	comma = memchr(rest->p, ',', rest->n);
	e->p = rest->p;
	e->n = comma ? (size_t)(comma - rest->p) : rest->n;
	rest->p += e->n + (comma != NULL);
	rest->n -= e->n + (comma != NULL);
	return true;
}

/* The elements of `list` whose numbers stand in `chosen`, as a list in b. */
static void
choose_among(struct span list, struct span chosen, struct buf *b)
{
	struct span *at = NULL, e;
	size_t n = 0, cap = 0;
	uint64_t i;

	while (element(&list, &e)) {
		at = grow(at, &cap, n + 1, sizeof *at);
		at[n++] = e;
	}
	while (element(&chosen, &e)) {
		if (digits_u64(e.p, e.n, &i) || i >= n)
			continue;
		buf_add(b, at[i].p, at[i].n);
		buf_byte(b, ',');
	}
	free(at);
}

/* The elements of a list that an end chooses, as a list in b: all where it says nothing. */
static void
choose(struct pairing *x, struct source *s, const struct rule *rule, const struct rec *r,
       struct buf *b)
{
	struct buf list = {0}, chosen = {0};
	const struct field *of = view_field(rule->list, r->type, 0);
	const struct field *which = view_field(rule->list, r->type, 1);

	field_text(&list, &s->head, &s->t, r, of);
	if (which->kind && x->ends[x->at]) {
		field_text(&chosen, &s->head, &s->t, r, which);
		choose_among((struct span){list.p, list.n},
			     (struct span){chosen.p, chosen.n}, b);
	} else {
		buf_add(b, list.p ? list.p : (const uint8_t *)"", list.n);
	}
	buf_free(&list);
	buf_free(&chosen);
}

/* What an event does by rule k: begins, ends or drops. False where it ends what was not
 * begun. */
static bool
act(struct pairing *x, struct source *s, const struct rec *r, unsigned k, uint64_t key,
    act_fn *fn)
{
	const struct rule *rule = &x->rule[k];
	struct span rest, e;
	struct buf list = {0};
	bool any = false, all = true;

	if (!rule->list)
		return fn(x, s, r, k, key);
	choose(x, s, rule, r, &list);
	rest = (struct span){list.p, list.n};
	while (element(&rest, &e)) {
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

/* A record that is held gets its numbers in new tables. */
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

/*
 * The engine's tables are full: they start anew, with what records that are held name. Those
 * in the file have the old numbers: they must go first, and so what is open is given up.
 */
static COLD void
new_tables(struct pairing *x, const struct source *s)
{
	struct tables *t = &x->out.t, *held = &x->t.held;
	size_t bytes;

	if (x->p.w.filed) {
		if (!x->told_many)
			fault((struct source *)(uintptr_t)s, NULL, COST_STATUS, s->name,
			      NOWHERE,
			      "more than %u MiB of names while events wait in a file: "
			      "begins that are open here stay without end",
			      (unsigned)(x->names_most >> 20));
		x->told_many = true;
		give_up(x);
	}
	/* Both import from tables with the strings of the old ones. */
	x->old = *t;
	x->old_held = *held;
	x->old_held.str = x->old.str;
	memset(t, 0, sizeof *t);
	memset(held, 0, sizeof *held);
	pair_types_reset(&x->t);
	tables_reset(t);
	x->import.types = x->import.strings = t;
	x->old.epoch = x->old_held.epoch = serial();
	import_from(&x->import, &x->old);
	import_from(&x->t.import, &x->old_held);
	wait_each(&x->p.w, renew, x);
	import_free(&x->import);
	memset(&x->import, 0, sizeof x->import);
	memset(&x->old_held.str, 0, sizeof x->old_held.str);
	tables_free(&x->old_held);
	tables_free(&x->old);
	import_from(&x->t.import, &s->t);
	bytes = t->bytes + t->str.bytes + 64 * (size_t)t->str.n + held->bytes;
	while (x->names_most < 2 * bytes)
		x->names_most *= 2;
	while (x->types_most < 2 * ((size_t)t->ntypes + held->ntypes))
		x->types_most *= 2;
}

/* A head of s is the engine's too. */
static void
take_head(struct pairing *x, struct source *s)
{
	struct tables t = x->out.t;

	x->out = *s;
	x->out.t = t;
	x->heads = s->heads;
}

/* What the events of a batch need comes into the cache: of a million begins none is there. */
static void
fetch(const struct pairing *x, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++)
		pairs_fetch_slot(&x->p, pair_key(x->key[j], 0));
	for (uint32_t j = 0; j < n; j++)
		if (x->ends[x->pick[j]])
			pairs_fetch_open(&x->p, pair_key(x->key[j], 0));
	for (uint32_t j = 0; j < n; j++)
		if (x->ends[x->pick[j]])
			pairs_fetch_rec(&x->p, pair_key(x->key[j], 0));
}

/* Whether an event can be held. A stream may say that its arguments share bytes, though no
 * writer of ours does: those would take more, or other ones, with new numbers. */
static bool
can_hold(struct pairing *x, struct source *s, const struct batch *b, uint32_t i)
{
	const struct rec *r = batch_rec(b, i);
	uint32_t held = pair_types_held(&x->t, s, r->type);

	if (likely(!x->t.type[held].parts) || pair_types_whole(&s->t.type[r->type], r))
		return true;
	fault(s, NULL, COST_EVENT, s->name, NOWHERE,
	      "event %llu is skipped: some of its arguments share their bytes",
	      (unsigned long long)(s->events - b->n + i + 1));
	return false;
}

/* Which events of a batch begin or end something: bits of rules. Gives how many do, whose
 * numbers are in x->pick. */
static uint32_t
mark(struct pairing *x, struct source *s, const struct batch *b)
{
	uint32_t pick[BATCH], n;

	memset(x->begins, 0, b->n * sizeof *x->begins);
	memset(x->ends, 0, b->n * sizeof *x->ends);
	memset(x->drops, 0, b->n * sizeof *x->drops);
	for (unsigned i = 0; i < x->nrules; i++) {
		const struct rule *r = &x->rule[i];

		n = expr_run(r->begin, s, b, pick);
		for (uint32_t k = 0; k < n; k++)
			x->begins[pick[k]] |= 1u << i;
		n = expr_run(r->end, s, b, pick);
		for (uint32_t k = 0; k < n; k++)
			x->ends[pick[k]] |= 1u << i;
		if (r->dropped) {
			n = expr_run(r->dropped, s, b, pick);
			for (uint32_t k = 0; k < n; k++)
				x->drops[pick[k]] |= 1u << i;
		}
		if (r->list)
			view_bind(r->list, &s->t, &s->head, s->heads, s->fmt->text);
	}
	n = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		x->pick[n] = i;
		n += (x->begins[i] | x->ends[i] | x->drops[i]) != 0 && can_hold(x, s, b, i);
	}
	return n;
}

/* The j-th event that was picked, by those rules that are among `rules`. */
static inline void
on_event(struct pairing *x, struct source *s, const struct batch *b, uint32_t j,
	 uint32_t rules)
{
	uint32_t i = x->at = x->pick[j];
	uint32_t begins = x->begins[i] & rules, ends = x->ends[i] & rules,
		 drops = x->drops[i] & rules;
	const struct rec *r = batch_rec(b, i);
	bool paired = !ends || begins;

	for (unsigned k = 0; ends; k++, ends >>= 1)
		if (ends & 1)
			paired |= act(x, s, r, k, x->key[j], end);
	if (!paired)
		lone_end(x, s, r);
	for (unsigned k = 0; drops; k++, drops >>= 1)
		if (drops & 1)
			act(x, s, r, k, x->key[j], drop);
	for (unsigned k = 0; begins; k++, begins >>= 1)
		if (begins & 1)
			act(x, s, r, k, x->key[j], begin);
}

/* The events of a batch by rules that were given. */
static void
by_given(struct pairing *x, struct source *s, const struct batch *b, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++) {
		uint32_t i = x->pick[j], begins = x->begins[i], ends = x->ends[i];
		const struct rec *r = batch_rec(b, i);
		bool paired = !ends || begins;

		for (unsigned k = 0; ends; k++, ends >>= 1)
			if (ends & 1)
				paired |= end(x, s, r, k, x->key[j]);
		if (unlikely(!paired))
			lone_end(x, s, r);
		for (unsigned k = 0; begins; k++, begins >>= 1)
			if (begins & 1)
				begin(x, s, r, k, x->key[j]);
	}
}

/* An event that has its duration: a state as a reader has found it. */
static void
lasting(struct pairing *x, struct source *s, const struct rec *e)
{
	uint32_t held = pair_types_held(&x->t, s, e->type);
	bool open = arg_named(&s->t.type[e->type], "open") != NULL;
	const struct made *m;
	struct rec *r;

	x->alone[0] += open;
	if (open && x->opt.drop)
		return;
	m = pair_types_made(&x->t, &x->out, NULL, NULL, held, NULL, 0,
			    open ? MADE_BEGIN : 0);
	r = wait_add(&x->p.w, e->len + m->delta);
	hold(x, s, r, e, held);
	pair_types_fill(&x->t, m, r, held, NULL, NULL);
}

/* The events of a batch by the rows of the schema. */
static void
by_row(struct pairing *x, struct source *s, const struct batch *b)
{
	uint32_t n = 0;

	x->nroles = x->role_epoch == s->t.epoch ? x->nroles : 0;
	x->role_epoch = s->t.epoch;
	x->role = grow(x->role, &x->rolecap, s->t.ntypes, sizeof *x->role);
	for (; x->nroles < s->t.ntypes; x->nroles++) {
		const struct type *ty = &s->t.type[x->nroles];

		x->role[x->nroles] = row_roles_of(&x->rows, ty->event, ty->event_len);
	}
	for (uint32_t i = 0; i < b->n; i++) {
		x->pick[n] = i;
		n += x->role[batch_rec(b, i)->type].state != 0 && can_hold(x, s, b, i);
	}
	keys_bind(&x->keys[0], s);
	keys_of(&x->keys[0], s, b, x->pick, n, x->key);
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, x->pick[j]);
		struct row_role role = x->role[r->type];
		unsigned rule = PAIR_RULES + role.state;

		if (role.begins &&
		    (r->has & HAS_DUR || arg_named(&s->t.type[r->type], "open") != NULL)) {
			lasting(x, s, r);
			continue;
		}
		if (role.ends && !end(x, s, r, rule, x->key[j]) && !role.point)
			lone_end(x, s, r);
		if (role.begins)
			begin(x, s, r, rule, x->key[j]);
	}
}

/* The same where each rule has keys of its own. */
static void
by_rule(struct pairing *x, struct source *s, const struct batch *b, uint32_t n)
{
	for (unsigned k = 0; k < x->nrules; k++)
		keys_bind(x->rule[k].keys, s);
	for (uint32_t j = 0; j < n; j++) {
		uint32_t i = x->pick[j], all = x->begins[i] | x->ends[i] | x->drops[i];

		for (unsigned k = 0; k < x->nrules; k++) {
			if (!(all >> k & 1))
				continue;
			keys_of(x->rule[k].keys, s, b, &x->pick[j], 1, &x->key[j]);
			on_event(x, s, b, j, 1u << k);
		}
	}
}

void
pairing_take(struct pairing *x, struct source *s, const struct batch *b)
{
	size_t bytes;
	uint32_t n;

	if (x->heads != s->heads) {
		if (x->by_schema)
			format_rules(x, s);
		take_head(x, s);
	}
	import_from(&x->t.import, &s->t);
	bytes = x->out.t.bytes + x->out.t.str.bytes + 64 * (size_t)x->out.t.str.n +
		x->t.held.bytes;
	if (bytes > x->names_most ||
	    (size_t)x->out.t.ntypes + x->t.held.ntypes > x->types_most)
		new_tables(x, s);
	n = mark(x, s, b);
	if (x->rows.names.n && !x->nrules) {
		by_row(x, s, b);
	} else if (x->by_schema) {
		by_rule(x, s, b, n);
	} else {
		keys_bind(&x->keys[0], s);
		keys_of(&x->keys[0], s, b, x->pick, n, x->key);
		if (pairs_many(&x->p))
			fetch(x, n);
		by_given(x, s, b, n);
	}
	give(x);
}

void
pairing_end(struct pairing *x, struct source *s)
{
	if (x->heads != s->heads)
		take_head(x, s);
	give_up(x);
	if (x->alone[0] | x->alone[1])
		fault(s, NULL, COST_NONE, s->name, NOWHERE,
		      "%llu begin%s without an end, %llu end%s without a begin%s",
		      (unsigned long long)x->alone[0], x->alone[0] == 1 ? "" : "s",
		      (unsigned long long)x->alone[1], x->alone[1] == 1 ? "" : "s",
		      x->opt.drop ? ": dropped" : "");
	x->alone[0] = x->alone[1] = 0;
	x->out.lost = s->lost;
	x->out.lost_before = s->lost_before;
	memcpy(x->out.lost_where, s->lost_where, sizeof s->lost_where);
	x->to.end(x->to.arg, &x->out);
	s->trouble |= x->out.trouble;
	tables_reset(&x->out.t);
	pair_types_reset(&x->t);
	x->heads = 0;
}

int
pairing_finish(struct pairing *x)
{
	int status = x->by_schema ? ST_OK : keys_finish(&x->keys[0]);

	for (unsigned i = 0; i < x->nrules && !x->by_schema; i++) {
		if (expr_finish(x->rule[i].begin, false) != ST_OK)
			status = ST_TROUBLE;
		if (expr_finish(x->rule[i].end, false) != ST_OK)
			status = ST_TROUBLE;
	}
	free_rules(x);
	row_roles_free(&x->rows);
	free(x->role);
	pairs_free(&x->p);
	pair_types_free(&x->t);
	tables_free(&x->out.t);
	free(x);
	return status;
}
