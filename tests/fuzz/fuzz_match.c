/*
 * fuzz_match.c - a trace of MPI calls is matched, once in the order of sends, once as what is left over, for clocks,
 * and for the critical path; its first byte says how. What is given is events of types that are known, each as long as it says.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_formats.h"
#include "match/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
put(void *arg, struct source *s, const struct batch *b)
{
	size_t *events = arg;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct rec *r = batch_rec(b, i);

		if (r->type >= s->t.ntypes || r->len < s->t.type[r->type].fixed ||
		    r->len % 8 || r->loc >= s->t.str.n)
			abort();
		++*events;
	}
}

static void
end(void *arg, struct source *s)
{
	(void)arg;
	(void)s;
}

static size_t
pass(const uint8_t *p, size_t n, const struct match_options *o)
{
	static struct batch b;
	struct read_options opt = {
	    .known = formats, .sniffers = sniffers, .need = NEED_ALL};
	size_t events = 0;
	struct match *x;
	struct source s;

	if (!source_memory(&s, &opt, "fuzz", p, n))
		return 0;
	x = match_new(o, &(struct pair_sink){put, end, &events});
	while (source_next(&s, &b))
		match_take(x, &s, &b);
	source_end(&s);
	match_end(x, &s);
	match_free(x);
	source_close(&s);
	return events;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct match_options o = {0};
	struct out clocks;
	struct buf written = {0};

	warn_skip(UINT_MAX);
	if (!size)
		return 0;
	o.by_end = *data & 1;
	o.eager = *data >> 1 & 1;
	pass(data + 1, size - 1, &o);
	o.left = true;
	pass(data + 1, size - 1, &o);
	out_memory(&clocks, &written);
	o = (struct match_options){.clocks = &clocks};
	if (pass(data + 1, size - 1, &o))
		abort();
	out_memory_close(&clocks);
	o = (struct match_options){.critical = true, .eager = *data >> 1 & 1};
	pass(data + 1, size - 1, &o);
	buf_free(&written);
	return 0;
}
