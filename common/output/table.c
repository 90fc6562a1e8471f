/*
 * table.c - fields and computed values of every event, for join, paste and spreadsheets.
 *
 * Fields alone are written as they stand in the stream. Where the list has a computed value,
 * it is run once for each batch: over all events if it looks at those before, else over
 * those that are written.
 */
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "event/value.h"
#include "event/view.h"
#include "output/rows.h"
#include "output/values.h"

struct column {
	bool computed;
	size_t at; /* its number in the view, or in the list */
};

struct table {
	struct rows rows;
	struct view view; /* the fields */
	struct column *column;
	size_t n;
	struct values values; /* of the list, unless all are fields */
	bool any;	      /* there were events */
};

/* Dies where a name is missing between two commas, or before or behind them. */
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

static void
begin(struct sink *k, struct read_options *opt)
{
	struct table *t = k->state = xcalloc(1, sizeof *t);
	const struct expr_tree *tree;
	struct exprs *list;
	bool computed = false;

	check_names(k->opt.fields);
	t->rows.out = &k->out;
	list = exprs_parse(k->opt.fields, PARSE_LIST, NULL);
	tree = exprs_tree(list);
	t->n = tree->nlets;
	t->column = xcalloc(t->n, sizeof *t->column);
	for (size_t i = 0; i < t->n; i++) {
		const struct expr_let *l = &tree->lets[i];

		if (k->opt.header && !k->whole)
			rows_name(&t->rows, l->label);
		t->column[i].computed = !l->field;
		t->column[i].at =
		    l->field ? view_add(&t->view, l->field, strlen(l->field), true) : i;
		computed |= !l->field;
	}
	if (k->opt.header && !k->whole)
		rows_head(&t->rows);
	opt->need |= view_need(&t->view);
	if (computed)
		values_begin(&t->values, list, k, opt);
	else
		exprs_free(list);
}

/* All events of the batch, before those that are written. */
static void
see(struct sink *k, struct source *s, const struct batch *b)
{
	struct table *t = k->state;

	values_see(&t->values, s, b);
}

static INLINE void
put_field(struct buf *to, const struct source *s, const struct rec *r,
	  const struct field *f, int64_t shift)
{
	uint64_t time;

	if (shift && (f->kind == FIELD_TIME || f->kind == FIELD_END) &&
	    field_load(f, r, &time))
		value_time(to, CLOCK_NS, time_plus(CLOCK_NS, (int64_t)time, shift));
	else if (!field_text(to, &s->head, &s->t, r, f))
		buf_add(to, "-", 1);
}

static void
put_computed(struct buf *to, enum clock clock, const struct vec *v, uint32_t j)
{
	struct val_env env = {clock, NULL};
	struct val one;

	if (v->kind == VAL_WHOLE && (v->all || v->there[j])) {
		buf_to(to, put_i64(buf_room(to, 32 + PUT_SLACK), v->n[j]));
		return;
	}
	one = vec_val(v, j);
	if (one.kind == VAL_NONE)
		buf_add(to, "-", 1);
	else if (one.kind == VAL_TEXT)
		value_str(to, one.s, one.len);
	else
		val_put(to, &env, &one);
}

/* The cells of an event, the j-th that the list was run over. */
static void
put_mixed(struct table *t, const struct source *s, const struct rec *r,
	  const struct field *f, uint32_t j, int64_t shift)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->column[i];

		if (c->computed)
			put_computed(rows_cell(&t->rows), s->head.clock,
				     exprs_vec(t->values.list, c->at), j);
		else
			put_field(rows_cell(&t->rows), s, r, f + c->at, shift);
	}
}

/* A line for each event; what an event lacks is "-". */
static void
put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
    uint32_t n)
{
	struct table *t = k->state;
	int64_t shift = head_shift(&s->head, k->opt.absolute);

	if (!values_put(&t->values, s, b, pick, n))
		return;
	view_bind(&t->view, &s->t, &s->head, s->heads, s->fmt->text);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;
		const struct rec *r = batch_rec(b, at);
		const struct field *f = t->view.n ? view_field(&t->view, r->type, 0) : NULL;

		if (t->values.list)
			put_mixed(t, s, r, f, values_at(&t->values, at, i), shift);
		else
			for (size_t j = 0; j < t->n; j++)
				put_field(rows_cell(&t->rows), s, r, f + j, shift);
		rows_put(&t->rows);
	}
	if (k->out.line)
		out_flush(&k->out);
}

static void
join(struct sink *k, struct sink *piece)
{
	struct table *t = k->state, *p = piece->state;

	t->any |= p->any;
	p->any = false;
	view_merge(&t->view, &p->view);
	if (t->values.list)
		exprs_merge(t->values.list, p->values.list);
}

/* Reports names that no event had, where all events were read. */
static int
close_table(struct sink *k)
{
	struct table *t = k->state;
	bool fields = !t->values.list;
	int status = values_close(&t->values, k);

	for (size_t i = 0; i < t->view.n && fields; i++)
		if (t->any && !(t->view.name[i].seen & SEEN_FIELD) && !k->cut) {
			view_missing(&t->view, t->view.name[i].name);
			status = ST_TROUBLE;
		}
	view_free(&t->view);
	rows_end(&t->rows);
	free(t->column);
	free(t);
	return k->part ? ST_OK : status;
}

const struct form form_fields = {
    .need = NEED_ORDER,
    .begin = begin,
    .see = see,
    .put = put,
    .join = join,
    .close = close_table,
};
