/* keys.c - hashes the values of some fields to one number: see keys.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/num.h"
#include "pair/keys.h"
#include "pair/pairs.h"

/* The kinds of values. */
enum {
	ABSENT = 1,
	WHOLE,
	BELOW,
	TEXT
};

void
keys_parse(struct keys *k, const char *list)
{
	const struct expr_tree *t;
	bool computed = false;

	memset(k, 0, sizeof *k);
	if (*list) {
		k->computed = exprs_key_parse(list);
		if (exprs_in_order(k->computed))
			die("-k: prev, nth and total cannot be part of a key");
		t = exprs_tree(k->computed);
		for (size_t i = 0; i < t->nlets; i++) {
			const char *field = t->lets[i].field;

			if (field)
				view_add(&k->view, field, strlen(field), true);
			computed |= !field;
		}
	}
	if (!computed) {
		exprs_free(k->computed);
		k->computed = NULL;
	}
	k->part = xcalloc(k->view.n + 1, sizeof *k->part);
}

void
keys_free(struct keys *k)
{
	for (size_t i = 0; i < k->view.n && k->part; i++)
		free(k->part[i].v);
	free(k->part);
	free(k->text.v);
	view_free(&k->view);
	exprs_free(k->computed);
	arena_free(&k->mem);
	buf_free(&k->scratch);
}

unsigned
keys_need(const struct keys *k)
{
	return view_need(&k->view) | (k->computed ? exprs_need(k->computed) : 0);
}

void
keys_bind(struct keys *k, struct source *s)
{
	k->any = true;
	view_bind(&k->view, &s->t, &s->head, s->head_serial, s->fmt->text);
	for (size_t i = 0; i < k->view.n; i++)
		CACHE(k->part[i].v, k->part[i].cache, s, 0);
	CACHE(k->text.v, k->text.cache, s, 0);
}

static inline uint64_t
of_whole(uint64_t v, bool below)
{
	return pair_key(below ? BELOW : WHOLE, v) | 1;
}

/* Returns a hash of the n bytes at p. */
static uint64_t
of_bytes(const uint8_t *p, size_t n)
{
	uint64_t h = pair_key(TEXT, n), last = 0;

	for (; n >= 8; n -= 8, p += 8)
		h = pair_key(h, ld64(p));
	if (n)
		memcpy(&last, p, n);
	return pair_key(h, last);
}

uint64_t
keys_text(const void *text, size_t n)
{
	const uint8_t *p = text;
	bool neg = n > 1 && *p == '-';
	uint64_t v = 0;

	if (n > 2 && n <= 18 && p[0] == '0' && p[1] == 'x' && !hex_u64(p + 2, n - 2, &v))
		return of_whole(v, false);
	if (!digits_u64(p + neg, n - neg, &v) && (!neg || v <= 1ull << 63))
		return of_whole(neg ? 0 - v : v, neg && v);
	return of_bytes(p, n) | 1;
}

/* Returns the number of a field that is read as text; ABSENT if there is none. */
static uint64_t
of_field(struct keys *k, const struct source *s, const struct rec *r, const struct field *f)
{
	k->scratch.n = 0;
	if (!field_text(&k->scratch, &s->head, &s->t, r, f))
		return ABSENT;
	return keys_text(k->scratch.p, k->scratch.n);
}

/* Returns the number of a field that is a whole number; ABSENT if there is none. */
static INLINE uint64_t
whole(const struct field *f, const struct rec *r)
{
	uint64_t v;

	return field_load(f, r, &v) ? of_whole(v, f->sign && v >> 63) : ABSENT;
}

/* Computes the number of the string `id`, field i of r, and keeps it in c. Returns the number. */
static NOINLINE uint64_t
new_string(struct keys *k, size_t i, struct key_cache *c, const struct source *s,
	   const struct rec *r, uint32_t id)
{
	uint64_t v = of_field(k, s, r, view_field(&k->view, r->type, i));

	CACHE(c->v, c->cache, s, id + 1);
	return c->v[id] = v;
}

static INLINE uint64_t
string(struct keys *k, size_t i, struct key_cache *c, const struct source *s,
       const struct rec *r, uint32_t off)
{
	uint32_t id = ld32((const uint8_t *)r + off);
	uint64_t v = likely(id < c->cache.cap) ? c->v[id] : 0;

	return likely(v) ? v : new_string(k, i, c, s, r, id);
}

/* Returns the cache for the strings of field i. */
static inline struct key_cache *
cache_of(struct keys *k, size_t i, const struct field *f)
{
	return f->kind == FIELD_PART ? &k->part[i] : &k->text;
}

