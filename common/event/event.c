/* event.c - types, records, and the tables that their numbers refer to. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/num.h"
#include "base/put.h"
#include "event/event.h"

/* Limits of strings or types in the tables, and of their bytes. Beyond a limit, a reader of free text starts a new
 * epoch. So the tables take some MB at most. */
/* Bound: text stream | names in tables | names of events and places | 16384 | - */
#define TABLE_LIMIT 16384
/* Limit of the bytes of types and strings. */
#define TABLE_BYTES (1u << 20)

unsigned
serial(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static unsigned last;
	unsigned n;

	pthread_mutex_lock(&lock);
	n = ++last;
	pthread_mutex_unlock(&lock);
	return n;
}

void
tables_reset(struct tables *t)
{
	tables_free(t);
	t->epoch = serial();
	strtab_id(&t->str, "-", 1);
}

void
tables_free(struct tables *t)
{
	free(t->type);
	arena_free(&t->mem);
	strtab_free(&t->str);
	memset(t, 0, sizeof *t);
}

bool
tables_full(const struct tables *t)
{
	return t->str.n > TABLE_LIMIT || t->ntypes > TABLE_LIMIT ||
	       t->bytes + t->str.bytes > TABLE_BYTES;
}

uint32_t
kind_width(unsigned kind)
{
	static const uint8_t width[K_KINDS] = {
	    [K_U8] = 1,	   [K_U16] = 2,	 [K_U32] = 4, [K_U64] = 8, [K_I8] = 1,
	    [K_I16] = 2,   [K_I32] = 4,	 [K_I64] = 8, [K_X32] = 4, [K_X64] = 8,
	    [K_NS] = 8,	   [K_F64] = 8,	 [K_SYM] = 4, [K_STR] = 8, [K_BYTES] = 8,
	    [K_CONST] = 0, [K_TEXT] = 8,
	};

	return kind < K_KINDS ? width[kind] : 0;
}

/* Returns the bytes of an argument in the fixed part of a record: 0 for K_CONST, 8 for every variable argument. */
static uint32_t
kind_size(const struct arg *a)
{
	return a->array ? sizeof(struct part) : kind_width(a->kind);
}

bool
kind_is_int(unsigned kind)
{
	return kind >= K_U8 && kind <= K_X64;
}

bool
kind_is_part(const struct arg *a)
{
	return a->array || a->kind == K_STR || a->kind == K_BYTES || a->kind == K_TEXT;
}

/* Returns the alignment of an argument. A variable argument is a struct part of two 32-bit numbers. */
static uint32_t
arg_align(const struct arg *a)
{
	uint32_t size = kind_size(a);

	return kind_is_part(a) ? 4 : size ? size : 1;
}

uint32_t
type_add(struct tables *t, const struct type *ty)
{
	struct arg *args = arena_get(&t->mem, ty->nargs * sizeof *args + 1);
	struct type *to;
	uint32_t off = REC_HEAD, i;

	GROW(t->type, t->typecap, t->ntypes + 1);
	to = &t->type[t->ntypes];
	*to = *ty;
	to->event = arena_str(&t->mem, ty->event, ty->event_len);
	to->holds = 0;
	t->bytes += ty->event_len + sizeof *to;
	for (i = 0; i < ty->nargs; i++) {
		struct arg *a = &args[i];
		size_t n = strlen(ty->args[i].name);

		*a = ty->args[i];
		a->name = arena_str(&t->mem, a->name, n);
		if (a->text)
			a->text = arena_str(&t->mem, a->text, strlen(a->text));
		off = (off + arg_align(a) - 1) / arg_align(a) * arg_align(a);
		a->off = off;
		off += kind_size(a);
		to->holds |= kind_is_part(a) ? HOLDS_PARTS : 0;
		if (a->kind == K_SYM)
			to->holds |= a->array ? HOLDS_SYMS | HOLDS_SYM_ARRAYS : HOLDS_SYMS;
		t->bytes += n + sizeof *a;
	}
	to->args = args;
	to->may |= to->must;
	t->holds |= to->holds;
	to->fixed = (off + 7) & ~7u;
	return t->ntypes++;
}

