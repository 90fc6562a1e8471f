/*
 * schema.h - tables that describe the records of a format. All formats use rows of one
 * structure.
 *
 * A row defines a kind of record. Readers are compiled from the rows at start; the tables
 * of the manual and `trace-filter --events` are printed from them. A fact of a single
 * format has a column of its own after the shared columns (struct dumpi_row).
 *
 * Fields are listed in stored order, as "TYPE NAME:NOTE..., ...". TYPE is a word of the
 * format, or one of schema_kind; TYPE[N] is an array of N elements, where N is a number or
 * a name; TYPE[] is an array whose length a note or the record gives. A note that is the
 * name of a column (time, loc, event, addr, size, dur) means that the field becomes this
 * column. The note `key` means that the two events which enter and leave a state have equal
 * values in this field. Other notes belong to the format.
 */
#ifndef SPOOR_SCHEMA_H
#define SPOOR_SCHEMA_H

#include "base/out.h"
#include "event/event.h"

struct schema_row {
	/* The event's name in a stream. If a field of the record decides the name: all possible names, separated
	 * by |. */
	const char *event;
	/* The name of the event that leaves the state, if the row is a pair of events with equal fields that enter
	 * and leave a state; else NULL. */
	const char *leave;
	/* The event begins a state that lasts until the next event of its kind. */
	bool value;
	/* How a file marks the record. NULL: by the event's name, or by the row's place
	 * (schema.numbered). */
	const char *code;
	const char *name; /* a longer name: see schema_name; or NULL */
	const char *fields;
	/* The fields that give the number of bytes moved, and the peer, in words of the format; NULL if there is
	 * none. */
	const char *size, *peer;
	/* A sentence for people. NULL: the row is not an event; if it has a name, the name
	 * is a type that fields of other rows use. */
	const char *about;
};

/*
 * A kind of pairs, in addition to the rows that have a `leave`: events that begin
 * something, and events that end it.
 */
struct schema_pair {
	const char *begin, *end; /* expressions, as trace-filter(1) has them */
	const char *keys;	 /* fields that must be equal in both */
	/* The field (or several, separated by |) that lists what an event begins or ends;
	 * then each element of the list counts as an event. NULL: the event begins or ends
	 * one thing. */
	const char *each;
	/* In an event that ends: the field with the number of the list's element that ends, from
	 * 0. Without this field, all elements end. */
	const char *chosen;
	/* If true, an event that ends ends all begins that have its keys and the time of
	 * the begin it goes with. */
	bool all;
	const char *nothing; /* element of the list that begins and ends nothing */
	/* Expression that is true for events that drop what was begun, or NULL. */
	const char *dropped;
};

struct schema {
	const void *rows; /* array of rows, each of which begins with a struct schema_row */
	size_t n, width;  /* number of rows, and bytes of each */
	bool numbered;	  /* a record is marked by the number of its row, from 0 */
	const struct schema_pair *pairs; /* kinds of pairs, or NULL */
	size_t npairs;
	bool received; /* recv_bytes can be read without the other arguments: NEED_RECV */
	bool queue;    /* an end matches the oldest begin; otherwise the newest */
};

/* Returns the i-th row, i < s->n. */
const struct schema_row *schema_row(const struct schema *s, size_t i);

/* A part of a string. */
struct word {
	const char *p;
	size_t n;
};

/* Returns true if the word is equal to the C string s. */
bool word_is(struct word w, const char *s);

struct schema_field {
	struct word type, name;
	struct word count; /* text between brackets; p = NULL if there are no brackets */
	struct word notes; /* NOTE:NOTE... */
};

/* Parses the next field of a row into *f and moves *at, the rest of the row's fields, past
 * it. Returns false if no field is left. */
bool schema_field(const char **at, struct schema_field *f);
/* Sets *note to the first note in *notes, and removes this note from *notes. The text itself
 * does not change. Returns false, and *note is empty, if no note is left. */
bool schema_note(struct word *notes, struct word *note);
/* Returns the enum kind of a type's word: u8 to u64, i8 to i64, x32 and x64 (written in
 * hex), ns, str. Returns 0 for any other word. */
unsigned schema_kind(struct word type);

#define SCHEMA_NAME 48
/* Writes the longer name of a row's event to `to`; with `leave`, the name of the event that leaves the state. A
 * name of a state gets the suffix .enter or .leave. From the name "a.execute/end", the event that enters is called
 * a.execute, and the event that leaves is called a.end. Writes "" if the row has no longer name. A name is cut
 * after SCHEMA_NAME - 1 bytes. */
void schema_name(const struct schema_row *row, bool leave, char to[SCHEMA_NAME]);

#endif
