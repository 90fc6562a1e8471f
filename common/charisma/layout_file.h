/* layout_file.h - shared by the files that read a layout's text form. */
#ifndef SPOOR_CHARISMA_LAYOUT_FILE_H
#define SPOOR_CHARISMA_LAYOUT_FILE_H

#include "base/compiler.h"
#include "charisma/layout.h"

#define WORDS 8

struct parser {
	struct layout *l;
	unsigned line;
	struct word w[WORDS];
	unsigned nw;
	struct layout_record *open; /* the record or struct whose fields follow */
	unsigned open_line;
	bool first, base, tail, words, align; /* seen */
	char *why;
	size_t whysize;
};

/* layout_fields.c. Notes what is wrong with the line at hand. False. */
bool layout_bad(struct parser *p, const char *fmt, ...) PRINTF(2, 3);
/* A word for messages: at most 40 bytes, printable; good until the next call. */
const char *layout_show(const struct word *w);
/* Returns whether a word can be the name of a type, a record or a field. */
bool layout_is_name(const struct word *w);
/* *v = a whole number, decimal or 0x and hex, with a sign when least allows it. */
bool layout_number(struct parser *p, const struct word *w, int64_t least, int64_t most,
		   int64_t *v);
/* Returns whether the line has least to most words, as `form` has. */
bool layout_expect(struct parser *p, unsigned least, unsigned most, const char *form);

/* Each of these takes the line at hand; false, with layout_bad, if it
 * is wrong. */
/* record NUMBER NAME [size BYTES] */
bool layout_record_line(struct parser *p);
/* struct TraceIORequest */
bool layout_struct_line(struct parser *p);
/* TYPE NAME, TYPE NAME[N], repeat COUNTER TYPE NAME: of the open record. */
bool layout_field_line(struct parser *p);
/* end: whether the open record has what the reader relies on. */
bool layout_end_line(struct parser *p);

#endif
