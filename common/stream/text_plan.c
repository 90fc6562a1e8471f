/*
 * text_plan.c - plans how events of a type become lines.
 *
 * A plan is built when its type is first seen. The text between two values is one literal, which is copied with a
 * constant size.
 */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "stream/text_plan.h"

#define BARE "-\t-\t-\n"
#define LABELS_MOST 64

/* Appends NAME= and text to the segment's literal. Returns false if there is no room. */
static bool
add_literal(struct arg_segment *g, const char *name, const char *text)
{
	size_t n = strlen(name), k = strlen(text);

	if (g->n + n + 2 + k > sizeof g->lit)
		return false;
	g->lit[g->n] = '\t';
	memcpy(g->lit + g->n + 1, name, n);
	g->lit[g->n + n + 1] = '=';
	memcpy(g->lit + g->n + n + 2, text, k);
	g->n += (uint32_t)(n + 2 + k);
	return true;
}

/* Returns the texts of labels, which are made once; NULL if they do not fit. */
static const struct text_labels *
labels_of(struct text_writer *w, const struct labels *l)
{
	struct text_labels *t;
	uint64_t n;

	for (t = w->labels; t && t->of != l; t = t->next)
		;
	if (t || !l->n)
		return t;
	n = (uint64_t)l->v[l->n - 1].value - (uint64_t)l->v[0].value + 1;
	if (n - 1 >= LABELS_MOST)
		return NULL;
	t = arena_zeros(&w->plan_cache.mem, sizeof *t + n * sizeof *t->v);
	t->of = l;
	t->lo = l->v[0].value;
	t->n = (uint32_t)n;
	for (uint32_t i = 0; i < l->n; i++) {
		uint64_t at = (uint64_t)l->v[i].value - (uint64_t)t->lo;
		struct buf *b = &w->scratch;

		b->n = 0;
		value_str(b, l->v[i].name, strlen(l->v[i].name));
		if (at >= n || b->n > sizeof t->v->text || memchr(b->p, ',', b->n))
			return NULL;
		memcpy(t->v[at].text, b->p, b->n);
		t->v[at].n = (uint32_t)b->n;
	}
	t->next = w->labels;
	w->labels = t;
	return t;
}

/* Returns the kind of segment that is the fastest way to write an argument; 0 = the general way. */
static uint8_t
segment_kind(struct text_writer *w, struct arg_segment *g, const struct arg *a)
{
	bool number = kind_is_int(a->kind);
	bool narrow = number && a->kind != K_U64 && a->kind != K_X32 && a->kind != K_X64;

	g->width = (uint8_t)kind_width(a->kind);
	if (number && a->labels && a->labels->n) {
		g->labels = narrow ? labels_of(w, a->labels) : NULL;
		if (!g->labels)
			return 0;
	}
	if (a->array)
		return narrow ? G_ARRAY : 0;
	if (number && g->labels)
		return a->kind == K_I16	  ? G_LABEL16
		       : a->kind == K_I32 ? G_LABEL32
					  : G_LABEL;
	if (number)
		return a->kind;
	return a->kind == K_NS || a->kind == K_SYM || a->kind == K_BYTES ? a->kind : 0;
}

/* Fills the segments for all arguments of a type. Returns their number. */
static uint32_t
build_segments(struct text_writer *w, struct arg_segment *g, const struct type *ty)
{
	struct arg_segment *first = g;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		bool constant = a->kind == K_CONST;

		if (!add_literal(g, a->name, constant ? a->text : "") && g->n) {
			g++->kind = K_CONST;
			add_literal(g, a->name, constant ? a->text : "");
		}
		g->arg = a;
		g->off = a->off;
		if (constant && g->n)
			continue; /* the next argument's name follows in the same literal */
		g->kind = segment_kind(w, g, a);
		g++;
	}
	if (g->n)
		g++->kind = K_CONST;
	return (uint32_t)(g - first);
}

void
text_plan_build(struct text_writer *w, struct text_plan *pl, const struct type *ty)
{
	pl->built = true;
	if (ty->event_len + 1 <= LIT) {
		memcpy(pl->event, ty->event, ty->event_len);
		pl->event[ty->event_len] = '\t';
		pl->event_n = ty->event_len + 1;
	}
	pl->segment =
	    arena_zeros(&w->plan_cache.mem, (ty->nargs + 1) * sizeof *pl->segment);
	pl->nsegments = build_segments(w, pl->segment, ty);
	pl->many = pl->nsegments > SEGMENTS_FEW;
	/* The shape of runtime events. Without arguments, the literal has the rest of the line. */
	pl->bare = pl->event_n && !ty->may && pl->event_n + sizeof BARE - 1 <= LIT;
	if (pl->bare) {
		memcpy(pl->event + pl->event_n, BARE, sizeof BARE - 1);
		pl->event_n += (uint32_t)sizeof BARE - 1 - (ty->nargs > 0);
	}
	/* The shape of block I/O and memory references: only address and size. */
	pl->fixed = pl->event_n && !ty->nargs && !ty->addr_hex && ty->must == ty->may &&
		    ty->must == (HAS_ADDR | HAS_SIZE);
}

COLD void
text_place_build(struct text_writer *w, const struct tables *t, uint32_t loc)
{
	const struct str *s = &t->str.v[loc];
	struct buf *b = &w->scratch;

	b->n = 0;
	buf_byte(b, '\t');
	buf_to(b, put_name(buf_room(b, 4 * (size_t)s->len), s->s, s->len));
	if (b->n == 1)
		buf_add(b, "\"\"", 2); /* no column is empty */
	buf_byte(b, '\t');
	cached_text_set(&w->places, loc, b);
}

COLD void
text_symbol_build(struct text_writer *w, const struct tables *t, const struct rec *r,
		  const struct arg *a, uint32_t sym)
{
	w->scratch.n = 0;
	value_arg(&w->scratch, t, r, a);
	cached_text_set(&w->symbols, sym, &w->scratch);
}
