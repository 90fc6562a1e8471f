/*
 * traits.h - what programs that count, draw and report know of a format, by its name.
 *
 * A reader (input/format.h) knows nothing of this. A format without a row has what holds for any events.
 */
#ifndef SPOOR_TRAITS_H
#define SPOOR_TRAITS_H

#include "input/source.h"

/* How people talk of the events of a format. */
struct format_words {
	const char *events, *event; /* "calls", "call" */
	const char *places, *place; /* "ranks", "rank" */
	const char *y;	/* the default of trace-plot's -y; NULL: it depends on the events */
	const char *of; /* "MPI ": stands before these in a title */
	const char *moves;   /* the title of their rate, or NULL */
	const char *touches; /* the title of their addresses */
};
#define WORDS_TOUCHES "What is touched, over time"

/* Bytes of the name of a state, with its end; and of that of any event or state. */
#define STATE_NAME 64
#define STATE_ROOM (SCHEMA_NAME + STATE_NAME)

/* An expression: the calls that send a message to one rank, which have its size. */
#define MPI_SENDS "MPI_*[sS]end or MPI_Sendrecv* or MPI_Start* and size?"

/* An expression: the rank in the world that such a call sends to, as far as the trace tells: gpeer, or the peer in
 * MPI_COMM_WORLD. It is - where nothing is sent. */
#define MPI_SENDS_TO                                                                  \
	"if(peer = MPI_PROC_NULL, \"-\", if(not peer?, \"(several)\", "               \
	"if(gpeer? or comm = MPI_COMM_WORLD, part(coalesce(gpeer, peer), \"/\", 1), " \
	"\"(unknown)\")))"

struct traits {
	const char *format;
	const struct format_words *words; /* never NULL */
	const struct format_words
	    *state_words; /* where its states are drawn; NULL: the same */
	/* An expression: events whose size is sent; others have that of the same bytes elsewhere.
	 * NULL: all sizes count. */
	const char *sent;
	/* An expression: the place that such an event sends to. NULL if `sent` is. */
	const char *to;
	/* Returns the argument class= that events of a name have besides those of their records; or NULL: none. */
	const struct arg *(*class)(const char *event);
	/* Arguments that some of its events have, with blanks between: a trace without them lacks nothing. NULL: none. */
	const char *arguments;
	/* How to get durations where its records have none, for a message; or NULL. */
	const char *durations;
	/* The report's name for places without events, which are numbers from 0 on. NULL: places
	 * need not be. */
	const char *missing;
	bool
	    files; /* requests are of files; one that does not say of which is not to be told */
	/* Returns how to read requests, for programs that found none in s; or NULL. May be NULL. */
	const char *(*requests)(const struct source *s);
	/* Returns 1 for an event, of n bytes, that enters a state, whose name it sets; -1 for one
	 * that leaves it; 0 for others. May be NULL. */
	int (*state)(const char *event, size_t n, char name[STATE_NAME]);
	/* Returns what people call an event whose name is a code, or NULL. May be NULL. */
	const char *(*long_name)(const char *event);
};

/* Returns the traits of the format of that name; never NULL. */
const struct traits *traits_of(const char *name);
/* Returns whether name[0..n) is one of traits.arguments. */
bool traits_argument(const struct traits *t, const char *name, size_t n);
/* Returns those of the format that s->head names: of a stream, the one that it was made of. */
const struct traits *traits_source(const struct source *s);

/* Returns what people call an event of that name. */
const char *traits_event(const struct traits *t, const char *event);
/* Returns a message on how to read requests from s, or NULL. */
const char *source_requests(const struct source *s);
/* Sets `state` to the longer name of the state that events of a type enter, or that they are. False:
 * none is known. */
bool source_state(const struct source *s, const struct type *ty, char state[STATE_ROOM]);

#endif
