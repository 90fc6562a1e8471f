/*
 * charisma_plan.c - events of records.
 *
 * A plan is made of each record of the layout: which columns and arguments its fields
 * become, and where each is loaded from. Roles go by the fields' names, so that a record
 * described in a layout file is treated as the generic ones are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "base/wide.h"
#include "charisma/charisma.h"

static const char *const open_flag[] = {"READ", "RW", "WRITE", "CREATE", "TRUNC", "APPEND"};
static const char *const operation_flag[] = {"ASYNCHRONOUS", "WRITE", "CLIENTREQUEST"};

static const struct label system_type[] = {
    {1, "IPSC"},   {2, "PARAGON"}, {3, "CM5"}, {4, "MASPAR"},
    {5, "HECTOR"}, {6, "NCUBE"},   {7, "SP2"}, {8, "CRAY_T3D"},
};
static const struct labels system_types = {system_type, 8};

/* "READ,CREATE"; "0" for none; bits without a name as one number behind. */
static void
flag_names(char *to, const char *const *name, unsigned n, unsigned value)
{
	char *p = to;

	for (unsigned i = 0; i < n; i++)
		if (value >> i & 1)
			p += snprintf(p, 32, "%s%s", p > to ? "," : "", name[i]);
	if (value >> n || !value)
		snprintf(p, 32, value ? "%s0x%x" : "%s0", p > to ? "," : "",
			 value >> n << n);
}

void
operation_names(char to[CHARISMA_NAMES], unsigned op)
{
	flag_names(to, operation_flag, 3, op);
}

/* Names of all values of open_flags. */
static const struct labels *
open_flags(void)
{
	static struct label label[256];
	static char text[256][CHARISMA_NAMES];
	static const struct labels labels = {label, 256};

	for (unsigned v = 0; v < 256 && !label[255].name; v++) {
		flag_names(text[v], open_flag, 6, v);
		label[v] = (struct label){v, text[v]};
	}
	return &labels;
}

const struct labels *
charisma_labels(const struct layout *l, const struct layout_field *f)
{
	if (!strcmp(f->name, "open_flags") && l->type[f->type].size == 1)
		return open_flags();
	return strcmp(f->name, "system_type") != 0 ? NULL : &system_types;
}

bool
charisma_unit(struct charisma_clock *k, double unit)
{
	char text[40];
	uint64_t m = 0, a, b;
	int exponent;

	if (!(unit > 0) || !isfinite(unit) || unit > 1e6 || unit < 1e-15)
		return false;
	/* The decimal that was meant is the shortest that reads back: 8e-07, not the
	 * binary fraction next to it. */
	for (int digits = 0; digits < 17; digits++) {
		snprintf(text, sizeof text, "%.*e", digits, unit);
		if (strtod(text, NULL) == unit)
			break;
	}
	exponent = atoi(strchr(text, 'e') + 1); /* NOLINT(cert-err34-c): %e wrote it */
	for (const char *p = text; *p != 'e'; p++) {
		if (*p == '.')
			exponent -= (int)(strchr(text, 'e') - p) - 1;
		else
			m = m * 10 + (uint64_t)(*p - '0');
	}
	k->num = m;
	k->den = 1;
	for (exponent += 9; exponent > 0; exponent--)
		if (!times64(k->num, 10, &k->num))
			return false;
	for (; exponent < 0; exponent++) {
		if (k->num % 10 == 0)
			k->num /= 10;
		else if (!times64(k->den, 10, &k->den))
			return false;
	}
	for (a = k->num, b = k->den; b;) {
		uint64_t t = a % b;

		a = b;
		b = t;
	}
	k->num /= a;
	k->den /= a;
	return true;
}

bool
charisma_scale_slow(const struct charisma_clock *k, uint64_t ticks, uint64_t *ns)
{
	/* ticks * num, 128 bits as high and low, over den: bit by bit. */
	uint64_t low, high, quotient = 0;

	mul64(ticks, k->num, &low, &high);
	low += k->den / 2;
	high += low < k->den / 2;
	*ns = high ? UINT64_MAX : low / k->den;
	if (!high || high >= k->den)
		return !high;
	for (int i = 63; i >= 0; i--) {
		bool carry = high >> 63;

		high = high << 1 | (low >> i & 1);
		if (carry || high >= k->den) {
			high -= k->den;
			quotient |= 1ull << i;
		}
	}
	*ns = quotient;
	return true;
}

