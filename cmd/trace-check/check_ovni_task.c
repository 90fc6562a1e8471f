/* check_ovni_task.c - the rules of ovni about tasks and their types: see check_ovni.h. */
#include <string.h>

#include "trace-check/check_ovni.h"

/* Returns a number below 4 for a model that has tasks. */
static unsigned
task_model(char letter)
{
	return letter == 'V' ? 0 : letter == '6' ? 1 : 2;
}

/* Returns the value of the last event of a body: c, x, p, r or e; C is a task of which only the bodies have a state. */
static char
state_of(const struct map_entry *k)
{
	return (char)(k->v[BODY_STATE] & 255);
}

/* Adds a body, made by the current event. Returns NULL after check_limit(). */
static struct map_entry *
body_add(struct ovni_check *x, uint32_t where, uint64_t task, uint64_t body, char state)
{
	struct map_entry *k = map_add(x->c, BODIES, where, task, body);

	k->v[BODY_STATE] = (uint64_t)thread_number(x, x->t) << 8 | (uint8_t)state;
	k->at.n = mark_now(x);
	return k->live ? k : NULL;
}

/* Takes an event that creates a task, or a type of tasks. */
static void
create(struct ovni_check *x, const struct ovni_event *e, uint32_t where, uint64_t id)
{
	struct map_entry *type = map_find(x->c, TYPES, id, where), *k;
	uint64_t of;

	if (!id)
		find(x->c, BAD_ID_ZERO, "%s with the id 0", e->mcv);
	if (e->jumbo && type)
		find_with(x->c, BAD_TYPE_NEW,
			  since(x, &x->thread[type->v[TYPE_THREAD]], type->v[TYPE_MARK]),
			  "type %u is created again", (unsigned)id);
	else if (e->jumbo) {
		type = map_put(x->c, TYPES, id, where);
		type->v[TYPE_THREAD] = thread_number(x, x->t);
		type->v[TYPE_MARK] = mark_now(x);
	}
	if (e->jumbo)
		return;
	if (argument_number(x->c, ARG_TYPE, &of) && !map_find(x->c, TYPES, of, where) &&
	    !x->c->part)
		find(x->c, BAD_TASK_TYPE, "task %u has type %u, which is not created",
		     (unsigned)id, (unsigned)of);
	if ((k = map_find(x->c, BODIES, where, id, 0)))
		find_with(x->c, BAD_TASK_NEW,
			  since(x, &x->thread[k->v[BODY_STATE] >> 8], k->at.n),
			  "task %u is created again", (unsigned)id);
	else
		body_add(x, where, id, 0, e->mcv[2]);
}

/* Takes a body off the stack of the thread that executes it. */
static void
unstack(struct ovni_check *x, struct map_entry *k)
{
	uint64_t above = k->v[BODY_ABOVE], below = k->v[BODY_BELOW];

	if (above)
		x->c->map[BODIES].e[above - 1].v[BODY_BELOW] = below;
	else if (k->v[BODY_OWNER])
		x->thread[k->v[BODY_OWNER] - 1].body[k->key[0] & 3] = below;
	if (below)
		x->c->map[BODIES].e[below - 1].v[BODY_ABOVE] = above;
	k->v[BODY_OWNER] = k->v[BODY_BELOW] = k->v[BODY_ABOVE] = 0;
}

/* Looks at an event of body k, at the top of whose stack `other` is. */
static void
check_change(struct ovni_check *x, const char *mcv, const struct map_entry *k,
	     const struct map_entry *other)
{
	unsigned task = (unsigned)k->key[1], body = (unsigned)k->key[2];
	uint64_t owner = k->v[BODY_OWNER];
	char state = state_of(k);
	bool runs = mcv[2] == 'x', stays = !runs && owner;

	if (!strchr(runs ? "ce" : mcv[2] == 'r' ? "p" : "xr", state))
		find(x->c, BAD_TASK_STATE, "%s of task %u, body %u, after %.2s%c", mcv,
		     task, body, mcv, state);
	else if (stays && owner != thread_number(x, x->t) + 1)
		find(x->c, BAD_TASK_STACK, "%s of task %u, which %.100s executes", mcv,
		     task, x->thread[owner - 1].name);
	else if (stays && k != other)
		find(x->c, BAD_TASK_STACK, "%s of task %u, but task %u is the topmost", mcv,
		     task, (unsigned)other->key[1]);
	else if (state == 'e' && (*mcv == '6' || body))
		find(x->c, BAD_TASK_RERUN, "%s of task %u, body %u, after its end", mcv,
		     task, body);
	else if (runs && *mcv == 'V' && other && strchr("xr", state_of(other)))
		find(x->c, BAD_TASK_NEST, "%s of task %u while task %u runs", mcv, task,
		     (unsigned)other->key[1]);
	if (mcv[2] == 'p' && body)
		find(x->c, BAD_TASK_PARALLEL_PAUSE, "%s of the parallel task %u", mcv,
		     task);
}

