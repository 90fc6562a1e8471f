/* filter_value.c - defines tests, for a text and for an integer: see filter_value.h. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "expr/filter_value.h"

/* Bytes of the buffer for unescaped text; longer values use the heap. */
#define PLAIN 256

static int
bytes_cmp(const char *a, size_t n, const char *word)
{
	size_t m = strlen(word);
	int c = memcmp(a, word, n < m ? n : m);

	return c ? c : (n > m) - (n < m);
}

/* Returns true if `word` is one of the elements of s[0..n), which commas separate. */
static bool
element(const char *s, size_t n, const char *word)
{
	const char *end = s + n, *comma;

	for (;; s = comma + 1) {
		comma = memchr(s, ',', (size_t)(end - s));
		if (!bytes_cmp(s, (size_t)((comma ? comma : end) - s), word))
			return true;
		if (!comma)
			return false;
	}
}

/* Returns the number that the text s[0..n) is compared with. If the text is a time, a date counts from the origin.
 * An argument is taken as a time if it has nine decimals, as streams write times. */
static const struct val *
text_as_number(const struct test *t, const struct item_end *end, const char *s, size_t n)
{
	return field_is_time(t->column) || (n > 10 && s[n - 10] == '.') ? &end->dated
									: &end->val;
}

/* Compares the text s[0..n), or its value `have` if a number is wanted, with a constant. */
static enum val_order
compare(const struct test *t, const char *s, size_t n, const struct val *have,
	const struct item_end *want)
{
	int c;

	if (want->is_num)
		return val_cmp(have, text_as_number(t, want, s, n));
	c = bytes_cmp(s, n, want->text);
	return c < 0 ? VAL_LESS : c > 0 ? VAL_GREATER : VAL_EQUAL;
}

static bool
in_item(const struct test *t, const struct item *it, const char *s, size_t n,
	const struct val *have)
{
	enum val_order c = compare(t, s, n, have, &it->from), d;

	if (!it->range || c == VAL_OTHER)
		return c == VAL_EQUAL;
	d = compare(t, s, n, have, &it->to);
	return c != VAL_LESS && (d == VAL_LESS || d == VAL_EQUAL);
}

bool
test_stands(enum test_op op, enum val_order order)
{
	if (order == VAL_OTHER)
		return false;
	switch (op) {
	case OP_LT: return order < 0;
	case OP_LE: return order <= 0;
	case OP_GT: return order > 0;
	case OP_GE: return order >= 0;
	default: return order == 0;
	}
}

static bool
passes(const struct test *t, char *s, size_t n)
{
	const struct item_end *want;
	struct val have = {.kind = VAL_TEXT};
	uint64_t x = 0, y = 0;

	if (t->op == OP_THERE)
		return true;
	want = &t->items->from;
	/* these functions would stop at a NUL */
	if (t->op == OP_MATCH || t->op == OP_GLOB)
		for (size_t i = 0; i < n; i++)
			s[i] = s[i] ? s[i] : 1;
	if (t->op == OP_MATCH)
		return ere_matches(t->re, s, n);
	if (t->op == OP_GLOB)
		return fnmatch(want->text, s, FNM_NOESCAPE) == 0;
	for (size_t i = 0; i < t->nitems && have.kind == VAL_TEXT; i++)
		if (t->items[i].from.is_num) {
			have = val_exact(s, n);
			break;
		}
	if (t->op == OP_IN) {
		for (size_t i = 0; i < t->nitems; i++)
			if (in_item(t, &t->items[i], s, n, &have))
				return true;
		return false;
	}
	if (t->op == OP_BITS)
		return want->is_num && have.kind != VAL_TEXT
			   ? val_bits(&have, &x) && val_bits(&want->val, &y) && (x & y)
			   : element(s, n, want->text);
	return test_stands(t->op, compare(t, s, n, &have, want));
}

bool
test_text(const struct test *t, const char *text, size_t n)
{
	char plain[PLAIN], *s = plain;
	bool yes;

	if (n >= PLAIN)
		s = xmalloc(n + 1);
	if (n == 2 && !memcmp(text, "\"\"", 2))
		n = 0; /* text of an empty string */
	n = unescape((uint8_t *)s, text, n);
	s[n] = '\0';
	yes = passes(t, s, n);
	if (s != plain)
		free(s);
	return yes != t->negate;
}

