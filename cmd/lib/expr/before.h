/* before.h - remembers values of previous events, by key: for prev, nth and total. */
#ifndef SPOOR_BEFORE_H
#define SPOOR_BEFORE_H

#include "expr/vreg.h"
#include "input/cache.h"

struct engine;

/* A range of engine.step: the steps of a value or a test. */
struct steps {
	uint32_t from, to;
};

/* A remembered value. Texts are copies. */
union held {
	int64_t n;
	double r;
	char *s;
};
/* Flag of a kind: the integer has more than 63 bits, and its upper bits are in len. Decimals have up to 94 bits. */
#define HELD_BIG 128

/* A field or a definition whose previous value the function prev() returns. */
struct prev {
	const struct node *of; /* N_FIELD or N_LET */
	struct vreg vreg;
	/* a definition uses its own previous value, so events are computed one by one */
	bool own;
	/* The values of each key, at BATCH + slot. The first BATCH elements are for the events of the run. */
	union held *held;
	uint8_t *kind; /* enum val_kind, | HELD_BIG */
	/* bytes of texts, upper bits of HELD_BIG; allocated once there are any */
	uint32_t *len;
	size_t held_cap, kind_cap, len_cap;
	/* the kind of the values of all keys; VAL_NONE: unknown, or several */
	uint8_t alike;
};

/* A running sum. */
struct total {
	const struct node *node;
	struct steps of;
	struct vreg vreg;
	bool own; /* it is part of a definition `let` that uses its own prev */
	size_t let;
};

/* The slots of remembered values, by key. */
struct before {
	struct exprs *keys; /* NULL: see one, by_loc */
	bool one;	    /* all events have one key */
	unsigned input;
	enum clock clock;
	uint32_t *by_loc; /* slot + 1, by the number of the string; 0: unknown */
	struct cache loc_cache;
	struct strtab names; /* of keys; the number of a name is the slot */
	uint32_t nslots;
	/* By event of the run: the previous event of the run with the same key, or BATCH + slot if there is none. */
	uint32_t from[BATCH];
	uint32_t *last; /* by slot: BATCH + slot, except within link_events */
	size_t last_cap;
	/* The events whose values are remembered after the run: the last of each key if there are fewer keys than
	 * events; else all events, in order. */
	uint32_t ends[BATCH], nends;
	uint64_t *nth;
	size_t nth_cap;
	struct val *sums; /* by slot, then by total */
	size_t sums_cap;
	uint32_t slot[BATCH]; /* by event of the run */
	struct buf key;
};

/* Frees what g->before, and the prevs and totals of g, hold. */
void before_free(struct engine *g);
/* Sets before.slot to the slot of each event of the run. A key that is new gets a slot. */
void before_slots(struct engine *g);
/* Computes prev number i for the run's events, in g->prevs[i].vreg, and remembers `now`, their own values. */
void before_prev(struct engine *g, size_t i, const struct vreg *now);
/* Computes nth for the run's events, in g->nth. */
void before_nth(struct engine *g);
/* Computes running sum i for the run's events, in g->totals[i].vreg, by before_add; `of` has the values to add. */
void before_total(struct engine *g, size_t i, const struct vreg *of);
/* Returns the value remembered for prev i and the key of event j of the run, absent if there is none. A text is valid
 * until the next run. */
struct val before_get(struct engine *g, size_t i, uint32_t j);
/* Remembers v for prev i and the key of event j of the run; a text is copied. */
void before_set(struct engine *g, size_t i, uint32_t j, const struct val *v);
/* Adds v to running sum i of the key of event j. Returns the sum. A value that is absent or a text adds nothing; a sum
 * of no numbers is absent, and so is, from then on, one that does not fit 127 bits. */
struct val before_add(struct engine *g, size_t i, uint32_t j, const struct val *v);

#endif
