/* percentiles.c - percentiles in pictures, from the same distributions as in trace-stats. */
#include <stdlib.h>
#include <string.h>

#include "stats/spec.h"
#include "trace-plot/plot.h"

void
percentiles_add(struct plot *p, const uint32_t *group, uint32_t ngroups, uint32_t n)
{
	uint32_t of[TEXTS][BATCH], k[TEXTS] = {0};
	uint64_t v[TEXTS][BATCH];

	for (uint32_t i = 0; i < n; i++)
		if (p->y.there[i]) {
			uint64_t one = p->y.v[i];
			unsigned c = INT_POS;

			if (p->y.fine && p->y.nano[i] && one < UINT64_MAX / 1000000000) {
				c = NANO_POS;
				one = one * 1000000000 + p->y.nano[i];
			}
			of[c][k[c]] = group && group[i] < ngroups ? group[i] : 0;
			v[c][k[c]++] = one;
		}
	for (unsigned c = INT_POS; c <= NANO_POS; c += NANO_POS - INT_POS)
		column_count(&p->found, c, ngroups, of[c], v[c], k[c]);
}

static uint32_t
percentiles_groups(const struct plot *p)
{
	size_t n = p->found.kept[KEPT_NUM][INT_POS].cap,
	       nano = p->found.kept[KEPT_NUM][NANO_POS].cap;

	return (uint32_t)(n > nano ? n : nano);
}

void
percentiles_merge(struct plot *to, const struct plot *from, const uint32_t *map)
{
	for (uint32_t g = 0; g < percentiles_groups(from); g++)
		if (column_numbers(&from->found, g)) {
			uint32_t at = map ? map[g] : 0;

			column_merge(&to->found, at + 1, at, &from->found, g, SPEC_BITS);
		}
}

struct percentile_pair
percentiles_of(const struct plot *p, const uint8_t *of, uint32_t place)
{
	struct stats_column all = {0};
	struct slice *v;
	struct percentile_pair f = {0};
	size_t n;

	/* There can be more groups than slots: room grows by doubling. */
	for (uint32_t g = 0; g < percentiles_groups(p) && (!of || g < p->bins.nslots); g++)
		if (!of || of[g] == place)
			column_merge(&all, 1, 0, &p->found, g, SPEC_BITS);
	v = column_slices(&all, 0, SPEC_BITS, &n);
	if (n) {
		f.p50 = slices_percentile(v, n, 50000000);
		f.p99 = slices_percentile(v, n, 99000000);
	}
	free(v);
	column_free(&all);
	return f;
}

const char *
percentile_text(const struct plot *p, struct class_value v)
{
	return scale_found(v.class == NANO_POS ? SCALE_NANO
			   : p->y.fine	       ? SCALE_COUNT
					       : p->y.unit,
			   v.v);
}

const char *
percentiles_title(const struct plot *p)
{
	struct percentile_pair f = percentiles_of(p, NULL, 0);

	return joined(": ", percentile_text(p, f.p50), " at the median, ",
		      percentile_text(p, f.p99), " at p99");
}

/* Lines of a partial result: "=", a name, one of these words, a number, and how often it occurs. The number is a whole
 * number, or, after "nano", a number of 10^-9. */
enum {
	FOUND_VALUE,
	FOUND_BUCKET,
	FOUND_MIN,
	FOUND_MAX,
	FOUND_WORDS,
};
static const char *const words[] = {"value", "bucket", "min", "max"};
#define NANO_WORD "nano "
#define LINE "=\t%n\t%s%s\t%u\t%u"

/* Writes the lines of one class of one group. */
static void
class_lines(const struct plot *p, struct parts_writer *w, unsigned class, uint32_t g)
{
	const struct hists *h = &p->found.kept[KEPT_HIST][class].hists;
	const struct class_sum *t = column_tally(&p->found, class, g);
	const char *name = plot_key(p) ? p->key.text.v[g].s : "-";
	const char *nano = class == NANO_POS ? NANO_WORD : "";
	bool exact = hists_exact(h, g);
	struct bucket *b;
	size_t n;

	if (!t->n)
		return;
	b = hists_buckets(h, g, SPEC_BITS, &n);
	for (size_t i = 0; i < n; i++)
		parts_line(w, LINE, name, nano, words[exact ? FOUND_VALUE : FOUND_BUCKET],
			   exact ? b[i].low : hist_index(b[i].low, SPEC_BITS), b[i].count);
	parts_line(w, LINE, name, nano, words[FOUND_MIN], ~t->not_min, UINT64_C(1));
	parts_line(w, LINE, name, nano, words[FOUND_MAX], t->max, UINT64_C(1));
	free(b);
}

void
percentiles_lines(const struct plot *p, struct parts_writer *w)
{
	for (uint32_t g = 0; g < percentiles_groups(p); g++) {
		class_lines(p, w, INT_POS, g);
		class_lines(p, w, NANO_POS, g);
	}
}

bool
percentiles_line(struct plot *p, const char *name, const char *word, uint64_t v,
		 uint64_t times)
{
	struct class_sum more = {.n = 1};
	struct stats_column one = {0};
	uint32_t g = plot_key(p) ? names_id(&p->key, name, strlen(name)) : 0;
	bool nano = !strncmp(word, NANO_WORD, strlen(NANO_WORD));
	unsigned k = 0, class = nano ? NANO_POS : INT_POS;
	struct hists *h = &p->found.kept[KEPT_HIST][class].hists;

	word += nano ? strlen(NANO_WORD) : 0;
	while (k < FOUND_WORDS && strcmp(words[k], word) != 0)
		k++;
	if (k == FOUND_WORDS || !p->kind->measures || (nano && !p->y.fine))
		return false;
	if (k == FOUND_BUCKET && v > hist_index(UINT64_MAX, SPEC_BITS))
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
	one.kept[KEPT_NUM][class].v = &more;
	one.kept[KEPT_NUM][class].cap = 1;
	column_merge(&p->found, g + 1, g, &one, 0, SPEC_BITS);
	return true;
}
