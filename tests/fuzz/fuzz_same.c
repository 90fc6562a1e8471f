/*
 * fuzz_same.c - two ways that must give the same.
 *
 * Whatever the bytes are: as text, and as text that went through the binary stream;
 * filtered as they are, and filtered as text; read in whole, and in three parts; counted in
 * one pass, and in parts that are merged. A difference is an abort. Needs memory files
 * (Linux).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "answer.h"
#include "chunk.h"
#include "expr.h"
#include "formats.h"
#include "sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const exprs[] = {
    "size > 100",
    "event ~ \"[a-mR]*\" and not loc = 1",
    "addr >= 5 and addr < 1M or dur?",
    "loc1 = 0 or size in {512, 4K..8K}",
};

static int file = -1; /* what sinks write to */

static void
open_sink(struct sink *k, int form)
{
	struct common c = {.form = form};

	sink_open(k, &c);
	k->out.fd = file;
	k->out.line = false;
	if (ftruncate(file, 0) < 0 || lseek(file, 0, SEEK_SET) != 0)
		abort();
}

/* What the sink wrote. */
static void
take_sink(struct sink *k, struct buf *to)
{
	size_t n;

	out_flush(&k->out);
	n = (size_t)k->out.total;
	to->n = 0;
	if (pread(file, buf_room(to, n), n, 0) != (ssize_t)n)
		abort();
	to->n = n;
	free(k->out.buf);
	text_free(&k->text);
	binary_free(&k->binary);
}

/* Events in a form, those that an expression is true for when there is one. False where no
 * format knows the bytes. */
static bool
convert(const void *p, size_t n, const char *path, const struct read_options *opt, int form,
	const char *expr, struct buf *to, bool *trouble)
{
	static struct batch b;
	uint32_t pick[BATCH];
	struct expr *e = expr ? expr_parse(expr) : NULL;
	struct source s;
	struct sink k;
	bool known =
	    path ? source_open(&s, opt, &path, 1) : source_memory(&s, opt, "fuzz", p, n);

	to->n = 0;
	if (known) {
		open_sink(&k, form);
		while (source_next(&s, &b)) {
			uint32_t m = e ? expr_run(e, &s, &b, pick) : b.n;

			sink_put(&k, &s, &b, e ? pick : NULL, m);
		}
		source_end(&s);
		sink_end(&k, &s);
		*trouble = s.trouble;
		source_close(&s);
		take_sink(&k, to);
	}
	if (e)
		expr_free(e);
	return known;
}

/* Leaves out header lines, which say how an input ended. */
static void
events_only(struct buf *b)
{
	uint8_t *to = b->p, *p = b->p, *end = b->p + b->n, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			abort();
		if (*p == '#')
			continue;
		memmove(to, p, (size_t)(nl + 1 - p));
		to += nl + 1 - p;
	}
	b->n = (size_t)(to - b->p);
}

static void
must_be_same(const char *what, const struct buf *a, const struct buf *b)
{
	if (a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n)))
		return;
	fprintf(stderr, "%s:\n--- %zu\n%.*s\n--- %zu\n%.*s\n", what, a->n, (int)a->n,
		a->n ? (char *)a->p : "", b->n, (int)b->n, b->n ? (char *)b->p : "");
	abort();
}

/* Adds what is read of a path to an answer. */
static bool
count(struct answer *a, const char *path, const struct read_options *opt)
{
	static struct batch b;
	struct source s;
	bool good;

	if (!source_open(&s, opt, &path, 1))
		return false;
	while (source_next(&s, &b))
		answer_add(a, &s, &b, NULL, b.n);
	source_end(&s);
	good = !s.trouble;
	answer_done(a, &s);
	source_close(&s);
	return good;
}

static void
put_answer(struct answer *a, struct buf *to)
{
	struct sink k;

	open_sink(&k, 't');
	stats_put(&a->st[0], &k.out);
	take_sink(&k, to);
	answer_free(a);
}

/* Both of a file in three parts: its events, and what is counted of them. */
static void
in_parts(const struct format *f, const char *path, const struct buf *whole)
{
	static const struct question q = {.keys = "event",
					  .aggs = "count,sum(size),max(addr),mean(dur)",
					  .bits = 7,
					  .empty = true};
	static struct buf part, all, one, merged;
	struct read_options opt = {.need = NEED_ALL, .only = f, .quiet = true};
	struct answer a, b;
	bool trouble, good;

	all.n = 0;
	opt.chunks = 3;
	for (opt.chunk = 1; opt.chunk <= 3; opt.chunk++) {
		if (!convert(NULL, 0, path, &opt, 't', NULL, &part, &trouble))
			abort();
		buf_add(&all, part.p, part.n);
	}
	events_only(&all);
	must_be_same("whole and in parts", whole, &all);

	opt.chunk = opt.chunks = 0;
	answer_open(&a, &q);
	opt.need = answer_need(&a);
	good = count(&a, path, &opt);
	put_answer(&a, &one);
	answer_open(&a, &q);
	opt.chunks = 3;
	for (opt.chunk = 1; opt.chunk <= 3; opt.chunk++) {
		answer_open(&b, &q);
		good &= count(&b, path, &opt);
		answer_merge(&a, &b);
		answer_free(&b);
	}
	good &= answer_stitch(&a, false);
	put_answer(&a, &merged);
	if (good)
		must_be_same("counted in one pass and in parts", &one, &merged);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct buf text, binary, again, filtered, refiltered;
	static int input = -1;
	static char path[64];
	struct read_options opt = {.need = NEED_ALL | NEED_RAW, .quiet = true};
	const char *expr;
	struct source s;
	const struct format *f;
	bool trouble, broken;

	if (file < 0) {
		warn_quiet();
		file = memfd_create("out", 0);
		input = memfd_create("in", 0);
		if (file < 0 || input < 0)
			abort();
		snprintf(path, sizeof path, "/proc/self/fd/%d", input);
	}
	if (!source_memory(&s, &opt, "fuzz", data, size))
		return 0;
	f = s.fmt;
	source_close(&s);
	opt.only = f;
	convert(data, size, NULL, &opt, 't', NULL, &text, &broken);
	convert(data, size, NULL, &opt, 'b', NULL, &binary, &trouble);
	opt.only = &fmt_binary;
	convert(binary.p, binary.n, NULL, &opt, 't', NULL, &again, &trouble);
	expr = exprs[size ? data[size / 2] % 4 : 0];
	opt.only = f;
	convert(data, size, NULL, &opt, 't', expr, &filtered, &trouble);
	opt.only = &fmt_text;
	convert(text.p, text.n, NULL, &opt, 't', expr, &refiltered, &trouble);
	events_only(&text);
	events_only(&again);
	must_be_same("text, and text through the binary stream", &text, &again);
	events_only(&filtered);
	events_only(&refiltered);
	must_be_same(expr, &filtered, &refiltered);
	/* A header in the middle belongs to no part of its own, and a line may be broken
	 * only because of what stands before it, as a time that goes back is. */
	if (f->grain && !broken && !memchr(data, '#', size)) {
		if (ftruncate(input, 0) < 0 ||
		    pwrite(input, data, size, 0) != (ssize_t)size)
			abort();
		in_parts(f, path, &text);
	}
	return 0;
}
