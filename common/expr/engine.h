/*
 * engine.h - runs the values of a tree over a batch of events: for tests that compute
 * (expr.c) and for lists (exprs.c).
 *
 * A value is a row of steps, operands first (engine.c). batch.c runs each step as one
 * loop over the events of a selection; eval.c runs the steps for one event, with
 * struct val alone: it is the definition. before.c keeps what is known of the events
 * before.
 */
#ifndef SPOOR_ENGINE_H
#define SPOOR_ENGINE_H

#include "expr/exprs.h"
#include "expr/filter_value.h"
#include "input/cache.h"

/* Of a reg: truths, 1 or 0, in v.there. */
#define REG_TRUTH (VAL_KINDS + 1)

/* The values of a step. v points into the reg's own memory, or into another's. */
struct reg {
	struct vec v;
	bool constant; /* all have the value c; v is not filled */
	struct val c;
	uint8_t *there; /* its own memory: BATCH of each; NULL until it is used */
	int64_t *n;
	double *r;
	struct val *any;
};

/* Some events of a run. */
struct sel {
	uint32_t n;
	const uint32_t *at; /* their numbers in the batch */
	const uint32_t *j;  /* their numbers in the run */
	uint64_t gen;	    /* a number of its own: what is computed for it can be kept */
};

/* One step. Those of its parts, which it runs itself, lie behind it. */
struct engine_step {
	const struct node *node;
	struct reg *reg; /* of what is computed once in a run: N_LET, N_PREV, N_NTH,
			   * N_TOTAL */
	uint32_t parts;	 /* end[parts ...]: where they end */
	uint32_t nparts;
	uint32_t next;	       /* the step behind it and its parts */
	const struct val *now; /* in the definition, of what depends on its own prev */
};

/* Steps of a value or a test. */
struct steps {
	uint32_t from, to;
};

/* What is remembered of the event before; texts are copies. */
union held {
	int64_t n;
	double r;
	char *s;
};
/* Of a kind: an integer beyond 63 bits, whose further bits are its len; a decimal has up to
 * 94. */
#define HELD_BIG 128

/* A value of the event before: of a field, or of a definition. */
struct prev {
	const struct node *of; /* N_FIELD or N_LET */
	struct reg reg;
	bool own;	/* only the definition that it stands in looks at it */
	struct val now; /* of that */
	/* Of each key, at BATCH + slot. Below BATCH is room for the run's own events. */
	union held *held;
	uint8_t *kind; /* enum val_kind, | HELD_BIG */
	uint32_t *len; /* of texts and HELD_BIG, as far as there are any */
	size_t held_cap, kind_cap, len_cap;
	uint8_t alike; /* the kind that all keys have; VAL_NONE: not known to be one */
};

/* A running sum. */
struct total {
	const struct node *node;
	struct steps of;
	struct reg reg;
	bool own; /* it stands in a definition that looks at its own prev: this */
	size_t let;
	struct val now;
};

/* Slots of what is remembered, by key. */
struct before {
	struct exprs *keys; /* NULL: see one, by_loc */
	bool one;	    /* all events have one key */
	unsigned input;
	enum clock clock;
	uint32_t *by_loc; /* slot + 1 by the string's number; 0: not known yet */
	struct cache loc_cache;
	struct strtab names; /* of keys; the number is the slot */
	uint32_t nslots;
	/* Of the run's events, which one of the run had its key before, or BATCH + slot. */
	uint32_t from[BATCH];
	uint32_t *last; /* by slot: BATCH + slot, but while a run is linked */
	size_t last_cap;
	/* The events that are remembered when the run is over, where there are fewer keys
	 * than events one a key; else all, in order. */
	uint32_t ends[BATCH], nends;
	uint64_t *nth;
	size_t nth_cap;
	struct val *sums; /* by slot, then by total */
	size_t sums_cap;
	uint32_t slot[BATCH]; /* of the run's events */
	struct buf key;
};

