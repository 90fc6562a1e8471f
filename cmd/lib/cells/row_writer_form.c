/*
 * row_writer_form.c - the output forms that write events as rows: fields and computed values as a stream has them,
 * for join, paste and awk (-F); CSV, TSV and lines of JSON for sqlite, pandas, R, jq and spreadsheets.
 */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "input/cache.h"
#include "cells/row_writer.h"
#include "table/table.h"

/* Limit of the columns that arguments make if there is no --fields. */
/* Bound: trace-export csv | columns | names of arguments | 4096 | different arguments: left out the others */
#define COLUMNS_MOST 4096

struct row_writer_form {
	struct row_writer cells;
	struct buf null;      /* holds cells.null, unless that is a constant */
	struct values values; /* the computed values of --fields */
	bool any;	      /* there was an event */
	bool begun;	      /* the headings are written */
	bool too_many;	      /* there are too many arguments for a line of headings */
	/* For the first reading: by type, true if all its arguments are columns already; and the number of types
	 * for which this is false. */
	uint8_t *met;
	struct cache met_cache;
	uint32_t unmet;
};

/* Dies if a name in the list of -F is empty. */
static void
check_names(const char *list)
{
	const char *p = list;

	while (strcspn(p, ",")) {
		p += strcspn(p, ",");
		if (!*p++)
			return;
	}
	die("-F %s: a name is empty", list);
}

const struct row_writer_options *
row_writer_asked(const struct sink *k)
{
	static const struct row_writer_options nothing;

	return k->opt.of ? k->opt.of : &nothing;
}

/* Makes a column of each field and value in the list of --fields. */
static void
set_fields(struct row_writer_form *t, const struct sink *k, struct read_options *opt)
{
	struct exprs *list = exprs_parse(row_writer_asked(k)->fields, PARSE_LIST, NULL);
	const struct expr_tree *tree = exprs_tree(list);
	bool computed = false;

	for (size_t i = 0; i < tree->nlets; i++) {
		row_writer_column(&t->cells, tree->lets[i].label, tree->lets[i].field, i);
		computed |= !tree->lets[i].field;
	}
	opt->need |= view_need(&t->cells.view);
	if (computed)
		values_begin(&t->values, list, row_writer_asked(k)->keys, opt);
	else
		exprs_free(list);
}

/* Returns the text of an absent value: --null as a cell of the form, quoted in CSV if needed, with TABs and line
 * ends escaped in TSV. */
static const char *
absent_text(struct row_writer_form *t, const char *null, enum row_writer_style style)
{
	struct buf *b = &t->null;

	if (style == CELLS_STREAM)
		return "-";
	if (!null || !*null || style >= CELLS_JSON)
		return "";
	if (style == CELLS_CSV)
		table_csv(b, null, strlen(null), false);
	for (const char *p = null; style == CELLS_TSV && *p; p++)
		if (strchr("\t\r\n", *p)) {
			buf_add(b, "\\x", 2);
			buf_add(b, put_hex2[(uint8_t)*p], 2);
		} else
			buf_byte(b, *p);
	buf_byte(b, 0);
	return (const char *)b->p;
}

static void
form_begin(struct sink *k, struct read_options *opt, enum row_writer_style style)
{
	static const char *const columns[] = {"time", "loc",  "event",
					      "addr", "size", "dur"};
	struct row_writer_form *t = k->state = xcalloc(1, sizeof *t);
	const struct row_writer_options *asked = row_writer_asked(k);
	struct row_writer *c = &t->cells;

	c->out = &k->out;
	c->style = style;
	c->null = absent_text(t, asked->null, style);
	c->numbers = asked->numbers;
	c->safe = asked->safe;
	c->absolute = k->opt.absolute;
	c->args = !asked->fields;
	if (k->whole) {
		const struct row_writer_form *whole = k->whole->state;

		for (uint32_t i = 0; i < whole->cells.names.n; i++)
			strtab_id(&c->names, whole->cells.names.v[i].s,
				  whole->cells.names.v[i].len);
	}
	if (asked->fields) {
		set_fields(t, k, opt);
		return;
	}
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		row_writer_column(c, columns[i], columns[i], 0);
	opt->need |= NEED_ALL;
}

