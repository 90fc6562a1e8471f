/*
 * stats.c - a batch of events into groups.
 *
 * First the group of every event of a batch, then one loop for each column. The group comes
 * from a table by type when events are the only key, by location when that is; else the
 * key's text is looked up.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/put.h"
#include "event/value.h"
#include "stats/stats.h"

/* Texts of integers that were keys lately. */
#define CACHE 4096

#define BILLION 1000000000

struct keyed {
	bool event, loc, input, state;
	uint32_t input_text;
	uint32_t *by_type, *by_string; /* number of the text, + 1 */
	size_t type_cap, string_cap;
	uint32_t *group; /* + 1: by type or location, when that is the only key */
	size_t group_cap;
	struct {
		uint64_t v;
		uint32_t kind, text; /* text + 1 */
	} * cache;
};

/* With windows: where a key's events went last. */
struct recent {
	int64_t pane;
	uint32_t group, whole; /* + 1: of that pane, of all panes */
};

void
stats_open(struct stats *st, const struct spec *spec)
{
	memset(st, 0, sizeof *st);
	st->spec = spec;
	st->col = xcalloc(spec->ncols, sizeof *st->col);
	st->keyed = xcalloc(spec->nkeys, sizeof *st->keyed);
	for (size_t i = 0; i < spec->ncols; i++)
		view_add(&st->view, spec->col[i].name, strlen(spec->col[i].name), false);
	for (size_t i = 0; i < spec->nkeys; i++) {
		view_add(&st->view, spec->key[i], strlen(spec->key[i]), true);
		st->keyed[i].event = !strcmp(spec->key[i], "event");
		st->keyed[i].loc = !strcmp(spec->key[i], "loc");
		st->keyed[i].input = !strcmp(spec->key[i], SPEC_INPUT);
		st->keyed[i].state = !strcmp(spec->key[i], SPEC_STATE);
	}
	if (spec->files)
		st->access = xcalloc(1, sizeof *st->access);
	stats_pick_open(st);
}

void
stats_free(struct stats *st)
{
	for (size_t i = 0; i < st->spec->ncols; i++)
		column_free(&st->col[i]);
	stats_pick_free(st);
	files_free(st->access);
	for (size_t i = 0; i < st->spec->nkeys; i++) {
		free(st->keyed[i].by_type);
		free(st->keyed[i].by_string);
		free(st->keyed[i].group);
		free(st->keyed[i].cache);
	}
	free(st->count);
	free(st->sure);
	free(st->key);
	free(st->pane);
	free(st->slots);
	free(st->of_text);
	free(st->recent);
	free(st->segment);
	free(st->cover);
	strtab_free(&st->files);
	free(st->col);
	free(st->way);
	free(st->keyed);
	strtab_free(&st->text);
	view_free(&st->view);
	buf_free(&st->scratch);
}

/* Groups. */

static uint32_t
new_group(struct stats *st, const uint32_t *texts, int64_t pane)
{
	size_t nk = st->spec->nkeys;
	uint32_t g = st->ngroups++;

	st->count = grow(st->count, &st->count_cap, g + 1, sizeof *st->count);
	/* One more: never NULL, without keys either. */
	st->key = grow(st->key, &st->key_cap, (g + 1) * nk + 1, sizeof *st->key);
	if (nk)
		memcpy(st->key + g * nk, texts, nk * sizeof *texts);
	if (st->spec->pane) {
		st->pane = grow(st->pane, &st->pane_cap, g + 1, sizeof *st->pane);
		st->pane[g] = pane;
	}
	return g;
}

static uint32_t
key_slot(const uint32_t *texts, size_t n, int64_t pane)
{
	uint64_t h = hash_add(0, (uint64_t)pane);

	for (size_t i = 0; i < n; i++)
		h = hash_add(h, texts[i]);
	return hash_slot(h);
}

