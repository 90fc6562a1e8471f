/*
 * pair.h - joins an event that begins something and the event that ends it into one event with a duration.
 *
 * The engine takes the batches of a source, and gives batches of its own source, with its own tables. A pair has
 * the type of its begin; arguments of its end with another value become arguments end.NAME. An event without a
 * partner gets the argument unpaired.
 */
#ifndef SPOOR_PAIR_H
#define SPOOR_PAIR_H

#include "expr/filter.h"
#include "input/source.h"

#define PAIR_RULES 32 /* Limit of the kinds of pairs. */

/* Options: the pairs that a program asks for. */
struct pair_options {
	/* Expressions: the n-th begin and the n-th end make one kind of pair. Without any, the format's pairs.
	 * `name` names the pairs of each kind; a single name is for all kinds. */
	struct pair_texts {
		const char *v[PAIR_RULES];
		unsigned n;
	} begin, end, name;
	const char *keys; /* fields that must be equal; NULL: the format's, or loc */
	bool queue;	  /* an end takes the oldest begin, not the innermost */
	bool self;	  /* add the argument self= to pairs */
	bool by_end;	  /* give pairs in order of their ends, so that none waits */
	bool drop;	  /* drop events without a partner */
	/* Give all other events too, unchanged: events without an effect, and events without a partner. Only for
	 * formats whose schema has rows with states. */
	bool keep;
};

struct pairing;

/* The functions that receive the output. */
struct pair_sink {
	void (*put)(void *arg, struct source *s, const struct batch *b);
	void (*end)(void *arg, struct source *s); /* called at the end of each head */
	void *arg;
};

/* Sets the source `own` of a sink to the head of s; `own` keeps its tables. The engine that gives events calls
 * this. */
void pair_sink_head(struct source *own, const struct source *s);
/* Ends the events under a head: calls to->end, and passes on what was lost of s. Empties the tables of `own`. */
void pair_sink_end(const struct pair_sink *to, struct source *own, struct source *s);

/* Returns a new engine. Dies, with a message, if an option is wrong. pairing_finish frees it. */
struct pairing *pairing_new(const struct pair_options *o, const struct pair_sink *to);
/* Returns the columns that readers must fill in: NEED_*. */
unsigned pairing_need(const struct pairing *x);
/* Takes a batch of s. */
void pairing_take(struct pairing *x, struct source *s, const struct batch *b);
/* Ends a head or an input of s: gives all events that wait. */
void pairing_end(struct pairing *x, struct source *s);
/* Ends all input and frees x. Returns ST_TROUBLE if a name was no field, else ST_OK. */
int pairing_finish(struct pairing *x);

#endif
