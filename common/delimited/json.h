/* json.h - records that are objects of JSON: their members, and those that are arguments without being named. */
#ifndef SPOOR_DELIMITED_JSON_H
#define SPOOR_DELIMITED_JSON_H

#include "delimited/delimited.h"

#define JSON_TOP UINT32_MAX /* the parent of members of the record itself */

/* A member of a record that a cell, an argument or another member comes from. */
struct json_member {
	struct span name, value; /* without escapes; an array or an object as it stands */
	uint32_t parent,
	    behind; /* the member that it is in; the first one that is not in it */
	int cell;   /* -1: none */
	bool arg;   /* it is an argument */
	bool none;  /* an array without elements */
	bool dead;  /* a later member of that name counts */
};

/* Of one input. */
struct delimited_json {
	struct json_member *m;
	uint32_t n;
	size_t cap;
	struct span twice; /* a name that the record at hand has twice; p = NULL: none */
	bool told;	   /* that there was one */
	bool array;	   /* records are elements of an array, and no lines */
	bool read;	   /* json_step has read the record at hand */
	struct json_walk {
		enum {
			JSON_FILE,  /* in no bracket */
			JSON_ARRAY, /* in an array of records */
			JSON_OUTER  /* behind it, in the object that it is in */
		} in;
		bool outer; /* there is such an object */
		bool lost;  /* up to a line that begins with an object */
	} walk;
	struct buf path, signature;
	struct strtab types; /* signatures of events and their arguments, and */
	uint32_t *type;	     /* the numbers of their types */
	size_t ntypes;
};

/* What is wrong with a text that may only go on. */
extern const char *const json_cut;

/*
 * Reads the object at *at, up to `end`: the members that the layout names into c->cell, and all that are needed into
 * c->json. Sets *at to the place behind it. Returns NULL, or what is wrong with it. 64 bytes behind `end` can be read.
 */
const char *json_record(struct delimited *c, const uint8_t **at, const uint8_t *end);
/* Reads the line [p, end), which must be an object and nothing else, like json_record. */
const char *json_line(struct delimited *c, const uint8_t *p, const uint8_t *end);

/* Returns true if the input s begins with an array, or with an object that has one by the name traceEvents. */
bool json_is_array(struct source *s);

/*
 * Goes on in the input s, whose records are in an array, from the byte *at of what is unread, to the byte that it sets *at
 * to. A record ends in front of *behind; what is wrong there is *why. STEP_MORE: more must be read, or the input ends there.
 */
enum json_step {
	STEP_ON,
	STEP_RECORD,
	STEP_BAD,
	STEP_MORE
};
enum json_step json_step(struct source *s, struct json_walk *w, size_t *at, size_t *behind,
			 const char **why);

/* json_event.c: the type of the record at hand, whose event stands in c->name. */
uint32_t json_type_of(struct source *s);
/* Sets the arguments of the record made last that no field names, behind those that fields name: from the n-th. */
void json_args(struct source *s, struct batch *b, unsigned n);
/* A time or duration of our own streams. Returns NULL, or what is wrong. */
const char *json_time(const struct delimited *c, struct span text, uint64_t *v);
/* Fills a batch from an array; as the `next` of a format. */
bool json_next(struct source *s, struct batch *b, const struct line_reader *how);
/* Says, once, that an object has a name twice. */
void json_say_twice(struct source *s);
void json_free(struct delimited_json *j);

#endif