static void
rehash(struct stats *st)
{
	size_t nk = st->spec->nkeys;
	uint32_t mask;

	for (st->nslots = 1024; st->nslots <= 2 * st->ngroups;)
		st->nslots *= 2;
	free(st->slots);
	st->slots = xcalloc(st->nslots, sizeof *st->slots);
	mask = st->nslots - 1;
	for (uint32_t g = 0; g < st->ngroups; g++) {
		uint32_t i = key_slot(st->key + g * nk, nk, st->pane ? st->pane[g] : 0);

		for (i &= mask; st->slots[i]; i = (i + 1) & mask)
			;
		st->slots[i] = g + 1;
	}
}

/* The numbers of keys in the records have no texts yet. */
static void
forget_texts(struct keyed *key)
{
	for (size_t i = 0; i < key->type_cap; i++)
		key->by_type[i] = 0;
	for (size_t i = 0; i < key->string_cap; i++)
		key->by_string[i] = 0;
	for (size_t i = 0; i < key->group_cap; i++)
		key->group[i] = 0;
}

void
stats_index(struct stats *st)
{
	size_t nk = st->spec->nkeys;

	for (size_t k = 0; k < nk; k++) {
		forget_texts(&st->keyed[k]);
		free(st->keyed[k].cache);
		st->keyed[k].cache = NULL;
	}
	free(st->recent);
	st->recent = NULL;
	st->recent_cap = 0;
	if (st->spec->pane || nk > 1) {
		rehash(st);
		return;
	}
	for (size_t i = 0; i < st->of_text_cap; i++)
		st->of_text[i] = 0;
	for (uint32_t g = 0; nk && g < st->ngroups; g++)
		st->of_text[st->key[g]] = g + 1;
}

uint32_t
stats_group(struct stats *st, const uint32_t *texts, int64_t pane)
{
	size_t nk = st->spec->nkeys;
	uint32_t i, mask;

	if (!st->spec->pane && nk == 0) {
		return st->ngroups ? 0 : new_group(st, NULL, 0);
	}
	if (!st->spec->pane && nk == 1) {
		st->of_text =
		    grow(st->of_text, &st->of_text_cap, *texts + 1, sizeof *st->of_text);
		if (!st->of_text[*texts])
			st->of_text[*texts] = new_group(st, texts, 0) + 1;
		return st->of_text[*texts] - 1;
	}
	if (st->ngroups * 2 >= st->nslots)
		rehash(st);
	mask = st->nslots - 1;
	for (i = key_slot(texts, nk, pane) & mask; st->slots[i]; i = (i + 1) & mask) {
		uint32_t g = st->slots[i] - 1;

		if ((!st->pane || st->pane[g] == pane) &&
		    (!nk || !memcmp(st->key + g * nk, texts, nk * sizeof *texts)))
			return g;
	}
	st->slots[i] = st->ngroups + 1;
	return new_group(st, texts, pane);
}

/* Bindings. */

void
stats_source(struct stats *st, const struct source *s)
{
	st->source = s->id;
	st->scratch.n = 0;
	value_str(&st->scratch, s->name, strlen(s->name));
	st->file = strtab_id(&st->files, st->scratch.p, st->scratch.n);
	st->seq = 0;
	st->block = head_addr_unit(&s->head);
	st->near = INT64_MAX / st->block;
}

/* Windows, rates, the report and gaps (also those between parts) need one unit of time. A
 * thread only notes that there are two: the input is read again in order. */
static void
check_clock(struct stats *st, const struct source *s)
{
	const struct spec *spec = st->spec;
	bool ticks = s->head.clock == CLOCK_TICKS;
	bool other = st->any && st->clock != s->head.clock && spec_one_clock(spec);
	bool unknown = ticks && spec->pane && (spec->window_unit || spec->pane % BILLION);

	if (s->opt->quiet)
		st->mixed |= other || unknown;
	else if (other)
		die("%s: its clock counts %s, that of the inputs before %s (--hz N turns "
		    "ticks into seconds)",
		    s->name, ticks ? "ticks" : "seconds", ticks ? "seconds" : "ticks");
	else if (unknown)
		die("%s: its clock counts ticks of unknown length: -w takes a number of "
		    "ticks, or --hz N says how many make a second",
		    s->name);
}

