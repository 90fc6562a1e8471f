/* diff_rows.c - joins the tables of all runs by key, and writes the rows that differ: see diff.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "trace-diff/diff.h"

/* The rows of all runs. Those with equal keys have one number. */
struct joined {
	struct diff *d;
	struct strtab keys;
	const char *
	    *line; /* for each row and run its aggregates; NULL: the run lacks the row */
	size_t cap;
	unsigned decides; /* the aggregate that sorts the rows */
	bool several;	  /* a side has several runs */
};

/* A row that differs. */
struct chosen {
	uint32_t row;
	double size; /* its change without the sign, by which rows are sorted */
};

/* The values of both sides. */
struct two {
	struct cell_text old, new;
};

/* The value of a side that lacks the row: absent, but at another address. */
static const char lacking[] = "-";

struct cell_text
row_cell(const char *p, unsigned i)
{
	while (i--)
		p += strcspn(p, "\t\n") + 1;
	return (struct cell_text){p, strcspn(p, "\t\n")};
}

bool
name_grows(struct cell_text name)
{
	struct cell_text function = {name.s, strcspn(name.s, "(\t\n")};

	return text_is(function, (struct cell_text){"count", 5}) ||
	       (function.n < name.n && text_is(function, (struct cell_text){"sum", 3}));
}

/* Adds the rows of a run. */
static void
join_run(struct joined *j, size_t run)
{
	const struct diff *d = j->d;
	const struct diff_run *r = &d->run[run];

	for (const char *p = r->rows.s; *p; p += strcspn(p, "\n") + 1) {
		size_t n = d->nkeys ? (size_t)(row_cell(p, d->nkeys).s - p - 1) : 0;
		uint32_t row = strtab_id(&j->keys, p, n);

		GROW(j->line, j->cap, (row + 1) * d->nruns);
		j->line[row * d->nruns + run] = row_cell(p, r->skip).s;
	}
}

/* Stores the values of an aggregate for the runs of one side, in order if they are numbers. Returns how many there are: at
 * least one, which may be absent. */
static size_t
side_values(const struct joined *j, uint32_t row, unsigned column, bool new,
	    struct cell_text v[RUNS_MOST])
{
	const struct diff *d = j->d;
	size_t n = 0;

	v[0] = (struct cell_text){lacking, 1};
	for (size_t i = new ? d->nold : 0; i < (new ? d->nruns : d->nold); i++) {
		const char *line = j->line[row * d->nruns + i];

		if (!line)
			continue;
		v[n] = row_cell(line, column);
		n += !text_is(v[n], absent);
	}
	n = n ? n : 1;
	value_sort(v, n);
	return n;
}

/* Returns the medians: of an even number of values the lower of the two in the middle, as p50 is. */
static struct two
medians(const struct joined *j, uint32_t row, unsigned column)
{
	struct cell_text v[2][RUNS_MOST];
	size_t n = side_values(j, row, column, false, v[0]),
	       m = side_values(j, row, column, true, v[1]);

	return (struct two){v[0][(n - 1) / 2], v[1][(m - 1) / 2]};
}

/* Returns how much an aggregate differs, as value_differs does. */
static double
differs(const struct joined *j, uint32_t row, unsigned column)
{
	struct two v = medians(j, row, column);

	if (!j->d->thresholds && (v.old.s == lacking) != (v.new.s == lacking) &&
	    text_is(v.old, v.new))
		return 0;
	return value_differs(v.old, v.new, &j->d->min, &j->d->ratio);
}

/* Returns how much a row differs in the aggregate that decides. Returns -1 if the row is not to be written: if that is below
 * a threshold, or if no aggregate differs and there are no thresholds. */
static double
row_differs(const struct joined *j, uint32_t row)
{
	double by = differs(j, row, j->decides);

	for (unsigned c = 0; c < j->d->ncolumns && by < 0 && !j->d->thresholds; c++)
		by = differs(j, row, c) < 0 ? -1 : 0;
	return by;
}

