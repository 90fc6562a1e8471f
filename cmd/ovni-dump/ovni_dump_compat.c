/* ovni_dump_compat.c - events as ovnidump -x prints them. */
#include <string.h>

#include "base/put.h"
#include "ovni-dump/ovni_dump_compat.h"
#include "ovni/ovni_trace.h"

/* Writes the payload in hex: all bytes after OVNI_EVENT, which all events have. */
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

/* Writes a name at p, a position in out_room(); most names are short. */
static INLINE uint8_t *
put_short(struct out *out, uint8_t *p, const char *s, uint32_t n)
{
	if (unlikely(n > OUT_SLACK / 4))
		return out_bytes_at(out, p, s, n);
	memcpy(p, s, n);
	return p + n;
}

/* Writes a clock, right-aligned in at least ten columns. */
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

	/* A clock that cannot be a time was read in one of the two byte orders, and is too great only in that
	 * one. */
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
	ovni_each_piece(s, raw, payload_hex, out);
	*out_room(out) = '\n';
	out->p++;
}
