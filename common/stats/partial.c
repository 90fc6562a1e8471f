/* partial.c - writing partials. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/partial.h"
#include "stats/partial_names.h"
#include "base/put.h"

const char *const partial_class[CLASSES] = {
    [INT_POS] = "i", [INT_NEG] = "-i", [NANO_POS] = "n", [NANO_NEG] = "-n", [TEXTS] = "t"};

const char *const partial_file[FILE_BYTES + 1] = {
    [FILE_REQUESTS] = "requests", [FILE_LATER] = "later", [FILE_HIGHER] = "higher",
    [FILE_BEHIND] = "behind",	  [FILE_BYTES] = "bytes",
};

struct writer {
	struct out *o;
	struct buf key, field;
	uint64_t lines;
};

static void
field_str(struct writer *w, const char *s)
{
	buf_add(&w->field, s, strlen(s));
}

static void
field_u64(struct writer *w, uint64_t v)
{
	buf_to(&w->field, put_u64(buf_room(&w->field, 32 + PUT_SLACK), v));
}

/* Appends to the field, each behind a blank: s is a text, u a uint64_t, i an int64_t. */
static void
words(struct writer *w, const char *kinds, ...)
{
	va_list ap;

	va_start(ap, kinds);
	for (; *kinds; kinds++) {
		field_str(w, " ");
		if (*kinds == 's')
			field_str(w, va_arg(ap, const char *));
		else if (*kinds == 'u')
			field_u64(w, va_arg(ap, uint64_t));
		else
			buf_to(&w->field, put_i64(buf_room(&w->field, 32 + PUT_SLACK),
						  va_arg(ap, int64_t)));
	}
	va_end(ap);
}

/* Begins a field: the number of the column, what it is, of which class. */
static void
field(struct writer *w, size_t col, const char *what, const char *class)
{
	w->field.n = 0;
	field_u64(w, col);
	words(w, class ? "ss" : "s", what, class);
}

/* A line of the key and the field at hand: gives the place of its number. */
static uint8_t *
line_begin(struct writer *w)
{
	uint8_t *p;

	out_bytes(w->o, w->key.p, w->key.n);
	out_bytes(w->o, "\t", 1);
	out_bytes(w->o, w->field.p, w->field.n);
	p = out_room(w->o);
	*p++ = '\t';
	w->lines++;
	return p;
}

static void
line_end(struct writer *w, uint8_t *p)
{
	*p++ = '\n';
	w->o->p = p;
}

static void
line_wide(struct writer *w, const struct wide *v)
{
	line_end(w, wide_put(line_begin(w), v));
}

static void
line(struct writer *w, uint64_t v)
{
	line_end(w, put_u64(line_begin(w), v));
}

static void
line_i64(struct writer *w, int64_t v)
{
	line_end(w, put_i64(line_begin(w), v));
}

static void
put_tally(struct writer *w, size_t c, unsigned k, const struct tally *t)
{
	struct wide sum = wide_words((const uint64_t[]){t->lo, t->hi}, 2);

	if (!t->n)
		return;
	field(w, c, "n", partial_class[k]);
	line(w, t->n);
	field(w, c, "sum", partial_class[k]);
	line_wide(w, &sum);
	field(w, c, "min", partial_class[k]);
	line(w, ~t->not_min);
	field(w, c, "max", partial_class[k]);
	line(w, t->max);
}

static void
put_hist(struct writer *w, size_t c, unsigned k, const struct hists *h, uint32_t g,
	 unsigned bits)
{
	size_t n, start;
	struct bucket *b = hists_buckets(h, g, bits, &n);
	bool exact = hists_exact(h, g);

	field(w, c, exact ? "value" : "bucket", partial_class[k]);
	field_str(w, " ");
	start = w->field.n;
	for (size_t i = 0; i < n; i++) {
		w->field.n = start;
		field_u64(w, exact ? b[i].low : hist_index(b[i].low, bits));
		line(w, b[i].count);
	}
	free(b);
}

static int
member_cmp(const void *x, const void *y)
{
	return datum_cmp(x, y);
}

