/*
 * field.h - looks up a field of an event by its name: its form in the records of one type, its value in a record,
 * and its text.
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
	FIELD_END,  /* the end of the event, time + dur */
	FIELD_PART, /* a '/'-separated part of loc, or the metadata of loc */
	FIELD_ARG,
	FIELD_INPUT, /* the name of the input */
};

/* Number of columns that every event may have. */
#define FIELD_COLUMNS FIELD_END

/* Returns true if a column is a time or a length of time. */
static inline bool
field_is_time(unsigned kind)
{
	return kind == FIELD_TIME || kind == FIELD_DUR || kind == FIELD_END;
}

/* How to load the value of a field. */
enum field_load {
	LOAD_NONE,   /* no record of the type has the field */
	LOAD_CONST,  /* a text of the type: the event's name, or a constant argument */
	LOAD_INT,    /* an integer at an offset */
	LOAD_END,    /* time + dur */
	LOAD_STRING, /* number of a string at an offset: loc, its parts, or a symbol */
	/* only field_text gives it: values with names, arrays, reals, bytes */
	LOAD_TEXT,
	LOAD_MIXED, /* differs between types */
};

/* A field in the records of one type. */
struct field {
	uint8_t kind; /* enum field_kind */
	uint8_t load; /* enum field_load */
	uint8_t bit;  /* HAS_* that a record must have; 0: every record has the field */
	/* enum kind, for LOAD_INT and LOAD_END; times in seconds are K_NS */
	uint8_t number;
	bool sign;     /* LOAD_INT and LOAD_END: the value may be negative */
	uint8_t shift; /* 64 less the bits of the value, for LOAD_INT */
	/* number of the part, for FIELD_PART, from 0; LOC_PARTS: metadata */
	uint8_t part;
	uint32_t off;	       /* offset in the record, for LOAD_INT and LOAD_STRING */
	uint32_t len;	       /* length of `text`, for LOAD_CONST */
	const char *text;      /* the value, for LOAD_CONST; the name, for metadata */
	const struct arg *arg; /* the argument, for FIELD_ARG */
};

/* Names the field that holds the input's name, even if an argument is called `input`. Standard input without a
 * label has no name: the field is then the argument. */
#define FIELD_INPUT_KEY ".input"

/* Returns the column whose name the n bytes are (FIELD_TIME to FIELD_END), or
 * FIELD_NONE. */
enum field_kind field_column(const char *name, size_t n);
/* Returns the name of the i-th column, from 0; NULL after the last. */
const char *field_column_name(size_t i);
/* Returns what a reader must fill in (NEED_*) for the field `name`, which may be several names with | between. */
unsigned field_need(const char *name);
/* Finds the field of a name. Looks among the columns, then the names of loc's parts, the type's arguments, loc1,
 * loc2, ..., `input`, and last the metadata of places, whose key is "PLACE:NAME". A name that begins with "arg."
 * is always an argument. The kind is FIELD_NONE if the type has no such field. The result is valid as long as the
 * head and the type. */
struct field field_find(const char *name, const struct head *h, const struct type *ty);
/* Returns the field of an argument. */
struct field field_of_arg(const struct arg *a);
/* Sets *v to the value of a field of LOAD_INT (sign extended) or LOAD_END. Returns false if the record has no
 * value, and for any other field. */
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
/* Sets *part to the value of a FIELD_PART for the location `loc`: one of its parts; or the metadata "PLACE:NAME"
 * of the location or of its first parts, as many as possible, which are appended to `b` as a stream writes them.
 * Returns false if there is no value. */
bool field_of_loc(struct buf *b, const struct head *h, const struct field *f,
		  const struct str *loc, struct span *part);

#endif
