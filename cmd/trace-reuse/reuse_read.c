/* reuse_read.c - reads the inputs, with several threads if parts can be counted apart, and reports what was left out. */
#include "trace-reuse/reuse.h"
#include "work/work.h"

static bool
exact(const void *reuse)
{
	return !((const struct reuse *)reuse)->full;
}

static void
open_like(void *reuse, const void *like)
{
	const struct reuse *from = like;
	char *const *paths = from->paths;
	size_t n = from->npaths;
	struct reuse_question q = from->q;
	struct reuse *x = reuse;
	bool partial = from->partial;

	reuse_open(x, &q);
	x->paths = paths;
	x->npaths = n;
	x->partial = x->in_part = partial;
}

bool
reuse_in_order(const struct reuse *x)
{
	return result_in_order(&x->ids) || (x->value && exprs_in_order(x->value));
}

unsigned
reuse_need(const struct reuse *x)
{
	return result_need(&x->ids) | NEED_ORDER | (x->value ? exprs_need(x->value) : 0) |
	       (!x->q.value    ? NEED_ADDR | NEED_SIZE
		: x->q.objects ? NEED_SIZE
			       : 0);
}

/* Returns true if threads can read parts. Times, windows and the limit of weights depend on the place in the whole
 * input; and a partial result of several threads would have a part for each part that a thread read. */
static bool
in_parts(const struct reuse *x)
{
	return !x->partial && !x->q.objects && !x->weight && !x->q.times && !x->q.window &&
	       !x->q.counts && !reuse_in_order(x);
}

int
reuse_read(struct reuse *x, struct read_options *read, char *const *paths, size_t n,
	   struct expr *e, const char *text)
{
	static const struct work_kind kind = {
	    sizeof *x,	 open_like,    reuse_add,  exact,	    reuse_part_end,
	    reuse_merge, reuse_stitch, reuse_free, reuse_part_begin};
	int status;

	x->paths = paths;
	x->npaths = n;
	x->in_part = x->partial;
	read->need = reuse_need(x) | expr_need(e);
	status = work_read(&kind, x, read, paths, n, in_parts(x), e, text);
	for (uint32_t i = 0; x->q.policy != REUSE_LRU && i < x->ncurves; i++)
		reuse_simulate(&x->curve[i]);
	return status;
}

int
reuse_check(struct reuse *x)
{
	int status = result_check(&x->ids);
	uint64_t all = 0, changed = 0;

	if (x->value && exprs_finish(x->value, false) != ST_OK)
		status = ST_TROUBLE;
	for (uint32_t i = 0; i < x->ncurves; i++) {
		all += curve_references(&x->curve[i], REUSE_WAYS);
		changed += x->curve[i].changed;
	}
	if (changed)
		warn("--bytes: %llu reference%s changed sizes of objects: the %s "
		     "count",
		     (unsigned long long)changed, changed == 1 ? "" : "s",
		     x->q.policy == REUSE_LRU ? "new ones" : "sizes at entry");
	if (x->unknown) {
		warn("%llu event%s left out: %s", (unsigned long long)x->unknown,
		     x->unknown == 1 ? " is" : "s are",
		     !x->weight ? "no size"
		     : x->size	? "no size, or no whole number as --weight"
				: "no whole number as --weight");
		status = ST_TROUBLE;
	}
	if (x->without && !all && !x->q.value)
		warn("no event has an addr and a size: use -K to say what is referenced");
	if (x->beyond) {
		warn("%llu event%s left out: they touch more than %u blocks, or bytes "
		     "beyond 2^64%s",
		     (unsigned long long)x->beyond, x->beyond == 1 ? " is" : "s are",
		     BLOCKS_MOST,
		     x->size || x->weight ? ", or sizes or weights sum to 2^62" : "");
		status = ST_TROUBLE;
	}
	if (x->back) {
		warn("-w: times go back: %llu reference%s counted in a later window than "
		     "%s own (--by-time orders)",
		     (unsigned long long)x->back, x->back == 1 ? " is" : "s are",
		     x->back == 1 ? "its" : "their");
		status = ST_TROUBLE;
	}
	return status;
}
