/*
 * clocks_fit.c - computes the drifts and offsets of clocks from messages.
 *
 * A message from A to B shows that B's clock at its end is not before A's clock at its start. Of the messages from
 * A to B only those on the lower hull of (start, end - start) can decide: A. Duda, G. Harrus, Y. Haddad, G.
 * Bernard, "Estimating global time in distributed systems", 1987. Once drifts are known, each direction between
 * two hosts limits the difference of their offsets; a circle of limits with a sum below 0 shows that the drifts
 * are wrong. The shortest paths over these limits are the limits of each host's offset. The middles of the two
 * limits contradict no message: if d(a, b) is a shortest path, and o(b) = (d(r, b) - d(b, r)) / 2, then o(b) -
 * o(a) <= d(a, b).
 */
#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "match/clocking.h"

#define HULL_LEAST 512	   /* points of a link before others are dropped */
#define DRIFT_MOST 0.01	   /* greatest drift that a clock may have */
#define MARGIN 2	   /* see margin_of */
#define WORK_MOST 20000000 /* limit of points visited to find drifts that agree */

/* ---- points of a link ---- */

static int
by_time(const void *a, const void *b)
{
	const struct clock_point *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->gap < y->gap ? -1 : x->gap > y->gap;
}

/* Returns true if b is on the line from a to c, or above it. */
static bool
is_above(const struct clock_point *a, const struct clock_point *b,
	 const struct clock_point *c)
{
	return (b->gap - a->gap) * (c->at - a->at) >= (c->gap - a->gap) * (b->at - a->at);
}

/* Drops all points of a link that are not on its lower hull. */
static void
link_hull(struct link *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_time);
	for (size_t i = 0; i < l->n; i++) {
		if (n && l->v[n - 1].at == l->v[i].at)
			continue;
		while (n > 1 && is_above(&l->v[n - 2], &l->v[n - 1], &l->v[i]))
			n--;
		l->v[n++] = l->v[i];
	}
	l->n = n;
}

void
link_add(struct link *l, double at, double gap)
{
	l->messages++;
	*PUSH(l->v, l->n, l->cap) = (struct clock_point){at, gap};
	if (l->n >= HULL_LEAST && l->n >= l->full) {
		link_hull(l);
		l->full = 2 * l->n;
	}
}

/* Returns the upper limit, in ns, of the sender's offset less the receiver's, with the drifts `from` and `to`.
 * *decides (if not NULL) becomes the number of the point that sets the limit. */
static double
link_bound(const struct link *l, double from, double to, size_t *decides)
{
	double least = INFINITY, v;

	for (size_t i = 0; i < l->n; i++) {
		v = l->v[i].gap + to * (l->v[i].at + l->v[i].gap) - from * l->v[i].at;
		if (v < least) {
			least = v;
			if (decides)
				*decides = i;
		}
	}
	return least;
}

/* ---- drifts ---- */

/* Both directions between a host whose drift is known and a host whose drift is to be found. */
struct link_pair {
	/* to: towards the host whose drift is to be found */
	const struct link *to, *back;
	double known;
};

static struct link_pair
both_of(const struct clocks_net *net, const struct host *h)
{
	const struct link *to = &net->link[h->by], *back = &net->link[h->by ^ 1];

	return (struct link_pair){to, back, net->host[to->from].drift};
}

/* Returns how much faster messages could have been, there and back together, if the host had this drift. Below 0
 * the drift is wrong. */
static double
slack(const struct link_pair *b, double drift)
{
	return link_bound(b->to, b->known, drift, NULL) +
	       link_bound(b->back, drift, b->known, NULL);
}

/* Returns the drift with the greatest slack. The slack has a single maximum. */
static double
best_drift(const struct link_pair *b)
{
	double lo = -DRIFT_MOST, hi = DRIFT_MOST;

	for (int i = 0; i < 120; i++) {
		double third = (hi - lo) / 3;

		if (slack(b, lo + third) < slack(b, hi - third))
			lo += third;
		else
			hi -= third;
	}
	return (lo + hi) / 2;
}

/* Returns the drift at which the slack ends between `in`, which has slack, and `out`. Returns an infinity if `out`
 * has slack too. */
