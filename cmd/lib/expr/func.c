/* func.c - see func.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/moment.h"
#include "base/die.h"
#include "base/hash.h"
#include "expr/func.h"

static const struct val none;

static struct val
func_abs(const struct func_args *a)
{
	struct val x = a->v[0];

	if (x.kind == VAL_TEXT)
		return none;
	if (x.kind == VAL_TIME && x.n.hi < 0) {
		struct val zero = val_time(0, CLOCK_NS);

		return val_arith(a->env, VAL_SUB, &zero, &x);
	}
	x.n = i128_abs(x.n);
	x.r = x.r < 0 ? -x.r : x.r;
	return x;
}

/* Returns the smallest argument, or with VAL_GREATER the greatest; of equal ones the first. */
static struct val
extreme(const struct func_args *a, enum val_order order)
{
	struct val best = none, x;
	bool time = false;

	/* With a clock in ticks a number counts ticks, also parts of a tick. */
	for (size_t i = 0; i < a->n && a->env->clock == CLOCK_NS; i++)
		time |= a->v[i].kind == VAL_TIME;
	for (size_t i = 0; i < a->n; i++) {
		x = time ? val_as_time(a->env, &a->v[i]) : a->v[i];
		if (x.kind == VAL_TEXT || x.kind == VAL_NONE)
			return none;
		if (best.kind == VAL_NONE || val_cmp(&x, &best) == order)
			best = x;
	}
	return best;
}

static struct val
func_min(const struct func_args *a)
{
	return extreme(a, VAL_LESS);
}

static struct val
func_max(const struct func_args *a)
{
	return extreme(a, VAL_GREATER);
}

static struct val
func_log2(const struct func_args *a)
{
	struct val one = val_i64(1), x;

	if (a->v[0].kind == VAL_TIME)
		return none;
	x = val_arith(a->env, VAL_DIV, &a->v[0], &one); /* as a real number */
	return x.kind == VAL_REAL && x.r > 0 ? val_real(log2(x.r)) : none;
}

static struct val
func_floor(const struct func_args *a)
{
	struct val x = {.kind = VAL_WHOLE};

	/* A step that is a part of a tick would be rounded as a time, so the remainder is subtracted. */
	if (a->n > 1 && (a->v[0].kind == VAL_TIME) != (a->v[1].kind == VAL_TIME)) {
		x = val_arith(a->env, VAL_MOD, &a->v[0], &a->v[1]);
		return val_arith(a->env, VAL_SUB, &a->v[0], &x);
	}
	if (a->n > 1) {
		x = val_arith(a->env, VAL_FLOOR, &a->v[0], &a->v[1]);
		return val_arith(a->env, VAL_MUL, &a->v[1], &x);
	}
	/* Exact, even if a double would not be. */
	switch (a->v[0].kind) {
	case VAL_WHOLE: return a->v[0];
	case VAL_REAL: return i128_of_double(a->v[0].r, 1, I128_FLOOR, &x.n) ? x : none;
	case VAL_DECIMAL:
		i128_muldiv(a->v[0].n, i128_u64(1), i128_u64(1000000000), I128_FLOOR, &x.n);
		return x;
	default: return none;
	}
}

static struct val
func_len(const struct func_args *a)
{
	return val_u64(val_to_text(a->env, &a->v[0]).len);
}

/* Returns the first place of the text t in s[0..n), or NULL. */
static const char *
text_find(const char *s, size_t n, const struct val *t)
{
	const char *end = s + n;

	while ((size_t)(end - s) >= t->len) {
		s = memchr(s, t->s[0], (size_t)(end - s) - t->len + 1);
		if (!s || !memcmp(s, t->s, t->len))
			return s;
		s++;
	}
	return NULL;
}

/* Returns the n bytes at s as a text. */
static struct val
piece(const struct val_env *env, const char *s, size_t n)
{
	return val_text(arena_str(env->mem, s, n), n);
}

static struct val
func_part(const struct func_args *a)
{
	struct val text = val_to_text(a->env, &a->v[0]),
		   sep = val_to_text(a->env, &a->v[1]);
	const char *s = text.s, *end = text.s + text.len, *at;
	struct val number = val_number(&a->v[2]);
	int64_t which = (int64_t)number.n.lo;

	if (!sep.len || number.kind != VAL_WHOLE || !i128_is_i64(number.n))
		return none;
	if (which < 0) {
		/* number of parts, one more than of separators, plus which + 1 */
		which += 2;
		for (; (at = text_find(s, (size_t)(end - s), &sep)); s = at + sep.len)
			which++;
		s = text.s;
	}
	for (; which > 0; s = at + sep.len) {
		at = text_find(s, (size_t)(end - s), &sep);
		if (--which == 0)
			return piece(a->env, s, (size_t)((at ? at : end) - s));
		if (!at)
			break;
	}
	return none;
}

