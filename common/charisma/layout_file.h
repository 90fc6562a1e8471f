/* layout_file.h - shared by the files that read a layout's text form. */
#ifndef SPOOR_CHARISMA_LAYOUT_FILE_H
#define SPOOR_CHARISMA_LAYOUT_FILE_H

#include "base/compiler.h"
#include "charisma/charisma_layout.h"

#define WORDS 8

struct layout_parser {
	struct layout *l;
	unsigned line;
	struct word w[WORDS];
	unsigned nw;
	struct layout_record *open; /* the record or struct that is being read, or NULL */
	unsigned open_line;
	bool first, base, tail, words, align; /* the line has been seen */
	char *why;
	size_t whysize;
};

/* Writes the error of the current line to p->why (layout_fields.c). Returns false. */
bool layout_bad(struct layout_parser *p, const char *fmt, ...) PRINTF(2, 3);
/* Returns the word for a message: at most 40 bytes, printable. It is valid until the next call. */
const char *layout_show(const struct word *w);
/* Returns true if w is a name; otherwise returns false, with layout_bad. */
bool layout_name(struct layout_parser *p, const struct word *w);
/* Stores in *v a whole number from least to most: decimal, or 0x and hex digits, with a sign if least is negative.
 * Returns false, with layout_bad, if w is none. */
bool layout_number(struct layout_parser *p, const struct word *w, int64_t least,
		   int64_t most, int64_t *v);
/* Returns true if the line has from least to most words. Otherwise returns false, with layout_bad and the expected
 * `form`. */
bool layout_expect(struct layout_parser *p, unsigned least, unsigned most,
		   const char *form);

/* Each of these functions reads the current line, which has the form below. They return false, with layout_bad,
 * after an error. */
/* Reads: record NUMBER NAME [size BYTES]. */
bool layout_record_line(struct layout_parser *p);
/* Reads: struct TraceIORequest. */
bool layout_struct_line(struct layout_parser *p);
/* Reads a field of the open record: TYPE NAME, TYPE NAME[N], or repeat COUNTER TYPE NAME. */
bool layout_field_line(struct layout_parser *p);
/* Reads: end. Checks that the open record has the fields that the reader needs. */
bool layout_end_line(struct layout_parser *p);

#endif
