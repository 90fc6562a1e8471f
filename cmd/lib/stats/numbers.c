/* numbers.c - what is kept of the values of a column that are numbers: sums, squares, distributions. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stats/accumulator.h"

static void
tally_merge(void *element, const void *other, const struct merging *how)
{
	struct tally *to = element;
	const struct tally *from = other;

	(void)how;
	to->n += from->n;
	to->lo += from->lo;
	to->hi += from->hi + (to->lo < from->lo);
	to->not_min = from->not_min > to->not_min ? from->not_min : to->not_min;
	to->max = from->max > to->max ? from->max : to->max;
}

static INLINE void
tally_add(struct tally *a, uint64_t v)
{
	a->n++;
	a->lo += v;
	a->hi += a->lo < v;
	if (unlikely(~v > a->not_min))
		a->not_min = ~v;
	if (unlikely(v > a->max))
		a->max = v;
}

/* Many values of one group: kept in registers. */
static void
tally_run(struct tally *a, const uint64_t *v, uint32_t n)
{
	struct tally t = *a;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t x = v[i], not_x = ~x;

		t.lo += x;
		t.hi += t.lo < x;
		t.not_min = not_x > t.not_min ? not_x : t.not_min;
		t.max = x > t.max ? x : t.max;
	}
	t.n += n;
	*a = t;
}

/* Few groups, many values: four tallies each, as one would wait for itself. */
#define GROUPS_FEW 8
#define MARK_GROUPS 64

static void
tally_few(struct tally *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
	  uint32_t n)
{
	struct tally part[4][GROUPS_FEW];

	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			part[i][k] =
			    (struct tally){.not_min = num[k].not_min, .max = num[k].max};
	for (uint32_t i = 0; i < n; i++)
		tally_add(&part[i % 4][g[i]], v[i]);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			tally_merge(&num[k], &part[i][k], NULL);
}