/* Windows begin at a time of the clock. */
static void
check_origin(struct stats *st, const struct source *s)
{
	if (stats_origin(st))
		return;
	if (!s->opt->quiet)
		die("%s: --from is no time of its clock, which counts %s", s->name,
		    st->clock == CLOCK_TICKS ? "ticks" : "seconds");
	st->mixed = true;
}

/* The text of the key SPEC_STATE, which hangs on the type alone. */
static uint32_t
state_text(struct stats *st, const struct source *s, const struct type *ty)
{
	const struct format *f = format_named(s->opt->known, s->head.format);
	char name[STATE_NAME] = "-";

	if (f && f->state)
		f->state(ty->event, ty->event_len, name);
	return strtab_id(&st->text, name, strlen(name));
}

/* Of the types that are new, what the view does not know. */
static void
bind_new(struct stats *st, const struct source *s)
{
	const struct format *f = format_named(s->opt->known, s->head.format);
	size_t nc = st->spec->ncols;
	char name[STATE_NAME];

	st->way = grow(st->way, &st->way_cap, s->t.ntypes, 1);
	for (; st->nways < s->t.ntypes; st->nways++) {
		const struct type *ty = &s->t.type[st->nways];

		st->way[st->nways] =
		    (int8_t)(f && f->state ? f->state(ty->event, ty->event_len, name) : 0);
	}
	for (size_t i = 0; i < st->view.n; i++)
		if (i < nc ? st->spec->col[i].kind != COL_FIELD : st->keyed[i - nc].input)
			st->view.name[i].seen |= SEEN_FIELD;
}

static void
bind_types(struct stats *st, const struct source *s)
{
	size_t nk = st->spec->nkeys;

	if (st->source != s->id)
		stats_source(st, s);
	if (view_bind(&st->view, &s->t, &s->head, s->heads, s->fmt->text)) {
		check_clock(st, s);
		st->nways = 0;
		st->clock = s->head.clock;
		check_origin(st, s);
		for (size_t k = 0; k < nk; k++) {
			struct keyed *key = &st->keyed[k];

			forget_texts(key);
			if (key->input) {
				const struct str *name = &st->files.v[st->file];

				key->input_text = strtab_id(&st->text, name->s, name->len);
			}
		}
	}
	if (st->nways < s->t.ntypes)
		bind_new(st, s);
	for (size_t k = 0; k < nk; k++) {
		struct keyed *key = &st->keyed[k];

		key->by_type =
		    grow(key->by_type, &key->type_cap, s->t.ntypes, sizeof *key->by_type);
		key->by_string = grow(key->by_string, &key->string_cap, s->t.str.n,
				      sizeof *key->by_string);
		if (key->event || key->loc)
			key->group =
			    grow(key->group, &key->group_cap,
				 key->event ? s->t.ntypes : s->t.str.n, sizeof *key->group);
	}
}

/* Groups of a batch. */

static uint32_t
intern(struct stats *st, const struct buf *b)
{
	return strtab_id(&st->text, b->p, b->n);
}

static COLD uint32_t
text_of_field(struct stats *st, const struct source *s, const struct rec *r,
	      const struct field *f)
{
	struct buf *b = &st->scratch;

	b->n = 0;
	if (!field_text(b, &s->head, &s->t, r, f))
		buf_add(b, "-", 1);
	return intern(st, b);
}

/* The same of a number, which may be one of late. */
static INLINE uint32_t
text_of_number(struct stats *st, const struct source *s, const struct rec *r,
	       struct keyed *key, const struct field *f, uint64_t v)
{
	uint32_t at = (uint32_t)((v * 0x9E3779B97F4A7C15u) >> 52);

