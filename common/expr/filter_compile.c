/*
 * filter_compile.c - filter expressions, compiled for every type of event.
 *
 * What the type alone decides is folded; of the rest a branch program is made, from its
 * last instruction to its first. Types with equal programs are of one class.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "expr/program.h"
#include "expr/filter_value.h"

/* Notes a number that the test holds against values with names, for expr_finish. */
static void
note_name(struct test *t, const struct labels *labels)
{
	for (size_t i = 0; i < t->nitems && !t->name; i++) {
		const struct num *n = &t->items[i].num;
		const char *name = NULL;

		if (t->items[i].is_num && !n->nano && n->whole <= INT64_MAX)
			name = label_of(labels,
					n->neg ? -(int64_t)n->whole : (int64_t)n->whole);
		if (name) {
			t->named = i;
			t->name = xstrdup(name);
		}
	}
}

/* Notes which names in a test of the event some type has. */
static void
note_event(struct test *t, const struct field *f)
{
	struct test one = *t;

	one.op = t->op == OP_IN ? OP_EQ : t->op;
	one.negate = false;
	one.nitems = 1;
	for (size_t i = 0; i < t->nitems; i++) {
		one.items = &t->items[i];
		if (!one.items->hit && (one.op == OP_EQ || one.op == OP_GLOB))
			one.items->hit =
			    one.items->range || test_text(&one, f->text, f->len);
	}
}

/* A test that the type alone decides: 0 or 1; else -1. */
static int
decided(struct expr *e, const struct source *s, uint32_t type, size_t number)
{
	const struct field *f = expr_asked(e, type, number);
	struct test *t = e->tree.tests[number];

	if (f->kind == FIELD_NONE)
		return 0;
	/* A time with a unit cannot be held against a clock of ticks. */
	if (s->head.clock == CLOCK_TICKS &&
	    (f->kind == FIELD_TIME || f->kind == FIELD_DUR || f->kind == FIELD_END) &&
	    engine_unit(t))
		e->clash = engine_unit(t);
	if (f->kind == FIELD_ARG && f->arg->labels && t->op != OP_MATCH)
		note_name(t, f->arg->labels);
	if (f->kind == FIELD_EVENT)
		note_event(t, f);
	if (f->load == LOAD_CONST)
		return test_text(t, f->text, f->len);
	if (f->load == LOAD_NONE)
		return 0;
	if (t->op == OP_THERE && !f->bit && f->kind != FIELD_LOC && f->kind != FIELD_PART)
		return 1;
	return -1;
}

static int
fold(struct expr *e, const struct source *s, uint32_t type, uint32_t n)
{
	const struct node *node = &e->tree.nodes[n];
	int l, r;

	if (node->op == N_TRUE ||
	    (node->op == N_TEST && e->tree.tests[node->left]->left != NO_NODE))
		return -1;
	if (node->op == N_TEST)
		return decided(e, s, type, node->left);
	l = fold(e, s, type, node->left);
	if (node->op == N_NOT)
		return l < 0 ? l : !l;
	/* Both sides, always: a test notes what it has seen although the other side
	 * decides. */
	r = fold(e, s, type, node->right);
	if (node->op == N_AND)
		return l == 0 || r == 0 ? 0 : l == 1 ? r : r == 1 ? l : -1;
	return l == 1 || r == 1 ? 1 : l == 0 ? r : r == 0 ? l : -1;
}

static uint16_t
emit(struct expr *e, struct expr_program *p, struct insn in)
{
	if (p->n == PROGRAM_MOST)
		expr_die(&e->tree, 0, "the expression is too long");
	GROW(p->code, p->cap, p->n + 1);
	p->code[p->n] = in;
	return (uint16_t)p->n++;
}

static size_t
find_set(struct expr *e, size_t test, const struct field *f)
{
	for (size_t i = 0; i < e->nsets; i++)
		if (e->sets[i].test == test && e->sets[i].field.kind == f->kind &&
		    e->sets[i].field.part == f->part)
			return i;
	GROW(e->sets, e->setcap, e->nsets + 1);
	e->sets[e->nsets] = (struct expr_set){.test = test, .field = *f};
	return e->nsets++;
}

/* Code is made from the last instruction to the first, so that targets are known. A range
 * for each item of test number `number`: one of them must hold the field. */
