/*
 * ovni_state.c - how long states last (-D).
 *
 * That is known only where a state is left, which may be at the other end of the trace. So
 * streams are walked first, and what is found goes to a temporary file: for each enter and
 * each leave some words of 8 bytes, in the order of the stream. Reading it beside the
 * stream takes no memory to speak of.
 *
 * States nest in channels: the states of a model in one, threads, tasks of OpenMP, marks of
 * each type and others in channels of their own. The time of a state in itself is what is
 * left of it without the states within it. Of that a viewer counts what the thread was
 * running, or active, whichever the channel says; both are kept as clocks that stand while
 * the thread does not, and of a state the difference is taken.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "ovni/ovni_trace.h"

/* States that may be open at a time in a thread: beyond, the outer half of the fullest
 * channel is given up and stays open. */
#define OPEN_MOST (1u << 16)
/* Marks that a pop looks through for its value. */
#define MARKS_DEEP 64
#define WORDS (OVNI_PAGE / sizeof(int64_t)) /* of a page */
#define WORDS_MOST 3			    /* of an event */
#define KNOWN 1024			    /* events by their first four bytes */

/* A state that was entered and not yet left. */
struct state {
	uint64_t number; /* of its first word */
	uint64_t clock, counted;
	uint64_t inner, inner_counted; /* of states within it that are over */
	int64_t value;		       /* of a mark */
	const struct ovni_event *event;
	uint32_t below; /* the state around it, or the next free one; 0: none */
};

struct channel {
	uint32_t top, n;
};

/* Time that stands while the thread does not. */
struct meter {
	uint64_t sum, since;
	bool on;
};

struct walk {
	struct source *s;
	struct ovni *o;
	struct ovni_stream *st;
	uint64_t base; /* word of the stream's first */
	uint64_t last; /* the greatest clock */
	struct meter running, active;
	struct channel chan[OVNI_CHANS];
	struct state *state; /* [0] is none */
	size_t cap, used;
	uint32_t free, n;
	const struct ovni_event *events;
	uint32_t *open; /* by event: how many are open */
	struct {
		uint32_t head;
		bool known;
		const struct ovni_event *e;
	} known[KNOWN];
};

unsigned
ovni_pair_words(const struct ovni_event *e)
{
	if (!e || e->role == OVNI_POINT)
		return 0;
	return e->role == OVNI_LEAVE || e->counts == OVNI_NEVER ? 1 : WORDS_MOST;
}

/* n words of an event, beginning with a number. */
static inline void
put_words(struct walk *x, uint64_t number, const int64_t *v, unsigned n)
{
	struct ovni_pages *p = &x->o->pairs;
	uint64_t at = x->base + number;

	while (n) {
		uint64_t page = at / WORDS;
		unsigned slot = (unsigned)page & (p->held - 1), in = at % WORDS;
		unsigned k = n < WORDS - in ? n : (unsigned)WORDS - in;
		uint8_t *to = p->mem + (size_t)slot * OVNI_PAGE;

		if (unlikely(p->slot[slot].page != page))
			to = ovni_pages_get(p, page);
		p->slot[slot].dirty = true;
		for (unsigned i = 0; i < k; i++)
			memcpy(to + (in + i) * sizeof *v, v + i, sizeof *v);
		v += k;
		at += k;
		n -= k;
	}
}

static inline void
put_word(struct walk *x, uint64_t number, int64_t v)
{
	put_words(x, number, &v, 1);
}

static inline uint64_t
since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static void
meter_turn(struct meter *m, bool on, uint64_t clock)
{
	if (m->on)
		m->sum += since(m->since, clock);
	m->since = clock;
	m->on = on;
}

static inline uint64_t
meter_read(const struct meter *m, uint64_t clock)
{
	return m->sum + (m->on ? since(m->since, clock) : 0);
}

static inline uint64_t
counted(const struct walk *x, unsigned counts, uint64_t clock)
{
	switch (counts) {
	case OVNI_ALWAYS: return clock;
	case OVNI_RUNNING: return meter_read(&x->running, clock);
	case OVNI_ACTIVE: return meter_read(&x->active, clock);
	default: return 0;
	}
}

