/*
 * ovni_state.c - durations of states (-D).
 *
 * Records come as without -D, and pass through the waiting area of common/pair: an enter waits there until it is
 * left, and later records wait for it. States nest in channels: a model's states in one, threads, tasks of OpenMP,
 * marks of each type and others in channels of their own. A leave ends the innermost state that it can leave;
 * states inside of that one stay open. The own time of a state (self) is its time without the states inside.
 * running= is the part of it in which the thread was running, or active, depending on the channel: each thread has
 * clocks that stop while it is not, and the difference of such a clock is taken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "input/fault.h"
#include "ovni/ovni_state.h"

/* Limit of open states: beyond it the older half stays open and is handed out. */
/* Bound: ovni | states that are open | events that enter | 131072 | states are open: the older half */
#define OPEN_MOST (1u << 17)
/* Limit of the marks that a pop is compared with. */
#define MARKS_DEEP 64
#define OPEN_MANY 1024 /* number of open states from which on prefetching pays */
/* Bound: ovni | events that wait in memory | events after an open state | 16 MiB | - */
#define WAIT_MOST (16u << 20) /* limit of the bytes of events that wait in memory */
/* Bound: ovni | states that -O cpu cuts | states that are open in one thread | 64 | states are open in a thread: the outer ones are not cut */
#define CUT_MOST 64
/* The last bytes of a record that waits have the length of its native bytes. */
#define WORTH 8

static void
meter_turn(struct meter *m, bool on, uint64_t clock)
{
	if (m->on)
		m->sum += nest_since(m->since, clock);
	m->since = clock;
	m->on = on;
}

/* Returns the clock of a thread that counts time as `counts` says, at the time `clock`. It has no branch, because
 * the kind differs from event to event. */
static inline uint64_t
counted(const struct thread *t, unsigned counts, uint64_t clock)
{
	const struct meter *m = &t->meter[counts];

	return m->sum + (nest_since(m->since, clock) & (0 - (uint64_t)m->on));
}

void
ovni_states_start(struct source *s)
{
	struct ovni *o = s->state;
	struct ovni_states *x = o->states = xcalloc(1, sizeof *x);
	size_t n;

	wait_start(&x->p.w, !(o->need & NEED_ORDER), WAIT_MOST);
	x->thread = xcalloc(o->n + 1, sizeof *x->thread);
	x->batch = xcalloc(1, sizeof *x->batch);
	x->raw = o->need & NEED_RAW;
	x->labels = o->need & NEED_ARGS;
	x->cpu = o->opt.cpu;
	x->events = ovni_events(&n);
	x->open = xcalloc(n * (o->n + 1), sizeof *x->open);
	for (size_t i = 0; i < o->n; i++) {
		x->thread[i].open = x->open + i * n;
		x->thread[i].meter[OVNI_ALWAYS].on = true;
		x->thread[i].cpu = -1;
	}
}

void
ovni_states_free(struct ovni *o)
{
	struct ovni_states *x = o->states;

	if (!x)
		return;
	nests_free(&x->p);
	free(x->thread);
	free(x->open);
	free(x->kind);
	free(x->batch);
	buf_free(&x->cut);
	free(x);
}

bool
ovni_states_hold(const struct ovni *o)
{
	return o->states && !wait_empty(&o->states->p.w);
}

/* Ends a state of the channel *last: it was left (closed), or stays open. Sets its duration and hands the record
 * out. */
