/*
 * cells.h - events as rows: a line of comma- or TAB-separated values, or an object of JSON.
 *
 * A value is the text that a stream shows, without the stream's escapes (except in the
 * style CELLS_STREAM). So an event gives the same row whichever form of stream it came in.
 * cells_form.c has the forms of form.h.
 */
#ifndef SPOOR_CELLS_H
#define SPOOR_CELLS_H

#include "view/view.h"
#include "input/kept.h"
#include "cells/values.h"
#include "view/traits.h"

enum cells_style {
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

struct cells_column {
	char *label;
	bool computed;
	size_t at; /* its number in the view, or in the list */
};

/* A writer of rows. Zero it, set the members above the first blank line, then add the
 * columns. cells_free frees it. */
struct cells {
	struct out *out;
	enum cells_style style;
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
	struct cells_column *column;
	size_t n, cap;
	struct cells_plan *plan; /* by type; others of it behind each */
	struct cache plan_cache;
	struct cells_plan *making;
	bool any; /* that has a value, or the name of one */
	struct cached_texts places, symbols;
	uint64_t most;			 /* a number without quotes is not above it */
	int64_t shift;			 /* added to times */
	struct buf text, raw, made, lit; /* of one value; of a literal */
};

/* Adds a column: a field, or if `field` is NULL, the value number `at` of the list of
 * cells_put. */
void cells_column(struct cells *c, const char *label, const char *field, size_t at);
/* Writes the line of names; nothing for JSON. */
void cells_head(struct cells *c);
/* Writes events pick[0..n) of b, or its first n if pick is NULL. `v` holds the values of
 * computed columns; the caller has run it on b. */
void cells_put(struct cells *c, const struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n, const struct values *v);
/* Write a single event, in two steps: call cells_bind for each batch, then cells_one for an
 * event. p is a place of out_room of c->out. Returns the end of the row, behind which there
 * is out_room again. */
void cells_bind(struct cells *c, const struct source *s);
uint8_t *cells_one(struct cells *c, uint8_t *p, const struct source *s,
		   const struct rec *r);
/* cells_text.c, for cells.c: appends a value, given by its text in a stream. `text` is true
 * if the value is not a number. */
void cells_text(struct cells *c, struct buf *to, const void *p, size_t n, bool text);
/* cells_form.c: makes columns of the arguments of all events, in a first reading
 * (target.learn). */
void cells_learn(struct sink *k, struct source *s, const struct batch *b,
		 const uint32_t *pick, uint32_t n);
/* Returns true if a double can hold the number that is written in the n bytes at p
 * exactly. */
bool cells_exact(const char *p, size_t n);
/* A double holds all integers up to this one exactly. */
#define CELLS_EXACT (1ull << 53)
/* Options of the forms below, their sink.opt.of; NULL = none. */
struct cells_options {
	const char *fields; /* a list, see spoor-expr(7); NULL = all */
	const char *keys;   /* the key of prev, nth and total in it; NULL = loc */
	const char *null; /* CSV, TSV: stands for a value that is absent; NULL = nothing */
	bool safe;	  /* CSV, TSV: no text that a spreadsheet takes for a formula */
	bool numbers;	  /* JSON: no number is written as a string */
};
/* Returns the options of k, or default options if k has none. */
const struct cells_options *cells_asked(const struct sink *k);
/* Calls add(arg, ...) for each argument of a type, with a label that no column and no other
 * argument has. If several arguments have one name, only the first is given. */
void type_args(const struct type *ty,
	       void (*add)(void *arg, const char *label, const struct field *f), void *arg);
/* form_fields writes the chosen fields as cells between TABs. The other forms write the
 * chosen fields; without a choice, the columns of any event and all arguments (csv and tsv:
 * those that cells_learn has seen). */
extern const struct form form_fields, form_csv, form_tsv, form_jsonl;
/* Frees. */
void cells_free(struct cells *c);

#endif