static struct source_field
source_of(const struct charisma *c, const struct plan *pl, const char *name)
{
	const struct layout_record *e = layout_kind(&c->l, KIND_REQUEST);
	const struct layout_record *r = pl->rec;
	const struct layout_field *last = r->nfields ? &r->field[r->nfields - 1] : NULL;
	const struct layout_field *f = layout_field(r, name);
	struct source_field v = {.element = false};

	for (uint32_t i = 0; !f && i < r->nfields; i++) {
		if (r->field[i].type != TYPE_REQUEST)
			continue;
		f = layout_field(e, name);
		/* One request that is not repeated is part of the record. */
		if (f && !r->repeat) {
			v.from = layout_load_of(&c->l, f, r->field[i].off, c->big);
			return v;
		}
		v.element = f && last->type == TYPE_REQUEST;
	}
	v.from = layout_load_of(&c->l, f, 0, c->big);
	return v;
}

static uint8_t
int_kind(const struct layout_type *t)
{
	static const uint8_t kind[2][9] = {
	    {[1] = K_U8, [2] = K_U16, [4] = K_U32, [8] = K_U64},
	    {[1] = K_I8, [2] = K_I16, [4] = K_I32, [8] = K_I64},
	};

	return kind[t->class == CLASS_SIGNED][t->size];
}

static struct plan_arg *
add_arg(struct plan *pl, const char *name, enum arg_op op, unsigned kind)
{
	struct plan_arg *a = &pl->arg[pl->nargs++];

	memset(a, 0, sizeof *a);
	snprintf(a->name, sizeof a->name, "%s", name);
	a->op = (uint8_t)op;
	a->kind = (uint8_t)kind;
	return a;
}

/* Fields that stand in a column, or that another field tells. */
static bool
in_column(const struct plan *pl, const struct layout_field *f, bool element)
{
	const struct layout_record *r = pl->rec;

	if (!element && f == r->field)
		return true; /* record_type */
	if (r->kind == KIND_HEADER)
		return false;
	if (!strcmp(f->name, "client_id") || !strcmp(f->name, pl->time_name))
		return true;
	if (!strcmp(f->name, "appl_id"))
		return !pl->has_client;
	if (r->kind == KIND_RW &&
	    (!strcmp(f->name, "offset") || !strcmp(f->name, "IO_size") ||
	     !strcmp(f->name, "endtime")))
		return true;
	return r->repeat && !element && f == &r->field[r->counter];
}

static void
field_arg(const struct charisma *c, struct plan *pl, const struct layout_field *f,
	  bool element, uint32_t at)
{
	const struct layout_type *t = &c->l.type[f->type];
	bool last =
	    !element && pl->rec->repeat && f == &pl->rec->field[pl->rec->nfields - 1];
	struct plan_arg *a;
	unsigned out = strcmp(f->name, "appl_id") != 0 ? 0 : V_NO_APP;

	if (in_column(pl, f, element))
		return;
	if (t->class == CLASS_CHAR)
		a = add_arg(pl, f->name, ARG_STRING, K_STR);
	else if (t->class == CLASS_FLOAT)
		a = add_arg(pl, f->name, ARG_FLOAT, K_F64);
	else if (!strcmp(f->name, "operation_type")) {
		a = add_arg(pl, f->name, ARG_CONST, K_CONST);
		a->flags = true;
	} else if (!strcmp(f->name, "call_time")) {
		a = add_arg(pl, f->name, ARG_TIME, c->clock.ticks ? K_U64 : K_NS);
		out = V_RAW;
	} else
		a = add_arg(pl, f->name, last ? ARG_ARRAY : ARG_INT, int_kind(t));
	a->element = element && pl->rec->repeat;
	a->without = (uint8_t)(out | (element ? V_EMPTY : 0));
	a->count = f->count;
	a->from = layout_load_of(&c->l, f, element && !pl->rec->repeat ? at : 0, c->big);
	a->labels = charisma_labels(&c->l, f);
}

/* client or app: whose records these are, where there are both. */
static void
by_arg(struct plan *pl)
{
	static const char *const by[2] = {"client", "app"};

	switch (pl->rec->kind) {
	case KIND_APP_OPEN:
	case KIND_APP_CLOSE: add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[1]; break;
	case KIND_CLIENT_OPEN:
	case KIND_CLIENT_CLOSE: add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[0]; break;
	case KIND_ASYNC_END:
		add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[0];
		pl->arg[0].without = V_APP;
		add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[1];
		pl->arg[1].with = V_APP;
		pl->arg[1].without = V_NO_APP;
		break;
	case KIND_RW: add_arg(pl, "by", ARG_CONST, K_CONST)->flags = true; break;
	default: break;
	}
}

