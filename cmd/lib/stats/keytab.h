/*
 * keytab.h - the values of keys by number, each kept once: whole numbers as such, so that
 * millions of them need no text before rows are written, and all others as texts.
 *
 * Two values are the same where their texts are: the text "12" is the number 12.
 */
#ifndef SPOOR_KEYTAB_H
#define SPOOR_KEYTAB_H

#include "base/mem.h"
#include "base/put.h"

enum key_kind {
	KEYTAB_TEXT,
	KEYTAB_NEGATIVE, /* a whole number below 0, in two's complement */
	KEYTAB_HEX,	 /* not below 0, written as 0x and hex */
	KEYTAB_WHOLE,	 /* the same in decimal */
};

/* Zeroed struct = empty. */
struct keytab {
	uint64_t *v;   /* by number of the value; of a text, its number in `texts` */
	uint8_t *kind; /* enum key_kind */
	uint32_t n;
	size_t v_cap, kind_cap;
	struct key_slot *slots; /* of values that are no texts */
	unsigned bits;		/* 2^bits slots, if any */
	uint32_t used;
	uint32_t
	    *small; /* by decimal below SMALL: number of the value + 1; NULL until asked */
	struct strtab texts;
	uint32_t *of_text; /* by number in `texts`: number of the value */
	size_t of_text_cap;
	struct strtab
	    inputs; /* the names of inputs, in the order of operands; they need not be values */
};

/* The value's number, from 0, of the text p[0..n); it is added if it is new. */
uint32_t keytab_id(struct keytab *t, const void *p, size_t n);
/* Writes the numbers of n whole numbers, each with its kind (not KEYTAB_TEXT), to id[0..n). */
void keytab_numbers(struct keytab *t, const uint64_t *v, const uint8_t *kind, uint32_t n,
		    uint32_t *id);
/* Returns the number of a value of another table. */
uint32_t keytab_from(struct keytab *t, const struct keytab *from, uint32_t id);
/* Adds all values and inputs of `from` to `to`, in their order. Gives for each its number in `to`; to be
 * freed. */
uint32_t *keytab_join(struct keytab *to, const struct keytab *from);

/* The text of a value, which may lie in `space`. */
#define KEY_SPACE (24 + PUT_SLACK)
struct str keytab_text(const struct keytab *t, uint32_t id, char space[KEY_SPACE]);
/* Appends it to b. */
void keytab_put(struct buf *b, const struct keytab *t, uint32_t id);
/* In stats_order.c: < 0, 0, > 0 as the text a stands before b: runs of digits count by their value. */
int natural_order(const char *a, const char *b);
/* Frees all; the table is empty then. */
void keytab_free(struct keytab *t);

#endif
