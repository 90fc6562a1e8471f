/*
 * table.h - a table that is written row by row: as lines with TABs, as CSV, or as JSON.
 *
 * A cell holds a text as a stream shows it: "-" says that nothing is there, `""` is the
 * empty text, blanks and control bytes are \xHH. CSV and JSON have the text without its escapes.
 *
 *	struct table r = {.out = o, .style = style};
 *
 *	table_name(&r, "time"); ... table_head(&r);
 *	buf_add(table_cell(&r), "0.5", 3); ... table_row(&r);
 *	table_end(&r);
 */
#ifndef SPOOR_TABLE_H
#define SPOOR_TABLE_H

#include "base/mem.h"
#include "base/out.h"

enum table_style {
	TABLE_TABS, /* cells as they are, TABs between; '#' before the names */
	/* RFC 4180, with LF alone: quotes where a cell needs them; nothing where nothing is
	 * there, and "" where the text is empty. */
	TABLE_CSV,
	/* An array of objects: null, numbers where a cell reads as one, strings. All of it
	 * is UTF-8, whatever the cells are. */
	TABLE_JSON,
	TABLE_LINES, /* the same objects, one a line */
	TABLE_TSV,   /* as TABLE_TABS, without the '#' */
};

/* A column that orders rows. */
struct table_by {
	unsigned column; /* from 0 */
	bool down;
};

/* Zero it, set what stands above the first blank line. */
struct table {
	struct out *out;
	void (*take)(void *arg, const char *line,
		     size_t n); /* of rows, in place of `out` */
	void *arg;
	enum table_style style;
	unsigned texts; /* JSON: the first so many cells of a row are never numbers */
	bool bare;	/* rows alone: no line of names; not of JSON */
	/*
	 * Rows are kept until table_end writes them, ordered by the nby columns `by`, the
	 * first one first, and as they came where those are equal: numbers by value, then
	 * texts in natural order; a `down` column the other way around. Nothing comes last
	 * either way. nby = 0: they are written as they come.
	 */
	const struct table_by *by;
	size_t nby;
	uint64_t most; /* of these rows; 0 = any number */

	struct buf line;	/* the row in the making: cells with TABs between */
	unsigned cells;		/* in it */
	struct buf to;		/* the row as it is written */
	struct buf keys;	/* JSON: what stands before each cell, a TAB behind each */
	struct buf approximate; /* JSON: the names of the row's approximate cells */
	uint64_t n;		/* rows written */
	struct waiting_row *kept; /* rows that wait for their order */
	size_t nkept, kept_cap;
	uint64_t places;  /* rows that were kept so far */
	unsigned columns; /* of each */
	struct arena mem; /* what they point at */
};

/* Begins the next cell of the row; its text is to be appended to what this gives. */
static inline struct buf *
table_cell(struct table *r)
{
	if (r->cells++)
		buf_byte(&r->line, '\t');
	return &r->line;
}

/* A cell of this text. */
void table_text(struct table *r, const char *text);
void table_u64(struct table *t, uint64_t v);
/* A cell for each of these, up to NULL. */
void table_texts(struct table *t, const char *const *text);
/* A cell with a name: what no name may hold becomes \xHH. */
void table_name(struct table *r, const char *name);
/* The cells since the last row are the names of the columns. To be called before any row,
 * if at all; JSON needs it. */
void table_head(struct table *r);
/* The cells since the last row are a row, and written or kept. */
void table_row(struct table *r);
/* Returns whether no more rows are wanted. */
static inline bool
table_full(const struct table *r)
{
	return r->most && !r->nby && r->n >= r->most;
}

/* Notes that the last cell is an estimate. JSON lists the names of these cells in the member "approximate" of
 * the row's object; other styles have nothing of it. To be called after the last cell is complete. */
void table_approximate(struct table *t);
/* Writes the rows that were kept and what follows the rows (of an array, no newline), and frees. */
void table_end(struct table *r);

/* Appends n bytes as a value of CSV: in quotes where they are needed, or asked for. */
void table_csv(struct buf *b, const void *text, size_t n, bool quotes);
/* Appends the text of a cell as a value of JSON; text: it is no number. */
void table_json(struct buf *b, const char *cell, size_t n, bool text);
/* Appends n bytes as a string of JSON in quotes. A byte that is not UTF-8 becomes the character of
 * its number, so that what is written always is. */
void json_string(struct buf *b, const void *p, size_t n);

#endif
