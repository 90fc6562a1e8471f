/*
 * delimited.h - lines of text in columns, as a description says what they are: its parsed
 * form, and the line parser that the fast paths share. columns-layout(5) has the language.
 */
#ifndef SPOOR_DELIMITED_H
#define SPOOR_DELIMITED_H

#include "delimited/fast.h"

#define COLUMNS_FIELDS 64 /* of one description */
#define COLUMNS_PAIRS 512 /* names of values, in all maps */
#define COLUMNS_SKIPS 8
/* Bound: columns | columns of a line | separators | 1024, the last for the rest | more than 1023 columns */
#define COLUMNS_MOST 1024  /* columns of a line */
#define COLUMNS_OPTIONAL 6 /* arguments that may be absent */

#define FORMS 64
#define FORM_COLUMNS 16
#define FORM_NAMES 64

/* What a line of a shape is. */
enum delimited_kind {
	FORM_LINE,  /* a record */
	FORM_HEAD,  /* none: what it says holds for the records behind it */
	FORM_BEGUN, /* a part of a record, which waits for the rest: */
	FORM_RESUMED,
	FORM_ENDED, /* none: who is named acts no more */
	FORM_MOVED, /* none: who is named last acts no more, but under the other name */
	FORM_LOST,  /* none: as many records are missing */
	FORM_SKIP,  /* none */
	FORM_OPEN,  /* a line of which the end is in a later one */
};

/* A shape of lines: text, and columns between. */
struct delimited_form {
	uint8_t kind;
	unsigned n; /* columns */
	struct word before, after[FORM_COLUMNS];
	int name[FORM_COLUMNS];	   /* the number of its name; -1: it has none */
	bool any[FORM_COLUMNS];	   /* it need not be one word */
	bool number[FORM_COLUMNS]; /* it has digits and points alone */
};

struct delimited_pair {
	struct word from, to;
	bool drop; /* the line is no record */
};

struct delimited_layout {
	char *text;  /* that all words point into */
	uint8_t sep; /* 0: blanks */
	bool header; /* the first line is names */
	struct delimited_field
	    record; /* only a line with a number there is a record; at 0: any is */
	struct word skip[COLUMNS_SKIPS]; /* lines that begin so are no records */
	unsigned nskips;
	bool
	    absolute; /* times are Unix times plus `base` ns; else from the trace's begin */
	uint64_t base;
	uint64_t block; /* bytes of the unit of addr, for the metadata */
	struct delimited_field field[COLUMNS_FIELDS];
	unsigned nfields;
	struct delimited_pair pair[COLUMNS_PAIRS];
	unsigned npairs;
	unsigned least, most; /* columns of a line; 0: as many as there are */
	char count[48];	      /* what is said of a line that has not so many */
	struct delimited_form form[FORMS];
	unsigned nforms;
#define COLUMNS_INTS 32
	/* Of a record that is no line: its integers, and their bytes, of which the first are low. */
	struct delimited_int {
		uint8_t width;
		bool neg;    /* it may be less than 0 */
		uint16_t at; /* its place in the record */
	} ints[COLUMNS_INTS];
	unsigned nints, bytes;
	struct word names[FORM_NAMES]; /* of columns of shapes */
	unsigned nnames;
	int who; /* the name of those who act, the first of begun=; -1: there is none */
	uint64_t
	    same; /* the names of columns in which lines of begun= and resumed= agree: bits */
	bool open;   /* it has FORM_OPEN: other programs write between the lines */
	bool shaped; /* records have a shape, too: their columns are those names */
	bool lines;  /* times are numbers of lines */
	bool json;   /* a record is an object of JSON: its columns are members, by name */
	bool stream; /* and its values are those of an event of our own streams */
	bool others; /* members that no field names are arguments: all, or those in */
	struct word members;
	bool comma; /* stands in front of decimals, and a point in no number */
	bool cut;   /* a line can be read without those before it */
	/* Of a preset: its number, and what is said once of lines that it cannot read. */
	int preset; /* -1: it is none */
	const char *hint;
};

#define COLUMNS_GIVEN 8
struct delimited_options {
	/* The option that is being taken. */
	const char *text, *file;
	/* All so far, in their order. */
	struct delimited_given {
		const char *file; /* the pattern of the inputs that it is for; NULL: all */
		const struct delimited_layout *layout; /* NULL: it is to be guessed */
	} given[COLUMNS_GIVEN];
	unsigned n;
};

extern const struct format fmt_delimited;
/* layout.c: the fields that are columns of an event, by enum delimited_what. */
extern const char *const delimited_columns[C_ARG];

/*
 * choose.c: the layout for input s, whose first bytes are there; where no option names one, `own` allows
 * presets that its first lines are sure to be of: *mine is that, to be freed. NULL, and what to do in `hint`.
 */