static INLINE uint64_t
event_key(struct keys *k, const struct source *s, const struct rec *r, size_t i)
{
	const struct field *f = view_field(&k->view, r->type, i);

	switch (f->load) {
	case LOAD_INT: return whole(f, r);
	case LOAD_NONE: return ABSENT;
	case LOAD_STRING: return string(k, i, cache_of(k, i, f), s, r, f->off);
	default: return of_field(k, s, r, f);
	}
}

/* Returns the key h of the previous fields combined with v, the number of the next one. h is rotated first, so
 * that the keys a,b and b,a differ. */
static inline uint64_t
join_hash(uint64_t h, uint64_t v)
{
	return hash_add(h << 23 | h >> 41, v);
}

/* Adds the number of field i to a key. The key of a single field is its number. */
static inline uint64_t
with(size_t i, uint64_t h, uint64_t v)
{
	return i ? join_hash(h, v) : v;
}

/* Adds field i, a string, and field i + 1, a whole number, in one loop, because loc,addr is the most frequent key. */
static void
add_both(struct keys *k, size_t i, const struct source *s, const struct batch *b,
	 const uint32_t *pick, uint32_t n, uint64_t *to)
{
	struct key_cache *c = cache_of(k, i, &k->view.name[i].same);
	const struct field f = k->view.name[i + 1].same;
	uint32_t off = k->view.name[i].same.off;

	for (uint32_t j = 0; j < n; j++) {
		const struct rec *r = batch_rec(b, pick[j]);
		uint64_t key = with(i, to[j], string(k, i, c, s, r, off));

		to[j] = join_hash(key, whole(&f, r));
	}
}

/* Adds the values of the expressions to the keys to[0..n). */
static void
add_computed(struct keys *k, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n, uint64_t *to)
{
	const struct expr_tree *t = exprs_tree(k->computed);
	struct val_env env = {.clock = s->head.clock, .mem = &k->mem};

	if (!exprs_run(k->computed, s, b, pick, n))
		return;
	for (size_t i = 0; i < t->nlets; i++) {
		const struct vec *v = t->lets[i].field ? NULL : exprs_vec(k->computed, i);

		for (uint32_t j = 0; v && j < n; j++) {
			struct val x = vec_val(v, j), text;
			uint64_t key = ABSENT;

			if (x.kind == VAL_WHOLE && i128_is_i64(x.n))
				key = of_whole(x.n.lo, x.n.hi < 0);
			else if (x.kind != VAL_NONE) {
				text = val_to_text(&env, &x);
				key = keys_text(text.s, text.len);
			}
			to[j] = join_hash(to[j], key);
		}
		arena_free(&k->mem);
	}
}

void
keys_of(struct keys *k, struct source *s, const struct batch *b, const uint32_t *pick,
	uint32_t n, uint64_t *to)
{
	memset(to, 0, n * sizeof *to);
	for (size_t i = 0; i < k->view.n; i++) {
		const struct field f = k->view.name[i].same;

		/* If the field is equal in all types, its load is known before the loop. */
		if (f.load == LOAD_INT) {
			for (uint32_t j = 0; j < n; j++)
				to[j] = with(i, to[j], whole(&f, batch_rec(b, pick[j])));
		} else if (f.load != LOAD_STRING) {
			for (uint32_t j = 0; j < n; j++)
				to[j] = with(i, to[j],
					     event_key(k, s, batch_rec(b, pick[j]), i));
		} else if (i + 1 < k->view.n && k->view.name[i + 1].same.load == LOAD_INT) {
			add_both(k, i++, s, b, pick, n, to);
		} else {
			struct key_cache *c = cache_of(k, i, &f);

			for (uint32_t j = 0; j < n; j++)
				to[j] =
				    with(i, to[j],
					 string(k, i, c, s, batch_rec(b, pick[j]), f.off));
		}
	}
	if (k->computed)
		add_computed(k, s, b, pick, n, to);
}

uint64_t
keys_none(const struct keys *k)
{
	const struct expr_tree *t = k->computed ? exprs_tree(k->computed) : NULL;
	uint64_t h = 0;

	for (size_t i = 0; i < k->view.n; i++)
		h = with(i, h, ABSENT);
	for (size_t i = 0; t && i < t->nlets; i++)
		h = t->lets[i].field ? h : join_hash(h, ABSENT);
	return h;
}

int
keys_finish(const struct keys *k)
{
	int status = k->computed ? exprs_finish(k->computed, false) : ST_OK;

	/* exprs_finish has checked the plain fields too if there are expressions. */
	for (size_t i = 0; i < k->view.n && k->any && !k->computed; i++) {
		if (k->view.name[i].seen & SEEN_FIELD)
			continue;
		view_missing(&k->view, k->view.name[i].name);
		status = ST_TROUBLE;
	}
	return status;
}
