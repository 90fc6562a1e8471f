/*
 * filter.c - filter expressions, run per batch.
 *
 * Where all that is left of an expression is tests joined by `and`, the same for all types,
 * each test runs as a loop of its own over the batch, which drops events without a branch.
 * Else a branch program runs event by event.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "expr/program.h"
#include "expr/filter_value.h"

/* Names of events kept for a hint, and bytes of one that is compared. */
#define EVENTS_MOST 4096
#define NAME_MOST 64

/* Makes the tests ready that are computed. */
static void
add_calcs(struct expr *e, uint32_t n)
{
	const struct node *node = &e->tree.nodes[n];

	switch (node->op) {
	case N_AND:
	case N_OR: add_calcs(e, node->right); /* fallthrough */
	case N_NOT: add_calcs(e, node->left); return;
	default: break;
	}
	if (node->op == N_TEST && e->tree.tests[node->left]->left == NO_NODE)
		return;
	engine_root(&e->engine, n);
	GROW(e->calc, e->calccap, e->ncalcs + 1);
	e->calc[e->ncalcs++].node = n;
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
	engine_open(&e->engine, &e->tree, &e->view, false);
	add_calcs(e, e->tree.root);
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
expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_forget(e);
	engine_close(&e->engine);
	expr_tree_free(&e->tree);
	free(e->calc);
	free(e->prog);
	free(e->verdicts);
	free(e->sets);
	free(e->noted);
	view_free(&e->view);
	strtab_free(&e->events);
	buf_free(&e->scratch);
	free(e);
}

static inline bool
range_test(const struct insn *in, const struct rec *r)
{
	uint64_t x = ld64((const uint8_t *)r + in->off);

	if (HOST_BIG)
		x >>= in->shift;
	return ((x & in->mask) ^ in->flip) - in->lo <= in->span;
}

static bool
value_test(struct expr *e, const struct source *s, const struct insn *in,
	   const struct rec *r)
{
	e->scratch.n = 0;
	buf_room(&e->scratch, 0); /* a value of no bytes is none at NULL */
	if (!field_text(&e->scratch, &s->head, &s->t, r, expr_asked(e, r->type, in->test)))
		return false;
	return test_text(e->tree.tests[in->test], (const char *)e->scratch.p, e->scratch.n);
}

/* A computed test of event number `at` of the batch: at the first question all that may
 * ask are computed. */
static bool
calc_test(struct expr *e, struct calc *c, uint32_t at)
{
	struct engine *g = &e->engine;
	uint64_t overs = engine_overs(g);
	uint8_t yes[BATCH];

	if (c->run != e->runs) {
		c->run = e->runs;
		engine_test(g, c->node, e->chosen, e->nchosen, yes);
		for (uint32_t j = 0; j < e->nchosen; j++)
			c->yes[e->chosen[j]] = yes[j];
		c->single = engine_overs(g) != overs;
		if (c->single)
			engine_set_overs(g, overs);
	}
	if (c->single)
		engine_test(g, c->node, &at, 1, &c->yes[at]);
	return c->yes[at];
}

static bool
run_one(struct expr *e, const struct source *s, const struct expr_program *p,
	const struct rec *r, uint32_t at)
{
	uint32_t pc = p->entry;

	do {
		const struct insn *in = &p->code[pc];
		bool yes;

		if (in->kind == I_RANGE)
			yes = range_test(in, r);
		else if (in->kind == I_SET)
			yes = e->sets[in->lo].yes[ld32((const uint8_t *)r + in->off)];
		else if (in->kind == I_CALC)
			yes = calc_test(e, &e->calc[in->lo], at);
		else
			yes = value_test(e, s, in, r);
		pc = yes ? in->yes : in->no;
	} while (pc < FAIL);
	return pc == PASS;
}

/* Each test as a loop over the events that are left, which keeps the order and has no
 * branch. */
