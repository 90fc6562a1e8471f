/* partial_reader.h - what the files that write and read partials share. */
#ifndef SPOOR_PARTIAL_READER_H
#define SPOOR_PARTIAL_READER_H

#include "stats/stats_partial.h"
#include "work/work_parts.h"

#define PARTIAL_MAGIC "spoor-stats 5"
#define PARTIAL_WORDS 12

extern const char *const partial_class[CLASSES];
/* Appends the question as it stands in the header. */
void partial_question(struct buf *b, const struct query *q);

/* One line, cut at its TABs; the field also at its blanks. All end with NUL. */
struct partial_reader {
	struct parts_reader in;
	struct query_result *a;
	bool *opened; /* a has its question */
	char *key, *number;
	char *word[PARTIAL_WORDS];
	size_t nwords;
	struct buf last_key;
	struct stats *last; /* the table of last_key */
	uint32_t group;
};

/* Says what is wrong with the line at hand, with its place, and exits. */
#define partial_refuse(r, ...) parts_refuse(&(r)->in, __VA_ARGS__)
/* The value of a text; what is no whole number of 64 bits is refused. */
uint64_t partial_number(const struct partial_reader *r, const char *s);
int64_t partial_signed(const struct partial_reader *r, const char *s);
/* The value of a text into w[0..n), the lowest word first; refused where it is longer. */
void partial_words(const struct partial_reader *r, const char *s, uint64_t *w, size_t n);
/* The i-th word of the second field, from 0, as it stands, unescaped, and its value; refused where
 * there is none. */
char *partial_word(const struct partial_reader *r, size_t i);
char *partial_unescaped(const struct partial_reader *r, size_t i);
uint64_t partial_at(const struct partial_reader *r, size_t i);
/* Each is refused where there is none: the number at the line's end; the i-th word as a value; the
 * number in st of the file that the i-th word names. */
uint64_t partial_value(const struct partial_reader *r);
struct datum partial_datum(const struct partial_reader *r, size_t i);
uint32_t partial_file_named(const struct partial_reader *r, struct stats *st, size_t i);
/* The table that a letter names, from a on; refused where there is none. */
struct stats *partial_table(const struct partial_reader *r, char letter);

/* The start of a line about group g of a table, a letter. */
void partial_group(struct buf *b, const struct stats *st, char table, uint32_t g);

/* partial_lines.c: adds a line to the group r->group of r->last, */
void partial_group_line(const struct partial_reader *r);
/* and one that is of no single group. */
void partial_table_line(const struct partial_reader *r);

#endif
