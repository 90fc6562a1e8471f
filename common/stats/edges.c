/* edges.c - see edges.h. */
#include <stdlib.h>
#include <string.h>

#include "stats/edges.h"
#include "stream/text.h"

struct edges {
	struct exprs *keys;
	struct strtab ids;
	struct buf *last; /* by key: the record seen last */
	size_t last_cap;
	unsigned source, epoch;
	/* The lines so far, and which of them wait. */
	struct buf text, waits;
	struct out out;
	struct text_writer w;
	struct batch one;
	struct buf key;
};

struct edges *
edges_new(struct exprs *keys)
{
	struct edges *e = xcalloc(1, sizeof *e);

	e->keys = keys;
	return e;
}

static void
edges_forget(struct edges *e)
{
	for (size_t i = 0; i < e->last_cap; i++)
		buf_free(&e->last[i]);
	free(e->last);
	e->last = NULL;
	e->last_cap = 0;
	strtab_free(&e->ids);
	buf_free(&e->text);
	buf_free(&e->waits);
	if (e->out.buf) {
		text_free(&e->w);
		out_memory_close(&e->out);
	}
	memset(&e->w, 0, sizeof e->w);
}

void
edges_free(struct edges *e)
{
	if (!e)
		return;
	edges_forget(e);
	buf_free(&e->one.own);
	buf_free(&e->key);
	exprs_free(e->keys);
	free(e);
}

static void
write_line(struct edges *e, struct source *s, const uint8_t *rec, bool waits)
{
	if (!e->out.buf) {
		out_memory(&e->out, &e->text);
		e->w.out = &e->out;
		e->w.header = true;
	}
	e->one.base = rec;
	e->one.off[0] = 0;
	e->one.n = 1;
	text_put(&e->w, s, &e->one, NULL, 1);
	buf_byte(&e->waits, waits);
}

uint32_t
edges_add(struct edges *e, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n, uint32_t counted[BATCH])
{
	uint32_t k = 0;

	if (e->source != s->id)
		edges_forget(e);
	else if (e->epoch != s->t.epoch)
		die("%s: with prev, --chunk cannot cut a file in which names begin anew",
		    s->name);
	e->source = s->id;
	e->epoch = s->t.epoch;
	if (e->keys && !exprs_run(e->keys, s, b, pick, n))
		return 0;
	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, pick ? pick[j] : j);
		uint32_t known = e->ids.n, id;

		exprs_key_put(&e->key, e->keys, s->head.clock, j);
		id = strtab_id(&e->ids, e->key.p, e->key.n);

		GROW(e->last, e->last_cap, e->ids.n);
		if (id == known && s->begin)
			write_line(e, s, (const uint8_t *)r, true);
		else
			counted[k++] = j;
		e->last[id].n = 0;
		buf_room(&e->last[id], r->len + REC_SLACK);
		buf_add(&e->last[id], r, r->len);
	}
	return k;
}

struct edge *
edges_done(struct edges *e, struct source *s, size_t *n)
{
	struct edge *v = NULL;
	size_t cap = 0, events = 0;

	*n = 0;
	if (e->source != s->id)
		return NULL;
	for (uint32_t i = 0; i < e->ids.n; i++) {
		if (e->last[i].n)
			write_line(e, s, e->last[i].p, false);
		e->last[i].n = 0;
	}
	text_finish(&e->w, 0, NULL);
	if (e->out.buf)
		out_flush(&e->out);
	for (const char *p = (const char *)e->text.p, *end = p + e->text.n, *nl; p < end;
	     p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		GROW(v, cap, *n + 1);
		v[*n] = (struct edge){.begin = s->begin, .seq = *n};
		v[*n].waits = *p != '#' && e->waits.p[events++];
		v[*n].line = xcalloc((size_t)(nl - p) + 1, 1);
		memcpy(v[*n].line, p, (size_t)(nl - p));
		++*n;
	}
	edges_forget(e);
	return v;
}
