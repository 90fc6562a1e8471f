/*
 * event_copy.h - copies the events that match an expression from the inputs to a sink; with several threads, if
 * the output form can be written in parts.
 *
 * A program that does more with the events has a struct that begins with a struct event_copy, and functions that
 * begin with the functions below.
 */
#ifndef SPOOR_EVENT_COPY_H
#define SPOOR_EVENT_COPY_H

#include "expr/filter.h"
#include "input/trace.h"
#include "output/sink.h"

struct event_copy;

/* The additional work of a program, whose struct has `size` bytes and begins with a struct event_copy. Members may
 * be NULL. */
struct event_copy_kind {
	size_t size;
	/* Called for the events that match instead of sink_put, and at the end of an input instead of sink_end;
	 * see consumer. */
	bool (*batch)(void *pass, struct source *s, const struct batch *b);
	void (*end)(void *pass, struct source *s);
	/* For threads, see threads.h. `open` turns `own`, a copy of the main struct, into one that has counted
	 * nothing. `add` adds the counts of `own` to `whole`; it returns false to end the reading. `close` frees
	 * what `own` holds. */
	void (*open)(void *own);
	bool (*add)(void *whole, void *own);
	void (*close)(void *own);
	bool alone; /* one thread must do everything */
};

struct event_copy {
	struct sink sink;
	const char *test; /* the expression; NULL: all events match */
	const char *keys; /* the key of prev, nth and total; NULL = loc */
	struct expr *expr;
	const struct event_copy_kind *kind; /* NULL: nothing in addition */
};

/* Parses p->test into p->expr, which event_copy_close frees. Dies if the test or p->keys is wrong. */
void event_copy_parse(struct event_copy *p);
/* Opens the sink of p. Dies if the output cannot be opened. `need` is the NEED_* flags of what the caller reads; they, and
 * the flags of the expression and of the output form, are stored in *read (sink_begin). */
void event_copy_begin(struct event_copy *p, const struct write_options *w, unsigned need,
		      struct read_options *read);
/* Copies the events of the inputs to the sink of p. Returns ST_OK, or ST_TROUBLE if there
 * were errors (trace_each). */
int event_copy_read(struct event_copy *p, const struct read_options *read,
		    char *const *paths, size_t n);
/* Reports the fields that no event had. Call it at the end of all inputs. Returns ST_TROUBLE if it has reported a field
 * and no part of an input was asked for (--chunk), otherwise `status`. */
int event_copy_finish(struct event_copy *p, const struct read_options *read, int status);
/* Closes the sink and frees p->expr. Returns the final status: `status`, or a greater one if the output failed
 * (sink_close). */
int event_copy_close(struct event_copy *p, int status);

#endif
