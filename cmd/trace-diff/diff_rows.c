/* diff_rows.c - joins the tables of all runs by key, and writes the rows that differ: see diff.h. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/opt.h"
#include "trace-diff/diff.h"

/* The rows of all runs with equal keys. */
struct joined {
	struct strtab keys;
	const char **
	    line; /* for each key and run the first aggregate; NULL: the run has no such row */
	size_t cap;
};

/* A row that differs. */
struct chosen {
	uint32_t row;
	double size; /* its change without the sign, by which rows are sorted */
};

static const struct cell_text absent = {"-", 1};

/* Returns the place after `n` cells of the line at p. */
static const char *
after_cells(const char *p, unsigned n)
{
	for (; n; n--)
		p += strcspn(p, "\t\n") + 1;
	return p;
}

/* Adds the rows of a run. */
static void
join_run(struct joined *j, const struct diff *d, size_t run)
{
	const struct diff_run *r = &d->run[run];

	for (const char *p = r->rows.s, *end = p + r->rows.n; p < end;
	     p += strcspn(p, "\n") + 1) {
		size_t n = d->nkeys ? (size_t)(after_cells(p, d->nkeys) - p - 1) : 0;
		uint32_t row = strtab_id(&j->keys, p, n);

		GROW(j->line, j->cap, (row + 1) * d->nruns);
		j->line[row * d->nruns + run] = after_cells(p, r->skip);
	}
}

/* Returns true if an aggregate of a longer time is greater: a count or a sum. */
static bool
grows(struct cell_text name)
{
	static const char *const words[] = {"count(", "sum("};

	for (size_t i = 0; i < 2; i++)
		if (name.n > strlen(words[i]) &&
		    !memcmp(name.s, words[i], strlen(words[i])))
			return true;
	return text_is(name, (struct cell_text){"count", 5});
}

/* Stores the values of aggregate `column` in a row, for the runs of one side that have one. Returns their number; at
 * least 1, which may be absent. They are in order if they are numbers. */
static size_t
side_values(const struct diff *d, const struct joined *j, uint32_t row, unsigned column,
	    bool new, struct cell_text v[RUNS_MOST])
{
	size_t n = 0;

	for (size_t i = new ? d->nold : 0; i < (new ? d->nruns : d->nold); i++) {
		const char *line = j->line[row * d->nruns + i];
		struct cell_text cell;

		if (!line)
			continue;
		cell.s = after_cells(line, column);
		cell.n = strcspn(cell.s, "\t\n");
		if (text_is(cell, absent))
			continue;
		v[n++] = d->per_second && grows(d->name[d->nkeys + column])
			     ? value_over(cell, d->run[i].span)
			     : cell;
	}
	if (!n)
		v[n++] = absent;
	value_sort(v, n);
	return n;
}

/* Returns the median of one side: of an even number of values the lower of the two in the middle, as p50 is. */
static struct cell_text
median(const struct diff *d, const struct joined *j, uint32_t row, unsigned column,
       bool new)
{
	struct cell_text v[RUNS_MOST];
	size_t n = side_values(d, j, row, column, new, v);

	return v[(n - 1) / 2];
}

/* Returns true if a side has no such row at all. */
static bool
lacks(const struct diff *d, const struct joined *j, uint32_t row, bool new)
{
	for (size_t i = new ? d->nold : 0; i < (new ? d->nruns : d->nold); i++)
		if (j->line[row * d->nruns + i])
			return false;
	return true;
}

/* Returns how much the row differs in the aggregate that decides, or -1 if the row is not to be written: it is, by the
 * thresholds, or without them by any difference. */