static void
end_state(struct source *s, struct thread *t, uint32_t *last, uint32_t open, uint64_t clock,
	  bool closed)
{
	struct ovni_states *x = ((struct ovni *)s->state)->states;
	struct rec *r = wait_rec(&x->p.w, open);
	uint32_t type = r->type;
	const struct state_kind *k = &x->kind[type];
	uint8_t *more;
	struct lasting l =
	    nest_lasted(&x->p, open, clock, counted(t, k->event->counts, clock),
			x->p.nest[open].inner, clock);

	nest_pull(&x->p, last, open);
	t->open[k->opens]--;
	if (unlikely(!k->made[!closed].type))
		ovni_state_type(s, type, !closed);
	k = &x->kind[type];
	if (k->made[!closed].more)
		r = wait_grow(&x->p.w, open, r->len + k->made[!closed].more);
	more = rec_longer(&s->t, r, &k->made[!closed]);
	r->dur = closed ? (int64_t)l.dur : 0;
	r->has |= closed ? HAS_DUR : 0;
	if (!closed)
		*more = 1;
	if (k->cpu[!closed])
		st32((uint8_t *)r + k->cpu[!closed], (uint32_t)t->cpu);
	if (k->self[!closed]) {
		uint8_t *self = (uint8_t *)r + k->self[!closed];

		st64(self, l.self);
		st64(self + 8, l.counted < l.self ? l.counted : l.self);
	}
	wait_done(&x->p.w, open);
}

/* Ends the innermost state of the channel *last, as end_state does. */
static void
pop(struct source *s, struct thread *t, uint32_t *last, uint64_t clock, bool closed)
{
	end_state(s, t, last, *last - 1, clock, closed);
}

/* Returns the place with the last state of a record's channel, or NULL for a mark with an invalid type. */
static inline uint32_t *
channel(struct thread *t, const struct state_kind *k, const struct rec *r)
{
	uint32_t type = 0;

	if (k->event->labelled == OVNI_MARK) {
		type = k->type ? ld32((const uint8_t *)r + k->type) : OVNI_MARKS;
		if (type >= OVNI_MARKS)
			return NULL;
	}
	return &t->chan[k->event->chan + type];
}

/* Ends the older half of all states, which stay open. */
static COLD void
give_up(struct source *s, struct ovni_states *x)
{
	uint32_t n, *v = wait_opens(&x->p.w, &n);

	if (!x->halved)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "more than %u states are open: the older half of them stays open",
		      OPEN_MOST);
	x->halved = true;
	for (uint32_t i = 0; i < n / 2; i++) {
		const struct rec *r = wait_rec(&x->p.w, v[i]);
		struct thread *t = &x->thread[r->dur];

		end_state(s, t, channel(t, &x->kind[r->type], r), v[i], t->last, false);
	}
	free(v);
}

/* Returns true if the waiting state `open` was entered by e and, if `value` is not NULL, with that value of a
 * mark. */
static bool
is_partner(const struct ovni_states *x, uint32_t open, const struct ovni_event *e,
	   const uint64_t *value)
{
	const struct rec *r = wait_rec(&x->p.w, open);
	const struct state_kind *k = &x->kind[r->type];

	return k->event == e && (!value || ld64((const uint8_t *)r + k->value) == *value);
}

/* Returns true if the last MARKS_DEEP states have one that a pop of this mark's value can leave. */
static bool
mark_there(const struct ovni_states *x, uint32_t last, const struct ovni_event *e,
	   const uint64_t *value)
{
	uint32_t open = last - 1;

	for (unsigned deep = 0; open != WAIT_NONE && deep < MARKS_DEEP; deep++) {
		if (is_partner(x, open, e, value))
			return true;
		open = x->p.nest[open].below;
	}
	return false;
}

/* Ends the innermost state of e, which a leave ends; states inside of it stay open. `value` is the value of a mark,
 * else NULL. Returns false if no such state is open. */
static INLINE bool
leave(struct source *s, struct thread *t, uint32_t *last, const struct ovni_event *e,
      const uint64_t *value, uint64_t clock)
{
	struct ovni_states *x = ((struct ovni *)s->state)->states;
	bool found = false;

	if (!t->open[e - x->events] || (value && !mark_there(x, *last, e, value)))
		return false;
	while (*last && !found) {
		found = is_partner(x, *last - 1, e, value);
		pop(s, t, last, clock, found);
	}
	return found;
}

