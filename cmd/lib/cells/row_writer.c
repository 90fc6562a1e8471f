/*
 * row_writer.c - see row_writer.h. A plan for each type lists the cells of its rows. A cell is a literal, which
 * holds everything that is equal in all rows, and the value that follows it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "cells/row_writer.h"

/* A flag in addition to HAS_*: the event has a loc. */
#define HAS_LOC (HAS_ALL + 1)

enum cell_form {
	C_LIT,	/* the literal alone */
	C_U64,	/* unsigned, 64 bits */
	C_TIME, /* the column time, in ns */
	C_NS,	/* 64 bits, in ns */
	C_INT,	/* any other integer */
	C_LOC,
	C_SYM,
	C_TEXT, /* any other value, by field_text */
	C_COMPUTED,
};

struct plan_cell {
	struct cached_text lit; /* the text before the value */
	uint8_t form;		/* enum cell_form */
	uint32_t off;		/* offset in the record, for C_U64, C_NS and C_SYM */
	size_t at;		/* index in the list, for C_COMPUTED */
	struct second_cache second;
	struct field f;
};

/* The cells of all events that have one type and the same columns. */
struct row_writer_plan {
	unsigned has; /* columns that the events have: HAS_*, with PLAN_MADE */
	uint32_t n;
	struct plan_cell *cell;
	struct row_writer_plan *next; /* next plan of the same type */
	/* All cells are unsigned numbers, or, if `placed`, all after the time and loc. Rows of block I/O and
	 * memory references are mostly so. */
	bool numbers, placed;
};
#define PLAN_MADE (HAS_LOC << 1)
/* most cells of such a row, so that it fits into the room of a line */
#define NUMBERS_MOST 32

/* Returns true if an argument of this name is labelled "arg.NAME", because its own name is a column's or begins
 * with "arg.". So no two labels are equal. */
static bool
arg_prefix(const char *name)
{
	return field_column(name, strlen(name)) || !strncmp(name, "arg.", 4);
}

void
type_args(const struct type *ty,
	  void (*add)(void *arg, const char *label, const struct field *f), void *arg)
{
	struct strtab met = {0};
	struct buf label = {0};

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const char *name = ty->args[i].name;
		struct field f = field_of_arg(&ty->args[i]);
		uint32_t n = met.n;

		if (strtab_id(&met, name, strlen(name)) != n)
			continue;
		label.n = 0;
		if (arg_prefix(name))
			buf_add(&label, "arg.", 4);
		buf_add(&label, name, strlen(name) + 1);
		add(arg, (const char *)label.p, &f);
	}
	buf_free(&label);
	strtab_free(&met);
}

static bool
is_json(const struct row_writer *c)
{
	return c->style >= CELLS_JSON;
}

/* Returns the text of an absent value. */
static const char *
nothing(const struct row_writer *c)
{
	if (is_json(c))
		return "null";
	/* Quotes, because readers of CSV skip an empty line. */
	return *c->null || c->args || c->n > 1 ? c->null : "\"\"";
}

/* Appends the text before the value of a column: the separator, and in JSON the key `label`. */
static void
add_before(struct row_writer *c, const char *label)
{
	static const char *const first[] = {[CELLS_STREAM] = "",
					    [CELLS_CSV] = "",
					    [CELLS_TSV] = "",
					    [CELLS_JSON] = "{",
					    [CELLS_CHROME] = ",\"args\":{"};
	const char *before =
	    c->any ? c->style == CELLS_TSV || c->style == CELLS_STREAM ? "\t" : ","
		   : first[c->style];

	c->any = true;
	buf_add(&c->lit, before, strlen(before));
	if (is_json(c)) {
		row_writer_text(c, &c->lit, label, strlen(label), true);
		buf_byte(&c->lit, ':');
	}
}

void
row_writer_head(struct row_writer *c)
{
	struct buf *b = &c->lit;

	b->n = 0;
	c->any = false;
	if (c->style == CELLS_STREAM)
		buf_byte(b, '#');
	for (size_t i = 0; i < c->n + c->names.n && !is_json(c); i++) {
		const char *label = i < c->n ? c->column[i].label : c->names.v[i - c->n].s;

		add_before(c, "");
		if (i >= c->n && arg_prefix(label))
			buf_add(b, "arg.", 4);
		if (c->style == CELLS_STREAM)
			buf_to(b, put_name(buf_room(b, 4 * strlen(label)), label,
					   strlen(label)));
		else
			row_writer_text(c, b, label, strlen(label), true);
	}
	buf_byte(b, '\n');
	if (!is_json(c))
		out_bytes(c->out, b->p, b->n);
}

