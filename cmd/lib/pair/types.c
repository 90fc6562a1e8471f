/*
 * types.c - the types of pairs: the type of the begin, with the arguments of the end that differ, and self= and
 * unpaired=.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "event/value.h"
#include "pair/pairing.h"

/* How an argument of the end is compared with the argument of the begin. */
enum {
	BY_NUMBER, /* as numbers; both have the same sign */
	BY_STRING, /* by the number of a string */
	BY_TEXT,
	SAME,
	ALWAYS, /* they differ, or the begin has no such argument */
};

void
pair_types_start(struct pair_types *t, struct source *out)
{
	memset(t, 0, sizeof *t);
	tables_reset(&t->held);
	t->import.types = &t->held;
	t->import.strings = &out->t;
}

static void
forget(struct pair_types *t)
{
	for (uint32_t i = 0; i < t->couples.n; i++) {
		free(t->couple[i].v);
		free(t->couple[i].mask);
	}
	for (uint32_t i = 0; i < t->mades.n; i++)
		free(t->made[i].v);
	strtab_free(&t->couples);
	strtab_free(&t->mades);
	t->ntypes = 0;
}

void
pair_types_reset(struct pair_types *t)
{
	forget(t);
	tables_reset(&t->held);
}

void
pair_types_free(struct pair_types *t)
{
	forget(t);
	tables_free(&t->held);
	import_free(&t->import);
	free(t->type);
	free(t->couple);
	free(t->made);
	free(t->mask);
	buf_free(&t->key);
}

uint32_t
pair_types_new(struct pair_types *t, const struct source *s, uint32_t type)
{
	uint32_t n = import_type(&t->import, &s->t, type);

	GROW(t->type, t->typecap, n + 1);
	for (; t->ntypes <= n; t->ntypes++)
		t->type[t->ntypes] = (struct held_type){0};
	return n;
}

static bool
is_number(const struct arg *a)
{
	return kind_is_int(a->kind) && !a->array && !a->labels;
}

static bool
has_sign(const struct arg *a)
{
	return a->kind >= K_I8 && a->kind <= K_I64;
}

static uint8_t
how_to_compare(const struct arg *b, const struct arg *e)
{
	if (!b)
		return ALWAYS;
	if (b->kind == K_CONST && e->kind == K_CONST)
		return strcmp(b->text, e->text) ? ALWAYS : SAME;
	if (is_number(b) && is_number(e) && has_sign(b) == has_sign(e) &&
	    (b->kind == K_X32 || b->kind == K_X64) ==
		(e->kind == K_X32 || e->kind == K_X64))
		return BY_NUMBER;
	if (b->kind == K_SYM && e->kind == K_SYM && !b->array && !e->array)
		return BY_STRING;
	return BY_TEXT;
}

/* Returns the couple of a begin and an end, which is added if it is new. end: NO_END for an event without a
 * partner. */
static struct couple *
couple_of(struct pair_types *t, uint32_t begin, uint32_t end, unsigned rule, unsigned flags)
{
	const uint32_t key[4] = {begin, end, rule, flags};
	uint32_t known = t->couples.n, id;
	struct couple *c = pair_types_last(t, begin, end, rule, flags);

	if (c)
		return c;
	id = strtab_id(&t->couples, key, sizeof key);
	GROW(t->couple, t->couplecap, id + 1);
	c = &t->couple[id];
	t->type[begin].couple = id + 1;
	if (id < known)
		return c;
	*c = (struct couple){.begin = begin, .end = end, .rule = rule, .flags = flags};
	if (end != NO_END) {
		const struct type *ty = &t->held.type[end];

		c->v = xcalloc(ty->nargs + 1, sizeof *c->v);
		c->n = ty->nargs;
		for (uint32_t i = 0; i < c->n; i++) {
			c->v[i].end = &ty->args[i];
			c->v[i].begin = arg_named(&t->held.type[begin], ty->args[i].name);
			c->v[i].kind = how_to_compare(c->v[i].begin, c->v[i].end);
		}
	}
	c->mask = xcalloc(c->n / 64 + 1, sizeof *c->mask);
	return c;
}

