/* delimited.h - lines of text in columns, whose meaning a description gives: its parsed form, and the line parser
 * that the fast paths share. columns-layout(5) has the language. */
#ifndef SPOOR_DELIMITED_H
#define SPOOR_DELIMITED_H

#include "delimited/fast.h"

#define COLUMNS_FIELDS 64 /* limit of the fields of a description */
#define COLUMNS_PAIRS 512 /* limit of the names of values, in all maps together */
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
	FORM_HEAD,    /* no record: its columns apply to the records after it */
	FORM_BEGUN,   /* the first part of a record, which waits for its rest */
	FORM_RESUMED, /* the rest of a record */
	FORM_ENDED,   /* no record: the process or thread in it has ended */
	/* No record: one thread takes the place of another: the last column of the shape is the old one. */
	FORM_MOVED,
	FORM_LOST, /* no record: has the number of lost events */
	FORM_SKIP, /* no record */
	/* A record that a later line continues, because another program wrote in between. */
	FORM_OPEN,
};

/* A shape of lines: fixed text, and columns between. */
struct delimited_form {
	uint8_t kind;
	unsigned n; /* number of columns */
	struct word before, after[FORM_COLUMNS];
	int name[FORM_COLUMNS];	   /* number of the column's name; -1 = no name */
	bool any[FORM_COLUMNS];	   /* the column may have blanks */
	bool number[FORM_COLUMNS]; /* the column has only digits and points */
};

struct delimited_pair {
	struct word from, to;
	bool drop; /* a line with this value is not a record */
};

struct delimited_layout {
	char *text;  /* copy of the description, into which all words point */
	uint8_t sep; /* separator; 0 = blanks */
	bool header; /* the first line has the names of the columns */
	/* Only a line with a number in this column is a record. If its `at` is 0, every line is. */
	struct delimited_field record;
	/* Lines that begin with one of these are not records. */
	struct word skip[COLUMNS_SKIPS];
	unsigned nskips;
	/* Times are Unix times plus `base` ns; otherwise they count from the trace's begin. */
	bool absolute;
	uint64_t base;
	uint64_t block; /* unit of addr in bytes, for the metadata */
	struct delimited_field field[COLUMNS_FIELDS];
	unsigned nfields;
	struct delimited_pair pair[COLUMNS_PAIRS];
	unsigned npairs;
	unsigned least, most; /* limits of the columns of a line; 0 = no limit */
	char count[48];	      /* error message for a line with another number of columns */
	struct delimited_form form[FORMS];
	unsigned nforms;
#define COLUMNS_INTS 32
	/* The little-endian integers of a binary record of `bytes` bytes. bytes is 0 if the input has lines. */
	struct delimited_int {
		uint8_t width;
		bool neg;    /* it is signed */
		uint16_t at; /* offset in the record */
	} ints[COLUMNS_INTS];
	unsigned nints, bytes;
	struct word names[FORM_NAMES]; /* names of the columns of shapes */
	unsigned nnames;
	/* Number in `names` of the column with the actor (such as a pid), the first column of begun=; -1 = none. */
	int who;
	/* Bits of the names in which a line of resumed= must agree with its line of begun=. */
	uint64_t same;
	bool open;   /* it has a FORM_OPEN: other programs may write between the lines */
	bool shaped; /* records have a shape: their columns are the names of shapes */
	bool lines;  /* times are line numbers */
	bool json;   /* a record is a JSON object: its columns are members, found by name */
	/* The members have the same values as an event of spoor's streams. */
	bool stream;
	/* Members that no field names become arguments: all members, or only the members of the object `members`. */
	bool others;
	struct word members;
	bool comma; /* decimals follow a comma, and no number has a point */
	bool cut;   /* a line can be read without the previous lines */
	/* The number of the preset, and advice that is printed once if the preset cannot read a line. */
	int preset; /* -1 = not a preset */
	const char *hint;
};

#define COLUMNS_GIVEN 8
struct delimited_options {
	/* The values of the option that is being read. */
	const char *text, *file;
	/* All descriptions so far, in order. */
	struct delimited_given {
		/* Pattern of the names of inputs that it is for; NULL = all. */
		const char *file;
		const struct delimited_layout *layout; /* NULL = guess the layout */
	} given[COLUMNS_GIVEN];
	unsigned n;
};

extern const struct format fmt_delimited;
/* Names of the fields that are columns of an event, by enum delimited_what (delimited_layout.c). */
extern const char *const delimited_columns[C_ARG];

/* Returns the layout for the input s, of which the first bytes have been read: the one that an option names, or,
 * with `own`, the one preset that its first lines must belong to (choose.c). *mine is then the preset's layout,
 * which the caller frees with delimited_free; otherwise *mine is NULL. Returns NULL if no layout is found, and may
 * write advice to `hint`. */
#define COLUMNS_HINT 256
const struct delimited_layout *delimited_choose(struct source *s, bool own,
						struct delimited_layout **mine,
						char hint[COLUMNS_HINT]);
