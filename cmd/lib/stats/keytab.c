/* keytab.c - see keytab.h */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/num.h"
#include "event/value.h"
#include "stats/keytab.h"

struct key_slot {
	uint64_t v;
	uint32_t id; /* number + 1; 0 = free */
	uint32_t kind;
};

/* Count of numbers that are looked up together, so that their slots are fetched from memory at the same time. */
#define TOGETHER 512

/* Numbers below SMALL, as sizes and pages often are, have a table without search: in a search some numbers need
 * another slot, which processors mispredict. */
#define SMALL (1u << 17)

static uint32_t
keytab_add(struct keytab *t, uint64_t v, uint8_t kind)
{
	GROW(t->v, t->v_cap, t->n + 1);
	GROW(t->kind, t->kind_cap, t->n + 1);
	t->v[t->n] = v;
	t->kind[t->n] = kind;
	return t->n++;
}

/* Returns the first slot of a number. It comes from the upper bits, so that a table of twice the size has its
 * values in the same order, and is filled from start to end. */
static inline uint32_t
keytab_slot(uint64_t v, uint8_t kind, unsigned bits)
{
	return hash_slot(hash_add(kind, v)) >> (32 - bits);
}

/* Makes room for `more` numbers, so that at most two thirds of the slots are used. */
static void
keytab_grow(struct keytab *t, uint32_t more)
{
	struct key_slot *old = t->slots;
	size_t n = old ? (size_t)1 << t->bits : 0, mask;
	unsigned bits = t->bits ? t->bits : 10;

	while ((((uint64_t)t->used + more) * 3 > (uint64_t)2 << bits) && bits < 32)
		bits++;
	if (old && bits == t->bits)
		return;
	t->bits = bits;
	t->slots = xcalloc((size_t)1 << bits, sizeof *t->slots);
	mask = ((size_t)1 << bits) - 1;
	for (size_t k = 0; k < n; k++) {
		size_t at = keytab_slot(old[k].v, (uint8_t)old[k].kind, bits);

		if (!old[k].id)
			continue;
		while (t->slots[at].id)
			at = (at + 1) & mask;
		t->slots[at] = old[k];
	}
	free(old);
}

static void
numbers(struct keytab *t, const uint64_t *v, const uint8_t *kind, uint32_t n, uint32_t *id)
{
	uint32_t first[TOGETHER];
	size_t mask;

	keytab_grow(t, n);
	mask = ((size_t)1 << t->bits) - 1;
	for (uint32_t i = 0; i < n; i++) {
		first[i] = keytab_slot(v[i], kind[i], t->bits);
		prefetch(&t->slots[first[i]]);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct key_slot *s = &t->slots[first[i]];

		for (size_t at = first[i]; s->id && (s->v != v[i] || s->kind != kind[i]);)
			s = &t->slots[at = (at + 1) & mask];
		if (unlikely(!s->id)) {
			t->used++;
			*s = (struct key_slot){v[i], keytab_add(t, v[i], kind[i]) + 1,
					       kind[i]};
		}
		id[i] = s->id - 1;
	}
}

/* Returns true if all numbers are decimal and below SMALL. */
static bool
all_small(const uint64_t *v, const uint8_t *kind, uint32_t n)
{
	uint64_t bits = 0;
	uint8_t other = 0;

	for (uint32_t i = 0; i < n; i++)
		bits |= v[i];
	for (uint32_t i = 0; i < n; i++)
		other |= kind[i] ^ KEYTAB_WHOLE;
	return bits < SMALL && !other;
}

void
keytab_numbers(struct keytab *t, const uint64_t *v, const uint8_t *kind, uint32_t n,
	       uint32_t *id)
{
	if (all_small(v, kind, n)) {
		if (!t->small)
			t->small = xcalloc(SMALL, sizeof *t->small);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t *small = &t->small[v[i]];

			if (unlikely(!*small)) {
				numbers(t, &v[i], &kind[i], 1, small);
				++*small;
			}
			id[i] = *small - 1;
		}
		return;
	}
	for (; n > TOGETHER; n -= TOGETHER) {
		numbers(t, v, kind, TOGETHER, id);
		v += TOGETHER;
		kind += TOGETHER;
		id += TOGETHER;
	}
	numbers(t, v, kind, n, id);
}