static double
slack_end(const struct link_pair *b, double in, double out)
{
	if (slack(b, out) >= 0)
		return out < 0 ? -INFINITY : INFINITY;
	for (int i = 0; i < 80; i++) {
		double mid = (in + out) / 2;

		if (slack(b, mid) >= 0)
			in = mid;
		else
			out = mid;
	}
	return in;
}

/* Returns the greatest multiple of 1 / PPB that is not above the drift. */
static double
rounded(double drift)
{
	double n = drift * PPB;

	return (double)((int64_t)n - (n < 0 && (double)(int64_t)n != n)) / PPB;
}

/* Sets the limits of h's drift, if the drift of the other host is right; `best` has the greatest slack. Returns
 * true if there are limits on both sides. */
static bool
drift_bounds(struct host *h, const struct link_pair *b, double best)
{
	h->drift_least = -INFINITY;
	h->drift_most = INFINITY;
	if (!b->to->n || !b->back->n || slack(b, best) < 0)
		return false;
	h->drift_least = slack_end(b, best, -DRIFT_MOST);
	h->drift_most = slack_end(b, best, DRIFT_MOST);
	return !isinf(h->drift_least) && !isinf(h->drift_most);
}

/* Sets the drift of h: 0, if messages permit it, else the best one. If messages limit it on one side only, the
 * limit. */
static void
host_drift(struct host *h, const struct link_pair *b)
{
	double best, up;

	h->drift = b->known;
	if (!b->to->n || !b->back->n)
		return;
	h->drift = 0;
	if (slack(b, 0) >= 0)
		return;
	best = best_drift(b);
	if (!drift_bounds(h, b, best) && slack(b, best) >= 0)
		best = isinf(h->drift_least) ? h->drift_most : h->drift_least;
	h->drift = rounded(best);
	up = h->drift + 1.0 / PPB;
	if (slack(b, up) > slack(b, h->drift))
		h->drift = up;
}

/* Returns how much a link and its opposite tell about drifts: the messages in the direction with fewer, plus 1; 0
 * if there are none. */
static uint64_t
weight(const struct clocks_net *net, size_t link)
{
	uint64_t n = net->link[link].messages, back = net->link[link ^ 1].messages;

	return n | back ? (n < back ? n : back) + 1 : 0;
}

/* Finds the drifts of all hosts: each against a host with a known drift, along a tree of the pairs with the
 * greatest weight. The first host of each connected group has a right clock. */
static void
find_drifts(struct clocks_net *net, uint32_t first)
{
	struct host *h = net->host;
	uint64_t *best = xcalloc(net->n, sizeof *best);
	bool *in = xcalloc(net->n, sizeof *in);
	uint32_t at = first;

	for (uint32_t i = 0; i < net->n; i++) {
		h[i].by = NO_LINK;
		h[i].drift = 0;
	}
	while (at != NO_HOST) {
		in[at] = true;
		for (size_t i = 0; i < net->nlinks; i++) {
			const struct link *l = &net->link[i];

			if (l->from == at && !in[l->to] && weight(net, i) > best[l->to]) {
				best[l->to] = weight(net, i);
				h[l->to].by = i;
			}
		}
		at = NO_HOST;
		for (uint32_t i = 0; i < net->n; i++)
			if (!in[i] && (at == NO_HOST || best[i] > best[at]))
				at = i;
		if (at != NO_HOST && h[at].by != NO_LINK) {
			struct link_pair b = both_of(net, &h[at]);

			host_drift(&h[at], &b);
		}
	}
	free(in);
	free(best);
}

/* ---- contradictions ---- */

/* Sets the limit of each link, less a margin. */
static void
weigh(struct clocks_net *net, double margin)
{
	for (size_t i = 0; i < net->nlinks; i++) {
		struct link *l = &net->link[i];

		l->least = link_bound(l, net->host[l->from].drift, net->host[l->to].drift,
				      &l->decides) -
			   margin;
	}
}

/* Finds a circle of links whose limits have a sum below 0, so that no offsets suit them. Returns a host in the
 * circle; host.way leads from each host to the next. Returns NO_HOST if there is none. */