	if (!key->cache)
		key->cache = xcalloc(CACHE, sizeof *key->cache);
	if (!key->cache[at].text || key->cache[at].v != v ||
	    key->cache[at].kind != f->number) {
		key->cache[at].text = text_of_field(st, s, r, f) + 1;
		key->cache[at].v = v;
		key->cache[at].kind = f->number;
	}
	return key->cache[at].text - 1;
}

/* The number of the text of one key of one event. */
static uint32_t
text_of(struct stats *st, const struct source *s, const struct rec *r, size_t k)
{
	struct keyed *key = &st->keyed[k];
	const struct field *f;
	uint32_t *known;
	uint64_t v;

	if (key->input)
		return key->input_text;
	f = view_field(&st->view, r->type, st->spec->ncols + k);
	/* Times are hardly ever the same. */
	if (f->load == LOAD_INT && f->number != K_NS && field_load(f, r, &v))
		return text_of_number(st, s, r, key, f, v);
	switch (f->load) {
	case LOAD_NONE:
	case LOAD_CONST: known = &key->by_type[r->type]; break;
	case LOAD_STRING: known = &key->by_string[ld32((const uint8_t *)r + f->off)]; break;
	default: return text_of_field(st, s, r, f);
	}
	if (!*known)
		*known = (key->state ? state_text(st, s, &s->t.type[r->type])
				     : text_of_field(st, s, r, f)) +
			 1;
	return *known - 1;
}

static const struct rec *
rec_at(const uint8_t *base, uint32_t off)
{
	return (const struct rec *)(const void *)(base + off);
}

static uint32_t
group_of(struct stats *st, const struct source *s, const struct rec *r, int64_t pane)
{
	uint32_t texts[SPEC_KEYS];

	for (size_t k = 0; k < st->spec->nkeys; k++)
		texts[k] = text_of(st, s, r, k);
	return stats_group(st, texts, pane);
}

/* In the units of the clock. */
static uint64_t
pane_length(const struct stats *st)
{
	/* -w is read as seconds; a clock of ticks has the number itself. */
	return st->clock == CLOCK_NS ? st->spec->pane : st->spec->pane / BILLION;
}

bool
stats_origin(struct stats *st)
{
	const struct num *from = &st->spec->from;
	uint64_t ns = from->whole * BILLION + from->nano;

	if (!st->spec->from_time)
		return true;
	if (st->clock != CLOCK_NS) {
		st->origin = (int64_t)from->whole;
		return from->unit == UNIT_NONE && !from->nano && !from->neg;
	}
	st->origin = (int64_t)(from->neg ? 0 - ns : ns);
	return from->whole <= INT64_MAX / BILLION && ns <= (uint64_t)INT64_MAX + from->neg;
}

int64_t
stats_pane(const struct stats *st, int64_t time)
{
	uint64_t length = pane_length(st), flip = time_flip(st->clock);
	uint64_t t = (uint64_t)time, origin = (uint64_t)st->origin;
	bool before = (t ^ flip) < (origin ^ flip);
	uint64_t way = before ? origin - t : t - origin;
	uint64_t n = way / length + (before && way % length);

	if (before && st->spec->from_first)
		die("the first event of the pipe is not its earliest: --from-first takes "
		    "a file then, --from a time");
	if (n > (uint64_t)INT64_MAX + before && st->clock == CLOCK_NS)
		die("a time is beyond what windows of one nanosecond can count: -w 2ns or "
		    "more");
	if (n > (uint64_t)INT64_MAX + before)
		die("a time of %llu ticks is beyond what windows of one tick can count: "
		    "-w 2 or more",
		    (unsigned long long)t);
	return stats_pane_floor(st, (int64_t)(before ? 0 - n : n));
}

bool
stats_pane_possible(const struct stats *st, int64_t pane)
{
	uint64_t length = pane_length(st), n = (uint64_t)pane;

	if (pane < 0 && st->clock != CLOCK_NS && !st->origin)
		return false;
	return length && (pane < 0 ? 0 - n : n) <= UINT64_MAX / length;
}

