/* lex.h - splits expressions into tokens. */
#ifndef SPOOR_EXPR_LEX_H
#define SPOOR_EXPR_LEX_H

#include "expr/expr_tree.h"

enum token {
	T_END,
	T_WORD,	  /* a name, a number, or a glob */
	T_STRING, /* "quoted" */
	T_OP,	  /* a comparison */
	T_ARITH,  /* + - * / // % as a separate word after an operand */
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
	struct expr_tree *t; /* the tree that holds the text, and the memory of words */
	size_t pos;	     /* offset after the current token */
	size_t at;	     /* offset of the current token */
	size_t behind;	     /* offset after the previous token */
	enum token token;
	enum test_op op;   /* for T_OP */
	bool negate;	   /* for T_OP */
	enum val_op arith; /* for T_ARITH */
	const char *word;  /* for T_WORD and T_STRING; valid as long as the tree */
	bool call;	   /* for T_WORD: a parenthesis follows directly */
	bool behind_operand;
};

/* Reads the next token, or the first. Reports an error with a caret, and exits. */
void lex_next(struct lexer *l);
/* Returns true if a word ends at s: at a blank, a sign that is a token, or the end. */
bool lex_ends_word(const char *s);

#endif