static int
greatest_first(const void *x, const void *y)
{
	const struct chosen *a = x, *b = y;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void
put_text(struct table *t, struct cell_text v)
{
	buf_add(table_cell(t), v.s, v.n);
}

/* Returns the number of the aggregate of -S; the last one without -S. */
static unsigned
decider(const struct diff *d)
{
	struct cell_text want = {d->sort, d->sort ? strlen(d->sort) : 0},
			 *name = d->name + d->nkeys;
	struct buf names = {0};

	if (!d->sort)
		return d->ncolumns - 1;
	for (unsigned c = 0; c < d->ncolumns; c++) {
		if (text_is(name[c], want))
			return c;
		buf_str(&names, c ? ", " : "");
		buf_add(&names, name[c].s, name[c].n);
	}
	opt_die("-S %s: there is no such aggregate; there are %.*s", d->sort, (int)names.n,
		(char *)names.p);
}

/* Writes the names of the columns. */
static void
put_names(const struct joined *j)
{
	const char *const more[] = {"change",	"ratio",     j->several ? "least" : NULL,
				    "greatest", "least.new", "greatest.new",
				    "p",	NULL};
	const struct diff *d = j->d;
	struct table *t = &j->d->table;

	for (unsigned i = 0; i < d->nkeys; i++)
		put_text(t, d->name[i]);
	for (unsigned i = 2 * d->nkeys; i < 2 * (d->nkeys + d->ncolumns); i++) {
		put_text(t, d->name[i / 2]);
		buf_str(&t->line,
			d->per_second && name_grows(d->name[i / 2]) ? ".rate" : "");
		buf_str(&t->line, i % 2 ? ".new" : "");
	}
	table_texts(t, more);
	table_head(t);
}

/* Writes the smallest and the greatest value of each side, and the probability of the rank-sum test. */
static void
put_spread(struct table *t, const struct joined *j, uint32_t row)
{
	struct cell_text v[2 * RUNS_MOST];
	size_t n = side_values(j, row, j->decides, false, v),
	       m = side_values(j, row, j->decides, true, v + n);

	put_text(t, v[0]);
	put_text(t, v[n - 1]);
	put_text(t, v[n]);
	put_text(t, v[n + m - 1]);
	value_ranks(table_cell(t), v, n, m);
}

static void
write_row(const struct joined *j, uint32_t row)
{
	struct table *t = &j->d->table;
	struct two v;

	for (unsigned i = 0; i < j->d->nkeys; i++)
		put_text(t, row_cell(j->keys.v[row].s, i));
	for (unsigned c = 0; c < j->d->ncolumns; c++) {
		v = medians(j, row, c);
		put_text(t, v.old);
		put_text(t, v.new);
	}
	v = medians(j, row, j->decides);
	value_change(table_cell(t), v.old, v.new);
	value_ratio(table_cell(t), v.old, v.new, 3);
	if (j->several)
		put_spread(t, j, row);
	table_row(t);
}

uint64_t
diff_rows(struct diff *d)
{
	struct joined j = {.d = d, .decides = decider(d), .several = d->nruns > 2};
	struct chosen *chosen = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < d->nruns; i++)
		join_run(&j, i);
	GROW(j.line, j.cap, j.keys.n * d->nruns + 1);
	for (uint32_t row = 0; row < j.keys.n; row++) {
		double by = row_differs(&j, row);

		if (by >= 0)
			*PUSH(chosen, n, cap) = (struct chosen){row, by};
	}
	if (n)
		qsort(chosen, n, sizeof *chosen, greatest_first);
	put_names(&j);
	for (size_t i = 0; i < n && !table_full(&d->table); i++)
		write_row(&j, chosen[i].row);
	table_end(&d->table);
	if (d->table.style == TABLE_JSON)
		out_str(d->table.out, "\n");
	free(chosen);
	free(j.line);
	strtab_free(&j.keys);
	return n;
}
