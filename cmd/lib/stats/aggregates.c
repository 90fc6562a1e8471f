/* aggregates.c - the tables of accumulators and aggregates, and the functions that print aggregates. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "stats/accumulator.h"

/* Computes the variance *num / *den as (n * squares - sum^2) / (n * (n - 1)), in squares of the value's unit.
 * Returns false if there is none. */
static bool
variance(const struct stats_column *c, uint32_t g, struct wide *num, struct wide *den,
	 bool *nano)
{
	struct swide sum = column_sum(c, g, nano);
	struct wide n = wide_u64(column_numbers(c, g)), squares = {{0}}, one = wide_u64(1);

	if (wide_cmp(&n, &one) <= 0)
		return false;
	for (unsigned k = 0; k < TEXTS; k++) {
		const struct square *s = column_kept(c, KEPT_SQUARE, k, g, sizeof *s);
		struct wide w = wide_words(s->w, 3);

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

/* Returns the variance, or its root. */
static struct ratio
variance_ratio(const struct result *x)
{
	bool root = x->a->is->second;
	struct ratio r = {.trim = true};
	bool nano;

	if (!variance(x->c, x->g, &r.a.m, &r.b, &nano))
		return r;
	/* Whole numbers get six decimals; times end at ns, or at ns^2. */
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

/* Returns the intervals of a group, *n of them; none if there is no such group. With many intervals, several may
 * share a bucket: see spec_bits. */
static struct hist_step *
hist_steps(const struct stats *st, const struct agg *a, uint32_t g, size_t *n)
{
	static const unsigned order[] = {NANO_NEG, INT_NEG, INT_POS, NANO_POS};
	const struct stats_column *c = &st->col[a->col];
	struct hist_step *step = NULL;
	size_t cap = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned k = order[i];
		const struct hists *h = &c->kept[KEPT_HIST][k].hists;
		struct bucket *v;
		size_t nv;

		if (g >= h->cap)
			continue;
		v = hists_buckets(h, g, spec_bits(st->spec, (size_t)a->col), &nv);
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

/* Returns the values of a group, *n of them; if they are counted in buckets, the greatest of each bucket. */
static struct hist_step *
cdf_steps(const struct stats *st, const struct agg *a, uint32_t g, size_t *n)
{
	size_t nv;
	struct slice *v = column_slices(&st->col[a->col], g, st->spec->bits, &nv);
	struct hist_step *step = xcalloc(nv, sizeof *step);

	for (size_t i = 0; i < nv; i++) {
		/* A fraction may equal a whole number. */
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
	return (a->is->kind == AGG_CDF ? cdf_steps : hist_steps)(st, a, g, n);
}

/* Appends the end of an interval by powers of two that is nearer to 0. */
static void
put_power(struct buf *b, struct class_value at)
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

/* Appends LOW:COUNT for each interval that has values, or VALUE:SHARE for cdf, with commas between. */
static void
put_steps(struct buf *b, const struct result *r)
{
	size_t n;
	struct hist_step *step = stats_steps(r->st, r->a, r->g, &n);
	struct wide all = wide_u64(column_numbers(r->c, r->g));
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		struct swide part = {wide_u64(sum += step[i].count), false};
		struct ratio share;
		uint8_t *p;

		if (i)
			buf_byte(b, ',');
		stats_put_step(b, r->st, r->a, &step[i]);
		buf_byte(b, ':');
		p = buf_room(b, WIDE_DIGITS + PUT_SLACK);
		share = ratio_of(&part, &all);
		buf_to(b, r->a->is->kind == AGG_CDF ? ratio_put(p, &share)
						    : put_u64(p, step[i].count));
	}
	free(step);
}

static void
buf_number(struct buf *b, uint64_t n)
{
	buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), n));
}

/* Appends VALUE:COUNT, the most frequent first, and the possible excess if there is one; for mode only the value. */
static void
put_top(struct buf *b, const struct result *r)
{
	struct top *t = r->element;
	bool counts = r->a->is->kind == AGG_TOP;

	top_sort(t);
	for (uint32_t i = 0; i < t->n && i < (counts ? r->a->num : 1); i++) {
		if (i)
			buf_add(b, ",", 1);
		datum_put(b, &t->entry[i].datum);
		if (counts) {
			buf_add(b, ":", 1);
			buf_number(b, t->entry[i].count);
		}
		if (counts && t->entry[i].error) {
			buf_add(b, "-", 1);
			buf_number(b, t->entry[i].error);
		}
	}
}

static uint64_t
events_of(const struct result *r)
{
	return r->g < r->st->ngroups ? r->st->count[r->g] : 0;
}

/* Appends the number of values in a group: of a field, or of events, which may be fractions with --spread. */
static void
put_count(struct buf *b, const struct result *r)
{
	if (r->st->spec->spread) {
		bool nano;
		struct swide sum = column_sum(r->c, r->g, &nano);

		buf_to(b, swide_put(buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK), &sum,
				    nano ? 9 : 0, true));
		return;
	}
	buf_number(b, r->c ? column_numbers(r->c, r->g) + column_tally(r->c, TEXTS, r->g)->n
			   : events_of(r));
}

