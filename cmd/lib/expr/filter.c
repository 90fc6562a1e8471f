/*
 * filter.c - runs filter expressions on batches.
 *
 * Each operand of the topmost `and` runs as separate loops, over the events that the previous operands have left.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/opt.h"
#include "expr/parser.h"
#include "expr/program.h"
#include "expr/filter_value.h"

/* Limits of the names of events kept for a hint, and of the bytes of a name. */
#define EVENTS_MOST 4096
#define NAME_MOST 64

/* Adds the conjuncts of node n, in order. */
static void
add_parts(struct expr *e, uint32_t n)
{
	const struct node *node = &e->tree.nodes[n];
	struct conjunct c = {.node = n, .want = true};

	if (node->op == N_AND) {
		add_parts(e, node->left);
		add_parts(e, node->right);
		return;
	}
	c.want = node->op != N_NOT;
	if (node->op == N_NOT)
		node = &e->tree.nodes[node->left];
	c.range_test = node->op == N_TEST && e->tree.tests[node->left]->left == NO_NODE;
	if (c.range_test)
		c.test = node->left;
	else
		engine_root(&e->engine, n);
	*PUSH(e->part, e->nparts, e->partcap) = c;
}

struct expr *
expr_parse(const char *text)
{
	struct expr *e;

	if (!text)
		return NULL;
	e = xcalloc(1, sizeof *e);
	expr_tree_parse(&e->tree, text, 0, NULL);
	engine_ask(&e->tree, &e->view);
	engine_open(&e->engine, &e->tree, &e->view);
	add_parts(e, e->tree.root);
	return e;
}

unsigned
expr_need(const struct expr *e)
{
	return e ? view_need(&e->view) | engine_need(&e->engine) : 0;
}

void
expr_key(struct expr *e, const char *keys)
{
	if (e && keys)
		engine_key(&e->engine, exprs_key_parse(keys));
}

bool
expr_in_order(const struct expr *e)
{
	return e && e->tree.before;
}

void
expr_refuse_parts(bool in_order)
{
	if (common.read.chunks && in_order)
		opt_die("--chunk reads a part alone, but prev, nth and total need all "
			"previous events");
}

void
expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_forget(e);
	engine_close(&e->engine);
	expr_tree_free(&e->tree);
	free(e->part);
	free(e->verdicts);
	free(e->noted);
	view_free(&e->view);
	strtab_free(&e->events);
	free(e);
}

/* Keeps the events of pick[0..n) that pass a conjunct, without a branch for each. Returns their number. */
static uint32_t
pick_part(struct expr *e, const struct conjunct *c, uint32_t *pick, uint32_t n)
{
	uint8_t yes[BATCH];
	uint32_t k = 0;

	if (c->range_test)
		range_test_select(&e->engine, c->test, pick, n, yes);
	else
		engine_test(&e->engine, c->node, pick, n, yes);
	for (uint32_t j = 0; j < n; j++) {
		pick[k] = pick[j];
		k += yes[j] == (!c->range_test || c->want);
	}
	return k;
}

/* Picks the events whose type is not dropped, in order. Returns their number. */
static uint32_t
pick_types(const struct expr *e, const struct batch *b, uint32_t *pick)
{
	uint32_t n = e->seen[DROP] ? 0 : b->n;

	memcpy(pick, e->engine.first, n * sizeof *pick);
	for (uint32_t i = n; i < b->n; i++) {
		pick[n] = i;
		n += e->verdicts[batch_rec(b, i)->type] != DROP;
	}
	return n;
}

/* Picks the events that pass the first range, without a branch for each. Returns their number. */
static uint32_t
pick_quick(struct expr *e, const struct batch *b, uint32_t *pick)
{
	const struct conjunct *c = &e->part[e->quick];
	const struct range_test l = *range_test_of(&e->engine, c->test, c->type);
	const uint8_t *verdicts = e->verdicts;
	unsigned want = c->want;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);

		pick[n] = i;
		n += (unsigned)(verdicts[r->type] != DROP) &
		     (range_test_range(&l, r) == want);
	}
	return n;
}

bool
expr_type_wrong(const struct expr *e)
{
	return e->clash != NULL;
}

