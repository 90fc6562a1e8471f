/* parser.h - what the files of the parser share: parse.c has the grammar; what is parsed gets its
 * meaning in operand.c (words), call.c, relation.c, and units.c; nodes.c puts it into the tree. */
#ifndef SPOOR_EXPR_PARSER_H
#define SPOOR_EXPR_PARSER_H

#include "expr/lex.h"

/* Fields, constants and calls that are computed with, and tests, are at most so many: a chain
 * of them is as deep as it is long when it is walked. */
/* Bound: filter expressions | tests or terms | the expression | 10000 | more than 10000 */
#define TERMS_MOST 10000

/* The kinds of what has been parsed. Only the words around a word alone say whether it is a
 * field, a number, a text or the name of an event. */
enum operand_kind {
	O_WORD,
	O_STRING,
	O_VALUE,
	O_TEST
};

struct operand {
	enum operand_kind kind;
	bool group;	  /* in parentheses */
	const char *word; /* of O_WORD and O_STRING */
	uint32_t node;	  /* of O_VALUE and O_TEST */
	size_t at;	  /* where it begins */
};

/* The meanings of a word as a value. */
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
	expr_aggregate *aggregate; /* NULL also within the arguments of one */
	unsigned depth;
	size_t nterms;
	const char *missing;  /* the message if no operand comes next; or NULL */
	struct strtab fields; /* by number of fields[] */
	struct strtab names;  /* of the definitions so far */
	uint32_t *defined;    /* by number of the name: the last such definition */
	size_t defined_cap;
	const char *let_name; /* of the definition that is being parsed, or NULL */
};

/* An item of a relation as it was parsed; a relation has one, or what stands in { }. */
struct relation_side {
	struct operand from, to;
	bool range;
};

struct sides {
	struct relation_side *v;
	size_t n, cap;
};

/* call.c */
/* The function that the word at hand, before a parenthesis, calls. */
struct called {
	const struct func *f; /* NULL: total, or an aggregate alone */
	int measure;	      /* of an aggregate, with AGGREGATE_OF_ROWS; -1: it is none */
};
/* Dies if it is nothing that there is. */
struct called call_named(struct parser *p);
/* The value of a function, or of total (f is NULL), of n arguments; the call stands at `at`. */
uint32_t call_value(struct parser *p, const struct func *f, struct operand *v, size_t n,
		    size_t at);

/* relation.c */
/* Returns whether the left side is a column of numbers that stands alone. */
bool relation_of_number(const struct parser *p, const struct operand *left);
/* left op sides, as a test: of a plain field with constants, or computed. */
struct operand relation_test(struct parser *p, enum test_op op, bool negate,
			     const struct operand *left, const struct sides *s);

/* nodes.c */
/* Adds a node; gives its number. */
uint32_t add_node(struct parser *p, enum node_op op, uint32_t left, uint32_t right,
		  size_t at);
/* Adds a node whose value counts as a term. */
uint32_t add_value(struct parser *p, enum node_op op, uint32_t left, uint8_t measure,
		   size_t at);
/* Adds a test: of a field, or, where that is NULL, of node `left`. */
struct test *add_test(struct parser *p, enum test_op op, const char *field, uint32_t left,
		      size_t at);
/* Adds the nodes of v[0..n) as arguments; gives the place of the first. */
uint32_t push_args(struct parser *p, const struct operand *v, size_t n);
/* Marks a value as a complete sum; gives it back. */
uint32_t complete(struct parser *p, uint32_t node);

/* operand.c */
/* Returns the meaning of a word that stands for a value. */
enum meaning word_meaning(const struct parser *p, const char *word);
/* Returns whether a word looks like a number, rightly or not: only then it must be one. */
bool word_numeric(const char *word);
/* Reads a word as a constant. Returns false if the word is not a number. *timed is set if the unit involves
 * time: a time or a rate. */
bool word_constant(const char *word, struct val *v, uint8_t *measure, bool *timed);
/* Marks the value `node` of o, which is one side of a relation: a field and a constant are compared exactly. */
void as_compared(struct parser *p, const struct operand *o, uint32_t node);
/* Why a word that looks like a number is none. */
const char *word_fault(const char *word);
/* A text as a constant. */
uint32_t text_value(struct parser *p, const char *text, size_t at);
/* The operand as a value; a string is a text, or else a field. */
uint32_t value_of(struct parser *p, const struct operand *o, bool text);
/* The operand as a test; dies if it cannot be one. */
uint32_t test_of(struct parser *p, const struct operand *o);
/* Returns whether the operand is a field alone, which stays one where fields are listed. */
bool plain_field(const struct parser *p, const struct operand *o);
/* The operand as a value where fields are listed: a complete sum. */
uint32_t column_of(struct parser *p, const struct operand *o);
/* An aggregate that is written as `text`: n arguments, and a name of so many bytes. */
uint32_t aggregate_value(struct parser *p, int measure, char *text, size_t name,
			 struct operand *v, size_t n, size_t at);
/* Returns whether a column is a number, and sets the unit of its constants. */
bool column_numeric(enum field_kind k, enum unit *unit);

/* units.c */
/* left `op` right, of values; `at` is the operator's place. Dies if their units do not go together. */
struct operand arithmetic(struct parser *p, enum val_op op, const struct operand *left,
			  const struct operand *right, size_t at);
/*
 * The complete values v[0..n) stand beside each other, as sides of a relation or as
 * arguments: plain ones beside a time become times. Gives what they measure together. Dies
 * if their units do not go together. how: see N_AS_TIME.
 */
uint8_t measure_joined(struct parser *p, struct operand *v, size_t n, uint8_t variant);
/* Dies if the value is a text, which `what` does not take. */
void no_text(const struct parser *p, const struct operand *o, const char *what);
/* Returns true if the value may be a text that base, part or sub returned. */
bool is_made_text(const struct parser *p, uint32_t node);
/* Makes the value of base, part and sub, which is a text, the number that the text is, if it is
 * one. Any other value stays. */
void as_number(struct parser *p, struct operand *o);
/* Dies if the value is a time, which `what` does not take. */
void no_time(const struct parser *p, const struct operand *o, const char *what);

#endif
