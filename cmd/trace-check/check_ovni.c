/* check_ovni.c - the rules of ovni about threads, processors, regions and marks: see check_ovni.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-check/check_ovni.h"

static const char *const args[] = {OVNI_ARGUMENTS(LIST_TEXT) NULL};
#define OVNI_IDS_NAME "types, cpus, ranks and labels"
static const struct map_kind maps[] = {
    [TYPES] = {OVNI_IDS_NAME, OVNI_IDS},     [CPUS] = {OVNI_IDS_NAME, OVNI_IDS},
    [TIDS] = {OVNI_IDS_NAME, OVNI_IDS},	     [RANKS] = {OVNI_IDS_NAME, OVNI_IDS},
    [RANKS_OF] = {OVNI_IDS_NAME, OVNI_IDS},  [LABELS] = {OVNI_IDS_NAME, OVNI_IDS},
    [BODIES] = {"task bodies", OVNI_BODIES}, {0},
};

#define DEPTH_MOST 512	    /* regions that the emulator keeps open in a channel */
#define LONG_FLUSH 10000000 /* ns */

/* Ends a message: when an event is, by the state of t. */
#define WHEN "%s OH%c"
#define when(t) (t)->state ? "after" : "before", (t)->state ? (t)->state : 'x'

/* Returns true if the state of t is one of `states`, or is not known because the input is a part of a trace. */
static bool
is_in(const struct ovni_check *x, const struct ovni_thread *t, const char *states)
{
	return t->state ? strchr(states, t->state) != NULL : x->c->part;
}

/* Gives the state `state` and the processor `cpu` to t. */
static void
move(struct ovni_check *x, struct ovni_thread *t, char state, int64_t cpu)
{
	uint64_t me = thread_number(x, t) + 1ull;
	struct map_entry *e = map_find(x->c, CPUS, (uint64_t)t->cpu, t->loom);

	if (e && e->v[RUNS] == me)
		e->v[RUNS] = 0;
	t->state = state;
	t->may[0] = state == 'x' || state == 'r';
	t->may[1] = t->may[0] || state == 'c' || state == 'w';
	t->cpu = cpu;
	if (!t->may[0] || cpu < 0)
		return;
	e = map_put(x->c, CPUS, (uint64_t)cpu, t->loom);
	if (e->v[RUNS])
		find_with(x->c, BAD_CPU_BUSY,
			  since(x, &x->thread[e->v[RUN_BY]], e->v[RUN_MARK]),
			  "thread %.100s runs on cpu " I64 " already",
			  x->thread[e->v[RUNS] - 1].name, cpu);
	e->v[RUNS] = me;
	e->v[RUN_MARK] = mark_now(x);
	e->v[RUN_BY] = thread_number(x, x->t);
}

/* Returns the processor that the current event names, -2 if none. */
static int64_t
cpu_of(struct ovni_check *x)
{
	const struct ovni_thread *loom = &x->thread[x->t->loom];
	const struct map_entry *e;
	uint64_t cpu;

	if (!argument_number(x->c, ARG_CPU, &cpu))
		return -2;
	e = map_find(x->c, CPUS, cpu, x->t->loom);
	if (cpu != UINT64_MAX && (!e || !e->v[LISTED]) && loom->has_cpus)
		find(x->c, BAD_CPU_KNOWN, "no cpu of loom %.100s has the index " I64,
		     loom->name, cpu);
	return (int64_t)cpu;
}

/* Takes OHx, OHp and the other events of a thread's state. */
static void
state_event(struct ovni_check *x, char value)
{
	struct ovni_thread *t = x->t;
	const char *from = value == 'x'			  ? "e"
			   : value == 'e' || value == 'p' ? "xrc"
			   : value == 'r'		  ? "pw"
			   : value == 'c'		  ? "xr"
			   : value == 'w'		  ? "p"
							  : NULL;

	if (!from)
		return;
	if (!is_in(x, t, from) && (t->state || value != 'x'))
		find_with(x->c, BAD_TH_STATE, since(x, x->t, t->state_mark), "OH%c " WHEN,
			  value, when(t));
	move(x, t, value, value == 'x' ? cpu_of(x) : t->cpu);
	t->state_said = false;
	t->state_mark = mark_now(x);
}

