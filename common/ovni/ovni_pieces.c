/* ovni_pieces.c - hands out the bytes of an event, even if it is too long for memory. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"

#define PIECE (64u << 10) /* bytes read at a time of such an event */

void
ovni_each_piece(struct source *s, struct span raw,
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
