/* lex.c - splits expressions into tokens: see lex.h. */
#include <string.h>

#include "expr/lex.h"

bool
lex_ends_word(const char *s)
{
	return !*s || strchr(" \t\n()!=<>~&|,{}\"", *s) != NULL ||
	       (s[0] == '.' && s[1] == '.');
}

static void
quoted_string(struct lexer *l)
{
	const char *s = l->t->text + l->at + 1, *end;
	char *to;

	for (end = s; *end && *end != '"'; end++)
		end += *end == '\\' && (end[1] == '"' || end[1] == '\\');
	if (!*end)
		expr_die(l->t, l->at, "this string has no end");
	l->word = to = arena_get(&l->t->mem, (size_t)(end - s) + 1);
	while (s < end) {
		s += *s == '\\' && (s[1] == '"' || s[1] == '\\');
		*to++ = *s++;
	}
	*to = '\0';
	l->pos = (size_t)(end + 1 - l->t->text);
	l->token = T_STRING;
}

static const struct {
	const char *text;
	enum token token;
	enum test_op op;
	bool negate;
} symbols[] =
    {
	/* A longer symbol must come before its beginning. */
	{"&&", T_AND, 0, false},     {"||", T_OR, 0, false},
	{"!=", T_OP, OP_EQ, true},   {"!~", T_OP, OP_MATCH, true},
	{"==", T_OP, OP_EQ, false},  {"<=", T_OP, OP_LE, false},
	{">=", T_OP, OP_GE, false},  {"..", T_DOTS, 0, false},
	{"=", T_OP, OP_EQ, false},   {"<", T_OP, OP_LT, false},
	{">", T_OP, OP_GT, false},   {"~", T_OP, OP_MATCH, false},
	{"&", T_OP, OP_BITS, false}, {"!", T_NOT, 0, false},
	{"(", T_OPEN, 0, false},     {")", T_CLOSE, 0, false},
	{"{", T_BRACE, 0, false},    {"}", T_UNBRACE, 0, false},
	{",", T_COMMA, 0, false},
},
  keywords[] = {
      {"and", T_AND, 0, false},	  {"or", T_OR, 0, false},     {"not", T_NOT, 0, false},
      {"in", T_IN, 0, false},	  {"eq", T_OP, OP_EQ, false}, {"ne", T_OP, OP_EQ, true},
      {"lt", T_OP, OP_LT, false}, {"le", T_OP, OP_LE, false}, {"gt", T_OP, OP_GT, false},
      {"ge", T_OP, OP_GE, false},
};

static void
word(struct lexer *l)
{
	const char *s = l->t->text + l->at, *end;
	size_t n = 0;

	while (!lex_ends_word(s + n))
		n++;
	if (!n)
		expr_die(l->t, l->at, "this character has no meaning here");
	end = *s == '\'' ? strchr(s + 1, '\'') : NULL;
	if (end)
		expr_die(l->t, l->at, "a text needs double quotes: \"%.*s\"",
			 (int)(end - (s + 1)), s + 1);
	l->pos += n;
	l->word = arena_str(&l->t->mem, s, n);
	l->call = s[n] == '(';
	l->token = T_WORD;
	for (size_t i = 0; l->behind_operand && i < VAL_PARTS; i++)
		if (!strcmp(val_op_name[i], l->word)) {
			l->arith = (enum val_op)i;
			l->token = T_ARITH;
		}
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		if (strcmp(l->word, keywords[i].text) != 0)
			continue;
		l->token = keywords[i].token;
		l->op = keywords[i].op;
		l->negate = keywords[i].negate;
	}
}

static void
token(struct lexer *l)
{
	const char *s = l->t->text + l->at;

	if (!*s)
		return;
	if (*s == '"') {
		quoted_string(l);
		return;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		size_t n = strlen(symbols[i].text);

		if (strncmp(s, symbols[i].text, n) != 0)
			continue;
		l->pos += n;
		l->token = symbols[i].token;
		l->op = symbols[i].op;
		l->negate = symbols[i].negate;
		return;
	}
	word(l);
}

void
lex_next(struct lexer *l)
{
	const char *s = l->t->text;

	l->behind = l->pos;
	while (s[l->pos] == ' ' || s[l->pos] == '\t' || s[l->pos] == '\n')
		l->pos++;
	l->at = l->pos;
	l->token = T_END;
	l->call = false;
	token(l);
	l->behind_operand = l->token == T_WORD || l->token == T_STRING ||
			    l->token == T_CLOSE || l->token == T_UNBRACE;
}
