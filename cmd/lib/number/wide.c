/* wide.c - long arithmetic in limbs of 32 bits, digit by digit: see wide.h. */
#include <string.h>

#include "base/compiler.h"
#include "base/put.h"
#include "number/wide.h"

/* Returns the number of limbs up to the highest one that is not 0. */
static unsigned
limbs(const struct wide *a)
{
	unsigned n = WIDE_LIMBS;

	while (n && !a->w[n - 1])
		n--;
	return n;
}

struct wide
wide_u64(uint64_t v)
{
	return wide_words(&v, 1);
}

struct wide
wide_words(const uint64_t *w, size_t n)
{
	struct wide a = {{0}};

	for (size_t i = 0; i < n && 2 * i + 1 < WIDE_LIMBS; i++) {
		a.w[2 * i] = (uint32_t)w[i];
		a.w[2 * i + 1] = (uint32_t)(w[i] >> 32);
	}
	return a;
}

bool
wide_to_words(const struct wide *a, uint64_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w[i] = a->w[2 * i] | (uint64_t)a->w[2 * i + 1] << 32;
	return limbs(a) <= 2 * n;
}

bool
wide_zero(const struct wide *a)
{
	return limbs(a) == 0;
}

int
wide_cmp(const struct wide *a, const struct wide *b)
{
	for (unsigned i = WIDE_LIMBS; i-- > 0;)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

struct wide
wide_add(const struct wide *a, const struct wide *b)
{
	struct wide r;
	uint64_t carry = 0;

	for (unsigned i = 0; i < WIDE_LIMBS; i++) {
		carry += (uint64_t)a->w[i] + b->w[i];
		r.w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return r;
}

struct wide
wide_sub(const struct wide *a, const struct wide *b)
{
	struct wide r;
	uint64_t borrow = 0;

	for (unsigned i = 0; i < WIDE_LIMBS; i++) {
		uint64_t d = (uint64_t)a->w[i] - b->w[i] - borrow;

		r.w[i] = (uint32_t)d;
		borrow = d >> 63;
	}
	return r;
}

static struct wide
wide_mul_u32(const struct wide *a, uint32_t m)
{
	struct wide r;
	uint64_t carry = 0;

	for (unsigned i = 0; i < WIDE_LIMBS; i++) {
		carry += (uint64_t)a->w[i] * m;
		r.w[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return r;
}

struct wide
wide_mul(const struct wide *a, const struct wide *b)
{
	struct wide r = {{0}};
	unsigned na = limbs(a), nb = limbs(b);

	for (unsigned i = 0; i < na; i++) {
		uint64_t carry = 0;

		for (unsigned k = 0; i + k < WIDE_LIMBS && (k < nb || carry); k++) {
			carry += (uint64_t)a->w[i] * b->w[k] + r.w[i + k];
			r.w[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	return r;
}

struct wide
wide_scale(struct wide a, unsigned n)
{
	for (; n >= 9; n -= 9)
		a = wide_mul_u32(&a, 1000000000);
	for (; n; n--)
		a = wide_mul_u32(&a, 10);
	return a;
}

/* Divides a by d in place. Returns the remainder. */
static uint32_t
div_u32(struct wide *a, uint32_t d)
{
	uint64_t rest = 0;

	for (unsigned i = limbs(a); i-- > 0;) {
		rest = rest << 32 | a->w[i];
		a->w[i] = (uint32_t)(rest / d);
		rest %= d;
	}
	return (uint32_t)rest;
}

static unsigned
bit_length(const struct wide *a)
{
	unsigned n = limbs(a);

	return n ? n * 32 - leading_zeros32(a->w[n - 1]) : 0;
}

static struct wide
shift_left(const struct wide *a, unsigned n)
{
	struct wide r = {{0}};
	unsigned limb = n / 32, bit = n % 32;

	for (unsigned i = limb; i < WIDE_LIMBS; i++) {
		uint64_t v = (uint64_t)a->w[i - limb] << 32;

		if (i > limb)
			v |= a->w[i - limb - 1];
		r.w[i] = (uint32_t)(v << bit >> 32);
	}
	return r;
}

static void
shift_right_1(struct wide *a)
{
	for (unsigned i = 0; i < WIDE_LIMBS; i++)
		a->w[i] = a->w[i] >> 1 | (i + 1 < WIDE_LIMBS ? a->w[i + 1] << 31 : 0);
}

struct wide
wide_div(const struct wide *a, const struct wide *b, struct wide *rest)
{
	struct wide q = {{0}}, r = *a, d;
	unsigned nb = limbs(b), la = bit_length(a), lb = bit_length(b);

	if (nb == 1) {
		uint32_t small = div_u32(&r, b->w[0]);

		if (rest)
			*rest = wide_u64(small);
		return r;
	}
	/* Bit by bit, because divisors above 32 bits are rare. */
	if (la >= lb) {
		d = shift_left(b, la - lb);
		for (unsigned i = la - lb + 1; i-- > 0;) {
			if (wide_cmp(&r, &d) >= 0) {
				r = wide_sub(&r, &d);
				q.w[i / 32] |= 1u << i % 32;
			}
			shift_right_1(&d);
		}
	}
	if (rest)
		*rest = r;
	return q;
}

struct wide
wide_div_round(const struct wide *a, const struct wide *b)
{
	struct wide rest, q = wide_div(a, b, &rest), one = wide_u64(1);

	rest = wide_add(&rest, &rest);
	return wide_cmp(&rest, b) >= 0 ? wide_add(&q, &one) : q;
}

struct wide
wide_sqrt_round(const struct wide *a)
{
	/* The root of 4 a has one more bit, which decides the rounding. */
	struct wide rest = shift_left(a, 2), root = {{0}}, bit = {{0}}, one = wide_u64(1);
	unsigned n = bit_length(&rest);

	for (n = n ? (n - 1) & ~1u : 0;; n -= 2) {
		struct wide t;

		bit = (struct wide){{0}};
		bit.w[n / 32] = 1u << n % 32;
		t = wide_add(&root, &bit);
		shift_right_1(&root);
		if (wide_cmp(&rest, &t) >= 0) {
			rest = wide_sub(&rest, &t);
			root = wide_add(&root, &bit);
		}
		if (!n)
			break;
	}
	root = wide_add(&root, &one);
	shift_right_1(&root);
	return root;
}

uint8_t *
wide_put(uint8_t *p, const struct wide *a)
{
	char text[WIDE_DIGITS], *q = text + sizeof text;
	struct wide r = *a;

	do {
		uint32_t nine = div_u32(&r, 1000000000);
		bool more = !wide_zero(&r);

		for (int i = 0; i < 9 && (more || nine); i++, nine /= 10)
			*--q = (char)('0' + nine % 10);
	} while (!wide_zero(&r));
	if (q == text + sizeof text)
		*--q = '0';
	memcpy(p, q, (size_t)(text + sizeof text - q));
	return p + (text + sizeof text - q);
}

uint8_t *
wide_put_decimal(uint8_t *p, const struct wide *a, unsigned decimals, bool trim)
{
	uint8_t text[WIDE_DIGITS], *end = wide_put(text, a);
	size_t n = (size_t)(end - text), whole = n > decimals ? n - decimals : 0;

	if (!whole)
		*p++ = '0';
	memcpy(p, text, whole);
	p += whole;
	if (!decimals)
		return p;
	*p++ = '.';
	for (size_t zeros = decimals - (n - whole); zeros; zeros--)
		*p++ = '0';
	memcpy(p, text + whole, n - whole);
	p += n - whole;
	if (trim) {
		while (p[-1] == '0')
			p--;
		p -= p[-1] == '.';
	}
	return p;
}

/* Returns the smallest number of decimals, at least `decimals`, with which a / b has so many
 * significant digits. */
static unsigned
decimals_for(const struct wide *a, const struct wide *b, unsigned digits, unsigned decimals)
{
	struct wide scaled = wide_scale(*a, decimals), least = wide_scale(*b, digits - 1);

	for (; !wide_zero(a) && wide_cmp(&scaled, &least) < 0; decimals++)
		scaled = wide_scale(scaled, 1);
	return decimals;
}

uint8_t *
wide_put_real(uint8_t *p, bool neg, const struct wide *a, const struct wide *b)
{
	unsigned decimals = decimals_for(a, b, 20, 0);
	struct wide q = wide_scale(*a, decimals);

	q = wide_div_round(&q, b);
	*p = '-';
	p = wide_put(p + neg, &q);
	*p++ = 'e';
	*p++ = '-';
	return put_u64(p, decimals);
}

#define SIGNIFICANT 6

uint8_t *
wide_put_ratio(uint8_t *p, bool neg, const struct wide *a, const struct wide *b,
	       unsigned decimals, bool trim)
{
	unsigned more = decimals_for(a, b, SIGNIFICANT, decimals), zeros;
	struct wide q = wide_scale(*a, more);
	uint8_t digits[WIDE_DIGITS], *end;

	q = wide_div_round(&q, b);
	end = wide_put(digits, &q);
	*p = '-';
	p += neg && !wide_zero(&q);
	if (more == decimals || more < 9 + (unsigned)(end - digits)) {
		p = wide_put_decimal(p, &q, more, false);
		/* Cut zeros at the end, but keep `decimals` decimals unless `trim`. */
		for (zeros = trim ? more : more - decimals; zeros && p[-1] == '0'; zeros--)
			p--;
		return p - (p[-1] == '.');
	}
	/* Print a number below 10^-9 with an exponent, like a double: 5e-10, 3.33333e-11. */
	more -= (unsigned)(end - digits) - 1;
	while (end > digits + 1 && end[-1] == '0')
		end--;
	*p++ = digits[0];
	if (end > digits + 1)
		*p++ = '.';
	memcpy(p, digits + 1, (size_t)(end - digits - 1));
	p += end - digits - 1;
	*p++ = 'e';
	*p++ = '-';
	return put_u64(p, more);
}
