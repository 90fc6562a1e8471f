/*
 * fuzz_partial.c - bytes as a partial of trace-stats, into a merge.
 *
 * What is accepted is printed, and written as a partial again; that one must be accepted
 * too, and give the same bytes and print the same. Needs memory files (Linux).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dies.h"
#include "cli/cli_formats.h"
#include "stats/stats_partial.h"
#include "summary/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct merge {
	const void *in;
	size_t size;
	struct out *partial, *shown;
	bool good;
};

/* Prints the answer in all ways. */
static void
show(struct query_result *a, struct out *to)
{
	summary_put(a, to, &(struct summary){0});
	if (a->q.report) {
		summary_put(a, to, &(struct summary){.style = 'J'});
		summary_put(a, to, &(struct summary){.style = 'T'});
	} else {
		struct table_by by = {.down = true};

		summary_put(a, to, &(struct summary){.style = 'C', .by = &by, .nsort = 1});
		summary_put(a, to, &(struct summary){.style = 'J', .most = 2});
	}
}

/* What trace-stats -m does, with -p or as a whole. Standard input is the partial: it is not
 * left open where the merge ends the program. */
static void
merge_once(struct merge *m, bool whole)
{
	struct query_result a;
	bool opened = false;

	if (ftruncate(0, 0) < 0 || pwrite(0, m->in, m->size, 0) != (ssize_t)m->size ||
	    lseek(0, 0, SEEK_SET) != 0)
		abort();
	partial_read(&a, &opened, "-");
	partial_check(&a);
	m->good = result_stitch(&a, true);
	result_whole(&a);
	result_check(&a);
	if (whole)
		show(&a, m->shown);
	else
		partial_write(&a, m->partial);
	result_free(&a);
}

static void
merge(void *arg)
{
	merge_once(arg, false);
	merge_once(arg, true);
}

static void
open_memory(struct out *o)
{
	out_open(o, NULL);
	o->fd = memfd_create("out", 0);
	o->line = false;
	if (o->fd < 0)
		abort();
}

static void
rewind_out(struct out *o)
{
	o->p = o->buf;
	o->total = 0;
	if (ftruncate(o->fd, 0) < 0 || lseek(o->fd, 0, SEEK_SET) != 0)
		abort();
}

static void
take(struct out *o, struct buf *b)
{
	out_flush(o);
	b->n = 0;
	if (pread(o->fd, buf_room(b, (size_t)o->total), (size_t)o->total, 0) !=
	    (ssize_t)o->total)
		abort();
	b->n = (size_t)o->total;
}

static void
must_be_same(const char *what, const struct buf *a, const struct buf *b)
{
	if (a->n == b->n && !memcmp(a->p, b->p, a->n))
		return;
	fprintf(stderr, "%s:\n--- %zu\n%.*s\n--- %zu\n%.*s\n", what, a->n, (int)a->n,
		(char *)a->p, b->n, (int)b->n, (char *)b->p);
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct out partial, shown;
	static struct buf written[2], printed[2];
	struct merge m = {data, size, &partial, &shown, false};

	if (!partial.buf) {
		warn_skip(UINT_MAX);
		if (dup2(memfd_create("in", 0), 0) != 0)
			abort();
		open_memory(&partial);
		open_memory(&shown);
	}
	for (int i = 0; i < 2; i++) {
		rewind_out(&partial);
		rewind_out(&shown);
		if (!survives(merge, &m)) {
			if (!i)
				return 0;
			fprintf(stderr, "refused what was written:\n%.*s\n",
				(int)written[0].n, (char *)written[0].p);
			abort();
		}
		take(&partial, &written[i]);
		take(&shown, &printed[i]);
		m.in = written[0].p;
		m.size = written[0].n;
		if (!m.good)
			return 0;
	}
	must_be_same("written again", &written[0], &written[1]);
	must_be_same("shown", &printed[0], &printed[1]);
	return 0;
}
