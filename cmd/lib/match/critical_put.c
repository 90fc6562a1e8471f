/* critical_put.c - writes the critical path: see critical.h. */
#include "base/bytes.h"
#include "input/fault.h"
#include "match/matching.h"

static const char *const why_names[WHYS] = {[WHY_LATE_SENDER] = "late_sender",
					    [WHY_LATE_RECEIVER] = "late_receiver",
					    [WHY_COLLECTIVE] = "collective"};

/* Returns the number of the type of stretches with this name. `came`: the path comes from another rank. */
static uint32_t
type_of(struct match *x, uint32_t name, bool came)
{
	const struct str *text = &x->critical->name.v[name];
	const struct arg args[] = {{.name = "call", .kind = K_CONST, .text = text->s},
				   {.name = "why", .kind = K_SYM},
				   {.name = "from", .kind = K_U32}};
	const struct type ty = {.event = text->s,
				.event_len = text->len,
				.must = HAS_DUR,
				.may = HAS_DUR,
				.nargs = came ? 3 : 1,
				.args = args};
	uint32_t *known;

	GROW(x->stretch_type, x->stretch_type_cap, 2 * name + 2);
	known = &x->stretch_type[2 * name + came];
	if (!*known)
		*known = type_add(&x->out.t, &ty) + 1;
	return *known - 1;
}

/* Appends a stretch to the batch. */
static void
put_stretch(struct match *x, struct batch *b, const struct critical_call *p)
{
	uint32_t type = type_of(x, p->name, p->why != WHY_NONE);
	struct rec *r = rec_new(b, &x->out.t, type);

	r->loc = put_loc(x, p->proc);
	r->time = (int64_t)time_of(x, (int64_t)p->start);
	r->dur = (int64_t)(p->end - p->start);
	if (p->why != WHY_NONE) {
		const struct arg *args = x->out.t.type[type].args;

		st32((uint8_t *)r + args[1].off, put_str(x, why_names[p->why]));
		st32((uint8_t *)r + args[2].off, x->comms.proc[p->by].rank);
	}
}

void
critical_put(struct match *x, struct source *s)
{
	struct critical *c = x->critical;
	struct batch b = {0};

	if (!x->waits) {
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "--critical: the times are not those of a clock");
		return;
	}
	if (c->unnamed)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "more than %u different names of calls: the others are named other",
		      c->name.n - NAMES_OWN);
	if (c->back)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%llu calls begin before the previous call of their thread: sort the "
		      "events with trace-merge",
		      (unsigned long long)c->back);
	if (c->unfound)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE,
		      "%llu threads begin before too many calls of their rank: sort the "
		      "events with trace-merge",
		      (unsigned long long)c->unfound);
	critical_follow(c);
	for (uint64_t i = c->calls.n; i > c->n; i--) {
		if (batch_full(&b)) {
			x->to.put(x->to.arg, &x->out, &b);
			batch_start(&b);
		}
		put_stretch(x, &b, critical_calls_at(&c->calls, i, false));
	}
	if (b.n)
		x->to.put(x->to.arg, &x->out, &b);
	buf_free(&b.own);
}
