/*
 * fuzz_same.c - two ways that must give the same.
 *
 * Whatever the bytes are: read by the quick way of this machine, and by the slow parser
 * alone; as text, and as text that went through the binary stream; filtered and counted as
 * they are, and as either stream; read in whole, and in three parts; counted in one pass,
 * in parts that are merged, and by four threads. A difference is an abort. Needs memory
 * files (Linux).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "own_files.h"
#include "stats/query_result.h"
#include "summary/summary.h"
#include "expr/filter.h"
#include "cli/cli_formats.h"
#include "base/tuning.h"
#include "output/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const exprs[] = {
    "size > 100",
    "event ~ \"[a-mR]*\" and not loc = 1",
    "addr >= 5 and addr < 1M or dur?",
    "loc1 = 0 or size in {512, 4K..8K}",
};

static int file = -1; /* what sinks write to */

static void
open_sink(struct sink *k, const struct form *form, bool header)
{
	sink_open(k, &(struct write_options){.form = form, .header = header});
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
	form_text.close(k);
}

static bool
open_source(struct source *s, const struct read_options *opt, const struct buf *in,
	    const char *path)
{
	return path ? source_open(s, opt, &path, 1)
		    : source_memory(s, opt, "fuzz", in->p, in->n);
}

/* Events in a form (NULL is text with its header), those that an expression is true for
 * when there is one. Gives whether there was trouble. */
