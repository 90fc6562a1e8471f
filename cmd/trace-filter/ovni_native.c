/* ovni_native.c - writes events of ovni unchanged. */
#include <string.h>

#include "input/fault.h"
#include "ovni/ovni_trace.h"
#include "trace-filter/natives.h"

/* Begins a single stream: with a header if some stream of the input has one. */
static void
ovni_begin(struct source *s, struct out *out)
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

static void
put_piece(void *arg, const uint8_t *p, size_t n, uint64_t at)
{
	(void)at;
	out_bytes(arg, p, n);
}

static void
ovni_put(struct source *s, struct out *out, const struct rec *r, struct span raw)
{
	(void)r;
	if (ovni_at_hand(raw))
		out_bytes(out, raw.p, raw.n);
	else
		ovni_each_piece(s, raw, put_piece, out);
}

const struct native native_ovni = {.format = "ovni", .begin = ovni_begin, .put = ovni_put};
