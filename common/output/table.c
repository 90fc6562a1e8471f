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
		t->names = grow(t->names, &t->cap, t->nnames + 1, sizeof *t->names);
		t->names[t->nnames] = xcalloc(n + 1, 1);
		memcpy(t->names[t->nnames++], p, n);
		p += n;
		if (!*p)
			break;
	}
	t->seen = xcalloc(t->nnames, sizeof *t->seen);
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

static void
put_header(struct table *t)
{
	for (size_t i = 0; i < t->nnames; i++) {
		out_str(t->out, i ? "\t" : "#");
		out_name(t->out, t->names[i]);
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
	bind_types(t, s);
	t->any |= n > 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = batch_rec(b, pick[i]);
		const struct field *f = &t->field[r->type * t->nnames];

		line->n = 0;
		for (size_t k = 0; k < t->nnames; k++) {
			if (k)
				buf_add(line, "\t", 1);
			if (shift && f[k].kind == FIELD_TIME)
				value_time(line, CLOCK_NS,
					   time_plus(CLOCK_NS, r->time, shift));
			else if (shift && f[k].kind == FIELD_END && r->has & HAS_DUR)
				value_time(line, CLOCK_NS,
					   time_plus(CLOCK_NS,
						     time_plus(CLOCK_NS, r->time, r->dur),
						     shift));
			else if (!field_text(line, &s->head, &s->t, r, f[k]))
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
	buf_free(&t->scratch);
	return status;
}
