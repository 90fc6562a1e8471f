/* field.c - from a name to a value. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "event/field.h"
#include "event/value.h"

static const struct {
	const char *name;
	enum field_kind kind;
	unsigned need;
} columns[] = {
    {"time", FIELD_TIME, NEED_TIME},
    {"loc", FIELD_LOC, NEED_LOC},
    {"event", FIELD_EVENT, 0},
    {"addr", FIELD_ADDR, NEED_ADDR},
    {"size", FIELD_SIZE, NEED_SIZE},
    {"dur", FIELD_DUR, NEED_DUR},
    {"end", FIELD_END, NEED_TIME | NEED_DUR},
};
#define COLUMNS (sizeof columns / sizeof *columns)

enum field_kind
field_column(const char *name)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (!strcmp(columns[i].name, name))
			return columns[i].kind;
	return FIELD_NONE;
}

const char *
field_column_name(size_t i)
{
	return i < COLUMNS ? columns[i].name : NULL;
}

unsigned
field_need(const char *name)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (!strcmp(columns[i].name, name))
			return columns[i].need;
	return (strcmp(name, "recv_bytes") != 0 ? NEED_ARGS : NEED_RECV) | NEED_LOC;
}

/* The name that a key of the metadata ends with; NULL where it is of no place. */
static const char *
meta_name(const char *key)
{
	const char *colon = strrchr(key, ':');

	return colon ? colon + 1 : NULL;
}

/* By name, place, and of several pairs of one key the first. */
static int
by_place(const void *a, const void *b)
{
	const struct pair *x = *(const struct pair *const *)a,
			  *y = *(const struct pair *const *)b;
	int order = strcmp(meta_name(x->key), meta_name(y->key));

	order = order ? order : strcmp(x->key, y->key);
	return order ? order : x < y ? -1 : x > y;
}

/* The first pair of a name, and of a key where one is given; NULL where there is none. */
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
			qsort(h->places, h->nplaces, sizeof *h->places, by_place);
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

struct field
field_find(const char *name, const struct head *h, const struct type *ty)
{
	enum field_kind kind = field_column(name);
	const struct arg *arg;
	char *end;
	unsigned long k;

	if (kind)
		return (struct field){.kind = kind};
	for (unsigned i = 0; i < h->nlocparts; i++)
		if (!strcmp(h->locpart[i], name))
			return (struct field){.kind = FIELD_PART, .part = i};
	arg = arg_named(ty, name);
	if (!arg && !strncmp(name, "arg.", 4))
		arg = arg_named(ty, name + 4);
	if (arg)
		return (struct field){.kind = FIELD_ARG, .arg = arg};
	if (!strncmp(name, "loc", 3) && name[3] >= '1' && name[3] <= '9') {
		k = strtoul(name + 3, &end, 10);
		if (!*end && k <= LOC_PARTS)
			return (struct field){.kind = FIELD_PART, .part = (unsigned)k - 1};
	}
	if (h->nmeta && meta_find(h, name, NULL))
		return (struct field){.kind = FIELD_PART,
				      .part = LOC_PARTS,
				      .meta = meta_name(meta_find(h, name, NULL)->key)};
	return (struct field){.kind = FIELD_NONE};
}

/* The k-th part of a location, from 0. False when it has fewer. */
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
field_of_loc(struct buf *b, const struct head *h, struct field f, const struct str *loc,
	     struct span *part)
{
	const struct pair *p = NULL;
	struct buf key = {0};
	size_t n = loc->len, from = b->n;

	if (f.part < LOC_PARTS)
		return loc_part(loc->s, loc->len, f.part, part);
	for (; n && !p; n--) {
		size_t name = strlen(f.meta) + 1;

		key.n = 0;
		buf_room(&key, n + name + 1);
		key.n = unescape(key.p, memcpy(key.p, loc->s, n), n);
		key.p[key.n++] = ':';
		memcpy(key.p + key.n, f.meta, name);
		p = meta_find(h, f.meta, (const char *)key.p);
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

static void
put_part(struct buf *b, struct span part)
{
	if (part.n)
		buf_to(b, put_name(buf_room(b, 4 * part.n), part.p, part.n));
	else
		buf_add(b, "\"\"", 2); /* no column is empty */
}

bool
field_text(struct buf *b, const struct head *h, const struct tables *t, const struct rec *r,
	   struct field f)
{
	const struct type *ty = &t->type[r->type];
	const struct str *loc = &t->str.v[r->loc];
	enum clock clock = h->clock;
	struct buf own = {0};
	struct span part;
	bool there;

	switch (f.kind) {
	case FIELD_TIME: value_time(b, clock, r->time); return true;
	case FIELD_LOC:
		if (!r->loc)
			return false;
		part = (struct span){(const uint8_t *)loc->s, loc->len};
		break;
	case FIELD_EVENT: buf_add(b, ty->event, ty->event_len); return true;
	case FIELD_ADDR:
		if (!(r->has & HAS_ADDR))
			return false;
		buf_to(b, value_put_int(buf_room(b, 32 + PUT_SLACK),
					ty->addr_hex ? K_X64 : K_U64, r->addr));
		return true;
	case FIELD_SIZE:
		if (!(r->has & HAS_SIZE))
			return false;
		buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), r->size));
		return true;
	case FIELD_DUR:
		if (!(r->has & HAS_DUR))
			return false;
		value_time(b, clock, r->dur);
		return true;
	case FIELD_END:
		if (!(r->has & HAS_DUR))
			return false;
		value_time(b, clock, time_plus(clock, r->time, r->dur));
		return true;
	case FIELD_PART:
		there = field_of_loc(&own, h, f, loc, &part);
		if (there)
			put_part(b, part);
		buf_free(&own);
		return there;
	case FIELD_ARG: value_arg(b, t, r, f.arg); return true;
	default: return false;
	}
	put_part(b, part);
	return true;
}

