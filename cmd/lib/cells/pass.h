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
#include "output/sink.h"

struct pass;

/* What a program does besides, with a struct of so many bytes that begins with a struct pass. Members may
 * be NULL. */
struct pass_kind {
	size_t size;
	/* In place of sink_put of the events that pass, and of sink_end: see consumer. */
	bool (*batch)(void *pass, struct source *s, const struct batch *b);
	void (*end)(void *pass, struct source *s);
	/* For threads, see threads.h: `own`, a copy of `whole`, becomes one that has counted nothing; adds what it
	 * has counted to `whole`, and false ends the reading; frees what it holds. */
	void (*open)(void *own);
	bool (*add)(void *whole, void *own);
	void (*close)(void *own);
	bool alone; /* one thread must do it all */
};

struct pass {
	struct sink sink;
	const char *test; /* NULL: all events pass */
	const char *keys; /* the key of prev, nth and total; NULL = loc */
	struct expr *expr;
	const struct pass_kind *kind; /* NULL: nothing */
};

/* Parses p->test. Dies where it is wrong. */
void pass_parse(struct pass *p);
/* Opens the sink of p, which needs `need` of the readers besides what its expression does. */
void pass_begin(struct pass *p, const struct write_options *w, unsigned need,
		struct read_options *read);
/* Reads the inputs into p. Gives the status of a trace_each. */
int pass_read(struct pass *p, const struct read_options *read, char *const *paths,
	      size_t n);
/* At the end of all inputs: says which fields no event had, unless not all events were read.
 * Gives `status`, or ST_TROUBLE. */
int pass_finish(struct pass *p, const struct read_options *read, int status);
/* Closes the sink; gives the final status. */
int pass_close(struct pass *p, int status);

#endif
