/*
 * row_writer.h - events as rows: a line of comma- or TAB-separated values, or an object of JSON.
 *
 * A value is the text that a stream shows, without the stream's escapes (except in the
 * style CELLS_STREAM). So an event gives the same row whichever form of stream it came in.
 * row_writer_form.c has the forms of form.h.
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
	/* TAB, CR, LF, backslash and double quote are \xHH, so that nothing needs quotes. */
	CELLS_TSV,
	/*
	 * A value that reads as a number is a number, except in loc and event. A number
	 * that a double cannot hold exactly is a string, unless `numbers` is set. All
	 * output is UTF-8.
	 */
	CELLS_JSON,
	/* JSON: the end of an object of Chrome's format, from its category on. The fields
	 * are args, and `name` gives the events' names. */
	CELLS_CHROME,
};

struct row_writer_column {
	char *label;
	bool computed;
	size_t at; /* its number in the view, or in the list */
};

/* A writer of rows. Zero it, set the members above the first blank line, then add the
 * columns. row_writer_free frees it. */
struct row_writer {
	struct out *out;
	enum row_writer_style style;
	const char *null; /* for a value that is absent; JSON has null */
	bool numbers;
	bool safe; /* CSV, TSV: ' before a text that a spreadsheet takes for a formula */
	bool absolute; /* times with the origin added */
	/* All arguments follow the columns. JSON: arguments that an event lacks are left
	 * out. Other styles: the arguments in `names` are columns, and `missed` is set if
	 * an event has another one. */
	bool args;

	const char *(*name)(const struct source *s, const struct type *ty,
			    char room[STATE_ROOM]);
	struct strtab names;
	bool missed;
	struct view view; /* the columns that are fields */
	struct row_writer_column *column;
	size_t n, cap;
	struct row_writer_plan *plan; /* by type; others of it behind each */
	struct cache plan_cache;
	struct row_writer_plan *making;
	bool any; /* that has a value, or the name of one */
	struct text_cache places, symbols;
	uint64_t most;			 /* a number without quotes is not above it */
	int64_t shift;			 /* added to times */
	struct buf text, raw, made, lit; /* of one value; of a literal */
};

/* Adds a column: a field, or if `field` is NULL, the value number `at` of the list of
 * row_writer_put. */
void row_writer_column(struct row_writer *c, const char *label, const char *field,
		       size_t at);
/* Writes the line of names; nothing for JSON. */
void row_writer_head(struct row_writer *c);
/* Writes events pick[0..n) of b, or its first n if pick is NULL. `v` holds the values of
 * computed columns; the caller has run it on b. */
void row_writer_put(struct row_writer *c, const struct source *s, const struct batch *b,
		    const uint32_t *pick, uint32_t n, const struct values *v);
/* Write a single event, in two steps: call row_writer_bind for each batch, then row_writer_one for an
 * event. p is a place of out_room of c->out. Returns the end of the row, behind which there
 * is out_room again. */
void row_writer_bind(struct row_writer *c, const struct source *s);
uint8_t *row_writer_one(struct row_writer *c, uint8_t *p, const struct source *s,
			const struct rec *r);
/* row_writer_text.c, for row_writer.c: appends a value, given by its text in a stream. `text` is true
 * if the value is not a number. */
void row_writer_text(struct row_writer *c, struct buf *to, const void *p, size_t n,
		     bool text);
/* row_writer_form.c: makes columns of the arguments of all events, in a first reading
 * (target.learn). */
void row_writer_learn(struct sink *k, struct source *s, const struct batch *b,
		      const uint32_t *pick, uint32_t n);
/* Returns true if a double can hold the number that is written in the n bytes at p
 * exactly. */
bool row_writer_exact(const char *p, size_t n);
/* A double holds all integers up to this one exactly. */
#define CELLS_EXACT (1ull << 53)
/* Options of the forms below, their sink.opt.of; NULL = none. */
struct row_writer_options {
	const char *fields; /* a list, see spoor-expr(7); NULL = all */
	const char *keys;   /* the key of prev, nth and total in it; NULL = loc */
	const char *null; /* CSV, TSV: stands for a value that is absent; NULL = nothing */
	bool safe;	  /* CSV, TSV: no text that a spreadsheet takes for a formula */
	bool numbers;	  /* JSON: no number is written as a string */
};
/* Returns the options of k, or default options if k has none. */
const struct row_writer_options *row_writer_asked(const struct sink *k);
/* Calls add(arg, ...) for each argument of a type, with a label that no column and no other
 * argument has. If several arguments have one name, only the first is given. */
void type_args(const struct type *ty,
	       void (*add)(void *arg, const char *label, const struct field *f), void *arg);
/* form_fields writes the chosen fields as cells between TABs. The other forms write the
 * chosen fields; without a choice, the columns of any event and all arguments (csv and tsv:
 * those that row_writer_learn has seen). */
extern const struct form form_fields, form_csv, form_tsv, form_jsonl;
/* Frees. */
void row_writer_free(struct row_writer *c);

#endif