uint32_t
type_more(struct tables *t, const struct type *ty, const struct arg *more, uint32_t n,
	  uint8_t must)
{
	struct arg *args = xcalloc(ty->nargs + n + 1, sizeof *args);
	struct type new = *ty;

	if (ty->nargs)
		memcpy(args, ty->args, ty->nargs * sizeof *args);
	if (n)
		memcpy(args + ty->nargs, more, n * sizeof *args);
	new.args = args;
	new.nargs += n;
	new.must |= must;
	n = type_add(t, &new);
	free(args);
	return n;
}

struct longer
type_longer(struct tables *t, uint32_t type, const struct arg *more, uint32_t n,
	    uint8_t must)
{
	uint32_t to = type_more(t, &t->type[type], more, n, must);
	const struct type *ty = &t->type[to];

	return (struct longer){to + 1, ty->fixed - t->type[type].fixed,
			       n ? ty->args[ty->nargs - n].off : ty->fixed};
}

static void
key_text(struct buf *b, const char *s, size_t n)
{
	uint64_t len = s ? n : UINT64_MAX;

	buf_add(b, &len, sizeof len);
	buf_add(b, s ? s : "", s ? n : 0);
}

void
type_key(struct buf *b, const struct type *ty)
{
	const uint8_t columns[3] = {ty->must, ty->may, ty->addr_hex};

	key_text(b, ty->event, ty->event_len);
	buf_add(b, columns, sizeof columns);
	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *a = &ty->args[i];
		const uint8_t kind[2] = {a->kind, a->array};
		uint32_t n = a->labels ? a->labels->n : UINT32_MAX;

		key_text(b, a->name, strlen(a->name));
		buf_add(b, kind, sizeof kind);
		key_text(b, a->text, a->text ? strlen(a->text) : 0);
		buf_add(b, &n, sizeof n);
		for (uint32_t k = 0; a->labels && k < n; k++) {
			buf_add(b, &a->labels->v[k].value, sizeof a->labels->v[k].value);
			key_text(b, a->labels->v[k].name, strlen(a->labels->v[k].name));
		}
	}
}