#define COLUMNS_HINT 256
const struct delimited_layout *delimited_choose(struct source *s, bool own,
						struct delimited_layout **mine,
						char hint[COLUMNS_HINT]);
/* try.c. What a layout gives for bytes at the begin of an input: records, lines that are wrong, lines that are no records; no other error, a first
 * time of our age. */
struct delimited_try {
	uint64_t records, wrong, other;
	bool whole, dated;
};
struct delimited_try delimited_try(const struct source *s, const struct delimited_layout *l,
				   const uint8_t *p, size_t n);
/* guess.c: prints the layout that the first lines of the input seem to have, or the preset, where it is not
 * NULL, and ends the program. */
_Noreturn void delimited_guess(struct source *s, const struct delimited_layout *preset);
/* See format.h: takes, chooses, claims. */
void delimited_take_option(void *options, const char *what);
bool delimited_chosen(const void *options);
bool delimited_claims(struct source *s, bool last, char hint[COLUMNS_HINT]);

/* presets.c: the presets' names, up to NULL, and what they stand for. */
extern const char *const delimited_presets[], *const delimited_meanings[];
/* What is said of lines that a preset cannot read, or NULL. */
extern const char *const delimited_hints[];
/* presets.c: returns a message that names presets by which lines of preset i become requests, or NULL. */
const char *delimited_advice(int i);
/* fmt_delimited.c: the same of the preset that s is read by. */
const char *delimited_requests(const struct source *s);
/* The other preset for a file of that name, where preset i cannot be meant; else NULL. */
const char *delimited_other(int i, const char *path);
/* Whether the file's name is one that the tool of preset i gives. */
bool delimited_named(int i, const char *path);
/* Whether lines p[0..n) that preset i can read are of no other kind. */
bool delimited_sure(int i, const uint8_t *p, size_t n);
/* Whether a file of preset i may begin with these bytes. */
bool delimited_begins(int i, const uint8_t *p, size_t n);

/* form.c: a shape in braces, of that kind, added to l. NULL, or what is wrong. */
const char *delimited_form_parse(struct delimited_layout *l, unsigned kind, struct word w);
/* Returns the number of a name of columns, which is added to l if it is new, or -1: there are too many. */
int delimited_name_of(struct delimited_layout *l, struct word name);
/* Whether the line [p, end), without blanks around it, has that shape; its columns. */
bool delimited_form_fits(const struct delimited_form *f, const uint8_t *p,
			 const uint8_t *end, struct span text[FORM_COLUMNS]);
/* Returns true if the line begins as that shape does, up to the column of that name and the text behind the column, which
 * it stores in *text. */
bool delimited_form_begins(const struct delimited_form *f, int name, const uint8_t *p,
			   const uint8_t *end, struct span *text);
static inline bool
delimited_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}
/* Returns true if the line [p, end) has nothing but blanks. */
static inline bool
delimited_is_empty(const uint8_t *p, const uint8_t *end)
{
	while (p < end && delimited_is_blank(*p))
		p++;
	return p == end;
}

/* Whether c may be the byte of a name that stands at that place, from 0. */
static inline bool
delimited_name_byte(char c, size_t at)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
	       (at && c >= '0' && c <= '9');
}

/*
 * The description `text`, n bytes. NULL with "LINE: reason" in why[0..size) where it is none;
 * else to be freed by delimited_free.
 */
struct delimited_layout *delimited_parse(const char *text, size_t n, char *why,
					 size_t size);
void delimited_free(struct delimited_layout *l);
/* What -O columns= takes: a description, which has an =, the name of a preset, or a file
 * with a description. Dies where it is none; `what` is how the option was written. */
struct delimited_layout *delimited_load(const char *text, const char *what);

/*
 * n bytes at p as a number times unit: *v, and *left the rest in 10^-9. NULL, or the reason
 * why it is none. unit is at most COLUMNS_UNIT_MOST.
 */
#define COLUMNS_UNIT_MOST 10000000000u
const char *delimited_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v,
			     uint64_t *left);
/* A column of a line: what it says, and from there up to the separator. */
struct delimited_cell {
	struct span text, raw;
};