/* A state that a thread is in from now on. */
static void
set_thread(struct walk *x, const struct ovni_event *e, uint64_t clock)
{
	char v = e->mcv[2];
	bool running = v == 'x' || v == 'r';

	if (v == 'C')
		return;
	meter_turn(&x->running, running, clock);
	meter_turn(&x->active, running || v == 'c' || v == 'w', clock);
}

/* The words of a state, which is over, or given up where it is not closed. */
static void
put_state(struct walk *x, struct state *k, struct state *around, uint64_t clock,
	  bool closed)
{
	unsigned counts = k->event->counts;
	uint64_t span = since(k->clock, clock);
	uint64_t self = since(k->inner, span);
	uint64_t all = since(k->counted, counted(x, counts, clock));
	uint64_t count = since(k->inner_counted, all);
	int64_t words[WORDS_MOST] = {closed ? (int64_t)span : OVNI_OPEN, (int64_t)self,
				     (int64_t)(count < self ? count : self)};

	put_words(x, k->number, words, counts == OVNI_NEVER ? 1 : WORDS_MOST);
	if (around) {
		around->inner += span;
		around->inner_counted += all;
	}
}

/* The innermost state of a channel ends. */
static void
pop(struct walk *x, struct channel *c, uint64_t clock, bool closed)
{
	uint32_t i = c->top;
	struct state *k = &x->state[i];

	put_state(x, k, k->below ? &x->state[k->below] : NULL, clock, closed);
	x->open[k->event - x->events]--;
	c->top = k->below;
	c->n--;
	k->below = x->free;
	x->free = i;
	x->n--;
}

/* The outer half of the fullest channel is given up. */
static COLD void
give_up(struct walk *x, uint64_t clock)
{
	struct channel *c = x->chan;
	uint32_t i, next;

	for (i = 1; i < OVNI_CHANS; i++)
		c = x->chan[i].n > c->n ? &x->chan[i] : c;
	i = c->top;
	for (uint32_t k = c->n / 2; k > 1; k--)
		i = x->state[i].below;
	next = x->state[i].below;
	x->state[i].below = 0;
	while ((i = next)) {
		struct state *k = &x->state[i];

		next = k->below;
		put_state(x, k, NULL, clock, false);
		x->open[k->event - x->events]--;
		k->below = x->free;
		x->free = i;
		c->n--;
		x->n--;
	}
}

static void
push(struct walk *x, struct channel *c, const struct ovni_event *e, uint64_t number,
     uint64_t clock, int64_t value)
{
	struct state *k;
	uint32_t i;

	if (x->n == OPEN_MOST)
		give_up(x, clock);
	if ((i = x->free)) {
		x->free = x->state[i].below;
	} else {
		x->state = grow(x->state, &x->cap, x->used + 1, sizeof *x->state);
		i = (uint32_t)x->used++;
	}
	k = &x->state[i];
	*k = (struct state){.number = number,
			    .clock = clock,
			    .counted = counted(x, e->counts, clock),
			    .value = value,
			    .event = e,
			    .below = c->top};
	c->top = i;
	c->n++;
	x->n++;
	x->open[e - x->events]++;
}

/* Whether the leave of a mark's value has an enter near the top. */
static bool
mark_there(const struct walk *x, const struct channel *c, const struct ovni_event *enter,
	   int64_t value)
{
	uint32_t i = c->top;

	for (unsigned deep = 0; i && deep < MARKS_DEEP; deep++) {
		if (x->state[i].event == enter && x->state[i].value == value)
			return true;
		i = x->state[i].below;
	}
	return false;
}

/* The leave of the innermost state that it can leave; those inside of that stay open. */
static bool
leave(struct walk *x, struct channel *c, const struct ovni_event *e, uint64_t clock,
      int64_t value)
{
	const struct ovni_event *enter = e->other;
	bool mark = e->labelled == OVNI_MARK, found = false;

	if (!enter || !x->open[enter - x->events] ||
	    (mark && !mark_there(x, c, enter, value)))
		return false;
	while (c->n && !found) {
		const struct state *top = &x->state[c->top];

		found = top->event == enter && (!mark || top->value == value);
		pop(x, c, clock, found);
	}
	return found;
}