/* Returns true if an argument of the end e has another value than in the begin r. */
static bool
differs(struct pair_types *t, const struct differ *d, const struct source *out,
	const struct rec *r, const struct source *s, const struct rec *e)
{
	const uint8_t *p, *q;
	size_t n;
	bool other;

	if (d->kind >= SAME)
		return d->kind == ALWAYS;
	p = (const uint8_t *)r + d->begin->off;
	q = (const uint8_t *)e + d->end->off;
	if (d->kind == BY_NUMBER)
		return value_int(p, d->begin->kind) != value_int(q, d->end->kind);
	if (d->kind == BY_STRING)
		return ld32(p) != import_str(&t->import, &s->t, ld32(q));
	t->key.n = 0;
	value_arg(&t->key, &out->t, r, d->begin);
	n = t->key.n;
	value_arg(&t->key, &s->t, e, d->end);
	other = t->key.n != 2 * n || (n && memcmp(t->key.p, t->key.p + n, n) != 0);
	t->key.n = 0;
	return other;
}

/* Makes the type m for a couple, with the arguments of the end whose bits are set in c->mask. */
static void
make(struct pair_types *t, struct source *out, const struct couple *c, struct made_type *m)
{
	const struct type *ty = &t->held.type[c->begin];
	struct arg *more = xcalloc(c->n + 2, sizeof *more);
	struct type new = *ty;
	struct arena names = {0};
	uint32_t n = 0;

	*m = (struct made_type){.v = xcalloc(c->n + 1, sizeof *m->v)};
	for (uint32_t i = 0; i < c->n; i++) {
		const char *name = c->v[i].end->name;
		struct buf b = {0};

		if (!(c->mask[i / 64] >> i % 64 & 1))
			continue;
		buf_add(&b, "end.", 4);
		buf_str(&b, name);
		m->v[m->n++] = (struct copied){c->v[i].end, 0};
		more[n] = *c->v[i].end;
		more[n++].name = arena_str(&names, (const char *)b.p, b.n);
		buf_free(&b);
	}
	if (c->flags & MADE_SELF)
		more[n++] = (struct arg){
		    .name = "self", .kind = out->head.clock == CLOCK_NS ? K_NS : K_U64};
	if (c->flags & (MADE_BEGIN | MADE_END))
		more[n++] = (struct arg){.name = "unpaired",
					 .kind = K_CONST,
					 .text = c->flags & MADE_BEGIN ? "begin" : "end"};
	if (c->flags & MADE_PAIR) {
		new.must |= HAS_DUR;
		const char *name = t->name[c->rule < PAIR_RULES ? c->rule : 0];

		if (name) {
			new.event = name;
			new.event_len = (uint32_t)strlen(new.event);
		}
	}
	m->type = import_more(&out->t, &new, more, n);
	ty = &out->t.type[m->type];
	m->delta = ty->fixed - t->held.type[c->begin].fixed;
	for (uint32_t i = 0; i < m->n; i++)
		m->v[i].to = ty->args[new.nargs + i].off;
	m->self = c->flags & MADE_SELF ? ty->args[new.nargs + m->n].off : 0;
	free(more);
	arena_free(&names);
}

const struct made_type *
pair_types_find(struct pair_types *t, struct source *out, const struct source *s,
		const struct rec *r, uint32_t held, const struct rec *e, unsigned rule,
		unsigned flags)
{
	uint32_t end = e ? pair_types_held(t, s, e->type) : NO_END;
	struct couple *c = couple_of(t, held, end, rule, flags);
	uint32_t id = (uint32_t)(c - t->couple), known = t->mades.n;
	size_t words = c->n / 64 + 1;

	if (likely(c->n <= 64 && c->made)) {
		uint64_t mask = 0;

		for (uint32_t i = 0; i < c->n; i++)
			mask |= (uint64_t)differs(t, &c->v[i], out, r, s, e) << i;
		if (likely(mask == *c->mask))
			return &t->made[c->made - 1];
	}
	GROW(t->mask, t->maskcap, words);
	memset(t->mask, 0, words * sizeof *t->mask);
	for (uint32_t i = 0; i < c->n; i++)
		t->mask[i / 64] |= (uint64_t)differs(t, &c->v[i], out, r, s, e) << i % 64;
	if (c->made && !memcmp(c->mask, t->mask, words * sizeof *t->mask))
		return &t->made[c->made - 1];
	memcpy(c->mask, t->mask, words * sizeof *t->mask);
	t->key.n = 0;
	buf_add(&t->key, &id, sizeof id);
	buf_add(&t->key, t->mask, words * sizeof *t->mask);
	id = strtab_id(&t->mades, t->key.p, t->key.n);
	GROW(t->made, t->madecap, id + 1);
	c->made = id + 1;
	if (id == known)
		make(t, out, c, &t->made[id]);
	return &t->made[id];
}

