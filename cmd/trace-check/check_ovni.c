/* check_ovni.c - the rules of ovni about threads, processors, regions and marks: see check_ovni.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "trace-check/check_ovni.h"

static const struct rule rows[] = {OVNI_RULES(RULE_ROW)};
static const struct rules rules = {rows, sizeof rows / sizeof *rows};

static const char *const arguments[] = {"cpu",	  "tid",   "taskid", "typeid",
					"bodyid", "value", "type",   NULL};

/* The most regions that the emulator keeps open in a channel. */
#define DEPTH_MOST 512
#define LONG_FLUSH 10000000 /* ns */
#define LONG_BURST 100	    /* ns */

static const char *const states[] = {"unknown", "running", "paused",
				     "cooling", "warming", "dead"};

#define IN(state) (1u << (state))
#define ACTIVE (IN(THREAD_RUNNING) | IN(THREAD_COOLING) | IN(THREAD_WARMING))

/* Returns true if the state of t is one of `mask`, or is not known because the input is a part of a trace. */
static bool
is_in(const struct ovni_check *x, const struct ovni_thread *t, unsigned mask)
{
	return mask >> t->state & 1 || (x->c->part && t->state == THREAD_UNKNOWN);
}

/* Returns the entry of a processor of t's loom, or NULL. */
static struct map_entry *
cpu_entry(const struct ovni_check *x, const struct ovni_thread *t, int64_t cpu)
{
	return map_find(&x->ids, id_key(ID_CPU, t->loom), (uint64_t)cpu, 0);
}

/* Makes t run on its processor, or with `run` false, no longer. */
static void
use_cpu(struct ovni_check *x, const struct ovni_thread *t, bool run)
{
	uint32_t me = thread_number(x, t) + 1;
	struct map_entry *e;

	if (t->cpu < 0 || t->state != THREAD_RUNNING)
		return;
	e = cpu_entry(x, t, t->cpu);
	if (!e && run)
		e = map_add(x->c, &x->ids, id_key(ID_CPU, t->loom), (uint64_t)t->cpu, 0,
			    (struct trace_place){0});
	if (!e)
		return;
	if (!run) {
		if (e->v[1] == me)
			e->v[1] = 0;
		return;
	}
	if (e->v[1] && e->v[1] != me)
		say(x, BAD_CPU_BUSY, t, mark_now(x, t), &x->thread[e->v[1] - 1], e->v[2],
		    "cpu %lld has a running thread already, %.200s", (long long)t->cpu,
		    x->thread[e->v[1] - 1].name);
	e->v[1] = me;
	e->v[2] = mark_now(x, t);
}

/* Moves `to` to the processor that the current event of t names. */
static void
set_cpu(struct ovni_check *x, struct ovni_thread *t, struct ovni_thread *to)
{
	const struct map_entry *e;
	uint64_t cpu;

	if (!argument_number(&x->values, x->s, batch_rec(x->b, x->i), ARG_CPU, &cpu))
		return;
	e = cpu_entry(x, t, (int64_t)cpu);
	if ((int64_t)cpu != -1 && (!e || !e->v[0]) && cpu_entry(x, t, INT64_MIN))
		say_now(x, BAD_CPU_KNOWN, t, "no cpu of loom %.100s has the index %lld",
			x->looms.v[t->loom].s, (long long)cpu);
	use_cpu(x, to, false);
	to->cpu = (int64_t)cpu;
	use_cpu(x, to, true);
}

