/* column.h - the values of a field, by group. */
#ifndef SPOOR_COLUMN_H
#define SPOOR_COLUMN_H

#include "base/out.h"
#include "number/wide.h"
#include "stats/datum.h"
#include "stats/stats_hist.h"
#include "stats/stats_pages.h"
#include "stats/set.h"
#include "stats/top.h"

/* A number with its class (never TEXTS). */
struct class_value {
	unsigned class;
	uint64_t v; /* magnitude */
};

/* The sums of the values of one class in one group; all are magnitudes. */
struct class_sum {
	uint64_t n, lo, hi;    /* number of values, their sum */
	uint64_t not_min, max; /* not_min is ~smallest, so that zero is empty */
};

struct square {
	uint64_t w[3];
};

/* The events in progress in a group; times are in ns or ticks. */
struct overlap {
	uint64_t covered[2]; /* the sum of their times */
	uint64_t busy;	     /* the time with an event in progress */
	uint64_t most;	     /* the most events in progress at once */
};

/* A value and its position in the input. The first and the last value of a group are kept. */
struct end_value {
	bool any;
	uint32_t file; /* number of the input's name */
	/* first byte of the part, number of the event in the part */
	uint64_t begin, seq;
	struct datum datum;
};

/* Numbers of the accumulators: each keeps something of a column, by group. */
enum {
	KEPT_NUM,
	KEPT_SQUARE,
	KEPT_HIST,
	KEPT_SET,
	KEPT_PAGES,
	KEPT_TOP,
	KEPT_ENDS,
	KEPT_CHAIN,
	KEPT_STATES,
	KEPT_DEPTH,
	KEPT_OWN, /* the first free number */
	KEPT_MOST = 12
};

/* An array with an element for each group, as long as needed so far. */
struct elements {
	union {
		struct {
			void *v;
			size_t cap;
		};
		struct hists hists;
	};
};

/* A column. Accumulators without classes use the first array. */
struct stats_column {
	struct elements kept[KEPT_MOST][CLASSES];
	/* number of texts among the values of groups that stats_forget has dropped */
	uint64_t texts;
	uint32_t keep; /* words in each set of pages */
};

/* Returns the element, of `size` bytes, of group g, valid until column_room; or zeros, which must not be changed, if
 * there is none. */
void *column_kept(const struct stats_column *c, unsigned kept, unsigned class, uint32_t g,
		  size_t size);
/* Returns the array of elements of `size` bytes, with room for n groups; the array may move. New elements are zero. */
void *column_room(struct stats_column *c, unsigned kept, unsigned class, uint32_t n,
		  size_t size);
/* Frees a column. Its elements must not hold memory any more, except for distributions. In numbers.c. */
void column_free(struct stats_column *c);
/* Counts the numbers v[i] of a class, i < n, each in its group g[i] < ngroups, with distributions of SPEC_BITS;
 * for columns without a struct stats. column_merge adds the numbers in group g of b to group `to` of a. */
void column_count(struct stats_column *col, unsigned class, uint32_t ngroups,
		  const uint32_t *g, const uint64_t *v, uint32_t n);
void column_merge(struct stats_column *a, uint32_t ngroups, uint32_t to,
		  const struct stats_column *b, uint32_t g, unsigned bits);

/* column_get.c: the results of a column in a group. */
/* Returns a number below, equal to or above 0 if a is less than, equal to or greater than b. */
int value_cmp(struct class_value a, struct class_value b);
/* Returns the number, sum, smallest and greatest of the values of one class; all zero if there are none. */
const struct class_sum *column_tally(const struct stats_column *c, unsigned class,
				     uint32_t group);
/* Returns the sum over all classes; in units of 10^-9 if *nano. */
struct swide column_sum(const struct stats_column *c, uint32_t group, bool *nano);
/* Returns how many values are numbers. */
uint64_t column_numbers(const struct stats_column *c, uint32_t group);
/* Stores the smallest number of the group, or the greatest, in *v. Returns false if the group has no numbers. */
bool column_extreme(const struct stats_column *c, uint32_t group, bool greatest,
		    struct class_value *v);
/* A part of a distribution: values of one class from low to high. */
struct slice {
	struct class_value low, high;
	uint64_t count;
};
/* Returns the distribution of a group in ascending order, *n slices. The caller frees it. */
struct slice *column_slices(const struct stats_column *c, uint32_t group, unsigned bits,
			    size_t *n);
/* Returns the smallest value that at least p / 10^8 of the values of v[0..n) do not exceed; within a slice, its
 * middle. */
struct class_value slices_percentile(const struct slice *v, size_t n, uint64_t p);
/* Returns true if the state of an accumulator, KEPT_*, for a group is exact. */
bool column_exact(const struct stats_column *c, unsigned kept, uint32_t group);
/* A quotient a / b and its format: number of decimals, and whether zeros at the end are dropped. b = 0: no value. */
struct ratio {
	struct swide a;
	struct wide b;
	unsigned decimals;
	bool trim;
};
/* Returns the quotient a / b of numbers. */
struct ratio ratio_of(const struct swide *a, const struct wide *b);
/* Returns the mean of a group; without a value if the group has no number. */
struct ratio column_mean(const struct stats_column *c, uint32_t group);
/* Writes a value at p and returns the position after it. swide_put writes a sum with decimals, see
 * wide_put_decimal. */
uint8_t *value_put(uint8_t *p, struct class_value v);
uint8_t *swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim);
/* Returns the class of a text, and stores its magnitude in *v. */
unsigned class_of_text(const char *p, size_t n, uint64_t *v);
/* Writes a quotient at p, or nothing if it has no value. Returns the position after it. */
uint8_t *ratio_put(uint8_t *p, const struct ratio *r);
/* Appends a value as text. */
void datum_put(struct buf *b, const struct datum *d);

#endif
