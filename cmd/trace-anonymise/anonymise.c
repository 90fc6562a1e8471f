/* anonymise.c - see anonymise.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/die.h"
#include "base/put.h"
#include "event/value.h"
#include "import/import.h"
#include "input/cache.h"
#include "input/cached_text.h"
#include "input/fault.h"
#include "trace-anonymise/anonymise.h"

/* An argument whose value changes. */
struct hidden_arg {
	uint32_t i; /* of the type's arguments */
	uint32_t class;
	enum name_mode mode;
};

/* The changes to events of one type. */
struct hide_plan {
	bool made, parts; /* parts: some argument that changes has a variable length */
	uint32_t type;	  /* of the copies */
	uint32_t n;
	struct hidden_arg *v;
};

/* New strings by the numbers of those of the source, plus 1; 0: not made yet. */
struct string_map {
	uint32_t *v;
	struct cache cache;
};

struct anonymise {
	struct name_choice *choice;
	struct naming *naming;
	struct tables t;
	struct import import;
	struct hide_plan *plan; /* by type */
	struct cache plan_cache;
	struct string_map loc;
	struct string_map *sym; /* by class */
	size_t symcap;
	unsigned head_serial; /* of the source's head whose copy is `head` */
	struct head head;
	struct arena meta;
	struct source src;
	struct batch out;
	struct buf raw, text;
};

struct anonymise *
anonymise_new(struct name_choice *choice, struct naming *naming)
{
	struct anonymise *a = xcalloc(1, sizeof *a);

	a->choice = choice;
	a->naming = naming;
	a->import.types = a->import.strings = &a->t;
	tables_reset(&a->t);
	return a;
}

void
anonymise_free(struct anonymise *a)
{
	for (size_t i = 0; i < a->symcap; i++)
		cache_free(a->sym[i].v, &a->sym[i].cache);
	free(a->sym);
	cache_free(a->loc.v, &a->loc.cache);
	cache_free(a->plan, &a->plan_cache);
	import_free(&a->import);
	tables_free(&a->t);
	head_free(&a->head);
	arena_free(&a->meta);
	buf_free(&a->out.own);
	buf_free(&a->raw);
	buf_free(&a->text);
	free(a);
}

/* Returns the number of the class of the names in a field. Numbers have a class of their own for each field. */
static uint32_t
class_of(const struct anonymise *a, enum name_mode mode, const char *field)
{
	const char *class = mode == MODE_NUMBER ? field : choice_class(a->choice, field);

	return naming_class(a->naming, class, strlen(class));
}

/* Appends s[0..n), a text as a program prints it, with other names between quotes, and between < and >. A quote after a
 * backslash is part of the name. */
static void
hide_quoted(struct anonymise *a, uint32_t class, const uint8_t *s, size_t n, struct buf *to)
{
	for (size_t i = 0; i < n;) {
		uint8_t open = s[i], close = open == '<' ? '>' : '"';
		size_t from = ++i;

		buf_byte(to, (char)open);
		if (open != '"' && open != '<')
			continue;
		while (i < n && s[i] != close)
			i += s[i] == '\\' && i + 1 < n ? 2 : 1;
		if (i > n)
			i = n;
		if (i > from)
			naming_put(a->naming, class, s + from, i - from, to);
		if (i < n)
			buf_byte(to, (char)s[i++]);
	}
}

/* Appends the text that stands for s[0..n), which has no escapes. */
static void
hide_text(struct anonymise *a, const struct hidden_arg *h, const uint8_t *s, size_t n,
	  struct buf *to)
{
	if (h->mode == MODE_QUOTED)
		hide_quoted(a, h->class, s, n, to);
	else if (choice_is_word(a->choice, (const char *)s, n) ||
		 (h->mode == MODE_WORD && text_is_number((const char *)s, n)))
		buf_add(to, s, n);
	else
		naming_put(a->naming, h->class, s, n, to);
}

/* Appends what stands for s[0..n), a value with escapes, with escapes of its own. */
static void
hide_value(struct anonymise *a, const struct hidden_arg *h, const char *s, size_t n,
	   struct buf *to)
{
	struct buf hidden = {0};
	size_t len;

	for (;; s += len + 1, n -= len + 1) {
		const char *comma = h->mode == MODE_LIST ? memchr(s, ',', n) : NULL;

		len = comma ? (size_t)(comma - s) : n;
		hidden.n = 0;
		text_raw(&a->raw, s, len);
		hide_text(a, h, a->raw.p, a->raw.n, &hidden);
		value_str(to, hidden.p, hidden.n);
		if (!comma)
			break;
		buf_byte(to, ',');
	}
	buf_free(&hidden);
}

