/* files_grid.c - the section of files: entries of files.h into rows. */
#include <stdlib.h>

#include "report/cell.h"
#include "report/extra_grid.h"

#define KINDS 4

/* Of all files of a row. */
struct done_to {
	uint64_t files, shared, one_gap, one_size;
	struct wide sum[FILE_BYTES + 1];
};

static void
put_cell(struct cell *c, const struct done_to *k, enum extra_show show)
{
	struct swide part = {0};

	switch (show) {
	case SHOW_FILES: cell_u64(c, k->files); break;
	case SHOW_SHARED: cell_u64(c, k->shared); break;
	case SHOW_ONE_GAP: cell_u64(c, k->one_gap); break;
	case SHOW_ONE_SIZE: cell_u64(c, k->one_size); break;
	case SHOW_REQUESTS:
	case SHOW_LATER:
		part.m = k->sum[show == SHOW_LATER ? FILE_LATER : FILE_REQUESTS];
		cell_wide(c, &part);
		break;
	case SHOW_FILE_BYTES:
		part.m = k->sum[FILE_BYTES];
		if (!wide_zero(&k->sum[FILE_REQUESTS]))
			cell_wide(c, &part);
		break;
	default:
		part.m = k->sum[show == SHOW_HIGHER ? FILE_HIGHER : FILE_BEHIND];
		cell_share(c, &part, &k->sum[FILE_LATER]);
	}
}

static void
put_kind(struct grid *g, const struct extra *x, const char *name, const struct done_to *k)
{
	struct cell *cell = grid_row(g);

	cell_name(cell, name);
	for (unsigned i = 1; i < g->ncolumns; i++)
		put_cell(&cell[i], k, x->cell[i - 1].show);
}

void
files_grid(const struct extra *x, struct files *f, struct grid *g)
{
	static const char *const name[KINDS] = {"opened", "read", "written", "both"};
	struct done_to kind[KINDS] = {0}, all = {0};
	bool *whole = files_join(f);
	unsigned rows = 0;

	for (uint32_t i = 0; i < f->n; i++) {
		const struct file_node *a = &f->v[i];
		struct done_to *to[2] = {&kind[a->did], &all};

		for (unsigned k = 0; k < 2 && whole[i]; k++) {
			to[k]->files++;
			to[k]->shared += a->source > 1;
			to[k]->one_gap += a->gaps == ONE_POS || a->gaps == ONE_NEG;
			to[k]->one_size += a->sizes == ONE_POS;
			for (unsigned what = 0; what <= FILE_BYTES; what++) {
				struct wide v = files_counted(f, i, what);

				to[k]->sum[what] = wide_add(&to[k]->sum[what], &v);
			}
		}
	}
	free(whole);
	for (unsigned k = 0; k < KINDS; k++)
		if (kind[k].files) {
			put_kind(g, x, name[k], &kind[k]);
			rows++;
		}
	if (rows > 1)
		put_kind(g, x, "all", &all);
	if (f->shift) {
		struct cell *limit = grid_limit(g);
		struct wide of =
		    wide_words((const uint64_t[]){f->shift < 64 ? 1ull << f->shift : 0,
						  f->shift == 64},
			       2);
		uint8_t *p;

		for (unsigned i = 1; i < g->ncolumns; i++) {
			p = (uint8_t *)limit[i].shown;
			*p++ = '1';
			*p++ = '/';
			*wide_put(p, &of) = '\0';
		}
	}
}
