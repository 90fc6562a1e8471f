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

/* The meaning of a line that has a shape. */
enum delimited_kind {
	FORM_LINE,    /* a record */
	FORM_HEAD,    /* no record: its columns hold for the records after it */
	FORM_BEGUN,   /* the first part of a record, which waits for its rest */
	FORM_RESUMED, /* the rest of a record */
	FORM_ENDED,   /* no record: the process or thread in it has ended */
	FORM_MOVED,   /* no record: the last one named has taken the first one's place */
	FORM_LOST,    /* no record: gives the number of lost events */
	FORM_SKIP,    /* no record */
	FORM_OPEN,    /* a record whose end is in a later line: other output is between */
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
	/* The little-endian integers of a record that has `bytes` bytes and is no line. */
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
	/* The number of a preset, and the advice that is printed once if it cannot read a line. */
	int preset; /* -1: not a preset */
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
/* delimited_layout.c: the fields that are columns of an event, by enum delimited_what. */
extern const char *const delimited_columns[C_ARG];

/*
 * choose.c: returns the layout for the input s, of which the first bytes have been read: the one that an option
 * names, or, with `own`, the one preset that its first lines must belong to. *mine is then the preset's layout, which
 * the caller frees with delimited_free; otherwise *mine is NULL. Returns NULL if no layout is found, and may write
 * advice to `hint`.
 */
#define COLUMNS_HINT 256
const struct delimited_layout *delimited_choose(struct source *s, bool own,
						struct delimited_layout **mine,
						char hint[COLUMNS_HINT]);
/* The result of delimited_try. */
struct delimited_try {
	uint64_t records, wrong, other; /* lines: records, with errors, neither */
	/* whole: lines have errors, but nothing else has; dated: the first time is between 1990 and 2100. */
	bool whole, dated;
};
/* try.c: reads the first bytes p[0..n) of the input s with the layout l, and returns how well they fit. Prints
 * nothing. */
struct delimited_try delimited_try(const struct source *s, const struct delimited_layout *l,
				   const uint8_t *p, size_t n);
/* guess.c: prints the preset, or, if `preset` is NULL, a layout guessed from the first lines of the input. Ends the
 * program. */
_Noreturn void delimited_guess(struct source *s, const struct delimited_layout *preset);
/* These are members of struct format (format.h): take, chosen, claims. delimited_take_option dies if the description is
 * wrong, or if there are more than COLUMNS_GIVEN of them. */
void delimited_take_option(void *options, const char *what);
bool delimited_chosen(const void *options);
bool delimited_claims(struct source *s, bool last, char hint[COLUMNS_HINT]);

/* presets.c: the presets' names, with a NULL after the last, and their descriptions in the language of
 * columns-layout(5). */
extern const char *const delimited_presets[], *const delimited_meanings[];
/* The advice for lines that preset i cannot read, or NULL. */
extern const char *const delimited_hints[];
/* presets.c: returns a message that names the presets which read requests from a log of preset i (-1: no preset), or
 * NULL. */
const char *delimited_advice(int i);
/* fmt_delimited.c: returns delimited_advice for the preset that reads s. */
const char *delimited_requests(const struct source *s);
/* Returns the name of the preset whose tool names its files like `path`, if the tool of preset i does not. Otherwise
 * returns NULL. */
const char *delimited_other(int i, const char *path);
/* Returns true if the tool of preset i names its files like `path`. */
bool delimited_named(int i, const char *path);
/* Returns true if the lines p[0..n), which preset i can read, have a beginning that no other format has. */
bool delimited_sure(int i, const uint8_t *p, size_t n);
/* Returns true if a file of preset i (-1: no preset) may begin with the bytes p[0..n). */
bool delimited_begins(int i, const uint8_t *p, size_t n);

/* delimited_form.c: parses the shape w, in braces, and adds it to l with that kind. Returns NULL, or the error in static
 * memory. */
const char *delimited_form_parse(struct delimited_layout *l, unsigned kind, struct word w);
/* Returns the number of a column's name in l->names, which gets a new name added. Returns -1 if there are FORM_NAMES. */
int delimited_name_of(struct delimited_layout *l, struct word name);
/* Returns true if the line [p, end), which has no blanks around it, has the shape f. text[i] is then its column i. */
bool delimited_form_fits(const struct delimited_form *f, const uint8_t *p,
			 const uint8_t *end, struct span text[FORM_COLUMNS]);
/* Returns true if the line [p, end) begins like the shape f: up to the column with that name and the text after the
 * column. *text is then the column. */
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

/* Returns true if c may be byte number `at` of a name: a letter, an underscore or, except at 0, a digit. */
static inline bool
delimited_name_byte(char c, size_t at)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
	       (at && c >= '0' && c <= '9');
}

/*
 * Parses the description text[0..n). Returns the layout, which the caller frees with delimited_free, or NULL with
 * "LINE: REASON" in why[0..size).
 */
struct delimited_layout *delimited_parse(const char *text, size_t n, char *why,
					 size_t size);
void delimited_free(struct delimited_layout *l);
/* Returns the layout that `text` stands for, the value of -O columns=: a description (it has an =), a preset, or the
 * path of a file with a description. The caller frees the layout with delimited_free. Dies with a message that begins
 * with `what`, the option as the user wrote it, if text is none of them or has an error. */
struct delimited_layout *delimited_load(const char *text, const char *what);