static void
put_set(struct writer *w, size_t c, const struct set *s)
{
	struct datum *v = xcalloc(s->n, sizeof *v);

	for (uint32_t i = 0; s->reg && i < 1u << SET_BITS; i++) {
		field(w, c, "register", NULL);
		words(w, "u", (uint64_t)i);
		if (s->reg[i])
			line(w, s->reg[i]);
	}
	for (uint32_t i = 0; i < s->n; i++)
		v[i] = set_value(s, i);
	qsort(v, s->n, sizeof *v, member_cmp);
	for (uint32_t i = 0; i < s->n; i++) {
		field(w, c, "member", partial_class[v[i].class]);
		if (v[i].text)
			words(w, "s", v[i].text);
		else
			words(w, "u", v[i].v);
		line(w, 1);
	}
	free(v);
}

static int
word_cmp(const void *x, const void *y)
{
	const struct page_word *a = x, *b = y;

	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static void
put_pages(struct writer *w, size_t c, struct pages *p, uint32_t keep)
{
	struct page_word *v = xcalloc(p->n, sizeof *v);
	size_t n = 0, start;

	pages_trim(p, keep);
	for (uint32_t i = 0; i < p->cap; i++)
		if (p->word[i].bits)
			v[n++] = p->word[i];
	qsort(v, n, sizeof *v, word_cmp);
	field(w, c, "pages", NULL);
	field_str(w, " ");
	start = w->field.n;
	for (size_t i = 0; i < n; i++) {
		w->field.n = start;
		field_u64(w, v[i].hash);
		line(w, v[i].bits);
	}
	if (p->sampled) {
		field(w, c, "limit", NULL);
		line(w, ~p->beyond);
	}
	free(v);
}

static void
put_top(struct writer *w, size_t c, struct top *t)
{
	top_sort(t);
	for (uint32_t i = 0; i < t->n; i++) {
		field(w, c, "top", NULL);
		words(w, "us", t->entry[i].error, "");
		datum_put(&w->field, &t->entry[i].datum);
		line(w, t->entry[i].count);
	}
	if (t->missed) {
		field(w, c, "missed", NULL);
		line(w, t->missed);
	}
}

static void
put_end(struct writer *w, const struct stats *st, size_t c, const char *what,
	const struct end *e)
{
	if (!e->any)
		return;
	field(w, c, what, NULL);
	words(w, "sus", st->files.v[e->file].s, e->begin, "");
	datum_put(&w->field, &e->datum);
	line(w, e->seq);
}

static void
put_column(struct writer *w, const struct stats *st, size_t c, uint32_t g)
{
	const struct column *col = &st->col[c];

	for (unsigned k = 0; k < CLASSES; k++)
		put_tally(w, c, k, column_tally(col, k, g));
	for (unsigned k = 0; k < TEXTS; k++) {
		if (g < col->square_cap[k]) {
			struct wide sq = wide_words(col->square[k][g].w, 3);

			field(w, c, "squares", partial_class[k]);
			if (!wide_zero(&sq))
				line_wide(w, &sq);
		}
		if (g < col->hist[k].cap)
			put_hist(w, c, k, &col->hist[k], g, spec_bits(st->spec, c));
	}
	if (g < col->set_cap)
		put_set(w, c, &col->set[g]);
	if (g < col->pages_cap)
		put_pages(w, c, &col->pages[g], col->keep);
	if (g < col->top_cap)
		put_top(w, c, &col->top[g]);
	if (g < col->first_cap) {
		put_end(w, st, c, "first", &col->first[g]);
		put_end(w, st, c, "last", &col->last[g]);
	}
}

/* TABLE=[PANE ]TEXT..., blanks between: no text has one. */
static void
group_key(struct writer *w, const struct stats *st, char table, uint32_t g)
{
	size_t nk = st->spec->nkeys;

	w->key.n = 0;
	buf_add(&w->key, &table, 1);
	buf_add(&w->key, "=", 1);
	if (st->access) {
		files_key(st->access, g, &w->key);
		return;
	}
	if (st->pane) {
		uint8_t *p = buf_room(&w->key, 32 + PUT_SLACK);

		*p = '*';
		buf_to(&w->key, st->pane[g] == NO_PANE ? p + 1 : put_i64(p, st->pane[g]));
	}
	for (size_t k = 0; k < nk; k++) {
		if (k || st->pane)
			buf_add(&w->key, " ", 1);
		keytab_put(&w->key, &st->text, st->key[g * nk + k]);
	}
}

static void
table_key(struct writer *w, char table)
{
	w->key.n = 0;
	buf_add(&w->key, "%", 1);
	buf_add(&w->key, &table, 1);
}

/* A field begins with a word. */
static void
begin(struct writer *w, const char *what)
{
	w->field.n = 0;
	field_str(w, what);
}

/* A field of one word, where there is something to count. */
static void
line_of(struct writer *w, const char *what, uint64_t n)
{
	begin(w, what);
	if (n)
		line(w, n);
}

/* A time after time_flip(), which is undone. The lines of a file may be in any order, and
 * that with the clock behind this one: its name stands here too. */
static void
line_time(struct writer *w, enum clock clock, const char *name, uint64_t time)
{
	begin(w, name);
	words(w, "s", clock == CLOCK_NS ? "ns" : "ticks");
	time ^= time_flip(clock);
	if (clock == CLOCK_NS)
		line_i64(w, (int64_t)time);
	else
		line(w, time);
}

/* Which parts of files were read. */
static void
put_covers(struct writer *w, const struct stats *st)
{
	for (size_t i = 0; i < st->ncovers; i++) {
		const struct cover *c = &st->cover[i];

		begin(w, "part");
		words(w, c->ordered ? "suuu" : "su", st->files.v[c->file].s, c->begin,
		      c->first, c->last);
		line(w, c->end);
	}
}

/* What hangs on the event before, at both ends of a part. */
static void
put_segments(struct writer *w, const struct stats *st, char table)
{
	for (size_t i = 0; i < st->nsegments; i++) {
		const struct segment *s = &st->segment[i];

		group_key(w, st, table, s->group);
		field(w, s->col, "segment", NULL);
		words(w, "suui", st->files.v[s->file].s, s->begin, s->end, s->first);
		if (st->spec->col[s->col].kind == COL_INSIDE)
			words(w, "u", (uint64_t)s->seq);
		else if (st->pane && st->spec->col[s->col].kind == COL_SEQUENTIAL)
			words(w, "i", s->began);
		line_i64(w, s->last);
	}
}

/* What is not of a single group. */
static void
put_table(struct writer *w, const struct stats *st, char table)
{
	const struct spec *spec = st->spec;

	table_key(w, table);
	begin(w, st->clock == CLOCK_NS ? "clock ns" : "clock ticks");
	if (st->any)
		line(w, 1);
	if (st->timed) {
		line_time(w, st->clock, "begin", st->tmin);
		line_time(w, st->clock, "end", st->tmax);
	}
	line_of(w, "missed", st->missed);
	line_of(w, "shift", st->shift);
	for (size_t i = 0; i < st->view.n; i++) {
		begin(w, "seen");
		words(w, "u", (uint64_t)i);
		if (st->view.name[i].seen)
			line(w, st->view.name[i].seen);
	}
	for (size_t i = 0; i < spec->ncols; i++) {
		begin(w, "keep");
		words(w, "u", (uint64_t)i);
		if (st->col[i].keep && st->col[i].keep < PAGES_EXACT)
			line(w, st->col[i].keep);
	}
	for (uint32_t i = 0; i < st->view.known.n; i++) {
		begin(w, "name");
		words(w, "s", st->view.known.v[i].s);
		line(w, 1);
	}
	put_covers(w, st);
	put_segments(w, st, table);
}

/* Appends a text that may have blanks. */
static void
word_escaped(struct writer *w, const struct str *text)
{
	field_str(w, " ");
	buf_to(&w->field,
	       put_escaped(buf_room(&w->field, 4 * text->len), text->s, text->len));
}

static void
put_one(struct writer *w, const char *what, unsigned is, uint64_t v)
{
	static const char *const sign[] = {"", " ", " -", " *"};

	if (is == ONE_NONE)
		return;
	begin(w, what);
	field_str(w, sign[is]);
	if (is != ONE_MANY)
		field_u64(w, v);
	line(w, 1);
}

/* What there is of files instead of groups. */
static void
put_files(struct writer *w, const struct stats *st, char table)
{
	const struct files *f = st->access;
	uint32_t *order = files_order(f);

	for (uint32_t k = 0; k < f->n; k++) {
		uint32_t i = order[k];
		const struct file_node *a = &f->v[i];

		group_key(w, st, table, i);
		for (unsigned what = 0; what <= FILE_BYTES; what++) {
			struct wide v = files_counted(f, i, what);

			if (what && wide_zero(&v))
				continue;
			begin(w, partial_file[what]);
			line_wide(w, &v);
		}
		begin(w, "did ");
		field_u64(w, a->did);
		line(w, 1);
		put_one(w, "gap", a->gaps, a->gap);
		put_one(w, "size", a->sizes, a->size);
	}
	free(order);
}

static void
add_option(struct buf *b, const char *name, const char *value)
{
	size_t n;

	if (!value)
		return;
	n = strlen(value);
	buf_add(b, " ", 1);
	buf_add(b, name, strlen(name));
	buf_add(b, "=", 1);
	buf_to(b, put_escaped(buf_room(b, 4 * n + 1), value, n));
}

void
partial_question(struct buf *b, const struct question *q)
{
	char bits[16], version[32];

	b->n = 0;
	buf_add(b, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC));
	snprintf(bits, sizeof bits, "%u", q->bits);
	buf_add(b, q->report ? " report" : " table", q->report ? 7 : 6);
	snprintf(version, sizeof version, "%llx",
		 q->report ? (unsigned long long)extra_version() : 0);
	add_option(b, "accuracy", bits);
	add_option(b, "sections", q->report ? version : NULL);
	add_option(b, "keys", q->keys);
	add_option(b, "aggregates", q->aggs);
	add_option(b, "window", q->window);
	add_option(b, "key", q->before);
	add_option(b, "from", q->from);
	add_option(b, "empty", q->empty ? NULL : "no");
}