static struct val
func_base(const struct func_args *a)
{
	struct val text = val_to_text(a->env, &a->v[0]);
	size_t end = text.len, from;

	while (end > 1 && text.s[end - 1] == '/')
		end--;
	for (from = end; from && (text.s[from - 1] != '/' || end == 1);)
		from--;
	return piece(a->env, text.s + from, end - from);
}

static struct val
func_lower(const struct func_args *a)
{
	struct val text = val_to_text(a->env, &a->v[0]);
	char *s = arena_str(a->env->mem, text.s, text.len);

	for (size_t i = 0; i < text.len; i++)
		if (s[i] >= 'A' && s[i] <= 'Z')
			s[i] = (char)(s[i] | 0x20);
	return val_text(s, text.len);
}

/* Limit of the bytes of a text; otherwise sub() within sub() could double it each time. */
#define TEXT_MOST 65536

/* The pattern compiled last, for patterns that are no constants. */
struct pattern {
	char *text;
	struct ere *re; /* NULL: it is no regular expression */
};

static struct ere *
compiled(const struct func_args *a, const struct val *v)
{
	const struct func_call *c = a->call;
	struct val text;
	char why[200];

	if (c->re)
		return c->re;
	text = val_to_text(a->env, v);
	if (memchr(text.s, '\0', text.len))
		return NULL;
	if (!c->last->text || strcmp(c->last->text, text.s) != 0) {
		ere_free(c->last->re);
		free(c->last->text);
		c->last->text = xstrdup(text.s);
		c->last->re = ere_new(text.s, why);
	}
	return c->last->re;
}

static struct val
func_sub(const struct func_args *a)
{
	struct val text = val_to_text(a->env, &a->v[0]),
		   with = val_to_text(a->env, &a->v[2]);
	struct ere *re = compiled(a, &a->v[1]);
	size_t from, to, len = 0;
	char *s;

	if (!re)
		return none;
	if (!ere_find(re, text.s, text.len, &from, &to))
		return text;
	for (size_t i = 0; i < with.len; i++)
		len += with.s[i] == '&' ? to - from : 1;
	if (len > to - from && text.len - (to - from) + len > TEXT_MOST)
		return none;
	s = arena_get(a->env->mem, text.len + len + 1);
	memcpy(s, text.s, from);
	len = from;
	for (size_t i = 0; i < with.len; i++) {
		bool escape = with.s[i] == '\\' && i + 1 < with.len &&
			      (with.s[i + 1] == '&' || with.s[i + 1] == '\\');

		if (with.s[i] == '&') {
			memcpy(s + len, text.s + from, to - from);
			len += to - from;
		} else
			s[len++] = with.s[i += escape];
	}
	memcpy(s + len, text.s + to, text.len - to + 1);
	return val_text(s, len + text.len - to);
}

static struct val
func_date(const struct func_args *a)
{
	struct val t = val_as_time(a->env, &a->v[0]);
	char text[DATE_TEXT];
	struct i128 sum;
	int64_t ns;

	if (!a->env->origin || t.kind != VAL_TIME ||
	    !i128_add(t.n, i128_i64(a->env->origin), &sum) || !i128_is_i64(sum))
		return none;
	ns = (int64_t)sum.lo;
	date_text(ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, ns < 0, true, text);
	return piece(a->env, text, strlen(text));
}

static struct val
func_bit(const struct func_args *a)
{
	bool over = false;

	for (int i = 0; i < 2; i++)
		if (a->v[i].kind != VAL_WHOLE || val_fit(&a->v[i], &over).kind == VAL_NONE)
			return none;
	return val_u64(a->v[0].n.lo & a->v[1].n.lo);
}

/* Returns the name that stands for the text, which call_function has given a class. */
static struct val
func_alias(const struct func_args *a)
{
	struct val text = val_to_text(a->env, &a->v[0]);
	struct buf name = {0};
	struct val v;

	naming_put(a->call->naming, a->call->class, text.s, text.len, &name);
	v = piece(a->env, (const char *)name.p, name.n);
	buf_free(&name);
	return v;
}

static struct val
func_hash(const struct func_args *a)
{
	struct val text;

	if (a->call->keyed) {
		text = val_to_text(a->env, &a->v[0]);
		return val_u64(siphash24(a->call->key, text.s, text.len));
	}
	return val_u64(val_hash(a->env, &a->v[0]));
}

#define ANY 255

