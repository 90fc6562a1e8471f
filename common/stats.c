/*
 * stats.c - a batch of events into groups.
 *
 * First the group of every event of a batch, then one loop for each column. The group comes
 * from a table by type when events are the only key, by location when that is; else the
 * key's text is looked up.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "num.h"
#include "put.h"
#include "stats.h"
#include "value.h"

enum {
	BIND_NONE,   /* the type has no such field */
	BIND_WORD,   /* 64 bits at an offset */
	BIND_NUMBER, /* an integer of another width */
	BIND_END,    /* time + dur */
	BIND_TEXT,   /* whatever it is: by its text */
	BIND_MIXED,  /* types differ */
};

#define NO_TEXT UINT32_MAX
/* Texts of integers that were keys lately. */
#define CACHE 4096

struct keyed {
	bool event, loc, file;
	uint32_t file_text;
	struct field *field; /* by type */
	size_t field_cap;
	uint32_t *by_type, *by_string; /* number of the text, + 1 */
	size_t type_cap, string_cap;
	struct {
		uint64_t v;
		uint32_t kind, text; /* text + 1 */
	} * cache;
};

void
stats_open(struct stats *st, const struct spec *spec)
{
	memset(st, 0, sizeof *st);
	st->spec = spec;
	st->col = xcalloc(spec->ncols, sizeof *st->col);
	st->same = xcalloc(spec->ncols, sizeof *st->same);
	st->keyed = xcalloc(spec->nkeys, sizeof *st->keyed);
	st->seen = xcalloc(spec->ncols + spec->nkeys, sizeof *st->seen);
	for (size_t i = 0; i < spec->nkeys; i++) {
		st->keyed[i].event = !strcmp(spec->key[i], "event");
		st->keyed[i].loc = !strcmp(spec->key[i], "loc");
		st->keyed[i].file = !strcmp(spec->key[i], "file");
	}
}

void
stats_free(struct stats *st)
{
	for (size_t i = 0; i < st->spec->ncols; i++)
		for (unsigned k = 0; k < CLASSES; k++)
			free(st->col[i].num[k]);
	for (size_t i = 0; i < st->spec->nkeys; i++) {
		free(st->keyed[i].field);
		free(st->keyed[i].by_type);
		free(st->keyed[i].by_string);
		free(st->keyed[i].cache);
	}
	free(st->count);
	free(st->key);
	free(st->pane);
	free(st->slots);
	free(st->of_text);
	free(st->col);
	free(st->bound);
	free(st->same);
	free(st->keyed);
	free(st->seen);
	strtab_free(&st->text);
	strtab_free(&st->names);
	buf_free(&st->scratch);
}

/* Groups. */

static uint32_t
new_group(struct stats *st, const uint32_t *texts, int64_t pane)
{
	size_t nk = st->spec->nkeys;
	uint32_t g = st->ngroups++;

	st->count = grow(st->count, &st->count_cap, g + 1, sizeof *st->count);
	st->key = grow(st->key, &st->key_cap, (g + 1) * nk, sizeof *st->key);
	if (nk)
		memcpy(st->key + g * nk, texts, nk * sizeof *texts);
	if (st->spec->pane) {
		st->pane = grow(st->pane, &st->pane_cap, g + 1, sizeof *st->pane);
		st->pane[g] = pane;
	}
	return g;
}

static uint32_t
hash_key(const uint32_t *texts, size_t n, int64_t pane)
{
	uint64_t h = (uint64_t)pane * 0x9E3779B97F4A7C15u;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ texts[i]) * 0xD6E8FEB86659FD93u;
		h ^= h >> 32;
	}
	return (uint32_t)(h ^ h >> 29);
}

static void
rehash(struct stats *st)
{
	size_t nk = st->spec->nkeys;
	uint32_t mask;

	st->nslots = st->nslots ? st->nslots * 2 : 1024;
	free(st->slots);
	st->slots = xcalloc(st->nslots, sizeof *st->slots);
	mask = st->nslots - 1;
	for (uint32_t g = 0; g < st->ngroups; g++) {
		uint32_t i = hash_key(st->key + g * nk, nk, st->pane ? st->pane[g] : 0);

		for (i &= mask; st->slots[i]; i = (i + 1) & mask)
			;
		st->slots[i] = g + 1;
	}
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
	for (i = hash_key(texts, nk, pane) & mask; st->slots[i]; i = (i + 1) & mask) {
		uint32_t g = st->slots[i] - 1;

		if ((!st->pane || st->pane[g] == pane) &&
		    !memcmp(st->key + g * nk, texts, nk * sizeof *texts))
			return g;
	}
	st->slots[i] = st->ngroups + 1;
	return new_group(st, texts, pane);
}

