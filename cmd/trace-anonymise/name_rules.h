/*
 * name_rules.h - decides which fields of a trace hold names of people, hosts, paths or programs.
 *
 * A format whose schema is known has its names in the fields that hold strings, and in the fields of its row here.
 * Arguments that neither knows, and all texts of other traces, count as names: a name that is hidden needlessly does
 * less harm than one that is not.
 */
#ifndef SPOOR_ANONYMISE_NAME_RULES_H
#define SPOOR_ANONYMISE_NAME_RULES_H

#include "event/schema.h"
#include "input/source.h"

/* Facts about a format beyond its schema: lists of words, with blanks between, or NULL. */
struct name_rules {
	const char *format;
	const char *loc; /* parts of loc that are names */
	const char
	    *numbers; /* integer fields, and metadata, that name somebody or something */
	const char *keep;    /* fields, and metadata, whose texts are no names */
	const char *words;   /* texts that are no names */
	const char *keys;    /* metadata whose key goes on with a name: KEY.NAME */
	const char *classes; /* FIELD=CLASS: classes that are not called like the field */
};

enum name_mode {
	MODE_KEEP,
	MODE_NAME, /* the text is a name */
	MODE_LIST, /* the text is an array of names, with commas between if it is one text */
	MODE_WORD, /* the text is a name unless it is a number, or several with commas between */
	MODE_QUOTED, /* names stand in the text between quotes, or between < and > */
	MODE_NUMBER, /* the integer is a name */
};

/* The rules in force, for the events of one head. */
struct name_choice {
	const struct name_rules *rules; /* all of them, up to one without a format */
	const struct name_rules *row;	/* of the format of the events; never NULL */
	const struct schema *schema;	/* of the format; NULL if unknown */
	const char *also, *never;	/* --also, --keep: lists with commas, or NULL */
};

/* Sets row and schema to those of the format of s->head. */
void choice_begin(struct name_choice *c, const struct source *s);
/* Decides on the argument `a` of events of type ty. */
enum name_mode choice_of_arg(const struct name_choice *c, const struct type *ty,
			     const struct arg *a);
/* Returns true if texts of part i of loc, from 0, are to be hidden; the caller does not hide numbers. h has the names of
 * the parts. */
bool choice_of_loc(const struct name_choice *c, const struct head *h, unsigned i);
/* Decides on a pair of metadata by its key without a place, and its value. */
enum name_mode choice_of_meta(const struct name_choice *c, const char *key,
			      const char *value);
/* Returns the number of bytes of a key of metadata that stay, up to the dot before a name; all of them if it has none. */
size_t choice_key(const struct name_choice *c, const char *key);
/* Returns true if --also has the field and --keep does not. */
bool choice_asked(const struct name_choice *c, const char *name);
/* Returns true if the text s[0..n) is empty or a word of the format, and no name. */
bool choice_is_word(const struct name_choice *c, const char *s, size_t n);
/* Returns the class of the names in a field or in metadata: its last part, without digits at the end, unless a row or a
 * common table has another one. The result is valid until the next call. */
const char *choice_class(const struct name_choice *c, const char *name);
/* Returns true if s[0..n) is a number, a version or a time, and no address of a host; or several with commas between. */
bool text_is_number(const char *s, size_t n);

#endif
