/* stats_put.c - groups as a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "stats/stats.h"

#define SECOND 1000000000u

/* Rows of windows without events: these, and so many for each row that has some. */
#define EMPTY_ROWS (1u << 20)
#define EMPTY_EACH 256

/* What all rows share. */
struct totals {
	uint64_t count;
	struct swide *sum; /* by column */
	uint64_t span;	   /* ns or ticks that a rate is over; 0 = none */
	bool exact_hist, exact_set, exact_top;
	struct slice *slices; /* of the percentile before this one */
	size_t nslices;
	const struct column *slices_col;
	uint32_t slices_group;
	uint64_t top_error; /* the greatest bound that was not met exactly */
};

static void
total(const struct stats *st, struct totals *t)
{
	const struct spec *spec = st->spec;

	*t = (struct totals){.exact_hist = true, .exact_set = true, .exact_top = true};
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
			t->exact_hist &= column_exact(col, g);
			t->exact_set &= g >= col->set_cap || set_exact(&col->set[g]);
			if (g < col->top_cap && col->top[g].missed) {
				t->exact_top = false;
				if (col->top[g].missed > t->top_error)
					t->top_error = col->top[g].missed;
			}
		}
	}
	if (spec->pane)
		t->span = st->clock == CLOCK_NS ? spec->window : spec->window / SECOND;
	else if (st->timed)
		t->span = st->tmax - st->tmin;
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

static uint8_t *
put_variance(uint8_t *p, const struct column *c, uint32_t g, bool root)
{
	struct wide num, den;
	unsigned decimals;
	bool nano;

	if (!variance(c, g, &num, &den, &nano)) {
		*p++ = '-';
		return p;
	}
	/* Of whole numbers six decimals; of nanoseconds, ns or ns^2. */
	decimals = nano ? (root ? 9 : 18) : 6;
	if (!nano)
		num = wide_scale(num, root ? 12 : 6);
	if (root) {
		/* The root of the rounded quotient times 10^6, then rounded again. */
		num = wide_scale(num, 6);
		num = wide_div_round(&num, &den);
		num = wide_sqrt_round(&num);
		den = wide_u64(1000);
	}
	num = wide_div_round(&num, &den);
	return wide_put_decimal(p, &num, decimals, !nano || !root);
}

/* The lower bound of interval number i of a class. */
static void
put_interval(struct buf *b, const struct col *c, unsigned class, uint64_t i)
{
	struct wide w = wide_u64(i), by = wide_u64(c->div);
	bool nano = class >= NANO_POS;
	uint8_t *p;

	w = wide_mul(&w, &by);
	if (nano && !c->div_time)
		w = wide_scale(w, 9);
	p = buf_room(b, WIDE_DIGITS + PUT_SLACK);
	*p = '-';
	p += class % 2;
	b->n = (size_t)(wide_put_decimal(p, &w, nano ? 9 : 0, false) - b->p);
}

/* LOW:COUNT for each interval that has values, with commas between. */
static void
put_hist(struct buf *b, const struct spec *spec, const struct col *col,
	 const struct column *c, uint32_t g)
{
	static const unsigned order[] = {NANO_NEG, INT_NEG, INT_POS, NANO_POS};
	size_t start = b->n;

	for (unsigned i = 0; i < 4; i++) {
		unsigned k = order[i];
		struct bucket *v;
		size_t n;

		if (g >= c->hist[k].cap)
			continue;
		v = hists_buckets(&c->hist[k], g,
				  col->div ? SPEC_BITS_INTERVALS : spec->bits, &n);
		for (size_t j = 0; j < n;) {
			/* Below zero, the greatest magnitude comes first. */
			size_t at = k % 2 ? n - 1 - j : j;
			uint64_t low = v[at].low, count = v[at].count;

			j++;
			if (!col->div) {
				/* Buckets within the same power of two. */
				unsigned bit = 63 - leading_zeros64(low | 1);

				for (; j < n; j++) {
					const struct bucket *x = &v[k % 2 ? n - 1 - j : j];

					if (!low || !x->low || x->low >> bit != 1)
						break;
					count += x->count;
				}
				low = low ? 1ull << bit : 0;
			}
			if (b->n > start)
				buf_add(b, ",", 1);
			if (col->div)
				put_interval(b, col, k, low);
			else
				buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK),
						    (struct value){k, low}));
			buf_add(b, ":", 1);
			buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), count));
		}
		free(v);
	}
	if (b->n == start)
		buf_add(b, "-", 1);
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