/* Bindings. */

static struct binding
bind(const struct source *s, const char *name, const struct type *ty)
{
	bool ns = s->head.clock == CLOCK_NS;
	struct binding b = {.how = BIND_WORD,
			    .class = ns ? NANO_POS : INT_POS,
			    .sign = ns,
			    .field = field_find(name, &s->head, ty)};
	const struct arg *a = b.field.arg;

	switch (b.field.kind) {
	case FIELD_NONE: b.how = BIND_NONE; break;
	case FIELD_TIME: b.off = offsetof(struct rec, time); break;
	case FIELD_DUR:
		b.off = offsetof(struct rec, dur);
		b.bit = HAS_DUR;
		break;
	case FIELD_END:
		b.how = BIND_END;
		b.bit = HAS_DUR;
		break;
	case FIELD_ADDR:
	case FIELD_SIZE:
		b.bit = b.field.kind == FIELD_ADDR ? HAS_ADDR : HAS_SIZE;
		b.off = b.field.kind == FIELD_ADDR ? offsetof(struct rec, addr)
						   : offsetof(struct rec, size);
		b.class = INT_POS;
		b.sign = false;
		break;
	case FIELD_ARG:
		if (a->array || a->labels || (!kind_is_int(a->kind) && a->kind != K_NS)) {
			b.how = BIND_TEXT;
			break;
		}
		b.how = kind_width(a->kind) == 8 ? BIND_WORD : BIND_NUMBER;
		b.off = a->off;
		b.class = a->kind == K_NS ? NANO_POS : INT_POS;
		b.sign = a->kind == K_NS || (a->kind >= K_I8 && a->kind <= K_I64);
		break;
	default: b.how = BIND_TEXT; break;
	}
	if (b.bit && !(ty->may & b.bit))
		b.how = BIND_NONE;
	else if (ty->must & b.bit)
		b.bit = 0;
	return b;
}

static bool
same_binding(const struct binding *a, const struct binding *b)
{
	return a->how == b->how && a->class == b->class && a->bit == b->bit &&
	       a->sign == b->sign && a->off == b->off && a->how != BIND_TEXT;
}

static void
bind_types(struct stats *st, const struct source *s)
{
	const struct spec *spec = st->spec;
	size_t nc = spec->ncols, nk = spec->nkeys;

	if (st->epoch != s->t.epoch || st->heads != s->heads) {
		st->epoch = s->t.epoch;
		st->heads = s->heads;
		st->ntypes = 0;
		st->clock = s->head.clock;
		for (size_t k = 0; k < nk; k++) {
			struct keyed *key = &st->keyed[k];

			memset(key->by_type, 0, key->type_cap * sizeof *key->by_type);
			memset(key->by_string, 0, key->string_cap * sizeof *key->by_string);
			st->scratch.n = 0;
			value_str(&st->scratch, s->name, strlen(s->name));
			if (key->file)
				key->file_text =
				    strtab_id(&st->text, st->scratch.p, st->scratch.n);
		}
	}
	st->bound = grow(st->bound, &st->bound_cap, s->t.ntypes * nc, sizeof *st->bound);
	for (size_t k = 0; k < nk; k++) {
		struct keyed *key = &st->keyed[k];

		key->by_type =
		    grow(key->by_type, &key->type_cap, s->t.ntypes, sizeof *key->by_type);
		key->field =
		    grow(key->field, &key->field_cap, s->t.ntypes, sizeof *key->field);
		key->by_string = grow(key->by_string, &key->string_cap, s->t.str.n,
				      sizeof *key->by_string);
	}
	for (; st->ntypes < s->t.ntypes; st->ntypes++) {
		const struct type *ty = &s->t.type[st->ntypes];

		field_names(&st->names, &s->head, ty);
		for (size_t c = 0; c < nc; c++) {
			struct binding *b = &st->bound[st->ntypes * nc + c];

			*b = bind(s, spec->col[c].name, ty);
			st->seen[c] |= b->field.kind != FIELD_NONE || spec->col[c].gap;
			if (!st->ntypes)
				st->same[c] = *b;
			else if (!same_binding(&st->same[c], b))
				st->same[c].how = BIND_MIXED;
		}
		for (size_t k = 0; k < nk; k++) {
			struct field f = field_find(spec->key[k], &s->head, ty);

			st->keyed[k].field[st->ntypes] = f;
			st->seen[nc + k] |= f.kind != FIELD_NONE || st->keyed[k].file;
		}
	}
}

