/* ovni.h - ovni traces: the table of events, and options of the reader. */
#ifndef SPOOR_OVNI_H
#define SPOOR_OVNI_H

#include "event/schema.h"
#include "input/source.h"

#define OVNI_HEADER 8	   /* bytes of a stream's header: "ovni" and a version */
#define OVNI_EVENT 12	   /* of an event without payload */
#define OVNI_JUMBO 0x10	   /* flag: a size and so many bytes follow */
#define OVNI_RESERVED 0xe0 /* flags that no event has */
#define OVNI_ARGS 4	   /* most arguments of an event */

enum ovni_role {
	OVNI_POINT,
	OVNI_ENTER,
	OVNI_LEAVE,
	OVNI_VALUE, /* begins a state that lasts until the next value of its channel */
};

/* When the time of a state counts, as a viewer of the emulator's trace shows it. */
enum ovni_counts {
	OVNI_NEVER, /* no state there */
	OVNI_ALWAYS,
	OVNI_RUNNING, /* while the thread runs */
	OVNI_ACTIVE,  /* while it runs, cools or warms */
};

/* The kind of number in an event that has a label elsewhere in the trace. */
enum ovni_labelled {
	OVNI_NO_LABEL,
	OVNI_TASK, /* its first argument is a task, whose type has a label */
	OVNI_TYPE, /* it is such a type */
	OVNI_MARK, /* value and type of a mark */
};

/*
 * States nest in channels, and the states of one channel only among themselves. Marks have
 * one for each of their types, from OVNI_CHAN_MARK on.
 */
#define OVNI_MARKS 100 /* types of marks that the library allows: 0 to 99 */
#define OVNI_CHANS (32 + OVNI_MARKS)
#define OVNI_CHAN_MARK 32

struct ovni_event {
	char mcv[4];
	enum ovni_role role;
	bool jumbo;
	char name[SCHEMA_NAME]; /* dotted */
	unsigned nargs;
	struct {
		char name[16];
		unsigned kind; /* enum kind; K_STR: up to a NUL */
	} arg[OVNI_ARGS];
	const struct ovni_event *other; /* the partner of ENTER and LEAVE */
	uint8_t chan;
	uint8_t counts;	  /* enum ovni_counts, of its channel */
	uint8_t labelled; /* enum ovni_labelled */
	bool counters;	  /* as many i64 as the metadata name */
	bool names;	  /* it labels a type of tasks, or gives a task its type */
};

/* The row of the event with these three letters (model, category, value), or NULL. */
const struct ovni_event *ovni_event(const uint8_t mcv[3]);
/* Reads letters as release 1.0.0 meant them. To be called before all other functions here. */
void ovni_release_old(void *options, const char *what);
/* The name that an event has in that release only, or there too; false when it has none. */
bool ovni_old_name(const uint8_t mcv[3], char name[SCHEMA_NAME]);
/* All events, in the table's order. */
const struct ovni_event *ovni_events(size_t *n);
/* The table as it is printed: the events of release 1.14.0. */
extern const struct schema ovni_schema;

extern const struct format fmt_ovni;
extern const struct sniffer sniff_ovni;

/* Options of the format; all false without any. */
struct ovni_options {
	bool serial;	   /* one stream after the other, as they lie */
	bool raw_clock;	   /* clock-offsets.txt is not applied */
	bool names;	   /* an argument name= with the dotted name */
	bool pairs;	   /* enter and leave become one event with a duration */
	int64_t old;	   /* not 0: ovni_release_old was called */
	bool follow_links; /* those that lead out of a trace, too */
	bool paths;	   /* loc is the stream's path, as ovnidump shows it */
};

/* Called once for each pair of metadata, with key and value as they stand. */
typedef void ovni_meta_fn(void *arg, const char *key, const char *value);
/* Calls fn(arg, ...) for every metadata pair of the traces of s, a source of fmt_ovni. */
void ovni_meta(struct source *s, ovni_meta_fn *fn, void *arg);

#endif
