/*
 * engine.h - computes the values of a tree for a batch of events: for tests that compute (filter.c) and for lists
 * (exprs.c).
 *
 * A value is a sequence of steps, operands first (engine.c). batch.c runs each step as one loop over the events of
 * a selection; for a single event it uses struct val alone. tests/unit/engines.c has the definition of each
 * operation, without loops. before.c remembers values of previous events.
 */
#ifndef SPOOR_ENGINE_H
#define SPOOR_ENGINE_H

#include "expr/before.h"

struct range_tests;
struct memo;

/* A step. Steps that it runs itself, its parts, follow it directly. */
struct engine_step {
	const struct node *node;
	/* values computed once for a run: N_LET, N_PREV, N_NTH, N_TOTAL; else NULL */
	struct vreg *vreg;
	uint32_t parts; /* end[parts ...] are the ends of its parts */
	uint32_t nparts;
	uint32_t next; /* the step after it and its parts */
};

/* A node that is computed for the whole run, in a definition that is computed event by event. */
struct hoisted {
	struct steps of;
	struct vreg vreg;
};

/* Memory for a part of a selection. */
struct sub_sel {
	uint32_t at[BATCH], j[BATCH], number[BATCH];
};

enum todo_what {
	DO_LET,
	DO_PREV,
	DO_NTH,
	DO_TOTAL,
	DO_HOISTED, /* node number i */
};

/* An item of the plan of a run. Items are computed in order. */
struct todo {
	enum todo_what what;
	uint32_t i;
};

/* The values of a definition. */
struct kept_let {
	struct vreg vreg;
	uint64_t gen; /* number of the selection that they are for */
	bool own;     /* it uses its own prev */
	bool lazy;    /* a plain field that nothing else needs; it is loaded on demand */
};

/* The values of a field for a whole selection. */
struct kept_field {
	struct vreg vreg;
	uint64_t gen; /* number of the selection */
};

struct engine {
	const struct expr_tree *tree;
	struct view *view;
	struct engine_step *step;
	size_t nsteps, stepcap;
	uint32_t *end;
	size_t nends, endcap;
	struct steps *root; /* by node: its steps, if engine_root was called */
	struct vreg **stack;
	size_t regs, stackcap;
	struct val *vals; /* arguments of a function */
	size_t valcap;
	struct kept_let *lets; /* by number of the definition */
	struct prev *prevs;
	size_t nprevs, prevcap;
	struct total *totals;
	struct hoisted **hoisted; /* by node; NULL: none */
	struct vreg nth;
	struct todo *todo;
	size_t ntodo, todocap;
	struct before before;
	/* The current run. */
	struct source *s;
	const struct batch *b;
	struct val_env env;
	struct arena mem;
	struct sel all;
	uint64_t gens;
	uint64_t base;		  /* number of the selection whose fields are kept */
	struct kept_field *field; /* by number of the field in the tree */
	struct memo *memo;	  /* by number of the name in the view */
	struct arena memo_mem;
	struct range_tests *range_tests; /* by number of the test */
	struct sub_sel **subs;		 /* memory for parts of a selection, by depth */
	size_t depth, subcap;
	uint32_t first[BATCH]; /* 0, 1, 2, ... */
	struct buf scratch;
	const struct val *aggs;
	/* By definition: number of complete sums that did not fit 64 bits. The last element is for a test. */
	uint64_t *overs;
	size_t let; /* the current definition */
};

/* Asks `view` for the fields of the tree, each once. */
void engine_ask(struct expr_tree *t, struct view *view);
/* Prepares g to compute t, whose fields were asked of `view`. Both must outlive g. */
void engine_open(struct engine *g, const struct expr_tree *t, struct view *view);
/* Frees what g holds. */
void engine_close(struct engine *g);
/* Returns the columns that the readers must fill in for the key, in addition to what the tree needs. */
unsigned engine_need(const struct engine *g);
/* Makes the steps of `node`, a value or a test that will be computed, if there are none yet. Returns them. */
struct steps engine_root(struct engine *g, uint32_t node);
/* Decides what a run computes, in order. */
void engine_plan(struct engine *g);
/* Returns the number of the definition that node n belongs to, searched from number `from` on; nlets if none.
 * Operands come before their nodes. */
