/* lex.h - the words and signs of expressions. */
#ifndef SPOOR_EXPR_LEX_H
#define SPOOR_EXPR_LEX_H

#include "expr/expr_tree.h"

enum token {
	T_END,
	T_WORD,	  /* a name, a number, a glob */
	T_STRING, /* "quoted" */
	T_OP,	  /* one of the comparisons */
	T_ARITH,  /* + - * / // % as a word of its own, behind an operand */
	T_AND,
	T_OR,
	T_NOT,
	T_IN,
	T_OPEN,
	T_CLOSE,
	T_BRACE,
	T_UNBRACE,
	T_COMMA,
	T_DOTS,
};

struct lexer {
	struct expr_tree *t; /* its text is read, its memory holds the words */
	size_t pos;	     /* behind the token at hand */
	size_t at;	     /* its first byte */
	size_t behind;	     /* behind the token before it */
	enum token token;
	enum test_op op;   /* of T_OP */
	bool negate;	   /* of T_OP */
	enum val_op arith; /* of T_ARITH */
	const char *word;  /* of T_WORD and T_STRING: lives as long as the tree */
	bool call;	   /* of T_WORD: a parenthesis follows directly */
	bool behind_operand;
};

/* Goes to the next token; the first time to the first. Dies with a caret where there is
 * none. */
void lex_next(struct lexer *l);
/* Returns whether a word ends at s: there is a blank, a sign that is a token, or nothing. */
bool lex_ends_word(const char *s);

#endif