static void
put_group(struct writer *w, const struct stats *st, char table, uint32_t g)
{
	group_key(w, st, table, g);
	line_of(w, "count", st->count[g]);
	line_of(w, "sure", g < st->sure_cap ? st->sure[g] : 0);
	for (size_t c = 0; c < st->spec->ncols; c++)
		put_column(w, st, c, g);
}

/* A line of events at the end of a part. */
static void
put_edge(struct writer *w, const struct answer *a, const struct edge *e)
{
	struct str text = {.s = e->line, .len = (uint32_t)strlen(e->line)};

	begin(w, "edge");
	words(w, "suu", a->st[0].files.v[e->file].s, e->begin, e->seq);
	word_escaped(w, &text);
	line(w, e->waits);
}

void
partial_write(struct answer *a, struct out *o)
{
	struct writer w = {.o = o};

	buf_add(&w.key, "#", 1);
	partial_question(&w.field, &a->q);
	line(&w, 1);
	w.lines = 0;
	w.key.n = w.field.n = 0;
	buf_add(&w.key, "%", 1);
	field_str(&w, "format ");
	field_str(&w, a->format);
	line(&w, 1);
	line_of(&w, "lost", a->lost);
	for (uint32_t i = 0; i < a->trouble.n; i++) {
		begin(&w, "trouble");
		word_escaped(&w, &a->trouble.v[i]);
		line(&w, 1);
	}
	for (uint32_t i = 0; i < a->asked.n; i++) {
		const struct str *s = &a->asked.v[i];
		uint32_t id;

		begin(&w, "asked");
		word_escaped(&w, s);
		line(&w, strtab_find(&a->had, s->s, s->len, &id));
	}
	for (size_t i = 0; i < a->nedges; i++)
		put_edge(&w, a, &a->edge[i]);
	for (size_t i = 0; i < a->ntables; i++) {
		struct stats *st = &a->st[i];
		char table = (char)('a' + i);
		uint32_t n, *order = stats_order(st, &n);

		/* A part without events too: what is on both sides of it has no gap. */
		if (st->any || st->ncovers)
			put_table(&w, st, table);
		if (st->access)
			put_files(&w, st, table);
		for (uint32_t k = 0; k < n; k++)
			put_group(&w, st, table, order[k]);
		free(order);
	}
	w.key.n = w.field.n = 0;
	buf_add(&w.key, "~", 1);
	field_str(&w, "lines");
	line(&w, w.lines);
	buf_free(&w.key);
	buf_free(&w.field);
}
