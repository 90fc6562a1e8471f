/* put.c - what was asked of a group, as text. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "stats/stats.h"

#define SECOND 1000000000u

void
stats_totals(const struct stats *st, struct totals *t)
{
	const struct spec *spec = st->spec;

	*t = (struct totals){0};
	t->sum = xcalloc(spec->ncols, sizeof *t->sum);
	for (uint32_t g = 0; g < st->ngroups; g++) {
		t->count += st->count[g];
		for (size_t c = 0; c < spec->ncols; c++) {
			const struct column *col = &st->col[c];
			bool nano;
			struct swide s = column_sum(col, g, &nano);

			if (!nano)
				s.m = wide_scale(s.m, 9);
			t->sum[c] = swide_add(&t->sum[c], &s);
			if (spec->col[c].kind == COL_PAGES)
				t->cut += column_numbers(col, g);
		}
	}
	if (spec->pane)
		t->span = st->clock == CLOCK_NS ? spec->window : spec->window / SECOND;
	else if (st->timed)
		t->span = st->tmax - st->tmin;
}

void
totals_free(struct totals *t)
{
	free(t->slices);
	free(t->sum);
}

/* Of variance: (n * squares - sum^2) / (n * (n - 1)), in squares of the value's unit. */
static bool
variance(const struct column *c, uint32_t g, struct wide *num, struct wide *den, bool *nano)
{
	struct swide sum = column_sum(c, g, nano);
	struct wide n = wide_u64(column_numbers(c, g)), squares = {{0}}, one = wide_u64(1);

	if (wide_cmp(&n, &one) <= 0)
		return false;
	for (unsigned k = 0; k < TEXTS; k++) {
		struct wide w =
		    g < c->square_cap[k] ? wide_words(c->square[k][g].w, 3) : wide_u64(0);

		if (k < NANO_POS && *nano)
			w = wide_scale(w, 18);
		squares = wide_add(&squares, &w);
	}
	squares = wide_mul(&squares, &n);
	sum.m = wide_mul(&sum.m, &sum.m);
	*num = wide_sub(&squares, &sum.m);
	*den = wide_sub(&n, &one);
	*den = wide_mul(den, &n);
	return true;
}

/* The variance, or its root. */
static struct ratio
variance_ratio(const struct column *c, uint32_t g, bool root)
{
	struct ratio r = {.trim = true};
	bool nano;

	if (!variance(c, g, &r.a.m, &r.b, &nano))
		return r;
	/* Of whole numbers six decimals; of nanoseconds, ns or ns^2. */
	r.decimals = !nano ? 6 : root ? 9 : 18;
	r.trim = !nano || !root;
	if (root) {
		/* Twenty decimals of the root are more than a double has. */
		r.a.m = wide_scale(r.a.m, 40);
		r.a.m = wide_div_round(&r.a.m, &r.b);
		r.a.m = wide_sqrt_round(&r.a.m);
		r.b = wide_u64(1);
		r.b = wide_scale(r.b, 20);
	}
	if (nano)
		r.b = wide_scale(r.b, root ? 9 : 18);
	return r;
}

/* The intervals of a group, or of no events. Up to where they are joined, they are buckets. */
static struct hist_step *
hist_steps(const struct stats *st, const struct agg *a, uint32_t g, size_t *n)
{
	static const unsigned order[] = {NANO_NEG, INT_NEG, INT_POS, NANO_POS};
	const struct column *c = &st->col[a->col];
	struct hist_step *step = NULL;
	size_t cap = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned k = order[i];
		struct bucket *v;
		size_t nv;

		if (g >= c->hist[k].cap)
			continue;
		v = hists_buckets(&c->hist[k], g, spec_bits(st->spec, (size_t)a->col), &nv);
		for (size_t j = 0; j < nv; j++) {
			/* Below zero, the greatest magnitude comes first. */
			size_t at = k % 2 ? nv - 1 - j : j;

			GROW(step, cap, *n + 1);
			step[(*n)++] = (struct hist_step){{k, v[at].low}, v[at].count};
		}
		free(v);
	}
	return step;
}

/* The values of a group; of many, which are counted in buckets, the greatest of each. */
static struct hist_step *
cdf_steps(const struct stats *st, const struct agg *a, uint32_t g, size_t *n)
{
	size_t nv;
	struct slice *v = column_slices(&st->col[a->col], g, st->spec->bits, &nv);
	struct hist_step *step = xcalloc(nv, sizeof *step);

	for (size_t i = 0; i < nv; i++) {
		/* A fraction may be a whole number. */
		if (!*n || value_cmp(step[*n - 1].at, v[i].high) < 0)
			step[(*n)++].at = v[i].high;
		step[*n - 1].count += v[i].count;
	}
	free(v);
	return step;
}