static void
affinity_event(struct ovni_check *x, char value)
{
	struct ovni_thread *to = x->t;
	struct map_entry *e;
	uint64_t tid;

	if (value == 'r' && argument_number(x->c, ARG_TID, &tid)) {
		e = map_find(x->c, TIDS, tid, to->loom);
		if (!e && !x->c->part)
			find(x->c, BAD_AFFINITY_REMOTE,
			     "no thread of the loom has the id " I64, tid);
		if (!e)
			return;
		to = &x->thread[e->v[TID_THREAD] - 1];
		if (!is_in(x, to, "xrcwp"))
			find_with(x->c, BAD_AFFINITY_REMOTE, since(x, to, to->state_mark),
				  "of thread " I64 " " WHEN, tid, when(to));
	} else if (!is_in(x, to, "xrcw"))
		find_with(x->c, BAD_AFFINITY, since(x, x->t, to->state_mark), "OAs " WHEN,
			  when(to));
	move(x, to, to->state, cpu_of(x));
}

/* Enters a region: adds it to the stack *top. With `other`, it must not be the innermost region already. */
static void
enter(struct ovni_check *x, const struct ovni_event *e, uint64_t value, uint32_t *top,
      bool other)
{
	const struct open_region *o = *top ? &x->open[*top - 1] : NULL;
	uint32_t depth = o ? o->depth + 1 : 1, i = x->open_free;

	if (other && o && o->event == e)
		find_with(x->c, BAD_NEST_SAME, since(x, x->t, o->mark),
			  "%s is entered again", e->mcv);
	if (depth == DEPTH_MOST + 1)
		find(x->c, BAD_NEST_DEPTH, "%s: %u regions are open", e->mcv, depth);
	if (i)
		x->open_free = x->open[i - 1].below;
	else if (x->nopen == OVNI_OPEN) {
		check_limit(x->c, "open regions", OVNI_OPEN);
		return;
	} else {
		PUSH(x->open, x->nopen, x->open_cap);
		i = (uint32_t)x->nopen;
	}
	x->open[i - 1] = (struct open_region){e, mark_now(x), value, *top, depth};
	*top = i;
}

/* Leaves a region: the innermost one of the stack *top must be that of e, with the same value. */
static void
leave(struct ovni_check *x, const struct ovni_event *e, uint64_t value, uint32_t *top,
      unsigned rule)
{
	const struct open_region *o = NULL;
	uint32_t at = *top, deep = 0;

	for (; at && deep <= DEPTH_MOST; at = o->below, deep++) {
		o = &x->open[at - 1];
		if (o->event == e->other && o->value == value)
			break;
	}
	o = *top ? &x->open[*top - 1] : NULL;
	if (!o && !x->c->part)
		find(x->c, rule, "%s without %s", e->mcv, e->other->mcv);
	else if (o && deep && o->event == e->other)
		find_with(x->c, rule, since(x, x->t, o->mark),
			  "%s of " I64 ", but the innermost is of " I64, e->mcv, value,
			  o->value);
	else if (o && deep)
		find_with(x->c, rule, since(x, x->t, o->mark),
			  "%s, but the innermost open region is %s", e->mcv, o->event->mcv);
	/* If the region is deeper, the ones in it are left, too. */
	for (deep++; at && deep <= DEPTH_MOST + 1 && deep; deep--) {
		uint32_t i = *top;

		*top = x->open[i - 1].below;
		x->open[i - 1].below = x->open_free;
		x->open_free = i;
	}
}

static void
mark_event(struct ovni_check *x, const struct ovni_event *e)
{
	struct ovni_thread *t = x->t;
	const struct mark_type *m;
	uint64_t type, value;

	if (!argument_number(x->c, ARG_MARK, &type) ||
	    !argument_number(x->c, ARG_VALUE, &value))
		return;
	m = type < OVNI_MARKS ? &x->marks[type] : NULL;
	if (!m || (!m->chan && t->version))
		find(x->c, BAD_MARK_TYPE, "the metadata have no mark type " I64, type);
	else if (m->chan && (e->mcv[2] == '=') != !strcmp(m->chan, "single"))
		find(x->c, BAD_MARK_KIND, "%s of mark type " I64 ", a %.10s", e->mcv, type,
		     m->chan);
	else if (e->mcv[2] != '=') {
		if (!t->mark_top)
			t->mark_top = xcalloc(OVNI_MARKS, sizeof *t->mark_top);
		if (e->role == OVNI_ENTER)
			enter(x, e, value, &t->mark_top[type], false);
		else
			leave(x, e, value, &t->mark_top[type], BAD_MARK_KIND);
	}
}

