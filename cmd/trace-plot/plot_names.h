/*
 * plot_names.h - what an event is called for a picture: the texts of one field or expression by
 * number, in order of their first event.
 */
#ifndef SPOOR_PLOT_NAMES_H
#define SPOOR_PLOT_NAMES_H

#include "expr/exprs.h"
#include "input/cache.h"
#include "stats/keytab.h"

/* Zero it, then names_open. */
struct names {
	enum {
		NAMES_EVENT,
		NAMES_STATE, /* of an event that enters a state, the state's name */
		NAMES_LOC,
		NAMES_EXPR,
	} of;
	struct exprs *list; /* NAMES_EXPR: the first of it */
	uint32_t most;	    /* so many are kept apart; 0 = no limit */
	struct strtab text; /* 0 is NAMES_OTHERS where there is a limit */
	bool more;	    /* some became NAMES_OTHERS */
	bool inputs;	    /* the names of inputs: in the order of the operands */
	/* In the source at hand: number + 1 by number of the type, or of the string. */
	uint32_t *known;
	struct cache known_cache;
	struct buf scratch;
};

#define NAMES_OTHERS "(others)"

/* Begins, with `expr`: a field, an expression, or "state". Dies where it is wrong. */
void names_open(struct names *t, const char *expr, uint32_t most);
/* The numbers of the events pick[0..n) of b, a batch of s, or of its first n: to id[0..n). False
 * if the expression cannot be asked of this source. */
bool names_of(struct names *t, struct source *s, const struct batch *b,
	      const uint32_t *pick, uint32_t n, uint32_t *id);
/* The number of the text p[0..n). */
uint32_t names_id(struct names *t, const void *p, size_t n);
/* The numbers of the first n texts in their natural order; to be freed. */
uint32_t *names_order(const struct strtab *t, uint32_t n);
/* Returns the numbers of the first n names in the order of a table: natural, or of inputs that of the operands; to be
 * freed. */
uint32_t *names_sorted(const struct names *t, uint32_t n);
/* Makes of all texts, which are escaped as in a stream if `escaped`, what a picture shows: with blanks and
 * backslashes, and RTL_END behind those that read from right to left. Controls stay escaped. To be called
 * once, when no more texts are added or looked for. */
void names_shown(struct strtab *t, bool escaped);
/* Frees all; it may be opened again. */
void names_free(struct names *t);

#endif
