/* spec_parse.c - parses the options -g, -a, -w and --origin of trace-stats. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/computed.h"
#include "stats/accumulator.h"

static uint64_t
duration(struct spec *p, const char *all, const char *s, size_t n)
{
	const char *why = NULL;
	struct num v;

	if (!num_parse(s, n, NUM_TYPED, &v, &why))
		die("-w %s: %s", all, why);
	if (v.neg || v.unit == UNIT_SIZE || (!v.whole && !v.nano) ||
	    v.whole > INT64_MAX / 1000000000 - 1)
		die("-w %s: a duration is expected: 1s, 100ms", all);
	p->window_unit |= v.unit == UNIT_TIME;
	/* In seconds, as everywhere; a clock of ticks uses the number itself (pane_length). */
	return v.whole * 1000000000 + v.nano;
}

static void
window_parse(struct spec *p, const char *text)
{
	const char *slash = strchr(text, '/');
	uint64_t a, b;

	p->window = duration(p, text, text, slash ? (size_t)(slash - text) : strlen(text));
	p->step = slash ? duration(p, text, slash + 1, strlen(slash + 1)) : p->window;
	if (p->step > p->window)
		die("-w %s: a step longer than the window would leave gaps", text);
	for (a = p->window, b = p->step; b;) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	p->pane = a;
	if (p->window / p->pane > 10000)
		die("-w %s: the window has more than 10000 panes", text);
}

#define BLANKS " \t\n"

/* Returns the opening parenthesis of s[0..n), if it is NAME(...) and nothing more; else NULL. */
static const char *
parentheses(const char *s, size_t n)
{
	const char *open = memchr(s, '(', n), *p = open;
	bool quoted = false;
	int depth = 0;

	if (!open || open == s || strcspn(s, BLANKS "=") < (size_t)(open - s))
		return NULL;
	for (; p < s + n; p++) {
		quoted ^= *p == '"';
		depth += quoted ? 0 : *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (!depth)
			return p + 1 + strspn(p + 1, BLANKS) >= s + n ? open : NULL;
	}
	return NULL;
}

/* Returns the list "count,p50,p90(size)" as "count,p50(size),p90(size)": names that need a field get the next
 * parentheses. The caller frees it. */
static char *
share_fields(const char *list)
{
	struct buf b = {0};
	uint64_t part;

	for (const char *s = list; s;) {
		const char *name = s += strspn(s, BLANKS), *open;
		size_t n = item_length(s);
		const struct aggregate *is;

		while (s[n] && (is = aggregate_named(s, n, &part)) && !is->bare) {
			s += n + 1;
			s += strspn(s, BLANKS);
			n = item_length(s);
		}
		open = parentheses(s, n);
		for (; name < s;
		     name += strcspn(name, ",") + 1, name += strspn(name, BLANKS)) {
			buf_add(&b, name, strcspn(name, ","));
			if (open)
				buf_add(&b, open, (size_t)(s + n - open));
			buf_add(&b, ",", 1);
		}
		buf_add(&b, s, n + (s[n] != '\0'));
		s = s[n] ? s + n + 1 : NULL;
	}
	buf_add(&b, "", 1);
	return (char *)b.p;
}

static void
plain_columns(struct spec *p, const char *list)
{
	for (const char *s = list; s;) {
		size_t n = item_length(s);
		char *text = xstrndup(s, n);
		struct shown *out;

		if (!n)
			die("-a %s: an aggregate is empty", list);
		spec_agg(p, text, n, text, NULL);
		out = spec_show(p, text);
		out->plain = true;
		out->agg = p->naggs - 1;
		free(text);
		s = s[n] ? s + n + 1 : NULL;
	}
}

/* Adds the hidden key `loc` if there are states, because a state is entered and left in one location: events of
 * several are kept apart until they are shown. */
static void
hide_location(struct spec *p)
{
	bool inside = false, keyed = false;

	for (size_t c = 0; c < p->ncols; c++)
		inside |= p->col[c].kind == COL_INSIDE;
	for (size_t k = 0; k < p->nkeys; k++)
		keyed |= !strcmp(p->key[k], "loc");
	p->nhidden = inside && !keyed;
	if (p->nhidden && p->depths)
		die("-a: depth, depth_most and busy cannot be combined with .inside: add "
		    "-g loc");
	if (p->nhidden)
		spec_key(p, "loc", 3);
}

/* Lets count, rate and share of events use the column .event. A window in which an event is only in progress has a
 * row, but no event begins in it. */
static void
count_begins(struct spec *p)
{
	for (size_t i = 0; i < p->naggs; i++)
		if (p->agg[i].col < 0 && p->agg[i].is->shared)
			p->agg[i].col = spec_col(p, ".event", NULL, ACC_NUM);
}

void
spec_parse(struct spec *p, const char *keys, const char *list, const char *window,
	   bool spread, unsigned bits)
{
	char *all;

	memset(p, 0, sizeof *p);
	p->bits = bits;
	p->spread = spread;
	p->empty = true;
	if (keys && !keys_plain(keys))
		computed_keys(p, keys);
	else
		for (const char *s = keys; s;) {
			size_t n = item_length(s);

			if (!n || p->nkeys == SPEC_KEYS)
				die("-g %s: %s", keys,
				    n ? "too many keys" : "a key is empty");
			spec_key(p, s, n);
			s = s[n] ? s + n + 1 : NULL;
		}
	all = share_fields(list ? list : "count");
	if (aggregates_plain(all))
		plain_columns(p, all);
	else
		computed_columns(p, all);
	free(all);
	hide_location(p);
	if (window)
		window_parse(p, window);
	if (p->depths && window)
		count_begins(p);
}

void
spec_from(struct spec *p, const char *text)
{
	const char *why = "a time is expected: 12.5, 100ms";

	p->from_first = !strcmp(text, SPEC_FIRST);
	p->from_clock = !strcmp(text, SPEC_CLOCK);
	p->from_time = !p->from_first && !p->from_clock;
	if (p->from_time && (!num_parse(text, strlen(text), NUM_TYPED, &p->from, &why) ||
			     p->from.unit == UNIT_SIZE))
		die("--origin %s: %s", text, why);
}
