/*
 * charisma_event.c - makes events of records, by their plans (charisma_plan.c).
 *
 * The type of a record's events is made when the first such record comes. The variant (V_*) decides which
 * arguments the type has.
 */
#include <stdio.h>
#include <string.h>

#include "charisma/charisma_trace.h"

static uint32_t
type_make(struct source *s, const struct charisma_plan *pl, const char *event,
	  unsigned variant, unsigned op)
{
	struct arg args[PLAN_ARGS];
	struct type ty = {.event = event, .event_len = (uint32_t)strlen(event)};
	char flags[CHARISMA_NAMES];

	memset(args, 0, sizeof args);
	operation_names(flags, op);
	ty.args = args;
	for (uint32_t i = 0; i < pl->nargs && !(variant & V_BARE); i++) {
		const struct plan_arg *a = &pl->arg[i];
		struct arg *to = &args[ty.nargs];

		if ((a->with && !(a->with & variant)) || a->without & variant)
			continue;
		to->name = a->name;
		to->kind = a->kind;
		to->array = a->op == ARG_ARRAY;
		to->labels = a->labels;
		if (a->op == ARG_CONST)
			to->text = !a->flags		   ? a->text
				   : strcmp(a->name, "by") ? flags
				   : op & 4		   ? "client"
							   : "app";
		ty.nargs++;
	}
	if (pl->rec->kind == KIND_RW) {
		if (!(variant & V_EMPTY))
			ty.must = (pl->addr.from.none ? 0 : HAS_ADDR) |
				  (pl->size.from.none ? 0 : HAS_SIZE);
		ty.may = HAS_DUR;
	}
	return type_add(&s->t, &ty);
}

/* Returns the type of a record's events, and makes it if needed. `op` matters only for RW records. */
static uint32_t
plan_type(struct source *s, struct charisma_plan *pl, unsigned op, unsigned variant)
{
	bool rw = pl->rec->kind == KIND_RW;
	uint32_t *id = &pl->type[rw ? rw_index(op, variant) : variant];

	if (!*id)
		*id = type_make(s, pl,
				!rw	 ? pl->event
				: op & 2 ? "write"
					 : "read",
				variant, op) +
		      1;
	return *id - 1;
}

void
plans_forget(struct charisma *c)
{
	for (uint32_t i = 0; i < c->nplans; i++)
		if (c->plan[i].type)
			memset(c->plan[i].type, 0,
			       c->plan[i].ntypes * sizeof *c->plan[i].type);
	memset(c->comp_type, 0, sizeof c->comp_type);
	memset(c->client, 0, sizeof c->client);
}

uint32_t
charisma_loc(struct source *s, bool app, uint64_t id)
{
	struct charisma *c = s->state;
	uint32_t slot = client_slot(id), loc;
	char text[32];
	int n;

	if (!app && c->client[slot].loc && c->client[slot].id == id)
		return c->client[slot].loc;
	if (c->l.type[app ? TYPE_APP : TYPE_CLIENT].class == CLASS_SIGNED)
		n = snprintf(text, sizeof text, app ? "app:%lld" : "%lld", (long long)id);
	else
		n = snprintf(text, sizeof text, app ? "app:%llu" : "%llu",
			     (unsigned long long)id);
	loc = strtab_id(&s->t.str, text, (size_t)n);
	if (!app)
		c->client[slot] = (struct client){.id = id, .loc = loc};
	return loc;
}

static void
set_array(struct batch *b, const struct charisma *c, const struct charisma_plan *pl,
	  const struct arg *to, const struct plan_arg *a, const uint8_t *p, uint64_t n)
{
	uint32_t width = kind_width(a->kind);
	uint8_t *q = rec_part(b, to, (uint32_t)n, width);

	for (uint64_t i = 0; i < n; i++, p += pl->rec->element, q += width) {
		uint64_t v = load_num(p, &a->from, c->big);

		memcpy(q, HOST_BIG ? (uint8_t *)&v + 8 - width : (uint8_t *)&v, width);
	}
}

