/* pass.c - see pass.h. */
#include <stdlib.h>

#include "output/pass.h"

void
pass_parse(struct pass *p)
{
	p->expr = expr_parse(p->test);
	expr_key(p->expr, p->keys);
}

void
pass_begin(struct pass *p, const struct write_options *w, unsigned need,
	   struct read_options *read)
{
	sink_open(&p->sink, w);
	sink_begin(&p->sink, need | expr_need(p->expr), read);
}

bool
pass_batch(void *pass, struct source *s, const struct batch *b)
{
	struct pass *p = pass;
	uint32_t room[BATCH], n;
	const uint32_t *pick;

	if (expr_choose(p->expr, s, b, room, &pick, &n)) {
		sink_see(&p->sink, s, b);
		sink_put(&p->sink, s, b, pick, n);
	}
	return true;
}

bool
pass_in_turns(const struct pass *p)
{
	return p->sink.opt.form->join && !expr_in_order(p->expr);
}

void
pass_open(struct pass *own, const struct pass *whole, struct buf *to)
{
	own->test = whole->test;
	own->keys = whole->keys;
	pass_parse(own);
	sink_piece(&own->sink, &whole->sink, to);
}

void
pass_add(struct pass *whole, struct pass *own)
{
	if (whole->expr)
		expr_merge(whole->expr, own->expr);
	sink_join(&whole->sink, &own->sink);
}

void
pass_free(struct pass *own)
{
	sink_drop(&own->sink);
	expr_free(own->expr);
}

static void *
open_own(void *arg, struct buf *to)
{
	struct pass *own = xcalloc(1, sizeof *own);

	pass_open(own, arg, to);
	return own;
}

static bool
add_own(void *arg, void *own)
{
	pass_add(arg, own);
	return true;
}

static void
close_own(void *own)
{
	pass_free(own);
	free(own);
}

int
pass_read(struct pass *p, const struct read_options *read, char *const *paths, size_t n,
	  const struct consumer *own)
{
	struct turns turns = {&p->sink.out, open_own, add_own, close_own};
	struct consumer to = {pass_batch, NULL, sink_end, p, &turns};

	if (own)
		to = *own;
	if (!pass_in_turns(p))
		to.turns = NULL;
	return trace_each(read, paths, n, &to);
}

int
pass_finish(struct pass *p, const struct read_options *read, int status)
{
	/* Another part may have a field that this one lacks. */
	return expr_finish(p->expr, false) != ST_OK && !read->chunks ? ST_TROUBLE : status;
}

int
pass_close(struct pass *p, int status)
{
	status = sink_close(&p->sink, status);
	expr_free(p->expr);
	return status;
}
