/*
 * extra.h - what the users of each format ask first: sections of the report, as a table.
 *
 * A section counts events of its formats only, in groups of its own, so that it costs the
 * other formats nothing; it merges and is written as a partial as every table is. To add
 * one is to add rows to extra_table.c; trace-stats(1) lists them.
 */
#ifndef SPOOR_EXTRA_H
#define SPOOR_EXTRA_H

#include "stats/stats.h"

/* Values: of a field, or of a column of enum col_kind; of events that `when`
 * is true for. */
struct extra_values {
	const char *field; /* NULL: the cell has no such values */
	const char *when;  /* an expression; NULL = all events of the section */
};

#define EXTRA_EVENTS ".event" /* a field: how many events there are */

enum extra_show {
	SHOW_COUNT, /* how many values there are */
	SHOW_SUM,
	SHOW_MEAN,
	SHOW_ADDED, /* the sum, where sizes of different events can be added up */
	SHOW_LEAST,
	SHOW_GREATEST,
	/* Of distributions. */
	SHOW_P50,
	SHOW_P90,
	SHOW_P99,
	SHOW_TIES,     /* how many are 0 */
	SHOW_TIED,     /* the share of these */
	SHOW_ABOVE,    /* the least above 0 */
	SHOW_DISTINCT, /* how many different ones */
	SHOW_PAGES,    /* how many pages of 4 KiB: of .pages */
	/* Shares. */
	SHOW_MARKED,   /* of values that are 0 or 1: the share of ones */
	SHOW_SHARE,    /* how many there are, of those of `over` */
	SHOW_PART,     /* their sum, of that of `over` */
	SHOW_PART_ALL, /* their sum, of that in all rows */
	SHOW_OF_SPAN,  /* their sum, of the time from the first begin to the last end */
	SHOW_BOTH,     /* their sum, and that of `over` */
	SHOW_REST,     /* the sum, less how many there are of `over` */
	SHOW_EACH,     /* how many of `each` there are */
	/* Of files that were read, written, both or neither: files.h. */
	SHOW_FILES,    /* how many there are */
	SHOW_SHARED,   /* of these: by several nodes */
	SHOW_ONE_GAP,  /* files whose later requests are all as far from the end before */
	SHOW_ONE_SIZE, /* files with requests of one size */
	SHOW_REQUESTS, /* their requests: from here on, in the order of FILE_* */
	SHOW_LATER,    /* of these: after another one of the same node */
	SHOW_HIGHER,   /* of the later ones: the share above the one before */
	SHOW_BEHIND,   /* of the later ones: the share right behind it */
	SHOW_FILE_BYTES,
};

struct extra_cell {
	const char *name, *heading; /* for programs, for people */
	enum extra_show show;
	struct extra_values of, over;
	/* The summary shows the sum of this cell in place of the sum of all sizes. No table
	 * adds up sizes of different events, because some of them are sizes of the same
	 * bytes. */
	bool total;
};

#define EXTRA_CELLS 10

struct extra {
	const char *format; /* names, with blanks between */
	const char *name;   /* of the section, one word */
	const char *row;    /* the name of the first column */
	const char *title;
	const char *when; /* an expression: the events that it counts; NULL = all */
	const char *key;  /* a field: each of its values is a row; see spec_key */
	const char *each; /* a second key: of groups, and of values of the event before */
	/* Rows are not keys, but files not used, read, written, and both. */
	bool files;
	bool
	    overlap; /* none is of all: an event may count in several, or all is elsewhere */
	bool some;   /* rows without values of the first cell are left out */
	unsigned most;	/* so many rows are shown; 0 = all, but few to people */
	unsigned bar;	/* the cell whose share a bar shows, from 1; 0 = none */
	unsigned table; /* of extra_general: REPORT_*, what counts its events */
	/* By which cell people want rows sorted, from 1; 0 = by their names. */
	unsigned sort;
	const char *sampled; /* text between the title and the error of pages */
	struct extra_cell cell[EXTRA_CELLS]; /* up to one without a name */
};

#define EXTRAS_MOST 16

/* The tables that every format has. */
enum {
	REPORT_EVENT, /* by event */
	REPORT_ALL,   /* gaps of all events */
	REPORT_LOC,   /* by location */
	REPORT_RATE,  /* by second */
	REPORTS,      /* behind them: the sections of extra_table */
};

/* The sections of all formats, *n of them. */
const struct extra *extra_general(size_t *n);
/* The sections of some formats. */
const struct extra *extra_table(size_t *n);
/* A number that changes with the table: partials made by another table do not fit. */
uint64_t extra_version(void);
/* Makes the spec *p of what section x counts, with `bits` for its percentiles. To be freed
 * by spec_free. */
void extra_spec(const struct extra *x, struct spec *p, unsigned bits);
/* Whether section x is one of `format`. */
bool extra_takes(const struct extra *x, const char *format);
/* What the sections of its format need of s, NEED_*: for read_options.need_of. */
unsigned extra_need(const struct source *s);

#endif
