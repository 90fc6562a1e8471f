/* files_grid.c - the section of files: entries of files.h into rows. */
#include <stdlib.h>
#include <string.h>

#include "summary/cell.h"
#include "summary/extra_grid.h"

#define KINDS 4

/* Of all files of a row, by enum extra_show from SHOW_FILES on. */
struct done_to {
	struct wide n[SHOW_FILE_BYTES + 1 - SHOW_FILES];
};

static void
put_kind(struct grid *g, const struct extra *x, const char *name, const struct done_to *k)
{
	struct cell *cell = grid_row(g);

	cell_name(cell, name);
	for (unsigned i = 1; i < g->ncolumns; i++) {
		enum extra_show show = x->cell[i - 1].show;
		struct swide v = {k->n[show - SHOW_FILES], false};

		if (show == SHOW_HIGHER || show == SHOW_BEHIND)
			cell_share(&cell[i], &v, &k->n[SHOW_LATER - SHOW_FILES]);
		else if (show != SHOW_FILE_BYTES ||
			 !wide_zero(&k->n[SHOW_REQUESTS - SHOW_FILES]))
			cell_wide(&cell[i], &v);
	}
}

void
files_grid(const struct extra *x, struct files *f, struct grid *g)
{
	static const char *const name[] = {"opened", "read", "written", "both", "all"};
	struct done_to kind[KINDS + 1] = {0}, *all = &kind[KINDS];
	bool *whole = files_join(f);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct file_node *a = &f->v[i];
		struct wide n[] = {wide_u64(1), wide_u64(a->source > 1),
				   wide_u64(a->gaps == ONE_POS || a->gaps == ONE_NEG),
				   wide_u64(a->sizes == ONE_POS)};

		for (unsigned k = 0; k <= SHOW_FILE_BYTES - SHOW_FILES && whole[i]; k++) {
			struct wide v =
			    k < SHOW_REQUESTS - SHOW_FILES
				? n[k]
				: files_counted(f, i, k + SHOW_FILES - SHOW_REQUESTS);

			kind[a->did].n[k] = wide_add(&kind[a->did].n[k], &v);
			all->n[k] = wide_add(&all->n[k], &v);
		}
	}
	free(whole);
	for (unsigned k = 0; k <= KINDS; k++)
		if (k < KINDS ? !wide_zero(kind[k].n) : g->nrows > 1)
			put_kind(g, x, name[k], &kind[k]);
	if (f->shift) {
		struct cell *limit = grid_limit(g);
		struct wide of =
		    wide_words((const uint64_t[]){f->shift < 64 ? 1ull << f->shift : 0,
						  f->shift == 64},
			       2);

		for (unsigned i = 1; i < g->ncolumns; i++)
			*wide_put((uint8_t *)stpcpy(limit[i].shown, "1/"), &of) = '\0';
	}
}
