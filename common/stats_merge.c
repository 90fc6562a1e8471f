/* stats_merge.c - two sets of groups into one, and the parts of a file side by side. */
#include <stdlib.h>
#include <string.h>

#include "stats.h"

static void
merge_end(struct end *to, const struct end *from, bool first, const uint32_t *of_file,
	  const struct strtab *files)
{
	uint32_t file;
	bool before;

	if (!from->any)
		return;
	file = of_file[from->file];
	if (to->any) {
		before = end_before(files, file, from->begin, from->seq, to);
		if (before != first)
			return;
	}
	datum_free(&to->datum);
	*to = *from;
	to->file = file;
	to->datum = datum_copy(&from->datum);
}

static void
merge_tally(struct tally *to, const struct tally *from)
{
	to->n += from->n;
	to->lo += from->lo;
	to->hi += from->hi + (to->lo < from->lo);
	to->not_min = from->not_min > to->not_min ? from->not_min : to->not_min;
	to->max = from->max > to->max ? from->max : to->max;
}

static void
merge_square(struct square *to, const struct square *from)
{
	uint64_t carry = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t sum = to->w[i] + from->w[i], over = sum < from->w[i];

		to->w[i] = sum + carry;
		carry = over + (to->w[i] < carry);
	}
}

void
stats_merge_group(struct stats *st, uint32_t to, const struct stats *from, uint32_t g,
		  const uint32_t *of_file)
{
	const struct spec *spec = st->spec;

	st->count[to] += from->count[g];
	for (size_t c = 0; c < spec->ncols; c++) {
		struct column *a = &st->col[c];
		const struct column *b = &from->col[c];

#define EACH(what, k)                                                                 \
	if (g < b->what##_cap[k] && (a->what[k] = grow(a->what[k], &a->what##_cap[k], \
						       st->ngroups, sizeof *a->what[k])))
		for (unsigned k = 0; k < CLASSES; k++)
			EACH(num, k)
		merge_tally(&a->num[k][to], &b->num[k][g]);
		for (unsigned k = 0; k < TEXTS; k++) {
			EACH(square, k)
			merge_square(&a->square[k][to], &b->square[k][g]);
			EACH(hist, k)
			hist_merge(&a->hist[k][to], &b->hist[k][g], spec->bits);
		}
#undef EACH
		column_room(st, c);
		if (g < b->set_cap)
			set_merge(&a->set[to], &b->set[g]);
		if (g < b->top_cap)
			top_merge(&a->top[to], &b->top[g]);
		if (g < b->first_cap) {
			merge_end(&a->first[to], &b->first[g], true, of_file, &st->files);
			merge_end(&a->last[to], &b->last[g], false, of_file, &st->files);
		}
	}
}

/* The numbers there of all strings here. */
uint32_t *
stats_renumber(struct strtab *to, const struct strtab *from)
{
	uint32_t *id = xcalloc(from->n, sizeof *id);

	for (uint32_t i = 0; i < from->n; i++)
		id[i] = strtab_id(to, from->v[i].s, from->v[i].len);
	return id;
}

void
stats_merge(struct stats *st, const struct stats *from)
{
	size_t nk = st->spec->nkeys;
	uint32_t *text = stats_renumber(&st->text, &from->text);
	uint32_t *file = stats_renumber(&st->files, &from->files);
	uint32_t *group = xcalloc(from->ngroups, sizeof *group);
	uint32_t key[SPEC_KEYS];

	for (uint32_t g = 0; g < from->ngroups; g++) {
		for (size_t k = 0; k < nk; k++)
			key[k] = text[from->key[g * nk + k]];
		group[g] = stats_group(st, key, from->pane ? from->pane[g] : 0);
		stats_merge_group(st, group[g], from, g, file);
	}
	for (size_t i = 0; i < from->nsegments; i++) {
		struct segment s = from->segment[i];

		s.group = group[s.group];
		s.file = file[s.file];
		st->segment = grow(st->segment, &st->segment_cap, st->nsegments + 1,
				   sizeof *st->segment);
		st->segment[st->nsegments++] = s;
	}
	for (size_t i = 0; i < from->ncovers; i++) {
		struct cover c = from->cover[i];

		c.file = file[c.file];
		st->cover =
		    grow(st->cover, &st->cover_cap, st->ncovers + 1, sizeof *st->cover);
		st->cover[st->ncovers++] = c;
	}
	if (from->timed) {
		st->tmin = !st->timed || from->tmin < st->tmin ? from->tmin : st->tmin;
		st->tmax = !st->timed || from->tmax > st->tmax ? from->tmax : st->tmax;
		st->timed = true;
	}
	if (from->any)
		st->clock = from->clock;
	st->any |= from->any;
	for (size_t i = 0; i < st->spec->ncols + nk; i++)
		st->seen[i] |= from->seen[i];
	free(stats_renumber(&st->names, &from->names));
	free(text);
	free(file);
	free(group);
}

