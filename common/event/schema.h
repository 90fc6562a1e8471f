/*
 * schema.h - tables that describe the records of a format: rows with the same structure for
 * all formats.
 *
 * A row defines a kind of record. Readers are compiled from it at start, and the manual's
 * tables and `trace-filter --events` are printed from it. Facts of a single format stand in
 * columns of its own behind the shared ones (struct dumpi_row).
 *
 * Fields stand in stored order, as "TYPE NAME:NOTE..., ...". TYPE is a word of the format,
 * or one of schema_kind; TYPE[N] is an array of N, which is a number or a name, TYPE[] one
 * whose length a note or the record tells. A note that is the name of a column (time, loc,
 * event, addr, size, dur) says that the field becomes that column; `key`, that events which
 * enter and leave one state have that value in common. Other notes are the format's.
 */
#ifndef SPOOR_SCHEMA_H
#define SPOOR_SCHEMA_H

#include "base/out.h"
#include "event/event.h"

struct schema_row {
	/* The event's name in a stream; where a field decides, all of them, with | between.
	 */
	const char *event;
	/* Of two events that enter and leave a state, and have the same fields, the other
	 * one; else NULL. */
	const char *leave;
	bool value; /* it begins a state that lasts until the next of its kind */
	/* What marks the record in a file. NULL: the event's name does, or the row's place
	 * (schema.numbered). */
	const char *code;
	const char *name; /* a longer name: see schema_name. NULL = none */
	const char *fields;
	/* Which fields tell the bytes that were moved, and the other side, in words of the
	 * format; NULL where none do. */
	const char *size, *peer;
	/* A sentence for people. NULL: no event; where it has a name, that is a type of
	 * other rows' fields. */
	const char *about;
};

/*
 * A kind of pairs, besides rows that have a `leave`: events that begin something, and those
 * that end it.
 */
struct schema_pair {
	const char *begin, *end; /* expressions, as trace-filter(1) has them */
	const char *keys;	 /* fields whose values both have in common */
	/* The field, or several with | between, that lists what an event begins or ends; then
	 * each of these has an event of its own. NULL: it is one. */
	const char *each;
	/* Of an end: the field that says which of the list, from 0; all where there is none.
	 */
	const char *chosen;
	/* An end goes with all begins that have its keys and the time of the one it goes with. */
	bool all;
	const char *nothing; /* in the list: what is neither begun nor ended */
	const char *dropped; /* an expression: then what was begun has no end. NULL: none */
};

struct schema {
	const void *rows; /* each begins with a struct schema_row */
	size_t n, width;  /* how many, and the bytes of each */
	bool numbered;	  /* a record is marked by the number of its row, from 0 */
	const struct schema_pair *pairs; /* NULL: none */
	size_t npairs;
	bool received; /* recv_bytes can be read without the other arguments: NEED_RECV */
	bool queue;    /* an end goes with the oldest begin, else with the last */
};

/* The i-th row, i < s->n. */
const struct schema_row *schema_row(const struct schema *s, size_t i);

/* Part of a string. */
struct word {
	const char *p;
	size_t n;
};

/* Returns whether the word is the C string s. */
bool word_is(struct word w, const char *s);

struct schema_field {
	struct word type, name;
	struct word count; /* between brackets; p = NULL where there are none */
	struct word notes; /* NOTE:NOTE... */
};

/* Takes the field at *at, the rest of a row's fields, and moves *at behind it. False at the
 * end. */
bool schema_field(const char **at, struct schema_field *f);
/* Takes the first of some notes. False where there is none. */
bool schema_note(struct word *notes, struct word *note);
/* The kind that a type's word means: u8 to u64, i8 to i64, x32 and x64 (written in hex),
 * ns, str. 0 where it is none of these. */
unsigned schema_kind(struct word type);

#define SCHEMA_NAME 48
/*
 * The longer name of a row's event, or of the one that leaves: `name`, which of a state
 * gets .enter or .leave; "a.execute/end" is a.execute and a.end. "" where the row has none.
 */
void schema_name(const struct schema_row *row, bool leave, char to[SCHEMA_NAME]);

#endif