static void
put_sum(struct buf *b, const struct result *r)
{
	bool nano;
	struct swide sum = column_sum(r->c, r->g, &nano);

	if (column_numbers(r->c, r->g))
		buf_to(b, swide_put(buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK), &sum,
				    nano ? 9 : 0, false));
}

static void
put_value(struct buf *b, struct class_value v)
{
	buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), v));
}

static void
put_extreme(struct buf *b, const struct result *r)
{
	struct class_value v;

	if (column_extreme(r->c, r->g, r->a->is->second, &v))
		put_value(b, v);
}

bool
totals_slices(struct totals *t, const struct stats_column *c, uint32_t g, unsigned bits)
{
	if (t->slices_col != c || t->slices_group != g) {
		free(t->slices);
		t->slices = column_slices(c, g, bits, &t->nslices);
		t->slices_col = c;
		t->slices_group = g;
	}
	return t->nslices != 0;
}

static void
put_percentile(struct buf *b, const struct result *r)
{
	struct totals *t = r->t;

	if (totals_slices(t, r->c, r->g, r->st->spec->bits))
		put_value(b, slices_percentile(t->slices, t->nslices, r->a->num));
}

/* Returns how many values of a group are 0, and stores the smallest value above 0 in *least; 0 if there is none. */
static uint64_t
ties(const struct result *r, struct class_value *least)
{
	struct totals *t = r->t;
	uint64_t n = 0;

	*least = (struct class_value){0};
	if (!totals_slices(t, r->c, r->g, r->st->spec->bits))
		return 0;
	for (size_t k = 0; k < t->nslices && !least->v; k++) {
		const struct slice *v = &t->slices[k];

		if (!v->low.v && !v->high.v)
			n += v->count;
		else if (v->low.class % 2 == 0)
			*least = v->low;
	}
	return n;
}

static void
put_ties(struct buf *b, const struct result *r)
{
	struct class_value least;

	buf_number(b, ties(r, &least));
}

static void
put_positive(struct buf *b, const struct result *r)
{
	struct class_value least;

	ties(r, &least);
	if (least.v)
		put_value(b, least);
}

/* Adds the time from the first begin to the last end in group g, in units of the clock. */
static void
add_span(struct wide *to, const struct stats *st, const struct stats_column *c, uint32_t g)
{
	size_t i = spec_col_named(st->spec, "end", NULL);
	struct class_value first, last, end;
	struct wide length;
	uint64_t until;

	if (!column_extreme(c, g, false, &first) || !column_extreme(c, g, true, &last))
		return;
	if (column_extreme(&st->col[i], g, true, &end) && value_cmp(end, last) > 0)
		last = end;
	/* Magnitudes get their signs; the distance fits 64 bits unsigned. */
	until = last.class % 2 ? 0 - last.v : last.v;
	length = wide_u64(until - (first.class % 2 ? 0 - first.v : first.v));
	*to = wide_add(to, &length);
}

static void
put_span(struct buf *b, const struct result *r)
{
	const struct stats *parts = r->st->parts;
	struct swide all = {{{0}}, false};
	bool any = column_numbers(r->c, r->g);

	for (uint32_t g = 0; parts && g < parts->ngroups; g++)
		add_span(&all.m, parts, &parts->col[r->a->col], g);
	if (!parts)
		add_span(&all.m, r->st, r->c, r->g);
	if (any)
		buf_to(b, swide_put(buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK), &all,
				    r->st->clock == CLOCK_NS ? 9 : 0, false));
}

static void
put_distinct(struct buf *b, const struct result *r)
{
	buf_number(b, set_count(r->element));
}

static uint64_t
pages_of(const struct stats_column *c, uint32_t g)
{
	return pages_count(column_kept(c, KEPT_PAGES, 0, g, sizeof(struct page_set)),
			   c->keep);
}

