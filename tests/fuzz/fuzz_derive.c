/*
 * fuzz_derive.c - the first line of the input is definitions of trace-derive, the rest a
 * trace of any format. Its events are derived and written as text and as the binary stream;
 * what that reads back must be the same text. Needs memory files (Linux).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dies.h"
#include "cli/cli_formats.h"
#include "expr/derive.h"
#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct job {
	char *defs;
	const uint8_t *p;
	size_t n;
};

/* An output to memory. */
struct kept_form {
	struct sink k;
	int fd;
};

static void
keep(struct kept_form *o, const struct form *form)
{
	struct write_options w = {.form = form, .header = true};

	o->fd = memfd_create("derive", 0);
	if (o->fd < 0)
		abort();
	sink_open(&o->k, &w);
	o->k.out.fd = o->fd;
}

/* What was written; the output is closed. */
static void
kept_take(struct kept_form *o, struct buf *to)
{
	size_t n;

	out_flush(&o->k.out);
	n = (size_t)o->k.out.total;
	to->n = 0;
	if (pread(o->fd, buf_room(to, n), n, 0) != (ssize_t)n)
		abort();
	to->n = n;
	close(o->fd);
	free(o->k.out.buf);
	form_text.close(&o->k);
}

static void
end_both(void *arg, struct source *s)
{
	struct kept_form *to = arg;

	sink_end(&to[0].k, s);
	sink_end(&to[1].k, s);
}

/* Reads a trace; its events, derived if d is there, go to the outputs. False where no format
 * knows it. *lost: some were not written. */
static bool
pass(struct derive *d, const struct format *only, const uint8_t *p, size_t n,
     struct kept_form to[2], bool *lost)
{
	static struct batch b;
	struct read_options opt = {.known = formats,
				   .sniffers = sniffers,
				   .need = NEED_ALL,
				   .only = only,
				   .head_done = end_both,
				   .head_arg = to};
	const struct batch *out = &b;
	struct source s, *made = &s;

	if (!source_memory(&s, &opt, "fuzz", p, n))
		return false;
	while (source_next(&s, &b)) {
		if (d)
			made = derive_run(d, &s, &b, NULL, b.n, &out);
		for (int i = 0; made && i < 2; i++)
			sink_put(&to[i].k, made, out, NULL, out->n);
	}
	source_end(&s);
	end_both(to, &s);
	*lost = s.trouble;
	source_close(&s);
	return true;
}

static void
run(void *arg)
{
	const struct job *j = arg;
	struct exprs *l = exprs_parse(j->defs, PARSE_LIST | PARSE_DEFINES, NULL);
	struct derive *d = derive_new(l);
	struct buf text = {0}, binary = {0}, again = {0};
	struct kept_form to[2];
	bool known, lost, lost_too;

	keep(&to[0], &form_text);
	keep(&to[1], &form_binary);
	known = pass(d, NULL, j->p, j->n, to, &lost);
	derive_finish(d);
	derive_free(d);
	kept_take(&to[0], &text);
	kept_take(&to[1], &binary);
	if (known && binary.n) {
		keep(&to[0], &form_text);
		keep(&to[1], &form_none);
		if (!pass(NULL, &fmt_binary, binary.p, binary.n, to, &lost_too))
			abort();
		kept_take(&to[0], &again);
		kept_take(&to[1], &binary);
		/* The end of a stream says what was lost in other words. */
		if (!lost && (text.n != again.n || memcmp(text.p, again.p, text.n) != 0))
			abort();
	}
	buf_free(&text);
	buf_free(&binary);
	buf_free(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size ? memchr(data, '\n', size) : NULL;
	struct job j;

	warn_skip(UINT_MAX);
	if (!nl)
		return 0;
	j.defs = xcalloc(1, (size_t)(nl - data) + 1);
	memcpy(j.defs, data, (size_t)(nl - data));
	j.p = nl + 1;
	j.n = size - (size_t)(j.p - data);
	/* A regular expression may take for ever: see fuzz_expr.c. */
	if (!strchr(j.defs, '~') && !strstr(j.defs, "sub("))
		survives(run, &j);
	free(j.defs);
	return 0;
}
