/*
 * event_copy.h - passes the events that an expression is true for from the inputs to a sink; by
 * several threads, if the form can be written in parts.
 *
 * A program that does more with the events has a struct that begins with a struct event_copy, and
 * functions that begin with these functions.
 */
#ifndef SPOOR_EVENT_COPY_H
#define SPOOR_EVENT_COPY_H

#include "expr/filter.h"
#include "input/trace.h"
#include "output/sink.h"

struct event_copy;

/* The additional work of a program, whose struct of `size` bytes begins with a struct event_copy.
 * Members may be NULL. */
struct event_copy_kind {
	size_t size;
	/* Called in place of sink_put for the events that pass, and in place of sink_end:
	 * see consumer. */
	bool (*batch)(void *pass, struct source *s, const struct batch *b);
	void (*end)(void *pass, struct source *s);
	/* For threads, see threads.h. `open` makes `own`, a copy of `whole`, one that has
	 * counted nothing. `add` adds the counts of `own` to `whole`, and returns false to
	 * end the reading. `close` frees what `own` holds. */
	void (*open)(void *own);
	bool (*add)(void *whole, void *own);
	void (*close)(void *own);
	bool alone; /* one thread must do it all */
};

struct event_copy {
	struct sink sink;
	const char *test; /* NULL: all events pass */
	const char *keys; /* the key of prev, nth and total; NULL = loc */
	struct expr *expr;
	const struct event_copy_kind *kind; /* NULL: nothing */
};

/* Parses p->test. Dies if it is wrong. */
void event_copy_parse(struct event_copy *p);
/* Opens the sink of p. `need` is NEED_* of what the caller reads, in addition to what the
 * expression needs. */
void event_copy_begin(struct event_copy *p, const struct write_options *w, unsigned need,
		      struct read_options *read);
/* Reads the inputs into p. Returns the status of trace_each. */
int event_copy_read(struct event_copy *p, const struct read_options *read,
		    char *const *paths, size_t n);
/* Reports the fields that no event had, unless not all events were read. Call it at the end
 * of all inputs. Returns `status`, or ST_TROUBLE. */
int event_copy_finish(struct event_copy *p, const struct read_options *read, int status);
/* Closes the sink; returns the final status. */
int event_copy_close(struct event_copy *p, int status);

#endif
