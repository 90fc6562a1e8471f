/* filter_value.c - what a test means, for a text and for an integer. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "expr/filter_value.h"

/* Text that is compared is unescaped here first; longer values go to the heap. */
#define PLAIN 256

static int
bytes_cmp(const char *a, size_t n, const char *word)
{
	size_t m = strlen(word);
	int c = memcmp(a, word, n < m ? n : m);

	return c ? c : (n > m) - (n < m);
}

/* Whether a word is one of the elements that commas separate. */
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

/* < 0, 0, > 0; `have` is the number that s[0..n) is, where one is wanted. */
static int
compare(const char *s, size_t n, const struct num *have, const struct item_end *want)
{
	return want->is_num ? num_cmp(have, &want->num) : bytes_cmp(s, n, want->text);
}

static bool
in_item(const struct item *it, const char *s, size_t n, const struct num *have, bool is_num)
{
	int c;

	if (it->from.is_num && !is_num)
		return false;
	c = compare(s, n, have, &it->from);
	return it->range ? c >= 0 && compare(s, n, have, &it->to) <= 0 : c == 0;
}

/* The bits of a whole number: of a negative one, of its two's complement. */
static uint64_t
bits(const struct num *n)
{
	return n->neg ? 0 - n->whole : n->whole;
}

bool
test_stands(enum test_op op, int order)
{
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
	struct num have;
	bool is_num = false;

	if (t->op == OP_THERE)
		return true;
	want = &t->items->from;
	if (t->op == OP_MATCH || t->op == OP_GLOB) /* these would end at a NUL */
		for (size_t i = 0; i < n; i++)
			s[i] = s[i] ? s[i] : 1;
	if (t->op == OP_MATCH)
		return ere_matches(t->re, s, n);
	if (t->op == OP_GLOB)
		return fnmatch(want->text, s, FNM_NOESCAPE) == 0;
	for (size_t i = 0; i < t->nitems && !is_num; i++)
		if (t->items[i].from.is_num)
			is_num = num_parse(s, n, false, &have, NULL);
	if (t->op == OP_IN) {
		for (size_t i = 0; i < t->nitems; i++)
			if (in_item(&t->items[i], s, n, &have, is_num))
				return true;
		return false;
	}
	if (t->op == OP_BITS)
		return want->is_num && is_num ? (bits(&have) & bits(&want->num)) != 0
					      : element(s, n, want->text);
	return (!want->is_num || is_num) && test_stands(t->op, compare(s, n, &have, want));
}

bool
test_text(const struct test *t, const char *text, size_t n)
{
	char plain[PLAIN], *s = plain;
	bool yes;

	if (n >= PLAIN)
		s = xmalloc(n + 1);
	if (n == 2 && !memcmp(text, "\"\"", 2))
		n = 0; /* how an empty string is written */
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

/* The greatest integer of the domain, biased. */
static uint64_t
domain_most(const struct domain *d)
{
	return UINT64_MAX >> (64 - d->bits);
}

/*
 * The least integer of the domain that is >= n (or > n, when `above`), biased. -1, 0, 1:
 * below the whole domain, within, beyond it.
 */
static int
least_at(const struct num *n, bool above, const struct domain *d, uint64_t *biased)
{
	uint64_t mag = n->whole, half = domain_flip(d);
	bool frac = !d->ns && n->nano;
	bool neg = n->neg && (n->whole || n->nano);

	if (d->ns) {
		if (mag > UINT64_MAX / 1000000000 - 1)
			return neg ? -1 : 1;
		mag = mag * 1000000000 + n->nano;
	}
	if (neg) {
		/* -1.5: the next integer above is -1; exactly -2: itself, or
		 * -1 when above. */
		if (above && !frac && mag)
			mag--;
		if (mag > half)
			return -1;
		*biased = half - mag;
		return 0;
	}
	if (frac || above) {
		if (mag == UINT64_MAX)
			return 1;
		mag++;
	}
	if (mag > domain_most(d) - half)
		return 1;
	*biased = half + mag;
	return 0;
}

/* Integers from `from` (NULL = all) to `to`. `after` and `before` leave the ends themselves
 * out. */
static bool
between(const struct num *from, bool after, const struct num *to, bool before,
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
		/* The greatest below is one less than the least that is not. */
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
	const struct num *from = &it->from.num;

	if (!it->from.is_num)
		return false;
	switch (t->op) {
	case OP_LT: return between(NULL, false, from, true, d, r);
	case OP_LE: return between(NULL, false, from, false, d, r);
	case OP_GT: return between(from, true, NULL, false, d, r);
	case OP_GE: return between(from, false, NULL, false, d, r);
	default: return between(from, false, it->range ? &it->to.num : from, false, d, r);
	}
}