/* The functions, sorted by name. */
static const struct func functions[] = {
    {"abs", 1, 1, FUNC_JOINED, 0, false, "x", "x without its sign", func_abs},
    {"alias", 1, 2, M_PLAIN, 0, false, "text[, prefix]",
     "a short name for the text: file1, file2, ... in order of first use", func_alias},
    {"base", 1, 1, M_PLAIN, 0, false, "text", "the part of a path behind its last /",
     func_base},
    {"bit", 2, 2, M_NUMBER, 2, false, "x, mask", "the bits that x and mask have in common",
     func_bit},
    {"coalesce", 2, ANY, FUNC_JOINED, 0, true, "x, y, ...",
     "the first of them that is there", NULL},
    {"date", 1, 1, M_PLAIN, 0, false, "time", "the date and time of day, in UTC",
     func_date},
    {"floor", 1, 2, FUNC_JOINED, 1, false, "x[, step]",
     "x rounded down to a multiple of step; without step, to a whole number", func_floor},
    {"hash", 1, 2, M_NUMBER, 0, false, "x[, file]",
     "a 64-bit hash, the same on every machine; with a file: by the key in it", func_hash},
    {"if", 2, 3, FUNC_JOINED, 0, true, "test, x[, y]", "x if test, else y", NULL},
    {"len", 1, 1, M_NUMBER, 0, false, "text", "how many bytes the text has", func_len},
    {"log2", 1, 1, M_NUMBER, 1, false, "x", "the binary logarithm of a number above 0",
     func_log2},
    {"lower", 1, 1, M_PLAIN, 0, false, "text", "the text with A to Z as a to z",
     func_lower},
    {"max", 2, ANY, FUNC_JOINED, 0, false, "x, y, ...", "the greatest of them", func_max},
    {"min", 2, ANY, FUNC_JOINED, 0, false, "x, y, ...", "the smallest of them", func_min},
    {"part", 3, 3, M_PLAIN, 0, false, "text, separator, n",
     "the n-th part of the text; from the end if n is below 0", func_part},
    {"sub", 3, 3, M_PLAIN, 0, false, "text, regex, new",
     "the text with the first match replaced; & in new is the match", func_sub},
};

bool
func_of_text(const struct func *f)
{
	return !strncmp(f->args, "text", 4);
}

bool
func_numbers(const struct func *f)
{
	return f->call == func_alias;
}

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

/* Compiles a constant pattern of sub, or allocates the cache for other patterns. Returns false, with a reason in
 * why, if the pattern is invalid. */
static bool
prepare_sub(struct func_call *c, const struct val *pattern, char why[static 200])
{
	struct arena mem = {0};
	struct val_env env = {.clock = CLOCK_NS, .mem = &mem};

	/* The text of a time depends on the clock. */
	if (pattern && pattern->kind != VAL_TIME) {
		struct val text = val_to_text(&env, pattern);

		if (memchr(text.s, '\0', text.len))
			snprintf(why, 200, "a regular expression must not have a NUL byte");
		else
			c->re = ere_new(text.s, why);
		arena_free(&mem);
		return c->re;
	}
	c->last = xcalloc(1, sizeof *c->last);
	return true;
}

bool
func_prepare(const struct func *f, struct func_call *c, const struct val *const *constant,
	     size_t n, size_t *wrong, char why[static 200])
{
	*c = (struct func_call){0};
	*wrong = 1;
	if ((f->call == func_hash || f->call == func_alias) && n > 1) {
		if (!constant[1] || constant[1]->kind != VAL_TEXT || !constant[1]->len) {
			snprintf(why, 200, "%s",
				 f->call == func_hash
				     ? "a key is the name of a file, in quotes"
				     : "a prefix is a word in quotes");
			return false;
		}
		c->keyed = f->call == func_hash;
		if (c->keyed)
			naming_key(constant[1]->s, c->key);
		return true;
	}
	if (f->call == func_sub)
		return prepare_sub(c, constant[1], why);
	if (f->call == func_bit)
		for (*wrong = 0; *wrong < 2; ++*wrong)
			if (constant[*wrong] && constant[*wrong]->kind != VAL_WHOLE) {
				snprintf(why, 200, "only whole numbers have bits");
				return false;
			}
	if (f->call != func_part)
		return true;
	if (constant[1] && constant[1]->kind == VAL_TEXT && !constant[1]->len) {
		snprintf(why, 200, "the separator is empty");
		return false;
	}
	*wrong = 2;
	if (!constant[2] || (constant[2]->kind == VAL_WHOLE && !i128_zero(constant[2]->n)))
		return true;
	snprintf(why, 200, "parts are numbered 1, 2, ..., and -1, -2, ... from the end");
	return false;
}

void
func_end(struct func_call *c)
{
	ere_free(c->re);
	if (c->last) {
		ere_free(c->last->re);
		free(c->last->text);
		free(c->last);
	}
	*c = (struct func_call){0};
}

void
func_print(struct out *o)
{
	static const char *const unit[] = {"plain", "number", "time", "text"};
	const struct func *f;

	out_str(o, "function\targuments\tunit\tabout\n");
	for (size_t i = 0; (f = func_nth(i)); i++) {
		const char *part[] = {f->name, f->args,
				      f->result == FUNC_JOINED ? "same" : unit[f->result],
				      f->about};

		for (int k = 0; k < 4; k++) {
			out_str(o, part[k]);
			out_str(o, k < 3 ? "\t" : "\n");
		}
	}
}
