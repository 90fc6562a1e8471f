/*
 * expr.c - filter expressions: compiled per type, run per batch.
 *
 * Every test of an integer becomes ((load(record + off) & mask) ^ flip) - lo <= span: one
 * form for all comparisons and ranges. Where all that is left of an expression is such
 * tests joined by `and`, the same for all types, each test runs as a loop of its own over
 * the batch, which drops events without a branch. Else a branch program runs event by
 * event.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "expr.h"
#include "expr_value.h"
#include "value.h"

#define PASS UINT16_MAX
#define FAIL (UINT16_MAX - 1)
#define PROGRAM_MOST 60000

enum insn_kind {
	I_RANGE,
	I_SET,
	I_VALUE
};

struct insn {
	enum insn_kind kind;
	uint16_t yes, no; /* where to go: an instruction, PASS or FAIL */
	uint32_t off;	  /* in the record */
	unsigned shift;	  /* on a big-endian machine: what lies behind a narrow field */
	uint64_t mask, flip, lo, span;
	size_t test; /* I_SET, I_VALUE */
	struct field field;
};

/* The strings of a segment that pass a test: for loc, its parts, and K_SYM arguments. */
struct set {
	size_t test;
	struct field field;
	uint8_t *yes; /* by string number */
	uint32_t n;
	size_t cap;
};

enum verdict {
	DROP,
	TAKE,
	RUN
};

struct program {
	enum verdict verdict;
	struct insn *code;
	uint32_t n, entry;
	size_t cap;
	bool chain;	/* all tests joined by `and`, in order */
	uint32_t class; /* 0 = DROP, 1 = TAKE, else a number that equal programs share */
};

struct expr {
	struct expr_tree tree;
	unsigned epoch, heads;
	struct program *prog; /* by type */
	uint8_t *class8;      /* by type: 0, 1 or 2 = run */
	size_t nprogs, cap, class_cap;
	uint32_t classes; /* in use so far, from 2 */
	bool takes;	  /* some type is taken as it is */
	const struct program
	    *pair; /* the only program, if it is one or two ranges in a chain */
	struct set *sets;
	size_t nsets, setcap;
	struct strtab names; /* every field that some type had */
	bool any;	     /* there were events */
	struct buf scratch;
};

struct expr *
expr_parse(const char *text)
{
	struct expr *e = xcalloc(1, sizeof *e);

	expr_tree_parse(&e->tree, text);
	return e;
}

unsigned
expr_need(const struct expr *e)
{
	unsigned need = 0;

	for (size_t i = 0; i < e->tree.ntests; i++)
		need |= field_need(e->tree.tests[i]->field);
	return need;
}

static void
forget(struct expr *e)
{
	for (size_t i = 0; i < e->nprogs; i++)
		free(e->prog[i].code);
	for (size_t i = 0; i < e->nsets; i++)
		free(e->sets[i].yes);
	e->nprogs = 0;
	e->nsets = 0;
	e->classes = 2;
	e->takes = false;
	e->pair = NULL;
}

void
expr_free(struct expr *e)
{
	forget(e);
	expr_tree_free(&e->tree);
	free(e->prog);
	free(e->class8);
	free(e->sets);
	strtab_free(&e->names);
	buf_free(&e->scratch);
	free(e);
}

/* Where an integer field lies and what it counts. False where it is none, or has names. */
static bool
integer_field(const struct source *s, struct field f, struct domain *d, uint32_t *off)
{
	bool ns = s->head.clock == CLOCK_NS;

	switch (f.kind) {
	case FIELD_TIME:
		*off = offsetof(struct rec, time);
		*d = (struct domain){64, ns, ns};
		return true;
	case FIELD_DUR:
		*off = offsetof(struct rec, dur);
		*d = (struct domain){64, ns, ns};
		return true;
	case FIELD_ADDR: *off = offsetof(struct rec, addr); break;
	case FIELD_SIZE: *off = offsetof(struct rec, size); break;
	case FIELD_ARG:
		if (f.arg->array || f.arg->labels ||
		    (!kind_is_int(f.arg->kind) && f.arg->kind != K_NS))
			return false;
		*off = f.arg->off;
		*d = (struct domain){kind_width(f.arg->kind) * 8,
				     (f.arg->kind >= K_I8 && f.arg->kind <= K_I64) ||
					 f.arg->kind == K_NS,
				     f.arg->kind == K_NS};
		return true;
	default: return false;
	}
	*d = (struct domain){64, false, false};
	return true;
}

