/* program.h - a compiled expression: filter_compile.c makes it, filter.c runs it. */
#ifndef SPOOR_EXPR_PROGRAM_H
#define SPOOR_EXPR_PROGRAM_H

#include "expr/range_test.h"
#include "expr/filter.h"
#include "expr/expr_tree.h"

enum verdict {
	DROP,
	TAKE,
	RUN
};

/* A test that all events must pass: an operand of the topmost `and`. */
struct conjunct {
	uint32_t node;
	bool range_test; /* test number `test` of a plain field, which must give `want` */
	bool want;
	uint32_t test;
	/* The next three members are about the types whose verdict is RUN. */
	bool needed;   /* some type leaves it undecided */
	bool differs;  /* a range test: it differs between types */
	uint32_t type; /* a type that leaves it undecided */
};

struct expr {
	struct expr_tree tree;
	struct engine engine; /* computes values */
	struct conjunct *part;
	size_t nparts, partcap;
	struct view view;  /* the fields of all tests, each once */
	uint8_t *verdicts; /* by type */
	uint32_t ntypes;
	size_t verdicts_cap;
	bool seen[RUN + 1]; /* some type has that verdict */
	uint32_t least;	    /* bytes of the shortest record */
	/* The first conjunct that is needed, if it is a single range within the records of all types; else nparts. */
	size_t quick;
	bool any;    /* there was an event */
	bool picked; /* an event passed */
	/* NULL, or a constant that cannot be compared with these records */
	const char *clash;
	unsigned told; /* the head for which a message has reported `clash` */
	/* The names of events that came while an event name in the expression matched no type; by type, 1 if its
	 * name is noted. */
	struct strtab events;
	uint8_t *noted;
	size_t noted_cap;
	uint32_t nnoted; /* number of noted types */
	bool strange;	 /* an event name in the expression matches no type so far */
};

/* Compiles the expression for new types. */
void expr_refresh(struct expr *e, const struct source *s);
/* Returns true if item `it` names an event, and no type so far has that name. */
static inline bool
item_strange(const struct test *t, const struct item *it)
{
	return t->column == FIELD_EVENT && !it->hit &&
	       (t->op == OP_EQ || t->op == OP_IN || t->op == OP_GLOB);
}
/* Forgets all verdicts, because the numbers of types and strings start anew. */
void expr_forget(struct expr *e);

#endif
