/* form_encode.c - the form that writes events as the records of a format: encode.h. */
#include <stdlib.h>
#include <string.h>

#include "trace-convert/encode.h"
#include "output/sink.h"
#include "view/view_request.h"

struct encoding {
	struct encode e;
	/* A batch with addresses in the encoder's unit, and the numbers of its events that fit. */
	struct batch scaled;
	uint32_t pick[BATCH];
};

static void
form_encode_begin(struct sink *k, struct read_options *opt)
{
	const struct encode_options *asked = k->opt.of;
	const struct encoder *encoder = asked->encoder;
	struct encoding *g = xcalloc(1, sizeof *g);
	struct encode *e = &g->e;

	if (!encoder->format->text && !k->dir)
		sink_no_terminal(k);
	k->state = g;
	e->encoder = encoder;
	e->fmt = encoder->format;
	e->options = asked->format;
	e->out = k->dir ? NULL : &k->out;
	e->dir = k->dir;
	e->state = xcalloc(1, encoder->state);
	e->cut = opt->chunk < opt->chunks;
	opt->need |= encoder->need;
	if (encoder->begin)
		encoder->begin(e);
}

static void
form_encode_head(struct sink *k, struct source *s)
{
	encode_ready(k->state, s);
}

/* Copies event `at` of the batch with its addr in units of e->unit bytes instead of `unit` (0 = unknown). Returns
 * false if the addr does not fit. */
static bool
scale(struct encoding *g, const struct batch *b, uint32_t at, uint64_t unit)
{
	struct encode *e = &g->e;
	const struct rec *r = batch_rec(b, at);
	struct buf *own = &g->scaled.own;
	struct rec *to;

	if (!(r->has & HAS_ADDR) || e->s->t.type[r->type].addr_hex)
		unit = 1;
	else if (!unit)
		source_no_unit(e->s);
	if (unit > 1 && r->addr > UINT64_MAX / unit) {
		encode_skip(e, b, at, "the addr in bytes is 2^64 or more");
		return false;
	}
	g->scaled.off[at] = (uint32_t)(own->n + 7) & ~7u;
	buf_room(own, r->len + REC_SLACK);
	own->n = g->scaled.off[at] + r->len;
	to = memcpy(own->p + g->scaled.off[at], r, r->len);
	to->addr = r->addr * unit / e->unit;
	encode_drop(e, "where in its block a request begins",
		    r->addr * unit % e->unit != 0);
	return true;
}

static void
form_encode_put(struct sink *k, struct source *s, const struct batch *b,
		const uint32_t *pick, uint32_t n)
{
	struct encoding *g = k->state;
	struct encode *e = &g->e;
	const struct encode_options *asked = k->opt.of;
	uint64_t unit = source_addr_unit(s, asked->block);
	uint32_t kept = 0;

	encode_ready(e, s);
	if (e->unit && e->unit != unit) {
		batch_start(&g->scaled);
		g->scaled.n = b->n;
		for (uint32_t i = 0; i < n; i++)
			if (scale(g, b, pick ? pick[i] : i, unit))
				g->pick[kept++] = pick ? pick[i] : i;
		g->scaled.base = g->scaled.own.p;
		b = &g->scaled;
		pick = g->pick;
		n = kept;
	}
	e->encoder->put(e, b, pick, n);
	if (k->out.line)
		out_flush(&k->out);
}

static void
form_end(struct sink *k, struct source *s)
{
	struct encode *e = k->state;

	e->s = s;
	encode_say(e);
}

static int
done(struct sink *k)
{
	struct encoding *g = k->state;
	struct encode *e = &g->e;
	bool trouble;

	e->cut |= k->trouble;
	if (e->encoder->end)
		e->encoder->end(e);
	trouble = e->trouble;
	encode_free(e);
	buf_free(&g->scaled.own);
	free(g);
	return trouble ? ST_TROUBLE : ST_OK;
}

const struct form form_encode = {
    .begin = form_encode_begin,
    .head = form_encode_head,
    .put = form_encode_put,
    .end = form_end,
    .close = done,
};