/* A field that events of a text stream without header have: the first part of loc. */
#define BARE "loc1"
/* Names kept for a hint: an input may have a new one in every line. */
#define NAMES_MOST 4096
#define NAME_BYTES_MOST (1u << 18)

void
field_names(struct strtab *names, const struct head *h, const struct type *ty, bool text)
{
	for (uint32_t i = 0;
	     i < ty->nargs && names->n < NAMES_MOST && names->bytes < NAME_BYTES_MOST; i++)
		strtab_id(names, ty->args[i].name, strlen(ty->args[i].name));
	for (unsigned i = 0; i < h->nlocparts; i++)
		strtab_id(names, h->locpart[i], strlen(h->locpart[i]));
	if (text && !h->given && !strcmp(h->format, "-"))
		strtab_id(names, BARE, strlen(BARE));
}

unsigned
name_distance(const char *a, const char *b)
{
	unsigned row[32], n = (unsigned)strnlen(b, 32);

	if (n > 31)
		return UINT32_MAX;
	for (unsigned i = 0; i <= n; i++)
		row[i] = i;
	for (; *a; a++) {
		unsigned diagonal = row[0]++;

		for (unsigned i = 1; i <= n; i++) {
			bool other =
			    tolower((unsigned char)*a) != tolower((unsigned char)b[i - 1]);
			unsigned up = row[i], best = diagonal + other;

			best = up + 1 < best ? up + 1 : best;
			best = row[i - 1] + 1 < best ? row[i - 1] + 1 : best;
			diagonal = up;
			row[i] = best;
		}
	}
	return row[n];
}

/* Names that a message lists. */
#define LISTED 20

/* Appends ", name", escaped; names of a binary stream may be anything. */
static void
add_name(struct buf *b, const char *name)
{
	size_t n = strlen(name);

	if (b->n)
		buf_add(b, ", ", 2);
	buf_to(b, put_name(buf_room(b, 4 * n), name, n));
}

/* The columns, and the names that were seen, each once; nul-terminated. */
static void
list_names(struct buf *b, const struct strtab *names)
{
	uint32_t more = 0;
	char rest[40] = "";

	for (size_t i = 0; i < COLUMNS; i++)
		add_name(b, columns[i].name);
	for (uint32_t i = 0, n = 0; i < names->n; i++) {
		if (field_column(names->v[i].s) || !strcmp(names->v[i].s, BARE))
			continue;
		if (n++ < LISTED)
			add_name(b, names->v[i].s);
		else
			more++;
	}
	if (more)
		snprintf(rest, sizeof rest, " and %u more", (unsigned)more);
	buf_add(b, rest, strlen(rest) + 1);
}

/* The seen name or the column that differs from `name` by case, or by one letter in three
 * at most. NULL where there is none. */
static const char *
nearest_name(const struct strtab *names, const char *name)
{
	unsigned least = (unsigned)(strnlen(name, 32) / 3) + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < COLUMNS + names->n; i++) {
		const char *to = i < COLUMNS ? columns[i].name : names->v[i - COLUMNS].s;
		unsigned d = name_distance(name, to);

		if (d < least) {
			least = d;
			nearest = to;
		}
	}
	return nearest;
}

/* Whether n bytes are the name of a field, or a number. */
static bool
is_operand(const struct strtab *names, const char *s, size_t n)
{
	struct num num;
	uint32_t id;

	for (size_t i = 0; i < COLUMNS; i++)
		if (strlen(columns[i].name) == n && !memcmp(columns[i].name, s, n))
			return true;
	return n && (strtab_find(names, s, n, &id) || num_parse(s, n, true, &num, NULL));
}

/* The operator of a name that is arithmetic without blanks, as in size*2; else 0. */
static char
operator_in(const struct strtab *names, const char *name)
{
	size_t n = strcspn(name, "+-*/%");
	const char *right = name[n] ? name + n + 1 : name + n;

	right += name[n] == '/' && *right == '/';
	return is_operand(names, name, n) && is_operand(names, right, strlen(right))
		   ? name[n]
		   : 0;
}

void
field_missing(const struct strtab *names, const char *name)
{
	const char *nearest = nearest_name(names, name), *bare = "";
	char op = operator_in(names, name), hint[120] = "";
	struct buf list = {0}, near = {0};
	uint32_t id;

	if (strtab_find(names, BARE, strlen(BARE), &id))
		bare = "; a text stream without header has only loc1, loc2, ...: -H or -b "
		       "keeps the names of loc's parts";
	if (!strcmp(name, "gap"))
		snprintf(hint, sizeof hint,
			 ": gap is made by trace-stats -a alone, as in max(gap)");
	else if (op)
		snprintf(
		    hint, sizeof hint,
		    ": without blanks around it, \"%c\" is part of a name, and nothing "
		    "is computed here",
		    op);
	else if (nearest) {
		buf_add(&near, " (the nearest name is ", 22);
		buf_to(&near, put_name(buf_room(&near, 4 * strlen(nearest)), nearest,
				       strlen(nearest)));
		buf_add(&near, ")", 1);
	}
	buf_add(&near, "", 1);
	list_names(&list, names);
	warn("no event had a field %s%s%s; there were %s%s", name, hint,
	     (const char *)near.p, (const char *)list.p, bare);
	buf_free(&near);
	buf_free(&list);
}
