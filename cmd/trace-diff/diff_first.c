/* diff_first.c - finds the first event that differs: see diff.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "run/run_words.h"
#include "stats/spec.h"
#include "trace-diff/diff.h"

/* Bound: trace-diff --first | events that wait | events in another order | 64 MiB | of events wait */
#define WAIT_MOST (64u << 20)
#define CONTEXT 3
#define KEY "\tdiff.key"

/* One event: a line without its end, and its number in the input. Events with equal keys are compared. */
struct event {
	const char *line;
	size_t n;
	uint64_t record;
	struct cell_text key;
};

/* An input, as another program writes it: a line of text for each event. */
struct side {
	struct run run;
	FILE *from;
	char *line; /* the last event */
	size_t cap;
	uint64_t record;
};

/* An event that waits for one of the other side. */
struct unmatched {
	struct unmatched *next; /* in the bucket */
	struct event e;		/* whose line it owns */
	size_t bytes;
	bool new;
};

/* The last equal events of a place. */
struct place_context {
	struct buf line[CONTEXT];
	uint64_t record[CONTEXT][2];
	unsigned n;
};

#define BUCKETS 65536

struct finder {
	struct diff *d;
	struct side side[2];
	/* events that wait, by the hash of their key; those of one key in their order */
	struct key_bucket {
		struct unmatched *first, **last;
	} bucket[BUCKETS];
	struct place_context *place; /* by number of the place */
	struct strtab places;
	size_t place_cap, waiting, bytes;
	bool found;
};

static void
start(const struct diff *d, size_t i, struct side *s)
{
	struct command_words w = {0};
	unsigned n = 0;

	s->run =
	    (struct run){.program = d->key ? "trace-derive" : "trace-filter", .in = -1};
	words_add(&w, prog_name());
	words_add(&w, "-t");
	words_said(&w, "--by-time");
	if (d->key)
		words_option(&w, "-e", d->test);
	words_add(&w, "--");
	if (!d->key)
		words_add(&w, d->test ? d->test : "event?");
	for (const char *p = d->key, *end; p && *p; p = end + (*end == ',')) {
		struct buf b = {0};

		end = p + item_length(p);
		buf_str(&b, &KEY[1]);
		buf_byte(&b, (char)('0' + n++ % 10));
		buf_byte(&b, '=');
		buf_add(&b, p, (size_t)(end - p));
		buf_byte(&b, '\0');
		words_add(&w, (char *)b.p);
	}
	s->run.argv = words_end(&w, (const char *const[]){d->run[i].path, NULL});
	if (!strcmp(d->run[i].path, "-"))
		s->run.in = dup(0);
	run_start(&s->run, false);
	s->from = fdopen(s->run.from[0], "r");
	if (!s->from)
		die("a pipe:");
}

/* Returns field `i` of an event, from 0. */
static struct cell_text
field(const struct event *e, unsigned i)
{
	const char *p = e->line, *end = p + e->n, *tab;

	while ((tab = memchr(p, '\t', (size_t)(end - p))) && i--)
		p = tab + 1;
	return (struct cell_text){p, (size_t)((tab ? tab : end) - p)};
}

/* Reads the next event. Returns false at the end. The line is valid until the next call. `computed`: the key is in the last
 * arguments; otherwise it is the place. */
static bool
next_event(struct side *s, bool computed, struct event *e)
{
	ssize_t n = getline(&s->line, &s->cap, s->from);
	const char *p = s->line, *end = p + n - 1;

	if (n < 0)
		return false;
	*e = (struct event){.line = p, .n = (size_t)n - 1, .record = ++s->record};
	e->key = field(e, 1);
	if (computed) {
		while (p < end && strncmp(p, KEY, strlen(KEY)) != 0) {
			p = memchr(p + 1, '\t', (size_t)(end - p - 1));
			p = p ? p : end;
		}
		e->key = (struct cell_text){p, (size_t)(end - p)};
		e->n -= e->key.n;
	}
	return true;
}