/* Appends how many units a group touches; for a group joined from rows, the sum of the rows. */
static void
put_footprint(struct buf *b, const struct result *r)
{
	const struct stats *parts = r->st->parts;
	uint64_t n = 0;

	for (uint32_t g = 0; parts && g < parts->ngroups; g++)
		n += pages_of(&parts->col[r->a->col], g);
	buf_number(b, parts ? n : pages_of(r->c, r->g));
}

static void
put_end(struct buf *b, const struct result *r)
{
	const struct end_value *e = r->element;

	if (e->any)
		datum_put(b, &e[r->a->is->second].datum);
}

static struct ratio
mean_ratio(const struct result *r)
{
	return column_mean(r->c, r->g);
}

static struct ratio
share_ratio(const struct result *r)
{
	struct swide part = {wide_u64(events_of(r)), false};
	struct wide all = wide_u64(r->t->count);
	bool nano;

	if (r->c) {
		part = column_sum(r->c, r->g, &nano);
		if (!nano)
			part.m = wide_scale(part.m, 9);
		all = r->t->sum[r->a->col].m;
		part.neg ^= r->t->sum[r->a->col].neg && !wide_zero(&part.m);
	}
	return ratio_of(&part, &all);
}

static struct ratio
rate_ratio(const struct result *r)
{
	struct swide part = {wide_u64(events_of(r)), false};
	struct wide span = wide_u64(r->t->span);
	bool nano = false;

	if (r->c)
		part = column_sum(r->c, r->g, &nano);
	if (r->st->clock == CLOCK_NS)
		part.m = wide_scale(part.m, 9);
	if (nano)
		span = wide_scale(span, 9);
	return ratio_of(&part, &span);
}

/* Returns the share of 1 among the values of a group, which are 0 or 1. */
static struct ratio
marks_ratio(const struct result *r)
{
	bool nano;
	struct swide part = column_sum(r->c, r->g, &nano);
	struct wide n = wide_u64(column_numbers(r->c, r->g));

	return ratio_of(&part, &n);
}

/* Returns the time that is covered by events, or the time with an event in progress, as a part of the window. */
static struct ratio
depth_ratio(const struct result *r)
{
	const struct overlap *o = r->element;
	struct wide length = wide_u64(r->t->length);
	struct swide time = {
	    r->a->is->second ? wide_u64(o->busy) : wide_words(o->covered, 2), false};

	return ratio_of(&time, &length);
}

static void
put_depth_most(struct buf *b, const struct result *r)
{
	const struct overlap *o = r->element;

	if (r->t->length)
		buf_number(b, o->most);
}

static const struct accumulator acc_depth = {sizeof(struct overlap), 1, .merge = sums_merge,
					     .sums = {{2, SUM}, {1, SUM}, {1, GREATEST}}};

static void
states_clear(void *element)
{
	struct states *s = element;

	free(s->enter);
	free(s->leave);
	*s = (struct states){0};
}

/* Accumulators with data that the next event of a group needs. */
static const struct accumulator chain = {.size = sizeof(struct chain), .arrays = 1},
				states = {sizeof(struct states), 1, .clear = states_clear};

const struct accumulator *const accumulators[KEPT_MOST] = {
    [KEPT_NUM] = &acc_num,     [KEPT_SQUARE] = &acc_square, [KEPT_HIST] = &acc_hist,
    [KEPT_SET] = &acc_set,     [KEPT_PAGES] = &acc_pages,   [KEPT_TOP] = &acc_top,
    [KEPT_ENDS] = &acc_ends,   [KEPT_CHAIN] = &chain,	    [KEPT_STATES] = &states,
    [KEPT_DEPTH] = &acc_depth,
};

#define VARIES FUNC_JOINED
#define SQUARES (ACC_NUM | ACC_SQUARE)
#define VALUES (ACC_NUM | ACC_HIST)