static double
difference(const struct diff *d, const struct joined *j, uint32_t row, unsigned decides)
{
	double by = value_differs(median(d, j, row, decides, false),
				  median(d, j, row, decides, true), &d->min, &d->ratio);

	if (by >= 0 || d->thresholds)
		return by;
	for (unsigned c = 0; c < d->ncolumns && by < 0; c++)
		if (value_differs(median(d, j, row, c, false), median(d, j, row, c, true),
				  &d->min, &d->ratio) >= 0)
			by = 0;
	return by < 0 && lacks(d, j, row, false) != lacks(d, j, row, true) ? 0 : by;
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
	struct cell_text want = {d->sort, d->sort ? strlen(d->sort) : 0};
	struct buf names = {0};

	if (!d->sort)
		return d->ncolumns - 1;
	for (unsigned c = 0; c < d->ncolumns; c++) {
		if (text_is(d->name[d->nkeys + c], want))
			return c;
		buf_str(&names, c ? ", " : "");
		buf_add(&names, d->name[d->nkeys + c].s, d->name[d->nkeys + c].n);
	}
	buf_byte(&names, '\0');
	opt_die("-S %s: there is no such aggregate; there are %s", d->sort,
		(char *)names.p);
}

/* Writes the names of the columns. */
static void
put_names(struct diff *d, bool several)
{
	static const char *const more[] = {"least",	   "greatest", "least.new",
					   "greatest.new", "p",	       NULL};
	struct table *t = &d->table;

	for (unsigned i = 0; i < d->nkeys; i++)
		put_text(t, d->name[i]);
	for (unsigned i = d->nkeys; i < d->nkeys + d->ncolumns; i++)
		for (unsigned new = 0; new < 2; new ++) {
			put_text(t, d->name[i]);
			if (d->per_second && grows(d->name[i]))
				buf_str(&t->line, ".rate");
			buf_str(&t->line, new ? ".new" : "");
		}
	table_text(t, "change");
	table_text(t, "ratio");
	if (several)
		table_texts(t, more);
	table_head(t);
}

/* Writes the smallest and the greatest value of each side, and the probability of the rank-sum test. */
static void
put_spread(struct diff *d, const struct joined *j, uint32_t row, unsigned decides)
{
	struct cell_text v[2 * RUNS_MOST];
	size_t n = side_values(d, j, row, decides, false, v), m;

	put_text(&d->table, v[0]);
	put_text(&d->table, v[n - 1]);
	m = side_values(d, j, row, decides, true, v + n);
	put_text(&d->table, v[n]);
	put_text(&d->table, v[n + m - 1]);
	value_ranks(table_cell(&d->table), v, n, m);
}

static void
write_row(struct diff *d, const struct joined *j, uint32_t row, unsigned decides,
	  bool several)
{
	struct table *t = &d->table;
	struct cell_text old = median(d, j, row, decides, false),
			 new = median(d, j, row, decides, true);

	for (const char *p = j->keys.v[row].s, *next; d->nkeys && p; p = next) {
		next = strchr(p, '\t');
		put_text(t, (struct cell_text){p, next ? (size_t)(next - p) : strlen(p)});
		next += next != NULL;
	}
	for (unsigned c = 0; c < d->ncolumns; c++) {
		put_text(t, median(d, j, row, c, false));
		put_text(t, median(d, j, row, c, true));
	}
	value_change(table_cell(t), old, new);
	value_ratio(table_cell(t), old, new, 3);
	if (several)
		put_spread(d, j, row, decides);
	table_row(t);
}

uint64_t
diff_rows(struct diff *d)
{
	struct joined j = {.cap = 0};
	unsigned decides = decider(d);
	bool several = d->nruns > 2;
	struct chosen *chosen = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < d->nruns; i++)
		join_run(&j, d, i);
	GROW(j.line, j.cap, j.keys.n * d->nruns + 1);
	for (uint32_t row = 0; row < j.keys.n; row++) {
		double by = difference(d, &j, row, decides);

		if (by >= 0)
			*PUSH(chosen, n, cap) = (struct chosen){row, by};
	}
	if (n)
		qsort(chosen, n, sizeof *chosen, greatest_first);
	put_names(d, several);
	for (size_t i = 0; i < n && !table_full(&d->table); i++)
		write_row(d, &j, chosen[i].row, decides, several);
	table_end(&d->table);
	if (d->table.style == TABLE_JSON)
		out_str(d->table.out, "\n");
	free(chosen);
	free(j.line);
	strtab_free(&j.keys);
	return n;
}
