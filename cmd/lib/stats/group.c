/*
 * group.c - finds the groups of a batch of events.
 *
 * Key by key, the value of every event gets its number: whole numbers are looked up together, types and strings
 * have their own tables, everything else is looked up by its text. The numbers of the keys, and of the window,
 * make the group. For a single key without windows, the group has the number of the value.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/num.h"
#include "stats/inside.h"
#include "view/traits.h"

#define BILLION 1000000000

/* With more groups than this, the counts do not stay in the cache. */
#define GROUPS_NEAR 65536

struct keyed {
	bool state;
	/* number of the value + 1, by type and by string */
	uint32_t *by_type, *by_string;
	size_t type_cap, string_cap;
};

/* With windows: the group of a key's previous event. */
struct recent {
	int64_t pane;
	uint32_t group, whole; /* + 1: of that pane; of all panes */
};

void
keyed_open(struct stats *st)
{
	size_t nk = st->spec->nkeys;

	st->keyed = xcalloc(nk, sizeof *st->keyed);
	st->texts = xcalloc(nk * BATCH, sizeof *st->texts);
	for (size_t i = 0; i < nk; i++) {
		const char *name = st->spec->key[i];

		if (spec_key_input(st->spec, i))
			view_add(&st->view, FIELD_INPUT_KEY, strlen(FIELD_INPUT_KEY),
				 false);
		else
			view_add(&st->view, name, strlen(name), true);
		st->keyed[i].state = !strcmp(name, SPEC_STATE);
	}
}

void
keyed_free(struct stats *st)
{
	for (size_t i = 0; i < st->spec->nkeys; i++) {
		free(st->keyed[i].by_type);
		free(st->keyed[i].by_string);
	}
	free(st->keyed);
	free(st->texts);
	free(st->recent);
}

static uint32_t
new_group(struct stats *st, const uint32_t *texts, int64_t pane)
{
	size_t nk = st->spec->nkeys;
	uint32_t g = st->ngroups++;

	GROW(st->count, st->count_cap, g + 1);
	/* One element more, so that the array is never NULL, even without keys. */
	GROW(st->key, st->key_cap, (g + 1) * nk + 1);
	if (nk)
		memcpy(st->key + g * nk, texts, nk * sizeof *texts);
	if (st->spec->pane) {
		GROW(st->pane, st->pane_cap, g + 1);
		st->pane[g] = pane;
	}
	return g;
}

static uint32_t
key_hash(const uint32_t *texts, size_t n, int64_t pane)
{
	uint64_t h = hash_add(0, (uint64_t)pane);

	for (size_t i = 0; i < n; i++)
		h = hash_add(h, texts[i]);
	return hash_slot(h);
}

/* Forgets the values of types and strings, whose numbers are no longer valid. */
static void
forget_texts(struct keyed *key)
{
	for (size_t i = 0; i < key->type_cap; i++)
		key->by_type[i] = 0;
	for (size_t i = 0; i < key->string_cap; i++)
		key->by_string[i] = 0;
}

void
stats_index(struct stats *st)
{
	size_t nk = st->spec->nkeys;

	for (size_t k = 0; k < nk; k++)
		forget_texts(&st->keyed[k]);
	FREE(st->recent);
	st->recent_cap = 0;
	slots_free(&st->index);
	for (uint32_t g = 0; g < st->ngroups && (st->spec->pane || nk > 1); g++)
		slots_add(&st->index,
			  key_hash(st->key + g * nk, nk, st->pane ? st->pane[g] : 0), g);
}

/* Makes groups up to number n. With a single key and no windows they have the numbers of its values. */
static void
groups_to(struct stats *st, uint32_t n)
{
	while (st->ngroups < n) {
		uint32_t value = st->ngroups;

		new_group(st, &value, 0);
	}
}

uint32_t
stats_group(struct stats *st, const uint32_t *texts, int64_t pane)
{
	size_t nk = st->spec->nkeys;
	uint32_t hash, g;

	if (!st->spec->pane && nk == 0)
		return st->ngroups ? 0 : new_group(st, NULL, 0);
	if (!st->spec->pane && nk == 1) {
		groups_to(st, *texts + 1);
		return *texts;
	}
	hash = key_hash(texts, nk, pane);
	for (size_t at = hash; slots_next(&st->index, hash, &at, &g);)
		if ((!st->pane || st->pane[g] == pane) &&
		    !memcmp(st->key + g * nk, texts, nk * sizeof *texts))
			return g;
	slots_add(&st->index, hash, st->ngroups);
	return new_group(st, texts, pane);
}

/* Returns the value of the key SPEC_STATE, which depends only on the type. */
static uint32_t
state_text(struct stats *st, const struct source *s, const struct type *ty)
{
	const struct traits *f = traits_source(s);
	char name[STATE_NAME] = "-";

	if (f->state)
		f->state(ty->event, ty->event_len, name);
	return keytab_id(&st->text, name, strlen(name));
}