/* Copies a record, and its native bytes if they are needed, to its place in the waiting area. */
static inline void
state_put(const struct ovni_states *x, struct rec *to, const struct rec *r, struct span raw)
{
	uint8_t *p = (uint8_t *)to + r->len;

	wait_copy(to, r);
	if (!x->raw)
		return;
	memcpy(p, raw.p, raw.n);
	to->len += (uint32_t)merge_raw_size(raw.n);
	st64((uint8_t *)to + to->len - WORTH, raw.n);
}

static inline uint32_t
length(const struct ovni_states *x, const struct rec *r, struct span raw)
{
	return r->len + (x->raw ? (uint32_t)merge_raw_size(raw.n) : 0);
}

/* Adds the label of a task to a record in the waiting area. */
static inline void
put_label(const struct source *s, const struct ovni_states *x, struct rec *to, uint32_t sym)
{
	st32(rec_longer(&s->t, to, &x->kind[to->type].labelled), sym - 1);
}

/* Returns by how many bytes put_label will make the record longer. Sets *sym to the number,
 * plus 1, of the string that labels the type of the event's task, or to 0 if it has no
 * label. */
static inline uint32_t
label_room(struct source *s, struct ovni_states *x, const struct rec *r, uint32_t *sym)
{
	const struct state_kind *k = &x->kind[r->type];
	struct ovni_stream *st = &((struct ovni *)s->state)->st[r->dur];

	*sym = !k->id ? 0
		      : ovni_names_label(s, st, k->event, ld32((const uint8_t *)r + k->id),
					 &x->thread[r->dur].task);
	if (!*sym)
		return 0;
	if (unlikely(!k->labelled.type))
		ovni_state_label(s, r->type);
	return x->kind[r->type].labelled.more;
}

/* Adds an event that neither begins nor ends a state to the waiting area. */
static void
plain(struct source *s, struct ovni_states *x, const struct rec *r, struct span raw)
{
	uint32_t sym, more = label_room(s, x, r, &sym);
	struct rec *to = wait_add(&x->p.w, length(x, r, raw) + more);

	state_put(x, to, r, raw);
	to->dur = 0;
	if (sym)
		put_label(s, x, to, sym);
}

/* Begins a state with the event r. */
static void
push(struct source *s, struct ovni_states *x, const struct rec *r, struct span raw,
     struct thread *t, uint32_t *last, uint64_t clock)
{
	const struct ovni_event *e = x->kind[r->type].event;
	uint32_t sym, more = label_room(s, x, r, &sym), open;

	if (unlikely(x->p.w.opens == OPEN_MOST))
		give_up(s, x);
	open = wait_open(&x->p.w,
			 length(x, r, raw) + more + (e->counts != OVNI_NEVER ? 16 : 0));
	state_put(x, wait_rec(&x->p.w, open), r, raw);
	if (sym)
		put_label(s, x, wait_rec(&x->p.w, open), sym);
	nest_push(&x->p, last, open, clock, counted(t, e->counts, clock));
	t->open[x->kind[r->type].opens]++;
}

/* Handles an event of a value, a thread or a mark. */
static void
on_other(struct source *s, struct ovni_states *x, const struct rec *r, struct span raw,
	 struct thread *t, uint64_t clock)
{
	const struct state_kind *k = &x->kind[r->type];
	const struct ovni_event *e = k->event;
	char v = e->mcv[2];
	bool thread = e->mcv[0] == 'O' && e->mcv[1] == 'H', running = v == 'x' || v == 'r';
	uint32_t *last = channel(t, k, r);
	uint64_t value;