/* Returns the fastest form of cell that can write the field. */
static enum cell_form
how_of(const struct field *f)
{
	if (f->load == LOAD_STRING)
		return f->kind == FIELD_LOC ? C_LOC : f->kind == FIELD_ARG ? C_SYM : C_TEXT;
	if (f->load != LOAD_INT || f->shift)
		return f->load == LOAD_INT || f->load == LOAD_END ? C_INT : C_TEXT;
	if (f->number == K_NS)
		return f->kind == FIELD_TIME ? C_TIME : C_NS;
	return f->number == K_U64 ? C_U64 : C_INT;
}

/* Appends a cell to the plan in the making; its literal is c->lit, which is emptied. Returns the cell. */
static struct plan_cell *
add_cell(struct row_writer *c, enum cell_form form)
{
	struct row_writer_plan *pl = c->making;
	struct plan_cell *g = &pl->cell[pl->n++];

	g->lit = cached_text_copy(&c->plan_cache.mem, &c->lit);
	g->form = (uint8_t)form;
	c->lit.n = 0;
	return g;
}

/* Appends the cell of a field, or extends the literal if the value is constant or absent. JSON with all arguments
 * omits an absent field. */
static void
add_field(void *arg, const char *label, const struct field *f)
{
	struct row_writer *c = arg;
	unsigned bit = f->kind == FIELD_LOC ? HAS_LOC : f->bit;
	bool absent = f->load == LOAD_NONE || bit & ~c->making->has;
	struct plan_cell *g;

	if (absent && is_json(c) && c->args)
		return;
	add_before(c, label);
	if (absent) {
		buf_add(&c->lit, nothing(c), strlen(nothing(c)));
		return;
	}
	if (f->load == LOAD_CONST) {
		row_writer_text(c, &c->lit, f->text, f->len, f->kind == FIELD_EVENT);
		return;
	}
	g = add_cell(c, how_of(f));
	g->off = f->off;
	g->f = *f;
}

/* Adds the arguments of a type, each in its column (CSV, TSV). */
static void
add_named(struct row_writer *c, const struct type *ty)
{
	const struct arg **of = xcalloc(c->names.n + 1, sizeof *of);
	uint32_t id;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const char *name = ty->args[i].name;

		if (!strtab_find(&c->names, name, strlen(name), &id))
			c->missed = true;
		else if (!of[id])
			of[id] = &ty->args[i];
	}
	for (id = 0; id < c->names.n; id++) {
		struct field f = {.kind = FIELD_NONE};

		if (of[id])
			f = field_of_arg(of[id]);
		add_field(c, "", &f);
	}
	free(of);
}

/* Sets pl->numbers and pl->placed if put_numbers can write the row within the room of a line. */
static void
find_shape(struct row_writer_plan *pl)
{
	uint32_t i;

	pl->placed = pl->n > 2 && pl->cell[0].form == C_TIME && pl->cell[1].form == C_LOC;
	for (i = 2 * pl->placed; i < NUMBERS_MOST && pl->cell[i].form == C_U64; i++)
		;
	pl->numbers = pl->cell[i].form == C_LIT && pl->cell[0].lit.n <= CACHED_TEXT_ROOM;
	for (; i > 0; i--)
		pl->numbers &= pl->cell[i].lit.n <= CACHED_TEXT_FAST;
}

static COLD void
build(struct row_writer *c, struct row_writer_plan *pl, const struct source *s,
      uint32_t type)
{
	static const char *const end[] = {"\n", "\n", "\n", "}\n", "}}"};
	const struct type *ty = &s->t.type[type];
	size_t most = c->n + ty->nargs + 1;
	char room[STATE_ROOM];
	const char *name;

	pl->cell = arena_zeros(&c->plan_cache.mem, most * sizeof *pl->cell);
	c->making = pl;
	c->lit.n = 0;
	c->any = false;
	if (c->style == CELLS_CHROME) {
		buf_add(&c->lit, ",\"cat\":", 7);
		row_writer_text(c, &c->lit, s->head.format, strlen(s->head.format), true);
		buf_add(&c->lit, ",\"name\":", 8);
		name = c->name(s, ty, room);
		row_writer_text(c, &c->lit, name, strlen(name), true);
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct row_writer_column *col = &c->column[i];

		if (col->computed) {
			add_before(c, col->label);
			add_cell(c, C_COMPUTED)->at = col->at;
		} else
			add_field(c, col->label, view_field(&c->view, type, col->at));
	}
	if (c->args && is_json(c))
		type_args(ty, add_field, c);
	else if (c->args)
		add_named(c, ty);
	buf_add(&c->lit, end[c->style],
		strlen(end[c->style]) - (c->style == CELLS_CHROME && !c->any));
	add_cell(c, C_LIT);
	find_shape(pl);
}

