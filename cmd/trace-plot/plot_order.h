/*
 * plot_order.h - states in any order, put in order of their begin in each location: what is nested in what cannot be told
 * otherwise. As long as they come in order only the last some thousand are held. From the first one of a location
 * that goes back on all are held, of many in sorted runs in a temporary file, which are merged at the end.
 */
#ifndef SPOOR_ORDER_H
#define SPOOR_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* A state of a location. Of two that begin together the longer one is first: the other one is nested in it. */
struct ordered_state {
	int64_t from, to; /* flipped */
	uint32_t loc;	  /* numbers of names, as are these: */
	uint16_t name, root;
	uint64_t early : 1,
	    at : 63; /* before all that were taken; its place in the input */
};

#define STATES_WAIT 32768u /* held at most where they are in order */
/* Bound: trace-plot | states in memory | those that are not in order | 24 MiB | - */
#define STATES_HELD ((24u << 20) / sizeof(struct ordered_state))

/* Zero it, and set `take` and `arg`. */
struct order {
	void (*take)(void *arg,
		     const struct ordered_state *s); /* is given the states in order */
	void *arg;
	bool holds;  /* none is taken before the last has come */
	bool direct; /* all are taken as they come */
	bool mixed;  /* a location has not had them in order */
	uint64_t
	    late; /* states that overlap with those of their location that were taken before */
	struct ordered_state *v;
	size_t n, cap;
	uint64_t added, written; /* states; bytes of the file */
	struct order_place {
		int64_t from, to;		   /* of the last that came */
		int64_t first, took_from, took_to; /* of those that were taken */
	} * place;				   /* by location */
	size_t places;
	int fd;
	struct sorted_run {
		uint64_t at, end; /* bytes of the file that are still to be read */
		struct ordered_state *v;
		size_t i, n;
	} * run;
	size_t nruns, runcap;
};

/* Takes s into the order. Dies if a temporary file fails. */
void order_put(struct order *o, struct ordered_state *s);
static inline void
order_add(struct order *o, struct ordered_state *s)
{
	if (likely(o->direct))
		o->take(o->arg, s);
	else
		order_put(o, s);
}
/* Gives `take` all that are still held. */
void order_end(struct order *o);
void order_free(struct order *o);

#endif