static uint32_t
contradiction(struct clocks_net *net)
{
	struct host *h = net->host;
	uint32_t at = 0;

	for (uint32_t i = 0; i < net->n; i++)
		h[i].hi = 0;
	for (uint32_t round = 0; at != NO_HOST; round++) {
		at = NO_HOST;
		for (size_t i = 0; i < net->nlinks; i++) {
			const struct link *l = &net->link[i];

			/* A difference below a picosecond is a rounding error. */
			if (h[l->from].hi > h[l->to].hi + l->least + 1e-3) {
				h[l->from].hi = h[l->to].hi + l->least;
				h[l->from].way = i;
				at = l->from;
			}
		}
		if (round > net->n && at != NO_HOST) {
			/* After so many steps the path is within the circle. */
			for (uint32_t i = 0; i < net->n; i++)
				at = net->link[h[at].way].to;
			return at;
		}
	}
	return NO_HOST;
}

/* Moves drifts in the direction that resolves a contradiction fastest, somewhat beyond its end. Repeated, this
 * finds drifts without contradictions, if there are any (S. Agmon, "The relaxation method for linear
 * inequalities", 1954). Returns false if the contradiction does not depend on drifts. */
static bool
relax(struct clocks_net *net, double *drift, uint32_t at, double margin)
{
	struct host *h = net->host;
	double *by = xcalloc(net->n, sizeof *by), sum = 0, square = 0;
	uint32_t i = at;

	do {
		const struct link *l = &net->link[h[i].way];
		const struct clock_point *p = &l->v[l->decides];

		sum += p->gap - margin + drift[l->to] * (p->at + p->gap) -
		       drift[l->from] * p->at;
		by[l->to] += p->at + p->gap;
		by[l->from] -= p->at;
		i = l->to;
	} while (i != at);
	for (i = 0; i < net->n; i++)
		if (h[i].by != NO_LINK)
			square += by[i] * by[i];
	for (i = 0; i < net->n && square > 0; i++)
		if (h[i].by != NO_LINK)
			drift[i] -= 1.9 * sum * by[i] / square;
	free(by);
	return square > 0;
}

/* Moves drifts until no messages contradict each other, not even if each took less time by the margin. Returns
 * false if no such drifts were found. */
static bool
agree(struct clocks_net *net, double *drift, double margin)
{
	uint64_t work = 0, step = net->nlinks;
	uint32_t at;

	for (size_t i = 0; i < net->nlinks; i++)
		step += net->link[i].n;
	for (uint32_t i = 0; i < net->n; i++)
		drift[i] = net->host[i].drift;
	for (;;) {
		weigh(net, margin);
		at = contradiction(net);
		if (at == NO_HOST)
			return true;
		work += step;
		if (!relax(net, drift, at, margin) || work > WORK_MOST)
			return false;
		for (uint32_t i = 0; i < net->n; i++) {
			if (drift[i] < -DRIFT_MOST || drift[i] > DRIFT_MOST)
				return false;
			net->host[i].drift = rounded(drift[i] + 0.5 / PPB);
		}
	}
}

/* Returns the ns by which rounding to whole nanoseconds can shorten a message if times are scaled: two offsets and
 * two times are rounded. */
static double
margin_of(const struct clocks_net *net)
{
	for (uint32_t i = 0; i < net->n; i++)
		if (net->host[i].drift != 0)
			return MARGIN;
	return 0;
}

/* Returns the smallest slack of a pair in the tree, for one direction. */
static double
tree_slack(const struct clocks_net *net)
{
	double least = 1e9;

	for (uint32_t i = 0; i < net->n; i++) {
		size_t by = net->host[i].by;
		double both = by == NO_LINK ? INFINITY
					    : net->link[by].least + net->link[by ^ 1].least;

		least = both / 2 < least ? both / 2 : least;
	}
	return least;
}

/* Finds drifts that suit all messages, with as great a margin as possible. Returns false if there are none. */
static bool
all_drifts(struct clocks_net *net, uint32_t first)
{
	double *drift = xcalloc(net->n, sizeof *drift), margin;
	bool fits;

	find_drifts(net, first);
	weigh(net, margin_of(net));
	fits = contradiction(net) == NO_HOST;
	margin = tree_slack(net);
	for (margin = margin > MARGIN ? margin : MARGIN; !fits && margin >= 1;
	     margin /= 2) {
		find_drifts(net, first);
		fits = agree(net, drift, margin);
	}
	free(drift);
	return fits;
}

/* ---- offsets ---- */