static uint32_t
run_chain(struct expr *e, const struct source *s, const struct expr_program *p,
	  const struct batch *b, uint32_t *pick, uint32_t n)
{
	for (uint32_t i = p->n; i-- > 0 && n;) {
		const struct insn *in = &p->code[i];
		bool want = in->no == FAIL;
		uint32_t k = 0;

		if (in->kind == I_RANGE) {
			const struct insn t = *in;

			for (uint32_t j = 0; j < n; j++) {
				uint32_t at = pick[j];

				pick[k] = at;
				k += range_test(&t, batch_rec(b, at)) == want;
			}
		} else if (in->kind == I_SET) {
			const uint8_t *yes = e->sets[in->lo].yes;

			for (uint32_t j = 0; j < n; j++) {
				uint32_t at = pick[j];

				pick[k] = at;
				k += yes[ld32((const uint8_t *)batch_rec(b, at) +
					      in->off)] == want;
			}
		} else if (in->kind == I_CALC) {
			uint8_t yes[BATCH];

			engine_test(&e->engine, e->calc[in->lo].node, pick, n, yes);
			for (uint32_t j = 0; j < n; j++) {
				pick[k] = pick[j];
				k += yes[j] == want;
			}
		} else {
			for (uint32_t j = 0; j < n; j++) {
				uint32_t at = pick[j];

				pick[k] = at;
				k += value_test(e, s, in, batch_rec(b, at)) == want;
			}
		}
		n = k;
	}
	return n;
}

/* Those whose type is not dropped, in order; *type: one that has a program, if any. */
static uint32_t
pick_types(const struct expr *e, const struct batch *b, uint32_t *pick, uint32_t *type)
{
	uint32_t n = e->drops || e->takes ? 0 : b->n;

	memcpy(pick, e->engine.first, n * sizeof *pick);
	for (uint32_t i = n; i < b->n; i++) {
		uint32_t t = batch_rec(b, i)->type;

		pick[n] = i;
		n += e->verdicts[t] != DROP;
		*type = e->verdicts[t] == RUN ? t : *type;
	}
	return n;
}

/* The same, where the program is one range or two (a column that may be absent): all at
 * once. */
static uint32_t
pick_pair(const uint8_t *verdicts, const struct expr_program *p, const struct batch *b,
	  uint32_t *pick)
{
	const struct insn t = p->code[p->n - 1], u = p->code[0];
	uint64_t want = t.no == FAIL, want2 = u.no == FAIL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);

		pick[n] = i;
		n += (unsigned)(verdicts[r->type] != DROP) &
		     (unsigned)(range_test(&t, r) == want) &
		     (unsigned)(range_test(&u, r) == want2);
	}
	return n;
}

bool
expr_refused(const struct expr *e)
{
	return e->clash != NULL;
}

/* Notes how the events of a batch are called. (A format may know types that never come.) */
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

/* To be called for each batch. False where the expression cannot be asked. */
static bool
bind(struct expr *e, struct source *s, const struct batch *b)
{
	e->any = true;
	expr_refresh(e, s);
	if (unlikely(e->clash != NULL)) {
		expr_refuse(s, e->clash, &e->told);
		return false;
	}
	if (e->strange && e->nnoted < s->t.ntypes)
		note_events(e, s, b);
	return true;
}

const uint8_t *
expr_types(struct expr *e, struct source *s, const struct batch *b)
{
	if (!bind(e, s, b) || e->ncalcs || e->pair || e->classes != 2)
		return NULL;
	return e->verdicts;
}

uint32_t
expr_run(struct expr *e, struct source *s, const struct batch *b, uint32_t pick[BATCH])
{
	uint32_t n, k = 0, type = 0;

	if (!bind(e, s, b))
		return 0;
	if (e->ncalcs)
		engine_run(&e->engine, s, b, NULL, b->n);
	if (e->pair)
		return pick_pair(e->verdicts, e->pair, b, pick);
	n = pick_types(e, b, pick, &type);
	if (e->classes == 2 || !n)
		return n;
	if (e->classes == 3 && !e->takes && e->prog[type].chain)
		return run_chain(e, s, &e->prog[type], b, pick, n);
	if (e->ncalcs) {
		e->runs++;
		memcpy(e->chosen, pick, n * sizeof *pick);
		e->nchosen = n;
	}
	for (uint32_t j = 0; j < n; j++) {
		uint32_t at = pick[j];
		const struct rec *r = batch_rec(b, at);
		const struct expr_program *p = &e->prog[r->type];

		pick[k] = at;
		k += p->verdict == TAKE || run_one(e, s, p, r, at);
	}
	return k;
}