/* Groups of a batch. */

static uint32_t
intern(struct stats *st, const struct buf *b)
{
	return strtab_id(&st->text, b->p, b->n);
}

static COLD uint32_t
text_of_field(struct stats *st, const struct source *s, const struct rec *r, struct field f)
{
	struct buf *b = &st->scratch;

	b->n = 0;
	if (!field_text(b, s, r, f))
		buf_add(b, "-", 1);
	return intern(st, b);
}

/* The number of the text of one key of one event. */
static uint32_t
text_of(struct stats *st, const struct source *s, const struct rec *r, size_t k)
{
	struct keyed *key = &st->keyed[k];
	struct field f;
	uint32_t *known;
	uint64_t v;
	unsigned kind;

	if (key->file)
		return key->file_text;
	f = key->field[r->type];
	switch (f.kind) {
	case FIELD_NONE:
	case FIELD_EVENT: known = &key->by_type[r->type]; break;
	case FIELD_LOC:
	case FIELD_PART: known = &key->by_string[r->loc]; break;
	default:
		kind = f.kind == FIELD_ARG ? f.arg->kind : K_U64;
		if (f.kind == FIELD_ARG && kind == K_SYM && !f.arg->array) {
			known = &key->by_string[ld32((const uint8_t *)r + f.arg->off)];
			break;
		}
		if (f.kind == FIELD_ARG
			? f.arg->array || f.arg->labels || !kind_is_int(kind)
			: f.kind != FIELD_SIZE || !(r->has & HAS_SIZE))
			return text_of_field(st, s, r, f);
		v = f.kind == FIELD_ARG ? value_int((const uint8_t *)r + f.arg->off, kind)
					: r->size;
		if (!key->cache)
			key->cache = xcalloc(CACHE, sizeof *key->cache);
		{
			uint32_t at = (uint32_t)((v * 0x9E3779B97F4A7C15u) >> 52);

			if (!key->cache[at].text || key->cache[at].v != v ||
			    key->cache[at].kind != kind) {
				key->cache[at].text = text_of_field(st, s, r, f) + 1;
				key->cache[at].v = v;
				key->cache[at].kind = kind;
			}
			return key->cache[at].text - 1;
		}
	}
	if (!*known)
		*known = text_of_field(st, s, r, f) + 1;
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
	} else if (nk == 1 && key->event) {
		for (uint32_t i = 0; i < n; i++) {
			const struct rec *r = rec_at(base, off[i]);

			if (unlikely(!key->by_type[r->type]))
				key->by_type[r->type] = group_of(st, s, r, 0) + 1;
			g[i] = key->by_type[r->type] - 1;
		}
	} else {
		for (uint32_t i = 0; i < n; i++)
			g[i] = group_of(st, s, rec_at(base, off[i]), 0);
	}
}

/* Values. */

static struct tally *
nums(struct stats *st, size_t c, unsigned class)
{
	struct column *col = &st->col[c];

	return col->num[class] = grow(col->num[class], &col->num_cap[class], st->ngroups,
				      sizeof *col->num[class]);
}

static INLINE void
num_add(struct tally *a, uint64_t v)
{
	a->n++;
	a->lo += v;
	a->hi += a->lo < v;
	if (unlikely(~v > a->not_min))
		a->not_min = ~v;
	if (unlikely(v > a->max))
		a->max = v;
}

static void
add_all(struct stats *st, size_t c, unsigned class, const uint32_t *g, const uint64_t *v,
	uint32_t n)
{
	struct tally *num;

	if (!n)
		return;
	num = nums(st, c, class);
	for (uint32_t i = 0; i < n; i++)
		num_add(&num[g[i]], v[i]);
}

void
stats_value(struct stats *st, uint32_t g, int col, unsigned class, uint64_t v)
{
	add_all(st, (size_t)col, class, &g, &v, 1);
}

/* A signed value into the class of its sign. */
static void
add_signed(struct stats *st, size_t c, unsigned class, uint32_t g, uint64_t v)
{
	if ((int64_t)v < 0)
		add_all(st, c, class + 1, &g, &(uint64_t){0 - v}, 1);
	else
		add_all(st, c, class, &g, &v, 1);
}

