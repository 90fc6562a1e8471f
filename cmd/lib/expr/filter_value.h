/* filter_value.h - a test against one value: as text, or as a range of
 * a machine's integers. */
#ifndef SPOOR_FILTER_VALUE_H
#define SPOOR_FILTER_VALUE_H

#include "expr/expr_tree.h"

/*
* Returns whether a value passes the test; text[0..n) is the value as it is written in a stream.
 * This is the definition of every test. Integer ranges are a quick way to the same answer.
 */
bool test_text(const struct test *t, const char *text, size_t n);

/* Returns true if a relation holds for two values with that order. An operator other than the six relations
 * counts as =. */
bool test_stands(enum test_op op, enum val_order order);

/* An integer in a record: `bits` wide, signed or not. */
struct domain {
	unsigned bits;
	bool is_signed;
	bool ns; /* it counts nanoseconds, where the expression speaks of seconds */
};

/* A range in the domain; values are biased so that they compare as unsigned. */
struct irange {
	uint64_t lo, hi;
};

/* The bits to flip in a value of the domain so that it compares as unsigned: the sign bit,
 * or none. */
uint64_t domain_flip(const struct domain *d);
/* Returns whether all that the test says of an integer can be said as ranges. */
bool test_of_ranges(const struct test *t);
/*
 * *r = the integers of the domain that pass item `it` of the test (negation not applied).
 * False if there are none, or if the item is no number.
 */
bool test_range(const struct test *t, const struct item *it, const struct domain *d,
		struct irange *r);

#endif
