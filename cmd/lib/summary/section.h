/*
 * section.h - a section of a report: a table with some columns for people and others for programs.
 *
 * A section keeps its rows until section_put writes them. A section may also be a table alone, outside of a
 * report; it then writes each row at once.
 *
 *     section_columns(s, (const char *const[]){"file", "requests", NULL});
 *     section_head(s);
 *     section_name(s, name); section_u64(s, 512); section_row(s); ...
 */
#ifndef SPOOR_SECTION_H
#define SPOOR_SECTION_H

#include "event/event.h"
#include "table/table.h"
#include "stats/column.h"

#define SECTION_COLUMNS 16

/* A cell, for people and for programs (raw: "" = the same text; "-" = no value). */
struct cell {
	char shown[48];
	char raw[256];
};

/* Returns the text of a cell for programs. */
static inline const char *
cell_raw(const struct cell *c)
{
	return *c->raw ? c->raw : c->shown;
}

/* A section. Zero it and set the members above the first blank line; the columns may be set
 * here too. */
struct section {
	const char *name;    /* one word */
	const char *title;   /* title for people */
	struct table *alone; /* the table, if the section is a table alone; else NULL */
	bool people;	     /* for people: only the first columns are kept */
	unsigned most;	     /* number of columns for people; 0 = all */
	/* number of rows that are wanted; 0 = all: see section_full */
	size_t enough;
	enum clock clock;   /* clock of section_time */
	unsigned bar;	    /* column whose share a bar shows; 0 = none */
	bool pairs;	    /* rows are a name and a value; in JSON, one object */
	struct buf command; /* shell command for this section alone; empty: none */

	const char *column[SECTION_COLUMNS];  /* names for programs */
	const char *heading[SECTION_COLUMNS]; /* names for people; NULL = column */
	unsigned ncolumns;
	struct cell *cell; /* ncolumns cells for each row */
	size_t nrows, cap;
	unsigned at;	 /* next cell of the last row */
	struct cell one; /* alone: the current cell */
	bool open;	 /* alone: there is a current cell */
	/* names of the next cells, each of which becomes a pair */
	const char *const *names;
};

/* Appends columns, up to NULL. Call section_head after the last column. */
void section_columns(struct section *s, const char *const *names);
void section_head(struct section *s);
/* Returns the next cell of the row, "-" until it is written. In a report it stays valid until the next row begins. */
struct cell *section_cell(struct section *s);
/* Marks the last cell as an estimate, if the section is a table alone: see table_approximate. */
void section_approximate(struct section *s);
/* Ends the row. Cells that were not filled are "-". */
void section_row(struct section *s);
/* Adds a row of a name and a value, in a report only, and returns the value's cell. */
struct cell *section_pair(struct section *s, const char *name);
/* Adds a last row "(limit)" to a section of a report, with a text in `column` that tells how a limit changed the
 * numbers above. `format` is a printf format. */
void section_limit(struct section *s, unsigned column, const char *format, ...)
    PRINTF(3, 4);
/* Returns the heading of a section, the first clause of its title, and its length. */
const char *section_heading(const struct section *s, size_t *n);
/* Returns the meaning of the row "(limit)", for people, below the table; NULL if there is
 * no such row. */
const char *section_note(const struct section *s);
/* Frees the rows. */
void section_free(struct section *s);

/* Appends a cell with the name of the row: cut to fit for people, in a report for programs too. section_text
 * appends a text, section_u64 a number, section_u64s n numbers. cell_name and the other functions cell_* write to
 * a cell that section_cell returned. */
void section_name(struct section *s, const struct str *name);
void cell_name(struct cell *c, const char *name);
void section_text(struct section *s, const char *text);
void cell_u64(struct cell *c, uint64_t v);
void section_u64(struct section *s, uint64_t v);
void section_u64s(struct section *s, const uint64_t *v, size_t n);
#define section_numbers(s, ...)                            \
	section_u64s((s), (const uint64_t[]){__VA_ARGS__}, \
		     sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))
/* Writes a sum to a cell. */
void cell_wide(struct cell *c, const struct swide *v);
/* Writes v units of 10^-decimals. */
void cell_decimal(struct cell *c, const struct wide *v, unsigned decimals);
/* Writes part / all: a percentage for people, a fraction for programs; "-" if all is 0. */
void cell_share(struct cell *c, const struct swide *part, const struct wide *all);
/* Adds a cell with part / all, written as cell_share does. */
void section_share(struct section *s, uint64_t part, uint64_t all);
/* Appends the fraction part / all as the next cell of a table. */
void table_ratio(struct table *t, const struct swide *part, const struct wide *all);
/* Appends a cell with the share of all, 1/2^level, from which the row was sampled. table_sample appends it to a
 * table, section_sample to a section that is a table alone. */
void table_sample(struct table *t, unsigned level);
void section_sample(struct section *s, unsigned level);
/* Writes a value: a number, or a time if its class is one. cell_span writes a length of time in ns, of any size,
 * or without `nano` a number. */
void cell_value(struct cell *c, struct class_value v);
void cell_span(struct cell *c, const struct swide *v, bool nano);
/* Appends a cell with a length of time, in ns or ticks; section_mean with the mean of n lengths whose sum is v;
 * section_moment with a point in time. */
void section_time(struct section *s, uint64_t v);
void section_mean(struct section *s, const struct wide *v, uint64_t n);
void section_moment(struct section *s, int64_t time);

/* Returns v as a signed number. */
static inline struct swide
swide_u64(uint64_t v)
{
	return (struct swide){wide_u64(v), false};
}

/* Returns true if the section wants no further rows. */
static inline bool
section_full(const struct section *s)
{
	return s->enough && s->nrows >= s->enough;
}

/* Takes one section of a report, and frees it. */
typedef void section_taker(void *arg, struct section *s);
/* Writes a section to `writer`, a struct section_writer, if the section has rows, and frees it. Styles: for people
 * (0), within 80 columns, where long names are cut and then long numbers rounded; as members of a JSON object
 * ('J'), without its braces; as lines of SECTION TAB ROW TAB COLUMN TAB VALUE ('S'); as HTML ('H'); or only the
 * section's title and command ('Q'). */
void section_put(void *writer, struct section *s);
struct section_writer {
	struct out *o;
	int style;
	bool bars; /* draw bars in Unicode, for people at a terminal */
	bool more; /* a section was written before */
};

#endif