bool
expr_choose(struct expr *e, struct source *s, const struct batch *b, uint32_t room[BATCH],
	    const uint32_t **pick, uint32_t *n)
{
	*pick = e ? room : NULL;
	*n = e ? expr_run(e, s, b, room) : b->n;
	return !e || !expr_refused(e);
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
}

/* In small letters, where there is room; else nothing. */
static void
folded(char *to, size_t room, const char *s)
{
	size_t n = strnlen(s, room);

	for (size_t i = 0; i < n && n < room; i++)
		to[i] = (char)tolower((unsigned char)s[i]);
	to[n < room ? n : 0] = '\0';
}

/* The event that came whose name differs by case, or by one letter of several; or NULL. Of several
 * that are as near the first by its bytes: threads may have met them in any order. */
static const char *
near_event(const struct expr *e, const struct test *t, const char *name)
{
	const char *near = NULL;
	char low[NAME_MOST], event[NAME_MOST];
	bool nearest = false; /* near differs by case alone */

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

/* Whether a test of the plain field has reported that it is missing. */
static bool
said(const struct expr *e, size_t asked)
{
	for (size_t i = 0; i < e->tree.ntests; i++)
		if (e->tree.tests[i]->left == NO_NODE && e->tree.tests[i]->asked == asked)
			return true;
	return false;
}

int
expr_finish(struct expr *e, bool partial)
{
	int status = ST_OK;

	if (!e || !e->any)
		return ST_OK;
	for (size_t i = 0; i < e->tree.ntests; i++) {
		const struct test *t = e->tree.tests[i];

		if (t->name)
			warn("%s: the value %s has the name %s, and is compared as that",
			     t->field, t->items[t->named].text, t->name);
		for (size_t k = 0; k < t->nitems; k++) {
			const struct item *it = &t->items[k];
			const char *near =
			    item_strange(t, it) ? near_event(e, t, it->text) : NULL;

			if (near)
				warn("no event is called %s; there is %s", it->text, near);
		}
		if (partial || t->left != NO_NODE ||
		    e->view.name[t->asked].seen & SEEN_FIELD)
			continue;
		view_missing(&e->view, t->field);
		status = ST_TROUBLE;
	}
	for (size_t i = 0; i < e->tree.nfields && !partial; i++) {
		const struct expr_field *f = &e->tree.fields[i];

		if (e->view.name[f->asked].seen & SEEN_FIELD || said(e, f->asked))
			continue;
		view_missing(&e->view, f->name);
		status = ST_TROUBLE;
	}
	engine_say_overs(&e->engine);
	return status;
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

static void
print_target(const struct expr_program *p, uint16_t to, FILE *f)
{
	if (to >= FAIL)
		fputs(to == PASS ? "pass" : "drop", f);
	else
		fprintf(f, "%u", p->n - 1 - to);
}

void
expr_print_programs(struct expr *e, struct source *s, FILE *f)
{
	static const char *const kinds[] = {"range", "set", "value", "computed"};

	expr_refresh(e, s);
	for (uint32_t t = 0; t < e->nprogs; t++) {
		const struct expr_program *p = &e->prog[t];

		fprintf(f, "type %s", s->t.type[t].event);
		for (uint32_t i = 0; i < s->t.type[t].nargs; i++)
			fprintf(f, "%s%s", i ? "," : " ", s->t.type[t].args[i].name);
		fputs(p->verdict == TAKE   ? ": pass\n"
		      : p->verdict == DROP ? ": drop\n"
					   : ":\n",
		      f);
		for (uint32_t i = p->n; p->verdict == RUN && i-- > 0;) {
			const struct insn *in = &p->code[i];

			fprintf(f, "  %u  %s ", p->n - 1 - i, kinds[in->kind]);
			if (in->kind == I_CALC)
				fprintf(f, "%u", (unsigned)in->lo + 1);
			else
				expr_print_text(e->tree.tests[in->test]->field, f);
			if (in->kind == I_RANGE)
				fprintf(f,
					" at %u: (x & 0x%llx ^ 0x%llx) - 0x%llx <= 0x%llx",
					in->off, (unsigned long long)in->mask,
					(unsigned long long)in->flip,
					(unsigned long long)in->lo,
					(unsigned long long)in->span);
			fputs(" ? ", f);
			print_target(p, in->yes, f);
			fputs(" : ", f);
			print_target(p, in->no, f);
			fputc('\n', f);
		}
	}
}
