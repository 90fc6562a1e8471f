/* cells_pass.c - see cells_pass.h. */
#include "cells/cells_pass.h"

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

static void
open_own(void *arg, void *from, struct buf *to)
{
	struct pass *own = arg;

	pass_parse(own);
	sink_piece(own, from, to);
	if (own->kind->open)
		own->kind->open(own);
}

static enum turn
merge_own(void *arg, void *from)
{
	struct pass *whole = arg, *own = from;

	if (sink_join(whole, own) != TURN_ON)
		return TURN_ALONE;
	if (whole->expr)
		expr_merge(whole->expr, own->expr);
	return !own->kind->add || own->kind->add(whole, own) ? TURN_ON : TURN_ENOUGH;
}

static void
close_own(void *arg)
{
	struct pass *own = arg;

	if (own->kind->close)
		own->kind->close(own);
	sink_drop(own);
	expr_free(own->expr);
}

int
pass_read(struct pass *p, const struct read_options *read, char *const *paths, size_t n)
{
	static const struct pass_kind none = {.size = sizeof *p};
	const struct pass_kind *kind = p->kind = p->kind ? p->kind : &none;
	struct threads *how = &p->sink.threads;
	struct consumer to = {
	    .batch = kind->batch ? kind->batch : put_batch,
	    .end = kind->end ? kind->end : sink_end,
	    .arg = p,
	};

	if (!expr_in_order(p->expr) && !kind->alone)
		to.threads = sink_threads(&p->sink);
	how->size = kind->size;
	how->open = open_own;
	how->merge = merge_own;
	how->close = close_own;
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