/* Whether all that the test says of an integer can be said as ranges. */
static bool
all_numbers(const struct test *t)
{
	if (t->op == OP_MATCH || t->op == OP_GLOB || t->op == OP_THERE || t->op == OP_BITS)
		return false;
	for (size_t i = 0; i < t->nitems; i++)
		if (!t->items[i].is_num)
			return false;
	return true;
}

static uint8_t
column_bit(enum field_kind k)
{
	return k == FIELD_ADDR			  ? HAS_ADDR
	       : k == FIELD_SIZE		  ? HAS_SIZE
	       : k == FIELD_DUR || k == FIELD_END ? HAS_DUR
						  : 0;
}

/* A time with a unit cannot be held against a clock of ticks. */
static void
check_clock(const struct expr *e, const struct source *s, const struct test *t,
	    struct field f)
{
	if (s->head.clock != CLOCK_TICKS ||
	    (f.kind != FIELD_TIME && f.kind != FIELD_DUR && f.kind != FIELD_END))
		return;
	for (size_t i = 0; i < t->nitems; i++)
		if (t->items[i].is_num && t->items[i].num.unit == UNIT_TIME)
			expr_die(&e->tree, t->value_at,
				 "%s: its clock counts ticks of unknown length: --hz N "
				 "says how many make a second",
				 s->name);
}

/* A test that the type alone decides: 0 or 1; else -1. */
static int
decided(struct expr *e, const struct source *s, const struct type *ty, struct test *t,
	struct field *f)
{
	uint8_t bit;

	*f = field_find(t->field, &s->head, ty);
	if (f->kind == FIELD_NONE)
		return 0;
	t->seen = true;
	check_clock(e, s, t, *f);
	if (f->kind == FIELD_EVENT)
		return test_text(t, ty->event, ty->event_len);
	if (f->kind == FIELD_ARG && f->arg->kind == K_CONST)
		return test_text(t, f->arg->text, strlen(f->arg->text));
	bit = column_bit(f->kind);
	if (bit && !(ty->may & bit))
		return 0;
	if (t->op == OP_THERE && (!bit || ty->must & bit) && f->kind != FIELD_LOC &&
	    f->kind != FIELD_PART)
		return 1;
	return -1;
}

static int
fold(struct expr *e, const struct source *s, const struct type *ty, uint32_t n)
{
	const struct node *node = &e->tree.nodes[n];
	struct field f;
	int l, r;

	if (node->op == N_TEST)
		return decided(e, s, ty, e->tree.tests[node->left], &f);
	l = fold(e, s, ty, node->left);
	if (node->op == N_NOT)
		return l < 0 ? l : !l;
	/* Both sides, always: a field counts as seen although the other side decides. */
	r = fold(e, s, ty, node->right);
	if (node->op == N_AND)
		return l == 0 || r == 0 ? 0 : l == 1 ? r : r == 1 ? l : -1;
	return l == 1 || r == 1 ? 1 : l == 0 ? r : r == 0 ? l : -1;
}

static uint16_t
emit(struct expr *e, struct program *p, struct insn in)
{
	if (p->n == PROGRAM_MOST)
		expr_die(&e->tree, 0, "the expression is too long");
	p->code = grow(p->code, &p->cap, p->n + 1, sizeof *p->code);
	p->code[p->n] = in;
	return (uint16_t)p->n++;
}

