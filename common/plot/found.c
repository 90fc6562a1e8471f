/* found.c - percentiles that a picture says: those of trace-stats, out of the same distributions. */
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

void
found_add(struct plot *p, const uint32_t *group, uint32_t ngroups, uint32_t n)
{
	uint32_t of[BATCH], k = 0;
	uint64_t v[BATCH];

	for (uint32_t i = 0; i < n; i++)
		if (p->y.there[i]) {
			of[k] = group && group[i] < ngroups ? group[i] : 0;
			v[k++] = p->y.v[i];
		}
	column_count(&p->found, ngroups, of, v, k);
}

uint32_t
found_groups(const struct plot *p)
{
	return (uint32_t)p->found.num_cap[INT_POS];
}

void
found_merge(struct plot *to, const struct plot *from, const uint32_t *map)
{
	for (uint32_t g = 0; g < found_groups(from); g++)
		if (column_numbers(&from->found, g)) {
			uint32_t at = map ? map[g] : 0;

			column_merge(&to->found, at + 1, at, &from->found, g, SPEC_BITS);
		}
}

struct found
found_of(const struct plot *p, const uint8_t *of, uint32_t from, uint32_t to)
{
	struct column all = {0};
	struct slice *v;
	struct found f = {0};
	size_t n;

	/* There are more groups than slots: room grows by doubling. */
	for (uint32_t g = 0; g < found_groups(p) && (!of || g < p->bins.nslots); g++)
		if (!of || (of[g] >= from && of[g] < to))
			column_merge(&all, 1, 0, &p->found, g, SPEC_BITS);
	v = column_slices(&all, 0, SPEC_BITS, &n);
	if (n) {
		f.p50 = slices_percentile(v, n, 50000000).v;
		f.p99 = slices_percentile(v, n, 99000000).v;
	}
	free(v);
	column_free(&all);
	return f;
}

void
found_title(const struct plot *p, struct buf *b)
{
	struct found f = found_of(p, NULL, 0, 0);

	put_all(b, ": ");
	scale_found(b, p->y.unit, f.p50, " at the median, ");
	scale_found(b, p->y.unit, f.p99, " at p99");
}

/* Lines of a partial, "=", the name, and what it says with its number of times. */

static const char *const words[] = {"value", "bucket", "min", "max", NULL};
enum {
	FOUND_VALUE,
	FOUND_BUCKET,
	FOUND_MIN,
	FOUND_MAX,
};

static void
put_line(struct parts_writer *w, const char *name, unsigned word, uint64_t v,
	 uint64_t times)
{
	parts_line(w, "=\t%n\t%s\t%u\t%u", name, words[word], v, times);
}

void
found_lines(const struct plot *p, struct parts_writer *w)
{
	const struct hists *h = &p->found.hist[INT_POS];

	for (uint32_t g = 0; g < found_groups(p); g++) {
		const struct tally *t = column_tally(&p->found, INT_POS, g);
		const char *name = p->kind->key ? p->key.text.v[g].s : "-";
		bool exact = hists_exact(h, g);
		struct bucket *b;
		size_t n;

		if (!t->n)
			continue;
		b = hists_buckets(h, g, SPEC_BITS, &n);
		for (size_t i = 0; i < n; i++)
			put_line(w, name, exact ? FOUND_VALUE : FOUND_BUCKET,
				 exact ? b[i].low : hist_index(b[i].low, SPEC_BITS),
				 b[i].count);
		put_line(w, name, FOUND_MIN, ~t->not_min, 1);
		put_line(w, name, FOUND_MAX, t->max, 1);
		free(b);
	}
}

bool
found_line(struct plot *p, const char *name, const char *word, uint64_t v, uint64_t times)
{
	struct tally more = {.n = 1};
	struct column one = {.num = {[INT_POS] = &more}, .num_cap = {[INT_POS] = 1}};
	uint32_t g = p->kind->key ? names_id(&p->key, name, strlen(name)) : 0;
	struct hists *h = &p->found.hist[INT_POS];
	unsigned k = 0;

	while (words[k] && strcmp(words[k], word) != 0)
		k++;
	if (!words[k] || !p->kind->measures ||
	    (k == FOUND_BUCKET && v > hist_index(UINT64_MAX, SPEC_BITS)))
		return false;
	hists_room(h, g + 1);
	if (k == FOUND_VALUE)
		hists_add_times(h, g, v, times, SPEC_BITS);
	if (k == FOUND_BUCKET)
		hists_add_bucket(h, g, (uint32_t)v, times, SPEC_BITS);
	if (k < FOUND_MIN)
		return true;
	more.not_min = k == FOUND_MIN ? ~v : 0;
	more.max = k == FOUND_MAX ? v : 0;
	column_merge(&p->found, g + 1, g, &one, 0, SPEC_BITS);
	return true;
}
