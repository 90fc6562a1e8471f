/*
 * keys.h - the key of an event: one number made of the values of some fields. Equal values give the same key in
 * any type of event and in any epoch.
 *
 * Two values are equal if their texts are, or if both are the same whole number.
 */
#ifndef SPOOR_PAIR_KEYS_H
#define SPOOR_PAIR_KEYS_H

#include "view/view.h"
#include "expr/exprs.h"
#include "input/cache.h"

/* The number of a value, by the number of its string: of the whole string, or of a part of loc. */
struct key_cache {
	uint64_t *v;
	struct cache cache;
};

struct keys {
	struct view view;	/* the fields of the key */
	struct exprs *computed; /* the expressions of the key; NULL: none */
	struct arena mem;	/* memory of the texts of expressions */
	struct key_cache *part; /* by field: cache of the parts of loc */
	struct key_cache text;	/* cache of whole strings */
	bool any;		/* there was an event */
	struct buf scratch;
};

/* Parses `list`, fields and expressions with commas between; "" gives all events one key. Dies, with a message, if
 * it is wrong. */
void keys_parse(struct keys *k, const char *list);
/* Frees what k holds. */
void keys_free(struct keys *k);
/* Returns the columns that readers must fill in: NEED_*. */
unsigned keys_need(const struct keys *k);
/* Prepares k for a batch of s. Call it before keys_of. */
void keys_bind(struct keys *k, struct source *s);
/* Writes the keys of the events pick[0..n) of a batch of s to to[0..n). */
void keys_of(struct keys *k, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n, uint64_t *to);
/* Returns the key of an event that lacks all fields of the key. */
uint64_t keys_none(const struct keys *k);
/* Returns the number of the text of a value, as keys_of uses it. A text -?DIGITS or 0xHEX has the number of the
 * whole number. */
uint64_t keys_text(const void *p, size_t n);
/* Reports each name that no event had, if there were events. Call it at the end of all input. Returns ST_OK, or
 * ST_TROUBLE if it reported a name. */
int keys_finish(const struct keys *k);

#endif
