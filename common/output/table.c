/* table.c - the same fields of every event, for join, paste and spreadsheets. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "event/view.h"
#include "output/rows.h"
#include "output/sink.h"

struct table {
	struct rows rows;
	struct view view; /* the fields */
	bool any;	  /* there were events */
};

static void
begin(struct sink *k, struct read_options *opt)
{
	struct table *t = k->state = xcalloc(1, sizeof *t);

	t->rows.out = &k->out;
	for (const char *p = k->opt.fields;; p++) {
		size_t n = strcspn(p, ",");

		if (!n)
			die("-F %s: a name is empty", k->opt.fields);
		view_add(&t->view, p, n, false);
		p += n;
		if (!*p)
			break;
	}
	opt->need |= view_need(&t->view);
	if (!k->opt.header)
		return;
	for (size_t i = 0; i < t->view.n; i++)
		rows_name(&t->rows, t->view.name[i].name);
	rows_head(&t->rows);
}

/* A line for each event; a field that an event lacks is "-". */
static void
put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
    uint32_t n)
{
	struct table *t = k->state;
	int64_t shift = head_shift(&s->head, k->opt.absolute);

	view_bind(&t->view, &s->t, &s->head, s->heads, s->fmt->text);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct field *f = view_field(&t->view, r->type, 0);

		for (size_t j = 0; j < t->view.n; j++, f++) {
			struct buf *to = rows_cell(&t->rows);
			uint64_t time;

			if (shift && (f->kind == FIELD_TIME || f->kind == FIELD_END) &&
			    field_load(f, r, &time))
				value_time(to, CLOCK_NS,
					   time_plus(CLOCK_NS, (int64_t)time, shift));
			else if (!field_text(to, &s->head, &s->t, r, f))
				buf_add(to, "-", 1);
		}
		rows_put(&t->rows);
	}
	if (k->out.line)
		out_flush(&k->out);
}

/* Reports names that no event had, where all events were read. */
static int
close_table(struct sink *k)
{
	struct table *t = k->state;
	int status = ST_OK;

	for (size_t i = 0; i < t->view.n; i++)
		if (t->any && !(t->view.name[i].seen & SEEN_FIELD) && !k->cut) {
			view_missing(&t->view, t->view.name[i].name);
			status = k->part ? ST_OK : ST_TROUBLE;
		}
	view_free(&t->view);
	rows_end(&t->rows);
	free(t);
	return status;
}

const struct form form_fields = {
    .need = NEED_ORDER,
    .begin = begin,
    .put = put,
    .close = close_table,
};
