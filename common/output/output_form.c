/* output_form.c - the forms that write a stream, and the form that copies the input's own. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/sink.h"
#include "stream/binary.h"
#include "stream/text.h"

/* The state of the forms that write a stream. */
struct streams {
	struct text_writer text;
	struct binary_writer binary;
};

/* Returns the state of k. Creates it at the first call. */
static struct streams *
streams(struct sink *k)
{
	struct streams *x = k->state;

	if (!x) {
		x = k->state = xcalloc(1, sizeof *x);
		x->text = (struct text_writer){.out = &k->out,
					       .header = k->opt.header && !k->whole,
					       .absolute = k->opt.absolute,
					       .piece = k->whole != NULL};
		x->binary.out = &k->out;
		x->binary.absolute = k->opt.absolute;
	}
	return x;
}

static int
close_streams(struct sink *k)
{
	struct streams *x = k->state;

	if (x) {
		text_free(&x->text);
		binary_free(&x->binary);
	}
	free(x);
	k->state = NULL;
	return ST_OK;
}

bool
sink_has_header(struct sink *k)
{
	return streams(k)->text.open;
}

/* Returns the place at which events under the current head were lost, or NULL if no place is known. */
static const char *
lost_why(const struct source *s)
{
	return s->faults.where[0] ? s->faults.where : NULL;
}

static void
head_text(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	text_head(&x->text, s);
}

static void
put_batch_text(struct sink *k, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n)
{
	struct streams *x = streams(k);

	text_put(&x->text, s, b, pick, n);
}

static void
end_text(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	text_finish(&x->text, s->faults.lost - s->faults.lost_before, lost_why(s));
}

static bool
join_text(struct sink *k, struct sink *piece)
{
	struct streams *x = streams(k), *p = streams(piece);

	x->text.events += p->text.events;
	p->text.events = 0;
	return true;
}

const struct form form_text = {
    .need = NEED_ALL,
    .head = head_text,
    .put = put_batch_text,
    .end = end_text,
    .join = join_text,
    .close = close_streams,
};

static void
head_binary(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	sink_no_terminal(k);
	binary_head(&x->binary, s);
}

static void
put_binary(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	struct streams *x = streams(k);

	binary_put(&x->binary, s, b, pick, n);
}

static void
end_binary(struct sink *k, struct source *s)
{
	struct streams *x = streams(k);

	binary_finish(&x->binary, s->faults.lost - s->faults.lost_before, lost_why(s));
}

const struct form form_binary = {
    .need = NEED_ALL,
    .binary = true,
    .head = head_binary,
    .put = put_binary,
    .end = end_binary,
    .close = close_streams,
};

/* Returns the form of the stream that s is. With -H, always returns the text form, which has the header. */
static const struct form *
form_of(const struct sink *k, const struct source *s)
{
	return s->fmt->stream && !s->fmt->text && !k->opt.header ? &form_binary
								 : &form_text;
}

/* Requests raw records, so that a line or record of a stream is copied unchanged unless its time changes. */
static void
begin_input(struct sink *k, struct read_options *opt)
{
	opt->streams_pass = !k->opt.absolute && !opt->hz;
	opt->need_stream = opt->need | NEED_RAW | (k->opt.header ? NEED_ALL : 0);
	opt->need |= NEED_ALL;
}

static void
head_input(struct sink *k, struct source *s)
{
	form_of(k, s)->head(k, s);
}

static void
put_input(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	  uint32_t n)
{
	struct streams *x = streams(k);

	if (s->fmt->stream && s->fmt->text && s->opt->streams_pass)
		text_copy(&x->text, s, b, pick, n);
	else
		form_of(k, s)->put(k, s, b, pick, n);
}

static void
end_input(struct sink *k, struct source *s)
{
	form_of(k, s)->end(k, s);
}

const struct form form_input = {
    .begin = begin_input,
    .head = head_input,
    .put = put_input,
    .end = end_input,
    .join = join_text, /* a binary stream is not written in parts (threads.as_input) */
    .close = close_streams,
};

static bool
join_none(struct sink *k, struct sink *piece)
{
	(void)k;
	(void)piece;
	return true;
}

const struct form form_none = {.join = join_none};
