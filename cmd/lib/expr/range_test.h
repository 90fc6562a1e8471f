/*
 * range_test.h - plain fields: their values (range_test.c), and tests of them (range_test_run.c), which are
 * prepared for each type of event and then run as loops over a batch.
 */
#ifndef SPOOR_RANGE_TEST_H
#define SPOOR_RANGE_TEST_H

#include "expr/engine.h"
#include "expr/filter_value.h"

/* The values of a field by the number of a string or a type, computed once. */
struct memo {
	uint8_t load, kind, part; /* of the field */
	struct val *v;
	uint8_t *known;
	size_t cap, known_cap;
};

/* How a test of a plain field is decided, in order of cost. */
enum range_test_form {
	TEST_TYPE, /* the type decides: `want` */
	TEST_RANGE,
	TEST_RANGES, /* one of several ranges */
	TEST_STRING, /* by the number of the string */
	TEST_TEXT,
};

/* A test of a plain field for the records of one type. */
struct range_test {
	enum range_test_form form;
	uint8_t bit;	/* HAS_* that the record must have, or 0 */
	bool want;	/* true: values within the range pass; false: values outside */
	unsigned shift; /* on big-endian machines: bits after a narrow field */
	uint32_t off;	/* offset in the record */
	uint64_t mask, flip, lo, span;
	/* first: of the ranges (TEST_RANGES), or number of the set (TEST_STRING); n: number of ranges */
	size_t first, n;
};

/* The strings that pass a test, by number. */
struct range_test_set {
	struct field field;
	uint8_t *yes;
	uint32_t n;
	size_t cap;
};

/* A test of a plain field, for all types. */
struct range_tests {
	struct range_test *range_test; /* by type */
	uint32_t n;
	size_t range_test_cap;
	bool differ;		   /* some differ */
	enum range_test_form form; /* the form with the highest cost */
	struct irange *range;
	/* last_n: number of ranges of the last test added */
	size_t nranges, range_cap, last_n;
	struct range_test_set *set;
	size_t nsets, set_cap;
};

/* Returns the value of field number `asked` of the view in an event. */
struct val range_test_val(struct engine *g, size_t asked, const struct rec *r);
/* Returns the value v of a field for a comparison: see val_exact. */
struct val range_test_compared(struct engine *g, size_t asked, const struct rec *r,
			       struct val v);
/* Returns the text of a field as in a stream, without escapes; valid until the next run. */
struct val range_test_text(struct engine *g, size_t asked, const struct rec *r);

/* Returns the value of a node that is a field (prepared for a comparison, if the node is marked so), or the text
 * of one. */
struct val range_test_field(struct engine *g, const struct node *node, const struct rec *r);

/* Returns the test number `number` for the records of a type, valid until a test of a greater type is made. */
const struct range_test *range_test_of(struct engine *g, uint32_t number, uint32_t type);
/* Returns 0 or 1 if the type decides, else -1. */
int range_test_known(const struct range_test *l);
/* Returns true if two tests are equal for all records. */
bool range_test_same(const struct range_test *a, const struct range_test *b);
/* Returns true if an event of the run passes the test t, decided by the text of its field. This is the definition. */
bool range_test_by_text(struct engine *g, const struct test *t, const struct rec *r);
/* Sets yes[k] to whether event at[k] of the batch passes test number `number`. */
void range_test_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n,
		       uint8_t *yes);
/* Frees what q holds, so that everything is prepared anew. */
void range_test_forget(struct range_tests *q);

/* Returns the value of the field in record r, as a number that sorts as unsigned. */
static inline uint64_t
range_test_load(const struct range_test *l, const struct rec *r)
{
	uint64_t x = ld64((const uint8_t *)r + l->off);

	return ((HOST_BIG ? x >> l->shift : x) & l->mask) ^ l->flip;
}

/* Returns true if the record has the field. */
static inline bool
range_test_there(const struct range_test *l, const struct rec *r)
{
	return !(l->bit & ~r->has);
}

/* Returns true if an event passes a test of form TEST_TYPE or TEST_RANGE. */
static inline bool
range_test_range(const struct range_test *l, const struct rec *r)
{
	return (unsigned)((range_test_load(l, r) - l->lo <= l->span) == l->want) &
	       (unsigned)range_test_there(l, r);
}

#endif
