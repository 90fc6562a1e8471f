/*
 * before.h - what is known of the events before, by key: prev, nth, total.
 */
#ifndef SPOOR_BEFORE_H
#define SPOOR_BEFORE_H

#include "expr/vreg.h"
#include "input/cache.h"

struct engine;

/* Steps of a value or a test. */
struct steps {
	uint32_t from, to;
};

/* A value of the event before, as it is remembered; texts are copies. */
union held {
	int64_t n;
	double r;
	char *s;
};
/* A bit of a kind: the integer is beyond 63 bits, and its further bits are its len; a decimal has up to
 * 94. */
#define HELD_BIG 128

/* A value of the event before: of a field, or of a definition. */
struct prev {
	const struct node *of; /* N_FIELD or N_LET */
	struct vreg vreg;
	bool own; /* a definition looks at its own: one event after the other */
	/* The values of each key, at BATCH + slot. Below BATCH is room for the run's own events. */
	union held *held;
	uint8_t *kind; /* enum val_kind, | HELD_BIG */
	uint32_t *len; /* of texts and HELD_BIG, as far as there are any */
	size_t held_cap, kind_cap, len_cap;
	uint8_t alike; /* the kind that all keys have; VAL_NONE: not known to be one */
};

/* A running sum. */
struct total {
	const struct node *node;
	struct steps of;
	struct vreg vreg;
	bool own; /* it stands in a definition that looks at its own prev: this */
	size_t let;
};

/* Slots of what is remembered, by key. */
struct before {
	struct exprs *keys; /* NULL: see one, by_loc */
	bool one;	    /* all events have one key */
	unsigned input;
	enum clock clock;
	uint32_t *by_loc; /* slot + 1 by the string's number; 0: not known yet */
	struct cache loc_cache;
	struct strtab names; /* of keys; the number is the slot */
	uint32_t nslots;
	/* For each event of the run, the one of the run that had its key before, or BATCH + slot. */
	uint32_t from[BATCH];
	uint32_t *last; /* by slot: BATCH + slot, but while a run is linked */
	size_t last_cap;
	/* The events that are remembered when the run is over, where there are fewer keys
	 * than events one a key; else all, in order. */
	uint32_t ends[BATCH], nends;
	uint64_t *nth;
	size_t nth_cap;
	struct val *sums; /* by slot, then by total */
	size_t sums_cap;
	uint32_t slot[BATCH]; /* of the run's events */
	struct buf key;
};

void before_free(struct engine *g);
/* Finds the slots of the run's events. */
void before_slots(struct engine *g);
/* prev number i of the run's events, from the values of now. */
void before_prev(struct engine *g, size_t i, const struct vreg *now);
/* Sets g->nth, and the regs of a running sum whose operand is `of`. */
void before_nth(struct engine *g);
void before_total(struct engine *g, size_t i, const struct vreg *of);
/* For one event at a time, j of the run: the value held in prev i; and the next one. */
struct val before_get(struct engine *g, size_t i, uint32_t j);
void before_set(struct engine *g, size_t i, uint32_t j, const struct val *v);
/* Adds v to the running sum of event j; gives the sum. */
struct val before_add(struct engine *g, size_t i, uint32_t j, const struct val *v);

#endif
