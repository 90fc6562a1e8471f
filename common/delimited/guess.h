/* guess.h - what -O columns=auto finds out about an input, and the description that it prints. */
#ifndef SPOOR_GUESS_H
#define SPOOR_GUESS_H

#include <stdio.h>

#include "delimited/delimited.h"

#define LINES 1000
#define COLUMNS 64
#define VALUES 32 /* that a column of names has, at most */

enum column_role {
	R_NONE,
	R_TIME,
	R_EVENT,
	R_ADDR,
	R_SIZE,
	R_DUR,
	R_LOC,
	R_CLOCK /* the time of day, behind the column of its date */
};

/* Names of columns by meaning, without signs and units, each with a blank after it. */
static const char *const meanings[] = {
    [R_TIME] =
	"time timestamp ts t start starttime begin when date datetime optime arrival "
	"arrivaltime ",
    [R_EVENT] = "op optype operation type iotype event name rw rwbs opcode action call cmd "
		"method syscall func function request requesttype ",
    [R_ADDR] = "offset addr address lba lbn block sector fileoffset iooffset pos off ",
    [R_SIZE] = "size length len bytes nbytes iosize requestsize sizebytes objectsize "
	       "requestiosizebytes ",
    [R_DUR] = "latency lat dur duration elapsed response responsetime servicetime ",
    [R_LOC] =
	"host hostname node device dev disk disknumber volume volumeid lun cpu core rank "
	"pid tid thread file filename path asu client server user ",
};

struct guess_column {
	struct span name; /* of the header, or of a member of JSON */
	uint64_t seen;	  /* objects that have it */
	/* Numbers of values: numbers, whole ones, hexadecimal ones, dates with times, dates, times of day, ... */
	uint64_t numbers, whole, hex, dates, days, clocks, absent, later;
	uint64_t least, most, last;
	bool blocks;	      /* all are multiples of 512 */
	struct strtab values; /* VALUES + 1 at most */
	enum column_role role;
	const char *unit;
};

struct guess {
	struct delimited c;
	struct delimited_layout l;
	struct span line[LINES];
	struct span comment;  /* the last one before the first line */
	size_t nlines, first; /* `first`: behind a header */
	bool numbered;	      /* names are no header */
	/* The description, and the bytes that it was guessed from. */
	FILE *out;
	char *text;
	size_t size, bytes;
	unsigned n;    /* columns of most lines */
	uint64_t rows; /* lines with so many */
	struct guess_column col[COLUMNS];
};

/* guess_names.c. Returns the unit of numbers that are times since 1970 or 1601, by their size, and the column's name, if that has a
 * unit. NULL: they are none. */
const char *guess_time_unit(const struct guess_column *k, unsigned *epoch);
/* Writes the name without signs and capitals, and without a unit at its end, which goes to k->unit. */
void guess_plain_name(struct guess_column *k, char name[40]);
/* Returns true if `name` is one of the list's words, a blank after each. */
bool guess_is_meant(const char *list, const char *name);
/* guess_put.c: writes the fields of the description to g->out. */
void guess_put_fields(struct guess *g);

#endif