/* Takes OHx, OHp and the other events of a thread's state. */
static void
state_event(struct ovni_check *x, struct ovni_thread *t, char value)
{
	static const struct {
		char value;
		uint8_t from, to;
	} steps[] = {
	    {'x', IN(THREAD_UNKNOWN) | IN(THREAD_DEAD), THREAD_RUNNING},
	    {'e', IN(THREAD_RUNNING) | IN(THREAD_COOLING), THREAD_DEAD},
	    {'p', IN(THREAD_RUNNING) | IN(THREAD_COOLING), THREAD_PAUSED},
	    {'r', IN(THREAD_PAUSED) | IN(THREAD_WARMING), THREAD_RUNNING},
	    {'c', IN(THREAD_RUNNING), THREAD_COOLING},
	    {'w', IN(THREAD_PAUSED), THREAD_WARMING},
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (steps[i].value != value)
			continue;
		if (!is_in(x, t, steps[i].from))
			say(x, BAD_TH_STATE, t, mark_now(x, t), t, t->state_mark,
			    "OH%c in state %s", value, states[t->state]);
		use_cpu(x, t, false);
		if (value == 'x')
			set_cpu(x, t, t);
		t->state = steps[i].to;
		t->state_said = false;
		t->state_mark = mark_now(x, t);
		use_cpu(x, t, true);
	}
}

static void
affinity_event(struct ovni_check *x, struct ovni_thread *t, char value)
{
	struct ovni_thread *to;
	struct map_entry *e;
	uint64_t tid;

	if (value == 's') {
		if (!is_in(x, t, ACTIVE))
			say(x, BAD_AFFINITY, t, mark_now(x, t), t, t->state_mark,
			    "OAs in state %s", states[t->state]);
		set_cpu(x, t, t);
		return;
	}
	if (!argument_number(&x->values, x->s, batch_rec(x->b, x->i), ARG_TID, &tid))
		return;
	e = map_find(&x->ids, id_key(ID_TID, t->loom), tid, 0);
	if (!e) {
		if (!x->c->part)
			say_now(x, BAD_AFFINITY_REMOTE, t,
				"no thread of the loom has the id %lld", (long long)tid);
		return;
	}
	to = &x->thread[e->v[0]];
	if (!is_in(x, to, ACTIVE | IN(THREAD_PAUSED)))
		say(x, BAD_AFFINITY_REMOTE, t, mark_now(x, t), to, to->state_mark,
		    "thread %lld is in state %s", (long long)tid, states[to->state]);
	set_cpu(x, t, to);
}

/* Enters a region: adds it to the stack *top. `rule` is broken if the innermost region is the same; RULE_NONE = none. */
#define RULE_NONE UINT32_MAX
static void
enter(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
      uint64_t value, uint32_t *top, unsigned rule)
{
	uint32_t depth = 1, i;

	if (*top) {
		const struct open_region *o = &x->open[*top - 1];

		depth = o->depth + 1;
		if (rule != RULE_NONE && o->event == e)
			say(x, rule, t, mark_now(x, t), t, o->mark,
			    "%s is entered again at once", e->mcv);
		if (depth == DEPTH_MOST + 1)
			say_now(x, BAD_NEST_DEPTH, t, "%s is number %u of open regions",
				e->mcv, depth);
	}
	if (x->open_free) {
		i = x->open_free - 1;
		x->open_free = x->open[i].below;
	} else if (x->nopen == OVNI_OPEN) {
		check_limit(x->c, "open regions", OVNI_OPEN);
		return;
	} else {
		i = (uint32_t)x->nopen;
		PUSH(x->open, x->nopen, x->open_cap);
	}
	x->open[i] = (struct open_region){e, mark_now(x, t), value, *top, depth};
	*top = i + 1;
}

static void
pop(struct ovni_check *x, uint32_t *top)
{
	uint32_t i = *top - 1;

	*top = x->open[i].below;
	x->open[i].below = x->open_free;
	x->open_free = i + 1;
}