/* Makes the plan of a type of s. */
static void
make_plan(struct anonymise *a, const struct source *s, uint32_t type, struct hide_plan *pl)
{
	struct type ty = s->t.type[type];
	struct arg *args = arena_get(&a->plan_cache.mem, (ty.nargs + 1) * sizeof *args);
	bool changed = false;

	pl->made = true;
	pl->v = arena_get(&a->plan_cache.mem, (ty.nargs + 1) * sizeof *pl->v);
	for (uint32_t i = 0; i < ty.nargs; i++) {
		struct hidden_arg h = {.i = i,
				       .mode = choice_of_arg(a->choice, &ty, &ty.args[i])};

		args[i] = ty.args[i];
		if (h.mode == MODE_KEEP)
			continue;
		h.class = class_of(a, h.mode, args[i].name);
		if (args[i].kind != K_CONST) {
			pl->v[pl->n++] = h;
			pl->parts |= kind_is_part(&args[i]) &&
				     !(args[i].array && args[i].kind == K_SYM);
			continue;
		}
		a->text.n = 0;
		hide_value(a, &h, args[i].text, strlen(args[i].text), &a->text);
		args[i].text = arena_str(&a->plan_cache.mem, (char *)a->text.p, a->text.n);
		changed = true;
	}
	ty.args = args;
	if (choice_asked(a->choice, "event")) {
		struct hidden_arg h = {.mode = MODE_NAME,
				       .class = class_of(a, MODE_NAME, "event")};

		a->text.n = 0;
		hide_value(a, &h, ty.event, ty.event_len, &a->text);
		ty.event = arena_str(&a->plan_cache.mem, (char *)a->text.p, a->text.n);
		ty.event_len = (uint32_t)a->text.n;
		changed = true;
	}
	pl->type = changed ? import_type_as(&a->import, type, &ty)
			   : import_type(&a->import, &s->t, type);
}

/* Appends a place with other names: s[0..n), parts with escapes and slashes between. */
static void
hide_place(struct anonymise *a, const struct head *h, const char *s, size_t n,
	   struct buf *to)
{
	const char *end = s + n;

	for (unsigned i = 0;; i++) {
		const char *slash = memchr(s, '/', (size_t)(end - s));
		size_t len = (size_t)((slash ? slash : end) - s);
		const char *part = i < h->nlocparts ? h->locpart[i] : "loc";
		struct hidden_arg as = {.mode = MODE_NAME};
		bool asked =
		    choice_asked(a->choice, part) || choice_asked(a->choice, "loc");

		if (!len || (!asked && text_is_number(s, len)) ||
		    !choice_of_loc(a->choice, h, i))
			buf_add(to, s, len);
		else {
			as.class = class_of(a, MODE_NAME, part);
			hide_value(a, &as, s, len, to);
		}
		if (!slash)
			return;
		buf_byte(to, '/');
		s = slash + 1;
	}
}

/* Returns the number of the place that stands for place `id` of s. */
static uint32_t
hidden_loc(struct anonymise *a, const struct source *s, uint32_t id)
{
	const struct str *str;
	uint32_t *known;

	if (id >= s->t.str.n || !id)
		return 0;
	known = CACHE(a->loc.v, a->loc.cache, s, s->t.str.n);
	if (!known[id]) {
		str = &s->t.str.v[id];
		a->text.n = 0;
		hide_place(a, &s->head, str->s, str->len, &a->text);
		known[id] = strtab_id(&a->t.str, a->text.p, a->text.n) + 1;
	}
	return known[id] - 1;
}

/* Returns the number of the string that stands for string `id` of s, the value of a symbol. */
static uint32_t
hidden_sym(struct anonymise *a, const struct source *s, const struct hidden_arg *h,
	   uint32_t id)
{
	struct string_map *m;
	uint32_t *known;

	if (id >= s->t.str.n)
		return 0;
	GROW(a->sym, a->symcap, h->class + 1);
	m = &a->sym[h->class];
	known = CACHE(m->v, m->cache, s, s->t.str.n);
	if (!known[id]) {
		a->text.n = 0;
		hide_text(a, h, (const uint8_t *)s->t.str.v[id].s, s->t.str.v[id].len,
			  &a->text);
		known[id] = strtab_id(&a->t.str, a->text.p, a->text.n) + 1;
	}
	return known[id] - 1;
}

/* Copies the strings of the array at `at`, of argument `to` in the record made last, and hides them if h is not NULL.
 * Returns false if they have more than *left bytes. */
