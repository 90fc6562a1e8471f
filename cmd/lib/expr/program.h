/* program.h - what filter_compile.c makes of an expression, and filter.c runs. */
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

/* A test that all events must pass: an operand of the `and` that the expression is. */
struct conjunct {
	uint32_t node;
	bool
	    range_test; /* a test of a plain field, number `test`, which must give `want` */
	bool want;
	uint32_t test;
	/* These are about the types whose verdict is RUN. */
	bool needed;   /* it is not decided for all */
	bool differs;  /* of a leaf: it is not the same for all */
	uint32_t type; /* one of them */
};

struct expr {
	struct expr_tree tree;
	struct engine engine; /* of what is computed */
	struct conjunct *part;
	size_t nparts, partcap;
	struct view view;  /* the fields of all tests, each once */
	uint8_t *verdicts; /* by type */
	uint32_t ntypes;
	size_t verdicts_cap;
	bool seen[RUN + 1]; /* some type has that verdict */
	uint32_t least;	    /* bytes of each record */
	/* The first conjunct that is needed, if it is one range within the records of all
	 * types; else nparts. */
	size_t quick;
	bool any;	   /* there were events */
	bool picked;	   /* and some passed */
	const char *clash; /* NULL, or a value that these records cannot be held against */
	unsigned told;	   /* the heads for which a message has said so */
	/* The names of events that came while some name in the expression was no type's; by
	 * type, whether its name is noted. */
	struct strtab events;
	uint8_t *noted;
	size_t noted_cap;
	uint32_t nnoted; /* types */
	bool strange;	 /* some name is no type's so far */
};

/* Compiles the expression for the types that are new. */
void expr_refresh(struct expr *e, const struct source *s);
/* Returns whether item `it` names an event, and no type so far has that name. */
static inline bool
item_strange(const struct test *t, const struct item *it)
{
	return t->column == FIELD_EVENT && !it->hit &&
	       (t->op == OP_EQ || t->op == OP_IN || t->op == OP_GLOB);
}
/* Forgets all verdicts: the numbers of types and strings start anew. */
void expr_forget(struct expr *e);

#endif