/* Takes an event that begins or ends what does not nest; *open is the mark of the begin plus 1. */
static void
pair_event(struct ovni_check *x, const struct ovni_event *e, uint64_t *open, unsigned rule)
{
	if (e->role == OVNI_ENTER && *open)
		find_with(x->c, rule, since(x, x->t, *open - 1), "%s again without %s",
			  e->mcv, e->other->mcv);
	else if (e->role == OVNI_LEAVE && !*open && !x->c->part)
		find(x->c, rule, "%s without %s", e->mcv, e->other->mcv);
	*open = e->role == OVNI_ENTER ? mark_now(x) + 1 : 0;
}

/* Takes an event of the model ovni. */
static void
base_event(struct ovni_check *x, const struct ovni_event *e)
{
	int64_t time = batch_rec(x->c->b, x->c->i)->time;
	struct ovni_thread *t = x->t;

	switch (e->mcv[1]) {
	case 'H': state_event(x, e->mcv[2]); break;
	case 'A': affinity_event(x, e->mcv[2]); break;
	case 'M': mark_event(x, e); break;
	case 'C': find(x->c, BAD_OLD_EVENT, "%s is obsolete", e->mcv); break;
	case 'U': pair_event(x, e, &t->unordered, BAD_REGION_PAIR); break;
	case 'F':
		if (t->flush && e->role == OVNI_LEAVE && time - t->flush_time > LONG_FLUSH)
			find_with(x->c, BAD_FLUSH_LONG, since(x, x->t, t->flush - 1),
				  "the flush took %.1f ms",
				  (double)(time - t->flush_time) / 1e6);
		t->flush_time = time;
		pair_event(x, e, &t->flush, BAD_FLUSH_PAIR);
		break;
	}
}

/* Takes an event of the table. */
static void
take_event(struct ovni_check *x, const struct ovni_event *e)
{
	char model = *e->mcv;
	/* Without branches: the models of events come in no order. */
	bool active = (model == '6') | (model == 'V');
	bool other = (model != 'O') & (model != 'K');
	struct ovni_thread *t = x->t;

	if (unlikely(!(t->requires & model_bit(model))) && t->finished)
		meta_require(x, model);
	if (unlikely(t->out) && model != 'K' && !t->out_said && e->mcv[1] != 'U') {
		t->out_said = true;
		find_with(x->c, BAD_CPU_OUT, since(x, x->t, t->out - 1),
			  "%s while the thread has no cpu (said once)", e->mcv);
	}
	if (unlikely(other & !t->may[active]) && !t->state_said &&
	    (t->state || !x->c->part)) {
		t->state_said = true;
		find_with(x->c, active ? BAD_TH_ACTIVE : BAD_TH_RUNNING,
			  since(x, x->t, t->state_mark), "%s " WHEN " (said once)", e->mcv,
			  when(t));
	}
	if (likely(other && e->labelled == OVNI_NO_LABEL && !e->names)) {
		/* Bodies of tasks come between other events of their channel. */
		if (e->role == OVNI_ENTER)
			enter(x, e, 0, &t->top[e->chan],
			      (e->counts != OVNI_NEVER) & (model != 'V') & (model != 'P'));
		else if (e->role == OVNI_LEAVE)
			leave(x, e, 0, &t->top[e->chan], BAD_NEST);
	} else if (model == 'O')
		base_event(x, e);
	else if (model == 'K') {
		pair_event(x, e, &t->out, BAD_KERNEL_PAIR);
		t->out_said = false;
	} else
		task_event(x, e);
}

/* Returns the row of the table of events for a record, or NULL. */
static const struct ovni_event *
event_of(struct ovni_check *x, const struct rec *r)
{
	const struct type *type = &x->s->t.type[r->type];
	const struct ovni_event **event = &x->event[r->type];

	if (unlikely(!*event) && type->event_len == 3)
		*event = ovni_event((const uint8_t *)type->event);
	return *event;
}

/* Returns the thread of a record, or NULL if there are too many threads. */
static struct ovni_thread *
thread_of_event(struct ovni_check *x, const struct rec *r)
{
	const struct str *loc = &x->s->t.str.v[r->loc];
	uint32_t *at = &x->at_loc[r->loc];

	if (unlikely(!*at)) {
		x->t = thread_named(x, loc->s, loc->len);
		*at = x->t ? thread_number(x, x->t) + 1 : UINT32_MAX;
		if (x->t)
			x->t->is_thread = true;
	}
	return *at == UINT32_MAX ? NULL : &x->thread[*at - 1];
}