struct hist_step *
stats_steps(const struct stats *st, const struct agg *a, uint32_t g, size_t *n)
{
	*n = 0;
	return (a->kind == AGG_CDF ? cdf_steps : hist_steps)(st, a, g, n);
}

/* The end of an interval by powers of two that is nearer to 0. */
static void
put_power(struct buf *b, struct value at)
{
	uint64_t power = at.v;

	if (power && power < POWER_ONE) {
		double low = 1;

		for (; power < POWER_ONE; power++)
			low /= 2;
		value_double(b, at.class % 2 ? -low : low);
		return;
	}
	at.v = power ? 1ull << ((power - POWER_ONE) & 63) : 0;
	buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), at));
}

void
stats_put_step(struct buf *b, const struct stats *st, const struct agg *a,
	       const struct hist_step *step)
{
	const struct col *c = &st->spec->col[a->col];
	struct wide w = wide_u64(step->at.v), by = wide_u64(c->div);
	bool nano = step->at.class >= NANO_POS;
	uint8_t *p = buf_room(b, WIDE_DIGITS + PUT_SLACK);

	if (!c->div) {
		buf_to(b, value_put(p, step->at));
		return;
	}
	if (c->powers) {
		put_power(b, step->at);
		return;
	}
	w = wide_mul(&w, &by);
	if (nano && !c->div_time)
		w = wide_scale(w, 9);
	*p = '-';
	p += step->at.class % 2;
	buf_to(b, wide_put_decimal(p, &w, nano ? 9 : 0, false));
}

/* LOW:COUNT for each interval that has values, or VALUE:SHARE, with commas between. */
static void
put_steps(struct buf *b, const struct stats *st, const struct agg *a, uint32_t g)
{
	size_t n;
	struct hist_step *step = stats_steps(st, a, g, &n);
	struct wide all = wide_u64(column_numbers(&st->col[a->col], g));
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		struct swide part = {wide_u64(sum += step[i].count), false};
		struct ratio share;
		uint8_t *p;

		if (i)
			buf_byte(b, ',');
		stats_put_step(b, st, a, &step[i]);
		buf_byte(b, ':');
		p = buf_room(b, WIDE_DIGITS + PUT_SLACK);
		share = ratio_of(&part, &all);
		buf_to(b, a->kind == AGG_CDF ? ratio_put(p, &share)
					     : put_u64(p, step[i].count));
	}
	if (!n)
		buf_byte(b, '-');
	free(step);
}

static void
put_count(struct buf *b, uint64_t n)
{
	buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), n));
}

/* VALUE:COUNT, the most frequent first; with the bound of the error where there is one. */
static void
put_top(struct buf *b, struct top *t, uint64_t k, bool counts)
{
	top_sort(t);
	if (!t->n)
		buf_add(b, "-", 1);
	for (uint32_t i = 0; i < t->n && i < k; i++) {
		if (i)
			buf_add(b, ",", 1);
		datum_put(b, &t->entry[i].datum);
		if (counts) {
			buf_add(b, ":", 1);
			put_count(b, t->entry[i].count);
		}
		if (counts && t->entry[i].error) {
			buf_add(b, "-", 1);
			put_count(b, t->entry[i].error);
		}
	}
}

/* How many values a group has: of a field, or of events. */
static uint64_t
count_of(const struct stats *st, const struct column *c, uint32_t g)
{
	if (c)
		return column_numbers(c, g) + column_tally(c, TEXTS, g)->n;
	return g < st->ngroups ? st->count[g] : 0;
}

static struct ratio
share_ratio(const struct stats *st, const struct agg *a, const struct totals *t, uint32_t g)
{
	struct swide part = {wide_u64(count_of(st, NULL, g)), false};
	struct wide all = wide_u64(t->count);
	bool nano;

	if (a->col >= 0) {
		part = column_sum(&st->col[a->col], g, &nano);
		if (!nano)
			part.m = wide_scale(part.m, 9);
		all = t->sum[a->col].m;
		part.neg ^= t->sum[a->col].neg && !wide_zero(&part.m);
	}
	return ratio_of(&part, &all);
}