void
keyed_bind(struct stats *st, const struct source *s, bool anew)
{
	for (size_t k = 0; k < st->spec->nkeys; k++) {
		struct keyed *key = &st->keyed[k];

		if (anew)
			forget_texts(key);
		GROW(key->by_type, key->type_cap, s->t.ntypes);
		GROW(key->by_string, key->string_cap, s->t.str.n);
	}
}

/* Returns the value of a field of an event, from its text. */

static COLD uint32_t
text_of_field(struct stats *st, const struct source *s, const struct rec *r,
	      const struct field *f)
{
	struct buf *b = &st->scratch;

	b->n = 0;
	if (!field_text(b, &s->head, &s->t, r, f))
		buf_add(b, "-", 1);
	return keytab_id(&st->text, b->p, b->n);
}

/* Returns the value of key k for an event. */
static uint32_t
group_text(struct stats *st, const struct source *s, const struct rec *r, size_t k)
{
	struct keyed *key = &st->keyed[k];
	const struct field *f = view_field(&st->view, r->type, st->spec->ncols + k);
	uint32_t *known;

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

/* The values of a key in a batch that are whole numbers: with their kinds, and the numbers of their events. */
struct number_batch {
	uint64_t v[BATCH];
	uint32_t at[BATCH], id[BATCH];
	uint8_t kind[BATCH];
	uint32_t n;
};

/* Adds the value of the i-th event. Returns false if it is no whole number. */
static INLINE bool
take_number(struct number_batch *to, const struct field *f, const struct rec *r, uint32_t i)
{
	uint64_t *v = &to->v[to->n];
	bool hex = f->number == K_X32 || f->number == K_X64;

	if (f->load != LOAD_INT || f->number == K_NS || !field_load(f, r, v))
		return false;
	to->kind[to->n] = hex			? KEYTAB_HEX
			  : f->sign && *v >> 63 ? KEYTAB_NEGATIVE
						: KEYTAB_WHOLE;
	to->at[to->n++] = i;
	return true;
}

/* Looks up these values, of all n events or of some, and writes their numbers to to[]. */
static void
find_numbers(struct stats *st, struct number_batch *v, uint32_t n, uint32_t *to)
{
	if (!v->n)
		return;
	keytab_numbers(&st->text, v->v, v->kind, v->n, v->n == n ? to : v->id);
	for (uint32_t i = 0; v->n < n && i < v->n; i++)
		to[v->at[i]] = v->id[i];
}

/* Finds the values of key k, which does not depend on a type or a string alone. alike: in all types it is a whole
 * number at one offset, written alike. */
static INLINE void
mixed_of(struct stats *st, const struct source *s, struct events e, size_t k, bool alike,
	 uint32_t *to)
{
	size_t at = st->spec->ncols + k;
	struct field same = st->view.name[at].same;
	struct number_batch v;

	v.n = 0;
	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);

		if (unlikely(!take_number(
			&v, alike ? &same : view_field(&st->view, r->type, at), r, i)))
			to[i] = group_text(st, s, r, k);
	}
	find_numbers(st, &v, e.n, to);
}

/* Finds the values of a computed key. */
static void
made_of(struct stats *st, const struct source *s, struct events e, const char *name,
	uint32_t *to)
{
	uint8_t there[BATCH];
	struct number_batch v;
	bool time, whole = made_ints(st, name, e.n, v.v, there, &time) &&
			   !(time && s->head.clock == CLOCK_NS);

	v.n = 0;
	for (uint32_t i = 0; i < e.n; i++) {
		if (whole && there[i]) {
			v.v[v.n] = v.v[i];
			v.kind[v.n] = v.v[i] >> 63 ? KEYTAB_NEGATIVE : KEYTAB_WHOLE;
			v.at[v.n++] = i;
			continue;
		}
		if (!made_text(st, s, event_at(e, i), name, i))
			buf_add(&st->scratch, "-", 1);
		to[i] = keytab_id(&st->text, st->scratch.p, st->scratch.n);
	}
	find_numbers(st, &v, e.n, to);
}

static void
texts_of(struct stats *st, const struct source *s, struct events e, size_t k, uint32_t *to)
{
	const struct keyed *key = &st->keyed[k];
	const struct field *same = &st->view.name[st->spec->ncols + k].same;
	bool string = same->load == LOAD_STRING;
	const uint32_t *known = string ? key->by_string : key->by_type;
	size_t at = string ? same->off : offsetof(struct rec, type);

	if (is_made(st->spec->key[k])) {
		made_of(st, s, e, st->spec->key[k], to);
		return;
	}
	if (same->load == LOAD_INT && same->number) {
		mixed_of(st, s, e, k, true, to);
		return;
	}
	if (!string && same->load > LOAD_CONST) {
		mixed_of(st, s, e, k, false, to);
		return;
	}
	for (uint32_t i = 0; i < e.n; i++) {
		uint32_t id = ld32(e.base + e.off[i] + at);

		to[i] = (likely(known[id]) ? known[id]
					   : group_text(st, s, event_at(e, i), k) + 1) -
			1;
	}
}

