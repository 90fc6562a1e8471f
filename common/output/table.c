/* table.c - the same fields of every event. */
#include <stdlib.h>
#include <string.h>

#include "output/table.h"
#include "event/value.h"

void
table_open(struct table *t, struct out *o, const char *names, bool header)
{
	memset(t, 0, sizeof *t);
	t->rows.out = o;
	for (const char *p = names;; p++) {
		size_t n = strcspn(p, ",");

		if (!n)
			die("-F %s: a name is empty", names);
		t->names = grow(t->names, &t->cap, t->nnames + 1, sizeof *t->names);
		t->names[t->nnames] = xcalloc(n + 1, 1);
		memcpy(t->names[t->nnames++], p, n);
		p += n;
		if (!*p)
			break;
	}
	t->seen = xcalloc(t->nnames, sizeof *t->seen);
	for (size_t i = 0; header && i < t->nnames; i++)
		rows_name(&t->rows, t->names[i]);
	if (header)
		rows_head(&t->rows);
}

unsigned
table_need(const struct table *t)
{
	unsigned need = 0;

	for (size_t i = 0; i < t->nnames; i++)
		need |= field_need(t->names[i]);
	return need;
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

void
table_put(struct table *t, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	int64_t shift = head_shift(&s->head, t->absolute);

	bind_types(t, s);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick[i]);
		const struct field *f = &t->field[r->type * t->nnames];

		for (size_t k = 0; k < t->nnames; k++) {
			struct buf *to = rows_cell(&t->rows);

			if (shift && f[k].kind == FIELD_TIME)
				value_time(to, CLOCK_NS,
					   time_plus(CLOCK_NS, r->time, shift));
			else if (shift && f[k].kind == FIELD_END && r->has & HAS_DUR)
				value_time(to, CLOCK_NS,
					   time_plus(CLOCK_NS,
						     time_plus(CLOCK_NS, r->time, r->dur),
						     shift));
			else if (!field_text(to, &s->head, &s->t, r, f[k]))
				buf_add(to, "-", 1);
		}
		rows_put(&t->rows);
	}
	if (t->rows.out->line)
		out_flush(t->rows.out);
}

int
table_close(struct table *t, bool all)
{
	int status = ST_OK;

	for (size_t i = 0; i < t->nnames; i++) {
		if (all && t->any && !t->seen[i]) {
			field_missing(&t->known, t->names[i]);
			status = ST_TROUBLE;
		}
		free(t->names[i]);
	}
	free(t->names);
	free(t->seen);
	free(t->field);
	strtab_free(&t->known);
	rows_end(&t->rows);
	return status;
}
