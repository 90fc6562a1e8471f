/* numbers.c - accumulators of numbers: sums, squares, distributions. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stats/accumulator.h"

void
sums_merge(const struct place *place, const struct place *other)
{
	uint64_t *to = place->element;
	const uint64_t *from = other->element;

	for (const struct sum *s = place->is->sums; s->words; s++) {
		uint64_t carry = 0;

		if (s->kind != SUM)
			*to = *from > *to ? *from : *to;
		for (unsigned i = 0; i < s->words; i++, to++, from++) {
			uint64_t sum = *to + *from, over = sum < *from;

			if (s->kind != SUM)
				continue;
			*to = sum + carry;
			carry = over + (*to < carry);
		}
	}
}

void
sums_write(struct parts_writer *w, const struct place *of)
{
	static const uint64_t none[8];
	const uint64_t *v = of->element;

	if (!memcmp(v, none, of->is->size))
		return;
	for (unsigned k = 0; k < 4 && of->is->lines[k]; v += of->is->sums[k++].words) {
		struct wide x = wide_words(v, of->is->sums[k].words);

		if (of->is->sums[k].kind == LEAST)
			x = wide_u64(~*v);
		parts_line(w, "%u %s%s%s\t%w", (uint64_t)of->c, of->is->lines[k],
			   of->is->arrays > 1 ? " " : "",
			   of->is->arrays > 1 ? partial_class[of->class] : "", &x);
	}
}

void
sums_read(const struct partial_reader *r, const struct place *to)
{
	uint64_t more[8] = {0}, *v = more;
	const struct sum *s = to->is->sums;

	for (unsigned k = 0; strcmp(to->is->lines[k], r->word[1]) != 0; k++)
		v += s++->words;
	if (s->words > 1)
		partial_words(r, r->number, v, s->words);
	else
		*v = partial_value(r) ^ (s->kind == LEAST ? UINT64_MAX : 0);
	sums_merge(to, &(struct place){.element = more});
}

static INLINE void
tally_add(struct class_sum *a, uint64_t v)
{
	a->n++;
	a->lo += v;
	a->hi += a->lo < v;
	if (unlikely(~v > a->not_min))
		a->not_min = ~v;
	if (unlikely(v > a->max))
		a->max = v;
}

/* Adds many values to one group, with the sums in registers. */
static void
tally_run(struct class_sum *a, const uint64_t *v, uint32_t n)
{
	struct class_sum t = *a;

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

/* With few groups, use four tallies for each, because additions to one would wait for each other. */
#define GROUPS_FEW 8
#define MARK_GROUPS 64

static void
tally_few(struct class_sum *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
	  uint32_t n)
{
	struct class_sum part[4][GROUPS_FEW];

	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			part[i][k] = (struct class_sum){.not_min = num[k].not_min,
							.max = num[k].max};
	for (uint32_t i = 0; i < n; i++)
		tally_add(&part[i % 4][g[i]], v[i]);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < ngroups; k++)
			sums_merge(&(struct place){.is = &acc_num, .element = &num[k]},
				   &(struct place){.element = &part[i][k]});
}