/* Reads a text as a whole number. Returns its kind; KEYTAB_TEXT if it is no whole number, or if the number is
 * written differently. */
static uint8_t
key_number(const uint8_t *p, size_t n, uint64_t *v)
{
	uint8_t own[KEY_SPACE];
	bool neg = n > 1 && *p == '-';

	if (!n || p[neg] < '0' || p[neg] > '9')
		return KEYTAB_TEXT;
	if (n > 2 && p[0] == '0' && p[1] == 'x')
		return hex_u64(p + 2, n - 2, v) ||
			       put_hex(own, *v) - own != (ptrdiff_t)n - 2 ||
			       memcmp(own, p + 2, n - 2) != 0
			   ? KEYTAB_TEXT
			   : KEYTAB_HEX;
	if ((n > 1 && p[neg] == '0') || digits_u64(p + neg, n - neg, v) ||
	    (neg && *v > 1ull << 63))
		return KEYTAB_TEXT;
	*v = neg ? 0 - *v : *v;
	return neg ? KEYTAB_NEGATIVE : KEYTAB_WHOLE;
}

uint32_t
keytab_id(struct keytab *t, const void *p, size_t n)
{
	uint64_t v;
	uint8_t kind = key_number(p, n, &v);
	uint32_t id, text;

	if (kind != KEYTAB_TEXT) {
		numbers(t, &v, &kind, 1, &id);
		return id;
	}
	text = strtab_id(&t->texts, p, n);
	GROW(t->of_text, t->of_text_cap, text + 1);
	if (!t->of_text[text])
		t->of_text[text] = keytab_add(t, text, KEYTAB_TEXT) + 1;
	return t->of_text[text] - 1;
}

uint32_t
keytab_from(struct keytab *t, const struct keytab *from, uint32_t id)
{
	const struct str *s;
	uint32_t to;

	if (from->kind[id] != KEYTAB_TEXT) {
		numbers(t, &from->v[id], &from->kind[id], 1, &to);
		return to;
	}
	s = &from->texts.v[from->v[id]];
	return keytab_id(t, s->s, s->len);
}

uint32_t *
keytab_join(struct keytab *to, const struct keytab *from)
{
	uint32_t *id = xcalloc(from->n, sizeof *id);

	for (uint32_t i = 0; i < from->n; i++)
		id[i] = keytab_from(to, from, i);
	for (uint32_t i = 0; i < from->inputs.n; i++)
		strtab_id(&to->inputs, from->inputs.v[i].s, from->inputs.v[i].len);
	return id;
}

/* Writes the text of a number at p. Returns the position after it. */
static uint8_t *
keytab_put_one(uint8_t *p, const struct keytab *t, uint32_t id)
{
	switch (t->kind[id]) {
	case KEYTAB_NEGATIVE: return put_i64(p, (int64_t)t->v[id]);
	case KEYTAB_HEX: return value_put_int(p, K_X64, t->v[id]);
	default: return put_u64(p, t->v[id]);
	}
}

struct str
keytab_text(const struct keytab *t, uint32_t id, char space[KEY_SPACE])
{
	uint8_t *p = (uint8_t *)space, *end;

	if (t->kind[id] == KEYTAB_TEXT)
		return t->texts.v[t->v[id]];
	end = keytab_put_one(p, t, id);
	*end = '\0';
	return (struct str){.s = space, .len = (uint32_t)(end - p)};
}

void
keytab_put(struct buf *b, const struct keytab *t, uint32_t id)
{
	const struct str *s;

	if (t->kind[id] != KEYTAB_TEXT) {
		buf_to(b, keytab_put_one(buf_room(b, KEY_SPACE), t, id));
		return;
	}
	s = &t->texts.v[t->v[id]];
	buf_add(b, s->s, s->len);
}

void
keytab_free(struct keytab *t)
{
	free(t->v);
	free(t->kind);
	free(t->slots);
	free(t->small);
	free(t->of_text);
	strtab_free(&t->texts);
	strtab_free(&t->inputs);
	memset(t, 0, sizeof *t);
}
