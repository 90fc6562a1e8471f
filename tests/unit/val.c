/*
 * val - what operators and functions make of values.
 *
 *	val < LINES
 *
 * A line is `CLOCK OPERATION VALUE...`, CLOCK n (ns) or t (ticks). The operation is one of + - *
 * / // % as_time fit cmp true of_text f64 put hash, or a function; with ! behind, a function whose
 * arguments are constants. A value is - (absent), w:N (whole), t:N (time), d:N (decimal, 10^-9),
 * r:BITS (real, 16 hex digits), s:HEX (text). Prints a line for each: a value, what cmp or true give, or
 * `wrong N: WHY` of a call's constants.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/put.h"
#include "number/wide.h"
#include "event/value.h"
#include "expr/func.h"

static struct i128
integer(const char *s)
{
	bool neg = *s == '-';
	struct wide w;
	uint64_t v[2];
	struct i128 n;

	if (!wide_parse(s + neg, strlen(s + neg), &w) || !wide_to_words(&w, v, 2))
		die("no integer: %s", s);
	n = (struct i128){v[0], (int64_t)v[1]};
	return neg ? i128_neg(n) : n;
}

static struct val
text(struct arena *mem, const char *s)
{
	size_t n = strlen(s) / 2;
	char *t = arena_get(mem, n + 1);

	for (size_t i = 0; i < n; i++)
		t[i] = (char)strtoul((char[]){s[2 * i], s[2 * i + 1], 0}, NULL, 16);
	t[n] = '\0';
	return val_text(t, n);
}

static struct val
value(struct arena *mem, const char *s)
{
	uint64_t bits;
	double r;

	switch (*s) {
	case '-': return (struct val){0};
	case 'w': return (struct val){.kind = VAL_WHOLE, .n = integer(s + 2)};
	case 't': return (struct val){.kind = VAL_TIME, .n = integer(s + 2)};
	case 'd': return (struct val){.kind = VAL_DECIMAL, .n = integer(s + 2)};
	case 's': return text(mem, s + 2);
	case 'r':
		bits = strtoull(s + 2, NULL, 16);
		memcpy(&r, &bits, sizeof r);
		return (struct val){.kind = VAL_REAL, .r = r};
	}
	die("no value: %s", s);
}

static void
print(const struct val *v)
{
	static const char kinds[] = "-wtdrs";
	uint8_t digits[64 + PUT_SLACK];
	uint64_t bits;

	printf("%c", kinds[v->kind]);
	if (v->kind == VAL_REAL) {
		memcpy(&bits, &v->r, sizeof bits);
		printf(":%016llx", (unsigned long long)bits);
	} else if (v->kind == VAL_TEXT) {
		printf(":");
		for (size_t i = 0; i < v->len; i++)
			printf("%02x", (uint8_t)v->s[i]);
		if (v->s[v->len])
			die("no NUL behind the text");
	} else if (v->kind != VAL_NONE)
		printf(":%.*s", (int)(i128_put(digits, v->n) - digits), (char *)digits);
	printf("\n");
}

static void
call(const struct val_env *env, const char *name, const struct val *v, size_t n)
{
	size_t len = strcspn(name, "!"), wrong;
	const struct func *f = func_find(name, len);
	const struct val *constant[16] = {0};
	struct func_call c;
	struct val r;
	char why[200];

	if (!f || !f->call || n < f->least || n > f->most)
		die("no function: %s of %zu", name, n);
	for (size_t i = 0; i < n && name[len]; i++)
		constant[i] = &v[i];
	if (!func_prepare(f, &c, constant, n, &wrong, why)) {
		printf("wrong %zu: %s\n", wrong, why);
		return;
	}
	/* Twice: the second time what the first one compiled is there. */
	f->call(&(struct func_args){env, &c, v, n});
	r = f->call(&(struct func_args){env, &c, v, n});
	print(&r);
	func_end(&c);
}

static void
operation(const struct val_env *env, const char *op, const struct val *v, size_t n)
{
	static const char *const arith[] = {"+", "-", "*", "/", "//", "%"};
	struct val r = {0};
	struct buf b = {0};
	bool over = false;

	for (int i = 0; i < 6; i++)
		if (!strcmp(op, arith[i])) {
			r = val_arith(env, (enum val_op)i, &v[0], &v[1]);
			print(&r);
			return;
		}
	if (!strcmp(op, "cmp")) {
		printf("%d\n", (int)val_cmp(&v[0], &v[1]));
		return;
	}
	if (!strcmp(op, "true")) {
		printf("%d\n", val_true(&v[0]));
		return;
	}
	if (!strcmp(op, "as_time"))
		r = val_as_time(env, &v[0]);
	else if (!strcmp(op, "fit"))
		r = val_fit(&v[0], &over);
	else if (!strcmp(op, "of_text"))
		r = val_of_text(v[0].s, v[0].len);
	else if (!strcmp(op, "f64")) {
		value_double(&b, v[0].r);
		r = val_of_text(arena_str(env->mem, (char *)b.p, b.n), b.n);
		buf_free(&b);
	} else if (!strcmp(op, "put")) {
		val_put(&b, env, &v[0]);
		r = val_text(arena_str(env->mem, (char *)b.p, b.n), b.n);
		buf_free(&b);
	} else {
		call(env, op, v, n);
		return;
	}
	if (over != (r.kind == VAL_NONE && v[0].kind != VAL_NONE) && !strcmp(op, "fit"))
		die("fit: over is wrong");
	print(&r);
}

int
main(int argc, char **argv)
{
	struct arena mem = {0};
	struct val_env env = {.clock = CLOCK_NS, .mem = &mem};
	char *line = NULL, *word[20];
	size_t cap = 0, n;

	(void)argc;
	prog_start(argv[0]);
	put_init();
	while (getline(&line, &cap, stdin) > 0) {
		struct val v[16];

		n = 0;
		for (char *p = strtok(line, " \n"); p && n < 18; p = strtok(NULL, " \n"))
			word[n++] = p;
		if (n < 3)
			die("a line is too short");
		for (size_t i = 2; i < n; i++)
			v[i - 2] = value(&mem, word[i]);
		env.clock = *word[0] == 'n' ? CLOCK_NS : CLOCK_TICKS;
		operation(&env, word[1], v, n - 2);
		arena_free(&mem);
	}
	free(line);
	return 0;
}
