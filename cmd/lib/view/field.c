/* field.c - finds the field of a name in one type, and its value in a record: see field.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "view/field.h"
#include "event/value.h"

static const struct {
	const char *name;
	unsigned need;
	uint8_t bit, off;
} columns[FIELD_COLUMNS + 1] = {
    [FIELD_TIME] = {"time", NEED_TIME, 0, offsetof(struct rec, time)},
    [FIELD_LOC] = {"loc", NEED_LOC, 0, offsetof(struct rec, loc)},
    [FIELD_EVENT] = {"event", 0, 0, 0},
    [FIELD_ADDR] = {"addr", NEED_ADDR, HAS_ADDR, offsetof(struct rec, addr)},
    [FIELD_SIZE] = {"size", NEED_SIZE, HAS_SIZE, offsetof(struct rec, size)},
    [FIELD_DUR] = {"dur", NEED_DUR, HAS_DUR, offsetof(struct rec, dur)},
    [FIELD_END] = {"end", NEED_TIME | NEED_DUR, HAS_DUR, 0},
};

enum field_kind
field_column(const char *name, size_t n)
{
	for (unsigned k = FIELD_TIME; k <= FIELD_COLUMNS; k++)
		if (strlen(columns[k].name) == n && !memcmp(columns[k].name, name, n))
			return (enum field_kind)k;
	return FIELD_NONE;
}

const char *
field_column_name(size_t i)
{
	return i < FIELD_COLUMNS ? columns[FIELD_TIME + i].name : NULL;
}

/* An argument that some readers make only on demand: NEED_RECV. */
#define RECEIVED "recv_bytes"
#define PEERS "gpeer" /* an argument of DUMPI's calls: see NEED_PEERS */
/* The name of the field that holds the name of the input. */
#define INPUT "input"

unsigned
field_need(const char *name)
{
	unsigned need = 0;

	for (;; name++) {
		size_t n = strcspn(name, "|");
		enum field_kind column = field_column(name, n);

		if (column)
			need |= columns[column].need;
		else if (n == strlen(RECEIVED) && !memcmp(name, RECEIVED, n))
			need |= NEED_RECV | NEED_LOC;
		else if (n == strlen(PEERS) && !memcmp(name, PEERS, n))
			need |= NEED_PEERS | NEED_ARGS | NEED_LOC;
		else if (n == strlen(INPUT) && !memcmp(name, INPUT, n))
			need |= NEED_INPUT;
		else
			need |= NEED_ARGS | NEED_LOC;
		name += n;
		if (!*name)
			return need;
	}
}

/* Returns NAME of a metadata key "PLACE:NAME"; NULL if the key has no place. */
static const char *
meta_name(const char *key)
{
	const char *colon = strrchr(key, ':');

	return colon ? colon + 1 : NULL;
}

/* Compares for qsort: by name, then key, then the order in the head. */
static int
cmp_by_field(const void *a, const void *b)
{
	const struct pair *x = *(const struct pair *const *)a,
			  *y = *(const struct pair *const *)b;
	int order = strcmp(meta_name(x->key), meta_name(y->key));

	order = order ? order : strcmp(x->key, y->key);
	return order ? order : x < y ? -1 : x > y;
}

/* Returns the first pair of metadata of a name, and of a key if `key` is not NULL; NULL if there is none. Sorts
 * the pairs of the head first if some are new. */
static const struct pair *
meta_find(const struct head *head, const char *name, const char *key)
{
	struct head *h = (struct head *)(uintptr_t)head;
	size_t lo = 0, hi;

	if (h->seen != h->nmeta) {
		h->places = xrealloc(h->places, h->nmeta, sizeof *h->places);
		h->nplaces = 0;
		for (h->seen = 0; h->seen < h->nmeta; h->seen++)
			if (meta_name(h->meta[h->seen].key))
				h->places[h->nplaces++] = &h->meta[h->seen];
		if (h->nplaces)
			qsort(h->places, h->nplaces, sizeof *h->places, cmp_by_field);
	}
	for (hi = h->nplaces; lo < hi;) {
		size_t mid = (lo + hi) / 2;
		const struct pair *p = h->places[mid];
		int order = strcmp(meta_name(p->key), name);

		order = order || !key ? order : strcmp(p->key, key);
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == h->nplaces || strcmp(meta_name(h->places[lo]->key), name) != 0 ||
	    (key && strcmp(h->places[lo]->key, key) != 0))
		return NULL;
	return h->places[lo];
}

static void
set_number(struct field *f, enum kind number)
{
	f->number = (uint8_t)number;
	f->sign = (number >= K_I8 && number <= K_I64) || number == K_NS;
	f->shift = (uint8_t)(64 - 8 * kind_width(number));
}

/* Returns the field of a column in the records of a type. */
static struct field
of_column(enum field_kind kind, const struct head *h, const struct type *ty)
{
	struct field f = {.kind = (uint8_t)kind, .load = LOAD_INT};
	bool time = kind == FIELD_TIME || kind == FIELD_DUR || kind == FIELD_END;

	if (columns[kind].bit & ~ty->may) {
		f.load = LOAD_NONE;
		return f;
	}
	f.off = columns[kind].off;
	f.bit = columns[kind].bit & (uint8_t)~ty->must;
	set_number(&f, time && h->clock == CLOCK_NS	    ? K_NS
		       : kind == FIELD_ADDR && ty->addr_hex ? K_X64
							    : K_U64);
	if (kind == FIELD_LOC)
		f.load = LOAD_STRING;
	else if (kind == FIELD_END)
		f.load = LOAD_END;
	else if (kind == FIELD_EVENT) {
		f.load = LOAD_CONST;
		f.text = ty->event;
		f.len = ty->event_len;
	}
	return f;
}

