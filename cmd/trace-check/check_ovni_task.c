/* check_ovni_task.c - the rules of ovni about tasks and their types: see check_ovni.h. */
#include "trace-check/check_ovni.h"

enum body_state {
	BODY_CREATED,
	BODY_RUNNING,
	BODY_PAUSED,
	BODY_ENDED
};
static const char *const body_states[] = {"created", "running", "paused", "ended"};

/* Numbers of models that have tasks. */
enum {
	TASKS_NOSV,
	TASKS_NANOS6,
	TASKS_OPENMP
};

static uint32_t
body_hash(uint32_t where, uint32_t task, uint32_t body)
{
	return hash_slot(hash_add(hash_add(0, (uint64_t)where << 32 | task), body));
}

static struct ovni_body *
body_find(const struct ovni_check *x, uint32_t where, uint32_t task, uint32_t body)
{
	uint32_t hash = body_hash(where, task, body), i;

	for (size_t at = hash; slots_next(&x->body_index, hash, &at, &i);)
		if (x->body[i].where == where && x->body[i].task == task &&
		    x->body[i].body == body)
			return &x->body[i];
	return NULL;
}

/* Adds a body, made by the current event of t. Returns NULL after check_limit(). */
static struct ovni_body *
body_add(struct ovni_check *x, const struct ovni_thread *t, uint32_t where, uint32_t task,
	 uint32_t body)
{
	struct ovni_body *k;

	if (x->nbodies == OVNI_BODIES) {
		check_limit(x->c, "task bodies", OVNI_BODIES);
		return NULL;
	}
	slots_add(&x->body_index, body_hash(where, task, body), (uint32_t)x->nbodies);
	k = PUSH(x->body, x->nbodies, x->body_cap);
	*k = (struct ovni_body){.where = where,
				.task = task,
				.body = body,
				.made = thread_number(x, t),
				.mark = mark_now(x, t)};
	return k;
}

/* Takes an event that creates a task or a type, `id`. */
static void
create(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
       uint32_t where, uint32_t id)
{
	struct trace_place none = {0};
	struct ovni_body *k;
	struct map_entry *type;
	uint64_t of;

	if (!id)
		say_now(x, BAD_ID_ZERO, t, "%s with the id 0", e->mcv);
	if (e->jumbo) {
		type = map_find(&x->ids, id_key(ID_TYPE, where), id, 0);
		if (type)
			say(x, BAD_TYPE_NEW, t, mark_now(x, t), &x->thread[type->v[0]],
			    type->v[1], "type %u is created again", id);
		else if ((type = map_add(x->c, &x->ids, id_key(ID_TYPE, where), id, 0,
					 none))) {
			type->v[0] = thread_number(x, t);
			type->v[1] = mark_now(x, t);
		}
		return;
	}
	if (argument_number(&x->values, x->s, batch_rec(x->b, x->i), ARG_TYPE, &of) &&
	    !map_find(&x->ids, id_key(ID_TYPE, where), (uint32_t)of, 0) && !x->c->part)
		say_now(x, BAD_TASK_TYPE, t, "task %u has type %u, which is not created",
			id, (uint32_t)of);
	k = body_find(x, where, id, 0);
	if (k)
		say(x, BAD_TASK_NEW, t, mark_now(x, t), &x->thread[k->made], k->mark,
		    "task %u is created again", id);
	else
		k = body_add(x, t, where, id, 0);
	if (k)
		k->parallel = e->mcv[2] == 'C';
}

/* Takes a body off the stack of the thread that executes it. */
static void
unstack(struct ovni_check *x, struct ovni_body *k)
{
	if (!k->owner)
		return;
	if (k->above)
		x->body[k->above - 1].below = k->below;
	else
		x->thread[k->owner - 1].body[k->where & 3] = k->below;
	if (k->below)
		x->body[k->below - 1].above = k->above;
	k->owner = k->below = k->above = 0;
}

/* Takes an event that executes a body of task k->task. */
static void
execute(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
	struct ovni_body *k)
{
	unsigned model = k->where & 3;
	uint32_t top = t->body[model];
	bool once = model == TASKS_NANOS6 || k->parallel;

	if (k->state == BODY_ENDED && once)
		say_now(x, BAD_TASK_RERUN, t, "task %u, body %u: %s after its end", k->task,
			k->body, e->mcv);
	else if (k->state == BODY_RUNNING || k->state == BODY_PAUSED)
		say_now(x, BAD_TASK_STATE, t, "task %u, body %u: %s while it is %s",
			k->task, k->body, e->mcv, body_states[k->state]);
	else if (model == TASKS_NOSV && top && x->body[top - 1].state == BODY_RUNNING)
		say_now(x, BAD_TASK_NEST, t, "task %u: %s while task %u runs", k->task,
			e->mcv, x->body[top - 1].task);
	unstack(x, k);
	k->below = t->body[model];
	if (k->below)
		x->body[k->below - 1].above = (uint32_t)(k - x->body) + 1;
	k->owner = thread_number(x, t) + 1;
	t->body[model] = (uint32_t)(k - x->body) + 1;
	k->state = BODY_RUNNING;
}