static size_t
find_set(struct expr *e, size_t test, struct field f)
{
	for (size_t i = 0; i < e->nsets; i++)
		if (e->sets[i].test == test && e->sets[i].field.kind == f.kind &&
		    e->sets[i].field.part == f.part)
			return i;
	e->sets = grow(e->sets, &e->setcap, e->nsets + 1, sizeof *e->sets);
	e->sets[e->nsets] = (struct set){.test = test, .field = f};
	return e->nsets++;
}

/* Code is made from the last instruction to the first, so that targets are known. */
static uint16_t
gen_test(struct expr *e, const struct source *s, const struct type *ty, struct program *p,
	 size_t number, uint16_t yes, uint16_t no)
{
	struct test *t = e->tree.tests[number];
	struct field f;
	struct domain d;
	uint32_t off;
	uint8_t bit;
	uint16_t at;
	int known = decided(e, s, ty, t, &f);

	if (known >= 0)
		return known ? yes : no;
	bit = column_bit(f.kind);
	if (t->op == OP_THERE && bit) {
		at = yes;
	} else if (all_numbers(t) && integer_field(s, f, &d, &off)) {
		uint16_t pass = t->negate ? no : yes, fail = t->negate ? yes : no;

		at = fail;
		for (size_t i = t->nitems; i-- > 0;) {
			struct irange r;

			if (!test_range(t, &t->items[i], &d, &r))
				continue;
			at = emit(e, p,
				  (struct insn){.kind = I_RANGE,
						.yes = pass,
						.no = at,
						.off = off,
						.shift = 64 - d.bits,
						.mask = d.bits == 64 ? UINT64_MAX
								     : (1ull << d.bits) - 1,
						.flip = domain_flip(&d),
						.lo = r.lo,
						.span = r.hi - r.lo,
						.test = number,
						.field = f});
		}
	} else if (f.kind == FIELD_LOC || f.kind == FIELD_PART ||
		   (f.kind == FIELD_ARG && f.arg->kind == K_SYM && !f.arg->array)) {
		at = emit(e, p,
			  (struct insn){.kind = I_SET,
					.yes = yes,
					.no = no,
					.off = f.kind == FIELD_ARG
						   ? f.arg->off
						   : offsetof(struct rec, loc),
					.lo = find_set(e, number, f),
					.test = number,
					.field = f});
	} else
		at = emit(
		    e, p,
		    (struct insn){
			.kind = I_VALUE, .yes = yes, .no = no, .test = number, .field = f});
	if (bit && !(ty->must & bit))
		at = emit(e, p,
			  (struct insn){.kind = I_RANGE,
					.yes = at,
					.no = no,
					.off = offsetof(struct rec, has),
					.shift = 32,
					.mask = bit,
					.lo = bit,
					.test = number,
					.field = f});
	return at;
}

static uint16_t
gen(struct expr *e, const struct source *s, const struct type *ty, struct program *p,
    uint32_t n, uint16_t yes, uint16_t no)
{
	const struct node *node = &e->tree.nodes[n];

	switch (node->op) {
	case N_NOT: return gen(e, s, ty, p, node->left, no, yes);
	case N_AND:
		yes = gen(e, s, ty, p, node->right, yes, no);
		return gen(e, s, ty, p, node->left, yes, no);
	case N_OR:
		no = gen(e, s, ty, p, node->right, yes, no);
		return gen(e, s, ty, p, node->left, yes, no);
	default: return gen_test(e, s, ty, p, node->left, yes, no);
	}
}

/* A chain: every instruction leads to the one before it in the array, or fails. */
static bool
is_chain(const struct program *p)
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
same_code(const struct program *a, const struct program *b)
{
	if (a->n != b->n || a->entry != b->entry)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct insn *x = &a->code[i], *y = &b->code[i];

		if (x->kind != y->kind || x->yes != y->yes || x->no != y->no ||
		    x->off != y->off || x->mask != y->mask || x->flip != y->flip ||
		    x->lo != y->lo || x->span != y->span || x->test != y->test ||
		    (x->kind == I_VALUE &&
		     (x->field.kind == FIELD_ARG || x->field.kind != y->field.kind)))
			return false;
	}
	return true;
}

