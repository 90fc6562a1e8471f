/* sink.c - events into a form of output. */
#include <stdlib.h>
#include <string.h>

#include "event/value.h"
#include "input/trace.h"
#include "output/rows.h"
#include "output/sink.h"

static void
refuse_terminal(const struct sink *k)
{
	if (k->out.tty)
		die("binary output is not written to a terminal");
}

void
sink_open(struct sink *k, const struct common *c)
{
	memset(k, 0, sizeof *k);
	k->form = c->form;
	if (!out_open(&k->out, c->path))
		die("%s:", c->path);
	k->out.line |= c->line;
	if (k->form == 'b')
		refuse_terminal(k);
	k->rewrite = c->absolute || c->read.hz;
	k->text.out = &k->out;
	k->text.header = c->header;
	k->text.absolute = c->absolute;
	k->binary.out = &k->out;
	k->binary.absolute = c->absolute;
}

static int
form_of(const struct sink *k, const struct source *s)
{
	if (k->form)
		return k->form;
	/* A header is of text. */
	return s->fmt->stream && !s->fmt->text && !k->text.header ? 'b' : 't';
}

/* One stream of several in an input: what follows its events. */
static void
on_head_done(struct source *s, void *arg)
{
	struct sink *k = arg;

	if (form_of(k, s) != 'n')
		sink_end(k, s);
}

void
sink_needs(struct sink *k, unsigned need, struct read_options *opt)
{
	opt->head_done = on_head_done;
	opt->head_arg = k;
	opt->need = need | NEED_ORDER | (k->form == 'n' ? NEED_RAW : NEED_ALL);
	/* Where the form follows the input, a line or a record is copied as it stands. */
	opt->streams_pass = !k->form && !k->rewrite;
	opt->need_stream = need | NEED_RAW | (k->text.header ? NEED_ALL : 0);
}

static void
native_begin(struct sink *k, struct source *s)
{
	if (k->begun == s)
		return;
	if (!s->fmt->native)
		die("%s: the format %s has no native form that can be written", s->name,
		    s->fmt->name);
	if (!s->fmt->text)
		refuse_terminal(k);
	if (s->fmt->native_begin)
		s->fmt->native_begin(s, &k->out);
	k->begun = s;
}

static void
native_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	   uint32_t n)
{
	native_begin(k, s);
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

void
sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	switch (form_of(k, s)) {
	case 'n': native_put(k, s, b, pick, n); break;
	case 'b':
		refuse_terminal(k);
		binary_put(&k->binary, s, b, pick, n);
		break;
	default:
		if (s->fmt->stream && s->fmt->text && !k->form && !k->rewrite)
			text_copy(&k->text, s, b, pick, n);
		else
			text_put(&k->text, s, b, pick, n);
	}
}

void
sink_end(struct sink *k, struct source *s)
{
	const char *error = s->lost_where[0] ? s->lost_where : NULL;
	uint64_t lost = s->lost - s->lost_before;

	switch (form_of(k, s)) {
	case 'n':
		native_begin(k, s);
		if (s->fmt->native_end)
			s->fmt->native_end(s, &k->out);
		k->begun = NULL;
		break;
	case 'b':
		if (!k->binary.open || k->binary.heads != s->heads)
			binary_head(&k->binary, s);
		binary_finish(&k->binary, lost, error);
		break;
	default:
		if (!k->text.open || k->text.heads != s->heads)
			text_head(&k->text, s);
		text_finish(&k->text, lost, error);
	}
}

int
sink_close(struct sink *k, int status)
{
	status = out_close(&k->out, status);
	text_free(&k->text);
	binary_free(&k->binary);
	return status;
}

void
sink_values(struct sink *k, const struct span *v, size_t n)
{
	struct rows r = {.out = &k->out};

	for (size_t i = 0; i < n; i++)
		value_str(rows_cell(&r), v[i].p, v[i].n);
	rows_put(&r);
	rows_end(&r);
}

static bool
put_batch(void *arg, struct source *s, const struct batch *b)
{
	sink_put(arg, s, b, NULL, b->n);
	return true;
}

static void
end(void *arg, struct source *s)
{
	sink_end(arg, s);
}

int
cat_run(const struct common *c, char *const *paths, size_t n)
{
	struct read_options opt = c->read;
	struct sink k;

	sink_open(&k, c);
	sink_needs(&k, 0, &opt);
	return sink_close(
	    &k, trace_each(&opt, paths, n, &(struct consumer){put_batch, NULL, end, &k}));
}