/* The result of delimited_try. */
struct delimited_try {
	/* Numbers of lines that are records, have errors, or are neither. */
	uint64_t records, wrong, other;
	/* whole: there were no errors except in lines; dated: the first time is between 1990 and 2100. */
	bool whole, dated;
};
/* Reads the first bytes p[0..n) of the input s with the layout l, and returns how well they fit (try.c). Prints
 * nothing. */
struct delimited_try delimited_try(const struct source *s, const struct delimited_layout *l,
				   const uint8_t *p, size_t n);
/* Prints the preset, or, if `preset` is NULL, a layout guessed from the first lines of the input (guess.c). Ends
 * the program. */
_Noreturn void delimited_guess(struct source *s, const struct delimited_layout *preset);
/* Takes a description: implements format_option.then (format.h). Dies if it has an error, if there are more than
 * COLUMNS_GIVEN, or if two are for all inputs and one of them is no preset. delimited_chosen returns true if a description is for all inputs and is no
 * preset (format_option.chooses), and delimited_claims if a description or preset fits s (format_inputs.claims). */
void delimited_take_option(void *options, const char *what);
bool delimited_chosen(const void *options);
bool delimited_claims(struct source *s, bool last, char hint[COLUMNS_HINT]);

/* The presets' names, with a NULL after the last, and their descriptions in the language of columns-layout(5)
 * (presets.c). */
extern const char *const delimited_presets[], *const delimited_meanings[];
/* The advice for lines that preset i cannot read, or NULL. */
extern const char *const delimited_hints[];
/* Returns a message that names the presets which read requests from a log of preset i (-1: no preset), or NULL
 * (presets.c). */
const char *delimited_advice(int i);
/* Returns delimited_advice for the preset that reads s (fmt_delimited.c). */
const char *delimited_requests(const struct source *s);
/* Returns the name of the preset whose tool names its files like `path`, if the tool of preset i does not.
 * Otherwise returns NULL. */
const char *delimited_other(int i, const char *path);
/* Returns true if the tool of preset i names its files like `path`. */
bool delimited_named(int i, const char *path);
/* Returns true if the lines p[0..n), which preset i can read, have a begin that no other format has. */
bool delimited_sure(int i, const uint8_t *p, size_t n);
/* Returns true if a file of preset i (-1: no preset) may begin with the bytes p[0..n). */
bool delimited_begins(int i, const uint8_t *p, size_t n);

/* Parses the shape w, in braces, and adds it to l with that kind (delimited_form.c). Returns NULL, or the error in
 * static memory. */
const char *delimited_form_parse(struct delimited_layout *l, unsigned kind, struct word w);
/* Returns the number of a column's name in l->names, and adds the name if it is new. Returns -1 if there are
 * FORM_NAMES already. */
int delimited_name_of(struct delimited_layout *l, struct word name);
/* Returns true if the line [p, end), which has no blanks around it, has the shape f. text[i] is then its column i. */
bool delimited_form_fits(const struct delimited_form *f, const uint8_t *p,
			 const uint8_t *end, struct span text[FORM_COLUMNS]);
/* Returns true if the line [p, end) begins like the shape f: up to the column with that name and the text after the
 * column. *text is then the column. */
bool delimited_form_begins(const struct delimited_form *f, int name, const uint8_t *p,
			   const uint8_t *end, struct span *text);
/* Returns true for a blank or a TAB. */
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
/* Frees l, which may be NULL. */
void delimited_free(struct delimited_layout *l);
/* Returns the layout that `text`, the value of -O columns=, names: a description (it has an =), a preset, or the
 * path of a file with a description. The caller frees the layout with delimited_free. Dies with a message that begins
 * with `what`, the option as the user wrote it, if text is none of them or has an error. */
struct delimited_layout *delimited_load(const char *text, const char *what);

/*
 * Reads the number p[0..n) and multiplies it by unit, which is at most COLUMNS_UNIT_MOST. *v is the whole part of the
 * product, *left its fraction in 10^-9. Returns NULL, or the error in static memory.
 */
#define COLUMNS_UNIT_MOST 10000000000u
const char *delimited_number(const uint8_t *p, size_t n, uint64_t unit, uint64_t *v,
			     uint64_t *left);
/* A column of a line: `text` is its value, `raw` its bytes up to the separator. */
struct delimited_cell {
	struct span text, raw;
};

