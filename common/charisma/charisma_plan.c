/*
 * charisma_plan.c - plans how records become events.
 *
 * Each record of the layout gets a plan: which columns and arguments its fields become, and the place to load each
 * of them from. charisma_event.c makes events by the plan. The roles of fields follow from their names, so a
 * record that a layout file describes is treated like a generic one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charisma/charisma_trace.h"

const char *const charisma_open_flag[6] = {"READ",   "RW",    "WRITE",
					   "CREATE", "TRUNC", "APPEND"};
const char *const charisma_operation_flag[3] = {"ASYNCHRONOUS", "WRITE", "CLIENTREQUEST"};

static const struct label system_type[] = {
    {1, "IPSC"},   {2, "PARAGON"}, {3, "CM5"}, {4, "MASPAR"},
    {5, "HECTOR"}, {6, "NCUBE"},   {7, "SP2"}, {8, "CRAY_T3D"},
};
static const struct labels system_types = {system_type, 8};

/* Writes the names of the set bits with commas between, such as "READ,CREATE"; "0" if no bit is set. Bits without
 * a name follow as one hexadecimal number. */
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
	flag_names(to, charisma_operation_flag, 3, op);
}

const struct labels *
charisma_labels(const struct layout *l, const struct layout_field *f)
{
	/* Names for all values of open_flags. */
	static struct label label[256];
	static char text[256][CHARISMA_NAMES];
	static const struct labels labels = {label, 256};

	if (strcmp(f->name, "open_flags") != 0 || l->type[f->type].size != 1)
		return strcmp(f->name, "system_type") != 0 ? NULL : &system_types;
	for (unsigned v = 0; v < 256 && !label[255].name; v++) {
		flag_names(text[v], charisma_open_flag, 6, v);
		label[v] = (struct label){v, text[v]};
	}
	return &labels;
}

static struct source_field
source_of(const struct charisma *c, const struct charisma_plan *pl, const char *name)
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
		/* A request that is not repeated is part of the record. */
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
charisma_add_arg(struct charisma_plan *pl, const char *name, enum arg_op op, unsigned kind)
{
	struct plan_arg *a = &pl->arg[pl->nargs++];

	memset(a, 0, sizeof *a);
	snprintf(a->name, sizeof a->name, "%s", name);
	a->op = (uint8_t)op;
	a->kind = (uint8_t)kind;
	return a;
}

/* Returns true if the field gets no argument: its value is in a column, or follows from another field. */
static bool
in_column(const struct charisma_plan *pl, const struct layout_field *f, bool element)
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
field_arg(const struct charisma *c, struct charisma_plan *pl, const struct layout_field *f,
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
		a = charisma_add_arg(pl, f->name, ARG_STRING, K_STR);
	else if (t->class == CLASS_FLOAT)
		a = charisma_add_arg(pl, f->name, ARG_FLOAT, K_F64);
	else if (!strcmp(f->name, "operation_type")) {
		a = charisma_add_arg(pl, f->name, ARG_CONST, K_CONST);
		a->flags = true;
	} else if (!strcmp(f->name, "call_time")) {
		a = charisma_add_arg(pl, f->name, ARG_TIME, c->clock.ticks ? K_U64 : K_NS);
		out = V_RAW;
	} else
		a = charisma_add_arg(pl, f->name, last ? ARG_ARRAY : ARG_INT, int_kind(t));
	a->element = element && pl->rec->repeat;
	a->without = (uint8_t)(out | (element ? V_EMPTY : 0));
	a->count = f->count;
	a->from = layout_load_of(&c->l, f, element && !pl->rec->repeat ? at : 0, c->big);
	a->labels = charisma_labels(&c->l, f);
}

/* Adds the argument by=client or by=app to kinds of records that come from both. */
static void
by_arg(struct charisma_plan *pl)
{
	static const char *const by[2] = {"client", "app"};

	switch (pl->rec->kind) {
	case KIND_APP_OPEN:
	case KIND_APP_CLOSE:
		charisma_add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[1];
		break;
	case KIND_CLIENT_OPEN:
	case KIND_CLIENT_CLOSE:
		charisma_add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[0];
		break;
	case KIND_ASYNC_END:
		charisma_add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[0];
		pl->arg[0].without = V_APP;
		charisma_add_arg(pl, "by", ARG_CONST, K_CONST)->text = by[1];
		pl->arg[1].with = V_APP;
		pl->arg[1].without = V_NO_APP;
		break;
	case KIND_RW: charisma_add_arg(pl, "by", ARG_CONST, K_CONST)->flags = true; break;
	default: break;
	}
}

static void
stamp_arg(const struct charisma *c, struct charisma_plan *pl, const char *name)
{
	const struct layout_field *f = layout_field(pl->rec, name);
	struct plan_arg *a;

	if (!f || pl->rec->kind == KIND_HEADER)
		return;
	a = charisma_add_arg(pl, name, ARG_STAMP, int_kind(&c->l.type[f->type]));
	a->with = V_RAW;
	a->from = layout_load_of(&c->l, f, 0, c->big);
}

static void
all_args(const struct charisma *c, struct charisma_plan *pl)
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
		charisma_add_arg(pl, "file", ARG_FILE, int_kind(&c->l.type[TYPE_FILE]))
		    ->with = V_FILE;
		charisma_add_arg(pl, "name", ARG_NAME, K_SYM)->with = V_FILE;
	}
	if (r->kind == KIND_RW)
		charisma_add_arg(pl, "request", ARG_REQUEST, K_STR)->with =
		    V_MULTI | V_EMPTY;
	stamp_arg(c, pl, "timestamp");
	stamp_arg(c, pl, "starttime");
	stamp_arg(c, pl, "endtime");
	stamp_arg(c, pl, "end_time");
	if (layout_field(r, "call_time"))
		stamp_arg(c, pl, "call_time");
}

/* Sets only the members of a plan that are needed to measure and check records. */
static void
plan_walk(struct charisma *c, struct charisma_plan *pl, const struct layout_record *r)
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
plan_make(struct charisma *c, struct charisma_plan *pl, const struct layout_record *r)
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

void
plans_free(struct charisma *c)
{
	for (uint32_t i = 0; i < c->nplans; i++) {
		free(c->plan[i].type);
		free(c->plan[i].arg);
	}
	FREE(c->plan);
	c->nplans = 0;
}