/* Leaves a region: the innermost one of the stack *top must be that of e, with the same value. */
static void
leave(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
      uint64_t value, uint32_t *top, unsigned rule)
{
	const struct open_region *o;
	uint32_t at = *top, deeper = 0;

	for (; at && deeper < DEPTH_MOST; at = o->below, deeper++) {
		o = &x->open[at - 1];
		if (o->event == e->other && o->value == value)
			break;
	}
	if (at && !deeper) {
		pop(x, top);
		return;
	}
	if (!*top) {
		if (!x->c->part)
			say_now(x, rule, t, "%s leaves %s, but no region is open", e->mcv,
				e->other->mcv);
		return;
	}
	o = &x->open[*top - 1];
	if (o->event == e->other)
		say(x, rule, t, mark_now(x, t), t, o->mark,
		    "%s has the value %lld, but the innermost open %s has %lld", e->mcv,
		    (long long)value, o->event->mcv, (long long)o->value);
	else
		say(x, rule, t, mark_now(x, t), t, o->mark,
		    "%s leaves %s, but the innermost open region is %s", e->mcv,
		    e->other->mcv, o->event->mcv);
	if (!at || deeper == DEPTH_MOST)
		return;
	for (; deeper; deeper--)
		pop(x, top);
	pop(x, top);
}

static void
mark_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e)
{
	const struct rec *r = batch_rec(x->b, x->i);
	const struct mark_type *m;
	uint64_t type, value;

	if (!argument_number(&x->values, x->s, r, ARG_MARK, &type) ||
	    !argument_number(&x->values, x->s, r, ARG_VALUE, &value))
		return;
	m = type < OVNI_MARKS ? &x->mark[type] : NULL;
	if (!m || (!m->chan && t->metadata))
		say_now(x, BAD_MARK_TYPE, t, "the metadata have no mark type %lld",
			(long long)type);
	if (!m)
		return;
	if (m->chan && (e->mcv[2] == '=') != !strcmp(m->chan, "single"))
		say_now(x, BAD_MARK_KIND, t, "%s is not for marks of type %lld, a %.10s",
			e->mcv, (long long)type, m->chan);
	else if (e->mcv[2] != '=' && !x->durations) {
		if (!t->mark_top)
			t->mark_top = xcalloc(OVNI_MARKS, sizeof *t->mark_top);
		if (e->role == OVNI_ENTER)
			enter(x, t, e, value, &t->mark_top[type], RULE_NONE);
		else
			leave(x, t, e, value, &t->mark_top[type], BAD_MARK_KIND);
	}
}

/* Takes an event that begins or ends what does not nest; *open is the mark of the begin plus 1. */
static void
pair_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
	   uint64_t *open, unsigned rule)
{
	if (x->durations)
		return;
	if (e->role == OVNI_ENTER) {
		if (*open)
			say(x, rule, t, mark_now(x, t), t, *open - 1,
			    "%s follows %s without %s", e->mcv, e->mcv, e->other->mcv);
		*open = mark_now(x, t) + 1;
		return;
	}
	if (!*open && !x->c->part)
		say_now(x, rule, t, "%s without %s", e->mcv, e->other->mcv);
	*open = 0;
}

static int
cmp_gap(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void
burst_event(struct ovni_check *x, struct ovni_thread *t, int64_t time)
{
	const uint32_t gaps = sizeof x->gap / sizeof *x->gap - 1;

	if (x->burst != thread_number(x, t)) {
		x->burst = thread_number(x, t);
		t->bursts = 0;
	}
	if (t->bursts)
		x->gap[t->bursts - 1] = time - t->burst_time;
	t->burst_time = time;
	if (++t->bursts <= gaps)
		return;
	qsort(x->gap, gaps, sizeof *x->gap, cmp_gap);
	if (x->gap[gaps / 2] > LONG_BURST)
		say_now(x, BAD_BURST, t,
			"the median gap of %u bursts is %lld ns, more than %d", gaps,
			(long long)x->gap[gaps / 2], LONG_BURST);
	t->bursts = 0;
}

/* Takes an event of the model ovni. */
static void
base_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e)
{
	int64_t time = batch_rec(x->b, x->i)->time;

	switch (e->mcv[1]) {
	case 'H': state_event(x, t, e->mcv[2]); break;
	case 'A': affinity_event(x, t, e->mcv[2]); break;
	case 'M': mark_event(x, t, e); break;
	case 'U': pair_event(x, t, e, &t->unordered, BAD_REGION_PAIR); break;
	case 'F':
		if (t->flush && e->role == OVNI_LEAVE && time - t->flush_time > LONG_FLUSH)
			say(x, BAD_FLUSH_LONG, t, t->flush - 1, NULL, 0,
			    "the flush takes %.1f ms, more than %d",
			    (double)(time - t->flush_time) / 1e6, LONG_FLUSH / 1000000);
		t->flush_time = time;
		pair_event(x, t, e, &t->flush, BAD_FLUSH_PAIR);
		break;
	case 'B':
		if (wants(x->c, BAD_BURST))
			burst_event(x, t, time);
		break;
	case 'C': say_now(x, BAD_OLD_EVENT, t, "%s is obsolete", e->mcv); break;
	}
}

