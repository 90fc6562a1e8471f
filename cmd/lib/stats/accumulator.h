/* accumulator.h - accumulators, which keep something of the values of a column, and aggregates, which print it. */
#ifndef SPOOR_ACCUMULATOR_H
#define SPOOR_ACCUMULATOR_H

#include "stats/inside.h"
#include "stats/partial_reader.h"

/* An element of a column: the state of an accumulator for one group, or for one class of the group's values. */
struct place {
	struct stats *st; /* NULL for a column without a struct stats */
	struct stats_column *col;
	size_t c; /* number of the column */
	uint32_t g;
	unsigned class, bits;
	/* for the source of a merge: numbers of its files in the target */
	const uint32_t *of_file;
	const struct accumulator *is;
	void *element;
};

/* An accumulator. Its elements are zero before the first value. Functions that it does not need are NULL. */
struct accumulator {
	size_t size; /* bytes of an element */
	/* CLASSES or TEXTS: one array for each class of values, or of numbers; else 1. */
	unsigned arrays;
	/* Counts the magnitudes v[i] of one class in column c, each in its group g[i], i < n. */
	void (*add)(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		    const uint64_t *v, uint32_t n);
	/* Counts a value with its position in the input. */
	void (*take)(const struct stats *st, void *element, const struct end_value *value);
	/* Adds an element to another element. */
	void (*merge)(const struct place *to, const struct place *from);
	/* Frees what an element holds, and empties it. */
	void (*clear)(void *element);
	/* Writes the lines of a partial result for the element. */
	void (*write)(struct parts_writer *w, const struct place *of);
	/* Adds a line, whose second word is one of `lines`, to the element. Dies if the line is malformed. */
	void (*read)(const struct partial_reader *r, const struct place *to);
	const char *lines[4];
	struct sum {
		/* number of 64-bit words, the lowest first; 0 after the last sum */
		unsigned words;
		enum {
			SUM,
			LEAST,
			GREATEST
		} kind; /* LEAST is stored with all bits inverted */
	} sums[5];
	/* Returns false if the element is only an estimate. */
	bool (*exact)(const void *element);
};

extern const struct accumulator *const accumulators[KEPT_MOST];
extern const struct accumulator acc_num, acc_square, acc_hist, acc_set, acc_pages, acc_top,
    acc_ends;

/* Implements merge for elements that are sums, one for each of `lines`; sums_write and sums_read implement write and
 * read. sums_read dies if the number of the line is malformed or too large. */
void sums_merge(const struct place *to, const struct place *from);
void sums_write(struct parts_writer *w, const struct place *of);
void sums_read(const struct partial_reader *r, const struct place *to);
/* Adds the state of an accumulator for the group from->g of the column from->col to the group to->g of to->col.
 * `kept` is the number of the accumulator, to->is the accumulator itself, and n the number of groups in to->col,
 * which grows if needed. The caller sets the members of *to and *from that to->is->merge needs, except `class` and
 * `element`. */
void elements_merge(struct place *to, struct place *from, unsigned kept, uint32_t n);
/* Returns the accumulators in the set `acc` that take values of any kind, not only numbers. */
unsigned accumulators_taking(unsigned acc);

/* The input of aggregate.put and aggregate.ratio: an aggregate of one group. */
struct result {
	const struct stats *st;
	const struct agg *a;
	const struct stats_column *c; /* its column; NULL: none */
	struct totals *t;
	uint32_t g;
	void *element; /* element of the accumulator aggregate.of */
};

/* An aggregate: a name in -a. */
struct aggregate {
	const char *name;
	unsigned acc; /* accumulators that its field needs; 0 = it has no field */
	/* enum measure of its value, or FUNC_JOINED: what its field measures */
	unsigned measure;
	enum agg_kind kind; /* special meaning for other code */
	bool bare;	    /* it may have no field */
	bool arg;	    /* it has a second argument */
	const char *column; /* for aggregates of requests: name of their column */
	/* Appends the value, or nothing if there is none. Aggregates that are quotients have `ratio` instead. */
	void (*put)(struct buf *b, const struct result *r);
	struct ratio (*ratio)(const struct result *r);
	unsigned of; /* the accumulator whose element it prints, KEPT_* */
	bool second; /* the second of two aggregates with one function: sd, max, last */
	bool shared; /* --spread divides its values over windows */
};

/* All aggregates. The last one has no name. */
extern const struct aggregate aggregates[];
/* Returns the aggregate with this name, or NULL. *part: for a percentile (p50, p99.9) its part, in 10^-8. */
const struct aggregate *aggregate_named(const char *s, size_t n, uint64_t *part);

#endif
