/* ovni.h - ovni traces: the table of events, and options of the reader. */
#ifndef SPOOR_OVNI_H
#define SPOOR_OVNI_H

#include "event/schema.h"
#include "input/source.h"

#define OVNI_HEADER 8	   /* bytes of a stream's header: "ovni" and a version */
#define OVNI_EVENT 12	   /* bytes of an event without payload */
#define OVNI_JUMBO 0x10	   /* flag: a size and so many bytes of data follow */
#define OVNI_RESERVED 0xe0 /* flags that must be 0 */
#define OVNI_ARGS 4	   /* largest number of arguments of an event */

enum ovni_role {
	OVNI_POINT,
	OVNI_ENTER,
	OVNI_LEAVE,
	OVNI_VALUE, /* begins a state that lasts until the next value of its channel */
};

/* The part of a state's time that counts, as a viewer of the emulator's trace shows it. */
enum ovni_counts {
	OVNI_NEVER, /* the viewer shows no state */
	OVNI_ALWAYS,
	OVNI_RUNNING, /* the time while the thread runs */
	OVNI_ACTIVE,  /* the time while the thread runs, cools or warms */
};

/* The kind of number in an event that has a label elsewhere in the trace. */
enum ovni_labelled {
	OVNI_NO_LABEL,
	OVNI_TASK, /* its first argument is a task, whose type has a label */
	OVNI_TYPE, /* its first argument is a type of tasks */
	OVNI_MARK, /* it has the value and the type of a mark */
};

/* States nest in channels: a state ends only states of its own channel. Each type of marks has its own channel,
 * from OVNI_CHAN_MARK on. */
#define OVNI_MARKS 100 /* number of mark types that the library allows: 0 to 99 */
#define OVNI_CHANS (32 + OVNI_MARKS)
#define OVNI_CHAN_MARK 32

struct ovni_event {
	char mcv[4];
	enum ovni_role role;
	bool jumbo;
	char name[SCHEMA_NAME]; /* dotted name */
	unsigned nargs;
	struct {
		char name[16];
		unsigned kind; /* enum kind; K_STR: a string up to a NUL */
	} arg[OVNI_ARGS];
	const struct ovni_event *other; /* the event that leaves the state, or enters it */
	uint8_t chan;
	uint8_t counts;	  /* enum ovni_counts of its channel */
	uint8_t labelled; /* enum ovni_labelled */
	bool counters;	  /* it has as many i64 as the metadata name counters */
	bool names;	  /* it labels a type of tasks, or gives a task its type */
};

/* Returns the event with these three letters (model, category, value), or NULL. */
const struct ovni_event *ovni_event(const uint8_t mcv[3]);
/* Makes letters mean what they meant in release 1.0.0. Must be called before all other functions here. */
void ovni_release_old(void *options, const char *what);
/* Stores the name of an event that had these letters in release 1.0.0, but not later. Returns false if there is
 * none. */
bool ovni_old_name(const uint8_t mcv[3], char name[SCHEMA_NAME]);
/* Returns all events, in the order of the table, and their number in *n. */
const struct ovni_event *ovni_events(size_t *n);
/* The table of the events of release 1.14.0, for printing. */
extern const struct schema ovni_schema;

extern const struct format fmt_ovni;
extern const struct sniffer sniff_ovni;

/* Options of the format; all are false by default. */
struct ovni_options {
	bool serial;	   /* read one stream after the other, without merging */
	bool raw_clock;	   /* do not apply clock-offsets.txt */
	bool names;	   /* add an argument name= with the dotted name */
	bool pairs;	   /* make one event with a duration of enter and leave */
	bool cpu;	   /* make such events, cut where the CPU of their thread changes */
	int64_t old;	   /* not 0 if ovni_release_old was called */
	bool follow_links; /* follow links that lead out of a trace, too */
	bool paths;	   /* loc is the path of the stream, as ovnidump shows it */
};

/* Takes a pair of metadata. The key and value are not escaped. */
typedef void ovni_meta_fn(void *arg, const char *key, const char *value);
/* Calls fn(arg, ...) for every metadata pair of the traces of s, a source of fmt_ovni. */
void ovni_meta(struct source *s, ovni_meta_fn *fn, void *arg);

#endif