/* Takes an event that is not in the table. */
static void
unknown_event(struct ovni_check *x, const struct ovni_thread *t, const char *event)
{
	if (strchr(event, '\\'))
		say_now(x, BAD_MCV_TEXT, t, "event %s is not three printable letters",
			event);
	else if (model_of(*event) == NMODELS)
		say_now(x, BAD_MODEL, t, "event %s: no model has the letter %c", event,
			*event);
	else
		say_now(x, BAD_EVENT, t, "event %s is unknown", event);
}

/* Looks at the state in which t has an event of a model other than ovni. */
static void
check_state(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
	    unsigned model)
{
	bool active = model == MODEL_NANOS6 || model == MODEL_NOSV;

	if (model == MODEL_KERNEL || t->state_said ||
	    is_in(x, t, active ? ACTIVE : IN(THREAD_RUNNING)))
		return;
	t->state_said = true;
	say(x, active ? BAD_TH_ACTIVE : BAD_TH_RUNNING, t, mark_now(x, t), t, t->state_mark,
	    "%s in state %s (said once in this state)", e->mcv, states[t->state]);
}

static void
take_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e)
{
	unsigned model = model_of(*e->mcv);

	if (unlikely(!((t->requires | t->require_said) >> model & 1)) && t->metadata)
		meta_require(x, t, model);
	if (unlikely(t->out) && model != MODEL_KERNEL && !t->out_said && e->mcv[1] != 'U') {
		t->out_said = true;
		say(x, BAD_CPU_OUT, t, mark_now(x, t), t, t->out - 1,
		    "%s while the kernel has the thread's cpu (said once)", e->mcv);
	}
	if (model == MODEL_OVNI) {
		base_event(x, t, e);
		return;
	}
	check_state(x, t, e, model);
	if (x->durations)
		return;
	if (model == MODEL_KERNEL) {
		pair_event(x, t, e, &t->out, BAD_KERNEL_PAIR);
		t->out_said = false;
	} else if (e->labelled != OVNI_NO_LABEL || e->names)
		task_event(x, t, e);
	else if (e->role == OVNI_ENTER)
		enter(x, t, e, 0, &t->top[e->chan],
		      model == MODEL_NOSV || model == MODEL_OPENMP ? RULE_NONE
								   : BAD_NEST_SAME);
	else if (e->role == OVNI_LEAVE)
		leave(x, t, e, 0, &t->top[e->chan], BAD_NEST);
}

/* Returns the thread of a record, or NULL if there are too many. */
static struct ovni_thread *
thread_of(struct ovni_check *x, const struct source *s, uint32_t loc)
{
	CACHE(x->at_loc, x->at_loc_cache, s, loc + (size_t)1);
	if (unlikely(!x->at_loc[loc])) {
		const struct str *name = &s->t.str.v[loc];
		const struct ovni_thread *t = thread_named(x, name->s, name->len);

		x->at_loc[loc] = t ? thread_number(x, t) + 1 : UINT32_MAX;
	}
	return x->at_loc[loc] == UINT32_MAX ? NULL : &x->thread[x->at_loc[loc] - 1];
}

