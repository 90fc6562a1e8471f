/* table.c - the same fields of every event, for join, paste and spreadsheets. */
#include <stdlib.h>
#include <string.h>

#include "event/field.h"
#include "event/value.h"
#include "output/rows.h"
#include "output/sink.h"

struct table {
	struct rows rows;
	char **names;
	size_t nnames, cap;
	unsigned epoch, heads;
	struct field *field; /* by type and name */
	size_t field_cap;
	uint32_t ntypes;
	bool *seen;	     /* by name: some type had it */
	bool any;	     /* there were events */
	struct strtab known; /* fields that events had, for the nearest name */
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
		t->names = grow(t->names, &t->cap, t->nnames + 1, sizeof *t->names);
		t->names[t->nnames] = xcalloc(n + 1, 1);
		memcpy(t->names[t->nnames], p, n);
		opt->need |= field_need(t->names[t->nnames]);
		if (k->opt.header)
			rows_name(&t->rows, t->names[t->nnames]);
		t->nnames++;
		p += n;
		if (!*p)
			break;
	}
	t->seen = xcalloc(t->nnames, sizeof *t->seen);
	if (k->opt.header)
		rows_head(&t->rows);
}

static void
bind_types(struct table *t, const struct source *s)
{
	if (t->epoch != s->t.epoch || t->heads != s->heads) {
		t->epoch = s->t.epoch;
		t->heads = s->heads;
		t->ntypes = 0;
	}
	t->field = grow(t->field, &t->field_cap, s->t.ntypes * t->nnames, sizeof *t->field);
	for (; t->ntypes < s->t.ntypes; t->ntypes++) {
		const struct type *ty = &s->t.type[t->ntypes];

		field_names(&t->known, &s->head, ty, s->fmt->text);
		for (size_t i = 0; i < t->nnames; i++) {
			struct field f = field_find(t->names[i], &s->head, ty);

			t->field[t->ntypes * t->nnames + i] = f;
			t->seen[i] |= f.kind != FIELD_NONE;
		}
	}
}

/* A line for each event; a field that an event lacks is "-". */
static void
put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
    uint32_t n)
{
	struct table *t = k->state;
	int64_t shift = head_shift(&s->head, k->opt.absolute);

	bind_types(t, s);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick ? pick[i] : i);
		const struct field *f = &t->field[r->type * t->nnames];

		for (size_t j = 0; j < t->nnames; j++) {
			struct buf *to = rows_cell(&t->rows);

			if (shift && f[j].kind == FIELD_TIME)
				value_time(to, CLOCK_NS,
					   time_plus(CLOCK_NS, r->time, shift));
			else if (shift && f[j].kind == FIELD_END && r->has & HAS_DUR)
				value_time(to, CLOCK_NS,
					   time_plus(CLOCK_NS,
						     time_plus(CLOCK_NS, r->time, r->dur),
						     shift));
			else if (!field_text(to, &s->head, &s->t, r, f[j]))
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

	for (size_t i = 0; i < t->nnames; i++) {
		if (t->any && !t->seen[i] && !k->cut) {
			field_missing(&t->known, t->names[i]);
			status = k->part ? ST_OK : ST_TROUBLE;
		}
		free(t->names[i]);
	}
	free(t->names);
	free(t->seen);
	free(t->field);
	strtab_free(&t->known);
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