static bool
copy_strings(struct anonymise *a, const struct arg *to, const struct hidden_arg *h,
	     const struct rec *from, const uint8_t *at, uint32_t n, uint64_t *left)
{
	struct batch *b = &a->out;
	uint32_t list = (uint32_t)(rec_part(b, to, n, 8) - (const uint8_t *)rec_last(b));

	for (uint32_t k = 0; k < n; k++) {
		struct part part = {ld32(at + 8 * (size_t)k), ld32(at + 8 * (size_t)k + 4)};
		const struct arg element = {.kind = K_STR, .off = list + 8 * k};

		if (part.off > from->len || part.n > from->len - part.off || part.n > *left)
			return false;
		*left -= part.n;
		a->text.n = 0;
		if (h)
			hide_text(a, h, (const uint8_t *)from + part.off, part.n, &a->text);
		else
			buf_add(&a->text, (const uint8_t *)from + part.off, part.n);
		rec_str(b, &element, a->text.p, a->text.n);
	}
	return true;
}

/* Copies the arguments of variable length into the record made last. Returns false if some of them share bytes, so that
 * the copy would be longer than the record: only a damaged stream has such. */
static bool
copy_parts(struct anonymise *a, const struct type *ty, const struct arg *to,
	   const struct hide_plan *pl, const struct rec *from)
{
	const struct hidden_arg *next = pl->v;
	uint64_t left = from->len;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *arg = &ty->args[i];
		const struct hidden_arg *h =
		    next < pl->v + pl->n && next->i == i ? next++ : NULL;
		uint32_t width = arg->array ? kind_width(arg->kind) : 1, n;
		const uint8_t *at;
		uint8_t *part;

		if (!kind_is_part(arg))
			continue;
		if (!rec_span(from, arg, &at, &n)) {
			st64((uint8_t *)rec_last(&a->out) + arg->off, 0);
			continue;
		}
		if ((uint64_t)n * width > left)
			return false;
		left -= (uint64_t)n * width;
		if (kind_is_strings(arg)) {
			if (!copy_strings(a, &to[i], h, from, at, n, &left))
				return false;
			continue;
		}
		if (h && arg->kind != K_SYM) {
			a->text.n = 0;
			if (arg->kind == K_TEXT)
				hide_value(a, h, (const char *)at, n, &a->text);
			else
				hide_text(a, h, at, n, &a->text);
			rec_str(&a->out, &to[i], a->text.p, a->text.n);
			continue;
		}
		part = rec_part(&a->out, &to[i], n, width);
		if (n)
			memcpy(part, at, (size_t)n * width);
	}
	return true;
}

/* Stores a name's number in place of the integer at p. A number that does not fit becomes a part of it. */
static void
hide_number(struct anonymise *a, const struct hidden_arg *h, uint8_t *p, unsigned kind)
{
	uint64_t v = value_int(p, kind);
	uint8_t text[32 + PUT_SLACK];
	size_t n = (size_t)(value_put_int(text, kind, v) - text);

	v = naming_number(a->naming, h->class, text, n);
	switch (kind_width(kind)) {
	case 1: *p = (uint8_t)(v & 0x7f); break;
	case 2: st16(p, (uint16_t)(v & 0x7fff)); break;
	case 4: st32(p, (uint32_t)v); break;
	default: st64(p, v);
	}
}

/* Changes the symbols and integers of the record r, a copy of an event of s. */
static void
hide_fixed(struct anonymise *a, const struct source *s, const struct type *ty,
	   const struct hide_plan *pl, struct rec *r)
{
	const struct hidden_arg *next = pl->v;

	for (uint32_t i = 0; i < ty->nargs; i++) {
		const struct arg *arg = &ty->args[i];
		const struct hidden_arg *h =
		    next < pl->v + pl->n && next->i == i ? next++ : NULL;
		uint8_t *p = (uint8_t *)r + arg->off;
		const uint8_t *at;
		uint32_t n = 1;

		if (arg->kind != K_SYM) {
			if (h && h->mode == MODE_NUMBER && !arg->array)
				hide_number(a, h, p, arg->kind);
			continue;
		}
		if (arg->array) {
			if (!rec_span(r, arg, &at, &n))
				continue;
			p = (uint8_t *)r + (at - (const uint8_t *)r);
		}
		for (; n; n--, p += 4)
			st32(p, h ? hidden_sym(a, s, h, ld32(p))
				  : import_str(&a->import, &s->t, ld32(p)));
	}
}