/* Notes the names of the events of a batch. (A format may declare types that never come.) */
static void
note_events(struct expr *e, const struct source *s, const struct batch *b)
{
	GROW(e->noted, e->noted_cap, s->t.ntypes);
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t type = batch_rec(b, i)->type;
		const struct type *ty = &s->t.type[type];

		if (e->noted[type] || e->events.n >= EVENTS_MOST)
			continue;
		e->noted[type] = 1;
		e->nnoted++;
		if (ty->event_len < NAME_MOST)
			strtab_id(&e->events, ty->event, ty->event_len);
	}
}

/* Prepares e for a batch of s. Returns false if the expression cannot be used on s. */
static bool
bind(struct expr *e, struct source *s, const struct batch *b)
{
	e->any = true;
	expr_refresh(e, s);
	if (unlikely(e->clash != NULL)) {
		expr_type_error(s, e->clash, &e->told);
		return false;
	}
	if (e->strange && e->nnoted < s->t.ntypes)
		note_events(e, s, b);
	return true;
}

const uint8_t *
expr_types(struct expr *e, struct source *s, const struct batch *b)
{
	if (!bind(e, s, b) || e->seen[RUN] || e->tree.before)
		return NULL;
	return e->verdicts;
}

uint32_t
expr_run(struct expr *e, struct source *s, const struct batch *b, uint32_t pick[BATCH])
{
	uint32_t n;
	size_t i = 0;

	if (!bind(e, s, b))
		return 0;
	engine_run(&e->engine, s, b, NULL, b->n);
	if (e->quick < e->nparts) {
		n = pick_quick(e, b, pick);
		i = e->quick + 1;
	} else
		n = pick_types(e, b, pick);
	for (; i < e->nparts && n; i++)
		if (e->part[i].needed)
			n = pick_part(e, &e->part[i], pick, n);
	e->picked |= n > 0;
	return n;
}

bool
expr_choose(struct expr *e, struct source *s, const struct batch *b, uint32_t room[BATCH],
	    const uint32_t **pick, uint32_t *n)
{
	*pick = e ? room : NULL;
	*n = e ? expr_run(e, s, b, room) : b->n;
	return !e || !expr_type_wrong(e);
}

void
expr_merge(struct expr *e, struct expr *from)
{
	for (size_t i = 0; i < e->tree.ntests; i++) {
		struct test *to = e->tree.tests[i];
		const struct test *t = from->tree.tests[i];

		for (size_t k = 0; k < t->nitems; k++)
			to->items[k].hit |= t->items[k].hit;
		if (t->name && !to->name) {
			to->name = xstrdup(t->name);
			to->named = t->named;
		}
	}
	view_merge(&e->view, &from->view);
	engine_merge(&e->engine, &from->engine);
	for (uint32_t i = 0; i < from->events.n; i++)
		strtab_id(&e->events, from->events.v[i].s, from->events.v[i].len);
	e->any |= from->any;
	e->picked |= from->picked || from->seen[TAKE];
}

/* Writes s in small letters to `to`; an empty text if it does not fit. */
static void
folded(char *to, size_t room, const char *s)
{
	size_t n = strnlen(s, room);

	for (size_t i = 0; i < n && n < room; i++)
		to[i] = (char)tolower((unsigned char)s[i]);
	to[n < room ? n : 0] = '\0';
}

/* Returns the noted event whose name differs from `name` only in case, or in one letter; NULL if there is none. Of
 * several equally near names, the first by its bytes, because threads may have met them in any order. */
static const char *
near_event(const struct expr *e, const struct test *t, const char *name)
{
	const char *near = NULL;
	char low[NAME_MOST], event[NAME_MOST];
	bool nearest = false; /* `near` differs only in case */

	folded(low, sizeof low, name);
	for (uint32_t i = 0; *low && i < e->events.n; i++) {
		const char *to = e->events.v[i].s;
		bool same;

		folded(event, sizeof event, to);
		same = !strcmp(low, event) ||
		       (t->op == OP_GLOB && fnmatch(low, event, FNM_NOESCAPE) == 0);
		if (!same && (nearest || !low[1] || !event[0] || !event[1] ||
			      name_distance(low, event) != 1))
			continue;
		if (!near || same > nearest || strcmp(to, near) < 0)
			near = to;
		nearest |= same;
	}
	return near;
}