const char *
label_of(const struct labels *l, int64_t value)
{
	uint64_t i;
	uint32_t lo = 0, hi = l->n;

	if (!l->n || value < l->v[0].value || value > l->v[l->n - 1].value)
		return NULL;
	/* Most tables have no gaps. */
	i = (uint64_t)value - (uint64_t)l->v[0].value;
	if (i < l->n && l->v[i].value == value)
		return l->v[i].name;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (l->v[mid].value < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->n && l->v[lo].value == value ? l->v[lo].name : NULL;
}

/* Returns a copy of a metadata key in mem, in which each = is written as \x3d: the first = ends a key. */
static const char *
meta_key(struct arena *mem, const char *key)
{
	struct buf b = {0};
	char *copy;

	for (; *key; key++)
		if (*key == '=')
			buf_add(&b, "\\x3d", 4);
		else
			buf_add(&b, key, 1);
	copy = arena_str(mem, (const char *)b.p, b.n);
	buf_free(&b);
	return copy;
}

void
head_meta(struct head *h, struct arena *mem, const char *key, const char *value)
{
	struct pair *p = PUSH(h->meta, h->nmeta, h->cap);

	p->key = strchr(key, '=') ? meta_key(mem, key) : arena_str(mem, key, strlen(key));
	p->value = arena_str(mem, value, strlen(value));
}

const char *
head_value(const struct head *h, const char *key)
{
	for (size_t i = h->nmeta; i-- > 0;)
		if (!strcmp(h->meta[i].key, key))
			return h->meta[i].value;
	return NULL;
}

uint64_t
meta_block(const struct head *h)
{
	uint64_t unit = 0, v;

	for (size_t i = 0; i < h->nmeta; i++) {
		const char *value = h->meta[i].value;

		if (!strcmp(h->meta[i].key, "block") &&
		    !digits_u64((const uint8_t *)value, strlen(value), &v))
			unit = v;
	}
	return unit;
}

uint64_t
head_addr_unit(const struct head *h)
{
	uint64_t unit = meta_block(h);

	return unit ? unit : 1;
}

void
head_free(struct head *h)
{
	const char *input = h->input;

	free(h->meta);
	free(h->places);
	memset(h, 0, sizeof *h);
	h->input = input;
}

struct rec *
rec_new(struct batch *b, const struct tables *t, uint32_t type)
{
	uint32_t len = t->type[type].fixed;
	struct rec *r = (struct rec *)(void *)buf_room(&b->own, len + REC_SLACK);

	memset(r, 0, len);
	r->len = len;
	r->type = type;
	r->has = t->type[type].must;
	b->base = b->own.p;
	b->off[b->n++] = (uint32_t)b->own.n;
	b->own.n += len;
	return r;
}

struct rec *
rec_last(struct batch *b)
{
	return (struct rec *)(void *)(b->own.p + b->off[b->n - 1]);
}

uint8_t *
rec_part(struct batch *b, const struct arg *a, uint32_t n, uint32_t width)
{
	uint32_t bytes = n * width, len = (bytes + 7) & ~7u;
	uint8_t *p = buf_room(&b->own, len + REC_SLACK);
	struct rec *r = rec_last(b);
	struct part part = {r->len, n};

	b->base = b->own.p;
	memcpy((uint8_t *)r + a->off, &part, sizeof part);
	if (len)
		memset(p + len - 8, 0, 8);
	r->len += len;
	b->own.n += len;
	return p;
}

void
rec_str(struct batch *b, const struct arg *a, const void *p, size_t n)
{
	uint8_t *to = rec_part(b, a, (uint32_t)n, 1);

	if (n)
		memcpy(to, p, n);
}

bool
rec_span(const struct rec *r, const struct arg *a, const uint8_t **p, uint32_t *n)
{
	uint64_t width = a->array ? kind_width(a->kind) : 1;
	struct part part;

	memcpy(&part, (const uint8_t *)r + a->off, sizeof part);
	if (part.off > r->len || part.n * width > r->len - part.off)
		return false;
	*n = part.n;
	*p = (const uint8_t *)r + part.off;
	return true;
}

void
rec_widen(const struct type *ty, struct rec *r, uint32_t more)
{
	uint8_t *p = (uint8_t *)r;
	bool parts = r->len > ty->fixed;

	if (parts)
		memmove(p + ty->fixed + more, p + ty->fixed, r->len - ty->fixed);
	for (uint32_t i = 0; i < more; i += 8)
		st64(p + ty->fixed + i, 0);
	r->len += more;
	if (!parts)
		return;
	for (const struct arg *a = ty->args; a < ty->args + ty->nargs; a++) {
		struct part part;
		const uint8_t *at;
		uint32_t n;

		if (!kind_is_part(a))
			continue;
		memcpy(&part, p + a->off, sizeof part);
		part.off += part.off >= ty->fixed ? more : 0;
		memcpy(p + a->off, &part, sizeof part);
		/* The elements of an array of strings are struct parts in the record, which move too. */
		if (!kind_is_strings(a) || !rec_span(r, a, &at, &n))
			continue;
		for (uint8_t *q = p + (at - p); n; n--, q += 8)
			if (ld32(q) >= ty->fixed)
				st32(q, ld32(q) + more);
	}
}

static uint8_t *
escape(uint8_t *to, const uint8_t *p, size_t n, bool backslash)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] <= ' ' || p[i] == 0x7f || (backslash && p[i] == '\\')) {
			*to++ = '\\';
			*to++ = 'x';
			memcpy(to, put_hex2[p[i]], 2);
			to += 2;
		} else
			*to++ = p[i];
	}
	return to;
}

uint8_t *
put_escaped(uint8_t *to, const void *p, size_t n)
{
	return escape(to, p, n, true);
}

uint8_t *
put_name(uint8_t *to, const void *p, size_t n)
{
	return escape(to, p, n, false);
}

size_t
unescape(uint8_t *to, const void *v, size_t n)
{
	const uint8_t *p = v, *end = n ? p + n : p; /* v may be NULL if n is 0 */
	uint8_t *start = to;

	while (p < end) {
		if (*p == '\\' && end - p >= 4 && p[1] == 'x' && hex_digit(p[2]) < 16 &&
		    hex_digit(p[3]) < 16) {
			*to++ = (uint8_t)(hex_digit(p[2]) << 4 | hex_digit(p[3]));
			p += 4;
		} else
			*to++ = *p++;
	}
	return (size_t)(to - start);
}