static void
stamp_arg(const struct charisma *c, struct plan *pl, const char *name)
{
	const struct layout_field *f = layout_field(pl->rec, name);
	struct plan_arg *a;

	if (!f || pl->rec->kind == KIND_HEADER)
		return;
	a = add_arg(pl, name, ARG_STAMP, int_kind(&c->l.type[f->type]));
	a->with = V_RAW;
	a->from = layout_load_of(&c->l, f, 0, c->big);
}

static void
all_args(const struct charisma *c, struct plan *pl)
{
	const struct layout_record *e = layout_kind(&c->l, KIND_REQUEST), *r = pl->rec;

	by_arg(pl);
	for (uint32_t i = 0; i < r->nfields; i++) {
		if (r->field[i].type != TYPE_REQUEST) {
			field_arg(c, pl, &r->field[i], false, 0);
			continue;
		}
		for (uint32_t k = 0; k < e->nfields; k++)
			field_arg(c, pl, &e->field[k], true, r->field[i].off);
	}
	if (r->kind == KIND_RW || r->kind == KIND_CLIENT_CLOSE ||
	    r->kind == KIND_APP_CLOSE) {
		add_arg(pl, "file", ARG_FILE, int_kind(&c->l.type[TYPE_FILE]))->with =
		    V_FILE;
		add_arg(pl, "name", ARG_NAME, K_SYM)->with = V_FILE;
	}
	if (r->kind == KIND_RW)
		add_arg(pl, "request", ARG_REQUEST, K_STR)->with = V_MULTI | V_EMPTY;
	stamp_arg(c, pl, "timestamp");
	stamp_arg(c, pl, "starttime");
	stamp_arg(c, pl, "endtime");
	stamp_arg(c, pl, "end_time");
	if (layout_field(r, "call_time"))
		stamp_arg(c, pl, "call_time");
}

/* What it takes to walk the records. */
static void
plan_walk(struct charisma *c, struct plan *pl, const struct layout_record *r)
{
	pl->rec = r;
	pl->time_name = r->kind == KIND_RW	    ? "starttime"
			: r->kind == KIND_ASYNC_END ? "end_time"
						    : "timestamp";
	pl->time = source_of(c, pl, pl->time_name);
	pl->count =
	    layout_load_of(&c->l, r->repeat ? &r->field[r->counter] : NULL, 0, c->big);
}

static void
plan_make(struct charisma *c, struct plan *pl, const struct layout_record *r)
{
	const struct layout_field *f;

	plan_walk(c, pl, r);
	pl->arg = xcalloc(PLAN_ARGS, sizeof *pl->arg);
	snprintf(pl->event, sizeof pl->event, "%s",
		 r->kind < KINDS_GENERIC ? layout_row(r->kind)->event : r->name);
	pl->client = source_of(c, pl, "client_id");
	pl->has_client = !pl->client.from.none;
	pl->app = source_of(c, pl, "appl_id");
	pl->call = layout_load_of(&c->l, layout_field(r, "call_time"), 0, c->big);
	pl->ntypes = r->kind == KIND_RW ? RW_TYPES : VARIANTS;
	pl->type = xcalloc(pl->ntypes, sizeof *pl->type);
	pl->end = source_of(c, pl, r->kind == KIND_RW ? "endtime" : "");
	pl->addr = source_of(c, pl, r->kind == KIND_RW ? "offset" : "");
	pl->size = source_of(c, pl, r->kind == KIND_RW ? "IO_size" : "");
	pl->op = source_of(c, pl, "operation_type");
	pl->async = source_of(c, pl, "async_id");
	pl->desc = source_of(c, pl, "file_desc");
	pl->file = source_of(c, pl, "file_id");
	f = layout_field(r, "name");
	if (f && !f->array)
		f = NULL;
	pl->name = layout_load_of(&c->l, f, 0, c->big);
	pl->name_bytes = f ? f->count : 0;
	all_args(c, pl);
}

