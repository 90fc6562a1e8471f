/*
 * columns.h - lines of text in columns, as a description says what they are: its parsed
 * form, and the line parser that the fast paths share. columns-layout(5) has the language.
 */
#ifndef SPOOR_COLUMNS_H
#define SPOOR_COLUMNS_H

#include "columns/columns_fast.h"

#define COLUMNS_FIELDS 64 /* of one description */
#define COLUMNS_PAIRS 512 /* names of values, in all maps */
#define COLUMNS_SKIPS 8
#define COLUMNS_MOST 1024  /* columns of a line */
#define COLUMNS_OPTIONAL 6 /* arguments that may be absent */

struct columns_pair {
	struct word from, to;
	bool drop; /* the line is no record */
};

struct columns_layout {
	char *text;  /* that all words point into */
	uint8_t sep; /* 0: blanks */
	bool header; /* the first line is names */
	struct columns_field
	    record; /* only a line with a number there is a record; at 0: any is */
	struct word skip[COLUMNS_SKIPS]; /* lines that begin so are no records */
	unsigned nskips;
	bool
	    absolute; /* times are Unix times plus `base` ns; else from the trace's begin */
	uint64_t base;
	uint64_t block; /* bytes of the unit of addr, for the metadata */
	struct columns_field field[COLUMNS_FIELDS];
	unsigned nfields;
	struct columns_pair pair[COLUMNS_PAIRS];
	unsigned npairs;
	unsigned least, most; /* columns of a line; 0: as many as there are */
	char count[48];	      /* what is said of a line that has not so many */
	/* Of a preset: its number, and what is said once of lines that it cannot read. */
	int preset; /* -1: it is none */
	const char *hint;
};

struct columns_options {
	const char *text;
	const struct columns_layout *layout; /* NULL: none was given */
};

extern const struct format fmt_columns;

/* The presets' names, up to NULL, and what they stand for. */
extern const char *const columns_presets[], *const columns_meanings[];
/* What is said of lines that a preset cannot read, or NULL. */
extern const char *const columns_hints[];
/* The other preset for a file of that name, where preset i cannot be meant; else NULL. */
const char *columns_other(int i, const char *path);
/* Whether a file of preset i may begin with these bytes. */
bool columns_begins(int i, const uint8_t *p, size_t n);

/*
 * The description `text`, n bytes. NULL with "LINE: reason" in why[0..size) where it is none;
 * else to be freed by columns_free.
 */
struct columns_layout *columns_parse(const char *text, size_t n, char *why, size_t size);
void columns_free(struct columns_layout *l);
/* What -O columns= takes: a description, which has an =, the name of a preset, or a file
 * with a description. Dies where it is none; `what` is how the option was written. */
struct columns_layout *columns_load(const char *text, const char *what);

/*
 * n bytes at p as a number times unit: *v, and *left the rest in 10^-9. NULL, or the reason
 * why it is none. unit is at most COLUMNS_UNIT_MOST.
 */
#define COLUMNS_UNIT_MOST 10000000000u
const char *columns_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v,
			   uint64_t *left);
/* The same of 16 hexadecimal digits at most. */
const char *columns_hex(const uint8_t *p, size_t n, uint64_t *v);
/* A column of a line: what it says, and from there up to the separator. */
struct columns_cell {
	struct span text, raw;
};

/* Of one input. */
struct columns {
	struct columns_fast fast;
	const struct columns_layout *l;
	struct columns_field field[COLUMNS_FIELDS]; /* those of l, with all columns known */
	int record;    /* the column that has a number in every record; 0: none */
	unsigned want; /* columns of a line that are looked at */
	bool hinted;   /* the hint of a preset was said */
	struct columns_cell *cell;
	unsigned n; /* columns of the line at hand, at most `want` */
	/* Of the line at hand, for each field: its number, its text (p = NULL: absent). */
	uint64_t value[COLUMNS_FIELDS];
	struct span arg[COLUMNS_FIELDS];
	unsigned absent; /* which of the optional arguments: bits */
	bool dropped;	 /* its event makes it no record */
	struct buf unquoted, loc, name;
	struct strtab events;
	uint32_t event; /* number of the name of the line at hand */
	unsigned parts; /* of loc */
	uint64_t header_line;
	bool odd;	/* a line that is no record begins with a digit */
	uint64_t other; /* lines that are no records, besides the first */
	void (*run)(struct columns_fast *f);
};

/* columns_read.c: the columns of the line [p, end) into c->cell. NULL, or what is wrong. */
const char *columns_cells(struct columns *c, const uint8_t *p, const uint8_t *end);
/* Whether the line begins as those that are skipped. */
bool columns_skipped(const struct columns *c, const uint8_t *p, const uint8_t *end);
/* Whether the line, whose cells are known, is a record by the rules for lines. */
bool columns_is_record(const struct columns *c, const uint8_t *p, const uint8_t *end);
/* The fields of the line. NULL, or what is wrong with the one whose number is *which. */
const char *columns_fields(struct columns *c, const uint8_t *end, unsigned *which);
/* What stands in a field's column; p = NULL where there is none. */
struct span columns_text(const struct columns *c, const struct columns_field *f,
			 const uint8_t *end);

/*
 * columns_plan.c: plans the fast path of s by its fields; it stays off where these are more than it can do. `n` is how
 * many columns lines have, where that must be known (columns_counts), else 0: the fast path takes such lines alone.
 */
void columns_plan(struct source *s, unsigned n);
bool columns_counts(const struct columns *c);
/* The fast path learns the names of the line, a record whose loc is so numbered. */
void columns_meet(struct columns *c, uint32_t loc);
/* It knows none any more. */
void columns_forget(struct columns_fast *f);
void columns_plan_free(struct columns_fast *f);

#endif