static bool
convert(const struct buf *in, const char *path, const struct read_options *opt,
	const struct form *form, const char *expr, struct buf *to)
{
	static struct batch b;
	uint32_t pick[BATCH];
	struct expr *e = expr ? expr_parse(expr) : NULL;
	struct source s;
	struct sink k;

	if (!open_source(&s, opt, in, path))
		abort();
	open_sink(&k, form ? form : &form_text, !form);
	while (source_next(&s, &b)) {
		uint32_t m = e ? expr_run(e, &s, &b, pick) : b.n;

		sink_put(&k, &s, &b, e ? pick : NULL, m);
	}
	source_end(&s);
	sink_end(&k, &s);
	source_close(&s);
	take_sink(&k, to);
	if (e)
		expr_free(e);
	return s.trouble;
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

/* Whether all streams of a text with headers have one clock. Without a header such a text
 * is read as if it had the clock of its first event. */
static bool
one_clock(const struct buf *headed)
{
	static const char ticks[] = "\n##clock\tticks", s[] = "\n##clock\ts\t";

	return !memmem(headed->p, headed->n, ticks, strlen(ticks)) ||
	       !memmem(headed->p, headed->n, s, strlen(s));
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

/* Adds what is read to an answer. False where there was trouble. */
static bool
count(struct query_result *a, const struct buf *in, const char *path,
      const struct read_options *opt)
{
	static struct batch b;
	struct source s;

	if (!open_source(&s, opt, in, path))
		abort();
	while (source_next(&s, &b))
		result_add(a, &s, &b, NULL, b.n);
	source_end(&s);
	result_done(a, &s);
	source_close(&s);
	return !s.trouble;
}

static void
put_answer(struct query_result *a, struct buf *to)
{
	struct sink k;

	open_sink(&k, &form_text, false);
	summary_put(a, &k.out, &(struct summary){.style = a->q.report ? 'T' : 0});
	take_sink(&k, to);
	result_free(a);
}

/* What is read to answer a question. */
static struct read_options
options_of(const struct query_result *a, const struct format *f)
{
	return (struct read_options){.known = formats,
				     .sniffers = sniffers,
				     .need = result_need(a),
				     .need_of = a->q.report ? queries_need : NULL,
				     .only = f,
				     .quiet = true};
}

/* What is counted of a file in three parts, and by threads, as in one pass. */
static void
counted_in_parts(const struct format *f, const char *path, const struct query *q)
{
	static struct buf one, merged;
	char *paths[] = {(char *)(uintptr_t)path};
	struct read_options opt;
	struct query_result a, b;
	bool good;

	result_open(&a, q);
	opt = options_of(&a, f);
	good = count(&a, NULL, path, &opt) && result_exact(&a);
	put_answer(&a, &one);
	result_open(&a, q);
	opt.chunks = 3;
	for (opt.chunk = 1; opt.chunk <= 3; opt.chunk++) {
		result_open(&b, q);
		good &= count(&b, NULL, path, &opt);
		result_merge(&a, &b);
		result_free(&b);
	}
	good &= result_stitch(&a, false) && result_exact(&a);
	put_answer(&a, &merged);
	if (good)
		must_be_same("counted in one pass and in parts", &one, &merged);

	/* Threads cost a millisecond: not every time. */
	if (one.n % 8)
		return;
	opt.chunk = opt.chunks = 0;
	opt.threads = 4;
	result_open(&a, q);
	good = result_read(&a, &opt, paths, 1, NULL, NULL);
	put_answer(&a, &merged);
	if (good)
		must_be_same("counted by one thread and by four", &one, &merged);
}

/* A file in three parts: its events, and what is counted of them. */
static void
in_parts(const struct format *f, const char *path, const struct buf *whole)
{
	static const struct query table = {.keys = "event",
					   .aggs = "count,sum(size),max(addr),mean(dur),"
						   "sum(gap),first(loc),distinct(addr)",
					   .bits = 7,
					   .empty = true},
				  report = {.report = true, .bits = 7};
	static struct buf part, all;
	struct read_options opt = {.need = NEED_ALL, .only = f, .quiet = true};

	all.n = 0;
	opt.chunks = 3;
	for (opt.chunk = 1; opt.chunk <= 3; opt.chunk++) {
		convert(NULL, path, &opt, &form_text, NULL, &part);
		buf_add(&all, part.p, part.n);
	}
	events_only(&all);
	must_be_same("whole and in parts", whole, &all);
	counted_in_parts(f, path, &table);
	counted_in_parts(f, path, &report);
}

/* The same question to the input and to its two streams. */
static void
in_streams(const struct format *f, const struct buf *in, const struct buf *text,
	   const struct buf *binary)
{
	static const struct query queries[] = {
	    {.keys = "event,loc",
	     .aggs = "count,sum(size),mean(dur),min(addr),p50(size),distinct(loc),"
		     "first(addr),last(time),sum(gap),top(event,3)",
	     .bits = 7,
	     .empty = true},
	    {.report = true, .bits = 7}};
	const struct format *const forms[] = {f, &fmt_binary, &fmt_text};
	const struct buf *const inputs[] = {in, binary, text};
	static struct buf put[3];
	struct read_options opt;
	struct query_result a;

	for (int i = 0; i < 6; i++) {
		result_open(&a, &queries[i / 3]);
		opt = options_of(&a, forms[i % 3]);
		count(&a, inputs[i % 3], NULL, &opt);
		put_answer(&a, &put[i % 3]);
		if (i % 3)
			must_be_same(i % 3 == 1
					 ? "counted as it is and as the binary stream"
					 : "counted as it is and as the text stream",
				     &put[0], &put[i % 3]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct buf text, headed, binary, again, filtered, refiltered;
	static int input = -1;
	static char path[64];
	const struct buf in = {(uint8_t *)(uintptr_t)data, size, size};
	struct read_options opt = {.known = formats,
				   .sniffers = sniffers,
				   .need = NEED_ALL | NEED_RAW,
				   .quiet = true},
			    as_text = opt, as_binary = opt;
	const char *expr;
	struct source s;
	const struct format *f;
	bool broken;

	if (file < 0) {
		warn_skip(UINT_MAX);
		tuning.worth = 1;
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
	as_text.only = &fmt_text;
	as_binary.only = &fmt_binary;
	broken = convert(&in, NULL, &opt, &form_text, NULL, &text);
	convert(&in, NULL, &opt, &form_binary, NULL, &binary);
	convert(&in, NULL, &opt, NULL, NULL, &headed);
	tuning.simd = "slow";
	convert(&in, NULL, &opt, &form_binary, NULL, &again);
	must_be_same("binary by the quick way and by the slow parser", &binary, &again);
	convert(&in, NULL, &opt, NULL, NULL, &again);
	tuning.simd = NULL;
	must_be_same("text by the quick way and by the slow parser", &headed, &again);
	convert(&binary, NULL, &as_binary, &form_text, NULL, &again);
	expr = exprs[size ? data[size / 2] % 4 : 0];
	convert(&in, NULL, &opt, &form_text, expr, &filtered);
	events_only(&filtered);
	convert(&headed, NULL, &as_text, &form_text, expr, &refiltered);
	events_only(&refiltered);
	must_be_same(expr, &filtered, &refiltered);
	if (one_clock(&headed)) {
		convert(&text, NULL, &as_text, &form_text, expr, &refiltered);
		events_only(&refiltered);
		must_be_same(expr, &filtered, &refiltered);
	}
	convert(&binary, NULL, &as_binary, &form_text, expr, &refiltered);
	events_only(&refiltered);
	must_be_same(expr, &filtered, &refiltered);
	events_only(&text);
	events_only(&again);
	must_be_same("text, and text through the binary stream", &text, &again);
	/* What nobody asks for is not decoded, so that a record may be good to who counts
	 * and broken to who writes it. */
	if (!broken)
		in_streams(f, &in, &headed, &binary);
	/* A header in the middle belongs to no part of its own. */
	if (format_cutting(f)->cut_unit && !broken && !memchr(data, '#', size)) {
		if (ftruncate(input, 0) < 0 ||
		    pwrite(input, data, size, 0) != (ssize_t)size)
			abort();
		in_parts(f, path, &text);
	}
	return 0;
}