/* Values by the number of a string or a type, worked out once. */
struct memo {
	uint8_t load, kind, part; /* of the field that it is of */
	struct val *v;
	uint8_t *known;
	size_t cap, known_cap;
};

/* How a test of a plain field is decided; those that cost more stand behind. */
enum leaf_how {
	LEAF_TYPE, /* the type decides: `want` */
	LEAF_RANGE,
	LEAF_RANGES, /* one of several */
	LEAF_STRING, /* by the number of a string */
	LEAF_TEXT,
};

/* A test of a plain field in the records of one type. */
struct leaf {
	enum leaf_how how;
	uint8_t bit;	/* HAS_* that a record must have, or 0 */
	bool want;	/* whether those pass that are within the range */
	unsigned shift; /* on a big-endian machine: the bits behind a narrow field */
	uint32_t off;	/* in the record */
	uint64_t mask, flip, lo, span;
	size_t first, n; /* LEAF_RANGES; LEAF_STRING: of the set */
};

/* Strings that pass a test, by number. */
struct leaf_set {
	struct field field;
	uint8_t *yes;
	uint32_t n;
	size_t cap;
};

/* A test of a plain field. */
struct leaves {
	struct leaf *leaf; /* by type */
	uint32_t n;
	size_t leaf_cap;
	bool differ;	   /* not all are equal */
	enum leaf_how how; /* of all, the one that costs most */
	struct irange *range;
	size_t nranges, range_cap, last_n; /* last_n: how many the last leaf has */
	struct leaf_set *set;
	size_t nsets, set_cap;
};

/* A part of a definition that looks at its own prev, which does not. */
struct hoisted {
	struct steps of;
	struct reg reg;
};

enum todo_what {
	DO_LET,
	DO_PREV,
	DO_NTH,
	DO_TOTAL,
	DO_HOISTED, /* of node `i` */
};

/* What is computed before others can be: in this order. */
struct todo {
	enum todo_what what;
	uint32_t i;
};

struct engine {
	const struct expr_tree *tree;
	struct view *view;
	bool slow; /* the definition alone, for tests */
	struct engine_step *step;
	size_t nsteps, stepcap;
	uint32_t *end;
	size_t nends, endcap;
	struct steps *root; /* by node: of those that are asked for */
	struct reg **stack;
	size_t regs, stackcap;
	struct val *vals; /* the same for one event */
	size_t top, valcap;
	struct reg *lets; /* by definition */
	bool *own;	  /* the definition looks at its own prev */
	bool *lazy;	  /* it is a plain field that nothing else needs */
	uint64_t *let_gen;
	struct prev *prevs;
	size_t nprevs, prevcap;
	struct total *totals;
	struct hoisted **hoisted; /* by node; NULL: none is */
	struct reg nth;
	struct todo *todo;
	size_t ntodo, todocap;
	struct before before;
	/* The run at hand. */
	struct source *s;
	const struct batch *b;
	struct val_env env;
	struct arena mem;
	struct sel all;
	uint64_t gens;
	uint64_t base;	   /* the selection whose fields are kept */
	struct reg *field; /* by field of the tree: as loaded for all of a selection */
	uint64_t *field_gen;
	struct memo *memo; /* by name in the view */
	struct arena memo_mem;
	struct leaves *leaves; /* by test */
	struct {
		uint32_t at[BATCH], j[BATCH], number[BATCH];
	} * *subs; /* of parts of a selection, by depth */
	size_t depth, subcap;
	uint32_t first[BATCH]; /* 0, 1, 2, ... */
	struct buf scratch;
	const struct val *aggs;
	/* Complete sums that did not fit, by definition; behind them, of a test. */
	uint64_t *overs;
	size_t let; /* the definition at hand */
};

/* Asks `view` for the fields of the tree, each once. */
void engine_ask(struct expr_tree *t, struct view *view);
/* Makes g ready to run t, whose fields are asked of `view`. Both outlive g. slow: by the
 * definition alone, for tests. */
