/* columns.h - events as columns of one type each, in groups of rows, which parquet.c and arrow.c write. All
 * numbers in buffers are little-endian. */
#ifndef SPOOR_EXPORT_COLUMNS_H
#define SPOOR_EXPORT_COLUMNS_H

#include "trace-export/export.h"

enum column_type {
	COLUMN_TEXT, /* UTF-8 */
	COLUMN_DOUBLE,
	COLUMN_INT64,
	COLUMN_UINT64,
	COLUMN_NS,   /* int64_t, nanoseconds */
	COLUMN_DATE, /* int64_t, nanoseconds since 1970 */
};

/* Levels in a column. A row without a value, or without a list, has level 0. */
enum {
	LEVEL_VALUE = 1,   /* the row has a value, or an empty list */
	LEVEL_ELEMENT = 2, /* an element of a list */
	LEVEL_MORE = 4,	   /* flag: the element is not the first of its row */
};

struct export_column {
	struct buf name; /* UTF-8 */
	uint8_t type;	 /* enum column_type; of the elements, if it is a list */
	bool list;
	uint32_t have; /* number of values, or of elements */
	/* a byte for each row; in a list for each element, or row without elements */
	struct buf level;
	struct buf value; /* 8 bytes per value; for texts 4 bytes, the number in `texts` */
	struct strtab texts;
	size_t chars; /* sum of the bytes of all texts */
	/* The rest is for columns.c and columns_take.c. */
	uint32_t rows; /* rows with a level */
	unsigned seen; /* kinds of its values */
	uint8_t kind;  /* enum field_kind for a column of every event, else 0 */
	bool computed;
	size_t at; /* number in the view, or of the computed value */
	struct column_known *known;
};

struct export_columns {
	struct sink *sink;
	void *state; /* state of the writer */
	struct export_column *col;
	size_t n, cap;
	uint32_t rows;	  /* rows in the group */
	uint64_t total;	  /* rows of all previous groups */
	struct buf facts; /* see columns_facts */
};

/* How groups are written: target.columns. */
struct columns_writer {
	/* bytes of its state, which begins as zeros */
	size_t size;
	void (*head)(struct export_columns *t); /* begins; the types are known */
	void (*group)(struct export_columns *t);
	void (*end)(struct export_columns *t);
	void (*free)(struct export_columns *t); /* frees the contents of the state */
};

/* Makes the metadata t->facts: pairs of a key and its value, each with a NUL after it. Returns the number of
 * pairs. */
unsigned columns_facts(struct export_columns *t);
/* Returns text i of the values of c. */
static inline const struct str *
column_text(const struct export_column *c, size_t i)
{
	return &c->texts.v[le32(c->value.p + 4 * i)];
}
/* Appends n numbers of `bits` bits each, the lowest first, filled up to a multiple of 8 numbers. The numbers
 * have `width` bytes at p, and are shifted to the right by `shift`. */
void columns_pack(struct buf *b, unsigned bits, const uint8_t *p, size_t width,
		  unsigned shift, size_t n);

extern const struct form form_columns;
/* Returns whether no first reading is needed: target.once. columns_learn() is target.learn. */
bool columns_once(const struct sink *k);
void columns_learn(struct sink *k, struct source *s, const struct batch *b,
		   const uint32_t *pick, uint32_t n);

#endif
