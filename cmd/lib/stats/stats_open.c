/* stats_open.c - initializes and frees tables. */
#include <stdlib.h>
#include <string.h>

#include "expr/filter.h"
#include "stats/inside.h"

void
stats_open(struct stats *st, const struct spec *spec)
{
	memset(st, 0, sizeof *st);
	st->spec = spec;
	st->col = xcalloc(spec->ncols, sizeof *st->col);
	for (size_t i = 0; i < spec->ncols; i++)
		view_add(&st->view, spec->col[i].name, strlen(spec->col[i].name), false);
	keyed_open(st);
	st->when = expr_parse(spec->when);
	st->col_when = xcalloc(spec->ncols, sizeof(struct expr *));
	for (size_t c = 0; c < spec->ncols; c++)
		st->col_when[c] = expr_parse(spec->col[c].when);
}

void
stats_free(struct stats *st)
{
	for (size_t i = 0; i < st->spec->ncols; i++) {
		column_clear(&st->col[i], 0, SIZE_MAX);
		column_free(&st->col[i]);
		expr_free(st->col_when[i]);
	}
	expr_free(st->when);
	free(st->col_when);
	depth_free(st);
	keyed_free(st);
	free(st->count);
	free(st->not_own);
	free(st->key);
	free(st->pane);
	slots_free(&st->index);
	free(st->segment);
	free(st->cover);
	strtab_free(&st->files);
	free(st->col);
	free(st->way);
	keytab_free(&st->text);
	view_free(&st->view);
	buf_free(&st->scratch);
}
