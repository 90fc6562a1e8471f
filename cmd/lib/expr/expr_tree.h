/* expr_tree.h - the tree that parse.c makes, and the engines run. */
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

/* A constant that a test compares with; all zeros where it is computed. */
struct item_end {
	bool is_num;
	/* Times are in seconds. A date in `val` counts seconds since 1970; in `dated`, which is compared with
	 * times, seconds since the origin of the input. */
	struct val val, dated;
	enum unit unit;
	char *text; /* always, as typed and unquoted */
};

/* A value or a range that a test compares with. A range's ends are both constants of one
 * kind, numbers or words, or one of them is computed. */
struct item {
	struct item_end from, to; /* the value, or the range */
	bool range;
	/* A word or a string that is a text, also if it looks like a number: the text of the
	 * left value is compared with it by bytes. Of a range both ends are, or none. */
	bool quoted;
	uint32_t node,
	    to_node; /* a computed test's: always nodes, constants too; else NO_NODE */
	bool hit;    /* of a test of the event: some type has a name that passes it */
};

/*
 * A test of a plain field with constants, `field` by its text or its integer (filter_value.h);
 * or a computed test, whose left side and items are nodes (val.h). The right side of ~ is
 * always a constant: `re`. OP_THERE has no items, OP_GLOB is never computed.
 */
struct test {
	enum test_op op;
	bool negate;   /* != !~ not in; the field must be there all the same */
	uint32_t left; /* of a computed test; else NO_NODE */
	char *field;   /* of a plain one; else NULL */
	enum field_kind column;
	size_t at; /* its place in the expression, for messages */
	struct item *items;
	size_t nitems;
	struct ere *re; /* of OP_MATCH */
	size_t asked;	/* the field's number in the view */
	/* For a number among the items: its name in some type, NULL if none has one, and
	 * which item it is. Values that have a name are compared by it. */
	char *name;
	size_t named;
};

enum node_op {
	/* Tests. */
	N_AND,
	N_OR,
	N_NOT,
	N_TEST, /* test number `left` */
	N_TRUE, /* value `left` is a number other than 0 */
	/* Values. */
	N_FIELD, /* field number `left`; how 1: it is compared, not computed with */
	N_TEXT,	 /* the text of field number `left`, as it stands in a stream */
	N_LET,	 /* the value of definition number `left`, an earlier one */
	N_CONST, /* constant number `left` */
	N_ARITH, /* left OP right; `variant` is the enum val_op */
	/* `left`, a plain number, as a time; of a part of a tick as it stands. how 1: a relation's, 2: of
	 * arithmetic, also of a part of a nanosecond. how 3: a text as the number that it is. */
	N_AS_TIME,
	/* A call of function `func`: its arguments are args[left .. left + n), all values; the first
	 * of if() is a N_VALUE. */
	N_CALL,
	N_VALUE, /* the test `left` as 1 or 0 */
	N_PREV,	 /* `left`, a N_FIELD or N_LET, of the event before; of N_LET also the
		    * definition that it stands in */
	N_NTH,	 /* the event's number within its key, from 1 */
	N_TOTAL, /* the sum of `left` so far; its number among these is `right` */
	N_AGG,	 /* an aggregate, number `left`: where the question has aggregates */
};

/* The operands of a node, and those of its test's items, stand before it in nodes[]: whoever
 * walks the array from 0 needs no recursion. A chain a + b + ... is as deep as it is long. */
struct node {
	uint8_t op; /* enum node_op */
	uint8_t variant;
	uint8_t measure; /* enum measure, of values */
	bool fits;	 /* a complete sum: the value must fit 64 bits (val_fit) */
	uint32_t left, right, n;
	uint32_t at; /* its place in the text */
	const struct func *func;
	struct func_call call;
};

/* A field that is read as a value. */
struct expr_field {
	char *name;
	size_t asked; /* its number in the view */
	bool there;   /* all that is asked is whether it is there, or was: NAME? */
};

/* An aggregate's name and its arguments, as typed. */
struct expr_agg {
	char *text;    /* "p99(size // 512)", "count" */
	size_t name;   /* bytes of its name */
	uint32_t args; /* its arguments: args[args .. args + n) */
	uint32_t n;
};

/* One of a list: "page = addr // 4096". */
struct expr_let {
	char *name;    /* NULL if none was given */
	char *label;   /* the name, or the text as expr_label makes it */
	char *field;   /* of a plain field: its name; else NULL */
	uint32_t root; /* a value; NO_NODE: `NAME =` with nothing behind (PARSE_DEFINES) */
	size_t at;
	bool made_text; /* its value may be the text that a function made of a text */
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
	struct val *constants; /* plain ones, sizes and texts; times in ns, M_TIME */
	size_t nconstants, constcap;
	struct expr_agg *aggs;
	size_t naggs, aggcap;
	struct expr_let *lets; /* of a list */
	size_t nlets, letcap;
	uint32_t ntotals;
	bool named; /* some N_LET */
	bool nth;   /* some N_NTH */
	bool
	    before; /* some N_PREV, N_NTH, N_TOTAL or alias(): events are looked at in order */
	bool has_time; /* a constant with a unit of time: its text is `time_text` */
	char *time_text;
	char *date_text;      /* a date, or NULL */
	uint32_t root;	      /* of a test */
	struct arena mem;     /* of constants' texts */
	struct naming naming; /* the names of all alias() */
};

enum parse_flags {
	PARSE_LIST = 1, /* a list of values, else one test */
	PARSE_DEFINES =
	    2,	       /* each of the list sees the names of those before, and its own in
			    * prev.NAME; `NAME =` may stand alone */
	PARSE_GAP = 4, /* `gap` in a computed value is time - prev.time */
};

/* A bit of an expr_aggregate's answer: the arguments are of the rows of the result, not of events, so
 * that aggregates may stand in them, as in all(count). */
#define AGGREGATE_OF_ROWS 256

/*
* The meaning of the question's own words: NULL, or says whether the n bytes are the name of an
 * aggregate, and what its result measures: an enum measure, FUNC_JOINED as its first
 * argument (perhaps | AGGREGATE_OF_ROWS), or -1: no aggregate. `bare`: no parenthesis follows,
 * as in count. Where aggregates may stand, so may the names of earlier columns. Is not asked within the arguments of an aggregate of events.
 */
typedef int expr_aggregate(const char *name, size_t n, bool bare);

/* Parses `text` into *t. On an error shows it with a caret under its place, and dies. */
void expr_tree_parse(struct expr_tree *t, const char *text, unsigned flags,
		     expr_aggregate *aggregate);
/* Makes an expression the name of a column, in place: blanks stay only between two words. */
char *expr_label(char *text);
/* Frees what t holds. */
void expr_tree_free(struct expr_tree *t);
/*
 * Returns a hint for the text at place `at` of an expression (SIZE_MAX: anywhere), or NULL. `error` is set if the
 * expression has an error there; otherwise no event passed the expression.
 */
const char *expr_hint(const char *text, size_t at, bool error);
/* Shows the expression with a caret under place `at` and the reason;
 * exits with ST_TROUBLE. */
_Noreturn void expr_die(const struct expr_tree *t, size_t at, const char *fmt, ...)
    PRINTF(3, 4);
/* The operands of a node, from the left: NO_NODE behind the last. *at is 0 before the first. */
uint32_t node_operand(const struct expr_tree *t, const struct node *n, size_t *at);
/* Writes the tree as it was understood, for -d. */
void expr_tree_print(const struct expr_tree *t, FILE *f);

#endif