/* Returns true if a test of the plain field has reported that the field is missing. */
static bool
said(const struct expr *e, size_t asked)
{
	for (size_t i = 0; i < e->tree.ntests; i++)
		if (e->tree.tests[i]->left == NO_NODE && e->tree.tests[i]->asked == asked)
			return true;
	return false;
}

/* Prints a hint if the word of an item is the name of a field, or a number with an unknown unit. The caller has
 * found that no event passed the expression. */
static void
hint_word(const struct expr *e, const struct test *t, const struct item *it)
{
	const char *word = it->from.text;
	size_t digits;
	uint32_t id;

	if (t->left != NO_NODE || t->negate || it->range || it->from.is_num || it->quoted ||
	    (t->op != OP_EQ && t->op != OP_IN) || t->column == FIELD_EVENT)
		return;
	digits = strspn(word, "+-.0123456789");
	if (field_column(word, strlen(word)) ||
	    strtab_find(&e->view.known, word, strlen(word), &id))
		warn("%s was compared with the text \"%s\"; for the field of that name, "
		     "write (%s)",
		     t->field, word, word);
	else if (word_numeric(word) && word[digits] &&
		 strspn(word + digits,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%") ==
		     strlen(word + digits))
		warn("%s was compared with the text \"%s\": %s", t->field, word,
		     word_fault(word));
}

int
expr_finish(struct expr *e, bool partial)
{
	const char *hint;
	int status = ST_OK;

	if (!e || !e->any)
		return ST_OK;
	for (size_t i = 0; i < e->tree.ntests; i++) {
		const struct test *t = e->tree.tests[i];

		if (t->name)
			warn("%s: the value %s has the name %s, and is compared as that",
			     t->field, t->items[t->named].from.text, t->name);
		for (size_t k = 0; k < t->nitems; k++) {
			const struct item *it = &t->items[k];
			const char *near =
			    item_strange(t, it) ? near_event(e, t, it->from.text) : NULL;

			if (near)
				warn("no event is called %s; there is %s", it->from.text,
				     near);
			if (!e->picked && !e->seen[TAKE] && !partial)
				hint_word(e, t, it);
		}
		if (partial || t->left != NO_NODE ||
		    e->view.name[t->asked].seen & SEEN_FIELD)
			continue;
		view_missing(&e->view, t->field);
		status = ST_TROUBLE;
	}
	hint = e->picked || e->seen[TAKE] || partial
		   ? NULL
		   : expr_hint(e->tree.text, SIZE_MAX, false);
	if (hint)
		warn("%.200s: %s", e->tree.text, hint);
	for (size_t i = 0; i < e->tree.nfields && !partial; i++) {
		const struct expr_field *f = &e->tree.fields[i];

		if (e->view.name[f->asked].seen & SEEN_FIELD || said(e, f->asked))
			continue;
		view_missing(&e->view, f->name);
		status = ST_TROUBLE;
	}
	return engine_finish(&e->engine, partial) != ST_OK ? ST_TROUBLE : status;
}

const char *
expr_field(const struct expr *e, size_t i, bool *seen)
{
	if (!e->any || i >= e->view.n)
		return NULL;
	*seen = e->view.name[i].seen & SEEN_FIELD;
	return e->view.name[i].name;
}

void
expr_print_tree(const struct expr *e, FILE *f)
{
	expr_tree_print(&e->tree, f);
}

void
expr_print_types(struct expr *e, struct source *s, FILE *f)
{
	static const char *const verdicts[] = {"drop", "pass", "by its values"};

	expr_refresh(e, s);
	for (uint32_t t = 0; t < e->ntypes; t++) {
		fprintf(f, "type %s", s->t.type[t].event);
		for (uint32_t i = 0; i < s->t.type[t].nargs; i++)
			fprintf(f, "%s%s", i ? "," : " ", s->t.type[t].args[i].name);
		fprintf(f, ": %s\n", verdicts[e->verdicts[t]]);
	}
}
