/* matrix.c - counts or sums for each pair of names: location and peer, or location and event. */
#include <stdlib.h>
#include <string.h>

#include "expr/filter.h"
#include "trace-plot/matrix.h"

#define NAMES_TOLD (1u << 16) /* limit of names; further names are NAMES_OTHERS */

/* Adds rows of a side to other rows: lanes.join. */
static void
join_side(void *arg, const uint32_t *to)
{
	struct matrix_side *s = arg;
	uint32_t *slot = xcalloc(s->bins->nslots, sizeof *slot);

	for (uint32_t y = 0; y <= MATRIX_ROOM; y++)
		for (uint32_t x = 0; x <= MATRIX_ROOM; x++)
			for (uint32_t k = 0; k < CELL_SLOTS; k++)
				slot[cell_slot(y, x) + k] =
				    (s->columns ? cell_slot(y, to[x])
						: cell_slot(to[y], x)) +
				    k;
	bins_move(s->bins, slot);
	free(slot);
}

static void
side_open(struct matrix_side *s, struct plot *p, const struct names *names, bool columns)
{
	s->bins = &p->bins;
	s->names = names;
	s->columns = columns;
	s->lanes.room = p->kind->lanes;
	s->lanes.shared = &p->shared;
	s->lanes.join = join_side;
	s->lanes.arg = s;
}

static void
matrix_open(struct plot *p)
{
	struct matrix *m = xcalloc(1, sizeof *m);

	p->state = m;
	names_open(&p->row, p->opts.y ? p->opts.y : "loc", NAMES_TOLD);
	side_open(&m->row, p, &p->row, false);
	side_open(&m->column, p, &p->key, true);
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
		uint32_t y, x;

		if (m->sends && !strcmp(p->key.text.v[column[i]].s, "-"))
			continue;
		y = lanes_row(&m->row.lanes, &p->row, row[i]);
		x = lanes_row(&m->column.lanes, &p->key, column[i]);
		v[cell_slot(y, x) + CELL_COUNT]++;
		if (sum)
			v[cell_slot(y, x) + CELL_SUM] = add_most(
			    v[cell_slot(y, x) + CELL_SUM], measure_weight(&p->sum, i));
		p->events++;
	}
}

static void
matrix_each(struct plot *p, plot_with *with, void *arg)
{
	const struct matrix *m = p->state;

	for (uint32_t y = 0; y < m->row.lanes.n; y++)
		for (uint32_t x = 0; x < m->column.lanes.n; x++)
			for (uint32_t k = 0; k < CELL_SLOTS; k++) {
				const struct lane *r = &m->row.lanes.lane[y],
						  *c = &m->column.lanes.lane[x];

				with(arg, cell_slot(r->row, c->row) + k,
				     p->row.text.v[r->first].s, p->key.text.v[c->first].s,
				     k);
			}
}

static uint32_t
matrix_slot(struct plot *p, const char *lane, const char *name, unsigned sum)
{
	struct matrix *m = p->state;
	uint32_t row = names_id(&p->row, lane, strlen(lane)), y;
	uint32_t column = names_id(&p->key, name, strlen(name)), x;

	y = lanes_row(&m->row.lanes, &p->row, row);
	x = lanes_row(&m->column.lanes, &p->key, column);
	return sum < CELL_SLOTS ? cell_slot(y, x) + sum : NO_SLOT;
}

static void
matrix_close(struct plot *p)
{
	struct matrix *m = p->state;

	lanes_free(&m->row.lanes);
	lanes_free(&m->column.lanes);
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
