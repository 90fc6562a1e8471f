/* read.c - from traces to what a plot counts, in threads where that is worth it. */
#include <stdlib.h>
#include <string.h>

#include "input/trace.h"
#include "ovni/ovni.h"
#include "plot/plot.h"
#include "stats/work.h"

/* Appends `text`, if there is one, between two others; "and" parts it from what is there. */
static void
condition(struct buf *b, const char *before, const char *text, const char *behind)
{
	if (!text)
		return;
	if (b->n)
		buf_add(b, " and ", 5);
	buf_add(b, before, strlen(before));
	buf_add(b, text, strlen(text));
	buf_add(b, behind, strlen(behind));
}

const char *
plot_condition(const struct plot_options *how, struct buf *b)
{
	/* A message shows what was typed, where that is all. */
	if (!how->from && !how->to)
		return how->test;
	condition(b, "(", how->test, ")");
	condition(b, "time >= ", how->from, "");
	condition(b, "time < ", how->to, "");
	return buf_text(b);
}

/* The states of one location must come as they begin. */
static unsigned
need_of(const char *format)
{
	return strcmp(format, "ovni") != 0 ? 0 : NEED_ORDER;
}

unsigned
plot_need_of(const struct plot_kind *kind, const char *format)
{
	return kind->lasts ? need_of(format) : kind->need_of ? kind->need_of(format) : 0;
}

static void
free_plot(void *p)
{
	plot_free(p);
	free(p);
}

/* False, with an empty plot, where one must read all, or does as well. */
static bool
in_threads(struct plot *p, const struct read_options *opt, char *const *paths, size_t n,
	   struct expr *e, const char *text)
{
	static const struct work_kind kind = {plot_like, plot_add,   plot_exact,
					      NULL,	 plot_merge, free_plot};
	const struct plot_kind *of = p->kind;
	struct plot_options how = p->how;
	bool began;

	if (!how.threads || !of->each || !plot_in_parts(p))
		return false;
	if (work_run(&kind, p, opt, paths, n, how.threads, e, text, &began) &&
	    plot_exact(p)) {
		format_unused(opt);
		return true;
	}
	if (began) {
		plot_free(p);
		plot_open(p, of, &how);
	}
	return false;
}

struct pass {
	struct plot *plot;
	struct expr *expr;
};

static bool
add(void *arg, struct source *s, const struct batch *b)
{
	const struct pass *r = arg;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	expr_choose(r->expr, s, b, room, &pick, &n);
	plot_add(r->plot, s, b, pick, n);
	return true;
}

int
plot_read(struct plot *p, struct read_options *opt, char *const *paths, size_t n)
{
	const struct plot_options *how = &p->how;
	struct ovni_options *ovni = format_values(opt, &fmt_ovni);
	struct pass r = {.plot = p};
	struct buf b = {0};
	int status = ST_OK;
	const char *text;

	if (p->kind->read)
		return p->kind->read(p, paths, n);
	text = plot_condition(how, &b);
	r.expr = expr_parse(text);
	expr_key(r.expr, how->keys);
	/* States of ovni are drawn, not where they begin and end. */
	ovni->pairs |= (plot_need(p) & NEED_DUR) != 0;
	opt->need = plot_need(p) | expr_need(r.expr);
	opt->need_of = p->kind->lasts ? need_of : p->kind->need_of;
	if (!in_threads(p, opt, paths, n, r.expr, text))
		status = trace_each(opt, paths, n, &(struct consumer){add, NULL, NULL, &r});
	if (expr_finish(r.expr, how->partial) != ST_OK)
		status = ST_TROUBLE;
	if (plot_finish(p, how->partial) != ST_OK)
		status = ST_TROUBLE;
	expr_free(r.expr);
	buf_free(&b);
	return status;
}
