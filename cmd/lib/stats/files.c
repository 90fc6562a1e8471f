/* files.c - a table of files and nodes, which thins out where it would be too large. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "base/put.h"
#include "stats/files.h"
#include "stats/inside.h"

/* Texts of nodes and of files without a number. */
#define TEXTS_MOST (1u << 18)
#define TEXT_BYTES_MOST (8u << 20)

enum {
	KEY_NUMBER,
	KEY_NEGATIVE, /* key: its magnitude */
	KEY_TEXT,     /* key: the text's number */
	KEY_GONE,     /* a file that is not kept */
};

struct file_key {
	uint64_t v;
	unsigned is;
};

void
files_free(struct files *f)
{
	if (!f)
		return;
	free(f->v);
	free(f->high);
	free(f->first);
	slots_free(&f->index);
	free(f->node);
	strtab_free(&f->text);
	free(f);
}

/* The same for one file wherever it is counted. */
static uint64_t
file_hash(const struct files *f, struct file_key k)
{
	const struct str *s = k.is == KEY_TEXT ? &f->text.v[k.v] : NULL;

	return s ? hash64(s->s, s->len) : mix64(k.v ^ (uint64_t)k.is << 63);
}

static bool
kept(const struct files *f, struct file_key k)
{
	return k.is != KEY_GONE && (!f->shift || file_hash(f, k) >> (64 - f->shift) == 0);
}

static struct file_key
key_at(const struct files *f, uint32_t i)
{
	return (struct file_key){f->v[i].key, f->v[i].key_is};
}

static uint32_t
slot_hash(struct file_key k, uint32_t node)
{
	return hash_slot(hash_add(hash_add(k.is, k.v), node));
}

/* Texts that no entry has any more go. */
static void
texts_again(struct files *f)
{
	struct strtab old = f->text;

	memset(&f->text, 0, sizeof f->text);
	cache_forget(&f->node_cache);
	for (uint32_t i = 0; i < f->n; i++) {
		struct file_node *a = &f->v[i];
		const struct str *s = &old.v[a->node];

		a->node = strtab_id(&f->text, s->s, s->len) & 0xffffff;
		if (a->key_is == KEY_TEXT) {
			s = &old.v[a->key];
			a->key = strtab_id(&f->text, s->s, s->len);
		}
	}
	strtab_free(&old);
}

void
files_thin(struct stats *st, unsigned shift)
{
	struct files *f = st->access;
	uint32_t *to, n = 0;

	if (shift <= f->shift)
		return;
	f->shift = st->shift = shift;
	to = xcalloc(f->n + 1, sizeof *to);
	for (uint32_t i = 0; i < f->n; i++) {
		to[i] = NO_FILE;
		if (!kept(f, key_at(f, i)))
			continue;
		to[i] = n;
		f->v[n] = f->v[i];
		if (i < f->high_cap)
			memcpy(f->high[n], f->high[i], sizeof *f->high);
		if (i < f->first_cap)
			f->first[n] = f->first[i];
		n++;
	}
	for (uint32_t i = n; i < f->n && i < f->high_cap; i++)
		memset(f->high[i], 0, sizeof *f->high);
	f->n = n;
	segments_move(st, to);
	free(to);
	texts_again(f);
	slots_free(&f->index);
	for (uint32_t i = 0; i < n; i++)
		slots_add(&f->index, slot_hash(key_at(f, i), f->v[i].node), i);
}

/* Files are dropped until there is room for one more. */
static void
make_room(struct stats *st)
{
	const struct files *f = st->access;

	while (unlikely(f->n >= FILES_MOST || f->text.n > TEXTS_MOST ||
			f->text.bytes > TEXT_BYTES_MOST) &&
	       f->shift < FILES_SHIFT_MOST)
		files_thin(st, f->shift + 1);
}

static uint32_t
find(struct stats *st, struct file_key k, uint32_t node)
{
	struct files *f = st->access;
	uint32_t hash = slot_hash(k, node), i;

	for (size_t at = hash; slots_next(&f->index, hash, &at, &i);)
		if (f->v[i].key == k.v && f->v[i].key_is == k.is && f->v[i].node == node)
			return i;
	slots_add(&f->index, hash, f->n);
	*PUSH(f->v, f->n, f->cap) =
	    (struct file_node){.key = k.v, .key_is = k.is & 3, .node = node & 0xffffff};
	return f->n - 1;
}

/* A number as it is written, without zeros before it; else a text. */
static struct file_key
key_of_text(struct files *f, const char *s, size_t n)
{
	bool neg = n && *s == '-';
	uint64_t v;

	if (!digits_u64((const uint8_t *)s + neg, n - neg, &v) &&
	    (s[neg] != '0' || (n == 1 && !neg)))
		return (struct file_key){v, neg ? KEY_NEGATIVE : KEY_NUMBER};
	/* No text is noted for nothing. */
	if (f->shift && hash64(s, n) >> (64 - f->shift))
		return (struct file_key){0, KEY_GONE};
	return (struct file_key){strtab_id(&f->text, s, n), KEY_TEXT};
}

