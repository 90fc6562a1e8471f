/* charisma_encode_plan.c - how a type of event becomes a CHARISMA record.
 *
 * A type is compiled to steps, one for each field of its record: where the value comes from, and where it goes.
 * Values that are equal in all records of the type are in a blank record, which is copied first. Fields are
 * found by their names, so that a record of a layout file is written like the generic ones. */
#include <string.h>

#include "trace-convert/charisma_encode.h"
#include "event/value.h"
#include "view/view_request.h"

/* Returns the argument of the type with that name, never a column. */
static struct field
arg_field(const struct encode *e, const struct type *ty, const char *name)
{
	char of[4 + LAYOUT_NAME] = "arg.";

	if (!arg_named(ty, name))
		return (struct field){.kind = FIELD_NONE};
	strncat(of, name, LAYOUT_NAME - 1);
	return field_find(of, &e->s->head, ty);
}

static struct charisma_step *
add_step(struct encode *e, struct record_shape *sh, enum from from,
	 const struct layout_field *f, uint32_t at, bool element)
{
	const struct charisma_out *c = e->state;
	struct charisma_step *s = &sh->step[sh->nsteps++];

	memset(s, 0, sizeof *s);
	s->from = (uint8_t)from;
	s->class = c->l.type[f->type].class;
	s->element = element;
	s->bytes = f->size;
	s->to = layout_load_of(&c->l, f, at, c->big);
	return s;
}

/* Adds a step for a field whose value is a column, if the type has that column. */
static void
column_step(struct encode *e, struct record_shape *sh, const struct layout_field *f,
	    uint32_t at, bool element, const struct type *ty, const char *column)
{
	struct charisma_step *s = add_step(e, sh, FROM_NUMBER, f, at, element);

	s->field = field_find(column, &e->s->head, ty);
	if (s->field.load == LOAD_NONE)
		sh->nsteps--;
}

/* Adds a step for a field that no column holds: from the argument with its name, or else 0. */
static void
arg_step(struct encode *e, struct record_shape *sh, const struct layout_field *f,
	 uint32_t at, bool element, const struct type *ty)
{
	const struct charisma_out *c = e->state;
	enum type_class class = c->l.type[f->type].class;
	struct field from = arg_field(e, ty, f->name);
	struct charisma_step *s;

	if (!from.kind) {
		if (!strcmp(f->name, "appl_id"))
			add_step(e, sh, FROM_APP, f, at, element)->sole =
			    !layout_field(sh->rec, "client_id") && sh->rec->kind != KIND_RW;
		return;
	}
	s = add_step(e, sh, FROM_VALUE, f, at, element);
	s->field = from;
	if (class == CLASS_CHAR)
		s->from = FROM_TEXT;
	else if (class == CLASS_FLOAT)
		s->from = FROM_FLOAT;
	else if (!strcmp(f->name, "call_time"))
		s->from = FROM_STAMP;
	else if (charisma_labels(&c->l, f) && !strcmp(f->name, "open_flags"))
		s->from = FROM_FLAGS;
	else if (from.load == LOAD_INT && !from.bit)
		s->from = FROM_NUMBER;
}

/* Adds the steps of one field, which is `at` bytes into the record, or into the request if `element`. */
static void
field_step(struct encode *e, struct record_shape *sh, const struct layout_field *f,
	   uint32_t at, bool element, const struct type *ty)
{
	unsigned kind = sh->rec->kind;
	const char *time = kind == KIND_RW	    ? "starttime"
			   : kind == KIND_ASYNC_END ? "end_time"
						    : "timestamp";
	/* the argument is the time stamp itself */
	bool raw = arg_named(ty, f->name) != NULL;

	if (!strcmp(f->name, "client_id"))
		add_step(e, sh, FROM_CLIENT, f, at, element);
	else if (kind == KIND_COMP_RW) /* the only field: its duration */
		add_step(e, sh, FROM_DUR, f, at, element);
	else if (!strcmp(f->name, time) && !raw)
		add_step(e, sh, FROM_TIME, f, at, element);
	else if (kind == KIND_RW && !strcmp(f->name, "endtime") && !raw)
		add_step(e, sh, FROM_END, f, at, element);
	else if (kind == KIND_RW && !strcmp(f->name, "offset"))
		column_step(e, sh, f, at, element, ty, "addr");
	else if (kind == KIND_RW && !strcmp(f->name, "IO_size"))
		column_step(e, sh, f, at, element, ty, "size");
	else if (kind == KIND_RW && !strcmp(f->name, "operation_type"))
		add_step(e, sh, FROM_OPERATION, f, at, element);
	else
		arg_step(e, sh, f, at, element, ty);
}

