/*
 * pass.h - the events that an expression is true for, from the inputs to a sink: by several
 * threads, where the form can be written in pieces.
 *
 * A program that does more with them has a struct that begins with this one, and functions that
 * begin with these.
 */
#ifndef SPOOR_PASS_H
#define SPOOR_PASS_H

#include "expr/filter.h"
#include "input/trace.h"
#include "input/turns.h"
#include "output/sink.h"

struct pass {
	struct sink sink;
	const char *test; /* NULL: all events pass */
	const char *keys; /* the key of prev, nth and total; NULL = loc */
	struct expr *expr;
};

/* Parses p->test. Dies where it is wrong. */
void pass_parse(struct pass *p);
/* Opens the sink of p, which needs `need` of the readers besides what its expression does. */
void pass_begin(struct pass *p, const struct write_options *w, unsigned need,
		struct read_options *read);
/* Reads the inputs into p, with consumer.batch and turns of the caller's own, or, where `own`
 * is NULL, pass_batch. Gives the status of a trace_each. */
int pass_read(struct pass *p, const struct read_options *read, char *const *paths, size_t n,
	      const struct consumer *own);
/* At the end of all inputs: says which fields no event had, unless not all events were read.
 * Gives `status`, or ST_TROUBLE. */
int pass_finish(struct pass *p, const struct read_options *read, int status);
/* Closes the sink; gives the final status. */
int pass_close(struct pass *p, int status);

/* For a consumer of a struct pass. */
bool pass_batch(void *pass, struct source *s, const struct batch *b);

/* For turns: `own` becomes one as `whole`, of a thread, which writes to `to`. */
void pass_open(struct pass *own, const struct pass *whole, struct buf *to);
void pass_add(struct pass *whole, struct pass *own);
void pass_free(struct pass *own);
/* Whether p's events can be taken in turns. */
bool pass_in_turns(const struct pass *p);

#endif
