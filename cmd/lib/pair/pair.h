/*
 * pair.h - events that begin something and those that end it become one that lasts.
 *
 * An engine takes the batches of a source and gives batches of a source of its own, with
 * tables of its own. A pair has the type of its begin, and what its end says otherwise as
 * arguments end.NAME; what has no partner gets the argument unpaired.
 */
#ifndef SPOOR_PAIR_H
#define SPOOR_PAIR_H

#include "expr/filter.h"
#include "input/source.h"

#define PAIR_RULES 32 /* kinds of pairs at most */

/* The pairs that a program asks for. */
struct pair_options {
	/* The n-th begin and the n-th end are a kind of pair; none: those of the format. Names of
	 * pairs; one is that of all. */
	struct pair_texts {
		const char *v[PAIR_RULES];
		unsigned n;
	} begin, end, name;
	const char *keys; /* fields that must be equal; NULL: the format's, or loc */
	bool queue;	  /* an end takes the oldest begin, not the innermost */
	bool self;	  /* pairs get self= */
	bool by_end;	  /* in order of end: nothing waits */
	bool drop;	  /* what has no partner is not given */
	/* All else is given too, as it came: what does nothing, and what has no partner. Only
	 * where states are those of a schema's rows. */
	bool keep;
};

struct pairing;

/* The functions that take the events that come out. */
struct pair_sink {
	void (*put)(void *arg, struct source *s, const struct batch *b);
	void (*end)(void *arg, struct source *s); /* of all under a head */
	void *arg;
};

/* Gives the source `own` of a sink the head of s; the tables of `own` stay. Called by whoever gives events. */
void pair_sink_head(struct source *own, const struct source *s);
/* The events under that head have ended: says so, and what of s was lost. The tables are empty then. */
void pair_sink_end(const struct pair_sink *to, struct source *own, struct source *s);

/* Begins. Dies, with a message, where an option is wrong. */
struct pairing *pairing_new(const struct pair_options *o, const struct pair_sink *to);
/* Returns which fields readers must fill in: NEED_*. */
unsigned pairing_need(const struct pairing *x);
/* Takes a batch of s. */
void pairing_take(struct pairing *x, struct source *s, const struct batch *b);
/* The events under a head, or of an input, have ended: gives all that waits. */
void pairing_end(struct pairing *x, struct source *s);
/* At the end of all input: ST_TROUBLE where a name was that of no field; frees x. */
int pairing_finish(struct pairing *x);

#endif
