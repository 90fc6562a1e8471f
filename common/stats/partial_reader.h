/* partial_reader.h - what the files that read partials share. */
#ifndef SPOOR_PARTIAL_READER_H
#define SPOOR_PARTIAL_READER_H

#include "stats/partial.h"
#include "stats/partial_names.h"

#define PARTIAL_WORDS 12

/* One line, cut at its TABs; the field also at its blanks. All end with NUL. */
struct reader {
	const char *name;
	uint64_t line;
	char *key, *number;
	char *word[PARTIAL_WORDS];
	size_t nwords;
	bool header, trailer;	   /* seen one in this file */
	uint64_t lines, announced; /* of data, in this file */
	struct buf last_key;
	struct stats *last; /* the table of last_key */
	uint32_t group;
};

/* Says what is wrong with the line at hand, with its place, and exits. */
#define partial_refuse(r, ...) die_at((r)->name, (r)->line, __VA_ARGS__)
/* The value of a text; what is no whole number of 64 bits is refused. */
uint64_t partial_number(const struct reader *r, const char *s);
int64_t partial_signed(const struct reader *r, const char *s);
/* The value of a text into w[0..n), the lowest word first; refused where it is longer. */
void partial_words(const struct reader *r, const char *s, uint64_t *w, size_t n);
/* The i-th word of the second field, from 0; refused where there is none. */
const char *partial_word(const struct reader *r, size_t i);
/* The table that a letter names, from a on; refused where there is none. */
struct stats *partial_table(const struct reader *r, struct answer *a, char letter);

/* partial_lines.c: adds a line to the group r->group of r->last, */
void partial_group_line(const struct reader *r);
/* and one that is of no single group. */
void partial_table_line(const struct reader *r, struct answer *a);

#endif