/* Value and channel of a mark; false where they are none. */
static bool
mark_of(struct walk *x, const uint8_t *data, size_t n, int64_t *value, struct channel **c)
{
	uint32_t type;
	uint64_t v;

	if (n < 12)
		return false;
	v = x->st->swap ? swap64(ld64(data)) : ld64(data);
	type = x->st->swap ? swap32(ld32(data + 8)) : ld32(data + 8);
	if (type >= OVNI_MARKS)
		return false;
	*value = (int64_t)v;
	*c += type;
	return true;
}

/* An event that is in the table; `number` is that of its first word. */
static void
on_event(struct walk *x, const struct ovni_event *e, uint64_t number, uint64_t clock,
	 const uint8_t *data, size_t n)
{
	struct channel *c = &x->chan[e->chan];
	bool thread = e->mcv[0] == 'O' && e->mcv[1] == 'H';
	int64_t value = 0;

	x->last = clock > x->last ? clock : x->last;
	if (e->names)
		ovni_names_event(x->s, x->st, e, data, n);
	if (e->role == OVNI_POINT && !thread)
		return;
	if (e->labelled == OVNI_MARK && !mark_of(x, data, n, &value, &c)) {
		put_word(x, number, OVNI_PLAIN);
		return;
	}
	if (e->role == OVNI_LEAVE) {
		put_word(x, number, leave(x, c, e, clock, value) ? OVNI_DROP : OVNI_OPEN);
		return;
	}
	/* A value ends the one before it, and so does the end of a thread. */
	if ((e->role == OVNI_VALUE || thread) && e->mcv[2] != 'C' && c->n &&
	    x->state[c->top].event->role == OVNI_VALUE)
		pop(x, c, clock, true);
	if (thread)
		set_thread(x, e, clock);
	if (e->role != OVNI_POINT)
		push(x, c, e, number, clock, value);
}

/* Any event that ovni_settle has found. */
static void
on_frame(struct walk *x, struct ovni_cursor *c, const struct ovni_frame *f)
{
	const struct ovni_event *e = ovni_event(f->p + 1);
	size_t have = f->cut ? 0 : (size_t)f->ndata;
	/* A clock that is no time: it happens where it lies. */
	bool none = (f->clock | (f->clock + c->add)) >= OVNI_KEYS;
	uint64_t clock = none ? x->last : f->clock;

	x->last = clock > x->last ? clock : x->last;
	if (!e)
		return;
	on_event(x, e, c->pair, clock, f->data, have);
	c->pair += ovni_pair_words(e);
}

/* Events without jumbo data that are whole in memory. */
static void
fast(struct walk *x, struct ovni_cursor *c)
{
	const uint8_t *p = c->p;
	uint64_t last = c->last, pair = c->pair;

	while (p < c->fast) {
		uint32_t head = ld32(p);
		uint64_t clock = ld64(p + 4), key = clock + c->add;
		unsigned nibble = head & 15, at = head * OVNI_HASH >> 22;
		const struct ovni_event *e;

		if (unlikely(head & (OVNI_RESERVED | OVNI_JUMBO) ||
			     (key | clock) >= OVNI_KEYS))
			break;
		if (unlikely(x->known[at].head != head || !x->known[at].known)) {
			if (!ovni_printable(p))
				break;
			x->known[at].head = head;
			x->known[at].known = true;
			x->known[at].e = ovni_event(p + 1);
		}
		e = x->known[at].e;
		if (e && (e->role != OVNI_POINT || e->names || e->mcv[1] == 'H')) {
			if (e->mcv[0] == 'O' && e->mcv[1] == 'U')
				break;
			on_event(x, e, pair, clock, p + OVNI_EVENT,
				 nibble ? nibble + 1 : 0);
			pair += ovni_pair_words(e);
		} else if (clock > x->last)
			x->last = clock;
		last = key > last ? key : last;
		p += OVNI_EVENT + nibble + (nibble != 0);
	}
	c->p = p;
	c->last = last;
	c->pair = pair;
}