static void
begin_fields(struct sink *k, struct read_options *opt)
{
	check_names(row_writer_asked(k)->fields);
	form_begin(k, opt, CELLS_STREAM);
	if (k->opt.header && !k->whole)
		row_writer_head(&((struct row_writer_form *)k->state)->cells);
}

static void
begin_csv(struct sink *k, struct read_options *opt)
{
	form_begin(k, opt, CELLS_CSV);
}

static void
begin_tsv(struct sink *k, struct read_options *opt)
{
	form_begin(k, opt, CELLS_TSV);
}

static void
begin_jsonl(struct sink *k, struct read_options *opt)
{
	form_begin(k, opt, CELLS_JSON);
}

void
row_writer_learn(struct sink *k, struct source *s, const struct batch *b,
		 const uint32_t *pick, uint32_t n)
{
	struct row_writer_form *t = k->state;
	struct strtab *names = &t->cells.names;
	uint32_t id;

	if (!cache_holds(&t->met_cache, s))
		t->unmet = 0;
	CACHE(t->met, t->met_cache, s, s->t.ntypes);
	while (cache_next(&t->met_cache, s->t.ntypes, &id)) {
		t->met[id] = !s->t.type[id].nargs;
		t->unmet += !t->met[id];
	}
	for (uint32_t i = 0; i < n && t->unmet; i++) {
		uint32_t type = batch_rec(b, pick ? pick[i] : i)->type;
		const struct type *ty = &s->t.type[type];

		if (likely(t->met[type]))
			continue;
		t->unmet--;
		t->met[type] = 1;
		for (uint32_t a = 0; a < ty->nargs; a++) {
			const char *name = ty->args[a].name;

			if (names->n < COLUMNS_MOST)
				strtab_id(names, name, strlen(name));
			else if (!strtab_find(names, name, strlen(name), &id))
				t->too_many = true;
		}
	}
}

static void
form_heading(struct sink *k, struct source *s)
{
	struct row_writer_form *t = k->state;

	(void)s;
	if (!t->begun)
		row_writer_head(&t->cells);
	t->begun = true;
}

/* Runs the list of --fields over all events of the batch, if it needs all. */
static void
see(struct sink *k, struct source *s, const struct batch *b)
{
	struct row_writer_form *t = k->state;

	values_see(&t->values, s, b);
}

static void
form_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	struct row_writer_form *t = k->state;

	if (!values_put(&t->values, s, b, pick, n))
		return;
	t->any |= n > 0;
	row_writer_put(&t->cells, s, b, pick, n, &t->values);
}

static bool
join(struct sink *k, struct sink *piece)
{
	struct row_writer_form *t = k->state, *p = piece->state;

	t->any |= p->any;
	p->any = false;
	t->cells.missed |= p->cells.missed;
	p->cells.missed = false;
	view_merge(&t->cells.view, &p->cells.view);
	if (t->values.list)
		exprs_merge(t->values.list, p->values.list);
	return true;
}

static int
form_close(struct sink *k)
{
	struct row_writer_form *t = k->state;
	struct view *v = &t->cells.view;
	bool fields = !t->values.list && !t->cells.args;
	int status = values_close(&t->values, k);

	for (size_t i = 0; i < v->n && t->any && fields && !k->cut; i++)
		if (!(v->name[i].seen & SEEN_FIELD)) {
			view_missing(v, v->name[i].name);
			status = ST_TROUBLE;
		}
	if (k->part)
		status = ST_OK;
	if (t->too_many || t->cells.missed) {
		warn("%s", t->too_many
			       ? "more than 4096 different arguments: left out the others; "
				 "use -F or -T jsonl"
			       : "the input changed after it was read first: an argument "
				 "is left out");
		status = ST_TROUBLE;
	}
	row_writer_free(&t->cells);
	free(t->met);
	buf_free(&t->null);
	free(t);
	return status;
}

#define FORM(of, head_serial)           \
	const struct form form_##of = { \
	    .need = NEED_ORDER,         \
	    .begin = begin_##of,        \
	    .head = head_serial,        \
	    .see = see,                 \
	    .put = form_put,            \
	    .close = form_close,        \
	    .join = join,               \
	}
FORM(fields, NULL);
FORM(csv, form_heading);
FORM(tsv, form_heading);
FORM(jsonl, form_heading);
