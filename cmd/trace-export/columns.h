/*
 * columns.h - events as columns of one type each, a group of rows at a time, which parquet.c and
 * arrow.c write. All numbers in buffers are little-endian.
 */
#ifndef SPOOR_EXPORT_COLUMNS_H
#define SPOOR_EXPORT_COLUMNS_H

#include "trace-export/export.h"

enum column_type {
	COLUMN_TEXT, /* UTF-8 */
	COLUMN_DOUBLE,
	COLUMN_INT64,
	COLUMN_UINT64,
	COLUMN_NS,   /* int64_t: nanoseconds */
	COLUMN_DATE, /* int64_t: nanoseconds since 1970 */
};

/* Levels of a column. A row without a value, or without a list, has the level 0. */
enum {
	LEVEL_VALUE = 1,   /* the row has a value; a list: it is empty */
	LEVEL_ELEMENT = 2, /* an element of a list, */
	LEVEL_MORE = 4,	   /* and not the first one of its row */
};

struct export_column {
	struct buf name; /* UTF-8 */
	uint8_t type;	 /* enum column_type; of a list, that of the elements */
	bool list;
	uint32_t have; /* values, or elements */
	struct buf
	    level; /* a byte for each row; a list: for each element, or row without one */
	struct buf value; /* 8 bytes each; of a text its number in `texts`, 4 bytes */
	struct strtab texts;
	size_t chars; /* bytes of all values that are texts */
	/* The rest is for columns.c and columns_take.c. */
	uint32_t rows; /* that have a level */
	unsigned seen; /* what its values are */
	uint8_t kind;  /* enum field_kind of a column of every event, else 0 */
	bool computed;
	size_t at; /* the number in the view, or of the computed value */
	struct column_known *known;
};

struct export_columns {
	struct sink *sink;
	void *state; /* the writer's own */
	struct export_column *col;
	size_t n, cap;
	uint32_t rows;	  /* of the group */
	uint64_t total;	  /* rows of all groups before */
	struct buf facts; /* see columns_facts */
};

/* How groups are written: see `columns` in struct target. */
struct columns_writer {
	size_t size;				/* of its state, which is zeroed */
	void (*head)(struct export_columns *t); /* the types are known */
	void (*group)(struct export_columns *t);
	void (*end)(struct export_columns *t);
	void (*free)(struct export_columns *t); /* what is in the state */
};

/* Makes the metadata, t->facts: pairs of a key and its value, each with a NUL behind. Returns how
 * many pairs there are. */
unsigned columns_facts(struct export_columns *t);
/* Returns text i of the values of c. */
static inline const struct str *
column_text(const struct export_column *c, size_t i)
{
	return &c->texts.v[le32(c->value.p + 4 * i)];
}
/* Appends n numbers of `bits` bits each, the lowest first, to whole groups of 8: those of `width`
 * bytes at p, shifted to the right. */
void columns_pack(struct buf *b, unsigned bits, const uint8_t *p, size_t width,
		  unsigned shift, size_t n);

extern const struct form form_columns;
/* For struct target. */
bool columns_once(const struct sink *k);
void columns_learn(struct sink *k, struct source *s, const struct batch *b,
		   const uint32_t *pick, uint32_t n);

#endif
