/*
 * field.h - a field of an event, found by its name: its kind in the records of one type,
 * its value in a record, and its text.
 */
#ifndef SPOOR_FIELD_H
#define SPOOR_FIELD_H

#include "base/bytes.h"
#include "event/event.h"

enum field_kind {
	FIELD_NONE, /* this type has no such field */
	FIELD_TIME,
	FIELD_LOC,
	FIELD_EVENT,
	FIELD_ADDR,
	FIELD_SIZE,
	FIELD_DUR,
	FIELD_END,  /* time + dur */
	FIELD_PART, /* a part of loc, of those that '/' separates, or the metadata of
		       loc */
	FIELD_ARG,
	FIELD_INPUT, /* the name of the input */
};

/* How many columns there are. */
#define FIELD_COLUMNS FIELD_END

/* Returns true if a column is a time or a length of time. */
static inline bool
field_is_time(unsigned kind)
{
	return kind == FIELD_TIME || kind == FIELD_DUR || kind == FIELD_END;
}

/* How to load the value. */
enum field_load {
	LOAD_NONE,   /* no record of the type has one */
	LOAD_CONST,  /* the type has its text: the event's name, a constant argument */
	LOAD_INT,    /* an integer at an offset */
	LOAD_END,    /* time + dur */
	LOAD_STRING, /* the number of a string at an offset: loc and its parts, a symbol */
	LOAD_TEXT,   /* only as text: values with names, arrays, reals, bytes */
	LOAD_MIXED,  /* several types, which differ */
};

/* A field in the records of one type. */
struct field {
	uint8_t kind;	/* enum field_kind */
	uint8_t load;	/* enum field_load */
	uint8_t bit;	/* HAS_* that a record must have; 0: every record has the field */
	uint8_t number; /* of LOAD_INT and LOAD_END: enum kind; times in seconds are K_NS */
	bool sign;	/* of LOAD_INT and LOAD_END: the value may be below 0 */
	uint8_t shift;	/* of LOAD_INT: 64 less its bits */
	uint8_t part;	/* of FIELD_PART, from 0; LOC_PARTS: metadata */
	uint32_t off;	/* in the record: of LOAD_INT and LOAD_STRING */
	uint32_t len;	/* of LOAD_CONST */
	const char *text;      /* of LOAD_CONST; of metadata, the name */
	const struct arg *arg; /* of FIELD_ARG */
};

/* The name of the field that holds the input's name, even if an argument is called `input`.
 * Standard input without a label has no name: then the field is the argument. */
#define FIELD_INPUT_KEY ".input"

/* Returns the column whose name the n bytes are (FIELD_TIME to FIELD_END), or
 * FIELD_NONE. */
enum field_kind field_column(const char *name, size_t n);
/* Returns the name of the i-th column, from 0; NULL after the last. */
const char *field_column_name(size_t i);
/* Returns what a reader must fill in (NEED_*) for a field of this name, or for one of
 * several names with | between. */
unsigned field_need(const char *name);
/*
 * Finds the field of a name: first among the columns, then the names of loc's parts, then
 * the type's arguments, then loc1, loc2, ..., then `input`, then metadata of places, whose
 * key is "PLACE:NAME". A name that begins with "arg." is always the name of an argument.
 * The kind is FIELD_NONE if the type has no such field. The result is valid as long as the
 * head and the type.
 */
struct field field_find(const char *name, const struct head *h, const struct type *ty);
/* Returns the field of an argument. */
struct field field_of_arg(const struct arg *a);
/* Sets *v to the value of a field of LOAD_INT (sign extended) or LOAD_END. Returns false if
 * the record has no value, and for any other field. */
static inline bool
field_load(const struct field *f, const struct rec *r, uint64_t *v)
{
	const uint8_t *p = (const uint8_t *)r + f->off;
	uint64_t sign, x;

	if (f->bit & ~r->has)
		return false;
	if (f->load == LOAD_INT) {
		x = ld64(p);
		if (f->shift) {
			sign = (uint64_t)f->sign << 63 >> f->shift;
			x = ((HOST_BIG ? x : x << f->shift) >> f->shift ^ sign) - sign;
		}
		*v = x;
		return true;
	}
	if (f->load != LOAD_END)
		return false;
	*v = (uint64_t)time_plus(f->number == K_NS ? CLOCK_NS : CLOCK_TICKS, r->time,
				 r->dur);
	return true;
}
/* Appends the field's text as a stream writes it. Returns false, without a text, if the
 * value is absent. */
bool field_text(struct buf *b, const struct head *h, const struct tables *t,
		const struct rec *r, const struct field *f);
/*
 * Sets *part to the value of a FIELD_PART for a location: one of its parts; or the metadata
 * "PLACE:NAME" of the location or of its first parts, as many as there are, which are
 * written to `b` as a stream writes them. Returns false if there is none.
 */
bool field_of_loc(struct buf *b, const struct head *h, const struct field *f,
		  const struct str *loc, struct span *part);

#endif
