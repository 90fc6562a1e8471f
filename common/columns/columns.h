/*
 * columns.h - lines of text in columns, as a description says what they are: its parsed
 * form, and the line parser that the fast paths share. columns-layout(5) has the language.
 */
#ifndef SPOOR_COLUMNS_H
#define SPOOR_COLUMNS_H

#include "columns/fast.h"

#define COLUMNS_FIELDS 64 /* of one description */
#define COLUMNS_PAIRS 512 /* names of values, in all maps */
#define COLUMNS_SKIPS 8
#define COLUMNS_MOST 1024  /* columns of a line */
#define COLUMNS_OPTIONAL 6 /* arguments that may be absent */

#define FORMS 48
#define FORM_COLUMNS 16
#define FORM_NAMES 64

/* What a line of a shape is. */
enum columns_kind {
	FORM_LINE,  /* a record */
	FORM_HEAD,  /* none: what it says holds for the records behind it */
	FORM_SKIP,  /* none */
	FORM_BEGUN, /* a part of a record, which waits for the rest: */
	FORM_RESUMED,
};

/* A shape of lines: text, and columns between. */
struct columns_form {
	uint8_t kind;
	unsigned n; /* columns */
	struct word before, after[FORM_COLUMNS];
	int name[FORM_COLUMNS];	   /* the number of its name; -1: it has none */
	bool any[FORM_COLUMNS];	   /* it need not be one word */
	bool number[FORM_COLUMNS]; /* it has digits and points alone */
};

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
	struct columns_form form[FORMS];
	unsigned nforms;
#define COLUMNS_INTS 32
	/* Of a record that is no line: its integers, and their bytes, of which the first are low. */
	struct columns_int {
		uint8_t width;
		bool neg;    /* it may be less than 0 */
		uint16_t at; /* its place in the record */
	} ints[COLUMNS_INTS];
	unsigned nints, bytes;
	struct word names[FORM_NAMES]; /* of columns of shapes */
	unsigned nnames;
	bool shaped; /* records have a shape, too: their columns are those names */
	bool lines;  /* times are numbers of lines */
	bool cut;    /* a line can be read without those before it */
	/* Of a preset: its number, and what is said once of lines that it cannot read. */
	int preset; /* -1: it is none */
	const char *hint;
};

#define COLUMNS_GIVEN 8
struct columns_options {
	/* The option that is being taken. */
	const char *text, *file;
	/* All so far, in their order. */
	struct columns_given {
		const char *file; /* the pattern of the inputs that it is for; NULL: all */
		const struct columns_layout *layout; /* NULL: it is to be guessed */
	} given[COLUMNS_GIVEN];
	unsigned n;
};

extern const struct format fmt_columns;

/*
 * choose.c: the layout for input s, whose first bytes are there; where no option names one, `own` allows
 * presets that its first lines are sure to be of: *mine is that, to be freed. NULL, and what to do in `hint`.
 */
#define COLUMNS_HINT 256
const struct columns_layout *columns_choose(struct source *s, bool own,
					    struct columns_layout **mine,
					    char hint[COLUMNS_HINT]);
/* guess.c: prints the layout that the first lines of the input seem to have, or the preset, where it is not
 * NULL, and ends the program. */
_Noreturn void columns_guess(struct source *s, const struct columns_layout *preset);
/* See format.h: takes, chooses, claims. */
void columns_take_option(void *options, const char *what);
bool columns_chosen(const void *options);
bool columns_claims(struct source *s, bool last, char hint[COLUMNS_HINT]);

/* presets.c: the presets' names, up to NULL, and what they stand for. */
extern const char *const columns_presets[], *const columns_meanings[];
/* What is said of lines that a preset cannot read, or NULL. */
extern const char *const columns_hints[];
/* The other preset for a file of that name, where preset i cannot be meant; else NULL. */
const char *columns_other(int i, const char *path);
/* Whether the file's name is one that the tool of preset i gives. */
bool columns_named(int i, const char *path);
/* Whether lines p[0..n) that preset i can read are of no other kind. */
bool columns_sure(int i, const uint8_t *p, size_t n);
/* Whether a file of preset i may begin with these bytes. */
bool columns_begins(int i, const uint8_t *p, size_t n);

