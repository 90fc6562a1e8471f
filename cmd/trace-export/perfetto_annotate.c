/* perfetto_annotate.c - addr, size and arguments of events as Perfetto's annotations. A value is made from its
 * text, so that a trace and its stream have the same values. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "trace-export/perfetto.h"

/* Appends the value of a text with the escapes of a stream to x->value, and returns it. */
static struct val
add_value(struct perfetto *x, const char *s, size_t n)
{
	struct buf *b = &x->value;
	struct val v;

	text_raw(&x->raw, s, n);
	v = val_of_text((const char *)x->raw.p, x->raw.n);
	switch (v.kind) {
	case VAL_WHOLE:
		perfetto_field(b, v.n.hi < 0 ? ANNOTATION_INT : ANNOTATION_UINT, v.n.lo);
		break;
	case VAL_DECIMAL:
	case VAL_REAL:
		buf_to(b, put_real(buf_room(b, NUMBER + 8), ANNOTATION_REAL,
				   strtod((const char *)x->raw.p, NULL)));
		break;
	default:
		perfetto_utf8(x, x->raw.p, x->raw.n);
		perfetto_bytes(b, ANNOTATION_TEXT, x->text.p, x->text.n);
	}
	return v;
}

/* Returns how an annotation gets its value. */
static enum annotation_kind
how_of(const struct field *f)
{
	if (f->load == LOAD_CONST)
		return A_KEPT;
	if (f->load == LOAD_STRING && f->kind == FIELD_ARG)
		return A_SYM;
	if (f->load != LOAD_INT)
		return f->kind == FIELD_ARG && !kind_is_part(f->arg) ? A_KEPT : A_TEXT;
	return f->number == K_NS ? A_NS : f->sign || f->shift ? A_INT : A_UINT;
}

/* Adds an annotation named `label` to the plan that is being made. */
static void
add_annotation(void *arg, const char *label, const struct field *f)
{
	struct perfetto *x = arg;
	struct annotation *a = &x->making->v[x->making->n++];
	uint8_t *end;

	*a = (struct annotation){.f = *f};
	a->kind = (uint8_t)how_of(f);
	a->flow = f->kind == FIELD_ARG && !strcmp(label, "flow");
	if (a->flow && a->kind != A_KEPT)
		a->kind = a->kind == A_UINT || a->kind == A_INT ? A_INT : A_TEXT;
	if (a->kind == A_KEPT && f->load != LOAD_CONST)
		a->width = (uint8_t)kind_width(f->arg->kind);
	a->name[0] = EVENT_ANNOTATION;
	end = put_field(a->name + 2, ANNOTATION_NAME,
			perfetto_name(x, &x->names, NAMES_ANNOTATION, label));
	a->name_n = (uint8_t)(end - a->name);
}

/* Plans the columns and arguments of a type. */
void
perfetto_plan(struct perfetto *x, struct perfetto_plan *pl, const struct source *s,
	      const struct type *ty)
{
	uint8_t *p = put_field(pl->head, EVENT_CATEGORY, x->category);
	char room[STATE_ROOM];

	p = put_field(p, EVENT_NAME,
		      perfetto_name(x, &x->events, NAMES_EVENT, drawing_name(s, ty, room)));
	pl->head_n = (uint32_t)(p - pl->head);
	x->making = pl;
	pl->v =
	    arena_get(&x->plan_cache.mem, (ty->nargs + DRAWING_COLUMNS) * sizeof *pl->v);
	drawing_fields(s, ty, add_annotation, x);
}

/* Returns the value of a symbol, which is made once, or nothing if a damaged stream lacks the symbol. */
static struct cached_text
symbol_of(struct perfetto *x, const struct source *s, uint32_t id)
{
	if (unlikely(id >= s->t.str.n))
		return (struct cached_text){0}; /* its reader has reported it */
	if (likely(x->symbols.v[id].p))
		return x->symbols.v[id];
	x->value.n = 0;
	add_value(x, s->t.str.v[id].s, s->t.str.v[id].len);
	return cached_text_set(&x->symbols, id, &x->value);
}