/* The reader of one input. */
struct delimited {
	struct delimited_fast fast;
	const struct delimited_layout *l;
	/* For a layout of JSON (delimited_json.h), else NULL. */
	struct delimited_json *json;
	bool ticks;    /* with l->stream: times are ticks */
	char why[160]; /* message of delimited_shape_why */
	/* The layout l, if the reader must free it; else NULL. */
	struct delimited_layout *mine;
	/* The fields of l, with the numbers of all columns. */
	struct delimited_field field[COLUMNS_FIELDS];
	int record;    /* column that has a number in every record; 0 = none */
	int record_if; /* column of the condition for a record; 0 = none */
	unsigned want; /* number of columns to read of each line */
	bool hinted;   /* the hint of the preset was printed */
	struct delimited_cell *cell;
	unsigned n; /* number of columns of the current line, at most `want` */
	/* The number and the text (p = NULL: absent) of each field in the current line. */
	uint64_t value[COLUMNS_FIELDS];
	struct span arg[COLUMNS_FIELDS];
	/* REF_LESS if the error is in the subtracted column, else REF_AT */
	unsigned wrong;
	uint8_t joined[64]; /* a date that is joined from several columns */
	/* With times of day: the previous time, and its day, from 0. */
	uint64_t clock, day;
	unsigned absent; /* bits of the optional arguments that are absent */
	bool dropped;	 /* a map makes the current line no record */
	struct buf unquoted, loc, name;
	struct strtab events;
	uint32_t event; /* number of the current line's event name */
	unsigned parts; /* number of parts of loc */
	uint64_t header_line;
	uint64_t line; /* with l->lines: number of the current line in its file */
	/* Values of earlier lines for the next ones (FORM_HEAD), by the number of the name. */
	struct buf *held;
	struct waiting *wait; /* begun lines */
	bool some;	      /* a line was read that is neither empty nor a comment */
	bool torn;	  /* a line of FORM_OPEN has no end; delimited_slow reports it */
	uint64_t missing; /* FORM_LOST: number of lost events in the line; 0 = unknown */
	uint64_t recorder,
	    /* Lost events, and number of places where an unknown number was lost. */
	    places;
	bool odd; /* a line that is not a record begins with a digit */
	uint64_t
	    other; /* number of lines that are not records, except for the first line */
	void (*run)(struct delimited_fast *f);
};

/* Finds the shape of the line [*p, *end) (shape.c). Returns its enum delimited_kind, or FORM_NONE if no shape
 * fits. Stores the columns of a record in c->cell. If an earlier line began the record, joins both, and [*p, *end)
 * becomes the joined line, valid until the next call. *why is the error, or NULL. */
#define FORM_NONE 99
unsigned delimited_shape(struct delimited *c, const uint8_t **p, const uint8_t **end,
			 const char **why);
/* Returns a message for the line [p, end), which no shape fits: it names the column at which the nearest shape fails.
 * The message is in c->why until the next call. */
const char *delimited_shape_why(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Removes, at the end of the input, one of the begun lines that still wait for their rest (delimited_wait.c).
 * Returns true with its bytes in *line (valid until the next call), or false if no line waits. */
bool delimited_shape_left(struct delimited *c, struct span *line);
/* Forgets all that earlier lines set: held columns, begun lines, and actors. */
void delimited_shape_forget(struct delimited *c);
/* Frees what delimited_shape allocates. */
void delimited_shape_free(struct delimited *c);

/* Prepares reading the input of s (delimited_begin.c). Returns false, with a message, if the layout cannot read
 * the input. */
bool delimited_begin(struct source *s);
/* Reports that the lines do not fit the preset. */
void delimited_no_such(struct source *s);
/* Skips a byte order mark of UTF-8 at the begin of the file. */
void delimited_skip_mark(struct source *s);

/* Writes the integers of the binary record at p as decimal cells (delimited_bytes.c). Their text is in c->unquoted
 * until the next call. */
void delimited_integers(struct delimited *c, const uint8_t *p);
/* Sets the fields of the binary record at p as delimited_fields does, but without making cells, which is faster.
 * Returns false if a field is not a plain integer or has an error: the caller must then use delimited_integers and
 * delimited_fields. */
bool delimited_integer_fields(struct delimited *c, const uint8_t *p);

/* Appends the text with the escapes of a name (delimited_form.c). The byte `also`, unless it is 0, is escaped too. */
void delimited_escaped(struct buf *b, struct span text, char also);
/* Returns the argument that the field f becomes (json_event.c). */
struct arg delimited_arg(const struct delimited_field *f);
/* Splits the line [p, end) into c->cell (delimited_read.c). Returns NULL, or the error in static memory. */
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

/* Plans the fast path of s for its fields (delimited_plan.c). The fast path stays off if it cannot read one of
 * them. `n` is the number of columns of a line if delimited_counts returned true, else 0. If n is not 0, the fast
 * path reads only lines with n columns. */
void delimited_plan(struct source *s, unsigned n);
/* Returns true if delimited_plan must know the number of columns: a field counts from the end of the line, or the
 * layout limits the number. */
bool delimited_counts(const struct delimited *c);
/* Teaches the fast path the names in the current line, a record whose place has the number `loc`. */
void delimited_meet(struct delimited *c, uint32_t loc);
/* Notes for the fast path that a value of the JSON object `line` begins at p. `text`: it is a string, otherwise a
 * number. `cell` is its column, or -1 if no field needs it. */
void delimited_piece(struct delimited *c, const uint8_t *line, const uint8_t *p, bool text,
		     int cell);
/* Teaches the fast path the members of the line [p, end), a record that is a JSON object. */
void delimited_learn(struct delimited *c, const uint8_t *p, const uint8_t *end);
/* Makes the fast path forget all names and objects. */
void delimited_forget(struct delimited_fast *f);
/* Frees all that the plan of f owns. */
void delimited_plan_free(struct delimited_fast *f);

#endif
