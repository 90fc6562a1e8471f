/* native.c - events as they stood: streams of -n, and lines of another tool. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "input/fault.h"
#include "ovni/trace.h"

#define PIECE (64u << 10) /* read at a time of an event that is too long for memory */

/* A stream of its own: with a header where the input has one. */
void
ovni_native_begin(struct source *s, struct out *out)
{
	const struct ovni *o = s->state;
	uint8_t header[OVNI_HEADER] = "ovni";
	uint32_t version = 1;

	if (!o->n)
		return;
	for (size_t i = 1; i < o->n; i++)
		if (o->st[i].swap != o->st[0].swap)
			fault(s, NULL, COST_STATUS, s->name, NOWHERE,
			      "streams with different byte orders cannot be joined: write "
			      "them one by one");
	version = o->st[0].swap ? swap32(version) : version;
	memcpy(header + 4, &version, 4);
	for (size_t i = 0; i < o->n; i++) {
		if (o->st[i].header) {
			out_bytes(out, header, sizeof header);
			break;
		}
	}
}

/* Gives the native bytes of an event piece by piece: n of them, from byte `at` of it on. */
static void
each_piece(struct source *s, struct span raw,
	   void (*fn)(void *arg, const uint8_t *p, size_t n, uint64_t at), void *arg)
{
	struct ovni *o = s->state;
	struct ovni_long far;
	uint8_t *p;

	if (ovni_at_hand(raw)) {
		fn(arg, raw.p, raw.n, 0);
		return;
	}
	memcpy(&far, raw.p, sizeof far);
	p = xmalloc(PIECE);
	for (uint64_t done = 0; done < far.size;) {
		struct ovni_stream *st = &o->st[far.stream];
		uint64_t left = far.size - done;
		size_t n = left < PIECE ? (size_t)left : PIECE;

		n = ovni_read(s, st, p, n, far.at + done);
		if (!n) {
			if (!st->failed)
				fault(s, "ovni-torn", COST_EVENT, st->path, far.at,
				      "an event of %llu bytes is incomplete",
				      (unsigned long long)far.size);
			break;
		}
		fn(arg, p, n, done);
		done += n;
	}
	free(p);
}

/* Payload in hex: all of an event but what every one has. */
static void
payload_hex(void *arg, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct out *out = arg;
	uint8_t *p = out_room(out);

	for (size_t i = at < OVNI_EVENT ? (size_t)(OVNI_EVENT - at) : 0; i < n; i++) {
		*p = ':';
		memcpy(p + 1, put_hex2[bytes[i]], 2);
		p = out_room_at(out, p + 3);
	}
	out->p = p;
}

/* Writes a name at p, a place of out_room; most are short. */
static INLINE uint8_t *
put_short(struct out *out, uint8_t *p, const char *s, uint32_t n)
{
	if (unlikely(n > OUT_SLACK / 4))
		return out_bytes_at(out, p, s, n);
	memcpy(p, s, n);
	return p + n;
}

/* At least ten columns, at the right. */
static uint8_t *
put_clock(uint8_t *p, int64_t clock)
{
	size_t n = (size_t)(put_i64(p, clock) - p), more = n < 10 ? 10 - n : 0;

	if (unlikely(more)) {
		memmove(p + more, p, n);
		memset(p, ' ', more);
	}
	return p + more + n;
}

void
ovni_put_compat(struct source *s, struct out *out, const struct rec *r, struct span raw)
{
	const struct type *ty = &s->t.type[r->type];
	const struct str *path = &s->t.str.v[r->loc];
	int64_t clock = (int64_t)((uint64_t)r->time + (uint64_t)s->head.origin);
	uint8_t *p = out_room(out);

	/* What is no time is in one of the two byte orders, and so great in that only. */
	if (clock == (int64_t)(OVNI_KEYS - 1) && raw.n >= OVNI_EVENT && ovni_at_hand(raw)) {
		uint64_t v = ld64(raw.p + 4);

		v = v < OVNI_KEYS - 1 ? swap64(v) : v;
		memcpy(&clock, &v, sizeof clock);
	}
	p = put_clock(p, clock);
	memcpy(p, "  ", 2);
	p = put_short(out, p + 2, ty->event, ty->event_len);
	memcpy(p, "  ", 2);
	p = put_short(out, p + 2, path->s, path->len);
	memcpy(p, "  ", 2);
	out->p = p + 2;
	each_piece(s, raw, payload_hex, out);
	*out_room(out) = '\n';
	out->p++;
}

static void
put_piece(void *arg, const uint8_t *p, size_t n, uint64_t at)
{
	(void)at;
	out_bytes(arg, p, n);
}

void
ovni_native_put(struct source *s, struct out *out, const struct rec *r, struct span raw)
{
	(void)r;
	if (ovni_at_hand(raw))
		out_bytes(out, raw.p, raw.n);
	else
		each_piece(s, raw, put_piece, out);
}
