/*
 * program.h - what filter_compile.c makes of an expression, and filter.c runs.
 *
 * Every test of an integer becomes ((load(record + off) & mask) ^ flip) - lo <= span: one
 * form for all comparisons and ranges.
 */
#ifndef SPOOR_EXPR_PROGRAM_H
#define SPOOR_EXPR_PROGRAM_H

#include "expr/engine.h"
#include "expr/filter.h"
#include "expr/tree.h"

#define PASS UINT16_MAX
#define FAIL (UINT16_MAX - 1)
#define PROGRAM_MOST 60000

enum insn_kind {
	I_RANGE,
	I_SET,
	I_VALUE,
	I_CALC /* the computed test, node number `lo` */
};

struct insn {
	enum insn_kind kind;
	uint16_t yes, no; /* where to go: an instruction, PASS or FAIL */
	uint32_t off;	  /* in the record */
	unsigned shift;	  /* on a big-endian machine: the bits behind a narrow field */
	uint64_t mask, flip, lo, span;
	size_t test; /* I_SET, I_VALUE */
};

/* The strings of a segment that pass a test: for loc, its parts, and K_SYM arguments. */
struct expr_set {
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

struct expr_program {
	enum verdict verdict;
	struct insn *code;
	uint32_t n, entry;
	size_t cap;
	bool chain;	/* all tests joined by `and`, in order */
	bool shares;	/* the code is another's */
	uint32_t class; /* 0 = DROP, 1 = TAKE, else a number that equal programs share */
};

/* The answers of a computed test, where a branch program asks for them one by one. */
struct calc {
	uint32_t node;
	uint64_t run; /* the batch that yes[] is of */
	bool single;  /* some value did not fit: the events that ask are computed alone */
	uint8_t yes[BATCH]; /* by the event's number in the batch */
};

struct expr {
	struct expr_tree tree;
	struct engine engine; /* of what is computed */
	struct calc *calc;
	size_t ncalcs, calccap;
	uint64_t runs;
	uint32_t chosen[BATCH]; /* the events that a branch program runs for */
	uint32_t nchosen;
	struct view view;	   /* the fields of all tests, each once */
	struct expr_program *prog; /* by type */
	uint8_t *verdicts; /* the same by type, in bytes for the loops over batches */
	size_t nprogs, cap, verdicts_cap;
	uint32_t classes; /* in use so far, from 2 */
	bool takes;	  /* some type is taken as it is */
	bool drops;	  /* some type is dropped */
	/* The only program, if it is one or two ranges in a chain. */
	const struct expr_program *pair;
	struct expr_set *sets;
	size_t nsets, setcap;
	bool any;	   /* there were events */
	const char *clash; /* NULL, or a value that these records cannot be held against */
	unsigned told;	   /* the heads for which a message has said so */
	/* The names of events that came while some name in the expression was no type's; by
	 * type, whether its name is noted. */
	struct strtab events;
	uint8_t *noted;
	size_t noted_cap;
	uint32_t nnoted; /* types */
	bool strange;	 /* some name is no type's so far */
	struct buf scratch;
};

/* Compiles the expression for the types that are new, and decides the strings. */
void expr_refresh(struct expr *e, const struct source *s);
/* What test number `test` asks for, in the records of a type. */
static inline const struct field *
expr_asked(const struct expr *e, uint32_t type, size_t test)
{
	return view_field(&e->view, type, e->tree.tests[test]->asked);
}
/* Whether item `it` names an event that no type was called. */
static inline bool
item_strange(const struct test *t, const struct item *it)
{
	return t->column == FIELD_EVENT && !it->hit &&
	       (t->op == OP_EQ || t->op == OP_IN || t->op == OP_GLOB);
}
/* Forgets all programs and sets: the numbers of types and strings start anew. */
void expr_forget(struct expr *e);

#endif