static void
set_num(struct batch *b, const struct arg *to, uint64_t v)
{
	uint32_t width = kind_width(to->kind);

	memcpy((uint8_t *)rec_last(b) + to->off,
	       HOST_BIG ? (uint8_t *)&v + 8 - width : (uint8_t *)&v, width);
}

/* The record and the request of which an event is made. p: the record; e: the request; i: its number; n: number of
 * requests; d: the descriptor, or NULL. */
struct event_build {
	const struct charisma_plan *pl;
	const uint8_t *p, *e;
	uint64_t i, n;
	struct descriptor *d;
};

static void
set_args(struct source *s, struct batch *b, const struct event_build *m, unsigned variant)
{
	struct charisma *c = s->state;
	const struct type *ty = &s->t.type[rec_last(b)->type];
	uint32_t k = 0;

	for (uint32_t i = 0; i < m->pl->nargs; i++) {
		const struct plan_arg *a = &m->pl->arg[i];
		const struct arg *to = &ty->args[k];
		const uint8_t *p = a->element ? m->e : m->p;
		int64_t ns;
		double d;
		char text[48];

		if ((a->with && !(a->with & variant)) || a->without & variant)
			continue;
		k++;
		switch (a->op) {
		case ARG_INT:
		case ARG_STAMP: set_num(b, to, load_num(p, &a->from, c->big)); break;
		case ARG_FLOAT:
			d = load_float(p, &a->from, c->big);
			memcpy((uint8_t *)rec_last(b) + to->off, &d, sizeof d);
			break;
		case ARG_STRING:
			p += a->from.off;
			rec_str(b, to, p, string_length(p, a->count));
			break;
		case ARG_ARRAY: set_array(b, c, m->pl, to, a, p, m->n); break;
		case ARG_TIME:
			ns = (int64_t)load_num(p, &a->from, c->big);
			if (!c->clock.ticks &&
			    !clock_between(&c->clock, c->clock.zero,
					   (uint64_t)ns ^ c->clock.bias, &ns))
				ns = INT64_MAX;
			set_num(b, to, (uint64_t)ns);
			break;
		case ARG_REQUEST:
			rec_str(b, to, text,
				(size_t)snprintf(text, sizeof text, "%llu/%llu",
						 (unsigned long long)(m->n ? m->i + 1 : 0),
						 (unsigned long long)m->n));
			break;
		case ARG_FILE: set_num(b, to, m->d->file); break;
		case ARG_NAME: /* number of the name in the current tables */
			if (m->d->epoch != s->t.epoch)
				m->d->sym = strtab_id(&s->t.str, m->d->name, m->d->len);
			m->d->epoch = s->t.epoch;
			set_num(b, to, m->d->sym);
			break;
		default: break;
		}
	}
}

/* Counts an oddity of the record at p. */
static void
odd(struct oddity *o, const struct source *s, const uint8_t *p)
{
	if (!o->n++)
		o->first = in_offset(&s->in, p);
}

/* Computes the columns time and dur. Returns V_RAW if they do not hold all information of the time stamps, else 0. */
static unsigned
event_times(const struct source *s, const struct event_build *m, uint64_t op, int64_t *time,
	    int64_t *dur, bool *has_dur)
{
	struct charisma *c = s->state;
	const struct charisma_clock *k = &c->clock;
	const struct charisma_plan *pl = m->pl;
	uint64_t start, end;
	unsigned raw = 0;

	*time = *dur = 0;
	*has_dur = false;
	if (pl->time.from.none)
		return 0;
	start = field_num(c, &pl->time, m->p, m->e) ^ k->bias;
	if (k->ticks)
		*time = (int64_t)(start ^ k->bias);
	else if (!clock_between(k, k->zero, start, time)) {
		*time = start < k->zero ? INT64_MIN : INT64_MAX;
		raw = V_RAW;
	}
	if (!pl->call.none && !k->ticks) {
		int64_t ns;

		if (!clock_between(k, k->zero, load_num(m->p, &pl->call, c->big) ^ k->bias,
				   &ns))
			raw = V_RAW;
	}
	if (pl->end.from.none)
		return raw;
	end = field_num(c, &pl->end, m->p, m->e) ^ k->bias;
	if (op & 1) {
		/* An asynchronous request has no end of its own. */
		raw |= end == k->bias ? 0 : V_RAW;
		if (!c->async_has)
			return raw;
		end = c->async_end ^ k->bias;
	}
	if (end < start && m->i == 0)
		odd(&c->backward, s, m->p);
	/* Ticks are unsigned, so they need an explicit comparison. */
	if (k->ticks ? end >= start && end - start <= INT64_MAX
		     : clock_between(k, start, end, dur))
		*has_dur = true;
	else
		raw = V_RAW;
	if (k->ticks && *has_dur)
		*dur = (int64_t)(end - start);
	return raw;
}