uint32_t
files_find(struct stats *st, const char *file, size_t nfile, const char *node, size_t nnode)
{
	struct files *f = st->access;
	struct file_key k;

	make_room(st);
	k = key_of_text(f, file, nfile);
	return kept(f, k) ? find(st, k, strtab_id(&f->text, node, nnode)) : NO_FILE;
}

void
files_count(struct files *f, uint32_t i, unsigned what, uint64_t low, uint64_t high)
{
	uint64_t carry;

	if (what == FILE_BYTES) {
		f->v[i].bytes += low;
		carry = high + (f->v[i].bytes < low);
	} else {
		low += f->v[i].count[what];
		f->v[i].count[what] = (uint32_t)low;
		carry = low >> 32;
	}
	if (likely(!carry))
		return;
	GROW(f->high, f->high_cap, f->n);
	f->high[i][what] += (uint32_t)carry;
}

static uint64_t
high_of(const struct files *f, uint32_t i, unsigned what)
{
	return i < f->high_cap ? f->high[i][what] : 0;
}

struct wide
files_counted(const struct files *f, uint32_t i, unsigned what)
{
	uint64_t high = high_of(f, i, what);

	if (what == FILE_BYTES)
		return wide_words((const uint64_t[]){f->v[i].bytes, high}, 2);
	return wide_u64(high << 32 | f->v[i].count[what]);
}

unsigned
one_add(unsigned known, uint64_t *v, unsigned is, uint64_t more)
{
	if (known == ONE_NONE && is != ONE_NONE) {
		*v = more;
		return is;
	}
	return is == ONE_NONE || (known == is && (known == ONE_MANY || *v == more))
		   ? known
		   : ONE_MANY;
}

void
files_link(struct files *f, uint32_t i, bool higher, uint64_t before, uint64_t now)
{
	struct file_node *a = &f->v[i];
	bool back = now < before;

	if (higher) {
		files_count(f, i, FILE_HIGHER, now > before, 0);
		return;
	}
	files_count(f, i, FILE_LATER, 1, 0);
	files_count(f, i, FILE_BEHIND, now == before, 0);
	a->gaps = 3 & one_add(a->gaps, &a->gap, back ? ONE_NEG : ONE_POS,
			      back ? before - now : now - before);
}

/* The number of an event's node in f->text. */
static uint32_t
node_of(struct files *f, const struct source *s, uint32_t loc)
{
	CACHE(f->node, f->node_cache, s, s->t.str.n);
	if (!f->node[loc])
		f->node[loc] =
		    strtab_id(&f->text, s->t.str.v[loc].s, s->t.str.v[loc].len) + 1;
	return f->node[loc] - 1;
}

static struct file_key
key_of(struct stats *st, const struct source *s, const struct rec *r)
{
	const struct field *f = view_field(&st->view, r->type, st->spec->ncols);
	struct buf *b = &st->scratch;
	uint64_t v;

	if (f->number <= K_I64 && field_load(f, r, &v))
		return f->sign && (int64_t)v < 0 ? (struct file_key){0 - v, KEY_NEGATIVE}
						 : (struct file_key){v, KEY_NUMBER};
	b->n = 0;
	if (!field_text(b, &s->head, &s->t, r, f))
		buf_add(b, "-", 1);
	return key_of_text(st->access, (const char *)b->p, b->n);
}

static void
add_request(struct stats *st, const struct source *s, const struct rec *r, uint32_t i,
	    unsigned did)
{
	struct files *f = st->access;
	struct file_node *a = &f->v[i];
	uint64_t now = r->addr * st->block;

	a->did |= did & 3;
	a->sizes = 3 & one_add(a->sizes, &a->size, ONE_POS, r->size);
	files_count(f, i, FILE_REQUESTS, 1, 0);
	files_count(f, i, FILE_BYTES, r->size, 0);
	if (a->source == st->source) {
		files_link(f, i, true, a->last, now);
		files_link(f, i, false, a->end, now);
	} else {
		a->source = st->source;
		if (s->part.begin || s->part.end != UINT64_MAX) {
			GROW(f->first, f->first_cap, f->n);
			f->first[i] = now;
		}
	}
	a->last = now;
	a->end = now + r->size;
}

void
files_add(struct stats *st, struct source *s, struct events e)
{
	struct files *f = st->access;

	for (uint32_t i = 0; i < e.n; i++) {
		const struct rec *r = event_at(e, i);
		const struct type *ty = &s->t.type[r->type];
		unsigned did = !strcmp(ty->event, "read")    ? FILE_READ
			       : !strcmp(ty->event, "write") ? FILE_WRITTEN
							     : 0;
		struct file_key k;
		uint32_t at;

		make_room(st);
		k = key_of(st, s, r);
		if (!kept(f, k))
			continue;
		at = find(st, k, node_of(f, s, r->loc));
		if (did)
			add_request(st, s, r, at, did);
	}
}

