/* merge.c - two sets of groups into one. */
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

void
end_merge(struct end *to, const struct end *from, bool first, const struct strtab *files)
{
	bool same =
	    to->file == from->file && to->begin == from->begin && to->seq == from->seq;

	if (!from->any)
		return;
	/* Of two inputs of one name, the lesser and the greater: whatever the order. */
	if (to->any && same && (datum_cmp(&from->datum, &to->datum) < 0) != first)
		return;
	if (to->any && !same &&
	    end_before(files, from->file, from->begin, from->seq, to) != first)
		return;
	datum_free(&to->datum);
	*to = *from;
	to->datum = datum_copy(&from->datum);
}

void
tally_merge(struct tally *to, const struct tally *from)
{
	to->n += from->n;
	to->lo += from->lo;
	to->hi += from->hi + (to->lo < from->lo);
	to->not_min = from->not_min > to->not_min ? from->not_min : to->not_min;
	to->max = from->max > to->max ? from->max : to->max;
}

void
square_merge(struct square *to, const struct square *from)
{
	uint64_t carry = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t sum = to->w[i] + from->w[i], over = sum < from->w[i];

		to->w[i] = sum + carry;
		carry = over + (to->w[i] < carry);
	}
}

void
column_merge(struct column *a, uint32_t ngroups, uint32_t to, const struct column *b,
	     uint32_t g, unsigned bits)
{
#define EACH(what, k)                                                                 \
	if (g < b->what##_cap[k] && (a->what[k] = grow(a->what[k], &a->what##_cap[k], \
						       ngroups, sizeof *a->what[k])))
	for (unsigned k = 0; k < CLASSES; k++)
		EACH(num, k)
	tally_merge(&a->num[k][to], &b->num[k][g]);
	for (unsigned k = 0; k < TEXTS; k++) {
		EACH(square, k)
		square_merge(&a->square[k][to], &b->square[k][g]);
		if (g < b->hist[k].cap) {
			hists_room(&a->hist[k], ngroups);
			hists_merge(&a->hist[k], to, &b->hist[k], g, bits);
		}
	}
#undef EACH
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

		column_merge(a, st->ngroups, to, b, g, spec_bits(spec, c));
		if (b->keep)
			column_keep(a, b->keep);
		column_room(st, c);
		if (g < b->set_cap)
			set_merge(&a->set[to], &b->set[g]);
		if (g < b->pages_cap)
			pages_merge(&a->pages[to], &b->pages[g], a->keep);
		if (g < b->top_cap)
			top_merge(&a->top[to], &b->top[g]);
		if (g < b->first_cap) {
			struct end first = b->first[g], last = b->last[g];

			first.file = first.any ? of_file[first.file] : 0;
			last.file = last.any ? of_file[last.file] : 0;
			end_merge(&a->first[to], &first, true, &st->files);
			end_merge(&a->last[to], &last, false, &st->files);
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
	uint32_t *text = keytab_join(&st->text, &from->text);
	uint32_t *file = stats_renumber(&st->files, &from->files);
	uint32_t *group =
	    st->access ? files_merge(st, from) : xcalloc(from->ngroups, sizeof *group);
	uint32_t key[SPEC_KEYS];

	if (!st->access)
		stats_coarsen(st, from->shift);
	for (uint32_t g = 0; g < from->ngroups; g++) {
		for (size_t k = 0; k < nk; k++)
			key[k] = text[from->key[g * nk + k]];
		group[g] = stats_group(
		    st, key, from->pane ? stats_pane_floor(st, from->pane[g]) : 0);
		stats_merge_group(st, group[g], from, g, file);
		if (g < from->sure_cap) {
			GROW(st->sure, st->sure_cap, st->ngroups);
			st->sure[group[g]] += from->sure[g];
		}
	}
	st->missed += from->missed;
	for (size_t i = 0; i < from->nsegments; i++) {
		struct segment s = from->segment[i];

		s.group = group[s.group];
		s.file = file[s.file];
		if (s.group != NO_FILE)
			segment_add(st, &s);
	}
	for (size_t i = 0; i < from->ncovers; i++) {
		struct cover c = from->cover[i];

		c.file = file[c.file];
		cover_add(st, &c);
	}
	if (from->timed) {
		st->tmin = !st->timed || from->tmin < st->tmin ? from->tmin : st->tmin;
		st->tmax = !st->timed || from->tmax > st->tmax ? from->tmax : st->tmax;
		st->timed = true;
	}
	st->mixed |= from->mixed || (st->any && from->any && st->clock != from->clock &&
				     spec_one_clock(st->spec));
	if (from->any) {
		st->clock = from->clock;
		st->origin = from->origin;
	}
	st->any |= from->any;
	view_merge(&st->view, &from->view);
	stats_bound(st);
	free(text);
	free(file);
	free(group);
}