/* Appends a copy of one event. Returns false if it is damaged. */
static bool
hide_event(struct anonymise *a, const struct source *s, const struct rec *from)
{
	const struct type *ty = &s->t.type[from->type];
	struct hide_plan *pl = &a->plan[from->type];
	struct batch *b = &a->out;
	struct rec *r;

	if (!pl->made)
		make_plan(a, s, from->type, pl);
	if (!pl->parts) {
		if (!import_apart(ty, from))
			return false;
		r = (struct rec *)(void *)buf_room(&b->own, from->len + REC_SLACK);
		b->off[b->n++] = (uint32_t)b->own.n;
		b->own.n += from->len;
		memcpy(r, from, from->len);
		b->base = b->own.p;
	} else {
		const struct type *to = &a->t.type[pl->type];

		r = rec_new(b, &a->t, pl->type);
		memcpy((uint8_t *)r + sizeof r->len, (const uint8_t *)from + sizeof r->len,
		       (ty->fixed < to->fixed ? ty->fixed : to->fixed) - sizeof r->len);
		if (!copy_parts(a, ty, to->args, pl, from)) {
			b->own.n = b->off[--b->n];
			return false;
		}
		r = rec_last(b);
	}
	r->type = pl->type;
	r->loc = hidden_loc(a, s, r->loc);
	hide_fixed(a, s, ty, pl, r);
	return true;
}

/* Copies a pair of metadata, with other names. */
static void
hide_pair(struct anonymise *a, const struct head *h, const struct pair *pair)
{
	const char *place = strchr(pair->key, ':');
	const char *name = place ? place + 1 : pair->key;
	size_t stays = choice_key(a->choice, name);
	struct hidden_arg as = {.mode = choice_of_meta(a->choice, name, pair->value)};
	struct buf key = {0}, value = {0};
	char digits[24];

	if (place) {
		hide_place(a, h, pair->key, (size_t)(place - pair->key), &key);
		buf_byte(&key, ':');
	}
	buf_add(&key, name, stays);
	/* The class of a value is called like its key, which may be a name as well. */
	if (name[stays]) {
		as.mode = MODE_NAME;
		as.class = naming_class(a->naming, "key", strlen("key"));
		hide_text(a, &as, (const uint8_t *)name + stays, strlen(name + stays),
			  &key);
		as.class = naming_class(a->naming, "value", strlen("value"));
	} else if (as.mode != MODE_KEEP)
		as.class = class_of(a, as.mode, name);
	buf_byte(&key, '\0');
	if (as.mode == MODE_KEEP)
		buf_str(&value, pair->value);
	else if (as.mode == MODE_NUMBER) {
		snprintf(digits, sizeof digits, "%llu",
			 (unsigned long long)naming_number(a->naming, as.class, pair->value,
							   strlen(pair->value)));
		buf_str(&value, digits);
	} else
		hide_text(a, &as, (const uint8_t *)pair->value, strlen(pair->value),
			  &value);
	buf_byte(&value, '\0');
	head_meta(&a->head, &a->meta, (const char *)key.p, (const char *)value.p);
	buf_free(&key);
	buf_free(&value);
}

/* Makes the head of the copies, if that of s is new. */
static void
hide_head(struct anonymise *a, const struct source *s)
{
	if (a->head_serial == s->head_serial)
		return;
	a->head_serial = s->head_serial;
	choice_begin(a->choice, s);
	head_free(&a->head);
	arena_free(&a->meta);
	a->head = s->head;
	a->head.meta = NULL;
	a->head.nmeta = a->head.cap = 0;
	a->head.places = NULL;
	a->head.nplaces = a->head.seen = 0;
	a->head.input = NULL;
	for (size_t i = 0; i < s->head.nmeta; i++)
		hide_pair(a, &s->head, &s->head.meta[i]);
}

/* Sets a->src to a copy of s with our head and tables. */
static void
hide_source(struct anonymise *a, struct source *s)
{
	hide_head(a, s);
	a->src = *s;
	a->src.head = a->head;
	a->src.t = a->t;
	a->src.of = s;
}

struct source *
anonymise_batch(struct anonymise *a, struct source *s, const struct batch *b,
		const struct batch **out)
{
	uint64_t before = s->count.events - b->n + 1;

	hide_head(a, s);
	if (tables_full(&a->t))
		tables_reset(&a->t);
	import_from(&a->import, &s->t);
	CACHE(a->plan, a->plan_cache, s, s->t.ntypes);
	batch_start(&a->out);
	for (uint32_t i = 0; i < b->n; i++)
		if (!hide_event(a, s, batch_rec(b, i)))
			fault(s, NULL, COST_EVENT, s->name, NOWHERE,
			      "event %llu is skipped: some of its arguments share their "
			      "bytes",
			      (unsigned long long)(before + i));
	hide_source(a, s);
	*out = &a->out;
	return &a->src;
}

struct source *
anonymise_end(struct anonymise *a, struct source *s)
{
	hide_source(a, s);
	if (a->src.faults.where[0])
		memcpy(a->src.faults.where, "events were lost", sizeof "events were lost");
	return &a->src;
}
