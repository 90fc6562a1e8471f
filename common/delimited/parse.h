/* parse.h - the state of reading a description: for delimited_layout.c, which reads fields, and setting.c. */
#ifndef SPOOR_DELIMITED_PARSE_H
#define SPOOR_DELIMITED_PARSE_H

#include "base/die.h"
#include "delimited/delimited.h"

#define NO_TIME "no event is without a time and a name"

struct delimited_parser {
	struct delimited_layout *l;
	unsigned line;	 /* 0 in the description of a preset */
	struct word all; /* the current word */
	char *why;
	size_t size;
	unsigned optional; /* number of optional arguments */
	/* iso: the time is a date; date: an argument is a date; clock: the time is a time of day */
	bool iso, date, clock;
};

/* Writes the error to p->why, with the line number in front. Returns false. */
bool PRINTF(2, 3) delimited_bad(struct delimited_parser *p, const char *fmt, ...);
/* Reports that the part w of the current word is wrong, for the reason `why`. Returns false. */
bool delimited_bad_word(struct delimited_parser *p, struct word w, const char *why);
/* Removes and returns the front of w: the bytes before the first that is in `stop`, or all of them. */
struct word delimited_cut(struct word *w, const char *stop);
/* Removes the byte c from the front of w. Returns false if w does not begin with c. */
bool delimited_take(struct word *w, char c);
/* Reads the number of a column, from 1 to 1023, from the front of w into *n. Returns false after an error. */
bool delimited_column(struct delimited_parser *p, struct word *w, unsigned *n);
/* Reads $COLUMN and what may follow it from the front of w into the new field f. Returns false after an error. */
bool delimited_field_value(struct delimited_parser *p, struct word *w,
			   struct delimited_field *f);
/* Adds the field NAME=w to p->l. Returns false after an error. */
bool delimited_field(struct delimited_parser *p, struct word name, struct word w);

#endif
