/* form_encode.c - the form that writes events as the records of a format: encode.h. */
#include <stdlib.h>

#include "input/encode.h"
#include "output/sink.h"

static void
begin(struct sink *k, struct read_options *opt)
{
	const struct encoder *how = k->opt.encode->encoder;
	struct encode *e = xcalloc(1, sizeof *e);

	if (!k->opt.encode->text && !k->dir)
		sink_no_terminal(k);
	k->state = e;
	e->fmt = k->opt.encode;
	e->options = k->opt.encode_options;
	e->out = k->dir ? NULL : &k->out;
	e->dir = k->dir;
	e->state = xcalloc(1, how->state);
	e->cut = opt->chunk < opt->chunks;
	opt->need |= how->need;
	if (how->begin)
		how->begin(e);
}

static void
head(struct sink *k, struct source *s)
{
	encode_ready(k->state, s);
}

static void
put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
    uint32_t n)
{
	struct encode *e = k->state;

	encode_ready(e, s);
	e->fmt->encoder->put(e, b, pick, n);
	if (k->out.line)
		out_flush(&k->out);
}

static void
end(struct sink *k, struct source *s)
{
	struct encode *e = k->state;

	e->s = s;
	encode_say(e);
}

static int
done(struct sink *k)
{
	struct encode *e = k->state;
	bool trouble;

	e->cut |= k->trouble;
	if (e->fmt->encoder->end)
		e->fmt->encoder->end(e);
	trouble = e->trouble;
	encode_free(e);
	free(e);
	return trouble ? ST_TROUBLE : ST_OK;
}

const struct form form_encode = {
    .begin = begin,
    .head = head,
    .put = put,
    .end = end,
    .close = done,
};
