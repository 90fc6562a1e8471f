/* plot_order.h - sorts the states of each location by their begin, because nesting cannot be found otherwise.
 * Only the last few thousand are held while states come in order. After the first state of a location
 * that goes back, all states are held; if there are many, in sorted runs in a temporary file, which are merged
 * at the end. */
#ifndef SPOOR_ORDER_H
#define SPOOR_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* A state of a location. If two states begin together, the longer one is first: the other one is nested in it. */
struct ordered_state {
	int64_t from, to; /* flipped times */
	uint32_t loc;	  /* numbers of names, as are `name` and `root` */
	uint16_t name, root;
	/* early: it begins before states that were taken; at: place in the input */
	uint64_t early : 1, at : 63;
};

#define STATES_WAIT 32768u /* limit of states that are held while they come in order */
/* Bound: trace-plot | states in memory | those that are not in order | 24 MiB | - */
#define STATES_HELD ((24u << 20) / sizeof(struct ordered_state))

/* States that are held. Zero it, and set `take` and `arg`. */
struct order {
	void (*take)(void *arg,
		     const struct ordered_state *s); /* takes the states in order */
	void *arg;
	bool holds;    /* no state is taken before order_end() */
	bool direct;   /* each state is taken as it comes */
	bool mixed;    /* the states of some location did not come in order */
	uint64_t late; /* states that overlap earlier taken states of their location */
	struct ordered_state *v;
	size_t n, cap;
	uint64_t added, written; /* number of states; bytes of the file */
	struct order_place {
		int64_t from, to; /* last state that came */
		/* begin of the first taken state; last taken state */
		int64_t first, took_from, took_to;
	} * place; /* by location */
	size_t places;
	int fd;
	struct sorted_run {
		uint64_t at, end; /* bytes of the file that are not read yet */
		struct ordered_state *v;
		size_t i, n;
	} * run;
	size_t nruns, runcap;
};

/* Takes s into the order. Dies if a temporary file fails. */
void order_put(struct order *o, struct ordered_state *s);
/* Hands s to `take` at once if o->direct is set, else does what order_put() does. */
static inline void
order_add(struct order *o, struct ordered_state *s)
{
	if (likely(o->direct))
		o->take(o->arg, s);
	else
		order_put(o, s);
}
/* Hands all states that are held to `take`. Dies if the temporary file cannot be written or read. */
void order_end(struct order *o);
/* Frees what o holds, and closes its temporary file. */
void order_free(struct order *o);

#endif
