/* read.c - from traces to what a plot counts, in threads where that is worth it. */
#include "input/trace.h"
#include "plot/plot.h"
#include "work/work.h"

/* The states of one location must come as they begin. */
static unsigned
need_of(const struct source *s)
{
	return source_format(s)->state ? NEED_ORDER : 0;
}

unsigned
plot_need_of(const struct plot_kind *kind, const struct source *s)
{
	return kind->lasts ? need_of(s) : kind->need_of ? kind->need_of(s) : 0;
}

int
plot_read(struct plot *p, struct read_options *opt, char *const *paths, size_t n)
{
	static const struct work_kind kind = {sizeof *p,  plot_like, plot_add,
					      plot_exact, NULL,	     plot_merge,
					      NULL,	  plot_free, NULL};
	const struct plot_options *how = &p->how;
	struct expr *e;
	int status;

	if (p->kind->read)
		return p->kind->read(p, paths, n);
	e = expr_parse(how->test);
	expr_key(e, how->keys);
	/* States are drawn, not where they begin and end. */
	opt->states = (plot_need(p) & NEED_DUR) != 0;
	opt->need = plot_need(p) | expr_need(e);
	opt->need_of = p->kind->lasts ? need_of : p->kind->need_of;
	status = work_read(&kind, p, opt, paths, n, p->kind->each && plot_in_parts(p), e,
			   how->test);
	if (expr_finish(e, how->partial) != ST_OK)
		status = ST_TROUBLE;
	if (plot_finish(p, how->partial) != ST_OK)
		status = ST_TROUBLE;
	expr_free(e);
	return status;
}
