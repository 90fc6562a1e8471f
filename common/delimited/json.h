/* json.h - records that are objects of JSON: their members, and those that are arguments without being named. */
#ifndef SPOOR_DELIMITED_JSON_H
#define SPOOR_DELIMITED_JSON_H

#include "base/json.h"
#include "delimited/delimited.h"

#define JSON_TOP UINT32_MAX /* the parent of members of the record itself */

/* A value of a record that is a cell, an argument, or an object. */
struct json_member {
	struct span name, value; /* without escapes; an array or an object as it stands */
	uint32_t parent;	 /* the member that it is in */
	unsigned depth;
	int cell;  /* -1: none */
	size_t at; /* of its name as an argument, in names */
	bool arg;  /* it is an argument */
	bool none; /* an array without elements */
	bool dead; /* a later member of that name counts */
};

/* A string, number or boolean of an object, and the bytes between it and the one before. */
struct json_gap {
	const uint8_t *p;
	uint32_t before, length;
	uint32_t member; /* UINT32_MAX: it is no member that counts */
	enum json_kind kind;
};

/* Where a reader is in an input whose records are in an array. */
struct json_walk {
	enum {
		JSON_FILE,  /* in no bracket */
		JSON_ARRAY, /* in the array */
		JSON_OUTER  /* behind it, in the object that it is in */
	} in;
	bool outer; /* there is such an object */
	bool lost;  /* in a line that is skipped */
};

/* Of one input. */
struct delimited_json {
	struct json text;
	struct json_member *m;
	uint32_t n, in[JSON_DEPTH + 1]; /* in: by depth, the member that is entered */
	size_t cap;
	const uint8_t *line; /* the record at hand */
	struct span twice;   /* a name that it has twice; p = NULL: none */
	bool told;	     /* that there was one */
	bool full;	     /* it has more members than can be taken */
	bool read;	     /* json_step has read it */
	bool array;	     /* records are elements of an array, and no lines */
	struct json_walk walk;
	/* json_known.c: values of the record at hand, up to `stop`, and objects that are known. */
	struct json_gap *gap;
	uint32_t ngaps, nknown, last, misses;
	size_t gaps_cap;
	const uint8_t *stop, *end;
	bool odd; /* the record at hand cannot be known */
	struct json_known *known;
	struct buf names, signature;
	struct strtab types; /* signatures of events and their arguments, and */
	uint32_t *type;	     /* the numbers of their types */
	size_t ntypes;
};

/* Reads the object at *at, up to `end`, into c->cell and c->json. Sets *at to the place behind it. Returns NULL, or what is
 * wrong with it. */
const char *json_record(struct delimited *c, const uint8_t **at, const uint8_t *end);
/* The same of a line, which must be an object and nothing else. */
const char *json_line(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Returns true if the input s begins with an array, or with an object that has one by the name traceEvents. */
bool json_is_array(struct source *s);
/* Reads more, for a value that goes on behind what is unread. False: there is no more, or no room. */
bool json_more(struct in *in);

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

/* json_known.c: adds a value of the record at hand, which is that member, or none: UINT32_MAX. */
void json_gap(struct delimited_json *j, const struct json_item *v, uint32_t member);
/* Remembers the record at hand, which was read up to `end`. */
void json_learn(struct delimited_json *j, const uint8_t *end);
/* Reads the record at j->line if json_learn remembers one with the same members. Returns the place behind it; NULL: json_value must read it. */
const uint8_t *json_recall(struct delimited *c, const uint8_t *end);
void json_known_free(struct delimited_json *j);

/* json_event.c: the type of the record at hand, whose event stands in c->name. */
uint32_t json_type_of(struct source *s);
/* Sets the arguments of the record made last that no field names, from the n-th on. */
void json_args(struct source *s, struct batch *b, unsigned n);
/* Fills a batch from an array; as the `next` of a format. */
bool json_next(struct source *s, struct batch *b, const struct line_reader *how);
void json_free(struct delimited_json *j);

#endif