void
files_segments(struct stats *st, const struct source *s)
{
	const struct files *f = st->access;

	for (uint32_t i = 0; i < f->n; i++) {
		const struct file_node *a = &f->v[i];
		struct segment seg = {.group = i,
				      .file = st->file,
				      .begin = s->part.begin,
				      .end = s->part.end,
				      .first = i < f->first_cap ? (int64_t)f->first[i] : 0,
				      .last = (int64_t)a->last};

		if (a->source != s->id)
			continue;
		segment_add(st, &seg);
		seg.col = 1;
		seg.last = (int64_t)a->end;
		segment_add(st, &seg);
	}
}

/* Adds what was counted of one entry to another one. */
static void
merge_entry(struct files *f, uint32_t to, const struct files *from, uint32_t i)
{
	struct file_node *a = &f->v[to];
	const struct file_node *b = &from->v[i];

	for (unsigned k = 0; k < FILE_COUNTS; k++)
		files_count(f, to, k, high_of(from, i, k) << 32 | b->count[k], 0);
	files_count(f, to, FILE_BYTES, b->bytes, high_of(from, i, FILE_BYTES));
	a->did |= b->did;
	a->gaps = 3 & one_add(a->gaps, &a->gap, b->gaps, b->gap);
	a->sizes = 3 & one_add(a->sizes, &a->size, b->sizes, b->size);
}

static uint32_t
find_other(struct stats *st, const struct files *from, uint32_t i, struct buf *b)
{
	const struct str *node = &from->text.v[from->v[i].node];

	b->n = 0;
	files_key(from, i, b);
	return files_find(st, (const char *)b->p, b->n - node->len - 1, node->s, node->len);
}

uint32_t *
files_merge(struct stats *st, const struct stats *from)
{
	const struct files *g = from->access;
	uint32_t *to = xcalloc(g->n + 1, sizeof *to);
	struct buf b = {0};
	unsigned shift;

	files_thin(st, g->shift);
	shift = st->shift;
	for (uint32_t i = 0; i < g->n; i++) {
		to[i] = find_other(st, g, i, &b);
		if (to[i] != NO_FILE)
			merge_entry(st->access, to[i], g, i);
	}
	/* Those before have other numbers now. */
	for (uint32_t i = 0; i < g->n && st->shift != shift; i++)
		to[i] = find_other(st, g, i, &b);
	buf_free(&b);
	return to;
}

void
files_key(const struct files *f, uint32_t i, struct buf *b)
{
	const struct file_node *a = &f->v[i];
	const struct str *s = &f->text.v[a->node];

	if (a->key_is == KEY_TEXT) {
		buf_add(b, f->text.v[a->key].s, f->text.v[a->key].len);
	} else {
		if (a->key_is == KEY_NEGATIVE)
			buf_add(b, "-", 1);
		buf_to(b, put_u64(buf_room(b, 32 + PUT_SLACK), a->key));
	}
	buf_add(b, " ", 1);
	buf_add(b, s->s, s->len);
}

struct placed {
	const struct file_node *a;
	const char *file, *node;
};

static int
placed_cmp(const void *x, const void *y)
{
	const struct placed *p = x, *q = y;

	if (p->a->key_is != q->a->key_is)
		return p->a->key_is < q->a->key_is ? -1 : 1;
	if (p->a->key != q->a->key)
		return p->file ? strcmp(p->file, q->file) : p->a->key < q->a->key ? -1 : 1;
	return strcmp(p->node, q->node);
}

uint32_t *
files_order(const struct files *f)
{
	struct placed *p = xcalloc(f->n + 1, sizeof *p);
	uint32_t *order = xcalloc(f->n + 1, sizeof *order);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct file_node *a = &f->v[i];

		p[i] =
		    (struct placed){a, a->key_is == KEY_TEXT ? f->text.v[a->key].s : NULL,
				    f->text.v[a->node].s};
	}
	qsort(p, f->n, sizeof *p, placed_cmp);
	for (uint32_t i = 0; i < f->n; i++)
		order[i] = (uint32_t)(p[i].a - f->v);
	free(p);
	return order;
}

bool *
files_join(struct files *f)
{
	bool *whole = xcalloc(f->n + 1, sizeof *whole);

	slots_free(&f->index);
	for (uint32_t i = 0; i < f->n; i++) {
		struct wide requests = files_counted(f, i, FILE_REQUESTS);
		struct file_node *a = &f->v[i];
		uint32_t hash = slot_hash(key_at(f, i), 0), to;

		a->source = !wide_zero(&requests);
		whole[i] = true;
		for (size_t at = hash; whole[i] && slots_next(&f->index, hash, &at, &to);)
			whole[i] = f->v[to].key != a->key || f->v[to].key_is != a->key_is;
		if (whole[i]) {
			slots_add(&f->index, hash, i);
			continue;
		}
		merge_entry(f, to, f, i);
		f->v[to].source += a->source;
	}
	return whole;
}