	if (!last) {
		plain(s, x, r, raw);
		return;
	}
	if (e->labelled == OVNI_MARK)
		value = ld64((const uint8_t *)r + k->value);
	if (e->role == OVNI_LEAVE) {
		if (!e->other || !leave(s, t, last, e->other,
					e->labelled == OVNI_MARK ? &value : NULL, clock))
			plain(s, x, r, raw);
		return;
	}
	/* A value ends the previous one, as does the end of a thread. */
	if ((e->role == OVNI_VALUE || thread) && v != 'C' && *last &&
	    x->kind[wait_rec(&x->p.w, *last - 1)->type].event->role == OVNI_VALUE)
		pop(s, t, last, clock, true);
	if (thread && v != 'C') {
		meter_turn(&t->meter[OVNI_RUNNING], running, clock);
		meter_turn(&t->meter[OVNI_ACTIVE], running || v == 'c' || v == 'w', clock);
	}
	if (e->role == OVNI_POINT)
		plain(s, x, r, raw);
	else
		push(s, x, r, raw, t, last, clock);
}

/* Ends the states of a chain at the time `clock`, and begins them again, so that each part is on one CPU. States that
 * began at that time stay as they are, and so do those around CUT_MOST others. */
static void
cut_chain(struct source *s, struct ovni_states *x, struct thread *t, uint32_t *last,
	  uint64_t clock)
{
	size_t at[CUT_MOST] = {0};
	uint32_t n = 0;

	x->cut.n = 0;
	for (; *last && x->p.nest[*last - 1].begin < clock; n++) {
		const struct rec *r = wait_rec(&x->p.w, *last - 1);

		if (n == CUT_MOST) {
			if (!x->deep)
				fault(s, NULL, COST_STATUS, s->name, NOWHERE,
				      "more than %u states are open in a thread: the outer "
				      "ones are not cut by CPU",
				      CUT_MOST);
			x->deep = true;
			break;
		}
		at[n] = x->cut.n;
		buf_add(&x->cut, r, r->len);
		pop(s, t, last, clock, true);
	}
	/* The outermost state was copied last. */
	while (n--) {
		const struct rec *r = (const struct rec *)(const void *)(x->cut.p + at[n]);
		uint32_t open = wait_open(&x->p.w, r->len + 32);
		struct rec *to = wait_rec(&x->p.w, open);

		memcpy(to, r, r->len);
		to->time = (int64_t)(clock ^ 1ull << 63);
		nest_push(&x->p, last, open, clock,
			  counted(t, x->kind[r->type].event->counts, clock));
		t->open[x->kind[r->type].opens]++;
	}
}

/* Sets the CPU of a thread, and cuts its states there. */
static void
move_thread(struct source *s, struct ovni_states *x, struct thread *t, int32_t cpu,
	    uint64_t clock)
{
	if (t->cpu == cpu)
		return;
	/* Native records are written once, so states of -n stay whole. */
	for (unsigned i = 0; i < OVNI_CHANS && !x->raw; i++)
		cut_chain(s, x, t, &t->chan[i], clock);
	t->cpu = cpu;
}

/* Returns true if two streams are of one process. */
static bool
same_process(const struct ovni_stream *a, const struct ovni_stream *b)
{
	return a->loom && b->loom && a->pid && b->pid && !strcmp(a->loom, b->loom) &&
	       !strcmp(a->pid, b->pid);
}

/* Handles an event that says on which CPU a thread runs: its own, or another one of its process. */
static COLD void
on_move(struct source *s, struct ovni_states *x, const struct rec *r, uint64_t clock)
{
	const struct ovni *o = s->state;
	const struct state_kind *k = &x->kind[r->type];
	int32_t cpu = (int32_t)ld32((const uint8_t *)r + k->to_cpu);
	char tid[16];

	if (!k->tid) {
		move_thread(s, x, &x->thread[r->dur], cpu, clock);
		return;
	}
	snprintf(tid, sizeof tid, "%d", (int32_t)ld32((const uint8_t *)r + k->tid));
	for (size_t i = 0; i < o->n; i++)
		if (o->st[i].tid && !strcmp(o->st[i].tid, tid) &&
		    same_process(&o->st[i], &o->st[r->dur]))
			move_thread(s, x, &x->thread[i], cpu, clock);
}

