/*
 * having.c - tests which rows of a table are wanted.
 *
 * A row becomes an event whose arguments are the cells, so that the test is an expression as in trace-filter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "expr/filter.h"
#include "summary/row_values.h"

struct having {
	struct expr *expr;
	struct source s;
	struct batch b;
	struct arg *args; /* all cells that a row can have */
	size_t nargs;
	/* the sets of cells that rows have; number of a set = number of its type */
	struct strtab kinds;
	struct buf cells;
	size_t *end; /* end of each cell in `cells` */
};

static const struct format rows_format = {.name = "rows"};

/* Returns the name of column i of the question; NULL after the last. */
static const char *
column_name(const struct spec *p, size_t i)
{
	size_t k = i - (p->pane != 0);

	if (p->pane && !i)
		return "window";
	if (k < p->nkeys)
		return spec_key_label(p, k);
	k -= p->nkeys;
	return k < p->nshown ? p->shown[k].label : NULL;
}

/* Returns true if a column has the name s[0..n). */
static bool
is_column(const struct spec *p, const char *s, size_t n)
{
	const char *name;

	for (size_t i = 0; (name = column_name(p, i)); i++)
		if (strlen(name) == n && !memcmp(name, s, n))
			return true;
	return false;
}

static _Noreturn void
no_column(const struct spec *p, const char *name)
{
	struct buf b = {0};
	const char *one;

	for (size_t i = 0; (one = column_name(p, i)); i++) {
		buf_byte(&b, ' ');
		buf_add(&b, one, strlen(one));
	}
	die("--having: there is no column %s; there are:%.*s", name, (int)b.n,
	    (const char *)b.p);
}

/* Dies if the test uses something that no row has. */
static void
check_test(const char *test, const struct spec *spec)
{
	struct expr_tree t;

	expr_tree_parse(&t, test, 0, NULL);
	if (t.before)
		die("--having: prev, nth and total are for events, not for rows");
	for (size_t i = 0; i < t.ntests + t.nfields; i++) {
		const struct test *one = i < t.ntests ? t.tests[i] : NULL;
		const char *name = one ? one->field : t.fields[i - t.ntests].name;

		if (one && one->op == OP_GLOB)
			expr_die(&t, one->at,
				 "a test of columns is expected, such as count > 9");
		if (!name)
			continue;
		name += strncmp(name, "arg.", 4) ? 0 : 4;
		if (!is_column(spec, name, strlen(name)))
			no_column(spec, name);
	}
	expr_tree_free(&t);
}

/* Returns the length of an aggregate at the beginning of s, up to its parenthesis; 0 if there is none. word:
 * length of its name. */
static size_t
call_length(const char *s, size_t word)
{
	size_t n = word + strspn(s + word, " \t\n");
	int depth = 0;

	if (s[n] != '(' || spec_measure(s, word, false) < 0)
		return 0;
	do
		depth += s[n] == '(' ? 1 : s[n] == ')' ? -1 : 0;
	while (s[n++] && depth > 0);
	return depth ? 0 : n;
}

/* Returns the test as an expression about events that have the columns as arguments. A name that is a column of
 * the table and of events becomes arg.NAME, and an aggregate becomes the name of its column in quotes. The caller
 * frees the result. */
static char *
of_arguments(const char *text, const struct spec *p)
{
	struct buf b = {0};

	for (const char *s = text; *s;) {
		size_t n = strcspn(s, " \t\n()!=<>~&|,{}\"'"), call = call_length(s, n);
		char *name = xcalloc(n + call + 2, 1);

		memcpy(name, s, call ? call : n + !n);
		expr_label(name);
		if (*s == '"') {
			for (n = 1; s[n] && s[n] != '"'; n++)
				n += s[n] == '\\' && s[n + 1];
			n += s[n] == '"';
			buf_add(&b, s, n);
		} else if (call && is_column(p, name, strlen(name))) {
			buf_byte(&b, '"');
			buf_add(&b, name, strlen(name));
			buf_byte(&b, '"');
			n = call;
		} else if (call &&
			   (n != 3 || (memcmp(s, "min", 3) && memcmp(s, "max", 3)))) {
			no_column(p, name);
		} else {
			if (n && field_column(s, n) && is_column(p, s, n))
				buf_add(&b, "arg.", 4);
			n += !n;
			buf_add(&b, s, n);
		}
		free(name);
		s += n;
	}
	buf_byte(&b, '\0');
	return (char *)b.p;
}

