/* lanes.c - at most 64 rows for any number of locations: see lanes.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-plot/lanes.h"
#include "trace-plot/scale.h"

void
lanes_fit(struct lanes *l, uint32_t most)
{
	uint32_t to[LANES_ROOM], n = 0, share;
	uint64_t all = 0, before = 0, last = 0;

	if (l->n <= most)
		return;
	for (uint32_t i = 0; i < l->n; i++)
		all += l->lane[i].n;
	share = (uint32_t)((all + most - 1) / most);
	for (uint32_t i = 0; i < LANES_ROOM; i++)
		to[i] = i;
	for (uint32_t i = 0; i < l->n; i++) {
		struct lane at = l->lane[i];
		/* The share of all that its middle is in. */
		uint64_t which = (before + (at.n - 1) / 2) / share;

		before += at.n;
		if (!n || which != last) {
			l->lane[n++] = at;
			last = which;
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

/* The place of a new lane for the text: the first lane that is not before it. */
static uint32_t
place(const struct lanes *l, const struct names *names, const char *text)
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

/* A new name before lane i becomes part of that, or of the one before it, where they have fewer than
 * their share: then hardly a row is ever joined to another, which costs as much as all have. */
static struct lane *
neighbour(struct lanes *l, uint32_t i, uint32_t id)
{
	struct lane *before = i ? &l->lane[i - 1] : NULL,
		    *at = i < l->n ? &l->lane[i] : NULL;
	struct lane *less = !before || (at && at->n < before->n) ? at : before;
	uint64_t all = 0;

	for (uint32_t k = 0; k < l->n; k++)
		all += l->lane[k].n;
	if (less->n >= all / l->room)
		return NULL;
	if (less == at)
		at->first = id;
	else
		before->last = id;
	return less;
}

uint32_t
lanes_new(struct lanes *l, const struct names *names, uint32_t id)
{
	const char *text = names->text.v[id].s;
	struct lane *at;
	uint32_t i;

	GROW(l->of, l->cap, (size_t)id + 1);
	i = place(l, names, text);
	at = i < l->n && natural_order(names->text.v[l->lane[i].first].s, text) < 0
		 ? &l->lane[i]
	     : l->n ? neighbour(l, i, id)
		    : NULL;
	if (at) {
		at->n++;
		l->of[id] = at->row + 1;
		*l->shared = true;
		return at->row;
	}
	if (l->n == l->room) {
		lanes_fit(l, l->room / 2);
		*l->shared = true;
		return lanes_new(l, names, id);
	}
	at = &l->lane[i];
	memmove(at + 1, at, (l->n - i) * sizeof *at);
	*at = (struct lane){id, id, 1, l->nfree ? l->free[--l->nfree] : l->nrows++};
	l->n++;
	l->of[id] = at->row + 1;
	return at->row;
}

uint32_t
lanes_places(const struct lanes *l)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		n += l->lane[i].n;
	return n;
}

void
lanes_name(const struct lane *l, const struct names *names, const char *place,
	   const char *places, struct buf *text)
{
	const char *first = names->text.v[l->first].s, *last = names->text.v[l->last].s;
	size_t n = strspn(first, "0123456789"), same = 0;

	place = l->n > 1 ? places : place;
	if (!first[n] && n && *place)
		put_all(text, place, " ");
	put_all(text, first);
	if (l->n == 1)
		return;
	/* What both begin with is said once, up to a slash. */
	for (size_t i = 0; first[i] && first[i] == last[i]; i++)
		if (first[i] == '/')
			same = i + 1;
	put_all(text, "–", last + same);
}

void
lanes_put(const struct lane *l, const struct names *names, struct buf *b)
{
	put_all(b, names->text.v[l->first].s);
	if (l->n > 1)
		put_all(b, "..", names->text.v[l->last].s);
}

void
lanes_free(struct lanes *l)
{
	free(l->of);
}