static void
ovni_batch(struct check_run *c, void *state, struct source *s, const struct batch *b)
{
	struct ovni_check *x = state;
	size_t n;
	const struct ovni_event *events = ovni_events(&n);

	(void)c;
	x->b = b;
	for (x->i = 0; x->i < b->n; x->i++) {
		const struct rec *r = batch_rec(b, x->i);
		struct ovni_thread *t = thread_of(x, s, r->loc);
		int event = event_index(&x->values, s, r);

		if (unlikely(!t))
			continue;
		t->n++;
		x->durations |= r->has & HAS_DUR;
		if (likely(event >= 0))
			take_event(x, t, &events[event]);
		else
			unknown_event(x, t, s->t.type[r->type].event);
	}
}

static void *
ovni_begin(struct check_run *c, struct source *s)
{
	static const char **names;
	struct ovni_check *x = xcalloc(1, sizeof *x);
	size_t n;
	const struct ovni_event *events = ovni_events(&n);
	const struct ovni *o = s->state;

	if (!names) {
		names = xcalloc(n + 1, sizeof *names);
		for (size_t i = 0; i < n; i++)
			names[i] = events[i].mcv;
	}
	x->c = c;
	x->s = s;
	x->values.events = names;
	x->values.args = arguments;
	x->ids.what = "types of tasks, cpus, threads, ranks and labels";
	x->ids.most = OVNI_IDS;
	for (size_t i = 0; !is_stream(s) && i < o->n; i++) {
		const struct ovni_stream *st = &o->st[i];
		const struct str *name = &s->t.str.v[st->loc];
		struct ovni_thread *t = thread_named(x, name->s, name->len);

		if (!t)
			break;
		if (t->st && st->loc)
			find_with(c, BAD_TID, in_file(st->path), in_file(t->st->path),
				  "thread %.200s has two streams", t->name);
		t->st = st;
		t->stream = (uint32_t)i;
		/* A process that crashed leaves no metadata. */
		c->cut |= st->meta_bad;
	}
	meta_check(x);
	for (uint32_t i = 0; !is_stream(s) && !c->reads && i < x->names.n; i++)
		file_check(x, &x->thread[i]);
	return x;
}

/* Reports what is open at the end in a thread. */
static void
end_thread(struct ovni_check *x, const struct ovni_thread *t)
{
	if (!t->n) {
		say(x, BAD_EMPTY, t, 0, NULL, 0, "the stream has no event");
		return;
	}
	if (t->state != THREAD_DEAD)
		say(x, BAD_TH_DEAD, t, t->state_mark, NULL, 0,
		    "the thread does not end: its last state is %s", states[t->state]);
	if (t->unordered)
		say(x, BAD_REGION_PAIR, t, t->unordered - 1, NULL, 0, "OU[ is not closed");
	for (unsigned chan = 0; chan < OVNI_CHAN_MARK; chan++)
		for (uint32_t at = t->top[chan]; at; at = x->open[at - 1].below)
			say(x, BAD_NEST_OPEN, t, x->open[at - 1].mark, NULL, 0,
			    "%s is still open at the end", x->open[at - 1].event->mcv);
}

static void
ovni_end(struct check_run *c, void *state, struct source *s)
{
	struct ovni_check *x = state;

	(void)s;
	for (uint32_t i = 0; !c->reads && i < x->names.n; i++)
		end_thread(x, &x->thread[i]);
	tasks_end(x);
	for (uint32_t i = 0; i < x->names.n; i++) {
		free(x->thread[i].mark_top);
		free(x->thread[i].point);
	}
	strtab_free(&x->looms);
	strtab_free(&x->processes);
	strtab_free(&x->names);
	cache_free(x->at_loc, &x->at_loc_cache);
	arguments_free(&x->values);
	slots_free(&x->body_index);
	map_free(&x->ids);
	free(x->thread);
	free(x->open);
	free(x->body);
	free(x);
}

const struct checker check_ovni = {" ovni ",   &rules,	   NEED_ARGS | NEED_ORDER,
				   ovni_begin, ovni_batch, ovni_end};
