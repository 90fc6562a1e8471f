/* matrix.c - counts or sums for each pair of names: location and peer, or location and event. */
#include <stdlib.h>
#include <string.h>

#include "expr/filter.h"
#include "trace-plot/matrix.h"

#define NAMES_TOLD (1u << 16) /* limit of names; further names are NAMES_OTHERS */

/* Adds rows or columns to others: lanes.join. */
static void
join_side(void *arg, const uint32_t *to)
{
	struct matrix_side *s = arg;
	uint32_t *slot = xcalloc(s->bins->nslots, sizeof *slot);

	for (uint32_t i = 0; i < s->bins->nslots; i++) {
		uint32_t at = i / s->stride % (MATRIX_ROOM + 1);

		slot[i] = i + (to[at] - at) * s->stride;
	}
	bins_move(s->bins, slot);
	free(slot);
}

static void
matrix_open(struct plot *p)
{
	struct matrix *m = p->state = xcalloc(1, sizeof *m);

	names_open(&p->row, p->opts.y ? p->opts.y : "loc", NAMES_TOLD);
	for (unsigned k = 0; k < SIDES; k++) {
		struct matrix_side *s = &m->side[k];

		s->bins = &p->bins;
		s->names = k == ROW_SIDE ? &p->row : &p->key;
		s->stride = k == ROW_SIDE ? cell_slot(1, 0) : cell_slot(0, 1);
		s->lanes.room = p->kind->lanes;
		s->lanes.shared = &p->shared;
		s->lanes.join = join_side;
		s->lanes.arg = s;
	}
	measure_sum(p);
	if (!p->opts.sum)
		measure_open(&p->sum, "size");
	p->bins.fixed = 1;
	bins_slots(&p->bins, cell_slot(MATRIX_ROOM + 1, 0));
}

static unsigned
matrix_need_of(const struct source *s)
{
	return traits_source(s)->sent ? NEED_ARGS : 0;
}

static unsigned
matrix_need_more(const struct plot *p)
{
	return p->opts.key ? 0 : NEED_PEERS;
}

/* Makes the receivers the columns, in formats whose events send, unless -g is given. */
static void
matrix_begin(struct plot *p)
{
	struct matrix *m = p->state;

	if (p->opts.key || !p->traits->sent)
		return;
	expr_free(m->sends);
	m->sends = expr_parse(p->traits->sent);
	names_free(&p->key);
	names_open(&p->key, p->traits->to, NAMES_TOLD);
}

/* Writes those of the events pick[0..n) of b, or of its first n, that send to room[0..result). Returns how many. */
static uint32_t
senders(struct matrix *m, struct source *s, const struct batch *b, const uint32_t *pick,
	uint32_t n, uint32_t room[BATCH])
{
	uint32_t all[BATCH], k = expr_run(m->sends, s, b, all), to = 0;

	/* Both lists are in the order of the batch. */
	for (uint32_t i = 0, j = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;

		while (j < k && all[j] < at)
			j++;
		if (j < k && all[j] == at)
			room[to++] = at;
	}
	return to;
}

/* Returns the first slot of the cell of two names, which may be new. */
static inline uint32_t
names_slot(struct plot *p, uint32_t row, uint32_t column)
{
	struct matrix *m = p->state;
	uint32_t y = lanes_row(&m->side[ROW_SIDE].lanes, &p->row, row);

	return cell_slot(y, lanes_row(&m->side[COLUMN_SIDE].lanes, &p->key, column));
}

static void
matrix_add(struct plot *p, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct matrix *m = p->state;
	uint32_t row[BATCH], column[BATCH], room[BATCH];
	bool sum = p->sum.list;
	uint64_t *v = bins_row(&p->bins, 0);

	if (m->sends) {
		n = senders(m, s, b, pick, n, room);
		pick = room;
	}
	if (!names_of(&p->row, s, b, pick, n, row) ||
	    !names_of(&p->key, s, b, pick, n, column) ||
	    (sum && !measure_run(&p->sum, s, b, pick, n)))
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *cell;

		if (m->sends && !strcmp(p->key.text.v[column[i]].s, "-"))
			continue;
		cell = v + names_slot(p, row[i], column[i]);
		cell[CELL_COUNT]++;
		if (sum)
			cell[CELL_SUM] =
			    add_most(cell[CELL_SUM], measure_weight(&p->sum, i));
		p->events++;
	}
}

static void
matrix_each(struct plot *p, plot_with *with, void *arg)
{
	const struct matrix *m = p->state;
	const struct lanes *rows = &m->side[ROW_SIDE].lanes,
			   *columns = &m->side[COLUMN_SIDE].lanes;

	for (const struct lane *y = rows->lane; y < rows->lane + rows->n; y++)
		for (const struct lane *x = columns->lane; x < columns->lane + columns->n;
		     x++)
			for (uint32_t k = 0; k < CELL_SLOTS; k++)
				with(arg, cell_slot(y->row, x->row) + k,
				     p->row.text.v[y->first].s, p->key.text.v[x->first].s,
				     k);
}

static uint32_t
matrix_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	uint32_t row = names_id(&p->row, lane, strlen(lane));
	uint32_t slot = names_slot(p, row, names_id(&p->key, name, strlen(name)));

	return sum < CELL_SLOTS ? slot + sum : NO_SLOT;
}

static void
matrix_close(struct plot *p)
{
	struct matrix *m = p->state;

	lanes_free(&m->side[ROW_SIDE].lanes);
	lanes_free(&m->side[COLUMN_SIDE].lanes);
	expr_free(m->sends);
}

const struct plot_kind kind_matrix = {
    .name = "matrix",
    .about =
	"counts or sums for each pair of location and event, or of sender and receiver",
    .need = NEED_LOC,
    .rows = true,
    .lanes = MATRIX_ROOM,
    .key = "event",
    .names = NAMES_TOLD,
    .log = "z",
    .linear = "z",
    .why = "has names as x and y: --log and --linear take z, its colours",
    .need_of = matrix_need_of,
    .need_more = matrix_need_more,
    .open = matrix_open,
    .begin = matrix_begin,
    .add = matrix_add,
    .each = matrix_each,
    .slot = matrix_slot,
    .svg = matrix_svg,
    .terminal = matrix_terminal,
    .bins = matrix_bins,
    .free = matrix_close,
};