uint64_t
domain_flip(const struct domain *d)
{
	return d->is_signed ? 1ull << (d->bits - 1) : 0;
}

/* Returns the greatest integer of the domain, biased. */
static uint64_t
domain_most(const struct domain *d)
{
	return UINT64_MAX >> (64 - d->bits);
}

/* Sets *to to the greatest integer, in units of the domain, that is not above v; *equal: it is v. Returns false if
 * v is beyond all numbers; its sign tells the direction. */
static bool
floor_in(const struct val *v, const struct domain *d, struct i128 *to, bool *equal)
{
	const uint32_t billion = 1000000000, by = d->ns ? billion : 1;

	*to = v->n;
	*equal = true;
	switch (v->kind) {
	case VAL_WHOLE: return i128_mul(v->n, i128_u64(by), to);
	case VAL_DECIMAL:
		if (!d->ns) {
			i128_muldiv(v->n, i128_u64(1), i128_u64(billion), I128_FLOOR, to);
			*equal = i128_zero(i128_mod(v->n, i128_u64(billion)));
		}
		return true;
	default:
		if (!i128_of_double(v->r, by, I128_FLOOR, to))
			return false;
		*equal = i128_cmp_double(*to, v->r, by) == 0;
		return true;
	}
}

/* Stores the smallest integer of the domain that is >= v (or > v, if `above`) in *biased. Returns -1 if it is
 * below the domain, 0 if within, 1 if above. */
static int
least_at(const struct val *v, bool above, const struct domain *d, uint64_t *biased)
{
	struct i128 n;
	bool equal;

	if (!floor_in(v, d, &n, &equal))
		return (v->kind == VAL_REAL ? v->r < 0 : v->n.hi < 0) ? -1 : 1;
	if ((above || !equal) && !i128_add(n, i128_u64(1), &n))
		return 1;
	if (!i128_add(n, i128_u64(domain_flip(d)), &n))
		return 1;
	if (n.hi < 0)
		return -1;
	*biased = n.lo;
	return n.hi || n.lo > domain_most(d);
}

/* Sets *r to the integers from `from` to `to`; NULL: no limit on that side. `after` and `before` exclude the ends
 * themselves. Returns false if there are none. */
static bool
between(const struct val *from, bool after, const struct val *to, bool before,
	const struct domain *d, struct irange *r)
{
	uint64_t greatest = domain_most(d);
	int c;

	r->lo = 0;
	r->hi = greatest;
	if (from) {
		c = least_at(from, after, d, &r->lo);
		if (c > 0)
			return false;
		if (c < 0)
			r->lo = 0;
	}
	if (to) {
		/* The end of the range is one less than the first integer after it. */
		c = least_at(to, !before, d, &r->hi);
		if (c < 0 || (c == 0 && r->hi == 0))
			return false;
		r->hi = c > 0 ? greatest : r->hi - 1;
	}
	return r->lo <= r->hi;
}

bool
test_of_ranges(const struct test *t)
{
	if (t->op == OP_MATCH || t->op == OP_GLOB || t->op == OP_THERE || t->op == OP_BITS)
		return false;
	for (size_t i = 0; i < t->nitems; i++)
		if (!t->items[i].from.is_num)
			return false;
	return true;
}

bool
test_range(const struct test *t, const struct item *it, const struct domain *d,
	   struct irange *r)
{
	const struct val *from = d->ns ? &it->from.dated : &it->from.val;
	const struct val *to = d->ns ? &it->to.dated : &it->to.val;

	if (!it->from.is_num)
		return false;
	switch (t->op) {
	case OP_LT: return between(NULL, false, from, true, d, r);
	case OP_LE: return between(NULL, false, from, false, d, r);
	case OP_GT: return between(from, true, NULL, false, d, r);
	case OP_GE: return between(from, false, NULL, false, d, r);
	default: return between(from, false, it->range ? to : from, false, d, r);
	}
}
