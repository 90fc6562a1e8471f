/* table.c - the same fields of every event. */
#include <stdlib.h>
#include <string.h>

#include "output/table.h"
#include "event/value.h"

void
table_open(struct table *t, struct out *o, const char *names, bool header)
{
	memset(t, 0, sizeof *t);
	t->out = o;
	t->header = header;
	for (const char *p = names;; p++) {
		size_t n = strcspn(p, ",");

		if (!n)
			die("-F %s: a name is empty", names);
		view_add(&t->view, p, n, false);
		p += n;
		if (!*p)
			break;
	}
}

unsigned
table_need(const struct table *t)
{
	return view_need(&t->view);
}

static void
put_header(struct table *t)
{
	for (size_t i = 0; i < t->view.n; i++) {
		out_str(t->out, i ? "\t" : "#");
		out_name(t->out, t->view.name[i].name);
	}
	out_str(t->out, "\n");
	t->header = false;
}

void
table_put(struct table *t, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	struct buf *line = &t->scratch;
	int64_t shift = head_shift(&s->head, t->absolute);

	if (t->header)
		put_header(t);
	view_bind(&t->view, &s->t, &s->head, s->heads, s->fmt->text);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick[i]);
		const struct field *f = view_field(&t->view, r->type, 0);

		line->n = 0;
		for (size_t k = 0; k < t->view.n; k++, f++) {
			uint64_t time;

			if (k)
				buf_add(line, "\t", 1);
			if (shift && (f->kind == FIELD_TIME || f->kind == FIELD_END) &&
			    field_load(f, r, &time))
				value_time(line, CLOCK_NS,
					   time_plus(CLOCK_NS, (int64_t)time, shift));
			else if (!field_text(line, &s->head, &s->t, r, f))
				buf_add(line, "-", 1);
		}
		buf_add(line, "\n", 1);
		out_bytes(t->out, line->p, line->n);
	}
	if (t->out->line)
		out_flush(t->out);
}

int
table_close(struct table *t, bool all)
{
	int status = ST_OK;

	if (t->header)
		put_header(t);
	for (size_t i = 0; i < t->view.n; i++) {
		if (all && t->any && !(t->view.name[i].seen & SEEN_FIELD)) {
			view_missing(&t->view, t->view.name[i].name);
			status = ST_TROUBLE;
		}
	}
	view_free(&t->view);
	buf_free(&t->scratch);
	return status;
}
