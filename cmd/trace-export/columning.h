/* columning.h - between columns.c, which goes through events, and columns_take.c, which takes their
 * values into columns. */
#ifndef SPOOR_EXPORT_COLUMNING_H
#define SPOOR_EXPORT_COLUMNING_H

#include "trace-export/columns.h"

#define KNOWN 256 /* texts that a column finds without their hash */

/* A text by its key: the number of a string of the source, or a type. */
struct column_known {
	uint32_t key, text, len; /* len: UINT32_MAX if there is none */
};

/* The arguments of events of a type. */
struct plan {
	bool made;
	uint32_t n;
	struct column_arg {
		uint32_t column;
		struct field f;
	} * v;
};

struct columns_form {
	struct export_columns is;
	const struct columns_writer *writer;
	size_t fixed; /* columns that are no arguments; those come behind them */
	struct strtab args;
	struct view view;
	struct values values, first; /* first: of the first reading */
	struct plan *plan, *making;
	struct cache plan_cache;
	size_t bytes; /* of the group */
	unsigned epoch, head_serial;
	int64_t shift;
	bool begun, chosen, learning; /* chosen: --fields */
	bool ticks, dated, too_many;
	bool mixed, late; /* facts differ among inputs; late: facts that are written */
	uint64_t lost;
	struct buf heads_facts, text, raw, utf8;
};

/* b = n bytes; each that is not UTF-8 becomes the character with its number. */
void columns_utf8(struct buf *b, const uint8_t *p, size_t n);
/* Decides the type of c from what the first reading has seen. */
void columns_type(struct columns_form *t, struct export_column *c);
/* Row `row` has the level; those before it that have none get 0. */
void columns_level(struct export_column *c, uint32_t row, unsigned level);
/* Takes the value of r in c: the field f, or if that is NULL computed value j. The first reading
 * only looks at it. */
void columns_take(struct columns_form *t, struct export_column *c, const struct source *s,
		  const struct rec *r, const struct field *f, uint32_t j, uint32_t row);
/* Takes loc or event of n events; gives how many were taken, up to the first text that c does not
 * know yet. */
uint32_t columns_take_texts(struct columns_form *t, struct export_column *c,
			    const struct rec *const *rec, uint32_t n, uint32_t row);
/* Takes 64 bits of n events. False if these are not at the same place in all. */
bool columns_take_64(struct columns_form *t, struct export_column *c,
		     const struct rec *const *rec, uint32_t n);

#endif
