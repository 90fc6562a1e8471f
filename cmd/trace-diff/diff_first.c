/* diff_first.c - finds the first event that differs: see diff.h. */
#include <errno.h>
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

/* One event: a line without its end, and its number in the input. */
struct event {
	const char *line;
	size_t n;
	uint64_t record;
};

/* An input, as another program writes it: a line of text for each event. */
struct side {
	struct run run;
	struct buf b; /* bytes that were read */
	size_t at;    /* where the next line begins */
	uint64_t record;
	bool end;
};

/* An event that waits for one of the other side. */
struct waiting {
	struct waiting *next;
	uint64_t record;
	size_t n;
	char line[];
};

/* The events of one key that wait, all of one side, in their order. */
struct queue {
	struct waiting *first, **last;
	bool new;
};

/* The last equal events of a place. */
struct place {
	struct buf line[CONTEXT];
	uint64_t record[CONTEXT][2];
	unsigned n;
};

struct finder {
	struct diff *d;
	struct side side[2];
	struct queue *queue; /* by number of the key */
	struct place *place; /* by number of the place */
	struct strtab keys, places;
	size_t queue_cap, place_cap, waiting, bytes;
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
	words_add(&w, d->run[i].path);
	words_add(&w, NULL);
	s->run.argv = w.v;
	if (!strcmp(d->run[i].path, "-"))
		s->run.in = dup(0);
	run_open(&s->run);
}

/* Reads the next event. Returns false at the end. The line is valid until the next call. */
static bool
next_event(struct side *s, struct event *e)
{
	char *end = NULL;
	size_t seen = 0;
	ssize_t n;

	while (!s->end &&
	       !(end = s->b.n ? memchr(s->b.p + s->at + seen, '\n', s->b.n - s->at - seen)
			      : NULL)) {
		memmove(s->b.p, s->b.p + s->at, s->b.n -= s->at);
		s->at = 0;
		seen = s->b.n;
		n = read(s->run.from[0], buf_room(&s->b, 1 << 16), 1 << 16);
		if (n < 0 && errno != EINTR)
			die("a pipe:");
		s->end = n == 0;
		s->b.n += n > 0 ? (size_t)n : 0;
	}
	if (!end)
		return false;
	e->line = (char *)s->b.p + s->at;
	e->n = (size_t)(end - e->line);
	e->record = ++s->record;
	s->at += e->n + 1;
	return true;
}

/* Returns field `i` of an event, from 0. */
static struct text
field(const struct event *e, unsigned i)
{
	const char *p = e->line, *end = p + e->n, *tab;

	while ((tab = memchr(p, '\t', (size_t)(end - p))) && i--)
		p = tab + 1;
	return (struct text){p, (size_t)((tab ? tab : end) - p)};
}

/* Returns what an event of the other side must have, too: its place, or the values of -k. */
static struct text
key_of(const struct diff *d, const struct event *e)
{
	const char *p = e->line + e->n;

	if (!d->key)
		return field(e, 1);
	while (p > e->line && (*p != '\t' || memcmp(p, KEY "0", sizeof KEY) != 0))
		p--;
	return (struct text){p, (size_t)(e->line + e->n - p)};
}