/* The groups of a batch with windows; whole: those of the keys alone, for gaps. */
static void
windows_of(struct stats *st, const struct source *s, const uint8_t *base,
	   const uint32_t *off, uint32_t n, uint32_t *g, uint32_t *whole)
{
	size_t nk = st->spec->nkeys;
	uint64_t unit = pane_length(st), length = unit << st->shift;
	int64_t pane = 0, start = 0;
	uint32_t group = 0;
	bool known = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct rec *r = rec_at(base, off[i]);
		struct recent *recent;
		uint32_t text = 0;

		if (!nk && known && (uint64_t)r->time - (uint64_t)start < length) {
			g[i] = group; /* most events are in the window of the last one */
			whole[i] = st->recent->whole - 1;
			continue;
		}

		if (!known || (uint64_t)r->time - (uint64_t)start >= length) {
			pane = stats_pane(st, r->time);
			start = (int64_t)((uint64_t)pane * unit + (uint64_t)st->origin);
			known = true;
		}
		if (nk > 1) {
			g[i] = group_of(st, s, r, pane);
			if (st->spec->chains)
				whole[i] = group_of(st, s, r, NO_PANE);
			continue;
		}
		if (nk)
			text = text_of(st, s, r, 0);
		st->recent =
		    grow(st->recent, &st->recent_cap, text + 1, sizeof *st->recent);
		recent = &st->recent[text];
		if (!recent->group || recent->pane != pane) {
			recent->pane = pane;
			recent->group = stats_group(st, &text, pane) + 1;
			if (st->spec->chains)
				recent->whole = stats_group(st, &text, NO_PANE) + 1;
		}
		g[i] = recent->group - 1;
		whole[i] = recent->whole - 1;
		group = g[i];
	}
}

static void
groups_of(struct stats *st, const struct source *s, const uint8_t *base,
	  const uint32_t *off, uint32_t n, uint32_t *g)
{
	struct keyed *key = st->keyed;
	size_t nk = st->spec->nkeys;

	if (nk == 0) {
		memset(g, 0, n * sizeof *g);
		if (!st->ngroups)
			stats_group(st, NULL, 0);
	} else if (nk == 1 && (key->event || key->loc)) {
		size_t at =
		    key->event ? offsetof(struct rec, type) : offsetof(struct rec, loc);

		for (uint32_t i = 0; i < n; i++) {
			uint32_t *group = &key->group[ld32(base + off[i] + at)];

			if (unlikely(!*group))
				*group = group_of(st, s, rec_at(base, off[i]), 0) + 1;
			g[i] = *group - 1;
		}
	} else {
		for (uint32_t i = 0; i < n; i++)
			g[i] = group_of(st, s, rec_at(base, off[i]), 0);
	}
}

static void
note_span(struct stats *st, const uint8_t *base, const uint32_t *off, uint32_t n)
{
	uint64_t least = st->timed ? st->tmin : UINT64_MAX, most = st->timed ? st->tmax : 0,
		 flip = time_flip(st->clock);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t t = (uint64_t)rec_at(base, off[i])->time ^ flip;

		least = t < least ? t : least;
		most = t > most ? t : most;
	}
	st->tmin = least;
	st->tmax = most;
	st->timed = true;
}

/* Few groups: four counters each, as one would wait for itself. */
#define GROUPS_FEW 64

static void
count_groups(struct stats *st, const uint32_t *g, uint32_t n)
{
	uint16_t part[4][GROUPS_FEW] = {{0}};

	if (one_group(g, n))
		st->count[g[0]] += n;
	else if (st->ngroups <= GROUPS_FEW) {
		for (uint32_t i = 0; i < n; i++)
			part[i % 4][g[i]]++;
		for (uint32_t i = 0; i < st->ngroups; i++)
			st->count[i] +=
			    (uint32_t)part[0][i] + part[1][i] + part[2][i] + part[3][i];
	} else
		for (uint32_t i = 0; i < n; i++)
			st->count[g[i]]++;
}