/* Computes the limits lo and hi of each offset from the offsets that are fixed. There must be no contradictions. */
static void
find_bounds(struct clocks_net *net)
{
	struct host *h = net->host;
	bool changed = true;

	for (uint32_t i = 0; i < net->n; i++) {
		h[i].lo = h[i].fixed ? h[i].offset : -INFINITY;
		h[i].hi = h[i].fixed ? h[i].offset : INFINITY;
	}
	for (uint32_t round = 0; changed && round <= net->n; round++) {
		changed = false;
		for (size_t i = 0; i < net->nlinks; i++) {
			const struct link *l = &net->link[i];
			struct host *from = &h[l->from], *to = &h[l->to];

			if (from->hi > to->hi + l->least) {
				from->hi = to->hi + l->least;
				changed = true;
			}
			if (to->lo < from->lo - l->least) {
				to->lo = from->lo - l->least;
				changed = true;
			}
		}
	}
}

/* Fixes the offset of a host: the middle of its limits, or, with one limit or none, the nearest permitted value to
 * `unmoved`. */
static void
fix(struct host *h, double unmoved)
{
	h->fixed = true;
	if (!isinf(h->lo) && !isinf(h->hi))
		h->offset = (h->lo + h->hi) / 2;
	else
		h->offset = unmoved < h->lo ? h->lo : unmoved > h->hi ? h->hi : unmoved;
}

/* Returns the offset that leaves a host's times unchanged. Offset 0 would move its first call to the time of the
 * first host's first call. */
static double
unmoved(const struct host *h, const struct host *first)
{
	return (double)(int64_t)(h->base - first->base);
}

/* Fixes the offsets of the hosts that no link measures. */
static void
fix_roots(struct clocks_net *net, uint32_t first)
{
	for (uint32_t i = 0; i < net->n; i++) {
		struct host *h = &net->host[i];

		h->fixed = false;
		h->lo = h->hi = unmoved(h, &net->host[first]);
		if (h->by == NO_LINK)
			fix(h, 0);
	}
}

/* Finds all offsets: first of hosts with limits on both sides, then of the others, one after the other. */
static void
find_offsets(struct clocks_net *net, uint32_t first)
{
	struct host *h = net->host;

	fix_roots(net, first);
	weigh(net, 0);
	find_bounds(net);
	for (uint32_t i = 0; i < net->n; i++) {
		h[i].least = h[i].lo;
		h[i].most = h[i].hi;
	}
	weigh(net, margin_of(net));
	find_bounds(net);
	for (uint32_t i = 0; i < net->n; i++)
		if (!isinf(h[i].lo) && !isinf(h[i].hi))
			fix(&h[i], 0);
	for (uint32_t i = 0; i < net->n; i++) {
		if (h[i].fixed)
			continue;
		find_bounds(net);
		fix(&h[i], unmoved(&h[i], &h[first]));
	}
}

/* Finds offsets when none suit all messages: each host gets the middle of the limits by the two directions of its
 * link in the tree. */
static void
compromise(struct clocks_net *net, uint32_t first)
{
	struct host *h = net->host;
	bool changed = true;

	find_drifts(net, first);
	weigh(net, 0);
	fix_roots(net, first);
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < net->n; i++) {
			const struct link *l = h[i].fixed ? NULL : &net->link[h[i].by];

			if (!l || !h[l->from].fixed)
				continue;
			h[i].lo = h[l->from].offset - l->least;
			h[i].hi = h[l->from].offset + net->link[h[i].by ^ 1].least;
			fix(&h[i], unmoved(&h[i], &h[first]));
			h[i].least = -INFINITY;
			h[i].most = INFINITY;
			changed = true;
		}
	}
}

bool
clocks_fit(struct clocks_net *net, uint32_t first)
{
	bool fits;

	for (size_t i = 0; i < net->nlinks; i++)
		link_hull(&net->link[i]);
	fits = all_drifts(net, first);
	if (fits)
		find_offsets(net, first);
	else
		compromise(net, first);
	for (uint32_t i = 0; i < net->n; i++) {
		struct host *h = &net->host[i];
		struct link_pair b;

		if (h->by == NO_LINK)
			continue;
		b = both_of(net, h);
		drift_bounds(h, &b, best_drift(&b));
	}
	return fits;
}
