/* state_type.c - the meaning of types of records for states (-D), and the longer types of records whose state is
 * over: with self= and running=, and the label of a task. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "event/value.h"
#include "ovni/ovni_state.h"

static enum act
act_of(const struct ovni_event *e)
{
	bool thread = e && e->mcv[0] == 'O' && e->mcv[1] == 'H';

	if (!e || (e->role == OVNI_POINT && !thread))
		return NOTHING;
	if (thread || e->labelled == OVNI_MARK || e->role == OVNI_VALUE)
		return OTHER;
	if (e->role == OVNI_LEAVE)
		return e->other ? LEAVES : NOTHING;
	return ENTERS;
}

/* Returns true if the event says on which CPU a thread runs: OHx, OAs or OAr. */
static bool
moves_thread(const struct ovni_event *e)
{
	return !memcmp(e->mcv, "OHx", 3) || !memcmp(e->mcv, "OA", 2);
}

void
ovni_state_bind(struct source *s, struct ovni_states *x)
{
	uint32_t i;

	CACHE(x->kind, x->kind_cache, s, s->t.ntypes);
	while (cache_next(&x->kind_cache, s->t.ntypes, &i)) {
		const struct type *ty = &s->t.type[i];
		struct state_kind *k = &x->kind[i];
		const struct arg *value = arg_named(ty, "value"),
				 *type = arg_named(ty, "type");

		if (ty->event_len == 3)
			k->event = ovni_event((const uint8_t *)ty->event);
		k->act = (uint8_t)act_of(k->event);
		k->chan = k->event ? k->event->chan : 0;
		if (k->event)
			k->opens =
			    (uint32_t)((k->act == LEAVES ? k->event->other : k->event) -
				       x->events);
		if (k->event && k->event->labelled == OVNI_MARK && value && type &&
		    type->kind != K_SYM) {
			k->value = value->off;
			k->type = type->off;
		}
		if (x->cpu && k->event && moves_thread(k->event)) {
			value = arg_named(ty, "cpu");
			type = arg_named(ty, "tid");
			k->to_cpu = value && value->kind == K_I32 ? value->off : 0;
			k->tid = type && k->event->mcv[2] == 'r' ? type->off : 0;
		}
		if (x->labels && k->event && k->event->nargs &&
		    (k->event->labelled == OVNI_TASK || k->event->labelled == OVNI_TYPE) &&
		    (value = arg_named(ty, k->event->arg[0].name)))
			k->id = value->off;
	}
}

/* Returns the result of type_longer, after filling x->kind for the new type, which may move x->kind. */
static struct longer
type_with(struct source *s, uint32_t type, const struct arg *more, uint32_t n, uint8_t must)
{
	struct longer l = type_longer(&s->t, type, more, n, must);

	ovni_state_bind(s, ((struct ovni *)s->state)->states);
	return l;
}

void
ovni_state_type(struct source *s, uint32_t type, bool open)
{
	struct ovni_states *x = ((struct ovni *)s->state)->states;
	static const struct arg all[] = {{.name = "open", .kind = K_U8},
					 {.name = "cpu", .kind = K_I32},
					 {.name = "self", .kind = K_NS},
					 {.name = "running", .kind = K_NS}};
	bool self = x->kind[type].event->counts != OVNI_NEVER;
	/* An event that moves the thread has a cpu= of its own. */
	bool cpu = x->cpu && !x->kind[type].to_cpu;
	struct arg more[4];
	uint32_t n = 0;
	struct longer l;
	const struct type *ty;

	for (uint32_t i = 0; i < 4; i++)
		if (i == 0 ? open : i == 1 ? cpu : self)
			more[n++] = all[i];
	l = type_with(s, type, more, n, open ? 0 : HAS_DUR);
	ty = &s->t.type[l.type - 1];
	x->kind[type].made[open] = l;
	x->kind[type].cpu[open] =
	    cpu ? ty->args[ty->nargs - (self ? 3 : 1)].off : x->kind[type].to_cpu;
	x->kind[type].self[open] = self ? ty->args[ty->nargs - 2].off : 0;
}

void
ovni_state_label(struct source *s, uint32_t type)
{
	struct ovni_states *x = ((struct ovni *)s->state)->states;
	struct arg label = {.name = "type", .kind = K_SYM};
	struct longer l = type_with(s, type, &label, 1, 0);

	x->kind[type].labelled = l;
}
