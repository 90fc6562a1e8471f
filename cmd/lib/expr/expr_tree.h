/* expr_tree.h - the tree that parse.c makes and the engines run. */
#ifndef SPOOR_EXPR_TREE_H
#define SPOOR_EXPR_TREE_H

#include <stdio.h>

#include "base/die.h"
#include "base/num.h"
#include "view/view.h"
#include "expr/ere.h"
#include "expr/func.h"

#define NO_NODE UINT32_MAX

enum test_op {
	OP_EQ,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_MATCH,
	OP_BITS,
	OP_IN,
	OP_THERE,
	OP_GLOB
};

/* A constant that a test compares with; all zeros if the side is computed. */
struct item_end {
	bool is_num;
	/* Times are in seconds. A date in `val` counts seconds since 1970; `dated`, which is compared with times,
	 * counts seconds since the origin of the input. */
	struct val val, dated;
	enum unit unit;
	char *text; /* always set: as typed, without quotes */
};

/* A value or a range that a test compares with. The ends of a range are both constants of one kind, numbers or
 * words, or one of them is computed. */
struct item {
	struct item_end from, to; /* the value (`from`), or the ends of the range */
	bool range;
	/* A word or string that is a text, even if it looks like a number: the text of the left value is compared
	 * with it by bytes. In a range, both ends are quoted or none. */
	bool quoted;
	uint32_t node,
	    to_node; /* the nodes of a computed test, also for constants; else NO_NODE */
	bool hit;    /* for a test of the event: some type has a name that passes */
};

/* A test of a plain field with constants, which compares the text or integer of `field` (filter_value.h); or a
 * computed test, whose left side and items are nodes (val.h). The right side of ~ is always a constant: `re`.
 * OP_THERE has no items, OP_GLOB is never computed. */
struct test {
	enum test_op op;
	bool negate;   /* != !~ not in; the field must be present nevertheless */
	uint32_t left; /* node of the left side, for a computed test; else NO_NODE */
	char *field;   /* name of a plain field; else NULL */
	enum field_kind column;
	size_t at; /* offset in the expression, for messages */
	struct item *items;
	size_t nitems;
	struct ere *re; /* for OP_MATCH */
	size_t asked;	/* number of the field in the view */
	/* If an item is a number: the name of this number in some type, NULL if no type names it; and the number
	 * of the item. Values with a name are compared by the name. */
	char *name;
	size_t named;
};

enum node_op {
	/* Tests. */
	N_AND,
	N_OR,
	N_NOT,
	N_TEST, /* test number `left` */
	N_TRUE, /* true if value `left` is a number other than 0 */
	/* Values. */
	N_FIELD, /* field number `left`; variant 1: it is compared, not computed with */
	N_TEXT,	 /* text of field number `left`, as in a stream */
	N_LET,	 /* value of definition number `left`, an earlier one */
	N_CONST, /* constant number `left` */
	N_ARITH, /* left OP right; `variant` is an enum val_op */
	/* `left`, a plain number, as a time; a part of a tick stays a number. variant 1: in a relation; 2: in
	 * arithmetic, where a part of a nanosecond stays a number too; 3: no time, but a text as the number that
	 * it is. */
	N_AS_TIME,
	/* A call of `func` with the arguments args[left .. left + n), all values; the first argument of if() is a
	 * N_VALUE. */
	N_CALL,
	N_VALUE, /* the test `left` as 1 or 0 */
	/* `left`, a N_FIELD or N_LET, of the previous event; N_LET may be the definition that contains it */
	N_PREV,
	N_NTH,	 /* number of the event within its key, from 1 */
	N_TOTAL, /* sum of `left` so far; `right` is the number of the sum */
	N_AGG,	 /* aggregate number `left`, if the question has aggregates */
};

/* A node of the tree. The operands of a node, and the nodes in the items of a test, come before the node in
 * nodes[], so that a walk over the array needs no recursion. A chain a + b + ... is as deep as it is long. */
struct node {
	uint8_t op; /* enum node_op */
	uint8_t variant;
	uint8_t measure; /* enum measure, for values */
	bool fits;	 /* a complete sum: the value must fit 64 bits (val_fit) */
	uint32_t left, right, n;
	uint32_t at; /* offset in the text */
	const struct func *func;
	struct func_call call;
};