void
plans_make(struct charisma *c, bool events)
{
	c->plan = xcalloc(c->l.nrecords, sizeof *c->plan);
	for (uint32_t i = 0; i < c->l.nrecords; i++) {
		const struct layout_record *r = &c->l.record[i];

		c->plan[i].rec = r;
		if (r->kind == KIND_REQUEST || r->kind == KIND_COMP_RW)
			continue;
		if (r->number < 256)
			c->known[r->number] = (uint8_t)(i + 1);
		if (r->kind == KIND_OPAQUE)
			continue;
		if (events)
			plan_make(c, &c->plan[i], r);
		else
			plan_walk(c, &c->plan[i], r);
		if (r->kind == KIND_RW && r->number == KIND_RW)
			c->rw = &c->plan[i];
	}
	c->nplans = c->l.nrecords;
}

static uint32_t
type_make(struct source *s, const struct plan *pl, const char *event, unsigned variant,
	  unsigned op)
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

/* The type of a record's events, made when it is needed first. op only counts for RW. */
static uint32_t
plan_type(struct source *s, struct plan *pl, unsigned op, unsigned variant)
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

void
plans_free(struct charisma *c)
{
	for (uint32_t i = 0; i < c->nplans; i++) {
		free(c->plan[i].type);
		free(c->plan[i].arg);
	}
	free(c->plan);
	c->plan = NULL;
	c->nplans = 0;
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

/* The name's number in the current tables. */
static uint32_t
name_sym(struct source *s, struct descriptor *d)
{
	if (d->epoch != s->t.epoch) {
		d->sym = strtab_id(&s->t.str, d->name, d->len);
		d->epoch = s->t.epoch;
	}
	return d->sym;
}

static void
set_array(struct batch *b, const struct charisma *c, const struct plan *pl,
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

/* What an event's arguments are made of. */
struct making {
	const struct plan *pl;
	const uint8_t *p, *e;
	uint64_t i, n;
	struct descriptor *d;
};

static void
set_args(struct source *s, struct batch *b, const struct making *m, unsigned variant)
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
		case ARG_NAME: set_num(b, to, name_sym(s, m->d)); break;
		default: break;
		}
	}
}

/* Counts what is odd of the record at p. */
static void
odd(struct oddity *o, const struct source *s, const uint8_t *p)
{
	if (!o->n++)
		o->first = in_offset(&s->in, p);
}

/* The columns time and dur; gives V_RAW where they do not hold all there is. */
static unsigned
times(const struct source *s, const struct making *m, uint64_t op, int64_t *time,
      int64_t *dur, bool *has_dur)
{
	struct charisma *c = s->state;
	const struct charisma_clock *k = &c->clock;
	const struct plan *pl = m->pl;
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
	/* A number of ticks has no sign. */
	if (k->ticks ? end >= start && end - start <= INT64_MAX
		     : clock_between(k, start, end, dur))
		*has_dur = true;
	else
		raw = V_RAW;
	if (k->ticks && *has_dur)
		*dur = (int64_t)(end - start);
	return raw;
}

static bool
looks_up_file(const struct charisma *c, const struct plan *pl)
{
	return c->files_on && !pl->desc.from.none &&
	       (pl->rec->kind == KIND_RW || pl->rec->kind == KIND_CLIENT_CLOSE ||
		pl->rec->kind == KIND_APP_CLOSE);
}

/* The file of a request of the application `of`, or NO_APP, or of a client. */
static struct descriptor *
find_file(struct charisma *c, const struct making *m, bool app, uint64_t client,
	  uint64_t of)
{
	uint64_t fd = field_num(c, &m->pl->desc, m->p, m->e);
	struct descriptor *d =
	    state_resolve(&c->state, app, client != c->no_client ? &client : NULL, fd,
			  of != c->no_app ? &of : NULL);

	if (!d && m->i == 0)
		c->unopened++;
	return d;
}

/* The location, and what else of the columns the record's type has. */
static void
set_columns(struct source *s, struct rec *r, const struct making *m, uint64_t client,
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
plan_event(struct source *s, struct batch *b, struct plan *pl, const uint8_t *p, uint64_t i,
	   uint64_t n)
{
	struct charisma *c = s->state;
	struct making m = {pl, p, p, i, n, NULL};
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
			odd(&c->crowded, s, p);
	}
	if (pl->rec->kind == KIND_ASYNC_END && client == c->no_client)
		variant |= V_APP;
	variant |= times(s, &m, op, &time, &dur, &has_dur);
	if (looks_up_file(c, pl)) {
		m.d = find_file(c, &m, rw ? !(op & 4) : pl->rec->kind == KIND_APP_CLOSE,
				client, app);
		variant |= m.d ? V_FILE : 0;
	}
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