/* Values that are 0 or 1: nobody asks for their least and greatest. */
static void
tally_marks(struct tally *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
	    uint32_t n)
{
	uint16_t part[MARK_GROUPS][2] = {{0}};

	if (ngroups > MARK_GROUPS) {
		for (uint32_t i = 0; i < n; i++) {
			num[g[i]].n++;
			num[g[i]].lo += v[i];
		}
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		part[g[i]][v[i]]++;
	for (uint32_t k = 0; k < ngroups; k++) {
		num[k].n += (uint32_t)part[k][0] + part[k][1];
		num[k].lo += part[k][1];
	}
}

bool
one_group(const uint32_t *g, uint32_t n)
{
	uint32_t differ = 0;

	if (g[0] != g[n - 1])
		return false;
	for (uint32_t i = 1; i < n; i++)
		differ |= g[i] ^ g[0];
	return !differ;
}

static void
num_add(struct stats *st, size_t c, unsigned class, const uint32_t *g, const uint64_t *v,
	uint32_t n)
{
	struct tally *num =
	    column_room(&st->col[c], KEPT_NUM, class, st->ngroups, sizeof *num);

	if (st->spec->col[c].kind >= COL_MARKS)
		tally_marks(num, st->ngroups, g, v, n);
	else if (one_group(g, n))
		tally_run(&num[g[0]], v, n);
	else if (st->ngroups <= GROUPS_FEW && n >= BATCH / 4)
		tally_few(num, st->ngroups, g, v, n);
	else
		for (uint32_t i = 0; i < n; i++)
			tally_add(&num[g[i]], v[i]);
}

/* Writes the lines of all classes, which stand in front of those of other accumulators. */
static void
num_write(struct parts_writer *w, const struct place *of)
{
	for (unsigned k = 0; k < CLASSES && !of->class; k++) {
		const struct tally *t = column_tally(of->col, k, of->g);
		struct wide sum = wide_words((const uint64_t[]){t->lo, t->hi}, 2);
		uint64_t c = of->c;

		if (!t->n)
			continue;
		parts_line(w, "%u n %s\t%u", c, partial_class[k], t->n);
		parts_line(w, "%u sum %s\t%w", c, partial_class[k], &sum);
		parts_line(w, "%u min %s\t%u", c, partial_class[k], ~t->not_min);
		parts_line(w, "%u max %s\t%u", c, partial_class[k], t->max);
	}
}

static void
num_read(const struct reader *r, const struct place *to)
{
	struct tally more = {0};
	const char *what = r->word[1];
	uint64_t sum[2];

	if (!strcmp(what, "sum")) {
		partial_words(r, r->number, sum, 2);
		more.lo = sum[0];
		more.hi = sum[1];
	} else if (!strcmp(what, "n"))
		more.n = partial_value(r);
	else if (!strcmp(what, "min"))
		more.not_min = ~partial_value(r);
	else
		more.max = partial_value(r);
	tally_merge(to->element, &more, NULL);
}

const struct accumulator acc_num = {sizeof(struct tally),
				    CLASSES,
				    .add = num_add,
				    .merge = tally_merge,
				    .write = num_write,
				    .read = num_read,
				    .lines = {"n", "sum", "min", "max"}};

static void
add_square(struct square *s, uint64_t v)
{
	uint64_t lo, hi;

	mul64(v, v, &lo, &hi);
	s->w[0] += lo;
	hi += s->w[0] < lo; /* at most 2^64 - 2 before */
	s->w[1] += hi;
	s->w[2] += s->w[1] < hi;
}

static void
square_add(struct stats *st, size_t c, unsigned class, const uint32_t *g, const uint64_t *v,
	   uint32_t n)
{
	struct square *square =
	    column_room(&st->col[c], KEPT_SQUARE, class, st->ngroups, sizeof *square);

	for (uint32_t i = 0; i < n; i++)
		add_square(&square[g[i]], v[i]);
}

static void
square_merge(void *element, const void *other, const struct merging *how)
{
	struct square *to = element;
	const struct square *from = other;
	uint64_t carry = 0;

	(void)how;
	for (int i = 0; i < 3; i++) {
		uint64_t sum = to->w[i] + from->w[i], over = sum < from->w[i];

		to->w[i] = sum + carry;
		carry = over + (to->w[i] < carry);
	}
}

static void
square_write(struct parts_writer *w, const struct place *of)
{
	const struct square *s = of->element;
	struct wide sum = wide_words(s->w, 3);

	if (!wide_zero(&sum))
		parts_line(w, "%u squares %s\t%w", (uint64_t)of->c,
			   partial_class[of->class], &sum);
}

static void
square_read(const struct reader *r, const struct place *to)
{
	struct square more;

	partial_words(r, r->number, more.w, 3);
	square_merge(to->element, &more, NULL);
}

const struct accumulator acc_square = {sizeof(struct square), TEXTS,
				       .add = square_add,     .merge = square_merge,
				       .write = square_write, .read = square_read,
				       .lines = {"squares"}};

/* Returns the number of the interval of a magnitude by powers of two: 0 of 0, else POWER_ONE and
 * the binary exponent. A value in parts of 10^-9 has that of the value itself. */
static uint64_t
power_of(uint64_t v, bool nano)
{
	unsigned down = 0;

	if (!v)
		return 0;
	if (nano && v < 1000000000) {
		while (v << down < 1000000000)
			down++;
		return POWER_ONE - down;
	}
	return POWER_ONE + 63 - leading_zeros64(nano ? v / 1000000000 : v);
}

static void
hist_add(struct stats *st, size_t c, unsigned class, const uint32_t *g, const uint64_t *v,
	 uint32_t n)
{
	const struct col *spec = &st->spec->col[c];
	uint64_t divided[BATCH];
	struct hists *hists;

	if (spec->powers) {
		bool nano = class >= NANO_POS && !spec->time;

		for (uint32_t i = 0; i < n; i++)
			divided[i] = power_of(v[i], nano);
		v = divided;
		/* Fractions and whole numbers have one scale. */
		class = spec->time ? class : class % 2;
	} else if (spec->div) {
		/* Values become numbers of intervals: hist(size,1K). */
		uint64_t by = spec->div;

		if (class >= NANO_POS && !spec->div_time)
			by = by > UINT64_MAX / 1000000000 ? UINT64_MAX : by * 1000000000;
		for (uint32_t i = 0; i < n; i++)
			/* Down, also below zero: -1 is in the interval that ends at 0. */
			divided[i] = v[i] / by + (class % 2 && v[i] % by != 0);
		v = divided;
	}
	hists = &st->col[c].kept[KEPT_HIST][class].hists;
	hists_room(hists, st->ngroups);
	hists_add(hists, g, v, n, spec_bits(st->spec, c));
}

static void
hist_merge(void *to, const void *from, const struct merging *how)
{
	(void)to;
	(void)from;
	hists_room(&how->into->hists, how->ngroups);
	hists_merge(&how->into->hists, how->to, &how->of->hists, how->from, how->bits);
}

static void
hist_write(struct parts_writer *w, const struct place *of)
{
	const struct hists *h = &of->col->kept[KEPT_HIST][of->class].hists;
	unsigned bits = spec_bits(of->st->spec, of->c);
	bool exact = hist_exact(of->element);
	struct bucket *b = NULL;
	size_t n = 0;

	if (of->g < h->cap)
		b = hists_buckets(h, of->g, bits, &n);
	for (size_t i = 0; i < n; i++)
		parts_line(w, exact ? "%u value %s %u\t%u" : "%u bucket %s %u\t%u",
			   (uint64_t)of->c, partial_class[of->class],
			   exact ? b[i].low : (uint64_t)hist_index(b[i].low, bits),
			   (uint64_t)b[i].count);
	free(b);
}

static void
hist_read(const struct reader *r, const struct place *to)
{
	struct hists *h = &to->col->kept[KEPT_HIST][to->class].hists;
	unsigned bits = spec_bits(to->st->spec, to->c);
	uint64_t v = partial_at(r, 3);

	hists_room(h, to->st->ngroups);
	if (*r->word[1] == 'v') {
		hists_add_times(h, to->g, v, partial_value(r), bits);
		return;
	}
	if (v > hist_index(UINT64_MAX, bits))
		partial_refuse(r, "no such bucket");
	hists_add_bucket(h, to->g, (uint32_t)v, partial_value(r), bits);
}

const struct accumulator acc_hist = {sizeof(struct hist), TEXTS,
				     .add = hist_add,	  .merge = hist_merge,
				     .clear = hist_free,  .write = hist_write,
				     .read = hist_read,	  .lines = {"value", "bucket"},
				     .exact = hist_exact};

void
column_count(struct column *col, unsigned class, uint32_t ngroups, const uint32_t *g,
	     const uint64_t *v, uint32_t n)
{
	struct tally *num;
	struct hists *hists = &col->kept[KEPT_HIST][class].hists;

	if (!n)
		return;
	num = column_room(col, KEPT_NUM, class, ngroups, sizeof *num);
	for (uint32_t i = 0; i < n; i++)
		tally_add(&num[g[i]], v[i]);
	hists_room(hists, ngroups);
	hists_add(hists, g, v, n, SPEC_BITS);
}