/* Plans which fields of record r the events of the type fill. */
static void
make_shape(struct encode *e, struct record_shape *sh, const struct layout_record *r,
	   const struct type *ty)
{
	const struct charisma_out *c = e->state;
	const struct layout_record *q = layout_kind(&c->l, KIND_REQUEST);
	struct load_spec number = layout_load_of(&c->l, &r->field[0], 0, c->big);

	sh->rec = r;
	sh->bytes = (uint32_t)layout_bytes(&c->l, r, 1);
	sh->blank = arena_zeros(&e->plan_cache.mem, sh->bytes + 16);
	sh->step = arena_get(&e->plan_cache.mem, 2 * LAYOUT_FIELDS * sizeof *sh->step);
	charisma_store(sh->blank, &number, r->number, c->big);
	for (uint32_t i = 1; i < r->nfields; i++) {
		const struct layout_field *f = &r->field[i];
		bool last = r->repeat && i + 1 == r->nfields;

		if (r->repeat && i == r->counter) {
			struct load_spec count = layout_load_of(&c->l, f, 0, c->big);

			charisma_store(sh->blank, &count, r->kind == KIND_RW, c->big);
		} else if (f->type != TYPE_REQUEST && !last)
			field_step(e, sh, f, 0, false, ty);
		else if (f->type == TYPE_REQUEST) {
			if (last)
				sh->nfixed = sh->nsteps;
			for (uint32_t k = 0; q && k < q->nfields; k++)
				field_step(e, sh, &q->field[k], f->off, last, ty);
		}
	}
	if (r->kind != KIND_RW || !r->repeat)
		sh->nfixed = sh->nsteps;
	sh->columns = r->kind == KIND_RW;
	for (uint32_t i = 0; i < sh->nsteps; i++) {
		sh->client |= sh->step[i].from == FROM_CLIENT;
		sh->app |= sh->step[i].from == FROM_APP;
	}
	sh->app |= layout_field(r, "appl_id") != NULL;
}

/* Returns whether events of the type become record r, by its name; a request has two names. */
static bool
is_called(const struct layout_record *r, const struct type *ty)
{
	if (r->kind == KIND_REQUEST || r->kind == KIND_COMP_RW || r->kind == KIND_OPAQUE)
		return false;
	if (r->kind == KIND_RW)
		return op_of(ty) & (OP_READ | OP_WRITE);
	return !strcmp(ty->event,
		       r->kind < KINDS_GENERIC ? layout_row(r->kind)->event : r->name);
}

/* Plans how events of the type become compressed requests. */
static void
plan_compressed(struct encode *e, struct charisma_out_plan *pl, const struct type *ty)
{
	static const char *const name[COMP_ARGS] = {
	    "file_desc", "memstride_index", "size_index", "stride_index", "memstride",
	    "",		 "stride"};
	const struct charisma_out *c = e->state;
	const struct layout_record *r = layout_kind(&c->l, KIND_COMP_RW);
	const struct layout_field stamp = {.type = TYPE_TIMESTAMP};
	struct charisma_step *s;

	make_shape(e, &pl->comp, r, ty);
	pl->comp.blank[0] = (uint8_t)c->l.comp;
	s = add_step(e, &pl->comp, FROM_TIME, &stamp, r->size, false);
	s->to.shift = 0;
	s->to.sign = 0;
	for (int i = 0; i < COMP_ARGS; i++)
		pl->comp_arg[i] = *name[i] ? arg_field(e, ty, name[i])
					   : field_find("size", &e->s->head, ty);
}

void
charisma_out_plan(struct encode *e, const struct type *ty, void *plan)
{
	const struct charisma_out *c = e->state;
	struct charisma_out_plan *pl = plan;
	const struct layout_record *r;

	for (uint32_t i = 0; i < c->l.nrecords; i++) {
		unsigned app;

		r = &c->l.record[i];
		app = r->kind == KIND_APP_OPEN || r->kind == KIND_APP_CLOSE;
		if (!is_called(r, ty) || pl->of[app].rec)
			continue;
		pl->header = r->kind == KIND_HEADER;
		pl->rw = r->kind == KIND_RW;
		make_shape(e, &pl->of[app], r, ty);
	}
	pl->both = pl->of[1].rec != NULL;
	pl->write = pl->rw && (*ty->event | 0x20) == 'w';
	pl->by = arg_field(e, ty, "by");
	pl->by_is = -1;
	if (pl->by.load == LOAD_CONST)
		pl->by_is = !strcmp(pl->by.text, "app");
	pl->op = arg_field(e, ty, "operation_type");
	pl->op_is = UINT64_MAX;
	if (pl->op.load == LOAD_CONST &&
	    !charisma_flags(pl->op.text, pl->op.len, false, &pl->op_is))
		pl->op_is = UINT64_MAX;
	pl->request = arg_field(e, ty, "request");
	r = pl->of[0].rec;
	if (pl->rw && c->l.comp >= 0)
		plan_compressed(e, pl, ty);
	if (r && r->repeat)
		pl->elements = arg_field(e, ty, r->field[r->nfields - 1].name);
}
