/* form.c - the forms that are streams, or the records of the input. */
#include <string.h>

#include "base/put.h"
#include "input/lateness.h"
#include "output/sink.h"

/* Why events were lost under the head at hand; NULL where none were. */
static const char *
lost_why(const struct source *s)
{
	return s->lost_where[0] ? s->lost_where : NULL;
}

static void
head_text(struct sink *k, struct source *s)
{
	text_head(&k->text, s);
}

static void
put_text(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	text_put(&k->text, s, b, pick, n);
}

/* Of a merged stream: how many events came too late, and how late at most. */
static void
put_late(struct sink *k, const struct source *s)
{
	struct buf b = {0};
	char most[32];

	buf_add(&b, "##late\tevents=", 14);
	buf_to(&b, put_u64(buf_room(&b, 64), s->late));
	buf_add(&b, "\tmost=", 6);
	lateness_text(most, s->head.clock, s->late_by);
	buf_add(&b, most, strlen(most));
	buf_byte(&b, '\n');
	out_bytes(&k->out, b.p, b.n);
	buf_free(&b);
}

static void
end_text(struct sink *k, struct source *s)
{
	if (s->late && k->text.open)
		put_late(k, s);
	text_finish(&k->text, s->lost - s->lost_before, lost_why(s));
}

const struct form form_text = {
    .need = NEED_ALL,
    .head = head_text,
    .put = put_text,
    .end = end_text,
};

static void
head_binary(struct sink *k, struct source *s)
{
	sink_no_terminal(k);
	binary_head(&k->binary, s);
}

static void
put_binary(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	binary_put(&k->binary, s, b, pick, n);
}

static void
end_binary(struct sink *k, struct source *s)
{
	binary_finish(&k->binary, s->lost - s->lost_before, lost_why(s));
}

const struct form form_binary = {
    .need = NEED_ALL,
    .binary = true,
    .head = head_binary,
    .put = put_binary,
    .end = end_binary,
};

/* Once an input, also where several heads are in it. */
static void
head_native(struct sink *k, struct source *s)
{
	if (k->begun == s->id)
		return;
	if (!s->native)
		die("%s: the format %s has no native form that can be written", s->name,
		    s->fmt->name);
	if (!s->fmt->text)
		sink_no_terminal(k);
	if (s->fmt->native_begin)
		s->fmt->native_begin(s, &k->out);
	k->begun = s->id;
}

static void
put_native(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = pick ? pick[i] : i;

		if (s->fmt->native_put)
			s->fmt->native_put(s, &k->out, batch_rec(b, at), b->raw[at]);
		else
			out_bytes(&k->out, b->raw[at].p, b->raw[at].n);
	}
	if (k->out.line)
		out_flush(&k->out);
}

static void
end_native(struct sink *k, struct source *s)
{
	if (s->fmt->native_end)
		s->fmt->native_end(s, &k->out);
}

const struct form form_native = {
    .need = NEED_ORDER | NEED_RAW,
    .head = head_native,
    .put = put_native,
    .end = end_native,
};

/* The form that an input's own is; a header is of text. */
static const struct form *
form_of(const struct sink *k, const struct source *s)
{
	return s->fmt->stream && !s->fmt->text && !k->opt.header ? &form_binary
								 : &form_text;
}

/* A line or a record is copied as it stands, unless its time changes. */
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
	if (s->fmt->stream && s->fmt->text && s->opt->streams_pass)
		text_copy(&k->text, s, b, pick, n);
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
};

const struct form form_none = {0};
