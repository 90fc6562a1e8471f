/* guess.h - the statistics of an input from which -O columns=auto guesses, and the description that it prints. */
#ifndef SPOOR_GUESS_H
#define SPOOR_GUESS_H

#include <stdio.h>

#include "delimited/delimited.h"

#define LINES 1000
#define COLUMNS 64
#define VALUES 32 /* limit of the different values of a column of names */

enum column_role {
	R_NONE,
	R_TIME,
	R_EVENT,
	R_ADDR,
	R_SIZE,
	R_DUR,
	R_LOC,
	R_CLOCK /* the time of day, after a column with its date */
};

/* Names of columns by role, in lower case without signs and units, each with a blank after it. */
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
	struct span name; /* name in the header, or of a JSON member */
	uint64_t seen;	  /* number of objects that have it */
	/* Counts of the values that are numbers, whole numbers, hexadecimal numbers, dates with times, dates,
	 * times of day, absent, and not less than the previous number. */
	uint64_t numbers, whole, hex, dates, days, clocks, absent, later;
	uint64_t least, most, last;
	bool blocks;	      /* all numbers are multiples of 512 */
	struct strtab values; /* different values, at most VALUES + 1 */
	enum column_role role;
	const char *unit;
};

struct guess {
	struct delimited c;
	struct delimited_layout l;
	struct span line[LINES];
	struct span comment;  /* last comment before the first line */
	size_t nlines, first; /* first: index of the first line after the header */
	/* The names come from a comment, so the description uses column numbers. */
	bool numbered;
	/* The description; bytes: of the input from which it is guessed. */
	FILE *out;
	char *text;
	size_t size, bytes;
	unsigned n;    /* number of columns of most lines */
	uint64_t rows; /* number of lines with n columns */
	struct guess_column col[COLUMNS];
};

/* Returns the unit of numbers that are times since 1970 or 1601, judged by their size and by the unit in the
 * column's name (guess_names.c). Stores the year in *epoch. Returns NULL if they are not such times. */
const char *guess_time_unit(const struct guess_column *k, unsigned *epoch);
/* Writes k->name to `name` in lower case without signs, cut after 38 characters, and without a unit at its end, which
 * goes to k->unit. */
void guess_plain_name(struct guess_column *k, char name[40]);
/* Returns true if `name` is one of the list's words, each of which has a blank after it. */
bool guess_is_meant(const char *list, const char *name);
/* Writes the fields of the description to g->out (guess_put.c). */
void guess_put_fields(struct guess *g);

#endif