static struct ratio
rate_ratio(const struct stats *st, const struct agg *a, const struct totals *t, uint32_t g)
{
	struct swide part = {wide_u64(count_of(st, NULL, g)), false};
	struct wide span = wide_u64(t->span);
	bool nano = false;

	if (a->col >= 0)
		part = column_sum(&st->col[a->col], g, &nano);
	if (st->clock == CLOCK_NS)
		part.m = wide_scale(part.m, 9);
	if (nano)
		span = wide_scale(span, 9);
	return ratio_of(&part, &span);
}

static uint64_t
distinct_of(const struct column *c, uint32_t g)
{
	if (g >= c->pages_cap)
		return g < c->set_cap ? set_count(&c->set[g]) : 0;
	return pages_count(&c->pages[g], c->keep);
}

bool
stats_exact(const struct stats *st, const struct agg *a, uint32_t g)
{
	const struct column *c = a->col >= 0 ? &st->col[a->col] : NULL;

	switch (a->kind) {
	/* The least and the greatest are exact. */
	case AGG_PERCENTILE: return a->num % 100000000 == 0 || column_exact(c, g);
	case AGG_DISTINCT: return g >= c->set_cap || set_exact(&c->set[g]);
	case AGG_FOOTPRINT: return g >= c->pages_cap || !c->pages[g].sampled;
	case AGG_MODE:
	case AGG_TOP: return g >= c->top_cap || !c->top[g].missed;
	default: return true;
	}
}

bool
stats_ratio(const struct stats *st, const struct agg *a, const struct totals *t, uint32_t g,
	    struct ratio *r)
{
	const struct column *c = a->col >= 0 ? &st->col[a->col] : NULL;
	struct swide part;
	struct wide n;
	bool nano;

	switch (a->kind) {
	case AGG_MEAN: *r = column_mean(c, g); return true;
	case AGG_VAR:
	case AGG_SD: *r = variance_ratio(c, g, a->kind == AGG_SD); return true;
	case AGG_SHARE: *r = share_ratio(st, a, t, g); return true;
	case AGG_RATE: *r = rate_ratio(st, a, t, g); return true;
	case AGG_SEQUENTIAL:
	case AGG_UNALIGNED: /* of the values of a group, those that are 1 */
		n = wide_u64(column_numbers(c, g));
		part = column_sum(c, g, &nano);
		*r = ratio_of(&part, &n);
		return true;
	default: return false;
	}
}

bool
totals_slices(struct totals *t, const struct column *c, uint32_t g, unsigned bits)
{
	if (t->slices_col != c || t->slices_group != g) {
		free(t->slices);
		t->slices = column_slices(c, g, bits, &t->nslices);
		t->slices_col = c;
		t->slices_group = g;
	}
	return t->nslices != 0;
}

void
stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	  uint32_t g)
{
	const struct column *c = a->col >= 0 ? &st->col[a->col] : NULL;
	uint8_t *p = buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK);
	struct ratio ratio;
	struct value v;
	struct swide sum;
	bool nano;

	if (stats_ratio(st, a, t, g, &ratio))
		p = ratio_put(p, &ratio);
	switch (a->kind) {
	case AGG_COUNT: p = put_u64(p, count_of(st, c, g)); break;
	case AGG_SUM:
		sum = column_sum(c, g, &nano);
		if (column_numbers(c, g))
			p = swide_put(p, &sum, nano ? 9 : 0, false);
		break;
	case AGG_MIN:
	case AGG_MAX:
		if (column_extreme(c, g, a->kind == AGG_MAX, &v))
			p = value_put(p, v);
		break;
	case AGG_PERCENTILE:
		if (totals_slices(t, c, g, st->spec->bits))
			p = value_put(p, slices_percentile(t->slices, t->nslices, a->num));
		break;
	case AGG_DISTINCT:
	case AGG_FOOTPRINT: p = put_u64(p, distinct_of(c, g)); break;
	case AGG_HIST:
	case AGG_CDF: put_steps(b, st, a, g); return;
	case AGG_MODE:
	case AGG_TOP:
		if (g >= c->top_cap)
			break;
		put_top(b, &c->top[g], a->kind == AGG_MODE ? 1 : a->num,
			a->kind == AGG_TOP);
		return;
	case AGG_FIRST:
	case AGG_LAST:
		if (g < c->ends_cap && c->ends[g].first.any) {
			datum_put(b, a->kind == AGG_FIRST ? &c->ends[g].first.datum
							  : &c->ends[g].last.datum);
			return;
		}
		break;
	default: break; /* a quotient */
	}
	if (p == b->p + b->n)
		*p++ = '-';
	buf_to(b, p);
}