static uint16_t
gen_ranges(struct expr *e, struct expr_program *p, size_t number, const struct field *f,
	   uint16_t yes, uint16_t no)
{
	const struct test *t = e->tree.tests[number];
	const struct domain d = {64 - f->shift, f->sign, f->number == K_NS};
	uint16_t pass = t->negate ? no : yes, at = t->negate ? yes : no;

	for (size_t i = t->nitems; i-- > 0;) {
		struct irange r;

		if (!test_range(t, &t->items[i], &d, &r))
			continue;
		at = emit(e, p,
			  (struct insn){.kind = I_RANGE,
					.yes = pass,
					.no = at,
					.off = f->off,
					.shift = f->shift,
					.mask = UINT64_MAX >> f->shift,
					.flip = domain_flip(&d),
					.lo = r.lo,
					.span = r.hi - r.lo,
					.test = number});
	}
	return at;
}

static uint16_t
gen_test(struct expr *e, const struct source *s, uint32_t type, struct expr_program *p,
	 size_t number, uint16_t yes, uint16_t no)
{
	const struct test *t = e->tree.tests[number];
	const struct field *f = expr_asked(e, type, number);
	int known = decided(e, s, type, number);
	struct insn in = {.kind = I_VALUE, .yes = yes, .no = no, .test = number};
	uint16_t at;

	if (known >= 0)
		return known ? yes : no;
	if (t->op == OP_THERE && f->bit) {
		at = yes;
	} else if (test_of_ranges(t) && f->load == LOAD_INT) {
		at = gen_ranges(e, p, number, f, yes, no);
	} else {
		if (f->load == LOAD_STRING) {
			in.kind = I_SET;
			in.off = f->off;
			in.lo = find_set(e, number, f);
		}
		at = emit(e, p, in);
	}
	if (!f->bit)
		return at;
	/* The column may be absent: that is looked at first. */
	return emit(e, p,
		    (struct insn){.kind = I_RANGE,
				  .yes = at,
				  .no = no,
				  .off = offsetof(struct rec, has),
				  .shift = 32,
				  .mask = f->bit,
				  .lo = f->bit,
				  .test = number});
}

static uint16_t
gen(struct expr *e, const struct source *s, uint32_t type, struct expr_program *p,
    uint32_t n, uint16_t yes, uint16_t no)
{
	const struct node *node = &e->tree.nodes[n];
	struct insn in = {.kind = I_CALC, .yes = yes, .no = no};

	switch (node->op) {
	case N_NOT: return gen(e, s, type, p, node->left, no, yes);
	case N_AND:
		yes = gen(e, s, type, p, node->right, yes, no);
		return gen(e, s, type, p, node->left, yes, no);
	case N_OR:
		no = gen(e, s, type, p, node->right, yes, no);
		return gen(e, s, type, p, node->left, yes, no);
	case N_TEST:
		if (e->tree.tests[node->left]->left == NO_NODE)
			return gen_test(e, s, type, p, node->left, yes, no);
		/* fallthrough */
	default:
		for (size_t i = 0; i < e->ncalcs; i++)
			if (e->calc[i].node == n)
				in.lo = i;
		return emit(e, p, in);
	}
}

/* A chain: every instruction leads to the one before it in the array, or fails. */
static bool
is_chain(const struct expr_program *p)
{
	for (uint32_t i = 0; i < p->n; i++) {
		uint16_t next = i ? (uint16_t)(i - 1) : PASS;
		const struct insn *in = &p->code[i];

		if (!(in->yes == next && in->no == FAIL) &&
		    !(in->no == next && in->yes == FAIL))
			return false;
	}
	return p->entry == p->n - 1;
}

static bool
same_code(const struct expr_program *a, const struct expr_program *b)
{
	if (a->n != b->n || a->entry != b->entry)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct insn *x = &a->code[i], *y = &b->code[i];

		if (x->kind != y->kind || x->yes != y->yes || x->no != y->no ||
		    x->off != y->off || x->mask != y->mask || x->flip != y->flip ||
		    x->lo != y->lo || x->span != y->span || x->test != y->test)
			return false;
	}
	return true;
}

/* Programs that are equal share their code: an input may have many types, and an expression
 * many tests. */
static void
classify(struct expr *e, struct expr_program *p)
{
	for (size_t i = 0; i < e->nprogs; i++)
		if (e->prog[i].verdict == RUN && same_code(&e->prog[i], p)) {
			p->class = e->prog[i].class;
			free(p->code);
			p->code = e->prog[i].code;
			p->shares = true;
			return;
		}
	p->class = e->classes++;
	p->code = xrealloc(p->code, p->n, sizeof *p->code);
}