/* Of one input. */
struct delimited {
	struct delimited_fast fast;
	const struct delimited_layout *l;
	struct delimited_json *json;   /* of a layout of JSON (json.h) */
	bool ticks;		       /* l->stream: times are ticks */
	char why[160];		       /* delimited_shape_why */
	struct delimited_layout *mine; /* l, where it was found out */
	struct delimited_field
	    field[COLUMNS_FIELDS]; /* those of l, with all columns known */
	int record;    /* the column that has a number in every record; 0: none */
	int record_if; /* and that of its condition */
	unsigned want; /* columns of a line that are looked at */
	bool hinted;   /* the hint of a preset was said */
	struct delimited_cell *cell;
	unsigned n; /* columns of the line at hand, at most `want` */
	/* Of the line at hand, for each field: its number, its text (p = NULL: absent). */
	uint64_t value[COLUMNS_FIELDS];
	struct span arg[COLUMNS_FIELDS];
	unsigned wrong;	    /* REF_LESS where the error is in what is taken off */
	uint8_t joined[64]; /* a date of several columns */
	unsigned absent;    /* which of the optional arguments: bits */
	bool dropped;	    /* its event makes it no record */
	struct buf unquoted, loc, name;
	struct strtab events;
	uint32_t event; /* number of the name of the line at hand */
	unsigned parts; /* of loc */
	uint64_t header_line;
	uint64_t line;	  /* the number of the one at hand in its file, where l->lines */
	struct buf *held; /* by the number of a name: what a line before this one said */
	struct waiting *wait; /* of lines that are begun */
	bool some;	      /* a line was read that is neither empty nor a comment */
	bool torn;	  /* the line that was open has no end; delimited_slow says so */
	uint64_t missing; /* FORM_LOST: how many; 0: unknown */
	uint64_t recorder,
	    places;	/* events that were lost, and places of an unknown number */
	bool odd;	/* a line that is no record begins with a digit */
	uint64_t other; /* lines that are no records, besides the first */
	void (*run)(struct delimited_fast *f);
};

/*
 * shape.c: what the line [*p, *end) is, of a layout with shapes, by enum delimited_kind; FORM_NONE: no shape
 * fits. Of a record its columns go to c->cell; one that was begun before is put together, and *p, *end are all of
 * it. *why = what is wrong with it, or NULL.
 */
#define FORM_NONE 99
unsigned delimited_shape(struct delimited *c, const uint8_t **p, const uint8_t **end,
			 const char **why);
/* Of a line that no shape fits: where the one that came farthest does not. */
const char *delimited_shape_why(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* wait.c: takes a line that was begun and has no rest: true, and its bytes in *line. */
bool delimited_shape_left(struct delimited *c, struct span *line);
/* Forgets all lines before. */
void delimited_shape_forget(struct delimited *c);
void delimited_shape_free(struct delimited *c);

/* begin.c: false, with a message, where the input of s cannot be read. */
bool delimited_begin(struct source *s);
/* Says that the lines are not those of the preset. */
void delimited_no_such(struct source *s);
/* A mark of UTF-8 at the file's begin is none of its bytes. */
void delimited_skip_mark(struct source *s);

/* bytes.c: the next record of bytes at p as cells, which stand in c->unquoted. */
void delimited_integers(struct delimited *c, const uint8_t *p);
/* The same as delimited_fields gives where nothing is wrong, without cells; false: it takes these. */
bool delimited_integer_fields(struct delimited *c, const uint8_t *p);

/* form.c: appends text as a name is written: escaped, and so is the byte `also`, unless that is 0. */
void delimited_escaped(struct buf *b, struct span text, char also);
/* json_event.c: the argument that a field becomes. */
struct arg delimited_arg(const struct delimited_field *f);
/* read.c: the columns of the line [p, end) into c->cell. NULL, or what is wrong. */
const char *delimited_cells(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* The same of any kind of line, by enum delimited_kind, of which FORM_NONE is none. */
unsigned delimited_line_cells(struct delimited *c, const uint8_t **p, const uint8_t **end,
			      const char **why);
/* Whether the line begins as those that are skipped. */
bool delimited_skipped(const struct delimited *c, const uint8_t *p, const uint8_t *end);
/* The fields of the line. NULL, or what is wrong with the one whose number is *which. */
const char *delimited_fields(struct delimited *c, const uint8_t *end, unsigned *which);
/* Returns what stands in the columns of a field from ref[which] on, REF_AT or REF_LESS, several of them joined in
 * c->joined; p = NULL where one is missing. */
struct span delimited_text(struct delimited *c, const struct delimited_field *f,
			   unsigned which, const uint8_t *end);

/*
 * plan.c: plans the fast path of s by its fields; it stays off where these are more than it can do. `n` is how
 * many columns lines have, where that must be known (delimited_counts), else 0: the fast path takes such lines alone.
 */
void delimited_plan(struct source *s, unsigned n);
bool delimited_counts(const struct delimited *c);
/* The fast path learns the names of the line, a record whose loc is so numbered. */
void delimited_meet(struct delimited *c, uint32_t loc);
/* The text or number of that cell, or -1, begins at p in the line: a part of what the fast path can learn. */
void delimited_piece(struct delimited *c, const uint8_t *line, const uint8_t *p, bool text,
		     int cell);
/* The fast path learns the members of the line, an object of JSON that is a record. */
void delimited_learn(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* It knows none any more. */
void delimited_forget(struct delimited_fast *f);
void delimited_plan_free(struct delimited_fast *f);

#endif