/* Returns the group of the i-th event of the batch. */
static uint32_t
group_of(struct stats *st, uint32_t i, int64_t pane)
{
	uint32_t texts[SPEC_KEYS];

	for (size_t k = 0; k < st->spec->nkeys; k++)
		texts[k] = st->texts[k * BATCH + i];
	return stats_group(st, texts, pane);
}

uint64_t
pane_length(const struct stats *st)
{
	/* -w is in seconds; a clock of ticks uses the number itself. */
	return st->clock == CLOCK_NS ? st->spec->pane : st->spec->pane / BILLION;
}

bool
stats_origin(struct stats *st)
{
	const struct num *from = &st->spec->from;
	uint64_t ns = from->whole * BILLION + from->nano;

	if (st->spec->from_clock)
		st->origin = 0;
	if (!st->spec->from_time)
		return true;
	if (st->clock != CLOCK_NS) {
		st->origin = (int64_t)from->whole;
		return from->unit == UNIT_NONE && !from->nano && !from->neg;
	}
	st->origin = (int64_t)(from->neg ? 0 - ns : ns);
	return from->whole <= INT64_MAX / BILLION && ns <= (uint64_t)INT64_MAX + from->neg;
}

void
stats_windows(const struct stats *st, int64_t pane, int64_t *first, int64_t *last)
{
	int64_t step = (int64_t)(st->spec->step / st->spec->pane);
	int64_t length = (int64_t)(st->spec->window / st->spec->pane), rest, before;

	*last = pane / step - (pane % step < 0);
	/* `rest` is the number of panes in the last window after this one; each step of them makes one more
	 * earlier window. The result is small, though the product may exceed 64 bits. */
	rest = length - 1 - (int64_t)((uint64_t)pane - (uint64_t)*last * (uint64_t)step);
	before = rest < 0 ? -1 : rest / step;
	*first = *last > INT64_MIN + before ? *last - before : INT64_MIN + 1;
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
		die("the first event of the pipe is not the earliest: use a file, or "
		    "--origin TIME");
	if (n > (uint64_t)INT64_MAX + before && st->clock == CLOCK_NS)
		die("a time is too large for windows of one nanosecond: use -w 2ns or "
		    "more");
	if (n > (uint64_t)INT64_MAX + before)
		die("a time of %llu ticks is too large for windows of one tick: use -w 2 "
		    "or more",
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

/* Finds the groups of a batch with windows. whole: the groups of the keys alone, for gaps. */
static void
windows_of(struct stats *st, struct events e, uint32_t *g, uint32_t *whole)
{
	size_t nk = st->spec->nkeys;
	uint64_t unit = pane_length(st), length = unit << st->shift;
	uint64_t flip = time_flip(st->clock);
	int64_t pane = 0, start = 0;
	uint32_t group = 0;
	bool known = false;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		/* An earlier time could be so far away that its distance wraps. */
		bool same = known && (uint64_t)r->time - (uint64_t)start < length &&
			    ((uint64_t)r->time ^ flip) >= ((uint64_t)start ^ flip);
		struct recent *recent;
		uint32_t text = 0;

		if (!nk && same) {
			/* most events are in the window of the previous one */
			g[i] = group;
			whole[i] = st->recent->whole - 1;
			continue;
		}
		if (!same) {
			pane = stats_pane(st, r->time);
			start = (int64_t)((uint64_t)pane * unit + (uint64_t)st->origin);
			known = true;
		}
		if (nk > 1) {
			g[i] = group_of(st, i, pane);
			if (st->spec->chains)
				whole[i] = group_of(st, i, NO_PANE);
			continue;
		}
		if (nk)
			text = st->texts[i];
		GROW(st->recent, st->recent_cap, text + 1);
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

void
stats_groups(struct stats *st, const struct source *s, struct events e, uint32_t *g,
	     uint32_t *whole)
{
	size_t nk = st->spec->nkeys;
	bool one = nk == 1 && !st->spec->pane;

	for (size_t k = 0; k < nk; k++)
		texts_of(st, s, e, k, one ? g : st->texts + k * BATCH);
	if (st->spec->pane)
		windows_of(st, e, g, whole);
	else if (one) {
		groups_to(st, st->text.n);
		for (uint32_t i = 0; st->ngroups > GROUPS_NEAR && i < e.n; i++)
			prefetch(&st->count[g[i]]);
	} else if (nk) {
		for (uint32_t i = 0; i < e.n; i++)
			g[i] = group_of(st, i, 0);
	} else {
		memset(g, 0, e.n * sizeof *g);
		stats_group(st, NULL, 0);
	}
}
