/* ere.c - see ere.h */
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "expr/ere.h"

#define REPEAT_MOST 255	  /* RE_DUP_MAX of POSIX */
#define NEST_MOST 100	  /* depth of nested groups, because libraries recurse */
#define LENGTH_MOST 16384 /* characters, with all repetitions written out */
/* A library that builds a deterministic automaton while it matches (glibc's) keeps every state that it has made:
 * at most one for each byte of text, each with some bytes for each character of the expression, and searches them.
 * After STATES bytes times characters the automaton starts anew; it then has some 45 MiB. */
#define STATES (1u << 17)

struct ere {
	regex_t re;
	int flags;
	char *text;
	size_t budget, left; /* bytes to match before the automaton starts anew */
	size_t longest;	     /* limit of bytes in one text */
};

/* Returns the end of the bracket expression that begins at s: its ], or the end of the text. */
static const char *
bracket_end(const char *s)
{
	s++;
	s += *s == '^';
	s += *s == ']'; /* a ] in first place is an ordinary character */
	for (; *s && *s != ']'; s++)
		if (*s == '[' && s[1] && strchr(":=.", s[1])) {
			const char close[] = {s[1], ']', '\0'};
			const char *end = strstr(s + 2, close);

			s = end ? end + 1 : s;
		}
	return s;
}

/* A group, or the whole expression. */
struct ere_group {
	size_t length; /* its characters, with repetitions written out */
	bool counted;  /* it has a {n,m} */
};

/* The state of reading an expression. */
struct ere_parse {
	struct ere_group group[NEST_MOST + 1];
	unsigned depth;
	struct ere_group atom; /* the last atom, which a repetition applies to */
	bool repeated;	       /* the atom already has a repetition */
};

static const char too_long[] =
    "the repetitions have more than 16384 characters, written out";

/* Returns the greatest number in a repetition {n,m} whose { is at s, and sets *end to its end. Returns 0 if it is
 * none. */
static size_t
repetition(const char *s, const char **end)
{
	size_t n = strspn(s + 1, "0123456789,"), most = 0, at = 0;

	/* {,n} has no meaning in POSIX; glibc reads it as {0,n}. */
	if (!n || s[1 + n] != '}')
		return 0;
	for (size_t i = 1; i <= n; i++) {
		at = s[i] == ',' ? 0 : at < 100000 ? at * 10 + (size_t)(s[i] - '0') : at;
		most = at > most ? at : most;
	}
	*end = s + 1 + n;
	return most ? most : 1;
}

static const char *
repeat(struct ere_parse *r, size_t times, bool counted)
{
	struct ere_group *g = &r->group[r->depth];

	/* POSIX does not define a**, and the time of libraries doubles with every star. */
	if (r->repeated)
		return "a repetition is repeated, which has no meaning";
	if (times > REPEAT_MOST)
		return "a repetition must be at most 255 times";
	if (counted && r->atom.counted)
		return "a repetition {n} must not contain another";
	g->length += r->atom.length * (times - 1);
	g->counted |= counted;
	r->repeated = true;
	return g->length > LENGTH_MOST ? too_long : NULL;
}

/* Adds an atom to the current group. */
static void
ere_add(struct ere_parse *r, struct ere_group atom)
{
	struct ere_group *g = &r->group[r->depth];

	g->length += atom.length;
	g->counted |= atom.counted;
	r->atom = atom;
	r->repeated = false;
}

/* Returns the reason why an expression is refused, or NULL. *length is its length with all repetitions written
 * out. */
static const char *
refused(const char *s, size_t *length)
{
	static const struct ere_group one = {.length = 1};
	struct ere_parse r = {.depth = 0};
	const char *why = NULL, *end;
	size_t times;

	for (; *s && !why; s++) {
		if (*s == '\\' && s[1]) {
			if (isdigit((unsigned char)s[1]))
				why = "back references are not supported";
			s++;
			ere_add(&r, one);
		} else if (*s == '[') {
			s = bracket_end(s);
			ere_add(&r, one);
			if (!*s)
				break;
		} else if (*s == '(') {
			if (r.depth == NEST_MOST)
				why = "groups are nested more than 100 deep";
			else
				r.group[++r.depth] = (struct ere_group){.length = 1};
			r.repeated = false;
			r.atom = (struct ere_group){0};
		} else if (*s == ')' && r.depth) {
			r.depth--;
			ere_add(&r, r.group[r.depth + 1]);
		} else if (strchr("*+?", *s)) {
			why = repeat(&r, *s == '+' ? 2 : 1, false); /* a+ is aa* */
		} else if (*s == '{' && (times = repetition(s, &end)) > 0) {
			why = repeat(&r, times, true);
			s = end;
		} else
			ere_add(&r, one);
	}
	if (r.group[0].length > LENGTH_MOST)
		why = too_long;
	*length = r.group[0].length;
	return why;
}

struct ere *
ere_new(const char *text, char why[static 200])
{
	size_t length;
	const char *no = refused(text, &length);
	struct ere *e;
	int rc;

	if (no) {
		snprintf(why, 200, "%s", no);
		return NULL;
	}
	e = xcalloc(1, sizeof *e);
	e->flags = REG_EXTENDED | REG_NOSUB;
	rc = regcomp(&e->re, text, e->flags);
	if (rc) {
		regerror(rc, &e->re, why, 200);
		free(e);
		return NULL;
	}
	e->text = xstrdup(text);
	e->budget = e->left = STATES / (length + 1);
	/* Letters alone make no more states than there are letters; n characters of any kind make at most 2^n. */
	e->longest = e->budget; /* a text cannot be divided */
	if (!text[strcspn(text, ".[*+?{\\")] || (length < 16 && 1u << length < e->longest))
		e->longest = SIZE_MAX;
	return e;
}

static void
renew(struct ere *e)
{
	regfree(&e->re);
	if (regcomp(&e->re, e->text, e->flags))
		die("out of memory");
	e->left = e->budget;
}

static bool
run(struct ere *e, const char *s, size_t n, regmatch_t *at)
{
	int rc;

	if (n > e->longest) {
		char shown[64];

		die("%s: a text of %zu bytes is too long; the limit is %zu",
		    quoted(shown, e->text, strlen(e->text)), n, e->longest);
	}
	if (n > e->left && e->left < e->budget)
		renew(e);
	e->left -= n < e->left ? n : e->left;
	errno = 0;
	rc = regexec(&e->re, s, at ? 1 : 0, at, 0);
	/* If memory runs out, glibc reports no match, and only errno shows the reason. */
	if (rc && (rc != REG_NOMATCH || errno == ENOMEM))
		die("out of memory");
	return !rc;
}

bool
ere_matches(struct ere *e, const char *s, size_t n)
{
	return run(e, s, n, NULL);
}

bool
ere_find(struct ere *e, const char *s, size_t n, size_t *from, size_t *to)
{
	regmatch_t at;

	if (e->flags & REG_NOSUB) { /* without the place of the match it is faster */
		e->flags = REG_EXTENDED;
		renew(e);
	}
	if (!run(e, s, n, &at))
		return false;
	*from = (size_t)at.rm_so;
	*to = (size_t)at.rm_eo;
	return true;
}

void
ere_free(struct ere *e)
{
	if (!e)
		return;
	regfree(&e->re);
	free(e->text);
	free(e);
}
