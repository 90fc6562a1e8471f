/* native.c - events as they stood: streams of -n, and lines of another tool. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
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

	for (size_t i = at < OVNI_EVENT ? (size_t)(OVNI_EVENT - at) : 0; i < n; i++) {
		uint8_t *p = out_room(out);

		*p = ':';
		memcpy(p + 1, put_hex2[bytes[i]], 2);
		out->p = p + 3;
	}
}

void
ovni_put_compat(struct source *s, struct out *out, const struct rec *r, struct span raw)
{
	const struct str *path = &s->t.str.v[r->loc];
	long long clock = (long long)(r->time + s->head.origin);
	char text[32];
	int n;

	/* What is no time is in one of the two byte orders, and so great in that only. */
	if (clock == (long long)(OVNI_KEYS - 1) && raw.n >= OVNI_EVENT &&
	    ovni_at_hand(raw)) {
		uint64_t v = ld64(raw.p + 4);

		v = v < OVNI_KEYS - 1 ? swap64(v) : v;
		memcpy(&clock, &v, sizeof clock);
	}
	n = snprintf(text, sizeof text, "%10lld  ", clock);
	out_bytes(out, text, (size_t)n);
	out_bytes(out, s->t.type[r->type].event, s->t.type[r->type].event_len);
	out_bytes(out, "  ", 2);
	out_bytes(out, path->s, path->len);
	out_bytes(out, "  ", 2);
	each_piece(s, raw, payload_hex, out);
	out_bytes(out, "\n", 1);
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
