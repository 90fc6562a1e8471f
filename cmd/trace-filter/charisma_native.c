/* charisma_native.c - writes records of CHARISMA unchanged. */
#include "charisma/charisma_trace.h"
#include "trace-filter/natives.h"

/* Writes magic and version, and the header record if it is due. */
static void
native_begin(struct source *s, struct out *o)
{
	struct charisma *c = s->state;

	if (!c->header_n)
		return; /* nothing could be read */
	charisma_frame(o, c->big);
	if (c->header_due)
		out_bytes(o, c->header, c->header_n);
	c->header_due = false;
}

static void
native_put(struct source *s, struct out *o, const struct rec *r, struct span raw)
{
	struct charisma *c = s->state;
	uint64_t place = in_offset(&s->in, raw.p);

	(void)r;
	if (c->header_due)
		out_bytes(o, c->header, c->header_n);
	c->header_due = false;
	/* The header is written already, and a record of several requests is written once. */
	if (charisma_type(raw.p, c->big) == KIND_HEADER || place == c->native_last)
		return;
	c->native_last = place;
	out_bytes(o, raw.p, raw.n);
}

const struct native native_charisma = {
    .format = "charisma", .begin = native_begin, .put = native_put};