/* Returns the plan of the events of a type that have the columns `has`. Builds it at the first call. */
static COLD const struct row_writer_plan *
find_plan(struct row_writer *c, const struct source *s, uint32_t type, unsigned has)
{
	struct row_writer_plan *pl = &c->plan[type];

	while (pl->cell && pl->has != has) {
		if (!pl->next)
			pl->next = arena_zeros(&c->plan_cache.mem, sizeof *pl);
		pl = pl->next;
	}
	if (!pl->cell) {
		pl->has = has;
		build(c, pl, s, type);
	}
	return pl;
}

void
row_writer_bind(struct row_writer *c, const struct source *s)
{
	c->most = is_json(c) && !c->numbers ? CELLS_EXACT : UINT64_MAX;
	c->shift = head_shift(&s->head, c->absolute);
	view_bind(&c->view, &s->t, &s->head, s->head_serial, s->fmt->text);
	cache_bound(&c->plan_cache);
	CACHE(c->plan, c->plan_cache, s, s->t.ntypes);
	cached_text_bind(&c->places, s);
	cached_text_bind(&c->symbols, s);
}

/* Writes the text in c->text as a value at p. Returns the position after it. */
static uint8_t *
put_cell_text(struct row_writer *c, uint8_t *p, bool text)
{
	c->made.n = 0;
	row_writer_text(c, &c->made, c->text.p, c->text.n, text);
	return out_bytes_at(c->out, p, c->made.p, c->made.n);
}

static uint8_t *
put_nothing(const struct row_writer *c, uint8_t *p)
{
	return out_bytes_at(c->out, p, nothing(c), strlen(nothing(c)));
}

/* Writes loc or a symbol. Its text is made once and kept. */
static uint8_t *
put_string(struct row_writer *c, uint8_t *p, const struct source *s, const struct rec *r,
	   const struct plan_cell *g)
{
	bool loc = g->form == C_LOC;
	uint32_t id = loc ? r->loc : ld32((const uint8_t *)r + g->off);
	struct text_cache *kept = loc ? &c->places : &c->symbols;

	/* a damaged stream; its reader has reported it */
	if (unlikely(id >= s->t.str.n))
		return put_nothing(c, p);
	if (unlikely(!kept->v[id].p)) {
		c->text.n = c->made.n = 0;
		if (field_text(&c->text, &s->head, &s->t, r, &g->f))
			row_writer_text(c, &c->made, c->text.p, c->text.n, loc);
		else
			buf_add(&c->made, nothing(c), strlen(nothing(c)));
		cached_text_set(kept, id, &c->made);
	}
	return cached_text_put(c->out, p, &kept->v[id]);
}

static INLINE uint64_t
magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Writes a time of `ns`. In JSON a time that a double cannot hold is a string. */
static INLINE uint8_t *
cell_time(struct row_writer *c, uint8_t *p, struct second_cache *second, int64_t ns)
{
	if (likely(magnitude(ns) <= c->most))
		return put_ns(p, second, ns);
	*p = '"';
	p = put_ns(p + 1, second, ns);
	*p = '"';
	return p + 1;
}

static INLINE int64_t
shifted(const struct row_writer *c, int64_t time)
{
	return likely(!c->shift) ? time : time_plus(CLOCK_NS, time, c->shift);
}

/* Writes an integer of any kind. */
static uint8_t *
put_int(struct row_writer *c, uint8_t *p, const struct rec *r, const struct field *f)
{
	bool quotes;
	uint64_t v;

	if (!field_load(f, r, &v))
		return put_nothing(c, p);
	if (f->number == K_NS && f->kind == FIELD_END)
		v = (uint64_t)shifted(c, (int64_t)v);
	quotes = (f->sign ? magnitude((int64_t)v) : v) > c->most ||
		 (is_json(c) && (f->number == K_X32 || f->number == K_X64));
	*p = '"';
	p = value_put_int(p + quotes, f->number, v);
	*p = '"';
	return p + quotes;
}