static void
compile(struct expr *e, const struct source *s, uint32_t type)
{
	struct expr_program p = {0};
	int known = fold(e, s, type, e->tree.root);

	/* Tests within computed values note what there is, too. */
	for (size_t i = 0; e->ncalcs && i < e->tree.ntests; i++)
		if (e->tree.tests[i]->left == NO_NODE)
			decided(e, s, type, i);

	if (known >= 0) {
		p.verdict = p.class = known ? TAKE : DROP;
		e->takes |= known == 1;
	} else {
		p.entry = gen(e, s, type, &p, e->tree.root, PASS, FAIL);
		if (p.entry >= FAIL) {
			/* A range turned out to be empty, or to hold everything. */
			p.verdict = p.class = p.entry == PASS ? TAKE : DROP;
			e->takes |= p.entry == PASS;
		} else {
			p.verdict = RUN;
			p.chain = is_chain(&p);
			classify(e, &p);
		}
	}
	GROW(e->prog, e->cap, e->nprogs + 1);
	GROW(e->verdicts, e->verdicts_cap, e->nprogs + 1);
	e->prog[e->nprogs] = p;
	e->verdicts[e->nprogs++] = (uint8_t)p.verdict;
	e->drops |= p.verdict == DROP;
}

/* The loops over a pair look into records of all types: into none behind its end. */
static void
find_pair(struct expr *e, const struct source *s)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < s->t.ntypes; i++)
		least = s->t.type[i].fixed < least ? s->t.type[i].fixed : least;
	e->pair = NULL;
	for (size_t i = 0; i < e->nprogs && e->classes == 3 && !e->takes; i++) {
		const struct expr_program *p = &e->prog[i];

		if (p->verdict == RUN && p->chain && p->n <= 2 &&
		    p->code[0].kind == I_RANGE && p->code[p->n - 1].kind == I_RANGE &&
		    p->code[0].off < least && p->code[p->n - 1].off < least)
			e->pair = p;
	}
}

/* Decides the strings that have come since the last time. */
static void
fill_set(struct expr *e, const struct source *s, struct expr_set *set)
{
	const struct test *t = e->tree.tests[set->test];
	struct buf *b = &e->scratch;

	GROW(set->yes, set->cap, s->t.str.n);
	for (; set->n < s->t.str.n; set->n++) {
		const struct str *str = &s->t.str.v[set->n];
		struct span v = {(const uint8_t *)str->s, str->len};

		if (set->field.kind == FIELD_PART) {
			b->n = 0;
			if (!field_of_loc(b, &s->head, &set->field, str, &v))
				continue;
		} else if (set->field.kind == FIELD_LOC) {
			if (set->n == 0)
				continue;
		} else {
			/* A symbol is raw: compare it as it would be written. */
			b->n = 0;
			value_str(b, str->s, str->len);
			v = (struct span){b->p, b->n};
		}
		set->yes[set->n] = test_text(t, (const char *)v.p, v.n);
	}
}

void
expr_forget(struct expr *e)
{
	for (size_t i = 0; i < e->nprogs; i++)
		if (!e->prog[i].shares)
			free(e->prog[i].code);
	for (size_t i = 0; i < e->nsets; i++)
		free(e->sets[i].yes);
	engine_forget(&e->engine);
	if (e->noted)
		memset(e->noted, 0, e->noted_cap);
	e->nnoted = 0;
	e->nprogs = 0;
	e->nsets = 0;
	e->classes = 2;
	e->takes = e->drops = false;
	e->pair = NULL;
	e->clash = NULL;
}

/* Whether some event's name in the expression is no type's so far. */
static bool
any_strange(const struct expr *e)
{
	for (size_t i = 0; i < e->tree.ntests; i++)
		for (size_t k = 0; k < e->tree.tests[i]->nitems; k++)
			if (item_strange(e->tree.tests[i], &e->tree.tests[i]->items[k]))
				return true;
	return false;
}

void
expr_refresh(struct expr *e, const struct source *s)
{
	if (view_bind(&e->view, &s->t, &s->head, s->heads, s->fmt->text)) {
		expr_forget(e);
		engine_dates(&e->tree, &s->head);
	}
	if (e->nprogs < s->t.ntypes) {
		while (e->nprogs < s->t.ntypes)
			compile(e, s, (uint32_t)e->nprogs);
		if (!e->clash)
			e->clash = engine_clash(&e->engine, s);
		find_pair(e, s);
		e->strange = any_strange(e);
	}
	for (size_t i = 0; i < e->nsets; i++)
		if (e->sets[i].n < s->t.str.n)
			fill_set(e, s, &e->sets[i]);
}