void engine_open(struct engine *g, const struct expr_tree *t, struct view *view, bool slow);
/* Frees what g holds. */
void engine_close(struct engine *g);
/* What the readers must fill in besides the tree's own fields: for the key. */
unsigned engine_need(const struct engine *g);
/* Makes the steps of `node`, a value or a test that is asked for; gives them. */
struct steps engine_root(struct engine *g, uint32_t node);
/* Sets what a run has to do, in order. */
void engine_plan(struct engine *g);
/* The definition that a node stands in, of those from number `from` on: operands come before
 * their nodes. */
size_t engine_let_of(const struct expr_tree *t, uint32_t n, size_t from);
/* The numbers of types and strings have started anew. */
void engine_forget(struct engine *g);
/* Begins a run over events pick[0..n) of b (NULL: the first n), and computes all that stands
 * in todo. */
void engine_run(struct engine *g, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* The key of prev: see exprs_key. */
void engine_key(struct engine *g, struct exprs *keys);
/* The end of a range or a value with a unit of time that a test of a column has, or NULL. */
const char *engine_unit(const struct test *t);
/* Dates become times of the source with that head. */
void engine_dates(const struct expr_tree *t, const struct head *h);
/* A time of the tree that the clock of s cannot be held against, or NULL. */
const char *engine_clash(const struct engine *g, const struct source *s);
/* The same of a list. */
const char *exprs_clash(const struct exprs *l, const struct source *s);
/* Says of a source that it is refused, since `clash` is a time; stops it. Once: *told is its
 * number of heads then. */
void expr_refuse(struct source *s, const char *clash, unsigned *told);
/* Takes over what another run has counted. */
void engine_merge(struct engine *g, struct engine *from);
/* How many complete sums of tests did not fit. */
static inline uint64_t
engine_overs(const struct engine *g)
{
	return g->overs[g->tree->nlets];
}
static inline void
engine_set_overs(struct engine *g, uint64_t n)
{
	g->overs[g->tree->nlets] = n;
}
/* Says how many complete sums did not fit. */
void engine_say_overs(const struct engine *g);
/* Of the events at[0..n), numbers in the batch, of a run over all of the batch:
 * yes[k] = whether the k-th passes the test `node`. */
void engine_test(struct engine *g, uint32_t node, const uint32_t *at, uint32_t n,
		 uint8_t *yes);
/* Computes definition i if it was left for later. */
void engine_let(struct engine *g, size_t i);

/* batch.c */
/* Computes the steps of a node for a selection into a reg of its own: *to. */
void batch_steps(struct engine *g, struct steps of, const struct sel *sel, struct reg *to);
/* Whether each passes the test of the steps. */
void batch_test(struct engine *g, struct steps of, const struct sel *sel, uint8_t *yes);
/* Field number i of the tree. */
void batch_field(struct engine *g, uint32_t i, const struct sel *sel, struct reg *to);

/* reg.c */
/* Begins to fill a reg in any order with n values, absent where none is put. */
void reg_begin(struct reg *r, uint32_t n);
void reg_put_odd(struct reg *r, uint32_t n, uint32_t k, const struct val *v);
void reg_end(struct reg *r, uint32_t n);
/* Puts the nfrom values of `from` to the places which[] of n. */
void reg_scatter(struct reg *to, uint32_t n, const uint32_t *which, const struct reg *from,
		 uint32_t nfrom);
/* Memory for values of its own. */
void reg_room(struct reg *r);
void reg_free(struct reg *r);
/* The k-th value. */
struct val reg_val(const struct reg *r, uint32_t k);

/* Puts the k-th of n values. */
static inline void
reg_put(struct reg *r, uint32_t n, uint32_t k, const struct val *v)
{
	if (v->kind == r->v.kind && v->kind - 1u < VAL_DECIMAL && i128_is_i64(v->n)) {
		r->n[k] = (int64_t)v->n.lo;
		r->there[k] = 1;
	} else
		reg_put_odd(r, n, k, v);
}

/* Fills a reg with n values: `value` is that of number k. */
#define REG_FILL(to, n, k, value)                    \
	do {                                         \
		reg_begin(to, n);                    \
		for (uint32_t k = 0; k < (n); k++) { \
			struct val v_ = (value);     \
                                                     \
			reg_put(to, n, k, &v_);      \
		}                                    \
		reg_end(to, n);                      \
	} while (0)

/* leaf.c */
/* The value of field number `asked` of the view in an event. */
struct val leaf_val(struct engine *g, size_t asked, const struct rec *r);
/* Its text as it stands in a stream, without escapes; it lives until the next run. */
struct val leaf_text(struct engine *g, size_t asked, const struct rec *r);

/* leaf_test.c: tests of plain fields, by number. */
/* What the test is for the records of a type. */
const struct leaf *leaf_of(struct engine *g, uint32_t number, uint32_t type);
/* 0 or 1 where the type decides, else -1. */
int leaf_known(const struct leaf *l);
/* Whether they say the same of all records. */
bool leaf_same(const struct leaf *a, const struct leaf *b);
/* Whether an event of the run passes. */
bool leaf_test(struct engine *g, uint32_t number, const struct rec *r);
/* yes[k] = whether event at[k] of the batch passes. */
void leaf_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n,
		 uint8_t *yes);
