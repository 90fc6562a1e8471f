/* exprs.c - lists of expressions, and their values for a batch. */
#include <stdlib.h>
#include <string.h>

#include "expr/engine.h"

struct exprs {
	struct expr_tree tree;
	struct view view;
	struct engine engine;
	bool any; /* there was an event */
	/* the head for which a message has reported that the list cannot be used */
	unsigned told;
};

struct exprs *
exprs_parse(const char *text, unsigned flags, expr_aggregate *aggregate)
{
	struct exprs *l = xcalloc(1, sizeof *l);

	expr_tree_parse(&l->tree, text, flags | PARSE_LIST, aggregate);
	engine_ask(&l->tree, &l->view);
	engine_open(&l->engine, &l->tree, &l->view);
	return l;
}

void
exprs_free(struct exprs *l)
{
	if (!l)
		return;
	engine_close(&l->engine);
	expr_tree_free(&l->tree);
	view_free(&l->view);
	free(l);
}

const struct expr_tree *
exprs_tree(const struct exprs *l)
{
	return &l->tree;
}

struct exprs *
exprs_key_parse(const char *text)
{
	return *text ? exprs_parse(text, 0, NULL) : NULL;
}

void
exprs_key(struct exprs *l, struct exprs *keys)
{
	engine_key(&l->engine, keys);
}

unsigned
exprs_need(const struct exprs *l)
{
	return view_need(&l->view) | engine_need(&l->engine);
}

const char *
exprs_clash(const struct exprs *l, const struct source *s)
{
	return engine_clash(&l->engine, s);
}

bool
exprs_in_order(const struct exprs *l)
{
	return l->tree.before;
}

bool
exprs_run(struct exprs *l, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	const char *clash = engine_clash(&l->engine, s);

	l->any = true;
	if (view_bind(&l->view, &s->t, &s->head, s->head_serial, s->fmt->text)) {
		engine_forget(&l->engine);
		engine_dates(&l->tree, &s->head);
	}
	if (unlikely(clash != NULL)) {
		expr_type_error(s, clash, &l->told);
		return false;
	}
	engine_run(&l->engine, s, b, pick, n);
	return true;
}

const struct vec *
exprs_vec(const struct exprs *l, size_t i)
{
	struct exprs *own = (struct exprs *)(uintptr_t)l;

	engine_let(&own->engine, i);
	return &l->engine.lets[i].vreg.v;
}

/* Returns the j-th event if the i-th key is a plain field of which one value may have several texts, as 2 and 2.0;
 * else NULL. */
static const struct rec *
as_written(const struct exprs *keys, size_t i, uint32_t j)
{
	const struct engine *g = &keys->engine;
	const struct expr_let *let = &keys->tree.lets[i];
	const struct node *node = &keys->tree.nodes[let->root];
	const struct rec *r;
	const struct field *f;

	if (!let->field || node->op != N_FIELD)
		return NULL;
	r = batch_rec(g->b, g->all.at[j]);
	f = view_field(&keys->view, r->type, keys->tree.fields[node->left].asked);
	return f->load == LOAD_INT || f->load == LOAD_END ? NULL : r;
}

void
exprs_key_put(struct buf *b, const struct exprs *keys, enum clock clock, uint32_t j)
{
	struct val_env env = {.clock = clock};
	const struct rec *r;

	b->n = 0;
	buf_room(b, 1);
	for (size_t i = 0; keys && i < keys->tree.nlets; i++) {
		struct val v = vec_val(exprs_vec(keys, i), j);
		size_t at = b->n;
		uint32_t n;

		buf_add(b, "\0\0\0", 4);
		if (v.kind == VAL_NONE)
			continue;
		r = as_written(keys, i, j);
		if (!r || !exprs_text(keys, i, r, b))
			val_put(b, &env, &v);
		n = (uint32_t)(b->n - at - 3);
		memcpy(b->p + at, &n, sizeof n);
	}
}

struct val
exprs_row(struct exprs *l, uint32_t node, const struct val *agg, enum clock clock)
{
	struct engine *g = &l->engine;
	size_t let = engine_let_of(g->tree, node, 0);

	arena_free(&g->mem);
	g->env = (struct val_env){.clock = clock, .mem = &g->mem, .rests = true};
	g->aggs = agg;
	/* Compute the earlier columns, which the node may name. */
	for (g->let = 0; g->let < let && g->tree->named; g->let++) {
		uint32_t root = g->tree->lets[g->let].root;

		engine_root(g, root);
		g->lets[g->let].vreg.c = batch_one(g, g->root[root], 0, 0);
		g->lets[g->let].vreg.constant = true;
	}
	g->let = let;
	engine_root(g, node);
	return batch_one(g, g->root[node], 0, 0);
}

bool
exprs_rows_fit(const struct exprs *l)
{
	bool fit = true;

	for (size_t i = 0; i < l->tree.nlets; i++) {
		if (!l->engine.overs[i])
			continue;
		warn("the column %s has values that do not fit 64 bits, written as -",
		     l->tree.lets[i].label);
		fit = false;
	}
	return fit;
}

bool
exprs_text(const struct exprs *l, size_t i, const struct rec *r, struct buf *b)
{
	const struct node *node = &l->tree.nodes[l->tree.lets[i].root];
	const struct source *s = l->engine.s;

	return field_text(b, &s->head, &s->t, r,
			  view_field(&l->view, r->type, l->tree.fields[node->left].asked));
}

void
exprs_merge(struct exprs *l, struct exprs *from)
{
	view_merge(&l->view, &from->view);
	engine_merge(&l->engine, &from->engine);
	l->any |= from->any;
}

const char *
exprs_field(const struct exprs *l, size_t i, bool *seen)
{
	if (!l->any || i >= l->view.n)
		return NULL;
	*seen = l->view.name[i].seen & SEEN_FIELD;
	return l->view.name[i].name;
}

int
exprs_finish(struct exprs *l, bool partial)
{
	int status = ST_OK;

	for (size_t i = 0; i < l->view.n && l->any && !partial; i++) {
		if (l->view.name[i].seen & SEEN_FIELD)
			continue;
		view_missing(&l->view, l->view.name[i].name);
		status = ST_TROUBLE;
	}
	return engine_finish(&l->engine, partial) != ST_OK ? ST_TROUBLE : status;
}
