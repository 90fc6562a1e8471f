/*
 * keys.h - the key of an event: one number that stands for the values of some fields, the
 * same for equal values, in whichever type of event and in any epoch.
 *
 * Values are equal as their texts are, and whole numbers as numbers.
 */
#ifndef SPOOR_PAIR_KEYS_H
#define SPOOR_PAIR_KEYS_H

#include "view/view.h"
#include "expr/exprs.h"
#include "input/cache.h"

/* Numbers of values by the number of a string: of all of it, or of a part of loc. */
struct key_cache {
	uint64_t *v;
	struct cache cache;
};

struct keys {
	struct view view;	/* fields */
	struct exprs *computed; /* values that are none; NULL: no expression among them */
	struct arena mem;	/* of their texts */
	struct key_cache *part; /* by field: of LOAD_STRING that is a part of loc */
	struct key_cache text;	/* of whole strings */
	bool any;		/* there were events */
	struct buf scratch;
};

/* Takes the fields and expressions in `list`, with commas between; "" is none, one key for
 * all. Dies, with a message, where it is wrong. */
void keys_parse(struct keys *k, const char *list);
/* Frees all. */
void keys_free(struct keys *k);
/* Returns which fields readers must fill in: NEED_*. */
unsigned keys_need(const struct keys *k);
/* To be called for each batch of s before keys_of. */
void keys_bind(struct keys *k, struct source *s);
/* The keys of the events pick[0..n) of a batch of s, into to[]. */
void keys_of(struct keys *k, struct source *s, const struct batch *b, const uint32_t *pick,
	     uint32_t n, uint64_t *to);
/* The key of an event that lacks all of it. */
uint64_t keys_none(const struct keys *k);
/* The number of a value's text, as keys_of has it. */
uint64_t keys_text(const void *p, size_t n);
/* At the end of all input: reports each name that no event had, if there were
 * events. ST_OK, or ST_TROUBLE. */
int keys_finish(const struct keys *k);

#endif
