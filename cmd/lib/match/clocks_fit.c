/*
 * clocks_fit.c - drifts and offsets of clocks, by messages.
 *
 * A message from A to B says that B's clock at its end is not before A's at its start. Of the messages from A to B
 * only those on the lower hull of (start, end - start) can decide: A. Duda, G. Harrus, Y. Haddad, G. Bernard,
 * "Estimating global time in distributed systems", 1987. Once drifts are known, each direction between two hosts is a
 * bound of the difference of their offsets: a circle of bounds below 0 shows that drifts are wrong. The shortest paths over these bounds are those of each host. The middles
 * of its bounds contradict no message: if d(a, b) is a shortest path, and o(b) = (d(r, b) - d(b, r)) / 2, then
 * o(b) - o(a) <= d(a, b).
 */
#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "match/clocking.h"

#define HULL_LEAST 512	   /* points of a link before the others are dropped */
#define DRIFT_MOST 0.01	   /* a clock that goes further wrong is none */
#define MARGIN 2	   /* see margin_of */
#define WORK_MOST 20000000 /* points that are looked at for drifts that agree, at most */

/* ---- points of a link ---- */

static int
by_time(const void *a, const void *b)
{
	const struct clock_point *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->gap < y->gap ? -1 : x->gap > y->gap;
}

/* Returns whether b is on the line from a to c, or above it. */
static bool
is_above(const struct clock_point *a, const struct clock_point *b,
	 const struct clock_point *c)
{
	return (b->gap - a->gap) * (c->at - a->at) >= (c->gap - a->gap) * (b->at - a->at);
}

/* Leaves the lower hull. */
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

/* Returns the upper limit, in ns, of the sender's offset minus the receiver's, with these
 * drifts; *decides (if not NULL) is the point that limits it. */
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

/* Both directions between a host whose drift is known and one whose drift is asked for. */
struct link_pair {
	const struct link *to, *back; /* towards the latter */
	double known;
};

static struct link_pair
both_of(const struct clocks_net *net, const struct host *h)
{
	const struct link *to = &net->link[h->by], *back = &net->link[h->by ^ 1];

	return (struct link_pair){to, back, net->host[to->from].drift};
}

/* By how much messages could have been faster, to and fro together, if that were the drift: below 0 it is wrong. */
static double
slack(const struct link_pair *b, double drift)
{
	return link_bound(b->to, b->known, drift, NULL) +
	       link_bound(b->back, drift, b->known, NULL);
}

/* The drift with the greatest slack, which has a single summit. */
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

/* Returns the drift at which slack ends, on the way from the drift `in`, which has slack,
 * to `out`. Infinite if `out` has slack too. */
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

/* The multiple of a billionth below it. */
static double
rounded(double drift)
{
	double n = drift * PPB;

	return (double)((int64_t)n - (n < 0 && (double)(int64_t)n != n)) / PPB;
}

/* The bounds of h's drift, if the one that it is measured by is right. Gives whether it has some. */
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

/* The drift of h: none, unless messages say so. Where they bound it on one side only, it is there. */
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

/* How much a pair of links tells of drifts: its messages in the direction that has less of them; 0: nothing. */
static uint64_t
weight(const struct clocks_net *net, size_t link)
{
	uint64_t n = net->link[link].messages, back = net->link[link ^ 1].messages;

	return n | back ? (n < back ? n : back) + 1 : 0;
}

/*
 * Drifts of all hosts: each against one that is known, over a tree of the pairs that tell most. The first of those that
 * messages connect is right.
 */
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

/* The bound that each link gives, less a margin. */
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

/*
 * Links that lead back to where they began, and whose bounds are less than 0 together: no offsets suit them. Each is
 * the host's `way`, from the one that is given on. NO_HOST: there are none.
 */
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

			/* A difference of less than a picosecond is rounding. */
			if (h[l->from].hi > h[l->to].hi + l->least + 1e-3) {
				h[l->from].hi = h[l->to].hi + l->least;
				h[l->from].way = i;
				at = l->from;
			}
		}
		if (round > net->n && at != NO_HOST) {
			/* So many steps end in the circle. */
			for (uint32_t i = 0; i < net->n; i++)
				at = net->link[h[at].way].to;
			return at;
		}
	}
	return NO_HOST;
}

/*
 * Moves drifts beyond where a contradiction ends, on the shortest way: repeated, this comes to drifts without any, if
 * there are some (S. Agmon, "The relaxation method for linear inequalities", 1954). False where drifts are not what
 * contradicts.
 */
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

/* Moves drifts until no messages contradict each other, nor would if each took less time by the margin. False where
 * none were found. */
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

/* Returns the ns that rounding to whole nanoseconds can take from a message, if times are
 * scaled: two offsets and two times are rounded. */
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

/* Drifts that suit all messages, with a margin, as wide as one can be found. */
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

/* Bounds lo to hi of each host, from those whose offset is fixed. No messages contradict each other. */
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

/* With bounds on both sides it is in their middle; with one it moves only as far as it must. */
static void
fix(struct host *h, double unmoved)
{
	h->fixed = true;
	if (!isinf(h->lo) && !isinf(h->hi))
		h->offset = (h->lo + h->hi) / 2;
	else
		h->offset = unmoved < h->lo ? h->lo : unmoved > h->hi ? h->hi : unmoved;
}

/* Offset 0 of a host is that of its first call; where times stay as they are it is this. */
static double
unmoved(const struct host *h, const struct host *first)
{
	return (double)(int64_t)(h->base - first->base);
}

/* Those that all others are measured by. */
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

/* First all that have bounds on both sides, then the others, one after the other. */
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

/* Finds offsets when none suit all messages: each pair in the tree gets the middle of the
 * limits of its two directions. */
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