/* Takes an event that pauses, resumes or ends a body. */
static void
change(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e,
       struct ovni_body *k)
{
	char value = e->mcv[2];
	uint32_t top = t->body[k->where & 3];
	unsigned from = value == 'r' ? BODY_PAUSED : BODY_RUNNING;

	if (k->state != from)
		say_now(x, BAD_TASK_STATE, t, "task %u, body %u: %s while it is %s",
			k->task, k->body, e->mcv, body_states[k->state]);
	else if (k->owner && k->owner != thread_number(x, t) + 1)
		say_now(x, BAD_TASK_STACK, t, "task %u: %s, but %.200s executes it",
			k->task, e->mcv, x->thread[k->owner - 1].name);
	else if (k->owner && top != (uint32_t)(k - x->body) + 1)
		say_now(x, BAD_TASK_STACK, t, "task %u: %s, but task %u is above it",
			k->task, e->mcv, x->body[top - 1].task);
	if (value == 'p' && k->parallel)
		say_now(x, BAD_TASK_PARALLEL_PAUSE, t, "%s of the parallel task %u", e->mcv,
			k->task);
	k->state = value == 'p' ? BODY_PAUSED : value == 'r' ? BODY_RUNNING : BODY_ENDED;
	if (value == 'e')
		unstack(x, k);
}

void
task_event(struct ovni_check *x, struct ovni_thread *t, const struct ovni_event *e)
{
	const struct rec *r = batch_rec(x->b, x->i);
	unsigned model = *e->mcv == 'V'	  ? TASKS_NOSV
			 : *e->mcv == '6' ? TASKS_NANOS6
					  : TASKS_OPENMP;
	uint32_t where = t->process << 2 | model;
	struct ovni_body *k;
	uint64_t id, body = 0;
	bool parallel = false;

	if (!argument_number(&x->values, x->s, r,
			     e->labelled == OVNI_TASK ? ARG_TASK : ARG_TYPE, &id))
		return;
	if (e->names) {
		create(x, t, e, where, (uint32_t)id);
		return;
	}
	if (e->labelled == OVNI_TYPE) { /* a workshare */
		if (!id ||
		    (!map_find(&x->ids, id_key(ID_TYPE, where), id, 0) && !x->c->part))
			say_now(x, BAD_WS_TYPE, t, "%s of type %u, which is not created",
				e->mcv, (uint32_t)id);
		return;
	}
	k = body_find(x, where, (uint32_t)id, 0);
	if (!k && !x->c->part)
		say_now(x, id ? BAD_TASK_KNOWN : BAD_ID_ZERO, t,
			"%s of task %u, which is not created", e->mcv, (uint32_t)id);
	else if (k && argument_number(&x->values, x->s, r, ARG_BODY, &body)) {
		parallel = k->parallel;
		if (parallel != (body > 0))
			say(x, BAD_TASK_BODY, t, mark_now(x, t), &x->thread[k->made],
			    k->mark, "%s has body %u, but task %u is %sparallel", e->mcv,
			    (uint32_t)body, k->task, parallel ? "" : "not ");
	}
	/* Bodies of a parallel task have states of their own. */
	if (!parallel)
		body = 0;
	if ((!k || body) && !(k = body_find(x, where, (uint32_t)id, (uint32_t)body))) {
		k = body_add(x, t, where, (uint32_t)id, (uint32_t)body);
		if (!k)
			return;
		k->parallel = parallel;
		/* An event of a task that is not known asserts the state before. */
		if (!body && e->mcv[2] != 'x')
			k->state = e->mcv[2] == 'r' ? BODY_PAUSED : BODY_RUNNING;
	}
	if (e->mcv[2] == 'x')
		execute(x, t, e, k);
	else
		change(x, t, e, k);
}

void
tasks_end(struct ovni_check *x)
{
	for (size_t i = 0; i < x->nbodies; i++) {
		const struct ovni_body *k = &x->body[i];

		/* The bodies of a parallel task are in the table, too. */
		if (k->state != BODY_ENDED && (!k->parallel || k->body))
			say(x, BAD_TASK_LEFT, &x->thread[k->made], k->mark, NULL, 0,
			    "task %u is %s at the end", k->task, body_states[k->state]);
	}
}
