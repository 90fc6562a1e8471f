/* lanes.c - at most 64 rows for any number of locations: see lanes.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/lanes.h"
#include "trace-plot/scale.h"

/* Names are compared as strings of bits, in natural order: a character has 8 bits; a number has the bits of a
 * digit, then NUMBER_BITS of its value. Bits after BITS_MOST, and numbers with more bits, count as equal. */
#define NUMBER_BITS 48u
#define BITS_MOST 1023u

/* Returns the value of the digits at s, at most 2^NUMBER_BITS - 1. */
static uint64_t
digits_value(const char *s)
{
	const uint64_t most = (1ull << NUMBER_BITS) - 1;
	uint64_t v = strtoull(s, NULL, 10);

	return v < most ? v : most;
}

/* Returns how many bits at the beginning of two names are equal, at most BITS_MOST. */
static uint32_t
shared_bits(const char *a, const char *b)
{
	static const char digits[] = "0123456789";
	uint32_t bits = 0;

	while (bits < BITS_MOST) {
		size_t na = strspn(a, digits), nb = strspn(b, digits);
		uint64_t x = na ? '0' : (uint8_t)*a, y = nb ? '0' : (uint8_t)*b;

		if (x != y)
			return bits + leading_zeros64(x ^ y) - 56;
		if (!x)
			break;
		bits += 8;
		a += na ? na : 1;
		b += nb ? nb : 1;
		if (!na)
			continue;
		x = digits_value(a - na);
		y = digits_value(b - nb);
		if (x != y)
			bits += leading_zeros64(x ^ y) - (64 - NUMBER_BITS);
		if (x != y || x == (1ull << NUMBER_BITS) - 1)
			return x != y && bits < BITS_MOST ? bits : BITS_MOST;
		bits += NUMBER_BITS;
	}
	return BITS_MOST;
}

/* Joins neighbouring lanes that have the same number of[i]. */
static void
join_lanes(struct lanes *l, const uint32_t *of)
{
	uint32_t to[LANES_ROOM + 1], n = 0;

	for (uint32_t i = 0; i <= LANES_ROOM; i++)
		to[i] = i;
	for (uint32_t i = 0; i < l->n; i++) {
		struct lane at = l->lane[i];

		if (!i || of[i] != of[i - 1]) {
			l->lane[n++] = at;
			continue;
		}
		to[at.row] = l->lane[n - 1].row;
		l->free[l->nfree++] = at.row;
		l->lane[n - 1].last = at.last;
		l->lane[n - 1].n += at.n;
	}
	l->n = n;
	l->join(l->arg, to);
	for (size_t k = 0; k < l->cap; k++)
		if (l->of[k])
			l->of[k] = to[l->of[k] - 1] + 1;
}

/* Returns how many bits lane i has in common with the previous lane. */
static uint32_t
lane_bits(const struct lanes *l, const struct names *names, uint32_t i)
{
	return shared_bits(names->text.v[l->lane[i - 1].last].s,
			   names->text.v[l->lane[i].first].s);
}

void
lanes_coarsen(struct lanes *l, const struct names *names)
{
	uint32_t of[LANES_ROOM + 1] = {0}, most = 0;

	for (uint32_t i = 1; i < l->n; i++) {
		of[i] = lane_bits(l, names, i);
		most = of[i] > most ? of[i] : most;
	}
	for (uint32_t i = 1; i < l->n; i++)
		of[i] = of[i - 1] + (of[i] < most);
	l->coarse = BITS_MOST + 1 - most;
	*l->shared = true;
	join_lanes(l, of);
}

uint32_t
lanes_group(const struct lanes *l, uint32_t most, struct lane *row, uint32_t *of)
{
	uint32_t n = 0, all = lanes_places(l->lane, l->n), share = 1, last = 0;
	uint64_t before = 0;

	while (l->n > most && (all - 1) / share >= most)
		share += l->twos ? share : 1;
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *at = &l->lane[i];
		/* The share of all names that has the middle of the lane. */
		uint32_t which =
		    l->n > most ? (uint32_t)((before + (at->n - 1) / 2) / share) : i;

		before += at->n;
		if (!n || which != last)
			row[n++] = *at;
		else {
			row[n - 1].last = at->last;
			row[n - 1].n += at->n;
		}
		last = which;
		of[i] = n - 1;
	}
	return n;
}

void
lanes_fit(struct lanes *l, uint32_t most)
{
	struct lane row[LANES_ROOM + 1];
	uint32_t of[LANES_ROOM + 1];

	if (lanes_group(l, most, row, of) < l->n)
		join_lanes(l, of);
}

/* Returns the place of a new lane for the text: the first lane that is not before it. */
static uint32_t
lane_position(const struct lanes *l, const struct names *names, const char *text)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (natural_order(names->text.v[l->lane[mid].last].s, text) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns whether a new name shares the lane that has `end` as its first or last name. */
static bool
agrees(const struct lanes *l, const struct names *names, uint32_t id, uint32_t end)
{
	return l->coarse &&
	       shared_bits(names->text.v[id].s, names->text.v[end].s) + l->coarse >
		   BITS_MOST;
}

uint32_t
lanes_new(struct lanes *l, const struct names *names, uint32_t id)
{
	uint32_t i = lane_position(l, names, names->text.v[id].s);
	struct lane *at = &l->lane[i];

	GROW(l->of, l->cap, (size_t)id + 1);
	if (i < l->n && natural_order(names->text.v[at->first].s, names->text.v[id].s) < 0)
		at->n++;
	else if (i < l->n && agrees(l, names, id, at->first)) {
		at->n++;
		at->first = id;
	} else if (i && agrees(l, names, id, at[-1].last)) {
		at--;
		at->n++;
		at->last = id;
	} else {
		memmove(at + 1, at, (l->n - i) * sizeof *at);
		*at = (struct lane){id, id, 1, l->nfree ? l->free[--l->nfree] : l->nrows++};
		l->n++;
	}
	l->of[id] = at->row + 1;
	/* The new lane is included, so that it does not matter which name came last. */
	if (l->n > l->room)
		lanes_coarsen(l, names);
	return l->of[id] - 1;
}

uint32_t
lanes_places(const struct lane *lane, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += lane[i].n;
	return sum;
}

const char *
lanes_name(const struct lane *l, const struct names *names, const char *place,
	   const char *places)
{
	const char *first = names->text.v[l->first].s, *last = names->text.v[l->last].s;
	size_t n = strspn(first, "0123456789"), same = 0;

	place = l->n > 1 ? places : place;
	if (!*place || !n || first[n])
		place = "";
	/* Folders that both names begin with are written once. */
	for (size_t i = 0; first[i] && first[i] == last[i]; i++)
		if (first[i] == '/')
			same = i + 1;
	return joined(place, *place ? " " : "", first, l->n > 1 ? "–" : "",
		      l->n > 1 ? last + same : "");
}

const char *
lanes_range(const struct lane *l, const struct names *names)
{
	return joined(names->text.v[l->first].s, l->n > 1 ? ".." : "",
		      l->n > 1 ? names->text.v[l->last].s : "");
}

void
lanes_free(struct lanes *l)
{
	free(l->of);
}