/* Takes an event that executes, pauses, resumes or ends a body. */
static void
change(struct ovni_check *x, const char *mcv, struct map_entry *k)
{
	uint64_t *top = &x->t->body[k->key[0] & 3];

	check_change(x, mcv, k, *top ? &x->c->map[BODIES].e[*top - 1] : NULL);
	k->v[BODY_STATE] = (k->v[BODY_STATE] & ~255ull) | (uint8_t)mcv[2];
	if (mcv[2] == 'x' || mcv[2] == 'e')
		unstack(x, k);
	if (mcv[2] != 'x')
		return;
	k->v[BODY_OWNER] = thread_number(x, x->t) + 1;
	k->v[BODY_BELOW] = *top;
	*top = (uint64_t)(k - x->c->map[BODIES].e) + 1;
	if (k->v[BODY_BELOW])
		x->c->map[BODIES].e[k->v[BODY_BELOW] - 1].v[BODY_ABOVE] = *top;
}

void
task_event(struct ovni_check *x, const struct ovni_event *e)
{
	uint32_t where = x->t->process << 2 | task_model(*e->mcv);
	bool task = e->labelled == OVNI_TASK;
	struct map_entry *k;
	uint64_t id, body = 0;

	if (!argument_number(x->c, task ? ARG_TASK : ARG_TYPE, &id))
		return;
	if (e->names) {
		create(x, e, where, id);
		return;
	}
	if (!task) { /* a workshare */
		if (!x->c->part && (!id || !map_find(x->c, TYPES, id, where)))
			find(x->c, BAD_WS_TYPE, "%s of type %u, which is not created",
			     e->mcv, (unsigned)id);
		return;
	}
	k = map_find(x->c, BODIES, where, id, 0);
	if (!k && !x->c->part)
		find(x->c, id ? BAD_TASK_KNOWN : BAD_ID_ZERO,
		     "%s of task %u, which is not created", e->mcv, (unsigned)id);
	else if (k && argument_number(x->c, ARG_BODY, &body) &&
		 !body == (state_of(k) == 'C'))
		find_with(x->c, BAD_TASK_BODY,
			  since(x, &x->thread[k->v[BODY_STATE] >> 8], k->at.n),
			  "%s of body %u, but task %u is %sparallel", e->mcv,
			  (unsigned)body, (unsigned)id, body ? "not " : "");
	/* Each body of a parallel task has its own state. */
	if (k && state_of(k) == 'C')
		k = map_find(x->c, BODIES, where, id, body = body ? body : 1);
	else
		body = 0;
	/* The event of an unknown task asserts the state before it. */
	if (!k)
		k = body_add(x, where, id, body,
			     body || e->mcv[2] == 'x' ? 'c'
			     : e->mcv[2] == 'r'	      ? 'p'
						      : 'x');
	if (k)
		change(x, e->mcv, k);
}

void
tasks_end(struct ovni_check *x)
{
	for (size_t i = 0; i < x->c->map[BODIES].n; i++) {
		const struct map_entry *k = &x->c->map[BODIES].e[i];

		x->t = &x->thread[k->v[BODY_STATE] >> 8];
		x->mark = k->at.n;
		if (!strchr("eC", state_of(k)))
			find(x->c, BAD_TASK_LEFT, "task %u has no end after event %c",
			     (unsigned)k->key[1], state_of(k));
	}
}