struct having *
having_open(const char *text, const struct spec *spec)
{
	struct having *h = xcalloc(1, sizeof *h);
	char *test = of_arguments(text, spec);

	check_test(test, spec);
	h->expr = expr_parse(test);
	free(test);
	h->nargs = (spec->pane != 0) + spec->nkeys + spec->nshown;
	h->args = xcalloc(h->nargs, sizeof *h->args);
	for (size_t i = 0; i < h->nargs; i++)
		h->args[i] = (struct arg){.name = column_name(spec, i), .kind = K_TEXT};
	h->end = xcalloc(h->nargs, sizeof *h->end);
	h->s.fmt = &rows_format;
	h->s.name = "--having";
	h->s.head_serial = serial();
	h->s.t.epoch = serial();
	strtab_id(&h->s.t.str, "-", 1);
	return h;
}

/* Writes the cells of the row to h->cells, one after the other. */
static void
take_cells(struct having *h, struct stats_table *t, const uint32_t *key, int64_t w,
	   uint32_t g)
{
	const struct spec *spec = t->st->spec;
	struct buf *b = &h->cells;

	b->n = 0;
	for (size_t i = 0; i < h->nargs; i++) {
		size_t k = i - (spec->pane != 0);

		if (spec->pane && !i)
			stats_table_window(b, t, w);
		else if (k < spec->nkeys)
			keytab_put(b, &t->st->text, key[k]);
		else
			row_values_full(b, t, k - spec->nkeys, g);
		h->end[i] = b->n;
	}
}

/* Returns the type of a row that has the cells with kind[i] = 1. The type is added if it is new. */
static uint32_t
row_type(struct having *h, const uint8_t *kind)
{
	struct type type = {.event = "row", .event_len = 3};
	uint32_t id = strtab_id(&h->kinds, kind, h->nargs);
	struct arg *args;

	if (id < h->s.t.ntypes)
		return id;
	args = xcalloc(h->nargs + 1, sizeof *args);
	for (size_t i = 0; i < h->nargs; i++)
		if (kind[i])
			args[type.nargs++] = h->args[i];
	type.args = args;
	type_add(&h->s.t, &type);
	free(args);
	return id;
}

bool
having_row(struct having *h, struct stats_table *t, const uint32_t *key, int64_t w,
	   uint32_t g)
{
	uint32_t pick[BATCH], type, a = 0;
	uint8_t *kind = xcalloc(h->nargs + 1, 1);
	size_t from = 0;

	take_cells(h, t, key, w, g);
	for (size_t i = 0; i < h->nargs; from = h->end[i++])
		kind[i] = h->end[i] != from + 1 || h->cells.p[from] != '-';
	type = row_type(h, kind);
	h->s.head.clock = t->st->clock;
	batch_start(&h->b);
	rec_new(&h->b, &h->s.t, type);
	from = 0;
	for (size_t i = 0; i < h->nargs; from = h->end[i++])
		if (kind[i])
			rec_str(&h->b, &h->s.t.type[type].args[a++], h->cells.p + from,
				h->end[i] - from);
	free(kind);
	h->b.base = h->b.own.p;
	return expr_run(h->expr, &h->s, &h->b, pick) > 0;
}

int
having_close(struct having *h)
{
	int status;

	if (!h)
		return ST_OK;
	status = expr_finish(h->expr, true);
	expr_free(h->expr);
	tables_free(&h->s.t);
	buf_free(&h->b.own);
	strtab_free(&h->kinds);
	buf_free(&h->cells);
	free(h->end);
	free(h->args);
	free(h);
	return status;
}
