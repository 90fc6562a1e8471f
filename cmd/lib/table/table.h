/*
 * table.h - writes a table row by row: as lines with TABs, as CSV, or as JSON.
 *
 * A cell holds a text as a stream has it: "-" is an absent value, `""` is the empty text, blanks and control bytes
 * are \xHH. CSV and JSON get the text without these escapes.
 *
 *     struct table r = {.out = o, .style = style};
 *     table_name(&r, "time"); ... table_head(&r); buf_add(table_cell(&r), "0.5", 3); ...
 *     table_row(&r); table_end(&r);
 */
#ifndef SPOOR_TABLE_H
#define SPOOR_TABLE_H

#include "base/mem.h"
#include "base/out.h"

enum table_style {
	TABLE_TABS, /* cells as they are, with TABs between; '#' before the headings */
	/* RFC 4180, but lines end with LF: cells in quotes if they need them; an absent value is nothing, the
	 * empty text is "". */
	TABLE_CSV,
	/* An array of objects. Values are null, numbers (if the cell reads as one) or strings. The output is
	 * always UTF-8. */
	TABLE_JSON,
	TABLE_LINES, /* the same objects, one a line */
	TABLE_TSV,   /* as TABLE_TABS, without the '#' */
};

/* A column by which rows are sorted. */
struct table_by {
	unsigned column; /* from 0 */
	bool down;
};

/* A writer of one table. Zero it, then set the members above the first blank line. */
struct table {
	struct out *out;
	void (*take)(void *arg, const char *line,
		     size_t n); /* receives the rows instead of `out` */
	void *arg;
	enum table_style style;
	unsigned texts; /* JSON: number of first cells of a row that are never numbers */
	bool bare;	/* no headings; not for JSON */
	/* Rows are kept until table_end, which writes them sorted by the columns by[0..nby): numbers by value,
	 * then texts in natural order, absent values last. A `down` column is reversed, but absent values stay
	 * last. Equal rows keep their order. nby = 0: each row is written at once. */
	const struct table_by *by;
	size_t nby;
	uint64_t most; /* number of rows to write; 0 = all */

	struct buf line; /* the row in the making: cells with TABs between */
	unsigned cells;	 /* number of cells in `line` */
	struct buf to;	 /* the row as it is written */
	/* JSON: the text before each cell, each followed by a TAB */
	struct buf keys;
	struct buf approximate;	  /* JSON: the names of the row's approximate cells */
	uint64_t n;		  /* number of rows written */
	struct waiting_row *kept; /* rows that wait to be sorted */
	size_t nkept, kept_cap;
	uint64_t places;  /* number of rows kept so far */
	unsigned columns; /* number of cells of each kept row */
	struct arena mem; /* memory of the kept rows */
};

/* Begins the next cell of the row. Returns the buffer to which the caller appends the cell's text. */
static inline struct buf *
table_cell(struct table *r)
{
	if (r->cells++)
		buf_byte(&r->line, '\t');
	return &r->line;
}

/* Adds a cell with this text. */
void table_text(struct table *r, const char *text);
/* Adds a cell with a number. */
void table_u64(struct table *t, uint64_t v);
/* Adds a cell for each text, up to NULL. */
void table_texts(struct table *t, const char *const *text);
/* Adds a cell with a name. Bytes that a name must not have become \xHH. */
void table_name(struct table *r, const char *name);
/* Ends the row of headings: its cells are the names of the columns. JSON needs it; call it before any row. */
void table_head(struct table *r);
/* Ends a row, which is written, or kept if the table is sorted. */
void table_row(struct table *r);
/* Returns true if no more rows are wanted. */
static inline bool
table_full(const struct table *r)
{
	return r->most && !r->nby && r->n >= r->most;
}

/* Marks the last cell, which must be complete, as an estimate. JSON lists the names of the marked cells in the
 * member "approximate" of the row's object; other styles show no mark. */
void table_approximate(struct table *t);
/* Writes the rows that were kept and the end of the table (after a JSON array no newline), and frees what r holds. */
void table_end(struct table *r);

/* Appends n bytes as a CSV value: in quotes if it needs them, or if `quotes`. */
void table_csv(struct buf *b, const void *text, size_t n, bool quotes);
/* Appends the text of a cell as a JSON value. text: the cell is never a number. */
void table_json(struct buf *b, const char *cell, size_t n, bool text);
/* Appends n bytes as a JSON string, with quotes. A byte that is not UTF-8 becomes the character with its number,
 * so the output is always UTF-8. */
void json_string(struct buf *b, const void *p, size_t n);

#endif