/* form.c: a shape in braces, of that kind, added to l. NULL, or what is wrong. */
const char *columns_form_parse(struct columns_layout *l, unsigned kind, struct word w);
/* Whether the line [p, end), without blanks around it, has that shape; its columns. */
bool columns_form_fits(const struct columns_form *f, const uint8_t *p, const uint8_t *end,
		       struct span text[FORM_COLUMNS]);
static inline bool
columns_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}
/* Whether c may be the byte of a name that stands at that place, from 0. */
static inline bool
columns_name_byte(char c, size_t at)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
	       (at && c >= '0' && c <= '9');
}

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
/* A column of a line: what it says, and from there up to the separator. */
struct columns_cell {
	struct span text, raw;
};

/* Of one input. */
struct columns {
	struct columns_fast fast;
	const struct columns_layout *l;
	char why[160];				    /* columns_shape_why */
	struct columns_layout *mine;		    /* l, where it was found out */
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
	uint64_t line;	  /* the number of the one at hand in its file, where l->lines */
	struct buf *held; /* by the number of a name: what a line before this one said */
	struct waiting *wait; /* of lines that are begun */
	bool odd;	      /* a line that is no record begins with a digit */
	uint64_t other;	      /* lines that are no records, besides the first */
	void (*run)(struct columns_fast *f);
};

/*
 * shape.c: what the line [*p, *end) is, of a layout with shapes, by enum columns_kind; FORM_NONE: no shape
 * fits. Of a record its columns go to c->cell; one that was begun before is put together, and *p, *end are all of
 * it. *why = what is wrong with it, or NULL.
 */
#define FORM_NONE 99
unsigned columns_shape(struct columns *c, const uint8_t **p, const uint8_t **end,
		       const char **why);
/* Of a line that no shape fits: where the one that came farthest does not. */
const char *columns_shape_why(struct columns *c, const uint8_t *p, const uint8_t *end);
/* Takes a line that was begun and has no rest: true, and its bytes in *line. */
bool columns_shape_left(struct columns *c, struct span *line);
/* Forgets all lines before. */
void columns_shape_forget(struct columns *c);
void columns_shape_free(struct columns *c);

/* begin.c: false, with a message, where the input of s cannot be read. */
bool columns_begin(struct source *s);
/* Says that the lines are not those of the preset. */
void columns_no_such(struct source *s);
/* A mark of UTF-8 at the file's begin is none of its bytes. */
void columns_skip_mark(struct source *s);

/* bytes.c: the next record of bytes at p as cells, which stand in c->unquoted. */
void columns_integers(struct columns *c, const uint8_t *p);
/* The same as columns_fields gives where nothing is wrong, without cells; false: it takes these. */
bool columns_integer_fields(struct columns *c, const uint8_t *p);

/* read.c: the columns of the line [p, end) into c->cell. NULL, or what is wrong. */
const char *columns_cells(struct columns *c, const uint8_t *p, const uint8_t *end);
/* The same of any kind of line, by enum columns_kind, of which FORM_NONE is none. */
unsigned columns_line_cells(struct columns *c, const uint8_t **p, const uint8_t **end,
			    const char **why);
/* Whether the line begins as those that are skipped. */
bool columns_skipped(const struct columns *c, const uint8_t *p, const uint8_t *end);
/* The fields of the line. NULL, or what is wrong with the one whose number is *which. */
const char *columns_fields(struct columns *c, const uint8_t *end, unsigned *which);
/* What stands in a field's column; p = NULL where there is none. */
struct span columns_text(const struct columns *c, const struct columns_field *f,
			 const uint8_t *end);

/*
 * plan.c: plans the fast path of s by its fields; it stays off where these are more than it can do. `n` is how
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