size_t engine_let_of(const struct expr_tree *t, uint32_t n, size_t from);
/* Forgets what depends on numbers of types and strings, which have started anew. */
void engine_forget(struct engine *g);
/* Begins a run over events pick[0..n) of b (NULL: the first n), and computes everything in the plan. */
void engine_run(struct engine *g, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n);
/* Sets the key of prev: see exprs_key. */
void engine_key(struct engine *g, struct exprs *keys);
/* Returns the text of a constant with a unit of time in a test of a column, or NULL. */
const char *engine_unit(const struct test *t);
/* Converts dates in the tests to times of a source with the head h. */
void engine_dates(const struct expr_tree *t, const struct head *h);
/* Returns the text of a constant that cannot be compared with times of s, or NULL. */
const char *engine_clash(const struct engine *g, const struct source *s);
/* Returns for a list what engine_clash returns: the text of a constant, or NULL. */
const char *exprs_clash(const struct exprs *l, const struct source *s);
/* Reports that s is refused because `clash` is a time or a date, and stops s. Reports once for each head: *told is
 * set to the serial number of the head. */
void expr_type_error(struct source *s, const char *clash, unsigned *told);
/* Adds the counts of another run. */
void engine_merge(struct engine *g, struct engine *from);
/* Reports the number of complete sums that did not fit, and ends the key of prev as exprs_finish does. Returns ST_TROUBLE
 * if a field of the key was in no event, else ST_OK. */
int engine_finish(const struct engine *g, bool partial);
/* Tests the events at[0..n), numbers in the batch, of a run over the whole batch. Sets yes[k] to whether event
 * at[k] passes the test `node`. */
void engine_test(struct engine *g, uint32_t node, const uint32_t *at, uint32_t n,
		 uint8_t *yes);
/* Computes definition i if it is lazy and not yet computed. */
void engine_let(struct engine *g, size_t i);

/* Returns the steps of part k of step i. */
static inline struct steps
engine_part(const struct engine *g, uint32_t i, uint32_t k)
{
	const uint32_t *end = &g->end[g->step[i].parts];

	return (struct steps){k ? end[k - 1] : i + 1, end[k]};
}

/* batch.c */
/* Computes the steps of a node for a selection, into *to with its own memory. */
void batch_steps(struct engine *g, struct steps of, const struct sel *sel, struct vreg *to);
/* Sets yes[k] to whether the k-th event passes the test of the steps. */
void batch_test(struct engine *g, struct steps of, const struct sel *sel, uint8_t *yes);
/* Loads field number i of the tree for a selection into *to. */
void batch_field(struct engine *g, uint32_t i, const struct sel *sel, struct vreg *to);

/* Returns the value of the steps for event j of the run, number `at` in the batch; the value of a test is the
 * whole number 1 or 0. Without fields, there need not be a batch. */
struct val batch_one(struct engine *g, struct steps of, uint32_t at, uint32_t j);

/* eval.c: operations on single values. */
/* Returns true if two present values are in the relation op; text: compare them as texts. */
bool eval_relation(const struct val_env *env, enum test_op op, const struct val *a,
		   const struct val *b, bool text);
/* Returns true if the text of a present value matches. */
bool eval_matches(const struct val_env *env, struct ere *re, const struct val *v);
/* Returns the value of a N_AS_TIME whose operand is v. */
struct val eval_as_time(const struct val_env *env, const struct node *node, struct val v);
/* Returns v, or an absent value if the node is a complete sum and v does not fit 64 bits; the latter is counted. */
struct val eval_fit(struct engine *g, const struct node *node, struct val v);

#endif
