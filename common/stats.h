/*
 * stats.h - events by group, and what is kept of each group's fields.
 *
 * Everything kept is a whole number, and two sets of it merge into exactly what one pass
 * over both inputs gives: for threads, for the parts of a file, for machines.
 */
#ifndef SPOOR_STATS_H
#define SPOOR_STATS_H

#include "out.h"
#include "spec.h"
#include "wide.h"

/*
 * A value is a whole number or a decimal fraction held in 10^-9 parts (times, and text such
 * as 1.5), each with its sign apart; anything else is text.
 */
enum {
	INT_POS,
	INT_NEG,
	NANO_POS,
	NANO_NEG,
	TEXTS,
	CLASSES
};

/* Of the values of one class in one group; magnitudes. */
struct tally {
	uint64_t n, lo, hi;    /* their number, their sum */
	uint64_t not_min, max; /* not_min: ~least, so that all bits zero is empty */
};

struct column {
	struct tally *num[CLASSES]; /* by group */
	size_t num_cap[CLASSES];
};

/* What a column's name means for the records of one type. */
struct binding {
	uint8_t how;
	uint8_t class; /* INT_POS or NANO_POS */
	uint8_t bit;   /* HAS_* that the record must have */
	bool sign;
	uint32_t off;
	struct field field;
};

struct stats {
	const struct spec *spec;
	/* Groups. */
	uint32_t ngroups;
	uint64_t *count; /* by group; one without events is not shown */
	size_t count_cap;
	uint32_t *key; /* nkeys numbers of texts a group */
	size_t key_cap;
	int64_t *pane; /* with windows: of each group */
	size_t pane_cap;
	uint32_t *slots; /* number + 1 by hash, when a group is more than one text */
	uint32_t nslots;
	uint32_t *of_text; /* group + 1 by number of the text, when it is one */
	size_t of_text_cap;
	struct strtab text; /* of all keys */
	struct column *col;
	/* Of all events. */
	int64_t tmin, tmax;
	bool any;
	enum clock clock;
	/* What the numbers in the records of the source at hand mean. */
	unsigned epoch, heads;
	uint32_t ntypes;
	struct binding *bound; /* by type and column */
	size_t bound_cap;
	struct binding *same; /* by column: of all types, where how is not BIND_MIXED */
	struct keyed *keyed;  /* by key */
	bool *seen;	      /* by column, then by key: some type had it */
	struct strtab names;  /* of fields, for the message about one that none had */
	struct buf scratch;
};

void stats_open(struct stats *st, const struct spec *spec);
void stats_free(struct stats *st);
/* Adds events pick[0..n) of the batch, or its first n when pick is NULL. */
void stats_add(struct stats *st, struct source *s, const struct batch *b,
	       const uint32_t *pick, uint32_t n);
/* Reports fields that no event had. Gives ST_OK or ST_TROUBLE. */
int stats_check(struct stats *st);
/* Numbers of the groups that have events, in the order of their keys; *n how many. To be
 * freed. */
uint32_t *stats_order(const struct stats *st, uint32_t *n);
/* The table: a line of names, then a line for each group. */
void stats_put(struct stats *st, struct out *o);
/* The group of these key texts, which is made when it is new. */
uint32_t stats_group(struct stats *st, const uint32_t *texts, int64_t pane);

/* Adds one value, of any class, `times` times. */
void stats_value(struct stats *st, uint32_t group, int col, unsigned class, uint64_t v);

/* A value with its class (not TEXTS). */
struct value {
	unsigned class;
	uint64_t v;
};

int value_cmp(struct value a, struct value b);
/* What is kept of the values of one class; all zero where there were none. */
const struct tally *column_tally(const struct column *c, unsigned class, uint32_t group);
/* Sums over all classes, in 10^-9 parts where *nano says so. */
struct swide column_sum(const struct column *c, uint32_t group, bool *nano);
/* How many values are numbers. */
uint64_t column_numbers(const struct column *c, uint32_t group);
/* The least or the greatest number; false when there is none. */
bool column_extreme(const struct column *c, uint32_t group, bool greatest, struct value *v);
/* As text; each gives the place behind. mean_put needs a number in the group. */
uint8_t *value_put(uint8_t *p, struct value v);
uint8_t *swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim);
uint8_t *mean_put(uint8_t *p, const struct column *c, uint32_t group);

#endif