/* The class of a text, and its magnitude. */
static unsigned
class_of_text(const uint8_t *p, size_t n, uint64_t *v)
{
	struct num num;

	*v = 0;
	if (!n || !num_parse((const char *)p, n, false, &num, NULL))
		return TEXTS;
	if (memchr(p, '.', n) && num.whole < UINT64_MAX / 1000000000) {
		*v = num.whole * 1000000000 + num.nano;
		return num.neg && *v ? NANO_NEG : NANO_POS;
	}
	*v = num.whole;
	return num.neg && *v ? INT_NEG : INT_POS;
}

static void
add_one(struct stats *st, const struct source *s, const struct rec *r, size_t c, uint32_t g)
{
	const struct binding *b = &st->bound[r->type * st->spec->ncols + c];
	uint64_t v;

	if (b->bit & ~r->has)
		return;
	switch (b->how) {
	case BIND_NONE: return;
	case BIND_WORD: v = ld64((const uint8_t *)r + b->off); break;
	case BIND_NUMBER:
		v = value_int((const uint8_t *)r + b->off, b->field.arg->kind);
		break;
	case BIND_END: v = (uint64_t)r->time + (uint64_t)r->dur; break;
	default: {
		unsigned class;

		st->scratch.n = 0;
		if (!field_text(&st->scratch, s, r, b->field))
			return;
		class = class_of_text(st->scratch.p, st->scratch.n, &v);
		add_all(st, c, class, &g, &v, 1);
		return;
	}
	}
	if (b->sign)
		add_signed(st, c, b->class, g, v);
	else
		add_all(st, c, b->class, &g, &v, 1);
}

static void
add_column(struct stats *st, const struct source *s, size_t c, const uint8_t *base,
	   const uint32_t *off, uint32_t n, const uint32_t *g)
{
	const struct binding *b = &st->same[c];
	uint64_t v[BATCH], negative = 0;
	uint32_t g2[BATCH], at = b->off, k = 0;

	if (b->how == BIND_NONE)
		return;
	if (b->how == BIND_WORD) {
		if (!b->bit) {
			for (uint32_t i = 0; i < n; i++) {
				v[i] = ld64(base + off[i] + at);
				negative |= v[i];
			}
			k = n;
		} else {
			for (uint32_t i = 0; i < n; i++) {
				const struct rec *r = rec_at(base, off[i]);

				v[k] = ld64((const uint8_t *)r + at);
				negative |= v[k];
				g2[k] = g[i];
				k += (r->has & b->bit) != 0;
			}
			g = g2;
		}
		if (!b->sign || !(negative >> 63)) {
			add_all(st, c, b->class, g, v, k);
			return;
		}
		for (uint32_t i = 0; i < k; i++)
			add_signed(st, c, b->class, g[i], v[i]);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		add_one(st, s, rec_at(base, off[i]), c, g[i]);
}

static void
note_span(struct stats *st, const uint8_t *base, const uint32_t *off, uint32_t n)
{
	int64_t least = st->any ? st->tmin : INT64_MAX,
		most = st->any ? st->tmax : INT64_MIN;

	for (uint32_t i = 0; i < n; i++) {
		int64_t t = rec_at(base, off[i])->time;

		least = t < least ? t : least;
		most = t > most ? t : most;
	}
	st->tmin = least;
	st->tmax = most;
}

void
stats_add(struct stats *st, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	uint32_t g[BATCH], picked[BATCH];
	const uint32_t *off = b->off;

	bind_types(st, s);
	if (!n)
		return;
	if (pick) {
		for (uint32_t i = 0; i < n; i++)
			picked[i] = b->off[pick[i]];
		off = picked;
	}
	if (s->need & NEED_TIME)
		note_span(st, b->base, off, n);
	st->any = true;
	groups_of(st, s, b->base, off, n, g);
	for (uint32_t i = 0; i < n; i++)
		st->count[g[i]]++;
	for (size_t c = 0; c < st->spec->ncols; c++)
		add_column(st, s, c, b->base, off, n, g);
}

int
stats_check(struct stats *st)
{
	int status = ST_OK;

	for (size_t i = 0; st->any && i < st->spec->ncols + st->spec->nkeys; i++) {
		if (st->seen[i])
			continue;
		field_missing(&st->names, i < st->spec->ncols
					      ? st->spec->col[i].name
					      : st->spec->key[i - st->spec->ncols]);
		status = ST_TROUBLE;
	}
	return status;
}
