/* stats_partial.c - writes partial results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "stats/accumulator.h"

static void
put_column(struct parts_writer *w, struct stats *st, size_t c, uint32_t g)
{
	static const unsigned order[] = {CLASSES, TEXTS, 1};
	struct place of = {.st = st, .col = &st->col[c], .c = c, .g = g};

	for (unsigned i = 0; i < 3; i++)
		for (of.class = 0; of.class < order[i]; of.class ++)
			for (unsigned acc = st->spec->col[c].acc; acc; acc &= acc - 1) {
				unsigned kept = trailing_zeros64(acc);

				of.is = accumulators[kept];
				of.element =
				    column_kept(of.col, kept, of.class, g, of.is->size);
				if (of.is->arrays == order[i])
					of.is->write(w, &of);
			}
}

/* Writes the key TABLE=[PANE ]TEXT..., with blanks between; texts have none. */
void
partial_group(struct buf *b, const struct stats *st, char table, uint32_t g)
{
	size_t nk = st->spec->nkeys;

	b->n = 0;
	buf_byte(b, table);
	buf_byte(b, '=');
	if (st->pane && st->pane[g] == NO_PANE)
		buf_byte(b, '*');
	else if (st->pane)
		buf_to(b, put_i64(buf_room(b, 32 + PUT_SLACK), st->pane[g]));
	for (size_t k = 0; k < nk; k++) {
		if (k || st->pane)
			buf_byte(b, ' ');
		keytab_put(b, &st->text, st->key[g * nk + k]);
	}
	buf_byte(b, '\t');
}

/* Begins lines about no group. */
static void
key(struct parts_writer *w, const char *text)
{
	w->line.n = 0;
	buf_add(&w->line, text, strlen(text));
}

/* Writes a field of one word, unless n is 0. */
static void
line_of(struct parts_writer *w, const char *what, uint64_t n)
{
	if (n)
		parts_line(w, "%s\t%u", what, n);
}

/* Writes a sortable time, see time_flip(). The line names the clock too, because lines of a file may be in any
 * order, and the line with the clock may come later. */
static void
line_time(struct parts_writer *w, enum clock clock, const char *name, uint64_t time)
{
	time ^= time_flip(clock);
	if (clock == CLOCK_NS)
		parts_line(w, "%s ns\t%i", name, (int64_t)time);
	else
		parts_line(w, "%s ticks\t%u", name, time);
}

/* Writes the segments: the values at both ends of a part that depend on a neighbouring part. */
static void
put_segments(struct parts_writer *w, const struct stats *st, char table)
{
	for (size_t i = 0; i < st->nsegments; i++) {
		const struct segment *s = &st->segment[i];
		unsigned kind = st->spec->col[s->col].kind;
		bool inside = kind == COL_INSIDE,
		     began = st->pane && kind == COL_SEQUENTIAL;

		partial_group(&w->line, st, table, s->group);
		parts_line(w,
			   inside || began ? "%u segment %s %u %u %i %i\t%i"
					   : "%u segment %s %u %u %i\t%i",
			   (uint64_t)s->col, st->files.v[s->file].s, s->begin, s->end,
			   s->first,
			   inside  ? (int64_t)s->seq
			   : began ? s->began
				   : s->last,
			   s->last);
	}
}

