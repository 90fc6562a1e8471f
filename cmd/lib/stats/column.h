/* column.h - what is kept of the values of a field, by group. */
#ifndef SPOOR_COLUMN_H
#define SPOOR_COLUMN_H

#include "base/out.h"
#include "number/wide.h"
#include "stats/datum.h"
#include "stats/stats_hist.h"
#include "stats/stats_pages.h"
#include "stats/set.h"
#include "stats/top.h"

/* A number with its class (not TEXTS). */
struct class_value {
	unsigned class;
	uint64_t v; /* its magnitude */
};

/* The sums of the values of one class in one group, as magnitudes. */
struct class_sum {
	uint64_t n, lo, hi;    /* their number, their sum */
	uint64_t not_min, max; /* not_min: ~least, so that all bits zero is empty */
};

struct square {
	uint64_t w[3];
};

/* A value, and its place in the input. Of a group, the first one and the last one are kept. */
struct end_value {
	bool any;
	uint32_t file;	     /* number of the input's name */
	uint64_t begin, seq; /* the part's first byte, the event's number in the part */
	struct datum datum;
};

/* Numbers of the rows of `accumulators`: each keeps something of a column, by group. */
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
	KEPT_OWN, /* the first that has no name here */
	KEPT_MOST = 12
};

/* An array with an element for each group, as long as it was ever needed. */
struct elements {
	union {
		struct {
			void *v;
			size_t cap;
		};
		struct hists hists;
	};
};

/* Those that know no classes have the first array. */
struct stats_column {
	struct elements kept[KEPT_MOST][CLASSES];
	uint64_t texts; /* the texts among the values of groups that stats_forget dropped */
	uint32_t keep;	/* words of each set of pages */
};

/* Returns what group g of a column has: an element of `size` bytes, or zeros, which stay zeros. */
void *column_kept(const struct stats_column *c, unsigned kept, unsigned class, uint32_t g,
		  size_t size);
/* Returns the array of elements of `size` bytes, with room for n groups. */
void *column_room(struct stats_column *c, unsigned kept, unsigned class, uint32_t n,
		  size_t size);
/* numbers.c: frees a column, whose groups have nothing left but numbers. */
void column_free(struct stats_column *c);
/* For who keeps a column without a struct stats: counts numbers v[i] of a class, i < n, each in its group
 * g[i] < ngroups, with their distributions of SPEC_BITS; adds what numbers group g of b has to group
 * `to` of a. */
void column_count(struct stats_column *col, unsigned class, uint32_t ngroups,
		  const uint32_t *g, const uint64_t *v, uint32_t n);
void column_merge(struct stats_column *a, uint32_t ngroups, uint32_t to,
		  const struct stats_column *b, uint32_t g, unsigned bits);

/* column_get.c: results of a column in a group. */
/* < 0, 0, > 0 as a is less than, equal to, greater than b. */
int value_cmp(struct class_value a, struct class_value b);
/* Number, sum, least and greatest of the values of one class; all zero if there were none. */
const struct class_sum *column_tally(const struct stats_column *c, unsigned class,
				     uint32_t group);
/* The sum over all classes; in 10^-9 parts if *nano. */
struct swide column_sum(const struct stats_column *c, uint32_t group, bool *nano);
/* The number of values that are numbers. */
uint64_t column_numbers(const struct stats_column *c, uint32_t group);
/* Stores the smallest number of the group, or the greatest, in *v. Returns false if the group has no numbers. */
bool column_extreme(const struct stats_column *c, uint32_t group, bool greatest,
		    struct class_value *v);
/* A part of a distribution: values from low to high, of one class. */
struct slice {
	struct class_value low, high;
	uint64_t count;
};
/* The distribution in ascending order; *n slices, to be freed. */
struct slice *column_slices(const struct stats_column *c, uint32_t group, unsigned bits,
			    size_t *n);
/* The smallest value that at least p / 10^8 of the values of v[0..n) do not exceed; within a
 * slice, its middle. */
struct class_value slices_percentile(const struct slice *v, size_t n, uint64_t p);
/* Returns true if all that an accumulator, KEPT_*, says of a group is exact. */
bool column_exact(const struct stats_column *c, unsigned kept, uint32_t group);
/* A quotient a / b, and how it is written: with so many decimals, zeros at the end cut if `trim`
 * is set. b is 0 if there is no value. */
struct ratio {
	struct swide a;
	struct wide b;
	unsigned decimals;
	bool trim;
};
/* The quotient a / b of numbers. */
struct ratio ratio_of(const struct swide *a, const struct wide *b);
/* The mean of a group; without a value if the group has no number. */
struct ratio column_mean(const struct stats_column *c, uint32_t group);
/* Each writes at p as text and gives the place behind: a value; a sum with its decimals, see
 * wide_put_decimal; a quotient, nothing if it has no value. */
uint8_t *value_put(uint8_t *p, struct class_value v);
uint8_t *swide_put(uint8_t *p, const struct swide *s, unsigned decimals, bool trim);
/* Returns the class of a text, and *v = its magnitude. */
unsigned class_of_text(const char *p, size_t n, uint64_t *v);
uint8_t *ratio_put(uint8_t *p, const struct ratio *r);
/* Appends the value as text. */
void datum_put(struct buf *b, const struct datum *d);

#endif
