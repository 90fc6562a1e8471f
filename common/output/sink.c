/* sink.c - opens, writes and closes an output through its form. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/put.h"
#include "event/value.h"
#include "output/sink.h"

/* Opens the output as a directory, for a trace of format `name`. Dies if that fails. */
static void
open_directory(struct sink *k, const char *name)
{
	const char *path = k->opt.path;

	put_init(); /* out_open calls it too */
	if (!path)
		die("a trace of %s is a directory: give -o DIR", name);
	if (atomic_open(path, true, &k->dir) == 0)
		return;
	if (errno == EEXIST || errno == ENOTEMPTY)
		die("%s: the name is taken; give a new or an empty directory", path);
	die("%s:", path);
}

/* Gives the directory its final name if `status` is not ST_TROUBLE. Returns the final status. */
static int
close_directory(struct sink *k, int status)
{
	if (status == ST_TROUBLE)
		warn("%s: not written because of errors (spoor-options(7), -o: how to keep "
		     "what "
		     "is whole)",
		     k->opt.path);
	if (!atomic_close(k->dir, status != ST_TROUBLE)) {
		warn("%s: rename:", k->opt.path);
		status = ST_TROUBLE;
	}
	return status;
}

void
sink_open(struct sink *k, const struct write_options *w)
{
	memset(k, 0, sizeof *k);
	k->opt = *w;
	if (!k->opt.form)
		k->opt.form = &form_input;
	if (w->directory || k->opt.form->directory) {
		open_directory(k, w->directory ? w->directory : k->opt.form->directory);
		return;
	}
	if (!out_open(&k->out, w->path))
		die("%s:", w->path);
	k->out.line |= w->line;
	if (k->opt.form->binary)
		sink_no_terminal(k);
}

void
sink_no_terminal(const struct sink *k)
{
	if (k->out.tty)
		die("binary output is not written to a terminal");
}

void
sink_begin(struct sink *k, unsigned need, struct read_options *opt)
{
	k->part = opt->chunks != 0;
	k->writes = true;
	opt->head_done = sink_end;
	opt->head_arg = k;
	opt->need = need | k->opt.form->need;
	if (k->opt.form->begin)
		k->opt.form->begin(k, opt);
}

static void
sink_head(struct sink *k, struct source *s)
{
	if (k->head_serial != s->head_serial && k->opt.form->head && !k->whole)
		k->opt.form->head(k, s);
	k->head_serial = s->head_serial;
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
	sink_head(k, s);
	if (k->opt.form->put)
		k->opt.form->put(k, s, b, pick, n);
}

void
sink_end(void *sink, struct source *s)
{
	struct sink *k = sink;

	sink_head(k, s);
	if (k->opt.form->end)
		k->opt.form->end(k, s);
}

/* Writes a header and an end to a stream if no input could be read: without them, the stream would look like a
 * trace without events. */
static void
put_trouble(struct sink *k)
{
	const struct form *f = k->opt.form == &form_input ? &form_text : k->opt.form;
	struct source s = {
	    .head_serial = 1, .head.format = "-", .faults.where = "no input could be read"};

	if (f == &form_binary || (f == &form_text && k->opt.header)) {
		f->head(k, &s);
		f->end(k, &s);
	}
}

int
sink_close(struct sink *k, int status)
{
	k->trouble = status == ST_TROUBLE;
	if (k->trouble && k->writes && !k->head_serial)
		put_trouble(k);
	if (k->opt.form->close && k->opt.form->close(k) != ST_OK)
		status = ST_TROUBLE;
	status = k->dir ? close_directory(k, status) : out_close(&k->out, status);
	return status;
}

void
sink_values(struct sink *k, const struct span *v, size_t n)
{
	struct buf line = {0};

	for (size_t i = 0; i < n; i++) {
		value_str(&line, v[i].p, v[i].n);
		buf_byte(&line, i + 1 < n ? '\t' : '\n');
	}
	out_bytes(&k->out, line.p, line.n);
	buf_free(&line);
}