/* A field that is read as a value. */
struct expr_field {
	char *name;
	size_t asked; /* number of the field in the view */
	bool there;   /* the only question is whether it is, or was, present: NAME? */
};

/* An aggregate with its arguments, as typed. */
struct expr_agg {
	char *text;    /* "p99(size // 512)", "count" */
	size_t name;   /* bytes of its name */
	uint32_t args; /* first of its arguments: args[args .. args + n) */
	uint32_t n;
};

/* A definition of a list: "page = addr // 4096". */
struct expr_let {
	char *name;    /* NULL if there is none */
	char *label;   /* the name, or the text as expr_label makes it */
	char *field;   /* name of a plain field; else NULL */
	uint32_t root; /* a value; NO_NODE: `NAME =` without a value (PARSE_DEFINES) */
	size_t at;
	bool made_text; /* its value may be a text that a function made from a text */
};

struct expr_tree {
	char *text;
	struct node *nodes;
	size_t nnodes, nodecap;
	uint32_t *args;
	size_t nargs, argcap;
	struct test **tests;
	size_t ntests, testcap;
	struct expr_field *fields; /* each name once */
	size_t nfields, fieldcap;
	/* numbers without unit, sizes and texts; times in ns, M_TIME */
	struct val *constants;
	size_t nconstants, constcap;
	struct expr_agg *aggs;
	size_t naggs, aggcap;
	struct expr_let *lets; /* the definitions of a list */
	size_t nlets, letcap;
	uint32_t ntotals;
	bool named; /* there is a N_LET */
	bool nth;   /* there is a N_NTH */
	/* there is a N_PREV, N_NTH, N_TOTAL or alias(): events must come in order */
	bool before;
	/* there is a constant with a unit of time; `time_text` is its text */
	bool has_time;
	char *time_text;
	char *date_text;      /* a date, or NULL */
	uint32_t root;	      /* root of a test */
	struct arena mem;     /* memory of the constants' texts */
	struct naming naming; /* the names of all alias() */
};

enum parse_flags {
	PARSE_LIST = 1, /* a list of values; else a single test */
	/* a definition may use the names of earlier ones, and its own in prev.NAME; `NAME =` may have no value */
	PARSE_DEFINES = 2,
	PARSE_GAP = 4, /* `gap` in a computed value means time - prev.time */
};

/* A flag in the result of an expr_aggregate: the arguments are about rows of the result, not events, so that they
 * may contain aggregates, as all(count). */
#define AGGREGATE_OF_ROWS 256

/* Returns what the aggregate of this name measures: an enum measure, FUNC_JOINED for what its first argument
 * measures (perhaps | AGGREGATE_OF_ROWS), or -1 if the n bytes name no aggregate. `bare`: no parenthesis follows,
 * as in count. If there is such a function, names of earlier columns are allowed too. It is not called within the
 * arguments of an aggregate of events. NULL: no aggregates. */
typedef int expr_aggregate(const char *name, size_t n, bool bare);

/* Parses `text` into *t. Reports an error with a caret under its place, and exits. */
void expr_tree_parse(struct expr_tree *t, const char *text, unsigned flags,
		     expr_aggregate *aggregate);
/* Turns an expression into the name of a column, in place: keeps only blanks between two words. Returns text. */
char *expr_label(char *text);
/* Frees what t holds. */
void expr_tree_free(struct expr_tree *t);
/* Returns a hint for the text at offset `at` of an expression (SIZE_MAX: anywhere), or NULL. error: the expression
 * has an error there; otherwise no event passed it. */
const char *expr_hint(const char *text, size_t at, bool error);
/* Prints the expression with a caret under offset `at` and the reason, and exits with ST_TROUBLE. */
_Noreturn void expr_die(const struct expr_tree *t, size_t at, const char *fmt, ...)
    PRINTF(3, 4);
/* Returns the next operand of a node, from the left; NO_NODE after the last. *at must be 0 before the first call. */
uint32_t node_operand(const struct expr_tree *t, const struct node *n, size_t *at);
/* Prints the tree, for -d. */
void expr_tree_print(const struct expr_tree *t, FILE *f);

#endif
