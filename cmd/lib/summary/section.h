/*
 * section.h - a section of a report: a table of which people read one thing, programs another.
 *
 * Its rows are kept, until section_put writes them. Or it stands alone: its rows are those of a table, which
 * are written as they come.
 *
 *	section_columns(s, (const char *const[]){"file", "requests", NULL}); section_head(s);
 *	section_name(s, name); section_u64(s, 512); section_row(s); ...
 */
#ifndef SPOOR_SECTION_H
#define SPOOR_SECTION_H

#include "event/event.h"
#include "table/table.h"
#include "stats/column.h"

#define SECTION_COLUMNS 16

/* What people read, and what programs read ("" = the same; "-" = nothing there). */
struct cell {
	char shown[48];
	char raw[256];
};

static inline const char *
cell_raw(const struct cell *c)
{
	return *c->raw ? c->raw : c->shown;
}

/* Zero it, set what stands above the first blank line; or name all columns here too. */
struct section {
	const char *name;    /* one word */
	const char *title;   /* for people */
	struct table *alone; /* it stands alone, as this table; else NULL */
	bool people;	     /* want the first columns: */
	unsigned most;	     /* so many; 0 = all; */
	size_t enough;	     /* and so many rows; 0 = all: see section_full */
	enum clock clock;    /* of section_time */
	unsigned
	    bar; /* the column whose share a bar shows; 0 = none: the first names the row */
	bool pairs; /* its rows are a name and a value: in JSON, one object */
	struct buf
	    command; /* what asks for it alone, as a shell reads it; empty: nothing does */

	const char *column[SECTION_COLUMNS];  /* for programs */
	const char *heading[SECTION_COLUMNS]; /* for people; NULL = column */
	unsigned ncolumns;
	struct cell *cell; /* ncolumns a row */
	size_t nrows, cap;
	unsigned at;		  /* of the next cell of the last row */
	struct cell one;	  /* alone: the cell in the making */
	bool open;		  /* there is one */
	const char *const *names; /* of the coming cells, each of which is a pair */
};

/* Columns, up to NULL; behind the last of them, section_head. */
void section_columns(struct section *s, const char *const *names);
void section_head(struct section *s);
/* The next cell of the row, "-" until something is written to it. In a report it is good until the
 * next row begins. */
struct cell *section_cell(struct section *s);
/* Notes that the last cell is an estimate, where the section stands alone: see table_approximate. */
void section_approximate(struct section *s);
/* The row has all its cells; those that were not asked for are "-". */
void section_row(struct section *s);
/* A row that is a name and a value: gives the value's cell. Of a report only. */
struct cell *section_pair(struct section *s, const char *name);
/* Of a report: writes to a cell of its last row, (limit), how a limit changed the numbers above. */
void section_limit(struct section *s, unsigned column, const char *how, ...) PRINTF(3, 4);
/* Returns the heading of a section, the first clause of its title, and its length. */
const char *section_heading(const struct section *s, size_t *n);
/* What that row means, for people, below the table; NULL where there is none. */
const char *section_note(const struct section *s);
/* Frees the rows. */
void section_free(struct section *s);

/* What a row is of: cut for people, in a report also otherwise. */
void section_name(struct section *s, const struct str *name);
void cell_name(struct cell *c, const char *name);
void section_text(struct section *s, const char *text);
void cell_u64(struct cell *c, uint64_t v);
void section_u64(struct section *s, uint64_t v);
void section_u64s(struct section *s, const uint64_t *v, size_t n);
#define section_numbers(s, ...)                            \
	section_u64s((s), (const uint64_t[]){__VA_ARGS__}, \
		     sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))
void cell_wide(struct cell *c, const struct swide *v);
/* So many units of 10^-decimals. */
void cell_decimal(struct cell *c, const struct wide *v, unsigned decimals);
/* part / all: a percentage for people, else a fraction; "-" if all is 0. */
void cell_share(struct cell *c, const struct swide *part, const struct wide *all);
void section_share(struct section *s, uint64_t part, uint64_t all);
/* The fraction as the next cell of a table. */
void table_ratio(struct table *t, const struct swide *part, const struct wide *all);
/* Which share of all, one of 2^level, a row is of, as the next cell of a table; the same of a section that
 * stands alone. */
void table_sample(struct table *t, unsigned level);
void section_sample(struct section *s, unsigned level);
/* A number, or a time by its class; a time of ns of any length, or a number. */
void cell_value(struct cell *c, struct value v);
void cell_span(struct cell *c, const struct swide *v, bool nano);
/* A length of time, ns or ticks; the mean of n that are v together; when something was. */
void section_time(struct section *s, uint64_t v);
void section_mean(struct section *s, const struct wide *v, uint64_t n);
void section_moment(struct section *s, int64_t time);

/* v, with a sign. */
static inline struct swide
swide_u64(uint64_t v)
{
	return (struct swide){wide_u64(v), false};
}

/* Returns whether no further rows are wanted. */
static inline bool
section_full(const struct section *s)
{
	return s->enough && s->nrows >= s->enough;
}

/* Who takes the sections of a report, and frees each. */
typedef void section_taker(void *arg, struct section *s);
/*
 * One that writes to `writer`, a struct section_writer, those that have rows: for people (style 0) within
 * 80 columns, where long names are cut, then long numbers rounded; as members of an object of JSON
 * ('J'), whose braces are not written; as lines of SECTION TAB ROW TAB COLUMN TAB VALUE ('S'); as
 * HTML ('H'); or its command alone, below its title ('Q').
 */
void section_put(void *writer, struct section *s);
struct section_writer {
	struct out *o;
	int style;
	bool bars; /* for people at a terminal: in Unicode */
	bool more; /* there was a section before */
};

#endif