/* Adds values that are 0 or 1; their smallest and greatest are never needed. */
static void
tally_marks(struct class_sum *num, uint32_t ngroups, const uint32_t *g, const uint64_t *v,
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
	struct class_sum *num =
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

const struct accumulator acc_num = {sizeof(struct class_sum),
				    CLASSES,
				    .add = num_add,
				    .lines = {"n", "sum", "min", "max"},
				    .sums = {{1, SUM}, {2, SUM}, {1, LEAST}, {1, GREATEST}},
				    .merge = sums_merge,
				    .write = sums_write,
				    .read = sums_read};

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

const struct accumulator acc_square = {sizeof(struct square), TEXTS,
				       .add = square_add,     .lines = {"squares"},
				       .sums = {{3, SUM}},    .merge = sums_merge,
				       .write = sums_write,   .read = sums_read};

/* Returns the number of the interval of a magnitude by powers of two: 0 for 0, else POWER_ONE plus the binary
 * exponent. A value in units of 10^-9 has the interval of the value itself. */
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
		/* Fractions and whole numbers share a scale. */
		class = spec->time ? class : class % 2;
	} else if (spec->div) {
		/* Count the numbers of intervals: hist(size,1K). */
		uint64_t by = spec->div;

		if (class >= NANO_POS && !spec->div_time)
			by = by > UINT64_MAX / 1000000000 ? UINT64_MAX : by * 1000000000;
		for (uint32_t i = 0; i < n; i++)
			/* Round down, also below zero: -1 is in the interval that ends at 0. */
			divided[i] = v[i] / by + (class % 2 && v[i] % by != 0);
		v = divided;
	}
	hists = &st->col[c].kept[KEPT_HIST][class].hists;
	hists_room(hists, st->ngroups);
	hists_add(hists, g, v, n, spec_bits(st->spec, c));
}

static void
hist_merge(const struct place *to, const struct place *from)
{
	struct hists *h = &to->col->kept[KEPT_HIST][to->class].hists;

	hists_room(h, h->cap);
	hists_merge(h, to->g, &from->col->kept[KEPT_HIST][to->class].hists, from->g,
		    to->bits);
}

static void
hist_write(struct parts_writer *w, const struct place *of)
{
	const struct hists *h = &of->col->kept[KEPT_HIST][of->class].hists;
	unsigned bits = spec_bits(of->st->spec, of->c);
	bool exact = hists_exact(h, of->g);
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
hist_read(const struct partial_reader *r, const struct place *to)
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

static bool
hist_exact(const void *element)
{
	return !((const struct hist *)element)->buckets;
}

const struct accumulator acc_hist = {sizeof(struct hist), TEXTS,
				     .add = hist_add,	  .merge = hist_merge,
				     .clear = hist_free,  .write = hist_write,
				     .read = hist_read,	  .lines = {"value", "bucket"},
				     .exact = hist_exact};

void
column_count(struct stats_column *col, unsigned class, uint32_t ngroups, const uint32_t *g,
	     const uint64_t *v, uint32_t n)
{
	struct class_sum *num;
	struct hists *hists = &col->kept[KEPT_HIST][class].hists;

	if (!n)
		return;
	num = column_room(col, KEPT_NUM, class, ngroups, sizeof *num);
	for (uint32_t i = 0; i < n; i++)
		tally_add(&num[g[i]], v[i]);
	hists_room(hists, ngroups);
	hists_add(hists, g, v, n, SPEC_BITS);
}

void
elements_merge(struct place *to, struct place *from, unsigned kept, uint32_t n)
{
	const struct accumulator *is = to->is;

	for (unsigned k = 0; k < is->arrays; k++) {
		if (from->g >= from->col->kept[kept][k].cap)
			continue;
		column_room(to->col, kept, k, n, is->size);
		to->element = column_kept(to->col, kept, k, to->g, is->size);
		from->element = column_kept(from->col, kept, k, from->g, is->size);
		to->class = k;
		is->merge(to, from);
	}
}

void
column_merge(struct stats_column *a, uint32_t ngroups, uint32_t to,
	     const struct stats_column *b, uint32_t g, unsigned bits)
{
	struct place into = {.col = a, .g = to, .bits = bits, .is = &acc_num};
	struct place from = {.col = (struct stats_column *)(uintptr_t)b, .g = g};

	elements_merge(&into, &from, KEPT_NUM, ngroups);
	into.is = &acc_hist;
	elements_merge(&into, &from, KEPT_HIST, ngroups);
}

void
column_free(struct stats_column *c)
{
	for (unsigned i = 0; i < KEPT_MOST; i++)
		for (unsigned k = 0; k < CLASSES; k++)
			if (i == KEPT_HIST)
				hists_free(&c->kept[i][k].hists);
			else
				free(c->kept[i][k].v);
}
