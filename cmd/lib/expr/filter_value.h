/* filter_value.h - tests a single value: as a text, or as a range of machine integers. */
#ifndef SPOOR_FILTER_VALUE_H
#define SPOOR_FILTER_VALUE_H

#include "expr/expr_tree.h"

/* Returns true if a value passes the test; text[0..n) is the value as in a stream. This function defines every
 * test; integer ranges are only a faster way to the same answer. */
bool test_text(const struct test *t, const char *text, size_t n);

/* Returns true if a relation holds for two values with that order. Operators other than the six relations count as
 * =. */
bool test_stands(enum test_op op, enum val_order order);

/* The type of an integer in a record: `bits` wide, signed or not. */
struct domain {
	unsigned bits;
	bool is_signed;
	bool ns; /* it counts ns, but constants of the expression count seconds */
};

/* A range of a domain, both ends included. Values are biased so that they compare as unsigned. */
struct irange {
	uint64_t lo, hi;
};

/* Returns the bits to flip in a value of the domain so that it compares as unsigned: the sign bit, or 0. */
uint64_t domain_flip(const struct domain *d);
/* Returns true if the test of an integer can be expressed as ranges. */
bool test_of_ranges(const struct test *t);
/* Sets *r to the integers of the domain that pass item `it` of the test, before negation. Returns false if none
 * pass, or if the item is no number. */
bool test_range(const struct test *t, const struct item *it, const struct domain *d,
		struct irange *r);

#endif
