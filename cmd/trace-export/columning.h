/* columning.h - shared by columns.c, which goes through events, and columns_take.c, which puts their values
 * into columns. */
#ifndef SPOOR_EXPORT_COLUMNING_H
#define SPOOR_EXPORT_COLUMNING_H

#include "trace-export/columns.h"

#define KNOWN 256 /* texts that a column finds without a hash */

/* Text for a key: the number of a string of the source, or of a type. */
struct column_known {
	uint32_t key, text, len; /* len: UINT32_MAX if the text is missing */
};

/* Arguments of the events of a type. */
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
	size_t fixed; /* columns that are not arguments; columns of arguments follow them */
	struct strtab args;
	struct view view;
	struct values values, first; /* first: for the first reading */
	struct plan *plan, *making;
	struct cache plan_cache;
	size_t bytes; /* bytes of values in the group */
	unsigned epoch, head_serial;
	int64_t shift;
	bool begun, chosen, learning; /* chosen: --fields was given */
	bool ticks, dated, too_many;
	/* mixed: inputs have different facts; late: after the facts were written */
	bool mixed, late;
	uint64_t lost;
	struct buf heads_facts, text, raw, utf8;
};

/* Writes n bytes to b as UTF-8. A byte that is not UTF-8 becomes the character with its number. */
void columns_utf8(struct buf *b, const uint8_t *p, size_t n);
/* Chooses the type of c from what the first reading has seen. */
void columns_type(struct columns_form *t, struct export_column *c);
/* Gives row `row` the level, and earlier rows without a level 0. */
void columns_level(struct export_column *c, uint32_t row, unsigned level);
/* Takes the value of r into c: of the field f, or, if f is NULL, computed value j. In the first reading, only
 * notes its kind. */
void columns_take(struct columns_form *t, struct export_column *c, const struct source *s,
		  const struct rec *r, const struct field *f, uint32_t j, uint32_t row);
/* Takes loc or event of n events, up to the first text that c does not know yet. Returns how many it took. */
uint32_t columns_take_texts(struct columns_form *t, struct export_column *c,
			    const struct rec *const *rec, uint32_t n, uint32_t row);
/* Takes 64 bits of each of n events. Returns false if the bits are not at the same place in all types. */
bool columns_take_64(struct columns_form *t, struct export_column *c,
		     const struct rec *const *rec, uint32_t n);

#endif