static uint8_t *
put_share(uint8_t *p, const struct stats *st, const struct agg *a, const struct totals *t,
	  uint32_t g)
{
	struct swide part = {wide_u64(g < st->ngroups ? st->count[g] : 0), false};
	struct wide all = wide_u64(t->count);
	bool nano;

	if (a->col >= 0) {
		part = column_sum(&st->col[a->col], g, &nano);
		if (!nano)
			part.m = wide_scale(part.m, 9);
		all = t->sum[a->col].m;
		part.neg ^= t->sum[a->col].neg && !wide_zero(&part.m);
	}
	if (!wide_zero(&all))
		return ratio_put(p, &part, &all);
	*p++ = '-';
	return p;
}

static uint8_t *
put_rate(uint8_t *p, const struct stats *st, const struct agg *a, const struct totals *t,
	 uint32_t g)
{
	struct swide part = {wide_u64(g < st->ngroups ? st->count[g] : 0), false};
	struct wide span = wide_u64(t->span);
	bool nano = false;

	if (a->col >= 0)
		part = column_sum(&st->col[a->col], g, &nano);
	if (st->clock == CLOCK_NS)
		part.m = wide_scale(part.m, 9);
	if (nano)
		span = wide_scale(span, 9);
	if (!wide_zero(&span))
		return ratio_put(p, &part, &span);
	*p++ = '-';
	return p;
}

/* One cell; what it appends is never empty. */
static void
put_cell(struct buf *b, const struct stats *st, const struct agg *a, struct totals *t,
	 uint32_t g)
{
	const struct column *c = a->col >= 0 ? &st->col[a->col] : NULL;
	uint8_t *p = buf_room(b, WIDE_DIGITS + 3 * PUT_SLACK);
	struct value v;
	struct swide sum;
	bool nano;

	switch (a->kind) {
	case AGG_COUNT:
		p = put_u64(p, c ? column_numbers(c, g) + column_tally(c, TEXTS, g)->n
			       : g < st->ngroups ? st->count[g]
						 : 0);
		break;
	case AGG_SUM:
		sum = column_sum(c, g, &nano);
		if (column_numbers(c, g))
			p = swide_put(p, &sum, nano ? 9 : 0, false);
		break;
	case AGG_MEAN:
		if (column_numbers(c, g))
			p = mean_put(p, c, g);
		break;
	case AGG_MIN:
	case AGG_MAX:
		if (column_extreme(c, g, a->kind == AGG_MAX, &v))
			p = value_put(p, v);
		break;
	case AGG_VAR:
	case AGG_SD: p = put_variance(p, c, g, a->kind == AGG_SD); break;
	case AGG_PERCENTILE:
		/* Several of one column share the work. */
		if (t->slices_col != c || t->slices_group != g) {
			free(t->slices);
			t->slices = column_slices(c, g, st->spec->bits, &t->nslices);
			t->slices_col = c;
			t->slices_group = g;
		}
		if (t->nslices)
			p = value_put(p, slices_percentile(t->slices, t->nslices, a->num));
		break;
	case AGG_SHARE: p = put_share(p, st, a, t, g); break;
	case AGG_RATE: p = put_rate(p, st, a, t, g); break;
	case AGG_DISTINCT:
		p = put_u64(p, g < c->set_cap	  ? set_count(&c->set[g])
			       : g < c->pages_cap ? pages_count(&c->pages[g], c->keep)
						  : 0);
		break;
	case AGG_HIST: put_hist(b, st->spec, &st->spec->col[a->col], c, g); return;
	case AGG_MODE:
	case AGG_TOP:
		if (g >= c->top_cap)
			break;
		put_top(b, &c->top[g], a->kind == AGG_MODE ? 1 : a->num,
			a->kind == AGG_TOP);
		return;
	case AGG_FIRST:
	case AGG_LAST:
		if (g < c->first_cap && c->first[g].any) {
			datum_put(b, a->kind == AGG_FIRST ? &c->first[g].datum
							  : &c->last[g].datum);
			return;
		}
		break;
	}
	if (p == b->p + b->n)
		*p++ = '-';
	b->n = (size_t)(p - b->p);
}