const struct aggregate aggregates[] = {
    {"count", ACC_NUM, M_NUMBER, AGG_COUNT, .bare = true, .put = put_count, .shared = true},
    {"sum", ACC_NUM, VARIES, .put = put_sum, .shared = true},
    {"mean", ACC_NUM, VARIES, .ratio = mean_ratio},
    {"avg", ACC_NUM, VARIES, .ratio = mean_ratio},
    {"min", ACC_NUM, VARIES, .put = put_extreme},
    {"max", ACC_NUM, VARIES, .put = put_extreme, .second = true},
    {"var", SQUARES, M_NUMBER, .ratio = variance_ratio},
    {"sd", SQUARES, VARIES, .ratio = variance_ratio, .second = true},
    {"std", SQUARES, VARIES, .ratio = variance_ratio, .second = true},
    {"stddev", SQUARES, VARIES, .ratio = variance_ratio, .second = true},
    {"median", VALUES, VARIES, AGG_PERCENTILE, .put = put_percentile, .of = KEPT_HIST},
    {"ties", VALUES, M_NUMBER, .put = put_ties},
    {"positive", VALUES, VARIES, .put = put_positive, .of = KEPT_HIST},
    {"span", 0, M_TIME, AGG_SPAN, .bare = true, .put = put_span},
    {"mode", ACC_TOP, VARIES, AGG_MODE, .put = put_top, .of = KEPT_TOP},
    {"distinct", ACC_SET, M_NUMBER, .put = put_distinct, .of = KEPT_SET},
    {"first", ACC_ENDS, VARIES, .of = KEPT_ENDS, .put = put_end},
    {"last", ACC_ENDS, VARIES, .of = KEPT_ENDS, .put = put_end, .second = true},
    {"rate", ACC_NUM, M_NUMBER, AGG_RATE, .bare = true, .ratio = rate_ratio,
     .shared = true},
    {"share", ACC_NUM, M_NUMBER, AGG_SHARE, .bare = true, .ratio = share_ratio,
     .shared = true},
    {"depth", 0, M_NUMBER, .bare = true, .ratio = depth_ratio, .of = KEPT_DEPTH,
     .shared = true},
    {"depth_most", 0, M_NUMBER, .bare = true, .put = put_depth_most, .of = KEPT_DEPTH,
     .shared = true},
    {"busy", 0, M_NUMBER, .bare = true, .ratio = depth_ratio, .of = KEPT_DEPTH,
     .second = true, .shared = true},
    {"hist", VALUES, M_TEXT, AGG_HIST, .arg = true, .put = put_steps},
    {"top", ACC_TOP, M_TEXT, AGG_TOP, .arg = true, .put = put_top, .of = KEPT_TOP},
    {"cdf", VALUES, M_TEXT, AGG_CDF, .put = put_steps},
    {"footprint", ACC_PAGES | ACC_NUM, M_NUMBER, .bare = true, .arg = true,
     .column = ".pages", .put = put_footprint, .of = KEPT_PAGES},
    {"sequential", ACC_NUM, M_NUMBER, .bare = true, .column = ".sequential",
     .ratio = marks_ratio},
    {"unaligned", ACC_NUM, M_NUMBER, .bare = true, .arg = true, .column = ".unaligned",
     .ratio = marks_ratio},
    {0},
};

unsigned
accumulators_taking(unsigned acc)
{
	unsigned taking = 0;

	for (; acc; acc &= acc - 1)
		if (accumulators[trailing_zeros64(acc)]->take)
			taking |= acc & (0 - acc);
	return taking;
}

static struct result
result_of(const struct stats *st, const struct agg *a, struct totals *t, uint32_t g)
{
	const struct stats_column *c = a->col >= 0 ? &st->col[a->col] : NULL;
	unsigned of = a->is->of;

	return (struct result){
	    st, a, c, t, g, c ? column_kept(c, of, 0, g, accumulators[of]->size) : NULL};
}

bool
column_exact(const struct stats_column *c, unsigned kept, uint32_t g)
{
	const struct accumulator *is = accumulators[kept];
	bool exact = true;

	for (unsigned k = 0; k < is->arrays && is->exact; k++)
		exact &= is->exact(column_kept(c, kept, k, g, is->size));
	return exact;
}

bool
stats_exact(const struct stats *st, const struct agg *a, uint32_t g)
{
	/* Percentiles 0 and 100, the smallest and the greatest value, are exact. */
	return a->col < 0 || (a->is->kind == AGG_PERCENTILE && a->num % 100000000 == 0) ||
	       column_exact(&st->col[a->col], a->is->of, g);
}

bool
stats_ratio(const struct stats *st, const struct agg *a, struct totals *t, uint32_t g,
	    struct ratio *r)
{
	struct result x = result_of(st, a, t, g);

	if (a->is->ratio)
		*r = a->is->ratio(&x);
	return a->is->ratio;
}

void
stats_put(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	  uint32_t g)
{
	struct result x = result_of(st, a, t, g);
	size_t before = b->n;
	struct ratio ratio;

	if (a->is->ratio) {
		ratio = a->is->ratio(&x);
		buf_to(b, ratio_put(buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK), &ratio));
	} else
		a->is->put(b, &x);
	if (b->n == before)
		buf_byte(b, '-');
}