static inline void
on_record(struct source *s, struct ovni_states *x, const struct rec *r, struct span raw)
{
	const struct state_kind *k = &x->kind[r->type];
	struct thread *t = &x->thread[r->dur];
	/* The clock is not a time: use the time of the previous event. */
	uint64_t origin = ((struct ovni *)s->state)->origin;
	bool wild = (uint64_t)r->time + origin >= OVNI_KEYS - 1;
	uint64_t clock = wild ? t->last : (uint64_t)r->time ^ 1ull << 63;
	const struct ovni_event *e = k->event;

	t->last = clock > t->last ? clock : t->last;
	if (unlikely(k->to_cpu))
		on_move(s, x, r, t->last);
	switch (k->act) {
	case ENTERS: push(s, x, r, raw, t, &t->chan[k->chan], clock); return;
	case LEAVES:
		if (leave(s, t, &t->chan[k->chan], e->other, NULL, clock))
			return;
		break;
	case OTHER: on_other(s, x, r, raw, t, clock); return;
	default: break;
	}
	plain(s, x, r, raw);
}

void
ovni_states_end(struct source *s)
{
	struct ovni *o = s->state;

	/* These states lasted at least to the end of their stream. */
	for (size_t i = 0; i < o->n; i++) {
		struct thread *t = &o->states->thread[i];

		for (unsigned k = 0; k < OVNI_CHANS; k++)
			while (t->chan[k])
				pop(s, t, &t->chan[k], t->last, false);
	}
}

/* Prefetches into the cache what the records of a batch need elsewhere in memory. */
static void
fetch(const struct source *s, struct ovni_states *x)
{
	const struct ovni *o = s->state;
	const struct batch *b = x->batch;
	uint32_t last[BATCH], n = 0;

	if (x->p.w.opens < OPEN_MANY && !ovni_names_many(o))
		return;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		const struct state_kind *k = &x->kind[r->type];

		if (k->id && k->event->role != OVNI_LEAVE)
			ovni_names_fetch(s, &o->st[r->dur], k->event,
					 ld32((const uint8_t *)r + k->id));
	}
	if (x->p.w.opens < OPEN_MANY)
		return;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		const struct state_kind *k = &x->kind[r->type];
		const struct thread *t = &x->thread[r->dur];

		touch(&t->last);
		touch(&t->meter[OVNI_RUNNING]);
		touch(t->open + k->opens);
		last[n] = t->chan[k->chan] - 1;
		n += last[n] != WAIT_NONE;
	}
	for (uint32_t i = 0; i < n; i++) {
		touch(&x->p.w.open[last[i]]);
		touch(&x->p.nest[last[i]]);
	}
	for (uint32_t i = 0; i < n; i++)
		wait_fetch(&x->p.w, last[i]);
}

bool
ovni_states_next(struct source *s, struct batch *b,
		 bool (*next)(struct source *s, struct batch *b))
{
	struct ovni *o = s->state;
	struct ovni_states *x = o->states;

	while (!wait_next(&x->p.w, b)) {
		if (x->ended)
			return false;
		/* The tables of types are full, and records that wait use them. */
		if (o->nplans >= OVNI_PLANS && x->p.w.opens) {
			if (!x->given_up)
				fault(s, NULL, COST_STATUS, s->name, NOWHERE,
				      "more than %u kinds of events: states that "
				      "are open here stay open",
				      OVNI_PLANS);
			x->given_up = true;
			ovni_states_end(s);
		}
		if (!next(s, x->batch)) {
			ovni_states_end(s);
			x->ended = true;
			continue;
		}
		ovni_state_bind(s, x);
		fetch(s, x);
		for (uint32_t i = 0; i < x->batch->n; i++)
			on_record(s, x, batch_rec(x->batch, i), x->batch->raw[i]);
	}
	for (uint32_t i = 0; x->raw && i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);
		const uint8_t *end = (const uint8_t *)r + r->len;
		size_t raw = (size_t)ld64(end - WORTH);

		b->raw[i] = (struct span){end - merge_raw_size(raw), raw};
	}
	return true;
}
