/*
 * leaf.h - plain fields: their values (leaf.c) and tests of them (leaf_test.c), which are
 * worked out once for each type of event and then run as loops over a batch.
 */
#ifndef SPOOR_LEAF_H
#define SPOOR_LEAF_H

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
enum leaf_how {
	LEAF_TYPE, /* the type decides: `want` */
	LEAF_RANGE,
	LEAF_RANGES, /* one of several */
	LEAF_STRING, /* by the number of a string */
	LEAF_TEXT,
};

/* A test of a plain field in the records of one type. */
struct leaf {
	enum leaf_how how;
	uint8_t bit;	/* HAS_* that a record must have, or 0 */
	bool want;	/* whether those pass that are within the range */
	unsigned shift; /* on a big-endian machine: the bits behind a narrow field */
	uint32_t off;	/* in the record */
	uint64_t mask, flip, lo, span;
	size_t first, n; /* LEAF_RANGES; LEAF_STRING: of the set */
};

/* Strings that pass a test, by number. */
struct leaf_set {
	struct field field;
	uint8_t *yes;
	uint32_t n;
	size_t cap;
};

/* A test of a plain field. */
struct leaves {
	struct leaf *leaf; /* by type */
	uint32_t n;
	size_t leaf_cap;
	bool differ;	   /* not all are equal */
	enum leaf_how how; /* of all, the one that costs most */
	struct irange *range;
	size_t nranges, range_cap, last_n; /* last_n: how many the last leaf has */
	struct leaf_set *set;
	size_t nsets, set_cap;
};

/* The value of field number `asked` of the view in an event. */
struct val leaf_val(struct engine *g, size_t asked, const struct rec *r);
/* Returns the value v of a field for a comparison: see val_exact. */
struct val leaf_compared(struct engine *g, size_t asked, const struct rec *r, struct val v);
/* Its text as it stands in a stream, without escapes; it lives until the next run. */
struct val leaf_text(struct engine *g, size_t asked, const struct rec *r);

/* The value of a node that is a field, for a comparison where the node says so, or the text of one. */
struct val leaf_field(struct engine *g, const struct node *node, const struct rec *r);

/* Returns the test for the records of a type. */
const struct leaf *leaf_of(struct engine *g, uint32_t number, uint32_t type);
/* 0 or 1 where the type decides, else -1. */
int leaf_known(const struct leaf *l);
/* Returns whether two tests say the same of all records. */
bool leaf_same(const struct leaf *a, const struct leaf *b);
/* Returns true if an event of the run passes the test t, by the text of its field: the definition. */
bool leaf_by_text(struct engine *g, const struct test *t, const struct rec *r);
/* yes[k] = whether event at[k] of the batch passes. */
void leaf_select(struct engine *g, uint32_t number, const uint32_t *at, uint32_t n,
		 uint8_t *yes);
/* Frees what q holds; all is to be worked out anew. */
void leaf_forget(struct leaves *q);

static inline uint64_t
leaf_load(const struct leaf *l, const struct rec *r)
{
	uint64_t x = ld64((const uint8_t *)r + l->off);

	return ((HOST_BIG ? x >> l->shift : x) & l->mask) ^ l->flip;
}

static inline bool
leaf_there(const struct leaf *l, const struct rec *r)
{
	return !(l->bit & ~r->has);
}

/* Returns whether an event passes a test that is LEAF_TYPE or LEAF_RANGE. */
static inline bool
leaf_range(const struct leaf *l, const struct rec *r)
{
	return (unsigned)((leaf_load(l, r) - l->lo <= l->span) == l->want) &
	       (unsigned)leaf_there(l, r);
}

#endif