/* Returns the bytes of a variable argument of a record, and sets *p and *n; 0 if it has none. */
static uint32_t
part_bytes(const struct rec *r, const struct arg *a, const uint8_t **p, uint32_t *n)
{
	if (!kind_is_part(a) || !rec_span(r, a, p, n))
		return *n = 0;
	return *n * (a->array ? kind_width(a->kind) : 1);
}

/* Returns the bytes of the n strings whose places are at p. Returns UINT32_MAX if a string begins before `first`,
 * or if they are longer than the record. */
static uint32_t
strings_bytes(const struct rec *r, const uint8_t *p, uint32_t n, uint32_t first)
{
	uint64_t bytes = 0;

	for (; n && bytes <= r->len; n--, p += sizeof(struct part)) {
		struct part part;

		memcpy(&part, p, sizeof part);
		if (part.off > r->len || part.n > r->len - part.off)
			continue;
		if (part.n && part.off < first)
			return UINT32_MAX;
		bytes += part.n;
	}
	return bytes > r->len ? UINT32_MAX : (uint32_t)bytes;
}

uint32_t
pair_types_length(const struct made_type *m, const struct rec *r, const struct rec *e)
{
	uint32_t len = r->len + m->delta, n;
	const uint8_t *p;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct arg *a = m->v[i].from;

		len += (part_bytes(e, a, &p, &n) + 7) & ~7u;
		if (kind_is_strings(a))
			len += (strings_bytes(e, p, n, 0) + 7) & ~7u;
	}
	return len;
}

bool
pair_types_whole(const struct type *ty, const struct rec *r)
{
	uint64_t left = r->len - ty->fixed;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		const uint8_t *p = NULL;
		uint32_t n = 0;
		uint64_t bytes = part_bytes(r, a, &p, &n);

		if (!bytes)
			continue;
		if (p < (const uint8_t *)r + ty->fixed)
			return false;
		if (kind_is_strings(a))
			bytes += strings_bytes(r, p, n, ty->fixed);
		if (bytes > left)
			return false;
		left -= bytes;
	}
	return true;
}

/* Copies the strings of n elements from the end e to the end of r. The elements at `at` still hold their places in
 * e, and are changed to those in r. */
static void
fill_strings(struct rec *r, uint8_t *at, uint32_t n, const struct rec *e)
{
	uint8_t *to = (uint8_t *)r;
	uint32_t from = r->len;

	for (; n; n--, at += sizeof(struct part)) {
		struct part part;

		memcpy(&part, at, sizeof part);
		if (part.off > e->len || part.n > e->len - part.off)
			part.n = 0;
		memcpy(to + r->len, (const uint8_t *)e + (part.n ? part.off : 0), part.n);
		part.off = r->len;
		r->len += part.n;
		memcpy(at, &part, sizeof part);
	}
	from += (r->len - from + 7) & ~7u;
	memset(to + r->len, 0, from - r->len);
	r->len = from;
}

void
pair_types_fill(struct pair_types *t, const struct made_type *m, struct rec *r,
		uint32_t held, const struct source *s, const struct rec *e)
{
	const struct type *ty = &t->held.type[held];
	uint8_t *to = (uint8_t *)r;

	if (m->delta)
		rec_widen(ty, r, m->delta);
	r->type = m->type;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct arg *a = m->v[i].from;
		uint8_t *at = to + m->v[i].to;
		const uint8_t *p = (const uint8_t *)e + a->off;
		uint32_t n, bytes;
		struct part part;

		if (a->kind == K_CONST)
			continue;
		if (kind_is_part(a)) {
			bytes = part_bytes(e, a, &p, &n);
			part = (struct part){r->len, n};
			memcpy(at, &part, sizeof part);
			at = to + r->len;
			r->len += (bytes + 7) & ~7u;
			if (bytes) {
				memset(to + r->len - 8, 0, 8);
				memcpy(at, p, bytes);
			}
			if (kind_is_strings(a))
				fill_strings(r, at, n, e);
		} else {
			n = 1;
			memcpy(at, p, kind_width(a->kind));
		}
		for (; a->kind == K_SYM && n; n--, at += 4)
			st32(at, import_str(&t->import, &s->t, ld32(at)));
	}
}
