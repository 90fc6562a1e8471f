/*
 * derive_copy.c - copies the arguments of an event to an event of another type.
 *
 * Variable arguments may be anywhere in a record of a stream and even share bytes, though no writer of spoor makes
 * such records. If they share no bytes, they keep their order.
 */
#include <string.h>

#include "base/bytes.h"
#include "expr/derive_type.h"

/* A record whose arguments share bytes may grow to at most this length, or its own. */
#define SHARED_MOST 65536

/* Copies an array of strings: its elements, then their bytes. Returns false if it is damaged, or exceeds *left
 * bytes. */
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

/* Copies variable arguments one by one, even if they share bytes. Returns false if the copies are too long. */
static bool
copy_shared(struct derive *d, const struct derive_plan *p, const struct rec *from)
{
	uint64_t left = from->len > SHARED_MOST ? from->len : SHARED_MOST;

	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].from, *to = p->copies[i].to;
		uint32_t width = a->array ? kind_width(a->kind) : 1, n = 0;
		const uint8_t *at;
		uint64_t bytes;

		if (!kind_is_part(a) || !rec_span(from, a, &at, &n))
			continue;
		bytes = (uint64_t)n * width;
		if (bytes > left)
			return false;
		left -= bytes;
		if (kind_is_strings(a) && !copy_strings(&d->out, to, from, at, n, &left))
			return false;
		if (!kind_is_strings(a)) {
			uint8_t *part = rec_part(&d->out, to, n, width);

			if (n)
				memcpy(part, at, bytes);
		}
	}
	return true;
}

/* The bytes of a variable argument, or of an element of an array of strings. */
struct byte_range {
	uint32_t off, end, to; /* to: offset in the new record */
	uint32_t copy;
	uint32_t element; /* number of the element, from 1; 0: the argument itself */
};
#define RANGES_MOST 64

struct byte_ranges {
	struct byte_range v[RANGES_MOST];
	uint32_t n;
};

/* Adds a range, in order of offset. Returns false if there are too many. */
static bool
add_range(struct byte_ranges *r, uint32_t off, uint64_t bytes, uint32_t copy,
	  uint32_t element)
{
	uint32_t at = r->n;

	if (!bytes)
		return true;
	if (at == RANGES_MOST || off + bytes > UINT32_MAX)
		return false;
	for (; at && r->v[at - 1].off > off; at--)
		r->v[at] = r->v[at - 1];
	r->v[at] = (struct byte_range){off, off + (uint32_t)bytes, 0, copy, element};
	r->n++;
	return true;
}

/* Finds all ranges of a record. Returns false if two share bytes, if one is within the fixed part, or if there are
 * too many. */
static bool
ranges_of(const struct derive_plan *p, const struct rec *from, struct byte_ranges *r)
{
	uint32_t end = p->from_fixed;

	r->n = 0;
	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].from;
		uint32_t n = 0, off;
		const uint8_t *at;

		if (!kind_is_part(a) || !rec_span(from, a, &at, &n))
			continue;
		off = (uint32_t)(at - (const uint8_t *)from);
		if (!add_range(r, off, (uint64_t)n * (a->array ? kind_width(a->kind) : 1),
			       i, 0))
			return false;
		for (uint32_t k = 0; kind_is_strings(a) && k < n; k++, at += 8)
			if (!add_range(r, ld32(at), ld32(at + 4), i, k + 1))
				return false;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->v[i].off < end || r->v[i].end > from->len)
			return false;
		end = r->v[i].end;
	}
	return true;
}

/* Sets the places of all variable arguments in the last record made. */
static void
set_places(struct derive *d, const struct derive_plan *p, const struct byte_ranges *r)
{
	struct rec *rec = rec_last(&d->out);
	uint8_t *base = (uint8_t *)rec;

	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].to;

		/* An empty argument may have any place in the record. */
		if (kind_is_part(a) && !ld32(base + a->off + 4) &&
		    ld32(base + a->off) > rec->len)
			st32(base + a->off, rec->len);
	}
	for (uint32_t i = 0; i < r->n; i++)
		if (!r->v[i].element)
			st32(base + p->copies[r->v[i].copy].to->off, r->v[i].to);
	for (uint32_t i = 0; i < r->n; i++) {
		const uint8_t *part = base + p->copies[r->v[i].copy].to->off;

		if (r->v[i].element)
			st32(base + ld32(part) + 8 * (r->v[i].element - 1), r->v[i].to);
	}
}

/* Appends the bytes of a range to the last record made; `next` is the offset of the next range in `from`. */
static void
copy_bytes(struct batch *b, const struct rec *from, struct byte_range *r, uint32_t next)
{
	uint32_t n = r->end - r->off;
	uint8_t *to = buf_room(&b->own, n + 8 + REC_SLACK);
	struct rec *rec = rec_last(b);
	/* Adjacent ranges stay adjacent. */
	uint32_t len = next == r->end ? rec->len + n : (rec->len + n + 7) & ~7u;

	b->base = b->own.p;
	memcpy(to, (const uint8_t *)from + r->off, n);
	memset(to + n, 0, len - rec->len - n);
	r->to = rec->len;
	b->own.n += len - rec->len;
	rec->len = len;
}

bool
derive_copy_each(struct derive *d, const struct derive_plan *p, const struct rec *from)
{
	uint8_t *base = (uint8_t *)rec_last(&d->out);
	struct byte_ranges r;

	for (uint32_t i = 0; i < p->ncopies; i++) {
		const struct arg *a = p->copies[i].from;

		memcpy(base + p->copies[i].to->off, (const uint8_t *)from + a->off,
		       kind_is_part(a) ? sizeof(struct part) : kind_width(a->kind));
	}
	if (!ranges_of(p, from, &r))
		return copy_shared(d, p, from);
	for (uint32_t i = 0; i < r.n; i++)
		copy_bytes(&d->out, from, &r.v[i],
			   i + 1 < r.n ? r.v[i + 1].off : UINT32_MAX);
	set_places(d, p, &r);
	return true;
}

bool
derive_copy_whole(struct derive *d, const struct derive_plan *p, const struct rec *from)
{
	struct batch *b = &d->out;
	uint32_t by = p->to_fixed - p->from_fixed, n = from->len - p->from_fixed;
	struct byte_ranges r;
	uint8_t *tail;

	memcpy(rec_last(b) + 1, from + 1, p->from_fixed - REC_HEAD);
	if (!ranges_of(p, from, &r))
		return copy_shared(d, p, from);
	tail = buf_room(&b->own, n + REC_SLACK);
	b->base = b->own.p;
	memcpy(tail, (const uint8_t *)from + p->from_fixed, n);
	rec_last(b)->len += n;
	b->own.n += n;
	for (uint32_t i = 0; i < r.n; i++)
		r.v[i].to = r.v[i].off + by;
	set_places(d, p, &r);
	return true;
}
