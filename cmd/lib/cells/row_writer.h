/*
 * row_writer.h - writes events as rows: lines of values with commas or TABs between them, or JSON objects.
 *
 * A value has the text that it has in a stream, without the stream's escapes (CELLS_STREAM keeps them). So an
 * event gives the same row whichever form of stream it came from. row_writer_form.c holds the output forms
 * (form.h) that write rows.
 */
#ifndef SPOOR_ROW_WRITER_H
#define SPOOR_ROW_WRITER_H

#include "view/view.h"
#include "input/cached_text.h"
#include "cells/values.h"
#include "view/traits.h"

enum row_writer_style {
	CELLS_STREAM, /* as in the stream, with TABs between */
	CELLS_CSV,    /* RFC 4180, lines end with LF; an empty text is "" */
	/* TAB, CR, LF, backslash and double quote become \xHH, so that no cell needs quotes. */
	CELLS_TSV,
	/* A value that reads as a number is a JSON number, except in loc and event. A number that a double cannot
	 * hold exactly is a string, unless `numbers` is set. All output is UTF-8. */
	CELLS_JSON,
	/* JSON: the end of an object of Chrome's trace format, from the category on. The fields are its args, and
	 * `name` returns the names of the events. */
	CELLS_CHROME,
};

struct row_writer_column {
	char *label;
	bool computed;
	size_t at; /* number of the field in the view, or of the value in the list */
};

/* A writer of rows. Zero it, set the members above the first blank line, then add the
 * columns. row_writer_free frees it. */
struct row_writer {
	struct out *out;
	enum row_writer_style style;
	const char *null; /* text of an absent value; JSON always has null */
	bool numbers;
	/* CSV, TSV: write ' before a text that a spreadsheet takes for a formula */
	bool safe;
	bool absolute; /* add the origin to times */
	/* Write all arguments after the columns. JSON omits the arguments that an event lacks. The other styles
	 * have a column for each argument in `names`, and set `missed` if an event has another argument. */
	bool args;

	const char *(*name)(const struct source *s, const struct type *ty,
			    char room[STATE_ROOM]);
	struct strtab names;
	bool missed;
	struct view view; /* the columns that are fields of events */
	struct row_writer_column *column;
	size_t n, cap;
	/* by type; further plans of a type follow by `next` */
	struct row_writer_plan *plan;
	struct cache plan_cache;
	struct row_writer_plan *making;
	bool any; /* the row or head in the making has a cell */
	struct text_cache places, symbols;
	/* greatest integer that is written without quotes */
	uint64_t most;
	int64_t shift;			 /* added to each time */
	struct buf text, raw, made, lit; /* of one value, and (lit) the text before it */
};

/* Adds a column with the heading `label`. The column is the field `field`; if `field` is NULL, value number `at`
 * of the list that row_writer_put gets. */
void row_writer_column(struct row_writer *c, const char *label, const char *field,
		       size_t at);
/* Writes the line of headings. Writes nothing for JSON. */
void row_writer_head(struct row_writer *c);
/* Writes the events pick[0..n) of b, or its first n if pick is NULL. `v` holds the values of computed columns; the
 * caller must have run it on b. */
void row_writer_put(struct row_writer *c, const struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n, const struct values *v);
/* Writes a single event, in two steps: call row_writer_bind for each batch, then row_writer_one for an event. p is
 * a position in out_room of c->out. row_writer_one returns the position after the row; out_room is free there
 * again. */
void row_writer_bind(struct row_writer *c, const struct source *s);
uint8_t *row_writer_one(struct row_writer *c, uint8_t *p, const struct source *s,
			const struct rec *r);
/* Appends a value to `to`, from the n bytes at p, its text in a stream. text: the value is no number. (In
 * row_writer_text.c, for row_writer.c.) */
void row_writer_text(struct row_writer *c, struct buf *to, const void *p, size_t n,
		     bool text);
/* Collects the arguments of all events, which become columns, in a first reading of the inputs (target.learn). */
void row_writer_learn(struct sink *k, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
/* Returns true if a double can hold the number that is written in the n bytes at p
 * exactly. */
bool row_writer_exact(const char *p, size_t n);
/* Doubles hold all integers up to this one exactly. */
#define CELLS_EXACT (1ull << 53)
/* Options of the forms below, given in sink.opt.of; NULL = defaults. */
struct row_writer_options {
	const char *fields; /* a list of columns, see spoor-expr(7); NULL = all */
	const char *keys;   /* key of prev, nth and total in the list; NULL = loc */
	const char *null;   /* CSV, TSV: text of an absent value; NULL = nothing */
	/* CSV, TSV: protect text that a spreadsheet takes for a formula */
	bool safe;
	bool numbers; /* JSON: write no number as a string */
};
/* Returns the options given for k, or the defaults. */
const struct row_writer_options *row_writer_asked(const struct sink *k);
/* Calls add(arg, ...) for each argument of a type, with a label that neither a column nor another argument has. If
 * several arguments have one name, only the first is passed. */
void type_args(const struct type *ty,
	       void (*add)(void *arg, const char *label, const struct field *f), void *arg);
/* form_fields writes the chosen fields as cells between TABs. The other forms write the chosen fields; without a
 * choice, the columns of any event and all arguments (csv and tsv: only arguments that row_writer_learn has seen). */
extern const struct form form_fields, form_csv, form_tsv, form_jsonl;
/* Frees what c holds. */
void row_writer_free(struct row_writer *c);

#endif