/*
 * Reads the number p[0..n) and multiplies it by unit, which is at most COLUMNS_UNIT_MOST. *v is the whole part of the
 * product, *left its fraction in 10^-9. Returns NULL, or the reason why p[0..n) is no number.
 */
#define COLUMNS_UNIT_MOST 10000000000u
const char *delimited_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v,
			     uint64_t *left);
/* A column of a line: what it says, and from there up to the separator. */
struct delimited_cell {
	struct span text, raw;
};

/* The reader of one input. */
struct delimited {
	struct delimited_fast fast;
	const struct delimited_layout *l;
	struct delimited_json *json;   /* of a layout of JSON (delimited_json.h) */
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
	/* The number and the text (p = NULL: absent) of each field in the current line. */
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
 * shape.c: finds the shape of the line [*p, *end). Returns its enum delimited_kind, or FORM_NONE if no shape fits.
 * Stores the columns of a record in c->cell. If an earlier line began the record, joins both, and [*p, *end) becomes
 * the joined line, valid until the next call. *why is the error, or NULL.
 */
#define FORM_NONE 99
unsigned delimited_shape(struct delimited *c, const uint8_t **p, const uint8_t **end,
			 const char **why);
/* Returns a message for the line [p, end), which no shape fits: it names the column at which the nearest shape fails.
 * The message is in c->why until the next call. */
const char *delimited_shape_why(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* delimited_wait.c: at the end of the input, removes one of the begun lines that still wait for their rest. Returns true with its
 * bytes in *line (valid until the next call), or false if no line waits. */
bool delimited_shape_left(struct delimited *c, struct span *line);
/* Forgets all that earlier lines said: held columns, begun lines, and who acts. */
void delimited_shape_forget(struct delimited *c);
/* Frees what delimited_shape allocates. */
void delimited_shape_free(struct delimited *c);

/* delimited_begin.c: prepares reading the input of s. Returns false, with a message, if the layout cannot read the input. */
bool delimited_begin(struct source *s);
/* Reports that the lines are not those of the preset. */
void delimited_no_such(struct source *s);
/* Skips a byte order mark of UTF-8 at the begin of the file. */
void delimited_skip_mark(struct source *s);

/* delimited_bytes.c: writes the integers of the binary record at p as decimal cells. Their text is in c->unquoted until the next
 * call. */
void delimited_integers(struct delimited *c, const uint8_t *p);
/* Sets the fields of the binary record at p as delimited_fields does, but without making cells, which is faster.
 * Returns false if a field is not a plain integer or has an error: the caller must then use delimited_integers and
 * delimited_fields. */
bool delimited_integer_fields(struct delimited *c, const uint8_t *p);

/* delimited_form.c: appends the text with the escapes of a name. The byte `also`, unless it is 0, is escaped too. */
void delimited_escaped(struct buf *b, struct span text, char also);
/* json_event.c: returns the argument that the field f becomes. */
struct arg delimited_arg(const struct delimited_field *f);
/* delimited_read.c: splits the line [p, end) into c->cell. Returns NULL, or the error in static memory. */
const char *delimited_cells(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Splits the line [*p, *end) of any layout - columns, shapes or JSON - into c->cell. Returns its enum delimited_kind,
 * or FORM_NONE if no shape fits. *why is the error, or NULL. A joined line replaces [*p, *end): see delimited_shape. */
unsigned delimited_line_cells(struct delimited *c, const uint8_t **p, const uint8_t **end,
			      const char **why);
/* Returns true if the line [p, end) begins with one of the texts of skip=. */
bool delimited_skipped(const struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Reads all fields from the cells of the line, which ends at `end`, into c->value and c->arg. Returns NULL, or the
 * error; *which is then the number of the field, or c->l->nfields if the line has the wrong number of columns. */
const char *delimited_fields(struct delimited *c, const uint8_t *end, unsigned *which);
/* Returns the text of the columns of the field f that begin at ref[which], REF_AT or REF_LESS. Several columns are
 * joined in c->joined. p = NULL if one is missing. */
struct span delimited_text(struct delimited *c, const struct delimited_field *f,
			   unsigned which, const uint8_t *end);

/*
 * delimited_plan.c: plans the fast path of s for its fields. The fast path stays off if it cannot read one of them. `n` is the
 * number of columns of a line if delimited_counts says that it must be known, else 0. If n is not 0, the fast path
 * reads only lines with n columns.
 */
void delimited_plan(struct source *s, unsigned n);
/* Returns true if delimited_plan must know the number of columns: a field counts from the end of the line, or the
 * layout limits the number. */
bool delimited_counts(const struct delimited *c);
/* Teaches the fast path the names in the current line, a record whose place has the number `loc`. */
void delimited_meet(struct delimited *c, uint32_t loc);
/* Notes for the fast path that a value of the JSON object `line` begins at p: a text, or else a number; of column
 * `cell`, or -1 if no field needs it. */
void delimited_piece(struct delimited *c, const uint8_t *line, const uint8_t *p, bool text,
		     int cell);
/* Teaches the fast path the members of the line [p, end), a record that is a JSON object. */
void delimited_learn(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Makes the fast path forget all names and objects. */
void delimited_forget(struct delimited_fast *f);
/* Frees all that the plan of f owns. */
void delimited_plan_free(struct delimited_fast *f);

#endif