/* Writes the computed value of the j-th event that the list was run over. */
static uint8_t *
put_computed(struct row_writer *c, uint8_t *p, enum clock clock, const struct vec *v,
	     uint32_t j)
{
	struct val_env env = {.clock = clock};
	struct val one = vec_val(v, j);

	if (one.kind == VAL_NONE)
		return put_nothing(c, p);
	c->text.n = 0;
	if (one.kind == VAL_TEXT)
		value_str(&c->text, one.s, one.len);
	else
		val_put(&c->text, &env, &one);
	return put_cell_text(c, p, false);
}

static uint8_t *
put_general(struct row_writer *c, uint8_t *p, const struct source *s, const struct rec *r,
	    const struct field *f)
{
	c->text.n = 0;
	if (!field_text(&c->text, &s->head, &s->t, r, f))
		return put_nothing(c, p);
	return put_cell_text(c, p, false);
}

static INLINE uint8_t *
put_plain(struct row_writer *c, uint8_t *p, const struct rec *r, const struct plan_cell *g)
{
	uint64_t v = ld64((const uint8_t *)r + g->off);

	return unlikely(v > c->most) ? put_int(c, p, r, &g->f) : put_u64(p, v);
}

static INLINE uint8_t *
put_lit(uint8_t *p, const struct plan_cell *g)
{
	copy16s(p, g->lit.p, CACHED_TEXT_FAST);
	return p + g->lit.n;
}

/* Writes a row that is only numbers, after the time and loc if `placed`. The text of loc must have been made. */
static INLINE uint8_t *
put_numbers(struct row_writer *c, uint8_t *p, const struct rec *r, struct plan_cell *g,
	    bool placed)
{
	p = cached_text_put(c->out, p, &g->lit);
	if (placed) {
		p = cell_time(c, p, &g->second, shifted(c, r->time));
		p = cached_text_put(c->out, put_lit(p, g + 1), &c->places.v[r->loc]);
		g += 2;
		p = put_lit(p, g);
	}
	for (; g->form == C_U64; g++)
		p = put_lit(put_plain(c, p, r, g), g + 1);
	return p;
}

/* Writes the row of r, the j-th event that the list was run over. Returns the position after the row. */
static INLINE uint8_t *
put_row(struct row_writer *c, uint8_t *p, const struct source *s, const struct rec *r,
	const struct values *v, uint32_t j)
{
	unsigned has = (r->has & HAS_ALL) | (r->loc ? HAS_LOC : 0) | PLAN_MADE;
	const struct row_writer_plan *pl = &c->plan[r->type];
	struct plan_cell *g, *end;

	if (unlikely(pl->has != has))
		pl = find_plan(c, s, r->type, has);
	p = out_room_at(c->out, p);
	if (likely(pl->numbers && (!pl->placed || c->places.v[r->loc].p)))
		return put_numbers(c, p, r, pl->cell, pl->placed);
	for (g = pl->cell, end = g + pl->n; g < end; g++) {
		p = cached_text_put(c->out, out_room_at(c->out, p), &g->lit);
		switch (g->form) {
		case C_LIT: break;
		case C_U64: p = put_plain(c, p, r, g); break;
		case C_TIME: p = cell_time(c, p, &g->second, shifted(c, r->time)); break;
		case C_NS:
			p = cell_time(c, p, &g->second,
				      (int64_t)ld64((const uint8_t *)r + g->off));
			break;
		case C_INT: p = put_int(c, p, r, &g->f); break;
		case C_LOC:
		case C_SYM: p = put_string(c, p, s, r, g); break;
		case C_TEXT: p = put_general(c, p, s, r, &g->f); break;
		default:
			p = put_computed(c, p, s->head.clock, exprs_vec(v->list, g->at), j);
		}
	}
	return p;
}

uint8_t *
row_writer_one(struct row_writer *c, uint8_t *p, const struct source *s,
	       const struct rec *r)
{
	return put_row(c, p, s, r, NULL, 0);
}

void
row_writer_put(struct row_writer *c, const struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n, const struct values *v)
{
	struct out *o = c->out;
	uint8_t *p = out_room(o);

	row_writer_bind(c, s);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;

		p = put_row(c, p, s, batch_rec(b, at), v, values_at(v, at, i));
	}
	o->p = p;
	if (o->line)
		out_flush(o);
}

void
row_writer_free(struct row_writer *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->column[i].label);
	free(c->column);
	cache_free(c->plan, &c->plan_cache);
	cached_text_free(&c->places);
	cached_text_free(&c->symbols);
	view_free(&c->view);
	strtab_free(&c->names);
	buf_free(&c->text);
	buf_free(&c->raw);
	buf_free(&c->made);
	buf_free(&c->lit);
}
