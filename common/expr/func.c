/* func.c - see func.h */
#include <string.h>

#include "expr/func.h"

/* The first argument as it is. */
static struct val
same(const struct val_env *env, const struct func_call *c, const struct val *v, size_t n)
{
	(void)env;
	(void)c;
	(void)n;
	return v[0];
}

#define ANY 255

/* By name. */
static const struct func functions[] = {
    {"abs", 1, 1, FUNC_JOINED, false, "x", "x without its sign", same},
    {"base", 1, 1, M_PLAIN, false, "text", "the part of a path behind its last /", same},
    {"bit", 2, 2, M_NUMBER, false, "x, mask", "the bits that x and mask have in common",
     same},
    {"coalesce", 2, ANY, FUNC_JOINED, true, "x, ...", "the first of them that is there",
     NULL},
    {"floor", 1, 2, FUNC_JOINED, false, "x[, step]",
     "the greatest multiple of step (1) that is not above x", same},
    {"hash", 1, 1, M_NUMBER, false, "x", "a 64-bit hash, the same on every machine", same},
    {"if", 3, 3, FUNC_JOINED, true, "test, x, y", "x if the test is true, else y", NULL},
    {"len", 1, 1, M_NUMBER, false, "text", "how many bytes it has", same},
    {"log2", 1, 1, M_NUMBER, false, "x", "the binary logarithm of a number above 0", same},
    {"lower", 1, 1, M_PLAIN, false, "text", "it with small letters a to z", same},
    {"max", 2, ANY, FUNC_JOINED, false, "x, y, ...", "the greatest of them", same},
    {"min", 2, ANY, FUNC_JOINED, false, "x, y, ...", "the least of them", same},
    {"part", 3, 3, M_PLAIN, false, "text, separator, n",
     "the n-th part between separators; from the end if n < 0", same},
    {"sub", 3, 3, M_PLAIN, false, "text, regex, new",
     "the text with the first match replaced; & in new is the match", same},
};

const struct func *
func_nth(size_t i)
{
	return i < sizeof functions / sizeof *functions ? &functions[i] : NULL;
}

const struct func *
func_find(const char *name, size_t n)
{
	const struct func *f;

	for (size_t i = 0; (f = func_nth(i)); i++)
		if (strlen(f->name) == n && !memcmp(f->name, name, n))
			return f;
	return NULL;
}

bool
func_prepare(const struct func *f, struct func_call *c, const struct val *const *constant,
	     size_t n, size_t *wrong, char why[static 200])
{
	(void)f;
	(void)constant;
	(void)n;
	(void)wrong;
	(void)why;
	*c = (struct func_call){0};
	return true;
}

void
func_end(struct func_call *c)
{
	ere_free(c->re);
	*c = (struct func_call){0};
}

void
func_print(struct out *o)
{
	const struct func *f;

	for (size_t i = 0; (f = func_nth(i)); i++) {
		out_str(o, f->name);
		out_str(o, "\t");
		out_str(o, f->args);
		out_str(o, "\t");
		out_str(o, f->about);
		out_str(o, "\n");
	}
}