static void
put_names(const struct stats *st, struct out *o)
{
	const struct spec *spec = st->spec;
	const char *before = "#";

	if (spec->pane) {
		out_str(o, "#window");
		before = "\t";
	}
	for (size_t i = 0; i < spec->nkeys; i++, before = "\t") {
		out_str(o, before);
		out_name(o, spec->key[i]);
	}
	for (size_t i = 0; i < spec->naggs; i++, before = "\t") {
		out_str(o, before);
		out_name(o, spec->agg[i].text);
	}
	out_str(o, "\n");
}

/* Lines behind the rows, where a program that reads a header and rows has all of them. */
static void
put_notes(const struct totals *t, struct out *o, bool whole)
{
	char text[160];

	if (!whole) {
		out_str(o, "#window: rows without events are left out, too many\n");
		warn("-w: too many rows without events: they are left out, as with "
		     "--no-empty");
	}
	if (!t->exact_set)
		out_str(o, "#distinct: estimated where above 512, standard error " SET_ERROR
			   " (HyperLogLog)\n");
	if (!t->exact_top) {
		snprintf(text, sizeof text,
			 "#%s: counts may be too high by what stands behind the -; a value "
			 "without a counter has at most %llu\n",
			 "top, mode", (unsigned long long)t->top_error);
		out_str(o, text);
	}
}

static void
put_row(struct buf *b, const struct stats *st, struct totals *t, const uint32_t *key,
	struct value window, uint32_t g)
{
	const struct spec *spec = st->spec;
	size_t columns = 0;

	b->n = 0;
	if (spec->pane) {
		buf_to(b, value_put(buf_room(b, 64 + PUT_SLACK), window));
		columns++;
	}
	for (size_t k = 0; k < spec->nkeys; k++) {
		const struct str *s = &st->text.v[key[k]];

		if (columns++)
			buf_add(b, "\t", 1);
		buf_add(b, s->s, s->len);
	}
	for (size_t k = 0; k < spec->naggs; k++) {
		if (columns++)
			buf_add(b, "\t", 1);
		put_cell(b, st, &spec->agg[k], t, g);
	}
	buf_add(b, "\n", 1);
}

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Panes into windows: window k begins at k * step and has the panes of its length. All that
 * hold an event are there, also those that begin before the first. */
static void
slide(struct stats *to, const struct stats *st, const uint32_t *order, uint32_t n)
{
	const struct spec *spec = st->spec;
	int64_t step = (int64_t)(spec->step / spec->pane);
	int64_t length = (int64_t)(spec->window / spec->pane);
	uint32_t *file;

	stats_open(to, spec);
	to->clock = st->clock;
	to->any = st->any;
	free(stats_renumber(&to->text, &st->text));
	file = stats_renumber(&to->files, &st->files);
	for (uint32_t i = 0; i < n; i++) {
		int64_t pane = st->pane[order[i]], k = floor_div(pane, step);

		/* What they are apart is small, though the product may be
		 * beyond 64 bits. */
		for (; k > NO_PANE &&
		       (uint64_t)pane - (uint64_t)k * (uint64_t)step < (uint64_t)length;
		     k--)
			stats_merge_group(
			    to,
			    stats_group(to, st->key + (size_t)order[i] * spec->nkeys, k),
			    st, order[i], file);
	}
	free(file);
}

/*
 * Two events may lie so far apart that the rows between them would never end, and a key
 * for each of many windows makes a square of them. False: so many are there.
 */
static bool
can_show_empty(int64_t first, int64_t last, uint32_t nkeys, uint32_t n)
{
	return (uint64_t)last - (uint64_t)first <
	       (EMPTY_ROWS + (EMPTY_EACH + 1ull) * n) / nkeys;
}