/* A stream as it lies. False at the first unordered region where it stops at one. */
static bool
in_order(struct walk *x, bool stop)
{
	struct ovni_cursor *c = ovni_cursor_new(x->st, 0, UINT64_MAX);
	struct ovni_frame f;

	c->quiet = true;
	do {
		fast(x, c);
		if (c->p >= c->fast && ovni_refill(x->s, c))
			continue;
		if (!ovni_settle(x->s, c, &f))
			break;
		if (stop && !memcmp(f.p + 1, "OU[", 3)) {
			ovni_cursor_free(c);
			return false;
		}
		c->last = ovni_key(c, f.clock);
		on_frame(x, c, &f);
		ovni_pass(x->s, c, &f);
	} while (true);
	x->o->pairs_end = x->base + c->pair;
	ovni_cursor_free(c);
	return true;
}

/* A stream with regions: its events in their time. */
static void
in_time(struct walk *x)
{
	struct ovni_turns *t = ovni_turns_new(x->s, x->st, &x->o->own);
	const struct ovni_turn *e;
	uint64_t words = 0;

	while ((e = ovni_turns_next(t))) {
		on_frame(x, e->c, &e->f);
		words = e->c->pair > words ? e->c->pair : words;
	}
	ovni_turns_free(t);
	x->o->pairs_end = x->base + words;
}

/* A walk of a stream that begins. */
static struct walk *
walk_new(struct source *s, size_t stream)
{
	struct ovni *o = s->state;
	struct walk *x = xcalloc(1, sizeof *x);
	size_t n;

	*x = (struct walk){.s = s, .o = o, .st = &o->st[stream], .used = 1};
	x->base = o->pairs_at[stream] = o->pairs_end;
	if (x->st->first < OVNI_KEYS)
		x->last = x->st->first - x->st->add;
	x->events = ovni_events(&n);
	x->open = xcalloc(n, sizeof *x->open);
	return x;
}

static void
walk_free(struct walk *x)
{
	free(x->state);
	free(x->open);
	free(x);
}

void
ovni_pair(struct source *s, size_t stream)
{
	struct ovni *o = s->state;
	struct ovni_stream *st = &o->st[stream];
	struct walk *x;

	if (st->failed)
		return;
	/* A pipe that could not be copied cannot be read twice. */
	if (st->in && !st->in->eof && o->pairs_fd >= 0) {
		close(o->pairs_fd);
		o->pairs_fd = -1;
	}
	if (o->pairs_fd < 0) {
		if (o->merged)
			ovni_scan(s, stream, NULL);
		return;
	}
	x = walk_new(s, stream);
	if (!in_order(x, o->merged)) {
		walk_free(x);
		ovni_runs_clear(&o->own);
		ovni_scan(s, stream, &o->own);
		ovni_runs_start(s, &o->own);
		x = walk_new(s, stream);
		if (ovni_runs_key(&o->own) != MERGE_END)
			in_time(x);
		else
			in_order(x, false);
	}
	/* What is open stays so; it lasted to the end at least. */
	for (unsigned i = 0; i < OVNI_CHANS; i++)
		while (x->chan[i].n)
			pop(x, &x->chan[i], x->last, false);
	walk_free(x);
}

int64_t
ovni_next_word(struct source *s, struct ovni_cursor *c)
{
	struct ovni *o = s->state;
	uint64_t number = c->pair++;

	if (o->pairs_fd < 0)
		return OVNI_OPEN;
	if (c->pairs_at == UINT64_MAX || number < c->pairs_at ||
	    number - c->pairs_at >= c->npairs) {
		uint64_t at = o->pairs_at[c->st - o->st] + number;
		/* 2 to 16 KiB at a time, by how many streams there are, but no more than a
		 * short run can have: there may be many. */
		size_t side = o->room / 32, got;
		uint64_t most = (c->stop - c->from) / OVNI_EVENT * WORDS_MOST;
		int err; /* unknown is all it can be */

		side = most < side ? (size_t)most + 1 : side;
		if (!c->pairs)
			c->pairs = xcalloc(side, sizeof *c->pairs);
		got = in_at(o->pairs_fd, c->pairs, side * sizeof *c->pairs,
			    at * sizeof *c->pairs, &err);
		c->pairs_at = number;
		c->npairs = (unsigned)(got / sizeof *c->pairs);
		if (!c->npairs)
			return OVNI_OPEN;
	}
	return c->pairs[number - c->pairs_at];
}