static int
cover_cmp(const void *x, const void *y)
{
	const struct cover *a = x, *b = y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static int
segment_cmp(const void *x, const void *y)
{
	const struct segment *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return cover_cmp(&(struct cover){a->file, a->begin, a->end},
			 &(struct cover){b->file, b->begin, b->end});
}

/* Whether all bytes between two places of a file have been read. */
static bool
covered(const struct stats *st, uint32_t file, uint64_t from, uint64_t to)
{
	size_t lo = 0, hi = st->ncovers;

	if (from == to)
		return true;
	/* After cover_join, one stretch holds it or none does. The last that begins here.
	 */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct cover *c = &st->cover[mid];

		if (c->file < file || (c->file == file && c->begin <= from))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && st->cover[lo - 1].file == file && st->cover[lo - 1].end >= to;
}

/* Stretches that touch become one. */
static void
join_covers(struct stats *st)
{
	size_t n = 0;

	qsort(st->cover, st->ncovers, sizeof *st->cover, cover_cmp);
	for (size_t i = 0; i < st->ncovers; i++) {
		struct cover *last = n ? &st->cover[n - 1] : NULL, c = st->cover[i];

		if (last && last->file == c.file && last->end == c.begin)
			last->end = c.end;
		else
			st->cover[n++] = c;
	}
	st->ncovers = n;
}

static void
add_gap(struct stats *st, const struct segment *a, const struct segment *b)
{
	bool ns = st->clock == CLOCK_NS;
	uint64_t d = (uint64_t)b->first - (uint64_t)a->last;
	bool neg = ns ? b->first < a->last : (uint64_t)b->first < (uint64_t)a->last;
	struct value v = {(ns ? NANO_POS : INT_POS) + (unsigned)neg, neg ? 0 - d : d};
	uint32_t g = a->group;

	if (st->pane)
		g = stats_group(st, st->key + (size_t)g * st->spec->nkeys,
				stats_pane(st, b->first));
	st->file = b->file;
	for (size_t c = 0; c < st->spec->ncols; c++)
		if (st->spec->col[c].gap)
			column_one(st, c, g, v, b->begin, 0);
}

void
stats_stitch(struct stats *st)
{
	size_t n = 0;

	if (!st->nsegments && !st->ncovers)
		return;
	join_covers(st);
	qsort(st->segment, st->nsegments, sizeof *st->segment, segment_cmp);
	for (size_t i = 0; i < st->nsegments; i++) {
		struct segment *last = n ? &st->segment[n - 1] : NULL, s = st->segment[i];

		if (last && last->group == s.group && last->file == s.file &&
		    last->end <= s.begin && covered(st, s.file, last->end, s.begin)) {
			add_gap(st, last, &s);
			last->end = s.end;
			last->last = s.last;
		} else
			st->segment[n++] = s;
	}
	st->nsegments = n;
	/* A group's events of all of a file wait for nothing. */
	for (size_t i = n = 0; i < st->nsegments; i++) {
		const struct segment *s = &st->segment[i];

		if (!(covered(st, s->file, 0, s->begin) &&
		      covered(st, s->file, s->end, UINT64_MAX)))
			st->segment[n++] = *s;
	}
	st->nsegments = n;
	for (size_t i = n = 0; i < st->ncovers; i++)
		if (st->cover[i].begin || st->cover[i].end != UINT64_MAX)
			st->cover[n++] = st->cover[i];
	st->ncovers = n;
}