struct field
field_of_arg(const struct arg *a)
{
	struct field f = {.kind = FIELD_ARG, .load = LOAD_TEXT, .off = a->off, .arg = a};

	if (a->kind == K_CONST) {
		f.load = LOAD_CONST;
		f.text = a->text;
		f.len = (uint32_t)strlen(a->text);
	} else if (!a->array && a->kind == K_SYM)
		f.load = LOAD_STRING;
	else if (!a->array && !a->labels && (kind_is_int(a->kind) || a->kind == K_NS)) {
		f.load = LOAD_INT;
		set_number(&f, a->kind);
	}
	return f;
}

/* Returns the field of part number `part` of loc, or, with `meta`, of the metadata of that name. */
static struct field
of_loc(unsigned part, const char *meta)
{
	return (struct field){.kind = FIELD_PART,
			      .load = LOAD_STRING,
			      .off = offsetof(struct rec, loc),
			      .part = (uint8_t)part,
			      .text = meta};
}

struct field
field_find(const char *name, const struct head *h, const struct type *ty)
{
	enum field_kind column = field_column(name, strlen(name));
	bool key = !strcmp(name, FIELD_INPUT_KEY);
	const struct field input = {.kind = FIELD_INPUT,
				    .load = LOAD_CONST,
				    .text = h->input,
				    .len = h->input ? (uint32_t)strlen(h->input) : 0};
	const struct pair *meta;
	const struct arg *arg;
	char *end;
	unsigned long k;

	if (column)
		return of_column(column, h, ty);
	for (unsigned i = 0; i < h->nlocparts; i++)
		if (!strcmp(h->locpart[i], name))
			return of_loc(i, NULL);
	if (key && h->input && strcmp(h->input, "<stdin>") != 0)
		return input;
	arg = arg_named(ty, name);
	name = key ? INPUT : name;
	arg = arg || !key ? arg : arg_named(ty, name);
	if (!arg && !strncmp(name, "arg.", 4))
		arg = arg_named(ty, name + 4);
	if (arg)
		return field_of_arg(arg);
	if (!strncmp(name, "loc", 3) && name[3] >= '1' && name[3] <= '9') {
		k = strtoul(name + 3, &end, 10);
		if (!*end && k <= LOC_PARTS)
			return of_loc((unsigned)k - 1, NULL);
	}
	if (h->input && !strcmp(name, INPUT))
		return input;
	meta = h->nmeta ? meta_find(h, name, NULL) : NULL;
	return meta ? of_loc(LOC_PARTS, meta_name(meta->key))
		    : (struct field){.kind = FIELD_NONE};
}

/* Sets *part to the k-th part of a location, from 0. Returns false if the location has fewer parts. */
static bool
loc_part(const char *loc, size_t n, unsigned k, struct span *part)
{
	const char *end = loc + n, *slash;

	if (n == 1 && *loc == '-')
		return false;
	for (;; loc = slash + 1) {
		slash = memchr(loc, '/', (size_t)(end - loc));
		if (!k--) {
			*part = (struct span){(const uint8_t *)loc,
					      (size_t)((slash ? slash : end) - loc)};
			return true;
		}
		if (!slash)
			return false;
	}
}

bool
field_of_loc(struct buf *b, const struct head *h, const struct field *f,
	     const struct str *loc, struct span *part)
{
	const struct pair *p = NULL;
	struct buf key = {0};
	size_t n = loc->len, from = b->n;

	if (f->part < LOC_PARTS)
		return loc_part(loc->s, loc->len, f->part, part);
	for (; n && !p; n--) {
		size_t name = strlen(f->text) + 1;

		key.n = 0;
		buf_room(&key, n + name + 1);
		key.n = unescape(key.p, memcpy(key.p, loc->s, n), n);
		key.p[key.n++] = ':';
		memcpy(key.p + key.n, f->text, name);
		p = meta_find(h, f->text, (const char *)key.p);
		while (n > 1 && loc->s[n - 1] != '/')
			n--;
	}
	buf_free(&key);
	if (!p)
		return false;
	buf_to(b, put_escaped(buf_room(b, 4 * strlen(p->value) + 1), p->value,
			      strlen(p->value)));
	*part = (struct span){b->p + from, b->n - from};
	b->n = from;
	return true;
}

/* Appends the text of loc, of one of its parts, or of its metadata. Returns false if there
 * is none. */
static bool
text_of_loc(struct buf *b, const struct head *h, const struct str *loc,
	    const struct field *f)
{
	struct span part = {(const uint8_t *)loc->s, loc->len};
	struct buf own = {0};
	bool there = f->kind == FIELD_LOC || field_of_loc(&own, h, f, loc, &part);

	if (there && part.n)
		buf_to(b, put_name(buf_room(b, 4 * part.n), part.p, part.n));
	else if (there)
		buf_add(b, "\"\"", 2); /* a column is never empty */
	buf_free(&own);
	return there;
}

bool
field_text(struct buf *b, const struct head *h, const struct tables *t, const struct rec *r,
	   const struct field *f)
{
	uint64_t v;

	switch (f->load) {
	case LOAD_INT:
	case LOAD_END:
		if (!field_load(f, r, &v))
			return false;
		buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK), f->number, v));
		return true;
	case LOAD_CONST: buf_add(b, f->text, f->len); return true;
	case LOAD_STRING:
	case LOAD_TEXT:
		if (f->kind != FIELD_ARG)
			return (f->kind != FIELD_LOC || r->loc) &&
			       text_of_loc(b, h, &t->str.v[r->loc], f);
		value_arg(b, t, r, f->arg);
		return true;
	default: return false;
	}
}