/* Returns true if a column or an argument is one of --ignore. */
static bool
ignored(const struct diff *d, unsigned i, const char *p, size_t n)
{
	static const char *const name[] = {"time", "loc", "event", "addr", "size", "dur"};
	const char *equal = memchr(p, '=', n);
	struct cell_text have = {p, equal ? (size_t)(equal - p) : n};

	if (i < 6)
		have = (struct cell_text){name[i], strlen(name[i])};
	for (const char *s = d->ignore, *end; s && *s; s = end + (*end == ',')) {
		end = s + strcspn(s, ",");
		if (text_is(have, (struct cell_text){s, (size_t)(end - s)}))
			return true;
	}
	return false;
}

/* Sets b to the event without the fields of --ignore. */
static void
keep_fields(const struct diff *d, const struct event *e, struct buf *b)
{
	const char *p = e->line, *end = p + e->n, *tab;

	b->n = 0;
	for (unsigned i = 0; p <= end; i++, p = tab + 1) {
		tab = memchr(p, '\t', (size_t)(end - p));
		tab = tab ? tab : end;
		if (!ignored(d, i, p, (size_t)(tab - p))) {
			buf_add(b, p, (size_t)(tab - p));
			buf_byte(b, '\t');
		}
	}
}

static bool
equal_events(const struct diff *d, const struct event *a, const struct event *b)
{
	static struct buf x, y;

	if (text_is((struct cell_text){a->line, a->n}, (struct cell_text){b->line, b->n}))
		return true;
	if (!d->ignore)
		return false;
	keep_fields(d, a, &x);
	keep_fields(d, b, &y);
	return x.n == y.n && !memcmp(x.p, y.p, x.n);
}

static struct place_context *
place_of(struct finder *f, const struct event *e)
{
	struct cell_text loc = field(e, 1);
	uint32_t id = strtab_id(&f->places, loc.s, loc.n);

	GROW(f->place, f->place_cap, id + 1u);
	return &f->place[id];
}

/* Keeps an event that both sides have, as context. */
static void
remember(struct finder *f, const struct event *old, const struct event *new)
{
	struct place_context *p = place_of(f, old);
	struct buf *b = &p->line[p->n % CONTEXT];

	f->bytes -= b->cap;
	b->n = 0;
	buf_add(b, old->line, old->n);
	f->bytes += b->cap;
	p->record[p->n % CONTEXT][0] = old->record;
	p->record[p->n++ % CONTEXT][1] = new->record;
}

/* Writes a row: whose event it is, its numbers in both inputs (0: it is in one only), and its fields. */
static void
put_event(struct table *t, const char *whose, uint64_t old, uint64_t new,
	  const struct event *e)
{
	struct cell_text args = field(e, 6);
	struct buf *b;

	table_text(t, whose);
	(old ? table_u64(t, old) : table_text(t, "-"));
	(new ? table_u64(t, new) : table_text(t, "-"));
	for (unsigned i = 0; i < 6; i++)
		buf_add(table_cell(t), field(e, i).s, field(e, i).n);
	b = table_cell(t);
	args.n = (size_t)(e->line + e->n - args.s);
	for (size_t i = 0; i < args.n; i++)
		buf_byte(b, args.s[i] == '\t' ? ' ' : args.s[i]);
	buf_str(b, args.n ? "" : "-");
	table_row(t);
}

/* Writes the first difference. One of the events may be NULL: that side has no such event. */
static void
put_difference(struct finder *f, const struct event *old, const struct event *new)
{
	static const char *const names[] = {"in",  "record", "record.new", "time",
					    "loc", "event",  "addr",	   "size",
					    "dur", "args",   NULL};
	struct table *t = &f->d->table;
	struct place_context *p = place_of(f, old ? old : new);

	f->found = true;
	t->texts = 1;
	table_texts(t, names);
	table_head(t);
	for (unsigned i = p->n < CONTEXT ? 0 : p->n - CONTEXT; i < p->n; i++) {
		const struct buf *b = &p->line[i % CONTEXT];
		const uint64_t *record = p->record[i % CONTEXT];

		put_event(t, "both", record[0], record[1],
			  &(struct event){.line = (char *)b->p, .n = b->n});
	}
	if (old)
		put_event(t, "old", old->record, 0, old);
	if (new)
		put_event(t, "new", 0, new->record, new);
}

