/* export_pages.h - the objects of a request for a cache simulator: one object, or with --split each page that
 * the request touches. */
#ifndef SPOOR_EXPORT_PAGES_H
#define SPOOR_EXPORT_PAGES_H

#include "trace-export/tally.h"

/* Limit of pages of one request: more are assumed to be an error in the input. */
/* Bound: trace-export --split | pages of one request | its size | 1048576 | a number is too large */
#define PAGES_MOST (1u << 20)

/* Names of operations of key-value caches. A delete is neither a read nor a write. */
extern const struct op_name cache_operations[];

struct page_range {
	uint64_t first, n; /* objects; without --split one, addr */
	uint64_t size;	   /* bytes of each object */
};

/* Finds the objects of the request q, which was made from r. Returns false if there are too many, or if they
 * exceed 2^64. */
static INLINE bool
pages_of(struct page_range *g, const struct rec *r, const struct export_request *q,
	 uint64_t split)
{
	g->first = r->addr;
	g->n = 1;
	g->size = q->size;
	if (!split)
		return true;
	if (q->size > UINT64_MAX - q->addr)
		return false;
	g->first = q->addr / split;
	g->n = (q->addr + q->size - (q->size > 0)) / split - g->first + 1;
	g->size = split;
	return g->n <= PAGES_MOST;
}

#endif
