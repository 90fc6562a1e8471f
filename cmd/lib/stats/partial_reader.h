/* partial_reader.h - reading partial results, for the files that write and read them. */
#ifndef SPOOR_PARTIAL_READER_H
#define SPOOR_PARTIAL_READER_H

#include "stats/stats_partial.h"
#include "work/work_parts.h"

#define PARTIAL_MAGIC "spoor-stats 5"
#define PARTIAL_WORDS 12

extern const char *const partial_class[CLASSES];
/* Appends the question in the form of a header. */
void partial_question(struct buf *b, const struct query *q);

/* The reader, and the current line: its fields, separated by TABs, and the words of the second field, separated by
 * blanks. All end with a NUL. */
struct partial_reader {
	struct parts_reader in;
	struct query_result *a;
	bool *opened; /* the question of `a` is known */
	char *key, *number;
	char *word[PARTIAL_WORDS];
	size_t nwords;
	struct buf last_key;
	struct stats *last; /* table of last_key */
	uint32_t group;
};

/* Prints an error about the current line, with its place, and exits. */
#define partial_refuse(r, ...) parts_refuse(&(r)->in, __VA_ARGS__)
/* Returns the number in a text. Dies if it is no 64-bit whole number. */
uint64_t partial_number(const struct partial_reader *r, const char *s);
/* Returns the number in a text, which may have a minus sign. Dies as partial_number does. */
int64_t partial_signed(const struct partial_reader *r, const char *s);
/* Stores the number in a text in w[0..n), the lowest word first. Dies if it does not fit. */
void partial_words(const struct partial_reader *r, const char *s, uint64_t *w, size_t n);
/* Returns the i-th word of the second field, from 0; partial_unescaped unescapes it in place; partial_at returns its
 * number. The words are in the current line, and valid until the next. They die if there is none. */
char *partial_word(const struct partial_reader *r, size_t i);
char *partial_unescaped(const struct partial_reader *r, size_t i);
uint64_t partial_at(const struct partial_reader *r, size_t i);
/* Returns the number at the end of the line; partial_datum the i-th word as a value; partial_file_named the number
 * in st of the file that the i-th word names. Dies if there is none. */
uint64_t partial_value(const struct partial_reader *r);
struct datum partial_datum(const struct partial_reader *r, size_t i);
uint32_t partial_file_named(const struct partial_reader *r, struct stats *st, size_t i);
/* Returns the table with this letter, from a on. Dies if there is none. */
struct stats *partial_table(const struct partial_reader *r, char letter);

/* Writes the beginning of a line about group g of a table to b, which is emptied first. */
void partial_group(struct buf *b, const struct stats *st, char table, uint32_t g);

/* Adds the current line to the group r->group of r->last. In partial_lines.c. */
void partial_group_line(const struct partial_reader *r);
/* Adds the current line, which is about no single group. */
void partial_table_line(const struct partial_reader *r);

#endif
