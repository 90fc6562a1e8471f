/* partial_check.c - the sum of all partials: what must hold of it, and what is said. */
#include <stdlib.h>

#include "stats/partial.h"

static _Noreturn void
contradiction(const char *what)
{
	die("the partials are damaged: %s", what);
}

/* Of files. */
static void
check_files(const struct files *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct wide requests = files_counted(f, i, FILE_REQUESTS),
			    later = files_counted(f, i, FILE_LATER),
			    higher = files_counted(f, i, FILE_HIGHER),
			    behind = files_counted(f, i, FILE_BEHIND);

		if (wide_cmp(&later, &requests) > 0 || wide_cmp(&behind, &later) > 0 ||
		    wide_cmp(&higher, &requests) > 0)
			contradiction("more requests of a kind than there are");
		if (wide_zero(&requests) != !f->v[i].did)
			contradiction("requests that neither read nor write");
	}
}

/* Of one group and column. */
static void
check_column(const struct stats *st, size_t c, uint32_t g)
{
	uint64_t counted[CLASSES] = {0};
	struct slice *v;
	size_t n;

	v = column_slices(&st->col[c], g, spec_bits(st->spec, c), &n);
	for (size_t i = 0; i < n; i++)
		counted[v[i].low.class] += v[i].count;
	free(v);
	for (unsigned k = 0; k < CLASSES; k++) {
		const struct tally *t = column_tally(&st->col[c], k, g);

		if (!t->n && (t->lo || t->hi || t->not_min || t->max))
			contradiction("a sum, a least or a greatest value of no values");
		if (k != TEXTS && st->spec->col[c].acc & ACC_HIST && !counted[k] != !t->n)
			contradiction(
			    "values without a distribution, or one without values");
	}
}

void
partial_check(const struct answer *a)
{
	for (size_t i = 0; i < a->ntables; i++) {
		const struct stats *st = &a->st[i];

		if (!st->any && (st->ngroups || st->timed || st->missed))
			contradiction("a table does not tell its clock");
		if (st->access)
			check_files(st->access);
		for (uint32_t g = 0; g < st->ngroups; g++) {
			/* What hangs on the event before is kept for all windows together,
			 * and nothing else is. */
			bool together = st->pane && st->pane[g] == NO_PANE;

			if (!st->count[g] && !together)
				contradiction("a group has no count");
			if (st->count[g] && together)
				contradiction("events are in no window");
			if (st->pane && !together && !stats_pane_possible(st, st->pane[g]))
				contradiction("a window is beyond all times");
			for (size_t c = 0; c < st->spec->ncols; c++)
				check_column(st, c, g);
		}
	}
}

int
partial_merge(struct answer *a, const struct read_options *opt, char *const *paths,
	      size_t n, bool whole)
{
	int status = ST_OK;
	bool opened = false;

	for (size_t i = 0; i < n; i++)
		partial_read(a, &opened, paths[i]);
	if (!n)
		partial_read(a, &opened, "-");
	a->known = opt->known;
	if (whole)
		answer_edges(a, opt);
	partial_check(a);
	if (!answer_stitch(a, true) || (whole && !answer_whole(a)))
		status = ST_TROUBLE;
	for (uint32_t i = 0; i < a->trouble.n; i++) {
		warn("when the partials were made: %s", a->trouble.v[i].s);
		status = ST_TROUBLE;
	}
	if (a->lost) {
		warn("%llu records were skipped when the partials were made",
		     (unsigned long long)a->lost);
		status = ST_TROUBLE;
	}
	return status;
}

void
partial_note(struct answer *a, const struct expr *e, int status)
{
	const char *field;
	bool seen;

	if (status != ST_OK && !a->trouble.n)
		answer_trouble(a, "an input could not be read");
	for (size_t i = 0; e && (field = expr_field(e, i, &seen)); i++)
		answer_asked(a, field, seen);
	for (size_t i = 0; a->computed && (field = exprs_field(a->computed, i, &seen)); i++)
		answer_asked(a, field, seen);
}
