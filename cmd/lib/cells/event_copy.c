/* event_copy.c - see event_copy.h. */
#include "cells/event_copy.h"

void
event_copy_parse(struct event_copy *p)
{
	p->expr = expr_parse(p->test);
	expr_key(p->expr, p->keys);
}

void
event_copy_begin(struct event_copy *p, const struct write_options *w, unsigned need,
		 struct read_options *read)
{
	sink_open(&p->sink, w);
	sink_begin(&p->sink, need | expr_need(p->expr), read);
}

static bool
put_batch(void *pass, struct source *s, const struct batch *b)
{
	struct event_copy *p = pass;
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
	struct event_copy *own = arg;

	event_copy_parse(own);
	sink_piece(own, from, to);
	if (own->kind->open)
		own->kind->open(own);
}

static enum turn
merge_own(void *arg, void *from)
{
	struct event_copy *whole = arg, *own = from;

	if (sink_join(whole, own) != TURN_ON)
		return TURN_ALONE;
	if (whole->expr)
		expr_merge(whole->expr, own->expr);
	return !own->kind->add || own->kind->add(whole, own) ? TURN_ON : TURN_ENOUGH;
}

static void
close_own(void *arg)
{
	struct event_copy *own = arg;

	if (own->kind->close)
		own->kind->close(own);
	sink_drop(own);
	expr_free(own->expr);
}

int
event_copy_read(struct event_copy *p, const struct read_options *read, char *const *paths,
		size_t n)
{
	static const struct event_copy_kind none = {.size = sizeof *p};
	const struct event_copy_kind *kind = p->kind = p->kind ? p->kind : &none;
	struct threads *threads = &p->sink.threads;
	struct consumer to = {
	    .batch = kind->batch ? kind->batch : put_batch,
	    .end = kind->end ? kind->end : sink_end,
	    .arg = p,
	};

	if (!expr_in_order(p->expr) && !kind->alone)
		to.threads = sink_threads(&p->sink);
	threads->size = kind->size;
	threads->open = open_own;
	threads->merge = merge_own;
	threads->close = close_own;
	return trace_each(read, paths, n, &to);
}

int
event_copy_finish(struct event_copy *p, const struct read_options *read, int status)
{
	/* With --chunk, another part may have a field that this part lacks. */
	return expr_finish(p->expr, false) != ST_OK && !read->chunks ? ST_TROUBLE : status;
}

int
event_copy_close(struct event_copy *p, int status)
{
	status = sink_close(&p->sink, status);
	expr_free(p->expr);
	return status;
}
