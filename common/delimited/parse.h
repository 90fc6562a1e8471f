/* parse.h - a description that is being read: for layout.c, which reads fields, and setting.c. */
#ifndef SPOOR_DELIMITED_PARSE_H
#define SPOOR_DELIMITED_PARSE_H

#include "base/die.h"
#include "delimited/delimited.h"

#define NO_TIME "no event is without a time and a name"

struct delimited_parser {
	struct delimited_layout *l;
	unsigned line;	 /* 0: what a preset says */
	struct word all; /* the word at hand */
	char *why;
	size_t size;
	unsigned optional; /* arguments */
	bool iso, date;	   /* the time is a date; an argument is one */
};

/* What is wrong: false. */
bool PRINTF(2, 3) delimited_bad(struct delimited_parser *p, const char *fmt, ...);
/* Of the word at hand the part w is wrong. */
bool delimited_bad_word(struct delimited_parser *p, struct word w, const char *why);
/* Takes what stands before the first of the bytes `stop`, or all, off the front of w. */
struct word delimited_cut(struct word *w, const char *stop);
/* The same of the byte c, where w begins with it. */
bool delimited_take(struct word *w, char c);
/* The number of a column, from 1. */
bool delimited_column(struct delimited_parser *p, struct word *w, unsigned *n);
/* $COLUMN and what may follow it, of a field that is new. */
bool delimited_field_value(struct delimited_parser *p, struct word *w,
			   struct delimited_field *f);
/* NAME=w, a field. */
bool delimited_field(struct delimited_parser *p, struct word name, struct word w);

#endif