/* Writes the numbers of a table that are about no single group. */
static void
write_partial_table(struct parts_writer *w, const struct stats *st, char table)
{
	char number[24];

	key(w, (const char[]){'%', table, '\t', '\0'});
	if (st->any)
		parts_line(w, st->clock == CLOCK_NS ? "clock ns\t1" : "clock ticks\t1");
	if (st->timed) {
		line_time(w, st->clock, "begin", st->tmin);
		line_time(w, st->clock, "end", st->tmax);
	}
	line_of(w, "missed", st->over_count);
	line_of(w, "shift", st->shift);
	for (size_t i = 0; i < st->view.n; i++)
		if (st->view.name[i].seen)
			parts_line(w, "seen %u\t%u", (uint64_t)i,
				   (uint64_t)st->view.name[i].seen);
	for (size_t i = 0; i < st->spec->ncols; i++)
		if (st->col[i].keep && st->col[i].keep < PAGES_EXACT)
			parts_line(w, "keep %u\t%u", (uint64_t)i,
				   (uint64_t)st->col[i].keep);
	for (uint32_t i = 0; i < st->view.known.n; i++)
		parts_line(w, "name %s\t1", st->view.known.v[i].s);
	/* Nine digits, so that sort(1) keeps the order. */
	for (uint32_t i = 0; i < st->text.inputs.n; i++) {
		snprintf(number, sizeof number, "%09lu", (unsigned long)i);
		parts_line(w, "input %s %s\t1", number, st->text.inputs.v[i].s);
	}
	for (size_t i = 0; i < st->ncovers; i++) {
		const struct cover *c = &st->cover[i];

		parts_line(w, "part %s %u\t%u", st->files.v[c->file].s, c->begin, c->end);
	}
	put_segments(w, st, table);
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
partial_question(struct buf *b, const struct query *q)
{
	char bits[16], version[32];

	b->n = 0;
	buf_add(b, PARTIAL_MAGIC, strlen(PARTIAL_MAGIC));
	snprintf(bits, sizeof bits, "%u", q->bits);
	buf_add(b, q->report ? " report" : " table", q->report ? 7 : 6);
	snprintf(version, sizeof version, "%llx",
		 q->report ? (unsigned long long)queries_version() : 0);
	add_option(b, "accuracy", bits);
	add_option(b, "sections", q->report ? version : NULL);
	add_option(b, "keys", q->keys);
	add_option(b, "aggregates", q->aggs);
	add_option(b, "window", q->window);
	add_option(b, "key", q->before);
	add_option(b, "from", q->from);
	add_option(b, "empty", q->empty ? NULL : "no");
	add_option(b, "spread", q->spread ? "yes" : NULL);
	add_option(b, "more", q->more);
}

void
partial_write(struct query_result *a, struct out *o)
{
	struct parts_writer w = {.o = o};
	struct buf question = {0};

	partial_question(&question, &a->q);
	parts_line(&w, "#\t%b\t1", &question);
	buf_free(&question);
	w.lines = 0;
	key(&w, "%\t");
	parts_line(&w, "format %s\t1", a->format);
	if (*a->other)
		parts_line(&w, "format %s\t1", a->other);
	line_of(&w, "lost", a->lost);
	line_of(&w, "madeup", a->made_up);
	for (uint32_t i = 0; i < a->trouble.n; i++)
		parts_line(&w, "trouble %e\t1", a->trouble.v[i].s);
	for (uint32_t i = 0; i < a->asked.n; i++) {
		const struct str *s = &a->asked.v[i];
		uint32_t id;

		parts_line(&w, "asked %e\t%u", s->s,
			   (uint64_t)strtab_find(&a->had, s->s, s->len, &id));
	}
	for (size_t i = 0; i < a->ntables; i++) {
		struct stats *st = &a->st[i];
		char table = (char)('a' + i);
		uint32_t n, *order;

		if (!st->spec)
			continue;
		order = stats_order(st, &n);
		/* A part without events matters too: there is no gap in what it separates. */
		if (st->any || st->ncovers)
			write_partial_table(&w, st, table);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t g = order[k];

			partial_group(&w.line, st, table, g);
			line_of(&w, "count", st->count[g]);
			line_of(&w, "sure", g < st->not_own_cap ? st->not_own[g] : 0);
			for (size_t c = 0; c < st->spec->ncols; c++)
				put_column(&w, st, c, g);
		}
		free(order);
	}
	if (a->more)
		a->more->write(a->more_arg, &w);
	key(&w, "~\t");
	parts_line(&w, "lines\t%u", w.lines);
	buf_free(&w.line);
}