static void
ovni_batch(struct check_run *c)
{
	struct ovni_check *x = c->own;

	CACHE(x->at_loc, x->at_loc_cache, c->s, c->s->t.str.n);
	CACHE(x->event, x->event_cache, c->s, c->s->t.ntypes);
	for (c->i = 0; c->i < c->b->n; c->i++) {
		const struct rec *r = batch_rec(c->b, c->i);
		const struct ovni_event *event = event_of(x, r);
		const char *name = c->s->t.type[r->type].event;
		struct ovni_thread *t = thread_of_event(x, r);

		/* In states with a duration the events that leave are missing. */
		x->durations |= r->has & HAS_DUR;
		if (x->durations || !t)
			continue;
		x->t = t;
		t->n++;
		if (likely(event))
			take_event(x, event);
		else
			find(c,
			     strchr(name, '\\')		  ? BAD_MCV_TEXT
			     : !strchr("O6VDKTMP", *name) ? BAD_MODEL
							  : BAD_EVENT,
			     "event %s is unknown", name);
	}
}

static void
ovni_begin(struct check_run *c)
{
	struct ovni_check *x = c->own;
	const struct ovni *o = c->s->state;

	x->c = c;
	x->s = c->s;
	x->thread = xcalloc(OVNI_THREADS, sizeof *x->thread);
	for (size_t i = 0; !is_stream(c) && i < o->n; i++) {
		const struct str *name = &c->s->t.str.v[o->st[i].loc];
		struct ovni_thread *t = thread_named(x, name->s, name->len);

		if (!t)
			break;
		if (t->st && o->st[i].loc)
			find_both(c, BAD_TID, in_file(o->st[i].path), in_file(t->st->path),
				  "thread %.200s has two streams", t->name);
		t->st = &o->st[i];
		t->is_thread = true;
		/* A process that crashed leaves no metadata. */
		c->cut |= t->st->meta_bad;
	}
	meta_check(x);
	for (uint32_t i = 0; !c->reads && i < x->names.n; i++)
		file_check(x, &x->thread[i]);
}

/* Reports what is open at the end in the current thread. */
static void
end_thread(struct ovni_check *x)
{
	const struct ovni_thread *t = x->t;

	x->mark = t->state_mark;
	if (!t->n)
		find(x->c, BAD_EMPTY, "the stream has no event");
	else if (t->state != 'e')
		find(x->c, BAD_TH_DEAD, "the thread has no OHe " WHEN, when(t));
	x->mark = t->unordered - 1;
	if (t->unordered)
		find(x->c, BAD_REGION_PAIR, "OU[ is not closed");
	for (unsigned chan = 0; chan < OVNI_CHAN_MARK; chan++)
		for (uint32_t at = t->top[chan]; at; at = x->open[at - 1].below) {
			x->mark = x->open[at - 1].mark;
			find(x->c, BAD_NEST_OPEN, "%s is still open at the end",
			     x->open[at - 1].event->mcv);
		}
}

static void
ovni_end(struct check_run *c)
{
	struct ovni_check *x = c->own;

	if (wants(c, BAD_TASK_LEFT))
		tasks_end(x);
	for (uint32_t i = 0; i < x->names.n; i++) {
		x->t = &x->thread[i];
		if (x->t->is_thread && !c->reads && !x->durations)
			end_thread(x);
		free(x->t->mark_top);
		free(x->t->point);
	}
	strtab_free(&x->names);
	cache_free(x->at_loc, &x->at_loc_cache);
	cache_free(x->event, &x->event_cache);
	free(x->thread);
	free(x->open);
}

/* In a stream of spoor the place does not show the thread. */
static const char *
ovni_subject(const struct check_run *c)
{
	const struct ovni_thread *t = ((const struct ovni_check *)c->own)->t;

	return t->st ? NULL : t->name;
}

const struct checker check_ovni = {
    .formats = " ovni ",
    .rules = (const struct rule[]){OVNI_RULES(RULE_ROW){0}},
    .own_size = sizeof(struct ovni_check),
    .maps = maps,
    .args = args,
    .need = NEED_ARGS | NEED_ORDER,
    .begin = ovni_begin,
    .batch = ovni_batch,
    .end = ovni_end,
    .place = ovni_place,
    .subject = ovni_subject,
};
