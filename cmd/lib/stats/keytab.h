/*
 * keytab.h - the values of keys, each with a number and stored once. Whole numbers are stored as numbers, so that
 * millions of them need no text until rows are written; all others as texts.
 *
 * Two values are equal if their texts are: the text "12" is the number 12.
 */
#ifndef SPOOR_KEYTAB_H
#define SPOOR_KEYTAB_H

#include "base/mem.h"
#include "base/put.h"

enum key_kind {
	KEYTAB_TEXT,
	KEYTAB_NEGATIVE, /* whole number below 0, in two's complement */
	KEYTAB_HEX,	 /* whole number not below 0, written as 0x and hex */
	KEYTAB_WHOLE,	 /* whole number not below 0, in decimal */
};

/* A table of values. A zeroed struct is empty. */
struct keytab {
	/* by number of the value: the value; for a text, its number in `texts` */
	uint64_t *v;
	uint8_t *kind; /* enum key_kind */
	uint32_t n;
	size_t v_cap, kind_cap;
	struct key_slot *slots; /* of values that are numbers */
	unsigned bits;		/* there are 2^bits slots, if any */
	uint32_t used;
	/* by decimal below SMALL: number of the value + 1; NULL until needed */
	uint32_t *small;
	struct strtab texts;
	uint32_t *of_text; /* by number in `texts`: number of the value */
	size_t of_text_cap;
	/* names of the inputs in order of operands; they need not be values */
	struct strtab inputs;
};

/* Returns the number, from 0, of the value with the text p[0..n), which is added if it is new. */
uint32_t keytab_id(struct keytab *t, const void *p, size_t n);
/* Finds the numbers of n whole numbers, each with its kind (not KEYTAB_TEXT), and adds new ones. Writes them to
 * id[0..n). */
void keytab_numbers(struct keytab *t, const uint64_t *v, const uint8_t *kind, uint32_t n,
		    uint32_t *id);
/* Returns the number in t of value `id` of the table `from`, which is added if it is new. */
uint32_t keytab_from(struct keytab *t, const struct keytab *from, uint32_t id);
/* Adds all values and inputs of `from` to `to`, in order. Returns an array with the number in `to` of each value;
 * the caller frees it. */
uint32_t *keytab_join(struct keytab *to, const struct keytab *from);

/* Bytes of `space` for keytab_text, which returns the text of a value; the text may be in `space`. */
#define KEY_SPACE (24 + PUT_SLACK)
struct str keytab_text(const struct keytab *t, uint32_t id, char space[KEY_SPACE]);
/* Appends the text of a value to b. */
void keytab_put(struct buf *b, const struct keytab *t, uint32_t id);
/* Returns a number below, equal to or above 0 if the text a sorts before, equal to or after b, with runs of digits
 * compared as numbers. In stats_order.c. */
int natural_order(const char *a, const char *b);
/* Frees the memory of t, and empties it. */
void keytab_free(struct keytab *t);

#endif
