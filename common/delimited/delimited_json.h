/* delimited_json.h - records that are JSON objects: their members, including those that become arguments without a
 * field. */
#ifndef SPOOR_DELIMITED_JSON_H
#define SPOOR_DELIMITED_JSON_H

#include "base/json.h"
#include "delimited/delimited.h"

#define JSON_TOP UINT32_MAX /* the parent of members of the record itself */

/* A value of a record that is a cell, an argument, or an object. */
struct json_member {
	struct span name, value; /* without escapes; an array or an object unchanged */
	uint32_t parent;	 /* index of the object that contains it */
	unsigned depth;
	int cell;  /* index of the cell; -1 = none */
	size_t at; /* offset in `names` of its name as an argument */
	bool arg;  /* it is an argument */
	bool none; /* it is an array without elements */
	bool dead; /* a later member with the same name counts instead */
};

/* A string, number or boolean of an object. `before` is the number of bytes between it and the previous one. */
struct json_gap {
	const uint8_t *p;
	uint32_t before, length;
	uint32_t member; /* index in m; UINT32_MAX = neither a cell nor an argument */
	enum json_kind kind;
};

/* A reader's position among the brackets around the records of an array. */
struct json_walk {
	enum {
		JSON_FILE,  /* outside of any bracket */
		JSON_ARRAY, /* in the array */
		JSON_OUTER  /* after the array, in the object that contains it */
	} in;
	bool outer; /* the array is in an object */
	bool lost;  /* the reader skips the rest of a line after an error */
};

/* The JSON reader of one input. */
struct delimited_json {
	struct json text;
	struct json_member *m;
	uint32_t n, in[JSON_DEPTH + 1]; /* in: the open object at each depth */
	size_t cap;
	const uint8_t *line; /* the current record */
	struct span twice;   /* a name that the record has twice; p = NULL: none */
	bool told;	     /* a name that occurs twice was reported */
	bool full;	     /* the record has too many members */
	bool read;	     /* json_step has read the record */
	bool array;	     /* records are elements of an array, not lines */
	struct json_walk walk;
	/* For json_known.c: values of the current record, up to `stop`, and known objects. */
	struct json_gap *gap;
	uint32_t ngaps, nknown, last, misses;
	size_t gaps_cap;
	const uint8_t *stop, *end;
	bool odd; /* json_learn cannot remember the current record */
	struct json_known *known;
	struct buf names, signature;
	struct strtab types; /* signatures of events and their arguments ... */
	uint32_t *type;	     /* ... and the numbers of their types */
	size_t ntypes;
};

/* Reads the object at *at, which must end before `end`, into c->cell and c->json, and sets *at to the byte after the
 * object. Returns NULL, or the error in static memory: json_cut if the object goes on after `end`. */
const char *json_record(struct delimited *c, const uint8_t **at, const uint8_t *end);
/* Reads the line [p, end), which must be one object and nothing else, as json_record does. Returns NULL, or the
 * error. A line that json_step has just read is not read again. */
const char *json_line(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Returns true if the input s begins with an array, or with an object that has one by the name traceEvents. */
bool json_is_array(struct source *s);
/* Reads more bytes after the unread ones. Pointers into the buffer become invalid. Returns false if there are no
 * more, or if the buffer has IN_LONGEST bytes already. */
bool json_more(struct in *in);

/*
 * Takes one step through the input s, whose records are elements of an array. The step begins at the unread byte
 * number *at, and *at becomes the number of the byte at which the next step begins. Returns
 *	STEP_ON       it skipped a bracket, a comma or another member
 *	STEP_RECORD   it read a record, which ends before the unread byte number *behind
 *	STEP_BAD      *why is the error at *at
 *	STEP_MORE     the caller must read more bytes (json_more); without more the input ends
 */
enum json_step {
	STEP_ON,
	STEP_RECORD,
	STEP_BAD,
	STEP_MORE
};
enum json_step json_step(struct source *s, struct json_walk *w, size_t *at, size_t *behind,
			 const char **why);

/* Adds a value of the current record to j->gap (json_known.c). `member` is its place in j->m, or UINT32_MAX. */
void json_gap(struct delimited_json *j, const struct json_item *v, uint32_t member);
/* Remembers the current record, which json_value has read up to `end`. */
void json_learn(struct delimited_json *j, const uint8_t *end);
/* Reads the record at c->json->line, whose bytes are readable up to `end`, if json_learn remembers a record with the same
 * members. Sets the members and the cells of c as json_value would. Returns the place after the record, or NULL if
 * json_value must read it. */
const uint8_t *json_recall(struct delimited *c, const uint8_t *end);
/* Frees the objects that json_learn remembers. */
void json_known_free(struct delimited_json *j);

/* Returns the number of the type of the current record, whose event name is in c->name (json_event.c). Adds a new
 * type if needed. */
uint32_t json_type_of(struct source *s);
/* Sets those arguments of the last record of b that no field names. They begin at argument n of its type. */
void json_args(struct source *s, struct batch *b, unsigned n);
/* Fills the batch b from the records of an array, like `next` of struct format; how->line makes each record. Reports
 * malformed JSON by fault(), and skips the rest of its line. Returns false, with an empty batch, at the end of the
 * input. */
bool json_next(struct source *s, struct batch *b, const struct line_reader *how);
/* Frees j and all that it owns; NULL is allowed. */
void json_free(struct delimited_json *j);

#endif