/* Writes annotation a with its value, n bytes at v that slack follows. */
static inline uint8_t *
put_annotated(struct perfetto *x, uint8_t *p, const struct annotation *a, const uint8_t *v,
	      size_t n)
{
	p = perfetto_room(x, p, n + ROOM);
	if (likely(a->name_n - 2 + n < 128)) {
		memcpy(p, a->name, sizeof a->name);
		p[1] = (uint8_t)(a->name_n - 2 + n);
		p += a->name_n;
	} else {
		p = put_field(p, EVENT_ANNOTATION, a->name_n - 2 + n);
		memcpy(p, a->name + 2, sizeof a->name - 2);
		p += a->name_n - 2;
	}
	copy16s(p, v, (uint32_t)n);
	return p + n;
}

/* Writes the flow v of an event. */
static uint8_t *
put_flow(struct perfetto *x, uint8_t *p, uint64_t v)
{
	p = put_field(perfetto_room(x, p, ROOM), EVENT_FLOW_OLD, v);
	return put_fixed(p, EVENT_FLOW, v);
}

/* Appends the value of a to x->value, from its text. Returns false if it is absent. */
static bool
put_annotation(struct perfetto *x, uint8_t **p, const struct source *s, const struct rec *r,
	       const struct annotation *a)
{
	struct val v;

	x->text.n = x->value.n = 0;
	if (!field_text(&x->text, &s->head, &s->t, r, &a->f))
		return false;
	if (unlikely(x->text.n > TEXT_MOST)) {
		x->text.n = TEXT_MOST;
		x->cut++;
	}
	v = add_value(x, (const char *)x->text.p, x->text.n);
	if (a->flow && v.kind == VAL_WHOLE)
		*p = put_flow(x, *p, v.n.lo);
	buf_room(&x->value, SLACK);
	return true;
}

static uint8_t *
put_kept(struct perfetto *x, uint8_t *p, const struct source *s, const struct rec *r,
	 struct annotation *a)
{
	uint64_t key = 0;

	memcpy(&key, (const uint8_t *)r + a->f.off, a->width);
	if (likely(a->kept_n && a->key == key))
		return put_annotated(x, p, a, a->kept, a->kept_n);
	a->kept_n = 0;
	if (!put_annotation(x, &p, s, r, a))
		return p;
	if (x->value.n <= KEPT && !a->flow) {
		a->key = key;
		a->kept_n = (uint8_t)x->value.n;
		memcpy(a->kept, x->value.p, x->value.n);
	}
	return put_annotated(x, p, a, x->value.p, x->value.n);
}

/* Writes nanoseconds as seconds, exact to the nanosecond in a double. */
static uint8_t *
put_seconds(struct perfetto *x, uint8_t *p, const struct annotation *a, int64_t ns)
{
	uint8_t value[NUMBER + SLACK] = {0};

	if (ns % 1000000000 == 0)
		return put_int(x, p, a, ns < 0 ? ANNOTATION_INT : ANNOTATION_UINT,
			       (uint64_t)(ns / 1000000000));
	put_real(value, ANNOTATION_REAL, (double)ns / 1e9);
	return put_annotated(x, p, a, value, 9);
}

uint8_t *
perfetto_annotate(struct perfetto *x, uint8_t *p, const struct source *s,
		  const struct rec *r, struct annotation *a)
{
	struct cached_text k;
	uint64_t v;

	switch (a->kind) {
	case A_UINT:
	case A_INT:
		if (!field_load(&a->f, r, &v))
			return p;
		if (a->flow)
			p = put_flow(x, p, v);
		return put_int(
		    x, p, a, (int64_t)v < 0 && a->f.sign ? ANNOTATION_INT : ANNOTATION_UINT,
		    v);
	case A_NS:
		if (!field_load(&a->f, r, &v))
			return p;
		/* Larger times would be rounded twice. */
		if (v + (1ull << 53) <= 1ull << 54)
			return put_seconds(x, p, a, (int64_t)v);
		break;
	case A_KEPT: return put_kept(x, p, s, r, a);
	case A_SYM:
		k = symbol_of(x, s, ld32((const uint8_t *)r + a->f.off));
		if (k.p)
			return put_annotated(x, p, a, k.p, k.n);
		break;
	default: break;
	}
	return put_annotation(x, &p, s, r, a)
		   ? put_annotated(x, p, a, x->value.p, x->value.n)
		   : p;
}
