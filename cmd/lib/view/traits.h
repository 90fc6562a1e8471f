/*
 * traits.h - properties of a format that programs need to count, draw and report its events, by the name of the
 * format.
 *
 * Readers (input/format.h) do not use this file. A format without a row gets the words for any events.
 */
#ifndef SPOOR_TRAITS_H
#define SPOOR_TRAITS_H

#include "input/source.h"

/* The words for the events of a format. */
struct format_words {
	const char *events, *event; /* plural and singular, as "calls" and "call" */
	const char *places, *place; /* plural and singular, as "ranks" and "rank" */
	const char *y;	     /* default of trace-plot's -y; NULL: depends on the events */
	const char *of;	     /* prefix of these words in a title, as "MPI " */
	const char *moves;   /* title of a plot of their rate, or NULL */
	const char *touches; /* title of a plot of their addresses */
};
#define WORDS_TOUCHES "What is touched, over time"

/* Bytes of the name of a state, with its NUL; and of the name of any event or state. */
#define STATE_NAME 64
#define STATE_ROOM (SCHEMA_NAME + STATE_NAME)

/* An expression that is true for calls that send a message to one rank and have its size. */
#define MPI_SENDS "MPI_*[sS]end or MPI_Sendrecv* or MPI_Start* and size?"

/* An expression for the rank in MPI_COMM_WORLD that such a call sends to: gpeer, or the peer in MPI_COMM_WORLD.
 * Its value is "-" if nothing is sent, "(several)" if the call has no peer, and "(unknown)" if the trace does not
 * tell. */
#define MPI_SENDS_TO                                                                  \
	"if(peer = MPI_PROC_NULL, \"-\", if(not peer?, \"(several)\", "               \
	"if(gpeer? or comm = MPI_COMM_WORLD, part(coalesce(gpeer, peer), \"/\", 1), " \
	"\"(unknown)\")))"

struct traits {
	const char *format;
	const struct format_words *words; /* words for its events; never NULL */
	const struct format_words
	    *state_words; /* words for its states in plots; NULL: `words` */
	/* Expression that is true for events whose size is sent; other events have the size of bytes that are
	 * already counted. NULL: all sizes count. */
	const char *sent;
	/* Expression for the place that such an event sends to. NULL if `sent` is NULL. */
	const char *to;
	/* Returns the argument class= that events of this name have in addition to the arguments in their records.
	 * May be NULL: none. */
	const struct arg *(*class)(const char *event);
	/* Arguments that only some events have, with blanks between. A trace without them is complete. NULL: none. */
	const char *arguments;
	/* Part of a message: how to get durations if the records have none. May be NULL. */
	const char *durations;
	/* The report's name for places without events, if places are numbers from 0 on. NULL: places may be
	 * missing. */
	const char *missing;
	bool files; /* requests name a file; programs skip a request that does not */
	/* Returns how to read requests, for programs that found none in s, or NULL. May be NULL. */
	const char *(*requests)(const struct source *s);
	/* Returns 1 and sets `name` to the name of the state if the event, whose name has n bytes, enters a state;
	 * -1 if it leaves one; else 0. May be NULL. */
	int (*state)(const char *event, size_t n, char name[STATE_NAME]);
	/* Returns a readable name of an event whose name is a code, or NULL. May be NULL. */
	const char *(*long_name)(const char *event);
};

/* Returns the traits of the format of that name; never NULL. */
const struct traits *traits_of(const char *name);
/* Returns true if name[0..n) is one of traits.arguments. */
bool traits_argument(const struct traits *t, const char *name, size_t n);
/* Returns the traits of the format in s->head: for a stream, the format that it was made from. */
const struct traits *traits_source(const struct source *s);

/* Returns the readable name of an event; `event` itself if the format has none. */
const char *traits_event(const struct traits *t, const char *event);
/* Returns a message on how to read requests from s, or NULL. */
const char *source_requests(const struct source *s);
/* Sets `state` to the long name of the state that events of a type enter, or that they are. Returns false if there
 * is none. */
bool source_state(const struct source *s, const struct type *ty, char state[STATE_ROOM]);

#endif
