/*
 * json_known.c - a fast path for JSON objects that have the same members as an earlier object, in the same order:
 * only their values are read.
 *
 * json_value is the definition. A known object is its bytes without its strings, numbers and booleans:
 *
 *	{"op":"read","args":{"size":4096}}    {"op":" and ","args":{"size": and }}
 */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "delimited/delimited_json.h"

#define KNOWN 8		  /* number of objects that are kept */
#define KNOWN_BYTES 65536 /* limit of the bytes of an object without its values */
#define MISSES 16 /* so many unknown objects come before one of them replaces a known one */

struct json_known {
	struct buf bytes, names;
	struct json_gap *gap;
	struct json_member *m;
	uint32_t ngaps, n;
	size_t gaps_cap, cap;
};

void
json_gap(struct delimited_json *j, const struct json_item *v, uint32_t member)
{
	const uint8_t *p = (const uint8_t *)v->text;

	if (v->kind == JSON_EMPTY || v->kind == JSON_OPEN ||
	    (v->kind == JSON_WORD && *p == 'n'))
		return;
	/* The text of a string with escapes is not in the line. */
	j->odd |= v->kind == JSON_WHOLE || p < j->stop || p >= j->end;
	if (j->odd)
		return;
	GROW(j->gap, j->gaps_cap, j->ngaps + 1u);
	j->gap[j->ngaps++] =
	    (struct json_gap){p, (uint32_t)(p - j->stop), (uint32_t)v->n, member, v->kind};
	j->stop = p + v->n;
}

void
json_learn(struct delimited_json *j, const uint8_t *end)
{
	const uint8_t *p = j->line;
	struct json_known *k;

	if (j->odd || j->full || j->twice.p || end - p > KNOWN_BYTES ||
	    (j->nknown == KNOWN && ++j->misses % MISSES))
		return;
	if (!j->known)
		j->known = xcalloc(KNOWN, sizeof *j->known);
	k = &j->known[j->nknown < KNOWN ? j->nknown++ : j->misses / MISSES % KNOWN];
	k->bytes.n = k->names.n = 0;
	k->n = j->n;
	k->ngaps = j->ngaps;
	GROW(k->gap, k->gaps_cap, k->ngaps + 1u);
	GROW(k->m, k->cap, k->n + 1u);
	for (uint32_t i = 0; i < k->ngaps; i++) {
		k->gap[i] = j->gap[i];
		buf_add(&k->bytes, p, k->gap[i].before);
		p = k->gap[i].p + k->gap[i].length;
	}
	buf_add(&k->bytes, p, (size_t)(end - p));
	buf_add(&k->names, j->names.p, j->names.n);
	if (k->n)
		memcpy(k->m, j->m, k->n * sizeof *k->m);
}

/* Returns the length of a value of that kind at p, or SIZE_MAX if there is none, or a string with escapes. */
static inline size_t
value_length(enum json_kind kind, const uint8_t *p, const uint8_t *end)
{
	const char *s = (const char *)p;
	size_t n = (size_t)(end - p);

	if (kind == JSON_STRING)
		return json_plain(s, (const char *)end);
	if (kind == JSON_WORD)
		n = n >= 4 && !memcmp(p, "true", 4)    ? 4
		    : n >= 5 && !memcmp(p, "false", 5) ? 5
						       : 0;
	else
		n = json_number(s, n);
	return n ? n : SIZE_MAX;
}

/* Reads the values of the object at p into k->gap, if it has the members of k. Returns the place after the object,
 * or NULL. */
static const uint8_t *
match(const struct json_known *k, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *is = k->bytes.p;
	size_t left = k->bytes.n;

	for (struct json_gap *g = k->gap; g < k->gap + k->ngaps; g++) {
		size_t n = g->before;

		if ((size_t)(end - p) < n || memcmp(p, is, n) != 0)
			return NULL;
		p += n;
		is += n;
		left -= n;
		n = value_length(g->kind, p, end);
		if (n > UINT32_MAX)
			return NULL;
		g->p = p;
		g->length = (uint32_t)n;
		p += n;
	}
	return (size_t)(end - p) < left || memcmp(p, is, left) != 0 ? NULL : p + left;
}

const uint8_t *
json_recall(struct delimited *c, const uint8_t *end)
{
	struct delimited_json *j = c->json;
	const struct json_known *k = j->known;
	const uint8_t *behind = NULL;

	for (unsigned i = 0; i < j->nknown && !behind; i++) {
		k = &j->known[(j->last + i) % j->nknown];
		behind = match(k, j->line, end);
	}
	if (!behind)
		return NULL;
	j->last = (uint32_t)(k - j->known);
	GROW(j->m, j->cap, k->n + 1u);
	memcpy(j->m, k->m, k->n * sizeof *k->m);
	j->n = k->n;
	buf_add(&j->names, k->names.p, k->names.n);
	for (const struct json_gap *g = k->gap; g < k->gap + k->ngaps; g++) {
		struct json_member *m = &j->m[g->member];

		if (g->member == UINT32_MAX)
			continue;
		m->value = (struct span){g->p, g->length};
		if (m->cell >= 0)
			c->cell[m->cell] = (struct delimited_cell){m->value, m->value};
	}
	return behind;
}

void
json_known_free(struct delimited_json *j)
{
	for (unsigned i = 0; i < j->nknown; i++) {
		buf_free(&j->known[i].bytes);
		buf_free(&j->known[i].names);
		free(j->known[i].gap);
		free(j->known[i].m);
	}
	free(j->known);
	free(j->gap);
}
