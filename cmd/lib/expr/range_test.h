/*
 * range_test.h - plain fields: their values (range_test.c) and tests of them (range_test_test.c), which are
 * worked out once for each type of event and then run as loops over a batch.
 */
#ifndef SPOOR_RANGE_TEST_H
#define SPOOR_RANGE_TEST_H

#include "expr/engine.h"
#include "expr/filter_value.h"

/* Values by the number of a string or a type, worked out once. */
struct memo {
	uint8_t load, kind, part; /* of the field that it is of */
	struct val *v;
	uint8_t *known;
	size_t cap, known_cap;
};

/* How a test of a plain field is decided; those that cost more stand behind. */
enum range_test_form {
	TEST_TYPE, /* the type decides: `want` */
	TEST_RANGE,
	TEST_RANGES, /* one of several */
	TEST_STRING, /* by the number of a string */
	TEST_TEXT,
};

/* A test of a plain field in the records of one type. */
struct range_test {
	enum range_test_form form;
	uint8_t bit;	/* HAS_* that a record must have, or 0 */
	bool want;	/* whether those pass that are within the range */
	unsigned shift; /* on a big-endian machine: the bits behind a narrow field */
	uint32_t off;	/* in the record */
	uint64_t mask, flip, lo, span;
	size_t first, n; /* TEST_RANGES; TEST_STRING: of the set */
};

/* Strings that pass a test, by number. */
struct range_test_set {
	struct field field;
	uint8_t *yes;
	uint32_t n;
	size_t cap;
};

/* A test of a plain field. */
struct range_tests {
	struct range_test *range_test; /* by type */
	uint32_t n;
	size_t range_test_cap;
	bool differ;		   /* not all are equal */
	enum range_test_form form; /* of all, the one that costs most */
	struct irange *range;
	size_t nranges, range_cap, last_n; /* last_n: how many the last leaf has */
	struct range_test_set *set;
	size_t nsets, set_cap;
};

/* The value of field number `asked` of the view in an event. */
struct val range_test_val(struct engine *g, size_t asked, const struct rec *r);
/* Returns the value v of a field for a comparison: see val_exact. */
struct val range_test_compared(struct engine *g, size_t asked, const struct rec *r,
			       struct val v);
/* Its text as it stands in a stream, without escapes; it lives until the next run. */
struct val range_test_text(struct engine *g, size_t asked, const struct rec *r);

/* The value of a node that is a field, for a comparison where the node says so, or the text of one. */
struct val range_test_field(struct engine *g, const struct node *node, const struct rec *r);

/* Returns the test for the records of a type. */
const struct range_test *range_test_of(struct engine *g, uint32_t number, uint32_t type);
/* 0 or 1 where the type decides, else -1. */
int range_test_known(const struct range_test *l);
/* Returns whether two tests say the same of all records. */
bool range_test_same(const struct range_test *a, const struct range_test *b);
/* Returns true if an event of the run passes the test t, by the text of its field: the definition. */
bool range_test_by_text(struct engine *g, const struct test *t, const struct rec *r);
/* yes[k] = whether event at[k] of the batch passes. */
void range_test_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n,
		       uint8_t *yes);
/* Frees what q holds; all is to be worked out anew. */
void range_test_forget(struct range_tests *q);

static inline uint64_t
range_test_load(const struct range_test *l, const struct rec *r)
{
	uint64_t x = ld64((const uint8_t *)r + l->off);

	return ((HOST_BIG ? x >> l->shift : x) & l->mask) ^ l->flip;
}

static inline bool
range_test_there(const struct range_test *l, const struct rec *r)
{
	return !(l->bit & ~r->has);
}

/* Returns whether an event passes a test that is TEST_TYPE or TEST_RANGE. */
static inline bool
range_test_range(const struct range_test *l, const struct rec *r)
{
	return (unsigned)((range_test_load(l, r) - l->lo <= l->span) == l->want) &
	       (unsigned)range_test_there(l, r);
}

#endif
