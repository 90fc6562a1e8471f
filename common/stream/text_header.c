/* text_header.c - reads the lines of the text stream that begin with '#'. */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "event/value.h"
#include "input/fault.h"
#include "stream/text_state.h"

/* Bound: text stream | metadata of an input | lines ##meta | 8 MiB | the metadata exceed 8192 KiB */
#define META_MOST (8u << 20) /* limit of the bytes of metadata */

static bool
starts(struct span l, const char *word, struct span *rest)
{
	size_t n = strlen(word);

	if (l.n < n || memcmp(l.p, word, n) != 0 || (l.n > n && l.p[n] != '\t'))
		return false;
	*rest = (struct span){l.p + n + (l.n > n), l.n - n - (l.n > n)};
	return true;
}

/* Returns a copy of a name of the header. Names stay escaped. */
static char *
name_str(struct source *s, struct span v)
{
	char *p = arena_get(&s->meta, 4 * v.n + 1);

	*put_name((uint8_t *)p, v.p, v.n) = '\0';
	return p;
}

static void
clock_line(struct source *s, struct span v)
{
	struct text *c = s->state;
	const uint8_t *o;

	c->fast.ticks = v.n >= 5 && !memcmp(v.p, "ticks", 5);
	c->clock_known = true;
	source_clock(s, c->fast.ticks ? CLOCK_TICKS : CLOCK_NS);
	o = memchr(v.p, '=', v.n);
	if (o && !c->fast.ticks)
		value_read_time(false, o + 1, (size_t)(v.p + v.n - o - 1), &s->head.origin);
}

/* Counts the memory that a header line takes, also for an empty line. Returns false, after a message, if the limit
 * for a stream's metadata is reached. */
static bool
kept(struct source *s, struct span v)
{
	struct text *c = s->state;

	c->meta += v.n + 64;
	if (c->meta > META_MOST)
		fault(s, NULL, COST_STATUS, s->name, s->line,
		      "the metadata exceed %u KiB: the rest is left out", META_MOST >> 10);
	return c->meta <= META_MOST;
}

static void
meta_line(struct source *s, struct span v)
{
	char *key, *eq, *value;

	key = arena_str(&s->meta, (const char *)v.p, v.n);
	eq = strchr(key, '=');
	value = eq ? eq + 1 : key + v.n;
	if (eq)
		*eq = '\0';
	if (!strcmp(value, "\"\""))
		value[0] = '\0';
	key[unescape((uint8_t *)key, key, strlen(key))] = '\0';
	value[unescape((uint8_t *)value, value, strlen(value))] = '\0';
	head_meta(&s->head, &s->meta, key, value);
}

/* Stores in *value the value of NAME=value among the tab-separated fields of a header line. Returns false if there
 * is none. */
static bool
header_field(struct span l, const char *name, struct span *value)
{
	size_t n = strlen(name);
	const uint8_t *p = l.p, *end = l.p + l.n, *tab;

	for (; p < end; p = tab + 1) {
		tab = memchr(p, '\t', (size_t)(end - p));
		tab = tab ? tab : end;
		if ((size_t)(tab - p) > n && p[n] == '=' && !memcmp(p, name, n)) {
			*value = (struct span){p + n + 1, (size_t)(tab - p) - n - 1};
			return true;
		}
	}
	return false;
}

static void
error_line(struct source *s, struct span l)
{
	struct buf *b = &((struct text *)s->state)->scratch;
	struct span v, lost;
	uint64_t n = 0;
	size_t len;

	if (!header_field(l, "lost", &lost) || digits_u64(lost.p, lost.n, &n))
		n = 0;
	if (!header_field(l, "reason", &v))
		v = l;
	b->n = 0;
	len = unescape(buf_room(b, v.n), v.p, v.n);
	source_upstream(s, n, (const char *)b->p, len);
}

/* Notes the end of the stream. If only a part of the file is read, lines after it are in other parts, which is an
 * error. */
static void
ended(struct source *s)
{
	struct text *c = s->state;

	c->ended = true;
	c->closed = c->spoor;
	s->trouble |= s->opt->opened_before && s->part.end != UINT64_MAX;
}

/* Begins a new stream in the same input. */
static void
new_head(struct source *s)
{
	struct text *c = s->state;

	if (c->spoor && !c->ended)
		fault(s, NULL, COST_STATUS, s->name, NOWHERE, CUT_OFF " before line %llu",
		      (unsigned long long)(s->line + fault_line(s)));
	source_head_done(s);
	head_free(&s->head);
	arena_free(&s->meta);
	snprintf(s->head.format, sizeof s->head.format, "-");
	source_clock(s, CLOCK_NS);
	c->clock_known = c->fast.ticks = false;
	c->events = c->ended = c->closed = false;
	c->meta = 0;
	s->head_serial = serial();
}

bool
text_header_line(struct source *s, struct batch *b, struct span l)
{
	struct text *c = s->state;
	struct head *h = &s->head;
	struct span v;

	if (starts(l, "##spoor", &v)) {
		if (b->n)
			return false;
		if ((s->opt->chunks || s->opt->opened_before) &&
		    s->line > s->part.header_lines) {
			/* Readers of later parts would not see this header. */
			fault(s, NULL, COST_STATUS, s->name, s->line,
			      "another stream begins: several in one file cannot be "
			      "cut into parts");
			s->stop = true;
			return true;
		}
		if (c->events || c->closed)
			new_head(s);
		if (v.n != 1 || *v.p != '1')
			fault(s, NULL, COST_STATUS, s->name, s->line,
			      "version %.*s of the stream is unknown",
			      (int)(v.n < 20 ? v.n : 20), (const char *)v.p);
		c->spoor = true;
		h->given = true;
	} else if (starts(l, "##end", &v)) {
		ended(s);
	} else if (starts(l, "##error", &v)) {
		ended(s);
		error_line(s, v);
	} else if (c->events || b->n) {
		/* Events came before, so the line has no effect. */
	} else if (starts(l, "##format", &v) && kept(s, v)) {
		snprintf(h->format, sizeof h->format, "%s", name_str(s, v));
		source_needs(s);
		c->fast.need = s->need;
	} else if (starts(l, "##clock", &v)) {
		clock_line(s, v);
	} else if (starts(l, "##loc", &v) && kept(s, v)) {
		char *part = name_str(s, v), *next;

		for (h->nlocparts = 0; part && h->nlocparts < LOC_PARTS; part = next) {
			next = strchr(part, '/');
			if (next)
				*next++ = '\0';
			h->locpart[h->nlocparts++] = part;
		}
	} else if (starts(l, "##meta", &v) && kept(s, v))
		meta_line(s, v);
	return true;
}