static struct value
window_begin(const struct stats *st, int64_t w)
{
	uint64_t step = st->clock == CLOCK_NS ? st->spec->step : st->spec->step / SECOND;

	/* The first may begin before any time of 64 bits: only its magnitude fits. */
	return (struct value){(st->clock == CLOCK_NS ? NANO_POS : INT_POS) +
				  (unsigned)(w < 0),
			      (w < 0 ? 0 - (uint64_t)w : (uint64_t)w) * step};
}

/* Rows of the windows and keys that have events; order: of groups, n of them. */
static void
put_full(const struct stats *st, struct out *o, struct totals *t, const uint32_t *order,
	 uint32_t n)
{
	struct buf b = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint32_t g = order[i];

		put_row(&b, st, t, st->key + (size_t)g * st->spec->nkeys,
			window_begin(st, st->pane[g]), g);
		out_bytes(o, b.p, b.n);
	}
	buf_free(&b);
}

/* Rows of all windows from the first to the last, for all keys: groups of a table without
 * windows, nkeys in their order. */
static void
put_all(const struct stats *st, struct out *o, struct totals *t, const uint32_t *order,
	uint32_t n, const struct stats *keys, const uint32_t *key_order, uint32_t nkeys)
{
	size_t nk = st->spec->nkeys;
	struct buf b = {0};
	uint32_t at = 0;

	for (int64_t w = st->pane[order[0]]; at < n; w++) {
		struct value begin = window_begin(st, w);

		for (uint32_t k = 0; k < nkeys; k++) {
			const uint32_t *key = keys->key + (size_t)key_order[k] * nk;
			uint32_t g = UINT32_MAX;

			if (at < n && st->pane[order[at]] == w &&
			    (!nk || !memcmp(st->key + (size_t)order[at] * nk, key,
					    nk * sizeof *key)))
				g = order[at++];
			put_row(&b, st, t, key, begin, g);
			out_bytes(o, b.p, b.n);
		}
	}
	buf_free(&b);
}

/* The keys that a table with windows has, as groups of a table without. */
static void
keys_of(struct stats *keys, const struct spec *bare, const struct stats *st)
{
	stats_open(keys, bare);
	free(stats_renumber(&keys->text, &st->text));
	for (uint32_t g = 0; g < st->ngroups; g++) {
		uint32_t k;

		if (!st->count[g])
			continue;
		k = stats_group(keys, st->key + (size_t)g * bare->nkeys, 0);
		keys->count[k] = 1;
	}
}

/* False when rows without events were to be there and are too many. */
static bool
put_windows(const struct stats *st, struct out *o, struct totals *t)
{
	const struct spec *spec = st->spec, bare = {.key = spec->key, .nkeys = spec->nkeys};
	uint32_t n, nkeys, *order = stats_order(st, &n), *key_order;
	struct stats keys;
	bool good = true;

	keys_of(&keys, &bare, st);
	key_order = stats_order(&keys, &nkeys);
	if (n && spec->empty)
		good = can_show_empty(st->pane[order[0]], st->pane[order[n - 1]], nkeys, n);
	if (n && spec->empty && good)
		put_all(st, o, t, order, n, &keys, key_order, nkeys);
	else
		put_full(st, o, t, order, n);
	free(key_order);
	free(order);
	stats_free(&keys);
	return good;
}

bool
stats_put(struct stats *st, struct out *o)
{
	const struct spec *spec = st->spec;
	uint32_t n, *order;
	struct totals t;
	struct buf b = {0};
	struct stats slid;
	bool whole = true;

	order = stats_order(st, &n);
	total(st, &t);
	put_names(st, o);
	if (!spec->pane) {
		for (uint32_t i = 0; i < n; i++) {
			put_row(&b, st, &t, st->key + (size_t)order[i] * spec->nkeys,
				(struct value){0}, order[i]);
			out_bytes(o, b.p, b.n);
		}
	} else if (spec->window == spec->pane && spec->step == spec->pane)
		whole = put_windows(st, o, &t);
	else {
		slide(&slid, st, order, n);
		whole = put_windows(&slid, o, &t);
		stats_free(&slid);
	}
	put_notes(&t, o, whole);
	free(t.slices);
	free(t.sum);
	free(order);
	buf_free(&b);
	return whole;
}