/* Frees what q holds; all is to be worked out anew. */
void leaf_forget(struct leaves *q);

static inline uint64_t
leaf_load(const struct leaf *l, const struct rec *r)
{
	uint64_t x = ld64((const uint8_t *)r + l->off);

	return ((HOST_BIG ? x >> l->shift : x) & l->mask) ^ l->flip;
}

static inline bool
leaf_there(const struct leaf *l, const struct rec *r)
{
	return !(l->bit & ~r->has);
}

/* Whether an event passes, of LEAF_TYPE and LEAF_RANGE. */
static inline bool
leaf_range(const struct leaf *l, const struct rec *r)
{
	return (unsigned)((leaf_load(l, r) - l->lo <= l->span) == l->want) &
	       (unsigned)leaf_there(l, r);
}

/* eval.c: the definition. */
/* The value of the steps for event j of the run, record r: of a test, whole 1 or 0. r may be
 * NULL where no field is asked for. */
struct val eval_steps(struct engine *g, struct steps of, const struct rec *r, uint32_t j);
/* Whether two values that are there stand in a relation; text: as texts. */
bool eval_relation(const struct val_env *env, enum test_op op, const struct val *a,
		   const struct val *b, bool text);
/* Whether the text of a value that is there matches. */
bool eval_matches(const struct val_env *env, struct ere *re, const struct val *v);
/* The value of a N_AS_TIME. */
struct val eval_as_time(const struct val_env *env, const struct node *node, struct val v);
/* The value as a complete sum, if the node is one; counts where it does not fit. */
struct val eval_fit(struct engine *g, const struct node *node, struct val v);

/* before.c */
void before_free(struct engine *g);
/* Finds the slots of the run's events. */
void before_slots(struct engine *g);
/* prev number i of the run's events, from the values of now. */
void before_prev(struct engine *g, size_t i, const struct reg *now);
/* Sets g->nth, and the regs of a running sum whose operand is `of`. */
void before_nth(struct engine *g);
void before_total(struct engine *g, size_t i, const struct reg *of);
/* For one event at a time, j of the run: the value held in prev i; and the next one. */
struct val before_get(struct engine *g, size_t i, uint32_t j);
void before_set(struct engine *g, size_t i, uint32_t j, const struct val *v);
/* Adds v to the running sum of event j; gives the sum. */
struct val before_add(struct engine *g, size_t i, uint32_t j, const struct val *v);

#endif