/* The events of a batch, or some of them, into one column. */
static void
add_column(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	   const uint32_t *off, uint32_t n, const uint32_t *g, const uint32_t *whole)
{
	switch (st->spec->col[c].kind) {
	case COL_FIELD: column_add(st, s, c, base, off, n, g); break;
	case COL_GAP: chain_add(st, s, c, base, off, n, g, whole); break;
	case COL_SEQUENTIAL:
	case COL_HIGHER:
	case COL_INTERVAL: requests_add(st, c, base, off, n, g, whole); break;
	case COL_INSIDE: states_add(st, s, c, base, off, n, g, whole); break;
	case COL_ENTER:
	case COL_EVENT: column_marks(st, c, base, off, n, g); break;
	case COL_UNALIGNED:
	case COL_PAGES: column_blocks(st, c, base, off, n, g); break;
	}
}

/* A column of those events only that its expression is true for. */
static void
add_some(struct stats *st, struct source *s, size_t c, const struct batch *b,
	 const uint32_t *pick, uint32_t n, const uint32_t *g, const uint32_t *whole)
{
	uint32_t match[BATCH], at[BATCH], off[BATCH], to[BATCH], all[BATCH];

	n = stats_pick(st->col_when[c], s, b, pick, n, match, at);
	for (uint32_t i = 0; i < n; i++)
		to[i] = g[at[i]];
	if (!n)
		return;
	if (st->spec->col[c].kind == COL_EVENT) {
		column_marks(st, c, NULL, NULL, n, to);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		off[i] = b->off[match[i]];
		all[i] = whole[at[i]];
	}
	add_column(st, s, c, b->base, off, n, to, all);
}

void
stats_add(struct stats *st, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	uint32_t g[BATCH], panes[BATCH], picked[BATCH], match[BATCH];
	const uint32_t *off = b->off, *whole = g;
	const struct spec *spec = st->spec;

	bind_types(st, s);
	if (st->mixed)
		return;
	if (n && st->when) {
		n = stats_pick(st->when, s, b, pick, n, match, NULL);
		pick = match;
	}
	if (!n)
		return;
	if (pick) {
		for (uint32_t i = 0; i < n; i++)
			picked[i] = b->off[pick[i]];
		off = picked;
	}
	if (spec->rates || spec->span)
		note_span(st, b->base, off, n);
	if (spec->from_first && !st->any)
		st->origin = rec_at(b->base, off[0])->time;
	st->any = true;
	if (st->access) {
		files_add(st, s, b->base, off, n);
		return;
	}
	if (spec->pane) {
		windows_of(st, s, b->base, off, n, g, panes);
		whole = panes;
	} else
		groups_of(st, s, b->base, off, n, g);
	count_groups(st, g, n);
	for (size_t c = 0; c < spec->ncols; c++) {
		if (st->col_when[c])
			add_some(st, s, c, b, pick, n, g, whole);
		else
			add_column(st, s, c, b->base, off, n, g, whole);
	}
	stats_bound(st);
}

int
stats_check(struct stats *st)
{
	size_t nc = st->spec->ncols;
	int status = ST_OK;

	for (size_t i = 0; st->any && i < st->view.n; i++) {
		const char *name = st->view.name[i].name;

		/* Of what is computed, the fields that it is made of are looked at. */
		if (st->view.name[i].seen & SEEN_FIELD || *name == *COMPUTED)
			continue;
		if (st->view.name[i].seen & SEEN_EVENT)
			warn("no event had a field %s: %s is an event: -e %s", name, name,
			     name);
		else if (i >= nc && !strcmp(name, "file"))
			warn("no event had a field file: the input's name is " SPEC_INPUT);
		else
			view_missing(&st->view, name);
		status = ST_TROUBLE;
	}
	return status;
}
