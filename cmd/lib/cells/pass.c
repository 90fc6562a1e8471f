/* pass.c - see pass.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "input/threads.h"
#include "cells/pass.h"

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

static bool
put_batch(void *pass, struct source *s, const struct batch *b)
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

static void *
open_own(void *arg, struct buf *to)
{
	const struct pass *whole = arg;
	const struct pass_kind *kind = whole->kind;
	struct pass *own = xcalloc(1, kind ? kind->size : sizeof *own);

	own->test = whole->test;
	own->keys = whole->keys;
	own->kind = kind;
	pass_parse(own);
	sink_piece(&own->sink, &whole->sink, to);
	if (kind && kind->open)
		kind->open(own, whole);
	return own;
}

static enum turn
add_own(void *arg, void *from)
{
	struct pass *whole = arg, *own = from;
	const struct pass_kind *kind = whole->kind;

	if (!sink_join(&whole->sink, &own->sink))
		return TURN_ALONE;
	if (whole->expr)
		expr_merge(whole->expr, own->expr);
	return !kind || !kind->add || kind->add(whole, own) ? TURN_ON : TURN_ENOUGH;
}

static void
close_own(void *arg)
{
	struct pass *own = arg;

	if (own->kind && own->kind->close)
		own->kind->close(own);
	sink_drop(&own->sink);
	expr_free(own->expr);
	free(own);
}

int
pass_read(struct pass *p, const struct read_options *read, char *const *paths, size_t n)
{
	const struct pass_kind *kind = p->kind;
	struct turns turns = {&p->sink.out,
			      open_own,
			      add_own,
			      close_own,
			      p->sink.opt.form == &form_none,
			      p->sink.opt.form != &form_none &&
				  p->sink.opt.form != &form_binary};
	bool alone =
	    !p->sink.opt.form->join || expr_in_order(p->expr) || (kind && kind->alone);
	struct consumer to = {
	    .batch = kind && kind->batch ? kind->batch : put_batch,
	    .end = kind && kind->end ? kind->end : sink_end,
	    .arg = p,
	    .turns = alone ? NULL : &turns,
	};

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