/* Returns the open descriptor that a request or a close names, or NULL. `of` is the application or NO_APP; with
 * `app`, the descriptor belongs to the application, else to the client. */
static struct descriptor *
find_file(struct charisma *c, const struct event_build *m, bool app, uint64_t client,
	  uint64_t of)
{
	unsigned kind = m->pl->rec->kind;
	struct descriptor *d;

	if (!c->files_on || m->pl->desc.from.none ||
	    (kind != KIND_RW && kind != KIND_CLIENT_CLOSE && kind != KIND_APP_CLOSE))
		return NULL;
	d = state_resolve(&c->state, app, client != c->no_client ? &client : NULL,
			  field_num(c, &m->pl->desc, m->p, m->e),
			  of != c->no_app ? &of : NULL);
	if (!d && m->i == 0)
		c->unopened++;
	return d;
}

/* Sets loc, and addr and size if the record's type has these columns. */
static void
set_columns(struct source *s, struct rec *r, const struct event_build *m, uint64_t client,
	    uint64_t app)
{
	struct charisma *c = s->state;

	if (client != c->no_client)
		r->loc = charisma_loc(s, false, client);
	else if (app != c->no_app)
		r->loc = charisma_loc(s, true, app);
	if (r->has & HAS_ADDR)
		r->addr = field_num(c, &m->pl->addr, m->p, m->e);
	if (r->has & HAS_SIZE)
		r->size = field_num(c, &m->pl->size, m->p, m->e);
}

void
plan_event(struct source *s, struct batch *b, struct charisma_plan *pl, const uint8_t *p,
	   uint64_t i, uint64_t n)
{
	struct charisma *c = s->state;
	struct event_build m = {pl, p, p, i, n, NULL};
	bool rw = pl->rec->kind == KIND_RW, counted = rw && pl->rec->repeat, has_dur;
	uint64_t op, client = c->no_client, app = c->no_app;
	unsigned variant = 0;
	int64_t time, dur;
	struct rec *r;

	if (pl->rec->repeat)
		m.e = element_of(pl, p, rw ? i : 0);
	op = rw ? field_num(c, &pl->op, p, m.e) & 255 : 0;
	if (pl->has_client && !(counted && !n))
		client = field_num(c, &pl->client, p, m.e);
	if (!pl->app.from.none)
		app = field_num(c, &pl->app, p, m.e);
	variant |= app == c->no_app ? V_NO_APP : 0;
	if (counted && n != 1) {
		variant |= n ? V_MULTI : V_EMPTY;
		if (op & 4 && i == 0)
			odd(&c->is_dense, s, p);
	}
	if (pl->rec->kind == KIND_ASYNC_END && client == c->no_client)
		variant |= V_APP;
	variant |= event_times(s, &m, op, &time, &dur, &has_dur);
	m.d =
	    find_file(c, &m, rw ? !(op & 4) : pl->rec->kind == KIND_APP_CLOSE, client, app);
	variant |= m.d ? V_FILE : 0;
	if (!(c->need & NEED_ARGS))
		variant = (variant & V_EMPTY) | V_BARE;
	r = rec_new(b, &s->t, plan_type(s, pl, (unsigned)op, variant));
	r->time = time;
	r->dur = dur;
	if (has_dur)
		r->has |= HAS_DUR;
	set_columns(s, r, &m, client, app);
	if (!(variant & V_BARE))
		set_args(s, b, &m, variant);
}
