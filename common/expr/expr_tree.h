/* expr_tree.h - the tree between expr_parse.c and expr.c. */
#ifndef SPOOR_EXPR_TREE_H
#define SPOOR_EXPR_TREE_H

#include <stdio.h>

#include "base/die.h"
#include "base/num.h"
#include "event/view.h"
#include "expr/ere.h"

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

/* A value or a range that a field is compared with. A range's ends are both numbers or both
 * words. */
struct item {
	bool is_num, to_is_num, range;
	struct num num, to_num;
	char *text, *to_text; /* always, as typed and unquoted */
	bool hit; /* of a test of the event: some type has a name that passes it */
};

struct test {
	enum test_op op;
	bool negate; /* != !~ not in; the field must be there all the same */
	char *field;
	enum field_kind column;
	size_t at, value_at; /* places in the expression, for messages */
	struct item *items;
	size_t nitems, cap;
	struct ere *re; /* of OP_MATCH */
	size_t asked;	/* the field's number in the view */
	/* Of a number among the items: its name in some type, NULL where none has one, and
	 * which item it is. Values that have a name are compared by it. */
	char *name;
	size_t named;
};

enum node_op {
	N_AND,
	N_OR,
	N_NOT,
	N_TEST
};

struct node {
	enum node_op op;
	uint32_t left, right; /* nodes; N_TEST: the test's number in left */
};

struct expr_tree {
	char *text;
	struct node *nodes;
	size_t nnodes, nodecap;
	struct test **tests;
	size_t ntests, testcap;
	uint32_t root;
};

/* Parses `text` into *t. On an error shows it with a caret under its place, and dies. */
void expr_tree_parse(struct expr_tree *t, const char *text);
/* Frees what t holds. */
void expr_tree_free(struct expr_tree *t);
/* Shows the expression with a caret under place `at` and the reason;
 * exits with ST_TROUBLE. */
_Noreturn void expr_die(const struct expr_tree *t, size_t at, const char *fmt, ...)
    PRINTF(3, 4);
/* Prints a text of an expression, with \xHH for what a terminal would not only show. */
void expr_print_text(const char *text, FILE *f);
/* Writes the tree as it was understood, for -d. */
void expr_tree_print(const struct expr_tree *t, FILE *f);

#endif