static void
classify(struct expr *e, struct program *p)
{
	for (size_t i = 0; i < e->nprogs; i++)
		if (e->prog[i].verdict == RUN && same_code(&e->prog[i], p)) {
			p->class = e->prog[i].class;
			return;
		}
	p->class = e->classes++;
}

static void
compile(struct expr *e, const struct source *s, uint32_t type)
{
	const struct type *ty = &s->t.type[type];
	struct program p = {0};
	int known = fold(e, s, ty, e->tree.root);

	field_names(&e->names, &s->head, ty);
	if (known >= 0) {
		p.verdict = p.class = known ? TAKE : DROP;
		e->takes |= known == 1;
	} else {
		p.entry = gen(e, s, ty, &p, e->tree.root, PASS, FAIL);
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
	e->prog = grow(e->prog, &e->cap, e->nprogs + 1, sizeof *e->prog);
	e->class8 = grow(e->class8, &e->class_cap, e->nprogs + 1, 1);
	e->prog[e->nprogs] = p;
	e->class8[e->nprogs++] = (uint8_t)p.verdict;
}

static void
find_pair(struct expr *e)
{
	e->pair = NULL;
	for (size_t i = 0; i < e->nprogs && e->classes == 3 && !e->takes; i++) {
		const struct program *p = &e->prog[i];

		if (p->verdict == RUN && p->chain && p->n <= 2 &&
		    p->code[0].kind == I_RANGE && p->code[p->n - 1].kind == I_RANGE)
			e->pair = p;
	}
}

/* Decides the strings that have come since the last time. */
static void
fill_set(struct expr *e, const struct source *s, struct set *set)
{
	const struct test *t = e->tree.tests[set->test];
	struct buf *b = &e->scratch;

	set->yes = grow(set->yes, &set->cap, s->t.str.n, 1);
	for (; set->n < s->t.str.n; set->n++) {
		const struct str *str = &s->t.str.v[set->n];
		struct span v = {(const uint8_t *)str->s, str->len};

		if (set->field.kind == FIELD_PART) {
			if (!loc_part(str->s, str->len, set->field.part, &v))
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

static void
refresh(struct expr *e, struct source *s)
{
	if (e->epoch != s->t.epoch || e->heads != s->heads) {
		forget(e);
		e->epoch = s->t.epoch;
		e->heads = s->heads;
		for (unsigned i = 0; i < s->head.nlocparts; i++)
			strtab_id(&e->names, s->head.locpart[i],
				  strlen(s->head.locpart[i]));
	}
	if (e->nprogs < s->t.ntypes) {
		while (e->nprogs < s->t.ntypes)
			compile(e, s, (uint32_t)e->nprogs);
		find_pair(e);
	}
	for (size_t i = 0; i < e->nsets; i++)
		if (e->sets[i].n < s->t.str.n)
			fill_set(e, s, &e->sets[i]);
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
	if (!field_text(&e->scratch, s, r, in->field))
		return false;
	return test_text(e->tree.tests[in->test], (const char *)e->scratch.p, e->scratch.n);
}

static bool
run_one(struct expr *e, const struct source *s, const struct program *p,
	const struct rec *r)
{
	uint32_t pc = p->entry;

	do {
		const struct insn *in = &p->code[pc];
		bool yes;

		if (in->kind == I_RANGE)
			yes = range_test(in, r);
		else if (in->kind == I_SET)
			yes = e->sets[in->lo].yes[ld32((const uint8_t *)r + in->off)];
		else if (column_bit(in->field.kind) & ~r->has)
			yes = false;
		else
			yes = value_test(e, s, in, r);
		pc = yes ? in->yes : in->no;
	} while (pc < FAIL);
	return pc == PASS;
}

/* Each test as a loop over the events that are left, which keeps the order and has no
 * branch. */
static uint32_t
run_chain(struct expr *e, const struct source *s, const struct program *p,
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

/* The types that are not dropped, in order. *type becomes one that has a program, if any
 * has. */
static uint32_t
pick_types(const uint8_t *class8, const struct batch *b, uint32_t *pick, uint32_t *type)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t t = batch_rec(b, i)->type;

		pick[n] = i;
		n += class8[t] != DROP;
		*type = class8[t] == RUN ? t : *type;
	}
	return n;
}

/* The same, where the program is one range or two (a column that may be absent): all at
 * once. */
static uint32_t
pick_pair(const uint8_t *class8, const struct program *p, const struct batch *b,
	  uint32_t *pick)
{
	const struct insn t = p->code[p->n - 1], u = p->code[0];
	uint64_t want = t.no == FAIL, want2 = u.no == FAIL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);

		pick[n] = i;
		n += (unsigned)(class8[r->type] != DROP) &
		     (unsigned)(range_test(&t, r) == want) &
		     (unsigned)(range_test(&u, r) == want2);
	}
	return n;
}

uint32_t
expr_run(struct expr *e, struct source *s, const struct batch *b, uint32_t pick[BATCH])
{
	uint32_t n, k = 0, type = 0;

	e->any = true;
	refresh(e, s);
	if (e->pair)
		return pick_pair(e->class8, e->pair, b, pick);
	n = pick_types(e->class8, b, pick, &type);
	if (e->classes == 2 || !n)
		return n;
	if (e->classes == 3 && !e->takes && e->prog[type].chain)
		return run_chain(e, s, &e->prog[type], b, pick, n);
	for (uint32_t j = 0; j < n; j++) {
		uint32_t at = pick[j];
		const struct rec *r = batch_rec(b, at);
		const struct program *p = &e->prog[r->type];

		pick[k] = at;
		k += p->verdict == TAKE || run_one(e, s, p, r);
	}
	return k;
}

void
expr_merge(struct expr *e, const struct expr *from)
{
	for (size_t i = 0; i < e->tree.ntests; i++)
		e->tree.tests[i]->seen |= from->tree.tests[i]->seen;
	for (uint32_t i = 0; i < from->names.n; i++)
		strtab_id(&e->names, from->names.v[i].s, from->names.v[i].len);
	e->any |= from->any;
}

int
expr_finish(struct expr *e)
{
	int status = ST_OK;

	for (size_t i = 0; i < e->tree.ntests && e->any; i++) {
		if (e->tree.tests[i]->seen)
			continue;
		field_missing(&e->names, e->tree.tests[i]->field);
		status = ST_TROUBLE;
	}
	return status;
}

void
expr_print_tree(const struct expr *e, FILE *f)
{
	expr_tree_print(&e->tree, f);
}

static void
print_target(const struct program *p, uint16_t to, FILE *f)
{
	if (to >= FAIL)
		fputs(to == PASS ? "pass" : "drop", f);
	else
		fprintf(f, "%u", p->n - 1 - to);
}

void
expr_print_programs(struct expr *e, struct source *s, FILE *f)
{
	static const char *const kinds[] = {"range", "set", "value"};

	refresh(e, s);
	for (uint32_t t = 0; t < e->nprogs; t++) {
		const struct program *p = &e->prog[t];

		fprintf(f, "type %s", s->t.type[t].event);
		for (uint32_t i = 0; i < s->t.type[t].nargs; i++)
			fprintf(f, "%s%s", i ? "," : " ", s->t.type[t].args[i].name);
		fputs(p->verdict == TAKE   ? ": pass\n"
		      : p->verdict == DROP ? ": drop\n"
					   : ":\n",
		      f);
		for (uint32_t i = p->n; p->verdict == RUN && i-- > 0;) {
			const struct insn *in = &p->code[i];

			fprintf(f, "  %u  %s %s", p->n - 1 - i, kinds[in->kind],
				e->tree.tests[in->test]->field);
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
