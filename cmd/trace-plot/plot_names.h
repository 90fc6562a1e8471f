/* plot_names.h - names of events in a picture: the texts of one field or expression, numbered in the order of
 * their first event. */
#ifndef SPOOR_PLOT_NAMES_H
#define SPOOR_PLOT_NAMES_H

#include "expr/exprs.h"
#include "input/cache.h"
#include "stats/keytab.h"

/* Names. Zero it, then call names_open(). */
struct names {
	enum {
		NAMES_EVENT,
		NAMES_STATE, /* name of the state that an event enters */
		NAMES_LOC,
		NAMES_EXPR,
	} of;
	struct exprs *list; /* the expression, for NAMES_EXPR */
	uint32_t most;	    /* limit of names that are kept apart; 0: no limit */
	struct strtab text; /* the names; number 0 is NAMES_OTHERS if there is a limit */
	bool more;	    /* some names became NAMES_OTHERS */
	bool inputs;	    /* names are inputs, in the order of the operands */
	/* For the current source: number of the name + 1, by number of the type, or of the string. */
	uint32_t *known;
	struct cache known_cache;
	struct buf scratch;
};

#define NAMES_OTHERS "(others)"

/* Begins names of `expr`: a field, an expression, or "state". Dies if it is wrong. */
void names_open(struct names *t, const char *expr, uint32_t most);
/* Writes the numbers of the names of events pick[0..n) of b, a batch of s, to id[0..n); if pick is NULL, of the
 * first n events. Returns false if the expression does not apply to this source. */
bool names_of(struct names *t, struct source *s, const struct batch *b,
	      const uint32_t *pick, uint32_t n, uint32_t *id);
/* Returns the number of the text p[0..n), which may be new. */
uint32_t names_id(struct names *t, const void *p, size_t n);
/* Returns the numbers of the first n texts in natural order, in the memory of draw_room(). */
uint32_t *names_order(const struct strtab *t, uint32_t n);
/* Returns the numbers of the first n names in the order of a table: natural, or, for inputs, the order of the
 * operands. */
uint32_t *names_sorted(const struct names *t, uint32_t n);
/* Changes all texts to what a picture shows: with blanks and backslashes instead of their escapes if `escaped`,
 * and RTL_END after names that read from right to left. Controls stay escaped. Must be called once, after the
 * last text was added or looked up. */
void names_shown(struct strtab *t, bool escaped);
/* Frees what t holds; names_open() may follow. */
void names_free(struct names *t);

#endif