static void
compare_events(struct finder *f, const struct event *old, const struct event *new)
{
	if (equal_events(f->d, old, new))
		remember(f, old, new);
	else
		put_difference(f, old, new);
}

/* Makes the last event of a side wait. Dies if all that is kept has reached the limit. */
static void
put_waiting(struct finder *f, struct key_bucket *b, bool new, const struct event *e)
{
	struct unmatched *w = xcalloc(1, sizeof *w);

	*w = (struct unmatched){.e = *e, .new = new, .bytes = f->side[new].cap + sizeof *w};
	f->side[new].line = NULL;
	f->side[new].cap = 0;
	*(b->first ? b->last : &b->first) = w;
	b->last = &w->next;
	f->waiting++;
	f->bytes += w->bytes;
	if (f->bytes + f->places.bytes + f->places.n * sizeof *f->place > WAIT_MOST)
		die("--first: more than %u MiB of events wait for one of the other side: "
		    "compare a part, by -e, --from and --to",
		    WAIT_MOST >> 20);
}

/* Compares an event with the first one of the other side that waits for its key, or makes it wait. */
static void
take(struct finder *f, bool new, const struct event *e)
{
	struct key_bucket *b = &f->bucket[hash_bytes(e->key.s, e->key.n) % BUCKETS];
	struct unmatched **at = &b->first, *w;

	while (*at && !text_is((*at)->e.key, e->key))
		at = &(*at)->next;
	w = *at;
	if (!w || w->new == new) {
		put_waiting(f, b, new, e);
		return;
	}
	*at = w->next;
	if (!w->next)
		b->last = at;
	compare_events(f, new ? &w->e : e, new ? e : &w->e);
	f->waiting--;
	f->bytes -= w->bytes;
	free((void *)(uintptr_t)w->e.line);
	free(w);
}

/* Writes the first event that waits at the end: the other side lacks it. */
static void
put_lacking(struct finder *f)
{
	const struct unmatched *first = NULL;

	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct unmatched *w = f->bucket[i].first; w; w = w->next)
			if (!first || w->e.record < first->e.record)
				first = w;
	if (first)
		put_difference(f, first->new ? NULL : &first->e,
			       first->new ? &first->e : NULL);
}

/* Reads both sides in step. The first difference is thus the one whose later event has the lowest number. */
int
diff_first(struct diff *d)
{
	static struct finder f;
	struct event e[2];
	bool got[2] = {true, true}, computed = d->key != NULL;
	int status = ST_OK;

	f.d = d;
	for (size_t i = 0; i < 2; i++)
		start(d, i, &f.side[i]);
	while (!f.found && (got[0] || got[1])) {
		for (size_t i = 0; i < 2; i++)
			got[i] = next_event(&f.side[i], computed, &e[i]);
		if (got[0] && got[1] && !f.waiting && text_is(e[0].key, e[1].key)) {
			compare_events(&f, &e[0], &e[1]);
			continue;
		}
		for (size_t i = 0; i < 2 && !f.found; i++)
			if (got[i])
				take(&f, i == 1, &e[i]);
	}
	if (!f.found)
		put_lacking(&f);
	for (size_t i = 0; i < 2; i++) {
		bool early = !feof(f.side[i].from);

		fclose(f.side[i].from);
		run_close(&f.side[i].run, early);
		if (f.side[i].run.status == ST_TROUBLE)
			status = ST_TROUBLE;
	}
	table_end(&d->table);
	if (d->table.style == TABLE_JSON)
		out_str(d->table.out, f.found ? "\n" : "[]\n");
	return status == ST_OK && f.found ? ST_NONE : status;
}
