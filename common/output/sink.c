/* sink.c - an output and its form. */
#include <string.h>

#include "event/value.h"
#include "output/rows.h"
#include "output/sink.h"

void
sink_open(struct sink *k, const struct write_options *w)
{
	memset(k, 0, sizeof *k);
	k->opt = *w;
	if (!k->opt.form)
		k->opt.form = &form_input;
	if (!out_open(&k->out, w->path))
		die("%s:", w->path);
	k->out.line |= w->line;
	if (k->opt.form->binary)
		sink_no_terminal(k);
	k->text.out = &k->out;
	k->text.header = w->header;
	k->text.absolute = w->absolute;
	k->binary.out = &k->out;
	k->binary.absolute = w->absolute;
}

void
sink_no_terminal(const struct sink *k)
{
	if (k->out.tty)
		die("binary output is not written to a terminal");
}

/* One stream of several in an input: what follows its events. */
static void
on_head_done(struct source *s, void *arg)
{
	sink_end(arg, s);
}

void
sink_begin(struct sink *k, unsigned need, struct read_options *opt)
{
	k->part = opt->chunks != 0;
	opt->head_done = on_head_done;
	opt->head_arg = k;
	opt->need = need | k->opt.form->need;
	if (k->opt.form->begin)
		k->opt.form->begin(k, opt);
}

static void
head(struct sink *k, struct source *s)
{
	if (k->heads != s->heads && k->opt.form->head)
		k->opt.form->head(k, s);
	k->heads = s->heads;
}

void
sink_see(struct sink *k, struct source *s, const struct batch *b)
{
	if (k->opt.form->see)
		k->opt.form->see(k, s, b);
}

void
sink_put(struct sink *k, struct source *s, const struct batch *b, const uint32_t *pick,
	 uint32_t n)
{
	head(k, s);
	if (k->opt.form->put)
		k->opt.form->put(k, s, b, pick, n);
}

void
sink_end(struct sink *k, struct source *s)
{
	head(k, s);
	if (k->opt.form->end)
		k->opt.form->end(k, s);
}

int
sink_close(struct sink *k, int status)
{
	if (k->opt.form->close && k->opt.form->close(k) != ST_OK)
		status = ST_TROUBLE;
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
