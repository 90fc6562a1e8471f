/* density.c - finds the part of the time with nearly all events, if it is a small part of a picture. */
#include <string.h>

#include "event/value.h"
#include "trace-plot/plot.h"

static COLD void
fold(struct density *c)
{
	uint64_t count[TOUCHED_MOST] = {0};
	uint32_t to[TOUCHED_MOST];

	touched_fold(&c->blocks, 0, to);
	for (uint32_t i = 0; i < TOUCHED_MOST; i++)
		count[to[i]] += c->count[i];
	memcpy(c->count, count, sizeof count);
}

static void
density_add_one(struct density *c, uint64_t x, uint64_t n)
{
	uint32_t row;

	while ((row = touched_row(&c->blocks, 0, x)) == NO_ROW)
		fold(c);
	c->count[row] += n;
}

void
density_add(struct density *c, const int64_t *time, uint32_t n)
{
	uint32_t same;

	/* Times as unsigned numbers; most are in the block of the previous one. */
	for (uint32_t i = 0; i < n; i += same) {
		unsigned j = c->blocks.j;

		for (same = 1; i + same < n && time[i + same] >> j == time[i] >> j;)
			same++;
		density_add_one(c, (uint64_t)time[i] ^ 1ull << 63, same);
	}
}

bool
density_block(struct density *c, unsigned j, uint64_t at, uint64_t n)
{
	if (j > 63 || at > UINT64_MAX >> j)
		return false;
	/* Blocks are at least as large as the blocks of this part. */
	while (c->blocks.j < j)
		if (c->blocks.n)
			fold(c);
		else
			c->blocks.j = j;
	density_add_one(c, at << j, n);
	return true;
}

static const char *
limit_text(const struct plot *p, const char *option, int64_t time)
{
	struct buf b = {0};

	put_all(&b, option);
	value_time(&b, p->clock, time ^ p->flip);
	while (p->clock == CLOCK_NS && b.p[b.n - 1] == '0')
		b.n--;
	b.n -= b.p[b.n - 1] == '.';
	return draw_text(&b);
}

bool
density_part(const struct plot *p, struct plot_part *part)
{
	const struct density *c = &p->density;
	struct touched_block v[TOUCHED_MOST];
	uint32_t n = touched_all(&c->blocks, v), from = 0, first = 0, last = n;
	uint64_t all = 0, within = 0, best = UINT64_MAX, most;

	for (uint32_t i = 0; i < n; i++)
		all += c->count[v[i].row];
	most = all - all / 100;
	/* Find the shortest range of blocks with more than 99 %. */
	for (uint32_t i = 0; i < n; i++) {
		within += c->count[v[i].row];
		for (; from < i && within - c->count[v[from].row] >= most; from++)
			within -= c->count[v[from].row];
		if (within >= most && v[i].at - v[from].at < best) {
			best = v[i].at - v[from].at;
			first = from;
			last = i;
		}
	}
	if (!all || last >= n)
		return false;
	/* Nearby blocks belong to the part. */
	while (first && v[first].at - v[first - 1].at <= best / 16 + 1)
		first--;
	while (last + 1 < n && v[last + 1].at - v[last].at <= best / 16 + 1)
		last++;
	best = v[last].at - v[first].at;
	if (!first && last + 1 == n)
		return false;
	if (shift_most(best + 1, c->blocks.j) > span_of(p) / 20)
		return false;
	*part = (struct plot_part){true, INT64_MIN, INT64_MAX, all};
	for (uint32_t i = first; i <= last; i++)
		part->beyond -= c->count[v[i].row];
	if (first > 0)
		part->from = (int64_t)(v[first].at << c->blocks.j ^ 1ull << 63);
	if (last + 1 < n)
		part->to = (int64_t)((v[last].at + 1) << c->blocks.j ^ 1ull << 63);
	return true;
}

bool
density_cuts(const struct plot *p, const struct plot_part *part)
{
	int64_t from = part->from > p->first ? part->from : p->first,
		to = part->to < p->last ? part->to : p->last;
	uint64_t within = 0, beyond = 0;

	if ((uint64_t)to - (uint64_t)from > span_of(p) / 200)
		return false;
	EACH_BIN (&p->bins, i) {
		bool in = bins_low(&p->bins, i) < to &&
			  (i == p->bins.hi || bins_low(&p->bins, i + 1) > from);

		for (uint32_t k = 0; k < p->bins.nslots && p->kind->lasts; k++)
			*(in ? &within : &beyond) =
			    add_most(in ? within : beyond, bins_at(&p->bins, i)[k]);
	}
	return beyond <= within / 100;
}

/* Returns how many events are before and after the part, and when, or "" if there are none. */
static const char *
beyond_text(const struct plot *p)
{
	uint64_t n = p->beyond[0].n + p->beyond[1].n;
	const char *text = "";

	for (unsigned i = 0; i < 2; i++) {
		const struct plot_beyond *far = &p->beyond[i];
		bool one = far->first >= far->last;

		if (far->n)
			text =
			    joined(text, *text ? " and " : "", scaled(SCALE_EXACT, far->n),
				   " ", events_of(p, far->n), one ? " at " : " from ",
				   far_text(p, far->first), one ? "" : " to ",
				   one ? "" : far_text(p, far->last));
	}
	return n ? joined(text, n == 1 ? " is" : " are", " not shown, nor counted (--all)")
		 : "";
}

const char *
density_report(const struct plot *p)
{
	struct plot_part part;

	if (p->opts.part.set)
		return beyond_text(p);
	if (p->opts.all || !density_part(p, &part))
		return "";
	return joined("over 99 % of all lies in 5 % of the time:",
		      part.from > INT64_MIN ? limit_text(p, " --from ", part.from) : "",
		      part.to < INT64_MAX ? limit_text(p, " --to ", part.to) : "",
		      " shows it");
}
