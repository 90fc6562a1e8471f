/*
 * parser.h - the state of the parser, for its files: parse.c has the grammar; operand.c gives words their meaning;
 * call.c, relation.c and units.c handle calls, relations and units; nodes.c adds nodes to the tree.
 */
#ifndef SPOOR_EXPR_PARSER_H
#define SPOOR_EXPR_PARSER_H

#include "expr/lex.h"

/* Limit of the tests, and of the fields, constants and calls in computed values, because a chain of them is as
 * deep as it is long. */
/* Bound: filter expressions | tests or terms | the expression | 10000 | more than 10000 */
#define TERMS_MOST 10000

/* The kinds of a parsed operand. Only the words around a word decide whether it is a field, a number, a text or
 * the name of an event. */
enum operand_kind {
	O_WORD,
	O_STRING,
	O_VALUE,
	O_TEST
};

struct operand {
	enum operand_kind kind;
	bool group;	  /* it is in parentheses */
	const char *word; /* for O_WORD and O_STRING */
	uint32_t node;	  /* for O_VALUE and O_TEST */
	size_t at;	  /* offset of its beginning */
};

/* The meanings of a word that is a value. */
enum meaning {
	W_FIELD,
	W_NUMBER,
	W_THERE, /* NAME? */
	W_PREV,	 /* prev.NAME */
	W_NTH,
	W_GAP,
	W_LET,
	W_AGGREGATE,
};

struct parser {
	struct lexer lex;
	struct expr_tree *t;
	unsigned flags;
	expr_aggregate *aggregate; /* NULL also within the arguments of an aggregate */
	unsigned depth;
	size_t nterms;
	const char *missing;  /* message if no operand comes next; or NULL */
	struct strtab fields; /* names of fields[] */
	struct strtab names;  /* names of the definitions so far */
	/* by number in `names`: the last definition of that name */
	uint32_t *defined;
	size_t defined_cap;
	const char *let_name; /* name of the current definition, or NULL */
};

/* An item of a relation, as it was parsed. A relation has one; `in` has those in { }. */
struct relation_side {
	struct operand from, to;
	bool range;
};

struct sides {
	struct relation_side *v;
	size_t n, cap;
};

/* call.c */
/* The function that the current word, before a parenthesis, calls. */
struct called {
	const struct func *f; /* NULL: total, or only an aggregate */
	/* of an aggregate, with AGGREGATE_OF_ROWS; -1: no aggregate */
	int measure;
};
/* Finds the function or aggregate that the current word names. Dies if there is none. */
struct called call_named(struct parser *p);
/* Adds a call of a function, or of total (f is NULL), with n arguments; `at` is its offset. Returns its node. */
uint32_t call_value(struct parser *p, const struct func *f, struct operand *v, size_t n,
		    size_t at);

/* relation.c */
/* Returns true if the left side is a column of numbers alone. */
bool relation_of_number(const struct parser *p, const struct operand *left);
/* Returns the test `left op sides`: of a plain field with constants, or computed. */
struct operand relation_test(struct parser *p, enum test_op op, bool negate,
			     const struct operand *left, const struct sides *s);

/* nodes.c */
/* Adds a node. Returns its number. */
uint32_t add_node(struct parser *p, enum node_op op, uint32_t left, uint32_t right,
		  size_t at);
/* Adds a node that is a value, and counts it as a term. Returns its number. */
uint32_t add_value(struct parser *p, enum node_op op, uint32_t left, uint8_t measure,
		   size_t at);
/* Adds a test: of a field, whose name is copied, or, if field is NULL, of node `left`. Returns the test, which belongs to
 * the tree. Dies if there are more than TERMS_MOST tests. */
struct test *add_test(struct parser *p, enum test_op op, const char *field, uint32_t left,
		      size_t at);
/* Adds the nodes of v[0..n) as arguments. Returns the index of the first in args[]. */
uint32_t push_args(struct parser *p, const struct operand *v, size_t n);
/* Marks a value as a complete sum. Returns its node. */
uint32_t complete(struct parser *p, uint32_t node);

/* operand.c */
/* Returns the meaning of a word as a value. */
enum meaning word_meaning(const struct parser *p, const char *word);
/* Returns true if a word looks like a number; it is then an error if it is none. */
bool word_numeric(const char *word);
/* Reads a word as a constant: its value and what it measures. Sets *timed if its unit involves time: a time or a
 * rate. Returns false if the word is no number. */
bool word_constant(const char *word, struct val *v, uint8_t *measure, bool *timed);
/* Marks the value `node` of o as a side of a relation: a field and a constant are then compared exactly. */
void as_compared(struct parser *p, const struct operand *o, uint32_t node);
/* Returns the reason why a word that looks like a number is none. */
const char *word_fault(const char *word);
/* Adds a text as a constant. Returns its node. */
uint32_t text_value(struct parser *p, const char *text, size_t at);
/* Returns the node of an operand as a value. A string is a text if `text`, else a field. */
uint32_t value_of(struct parser *p, const struct operand *o, bool text);
/* Returns the node of an operand as a test. Dies if it cannot be one. */
uint32_t test_of(struct parser *p, const struct operand *o);
/* Returns true if the operand is a field alone, which a list keeps as a field. */
bool plain_field(const struct parser *p, const struct operand *o);
/* Returns the node of an operand as a column: a plain field, or a complete sum. */
uint32_t column_of(struct parser *p, const struct operand *o);
/* Adds an aggregate, written as `text`, with a name of `name` bytes and n arguments. Returns its node. */
uint32_t aggregate_value(struct parser *p, int measure, char *text, size_t name,
			 struct operand *v, size_t n, size_t at);
/* Returns true if a column is a number, and sets the unit of its constants. */
bool column_numeric(enum field_kind k, enum unit *unit);

/* units.c */
/* Returns the value left `op` right; `at` is the offset of the operator. Dies if their units do not fit. */
struct operand arithmetic(struct parser *p, enum val_op op, const struct operand *left,
			  const struct operand *right, size_t at);
/* Adjusts the complete values v[0..n) to one another, as sides of a relation or arguments: plain ones become times
 * if one is a time. Returns what they measure. Dies if their units do not fit. variant: see N_AS_TIME. */
uint8_t measure_joined(struct parser *p, struct operand *v, size_t n, uint8_t variant);
/* Dies if the value is a text, which `what`, a function or operator, does not accept. */
void no_text(const struct parser *p, const struct operand *o, const char *what);
/* Returns true if the value may be a text that base, part or sub returned. */
bool is_made_text(const struct parser *p, uint32_t node);
/* Converts a text returned by base, part or sub to the number that the text is, if it is one. Any other value
 * stays. */
void as_number(struct parser *p, struct operand *o);
/* Dies if the value is a time, which `what` does not accept. */
void no_time(const struct parser *p, const struct operand *o, const char *what);

#endif
