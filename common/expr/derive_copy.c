/*
 * derive_copy.c - the arguments of an event into one of another type.
 *
 * Parts of variable length may lie anywhere in a record of a stream, also over each other,
 * though no writer of ours puts them so.
 */
#include <string.h>

#include "base/bytes.h"
#include "expr/derive_type.h"

/* A record whose parts lie over each other becomes no longer than this, or than it was. */
#define SHARED_MOST 65536

/* Our number of a string of the source. */
static uint32_t
string_number(struct derive *d, const struct source *s, uint32_t id)
{
	const struct str *str = &s->t.str.v[id];

	if (!d->string[id])
		d->string[id] = strtab_id(&d->t.str, str->s, str->len) + 1;
	return d->string[id] - 1;
}

void
derive_renumber(struct derive *d, const struct source *s, const struct plan *p)
{
	struct rec *r = rec_last(&d->out);

	r->loc = d->loc < d->n ? 0 : string_number(d, s, r->loc);
	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].to;
		const uint8_t *from = (uint8_t *)r + a->off;
		uint32_t n = 1;
		uint8_t *at;

		if (a->kind != K_SYM || (a->array && !rec_span(r, a, &from, &n)))
			continue;
		at = (uint8_t *)(uintptr_t)from;
		for (; n; n--, at += 4)
			st32(at, string_number(d, s, ld32(at)));
	}
}

static bool
is_strings(const struct arg *a)
{
	return a->array && a->kind == K_STR;
}

/* An array of strings: its elements, and behind them their bytes. */
static bool
copy_strings(struct batch *b, const struct arg *a, const struct rec *from, const uint8_t *p,
	     uint32_t n, uint64_t *left)
{
	size_t at = (size_t)(rec_part(b, a, n, sizeof(struct part)) - b->own.p);

	for (uint32_t i = 0; i < n; i++) {
		struct arg element = {.kind = K_STR};
		struct part part;

		memcpy(&part, p + i * sizeof part, sizeof part);
		if (part.off > from->len || part.n > from->len - part.off || part.n > *left)
			return false;
		*left -= part.n;
		element.off = (uint32_t)(at + i * sizeof part - b->off[b->n - 1]);
		rec_str(b, &element, (const uint8_t *)from + part.off, part.n);
	}
	return true;
}

bool
derive_copy_each(struct derive *d, const struct plan *p, const struct rec *from)
{
	uint64_t left = from->len > SHARED_MOST ? from->len : SHARED_MOST;

	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].from, *to = p->copies[i].to;
		const uint8_t *at = (const uint8_t *)from + a->off;
		uint32_t width = kind_width(a->kind), n = 0;
		uint64_t bytes;

		if (!kind_is_part(a)) {
			memcpy((uint8_t *)rec_last(&d->out) + to->off, at, width);
			continue;
		}
		width = a->array ? width : 1;
		if (!rec_span(from, a, &at, &n))
			continue;
		bytes = (uint64_t)n * width;
		if (bytes > left)
			return false;
		left -= bytes;
		if (is_strings(a) && !copy_strings(&d->out, to, from, at, n, &left))
			return false;
		if (!is_strings(a)) {
			uint8_t *part = rec_part(&d->out, to, n, width);

			if (n)
				memcpy(part, at, bytes);
		}
	}
	return true;
}

/* Whether each part lies behind the fixed part and those before it: then all can be moved
 * together. */
static bool
is_orderly(const struct plan *p, const struct rec *r)
{
	uint64_t end = p->from_fixed;

	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].from;
		const uint8_t *at = (const uint8_t *)r + a->off;
		uint32_t off = ld32(at), n = ld32(at + 4);

		if (!kind_is_part(a) || !n)
			continue;
		if (off < end)
			return false;
		end = off + (uint64_t)n * (a->array ? kind_width(a->kind) : 1);
		if (!is_strings(a))
			continue;
		at = (const uint8_t *)r + off;
		for (uint64_t last = end; n; n--, at += 8) {
			uint64_t to = (uint64_t)ld32(at) + ld32(at + 4);

			if (ld32(at + 4) && ld32(at) < last)
				return false;
			end = to > end ? to : end;
		}
	}
	return true;
}

bool
derive_copy_whole(struct derive *d, const struct plan *p, const struct rec *from)
{
	struct batch *b = &d->out;
	uint32_t by = p->to_fixed - p->from_fixed, n = from->len - p->from_fixed;
	uint8_t *tail;
	struct rec *r = rec_last(b);

	memcpy(r + 1, from + 1, p->from_fixed - REC_HEAD);
	if (!is_orderly(p, from))
		return derive_copy_each(d, p, from);
	tail = buf_room(&b->own, n + REC_SLACK);
	r = rec_last(b);
	b->base = b->own.p;
	memcpy(tail, (const uint8_t *)from + p->from_fixed, n);
	r->len += n;
	b->own.n += n;
	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].to;
		uint8_t *at = (uint8_t *)r + a->off, *element;
		uint32_t count = ld32(at + 4);

		if (!kind_is_part(a) || !count)
			continue;
		st32(at, ld32(at) + by);
		element = (uint8_t *)r + ld32(at);
		for (; is_strings(a) && count; count--, element += 8)
			if (ld32(element + 4))
				st32(element, ld32(element) + by);
	}
	return true;
}
