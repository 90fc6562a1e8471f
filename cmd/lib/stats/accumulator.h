/* accumulator.h - what an accumulator keeps of the values of a column, and what an aggregate shows of it. */
#ifndef SPOOR_ACCUMULATOR_H
#define SPOOR_ACCUMULATOR_H

#include "stats/inside.h"
#include "stats/partial_reader.h"

/* An element of a column: what an accumulator has of a group, or of a class of its values. */
struct place {
	struct stats *st; /* or NULL, of who has a column alone */
	struct stats_column *col;
	size_t c; /* the column's number */
	uint32_t g;
	unsigned class, bits;
	const uint32_t *of_file; /* of what is merged: the numbers of its files there */
	const struct accumulator *is;
	void *element;
};

/*
 * An accumulator. Its elements are all bits zero before the first value. A function that an
 * accumulator has no use for is NULL.
 */
struct accumulator {
	size_t size; /* of an element */
	/* CLASSES or TEXTS: one for each class of values, or of numbers; else 1. */
	unsigned arrays;
	/* Counts the magnitudes v[i] of one class in column c, each in its group g[i], i < n. */
	void (*add)(struct stats *st, size_t c, unsigned class, const uint32_t *g,
		    const uint64_t *v, uint32_t n);
	/* Counts a value with its place in the input. */
	void (*take)(const struct stats *st, void *element, const struct end_value *value);
	/* Adds an element to another one. */
	void (*merge)(const struct place *to, const struct place *from);
	/* Frees what an element holds, which then is empty. */
	void (*clear)(void *element);
	/* Writes the lines of a partial result that hold the element. */
	void (*write)(struct parts_writer *w, const struct place *of);
	/* Adds a line, whose second word is one of `lines`, to the element. */
	void (*read)(const struct partial_reader *r, const struct place *to);
	const char *lines[4];
	struct sum {
		unsigned words; /* of 64 bits, the lowest first; after the last sum, 0 */
		enum {
			SUM,
			LEAST,
			GREATEST
		} kind; /* LEAST is held with all bits inverted */
	} sums[5];
	/* Returns false if what the element says is only estimated. */
	bool (*exact)(const void *element);
};

extern const struct accumulator *const accumulators[KEPT_MOST];
extern const struct accumulator acc_num, acc_square, acc_hist, acc_set, acc_pages, acc_top,
    acc_ends;

/* Each is what its name says for elements that are sums, one for each of `lines`. */
void sums_merge(const struct place *to, const struct place *from);
void sums_write(struct parts_writer *w, const struct place *of);
void sums_read(const struct partial_reader *r, const struct place *to);
/* Adds what the accumulator to->is, of number `kept`, has of one group to another, with room for n groups. */
void elements_merge(struct place *to, struct place *from, unsigned kept, uint32_t n);
/* Returns those of the accumulators `acc` that take values as such, not numbers. */
unsigned accumulators_taking(unsigned acc);

/* The answer that an aggregate gives of a group. */
struct result {
	const struct stats *st;
	const struct agg *a;
	const struct stats_column *c; /* NULL: it has no field */
	struct totals *t;
	uint32_t g;
	void *element; /* of the accumulator that the aggregate is `of` */
};

/* An aggregate: a name of -a. */
struct aggregate {
	const char *name;
	unsigned acc;	  /* what it needs of its field; 0 = it takes none */
	unsigned measure; /* of its value: an enum measure, or FUNC_JOINED, as its field */
	enum agg_kind kind; /* what others must know of it */
	bool bare;	    /* the field may be left out */
	bool arg;	    /* it takes a second argument */
	const char *column; /* of the bytes of requests: its column */
	/* Appends the answer, or nothing. An answer that is a quotient has `ratio` instead. */
	void (*put)(struct buf *b, const struct result *r);
	struct ratio (*ratio)(const struct result *r);
	unsigned of; /* the accumulator whose values the answer has: KEPT_SET */
	bool second; /* of two that share a function: sd, max, last */
	bool shared; /* --spread divides it over windows */
};

/* All aggregates; the last one has no name. */
extern const struct aggregate aggregates[];
/* Returns the aggregate of that name, or NULL; *part: of a percentile (p50, p99.9) the part, in 10^-8. */
const struct aggregate *aggregate_named(const char *s, size_t n, uint64_t *part);

#endif
