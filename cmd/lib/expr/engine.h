/*
 * engine.h - runs the values of a tree over a batch of events: for tests that compute
 * (filter.c) and for lists (exprs.c).
 *
 * A value is a row of steps, operands first (engine.c). batch.c runs each step as one
 * loop over the events of a selection, and of a single event with struct val alone.
 * tests/unit/engines.c has the definition, which never loops. before.c keeps what is known
 * of the events before.
 */
#ifndef SPOOR_ENGINE_H
#define SPOOR_ENGINE_H

#include "expr/before.h"

struct range_tests;
struct memo;

/* One step. Those of its parts, which it runs itself, lie behind it. */
struct engine_step {
	const struct node *node;
	struct vreg *vreg; /* of what is computed once in a run: N_LET, N_PREV, N_NTH,
			   * N_TOTAL */
	uint32_t parts;	   /* end[parts ...]: where they end */
	uint32_t nparts;
	uint32_t next; /* the step behind it and its parts */
};

/* A part of a definition that looks at its own prev, which does not. */
struct hoisted {
	struct steps of;
	struct vreg vreg;
};

/* A part of a selection. */
struct sub_sel {
	uint32_t at[BATCH], j[BATCH], number[BATCH];
};

enum todo_what {
	DO_LET,
	DO_PREV,
	DO_NTH,
	DO_TOTAL,
	DO_HOISTED, /* of node `i` */
};

/* A step that must be computed before others, in this order. */
struct todo {
	enum todo_what what;
	uint32_t i;
};

/* A definition. */
struct kept_let {
	struct vreg vreg;
	uint64_t gen; /* of the selection that reg is of */
	bool own;     /* it looks at its own prev */
	bool lazy;    /* it is a plain field that nothing else needs */
};

/* A field, as loaded for all of a selection. */
struct kept_field {
	struct vreg vreg;
	uint64_t gen; /* of that */
};

struct engine {
	const struct expr_tree *tree;
	struct view *view;
	struct engine_step *step;
	size_t nsteps, stepcap;
	uint32_t *end;
	size_t nends, endcap;
	struct steps *root; /* by node: of those that are asked for */
	struct vreg **stack;
	size_t regs, stackcap;
	struct val *vals; /* the arguments of a function */
	size_t valcap;
	struct kept_let *lets; /* by definition */
	struct prev *prevs;
	size_t nprevs, prevcap;
	struct total *totals;
	struct hoisted **hoisted; /* by node; NULL: none is */
	struct vreg nth;
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
	uint64_t base;		  /* the selection whose fields are kept */
	struct kept_field *field; /* by field of the tree */
	struct memo *memo;	  /* by name in the view */
	struct arena memo_mem;
	struct range_tests *range_tests; /* by test */
	struct sub_sel **subs;		 /* of parts of a selection, by depth */
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
/* Makes g ready to run t, whose fields are asked of `view`. Both outlive g. */
void engine_open(struct engine *g, const struct expr_tree *t, struct view *view);
/* Frees what g holds. */
void engine_close(struct engine *g);
/* Returns which fields the readers must fill in for the key, besides the tree's own. */
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
/* Returns the clash of a list. */
const char *exprs_clash(const struct exprs *l, const struct source *s);
/* Says of a source that it is refused, since `clash` is a time; stops it. Once: *told is its
 * number of heads then. */
void expr_type_error(struct source *s, const char *clash, unsigned *told);
/* Takes over what another run has counted. */
void engine_merge(struct engine *g, struct engine *from);
/* Says how many complete sums did not fit; ends the key of prev as exprs_finish. */
int engine_finish(const struct engine *g, bool partial);
/* Tests the events at[0..n), numbers in the batch, of a run over all of the batch:
 * yes[k] = whether the k-th passes the test `node`. */
void engine_test(struct engine *g, uint32_t node, const uint32_t *at, uint32_t n,
		 uint8_t *yes);
/* Computes definition i if it was left for later. */
void engine_let(struct engine *g, size_t i);

/* Part k of step i. */
static inline struct steps
engine_part(const struct engine *g, uint32_t i, uint32_t k)
{
	const uint32_t *end = &g->end[g->step[i].parts];

	return (struct steps){k ? end[k - 1] : i + 1, end[k]};
}

/* batch.c */
/* Computes the steps of a node for a selection into a reg of its own: *to. */
void batch_steps(struct engine *g, struct steps of, const struct sel *sel, struct vreg *to);
/* Sets yes[k] to whether the k-th event passes the test of the steps. */
void batch_test(struct engine *g, struct steps of, const struct sel *sel, uint8_t *yes);
/* Field number i of the tree. */
void batch_field(struct engine *g, uint32_t i, const struct sel *sel, struct vreg *to);

/* Returns the value for event j of the run, number `at` in the batch: of a test, whole 1 or 0. There may be
 * no batch where no field is asked for. */
struct val batch_one(struct engine *g, struct steps of, uint32_t at, uint32_t j);

/* eval.c: what is done value by value. */
/* Returns whether two values that are there stand in a relation; text: as texts. */
bool eval_relation(const struct val_env *env, enum test_op op, const struct val *a,
		   const struct val *b, bool text);
/* Returns whether the text of a value that is there matches. */
bool eval_matches(const struct val_env *env, struct ere *re, const struct val *v);
/* The value of a N_AS_TIME. */
struct val eval_as_time(const struct val_env *env, const struct node *node, struct val v);
/* The value as a complete sum, if the node is one; counts where it does not fit. */
struct val eval_fit(struct engine *g, const struct node *node, struct val v);

#endif
